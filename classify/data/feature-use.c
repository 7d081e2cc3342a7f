/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/feature-use.c - features of other schedules, and features in
 * words.
 */
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/data-state-private.h"
#include "classify/data/feature-private.h"
#include "classify/data/positions-private.h"
#include "dag/schedule/sequence-private.h"

/* Rank in `p` of a name, or `p->names`. */
static size_t rank_of(const cairn_classify__positions *p, const char *name) {
  size_t from = 0, to = p->names;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    const int order = strcmp(p->named[middle].name, name);
    if (order == 0)
      return middle;
    if (order < 0)
      from = middle + 1;
    else
      to = middle;
  }
  return p->names;
}

cairn_status
cairn_classify__features_apply(const cairn_classify_features *features,
                               const cairn_classify_data *other,
                               uint64_t **columns_p) {
  const size_t words = cairn_base__bits_words(other->count);
  cairn_classify__positions p;
  const cairn_status status = cairn_classify__positions_find(other, &p);
  if (status != CAIRN_OK)
    return status;
  uint64_t *columns =
      cairn_base_zalloc(features->kept * words, sizeof *columns);
  if (!columns) {
    cairn_classify__positions_free(&p);
    return CAIRN_NOMEM;
  }
  for (size_t c = 0; c < features->kept; c++) {
    const cairn_classify_feature *f = &features->varied[features->first[c]];
    const size_t u = rank_of(&p, cairn_dag__intern_name(features->names, f->u));
    const size_t v = rank_of(&p, cairn_dag__intern_name(features->names, f->v));
    if (u < p.names && v < p.names)
      cairn_classify__column(&p, f->kind, u, v, columns + c * words);
  }
  cairn_classify__positions_free(&p);
  *columns_p = columns;
  return CAIRN_OK;
}

size_t cairn_classify__features_read(const cairn_classify_features *features,
                                     size_t column, int value, int *value_p) {
  const size_t index = features->worded[2 * column + (size_t)(value != 0)];
  *value_p = (value != 0) ^ features->varied[index].complement;
  return index;
}

static void word_order(const cairn_classify_feature *f, const char *u,
                       const char *v, int value, cairn_base_text *text) {
  if (f->u == f->v)
    cairn_base_text_addf(text, value ? "%s more than once" : "%s at most once",
                         u);
  else if (value)
    cairn_base_text_addf(text, "%s before %s", u, v);
  else if (f->negation == CAIRN_CLASSIFY_NOT_REVERSED)
    cairn_base_text_addf(text, "%s%s before %s%s", f->many & 2 ? "every " : "",
                         v, f->many & 1 ? "every " : "", u);
  else if (f->negation == CAIRN_CLASSIFY_NOT_U)
    cairn_base_text_addf(text, "no %s", u);
  else if (f->negation == CAIRN_CLASSIFY_NOT_V)
    cairn_base_text_addf(text, "no %s", v);
  else
    cairn_base_text_addf(text, "no %s before %s", u, v);
}

void cairn_classify__features_word(const cairn_classify_features *features,
                                   size_t index, int value,
                                   cairn_base_text *text) {
  const cairn_classify_feature *f = &features->varied[index];
  const char *u = cairn_dag__intern_name(features->names, f->u);
  const char *v = cairn_dag__intern_name(features->names, f->v);
  if (f->kind == CAIRN_CLASSIFY_BEFORE)
    word_order(f, u, v, value, text);
  else if (value)
    cairn_base_text_addf(text, "%s and %s in the same stream", u, v);
  else if (f->negation == CAIRN_CLASSIFY_NOT_REVERSED)
    cairn_base_text_addf(text, "%s and %s in different streams", u, v);
  else
    cairn_base_text_addf(text, "%s and %s not in the same stream", u, v);
}

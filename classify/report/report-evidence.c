/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-evidence.c - what stands below a condition: its other
 * wordings, and two measured schedules that differ in it.
 *
 * Two merged features can read the same ("b before c" is also how "c before b"
 * reads when it is no), so wordings are sorted and each is kept once.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/text-private.h"
#include "classify/data/data-private.h"
#include "classify/data/feature-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

enum { MOST_WORDINGS = 4 }; /* that people are shown */

typedef struct worded {
  char *text;
  size_t index;
} worded;

static int compare_texts(const void *a, const void *b) {
  const worded *x = a, *y = b;
  const int order = strcmp(x->text, y->text);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

static int compare_indices(const void *a, const void *b) {
  const worded *x = a, *y = b;
  return (x->index > y->index) - (x->index < y->index);
}

/* Keeps of equal texts the first, and none equal to `said`. */
static size_t keep_distinct(worded *w, size_t count, const char *said) {
  size_t kept = 0;
  qsort(w, count, sizeof *w, compare_texts);
  for (size_t i = 0; i < count; i++)
    if (strcmp(w[i].text, said) == 0 ||
        (kept > 0 && strcmp(w[i].text, w[kept - 1].text) == 0))
      cairn_base_free(w[i].text);
    else
      w[kept++] = w[i];
  qsort(w, kept, sizeof *w, compare_indices);
  return kept;
}

/* The words of all features merged with the condition. */
static cairn_status word_all(const cairn_classify_features *f,
                             const cairn_classify_condition *c, worded *w,
                             size_t *count_p) {
  cairn_base_text text = {0};
  *count_p = 0;
  for (size_t i = 0; i < f->varying; i++) {
    if (f->varied[i].column != c->column)
      continue;
    cairn_base__text_clear(&text);
    cairn_classify__features_word(f, i, c->value ^ f->varied[i].complement,
                                  &text);
    char *copy =
        text.failed ? NULL : cairn_base_strndup(text.data, text.length);
    if (!copy) {
      cairn_base_text_free(&text);
      return CAIRN_NOMEM;
    }
    w[(*count_p)++] = (worded){copy, i};
  }
  cairn_base_text_free(&text);
  return CAIRN_OK;
}

cairn_status cairn_classify__same_as(const cairn_classify_analysis *analysis,
                                     const cairn_classify_condition *condition,
                                     cairn_classify__wordings *wordings) {
  const cairn_classify_features *f = analysis->features;
  cairn_base_text said = {0};
  size_t count = 0;
  worded *w = cairn_base_alloc(f->varying, sizeof *w);
  *wordings = (cairn_classify__wordings){0};
  cairn_classify__condition_word(condition, f, &said);
  cairn_status status = w && !said.failed ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = word_all(f, condition, w, &count);
  if (status == CAIRN_OK) {
    count = keep_distinct(w, count, said.data);
    wordings->text = cairn_base_alloc(count, sizeof *wordings->text);
    status = wordings->text ? CAIRN_OK : CAIRN_NOMEM;
  }
  for (size_t i = 0; i < count; i++)
    if (status == CAIRN_OK)
      wordings->text[wordings->count++] = w[i].text;
    else
      cairn_base_free(w[i].text);
  cairn_base_free(w);
  cairn_base_text_free(&said);
  return status;
}

void cairn_classify__wordings_free(cairn_classify__wordings *wordings) {
  for (size_t i = 0; i < wordings->count; i++)
    cairn_base_free(wordings->text[i]);
  cairn_base_free(wordings->text);
  *wordings = (cairn_classify__wordings){0};
}

void cairn_classify__same_as_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify_condition *condition,
                                  const char *before, cairn_base_text *text) {
  cairn_classify__wordings w;
  if (cairn_classify__same_as(analysis, condition, &w) != CAIRN_OK) {
    text->failed = 1;
    return;
  }
  for (size_t i = 0; i < w.count && i <= MOST_WORDINGS; i++) {
    cairn_base_text_add(text, i ? ", " : before);
    cairn_base_text_add(text, i == MOST_WORDINGS ? "..." : w.text[i]);
  }
  cairn_classify__wordings_free(&w);
}

static void measured(const cairn_classify_analysis *a, uint32_t row,
                     const char *before, cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(a->labels);
  const cairn_classify_measure *m = cairn_classify__data_measure(a->data, row);
  cairn_base_text_addf(text, "%s id %llu: ", before, (unsigned long long)m->id);
  cairn_classify__time(text, unit, m->time);
  cairn_base_text_addf(text, " %s", unit.name);
  const double seen[2] = {m->times.p[CAIRN_BASE_P10],
                          m->times.p[CAIRN_BASE_P90]};
  int said = 0;
  for (int k = 0; k < 2; k++)
    if (isfinite(seen[k]) && seen[k] != m->time)
      cairn_base_text_addf(text, "%sp%d %.2f", said++ ? ", " : " (",
                           k ? 90 : 10, seen[k] * unit.per_second);
  cairn_base_text_add(text, said ? ")" : "");
}

void cairn_classify__pair_text(const cairn_classify_analysis *analysis,
                               const cairn_classify_pair *pair,
                               cairn_base_text *text) {
  if (pair->with == UINT32_MAX)
    return;
  measured(analysis, pair->with, "with it,", text);
  measured(analysis, pair->without, "; without it,", text);
  const double ratio =
      cairn_classify__data_measure(analysis->data, pair->without)->time /
      cairn_classify__data_measure(analysis->data, pair->with)->time;
  cairn_base_text_addf(text, "; x %.3f %s without it; other differences: %u",
                       ratio < 1 ? 1 / ratio : ratio,
                       ratio < 1 ? "faster" : "slower", pair->others);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/summary.c - the few sentences that most readers need.
 *
 * A trait of a class is a condition that all its schedules meet and that at
 * most MOST_ELSEWHERE of the others do.  A choice does not matter when the
 * tree never asks for it and it alone says less than LEAST_BITS of the class.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/feature-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"

static const double MOST_ELSEWHERE = 0.9, LEAST_BITS = 0.001;
enum { MOST_TRAITS = 4, MOST_DULL = 6 };

static int compare_traits(const void *a, const void *b) {
  const cairn_classify__trait *x = a, *y = b;
  if (x->elsewhere != y->elsewhere)
    return x->elsewhere < y->elsewhere ? -1 : 1;
  return (x->condition.column > y->condition.column) -
         (x->condition.column < y->condition.column);
}

/* with[c]: rows of class c that have the column; returns all of them. */
static void count_classes(const cairn_classify_table *t, size_t column,
                          uint32_t *with) {
  const uint64_t *bits = t->columns + column * t->words;
  memset(with, 0, t->classes * sizeof *with);
  for (size_t w = 0; w < t->words; w++)
    for (uint64_t word = bits[w]; word; word &= word - 1)
      with[t->label[w * 64 + cairn_base__bits_lowest(word)]]++;
}

/* Plain orders and streams of ops only: what a person can act on. */
static int readable(const cairn_classify_analysis *a, uint32_t column,
                    int value) {
  int read;
  const cairn_classify_features *f = a->features;
  const cairn_classify_feature *x =
      &f->varied[cairn_classify__features_read(f, column, value, &read)];
  return read || x->negation == CAIRN_CLASSIFY_NOT_REVERSED;
}

static void look_for_traits(const cairn_classify_analysis *a,
                            const uint32_t *with, uint32_t column,
                            cairn_classify__summary *s) {
  const uint32_t *all = a->tree->samples;
  uint32_t sum = 0;
  for (unsigned c = 0; c < s->classes; c++)
    sum += with[c];
  for (unsigned c = 0; c < s->classes; c++) {
    if (with[c] != 0 && with[c] != all[c])
      continue;
    const int value = with[c] == all[c];
    const double others = (double)(a->table.rows - all[c]);
    const double have =
        value ? (double)(sum - with[c]) : others - (double)(sum - with[c]);
    if (have <= MOST_ELSEWHERE * others && readable(a, column, value))
      s->trait[c][s->traits[c]++] = (cairn_classify__trait){
          {column, value, {UINT32_MAX, UINT32_MAX, 0}}, have / others};
  }
}

static double bits_of(const uint32_t *n, const uint32_t *minus,
                      unsigned classes) {
  double sum = 0, inner = 0;
  for (unsigned c = 0; c < classes; c++) {
    const double x = n[c] - (minus ? minus[c] : 0);
    sum += x;
    inner += x > 0 ? x * log2(x) : 0;
  }
  return sum > 0 ? sum * log2(sum) - inner : 0;
}

static int is_dull(const cairn_classify_analysis *a, const uint32_t *with,
                   uint32_t column) {
  for (size_t i = 0; i < 2 * a->tree->leaves - 1; i++)
    if (!cairn_classify__tree_is_leaf(a->tree, i) &&
        a->tree->node[i].feature == column)
      return 0;
  const uint32_t *all = a->tree->samples;
  const double gain = bits_of(all, NULL, a->table.classes) -
                      bits_of(with, NULL, a->table.classes) -
                      bits_of(all, with, a->table.classes);
  return gain / (double)a->table.rows < LEAST_BITS;
}

static cairn_status prepare(const cairn_classify_analysis *a,
                            cairn_classify__summary *s) {
  memset(s, 0, sizeof *s);
  s->classes = a->table.classes;
  s->trait = cairn_base_zalloc(s->classes, sizeof(cairn_classify__trait *));
  s->traits = cairn_base_zalloc(s->classes, sizeof *s->traits);
  s->dull = cairn_base_alloc(a->table.features, sizeof *s->dull);
  if (!s->trait || !s->traits || !s->dull)
    return CAIRN_NOMEM;
  for (unsigned c = 0; c < s->classes; c++) {
    s->trait[c] = cairn_base_alloc(a->table.features, sizeof **s->trait);
    if (!s->trait[c])
      return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

cairn_status
cairn_classify__summary_make(const cairn_classify_analysis *analysis,
                             cairn_classify__summary *summary) {
  cairn_status status = prepare(analysis, summary);
  uint32_t *with = cairn_base_alloc(summary->classes, sizeof *with);
  if (!with)
    status = CAIRN_NOMEM;
  for (uint32_t f = 0; status == CAIRN_OK && f < analysis->table.features;
       f++) {
    count_classes(&analysis->table, f, with);
    look_for_traits(analysis, with, f, summary);
    if (summary->dulls < MOST_DULL && is_dull(analysis, with, f))
      summary->dull[summary->dulls++] = f;
  }
  cairn_base_free(with);
  if (status != CAIRN_OK) {
    cairn_classify__summary_free(summary);
    return status;
  }
  for (unsigned c = 0; c < summary->classes; c++) {
    qsort(summary->trait[c], summary->traits[c], sizeof **summary->trait,
          compare_traits);
    if (summary->traits[c] > MOST_TRAITS)
      summary->traits[c] = MOST_TRAITS;
  }
  return CAIRN_OK;
}

void cairn_classify__summary_free(cairn_classify__summary *summary) {
  for (unsigned c = 0; summary->trait && c < summary->classes; c++)
    cairn_base_free(summary->trait[c]);
  cairn_base_free(summary->trait);
  cairn_base_free(summary->traits);
  cairn_base_free(summary->dull);
  memset(summary, 0, sizeof *summary);
}

/* "always A, B; in addition one of: (1) C; D (2) E" */
static void class_text(const cairn_classify_analysis *a,
                       const cairn_classify__summary *s, unsigned id,
                       cairn_base_text *text) {
  for (size_t k = 0; k < s->traits[id]; k++) {
    cairn_base_text_add(text, k == 0 ? "always " : ", ");
    cairn_classify__condition_word(&s->trait[id][k].condition, a->features,
                                   text);
  }
  size_t sets = 0, more = 0;
  for (size_t i = 0; i < a->rules->count; i++)
    if (a->rules->rule[i].id == id) {
      sets++;
      for (size_t k = 0; k < a->rules->rule[i].conditions; k++)
        more +=
            !cairn_classify__is_trait(s, id, &a->rules->rule[i].condition[k]);
    }
  if (more == 0) {
    cairn_base_text_add(text, s->traits[id] ? ".\n" : "no rule of its own.\n");
    return;
  }
  if (s->traits[id] > 0)
    cairn_base_text_add(text, "; in addition ");
  cairn_base_text_add(text, sets > 1 ? "one of: " : "");
  size_t number = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *rule = &a->rules->rule[i];
    if (rule->id != id)
      continue;
    if (sets > 1)
      cairn_base_text_addf(text, "%s(%zu) ", number ? " " : "", number + 1);
    number++;
    cairn_classify__rule_text(a, s, rule, text);
    if (rule->hits < rule->samples)
      cairn_base_text_addf(text, " [%.0f %%]", 100 * rule->purity);
  }
  cairn_base_text_add(text, ".\n");
}

/* "To be fast: ...", "Above all avoid: ..." */
static void advise(const cairn_classify_analysis *a, cairn_base_text *text) {
  cairn_classify__advice advice;
  if (cairn_classify__advice_make(a, &advice) != CAIRN_OK) {
    text->failed = 1;
    return;
  }
  if (!advice.follow)
    return;
  cairn_base_text_add(text, "To be fast: ");
  cairn_classify__rule_text(a, NULL, advice.follow, text);
  cairn_base_text_add(text, " (");
  cairn_classify__follow_text(&advice, text);
  cairn_base_text_add(text, "). ");
  cairn_classify__example_text(a, &advice, text);
  cairn_base_text_add(text, ", in this order: ");
  cairn_classify__order_text(a, advice.example, text);
  cairn_base_text_add(text, ".\n");
  if (advice.avoids == 0)
    return;
  cairn_base_text_add(text, "Above all avoid: ");
  for (size_t k = 0; k < advice.avoids; k++) {
    cairn_base_text_add(text, k ? ", together with " : "");
    cairn_classify__condition_word(&advice.avoid[k], a->features, text);
  }
  cairn_base_text_add(text, " (");
  cairn_classify__avoid_text(a, &advice, text);
  cairn_base_text_add(text, ").\n");
}

void cairn_classify__summary_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify__summary *summary,
                                  cairn_base_text *text) {
  const cairn_classify_labels *l = analysis->labels;
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  const char *none = cairn_classify__verdict_text(analysis);
  if (none) {
    cairn_base_text_addf(text, "%s.\n", none);
    return;
  }
  const unsigned ends[2] = {0, l->classes - 1};
  for (int k = 0; k < 2; k++) {
    double min, max;
    const size_t count = cairn_classify__labels_class(l, ends[k], &min, &max);
    cairn_base_text_addf(text, "%s class (%zu of %zu, ",
                         k == 0 ? "Fastest" : "Slowest", count, l->count);
    cairn_classify__range(text, unit, min, max);
    cairn_base_text_add(text, "): ");
    class_text(analysis, summary, ends[k], text);
  }
  advise(analysis, text);
  if (summary->dulls == 0)
    return;
  cairn_base_text_add(text, "These choices do not change the class: ");
  for (size_t k = 0; k < summary->dulls; k++) {
    const cairn_classify_condition c = {
        .column = summary->dull[k], .value = 1, .pair = {0, 0, 0}};
    cairn_base_text_add(text, k == 0 ? "" : ", ");
    cairn_classify__condition_word(&c, analysis->features, text);
    cairn_base_text_add(text, " or not");
  }
  cairn_base_text_add(text, ".\n");
}

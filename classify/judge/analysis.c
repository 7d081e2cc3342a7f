/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/analysis.c - from data to rules.
 */
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/data-state-private.h"
#include "classify/data/feature-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/judge/evaluate-private.h"
#include "classify/label/label-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"

void cairn_classify_defaults(cairn_classify_options *options) {
  *options = (cairn_classify_options){.folds = 10, .pairs = 1};
  cairn_classify__label_defaults(&options->label);
  cairn_classify__tree_defaults(&options->tree);
}

cairn_status
cairn_classify__data_label(const cairn_classify_data *data,
                           const cairn_classify_label_options *options,
                           cairn_classify_labels **labels_p) {
  if (data->count == 0)
    return CAIRN_INPUT;
  double *time = cairn_base_alloc(data->count, sizeof *time);
  double(*spread)[CAIRN_BASE_PERCENTILES] =
      cairn_base_alloc(data->count, sizeof *spread);
  cairn_status status = CAIRN_NOMEM;
  if (time && spread) {
    for (size_t i = 0; i < data->count; i++) {
      time[i] = data->measure[i].time;
      memcpy(spread[i], data->measure[i].times.p, sizeof spread[i]);
    }
    status = cairn_classify__label(
        time, (const double(*)[CAIRN_BASE_PERCENTILES])spread, data->count,
        options, labels_p);
  }
  cairn_base_free(time);
  cairn_base_free(spread);
  return status;
}

/* With fewer nothing can be held out, and classes mean nothing. */
enum { FEWEST = 4 };

static cairn_status cross_validate(cairn_classify_analysis *a) {
  if (a->options.folds < 2 || a->table.rows < FEWEST || a->labels->classes < 2)
    return CAIRN_OK;
  a->held_out = cairn_base_alloc(a->table.rows, sizeof *a->held_out);
  if (!a->held_out)
    return CAIRN_NOMEM;
  const cairn_status status = cairn_classify__cross_validate(
      &a->table, &a->options.tree, a->options.folds, a->options.label.seed,
      a->held_out);
  if (status != CAIRN_OK)
    return status;
  return cairn_classify__judge(a->held_out, a->labels->label, a->table.rows,
                               a->table.classes, &a->accuracy);
}

static void judge_rules(cairn_classify_analysis *a, uint64_t *cover) {
  for (size_t i = 0; i < a->rules->count; i++) {
    cairn_classify_rule *rule = &a->rules->rule[i];
    size_t hits = 0, count = 0;
    cairn_classify__rule_cover(rule, &a->table, cover);
    for (size_t r = 0; r < a->table.rows; r++)
      if (cairn_base__bits_test(cover, r)) {
        count++;
        hits += a->held_out[r] == a->labels->label[r];
      }
    rule->held_out = (double)hits / (double)count;
  }
}

static cairn_status find_rules(cairn_classify_analysis *a) {
  if (a->labels->classes < 2)
    a->verdict = CAIRN_CLASSIFY_ONE_CLASS;
  else if (a->tree->leaves < 2 ||
           (a->held_out && a->accuracy.balanced.low <= 1.0 / a->table.classes))
    a->verdict = CAIRN_CLASSIFY_UNRELATED;
  if (a->verdict != CAIRN_CLASSIFY_RULES) {
    a->rules = cairn_base_zalloc(1, sizeof *a->rules);
    return a->rules ? CAIRN_OK : CAIRN_NOMEM;
  }
  cairn_status status =
      cairn_classify__rules_derive(a->tree, &a->table, &a->rules);
  if (status == CAIRN_OK && a->options.pairs)
    status = cairn_classify__rules_pair(a->rules, &a->table);
  if (status != CAIRN_OK || !a->held_out)
    return status;
  uint64_t *cover = cairn_base_alloc(a->table.words, sizeof *cover);
  if (!cover)
    return CAIRN_NOMEM;
  judge_rules(a, cover);
  cairn_base_free(cover);
  return CAIRN_OK;
}

cairn_status cairn_classify_analyse(const cairn_classify_data *data,
                                    const cairn_classify_options *options,
                                    cairn_classify_analysis **analysis_p) {
  cairn_classify_analysis *a = cairn_base_zalloc(1, sizeof *a);
  if (!a)
    return CAIRN_NOMEM;
  a->data = data;
  a->options = *options;
  a->accuracy.agreement.value = a->accuracy.balanced.value = NAN;
  cairn_status status =
      cairn_classify__data_label(data, &options->label, &a->labels);
  if (status == CAIRN_OK)
    status = cairn_classify__features_build(data, &a->features);
  if (status == CAIRN_OK) {
    a->table = (cairn_classify_table){.columns = a->features->columns,
                                      .features = a->features->kept,
                                      .rows = a->features->rows,
                                      .words = a->features->words,
                                      .label = a->labels->label,
                                      .classes = a->labels->classes};
    status = cairn_classify__tree_grow(&a->table, &options->tree, &a->tree);
  }
  if (status == CAIRN_OK)
    status = cross_validate(a);
  if (status == CAIRN_OK)
    status = find_rules(a);
  if (status == CAIRN_OK)
    *analysis_p = a;
  else
    cairn_classify_analysis_free(a);
  return status;
}

void cairn_classify_analysis_free(cairn_classify_analysis *analysis) {
  if (!analysis)
    return;
  cairn_classify__labels_free(analysis->labels);
  cairn_classify__features_free(analysis->features);
  cairn_classify__tree_free(analysis->tree);
  cairn_classify__rules_free(analysis->rules);
  cairn_classify__accuracy_clear(&analysis->accuracy);
  cairn_classify__accuracy_clear(&analysis->evaluation);
  cairn_base_free(analysis->held_out);
  cairn_base_free(analysis);
}

static const char *one_class_text(const cairn_classify_analysis *analysis) {
  if (analysis->labels->count == 1)
    return "no rules: one schedule only, there is nothing to compare it with";
  if (analysis->labels->count < FEWEST)
    return "no rules: too few schedules to find classes";
  return analysis->options.label.method == CAIRN_CLASSIFY_DENSITY
             ? "no rules: the differences are noise"
             : "no rules: no peak stands out, so there is one class";
}

const char *
cairn_classify__verdict_text(const cairn_classify_analysis *analysis) {
  switch (analysis->verdict) {
  case CAIRN_CLASSIFY_RULES:
    break;
  case CAIRN_CLASSIFY_ONE_CLASS:
    return one_class_text(analysis);
  case CAIRN_CLASSIFY_UNRELATED:
    return "no rules: order and streams predict the class no better than "
           "chance";
  }
  return NULL;
}

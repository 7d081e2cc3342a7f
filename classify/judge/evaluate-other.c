/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/evaluate-other.c - rules learned from some schedules, judged
 * on others.
 *
 * Intervals: the schedules learned from are drawn again with replacement,
 * labelled and learned from again, and judged again; the 2.5th and the 97.5th
 * percentile of what comes out bound the interval.
 */
#include <math.h>
#include <string.h>

#include "classify/data/feature-private.h"
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "base/stats-private.h"
#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/judge/evaluate-private.h"
#include "classify/label/label-private.h"
#include "classify/tree/tree-private.h"

/* Greedy one-to-one matching by largest overlap; ties: lowest classes. */
static void match_classes(uint32_t *overlap, unsigned from, unsigned to,
                          uint16_t *match) {
  for (unsigned p = 0; p < from; p++)
    match[p] = UINT16_MAX;
  for (;;) {
    uint32_t best = 0;
    unsigned best_p = 0, best_c = 0;
    for (unsigned p = 0; p < from; p++)
      for (unsigned c = 0; c < to; c++)
        if (overlap[p * to + c] > best) {
          best = overlap[p * to + c];
          best_p = p;
          best_c = c;
        }
    if (best == 0)
      return;
    match[best_p] = (uint16_t)best_c;
    for (unsigned p = 0; p < from; p++)
      overlap[p * to + best_c] = 0;
    for (unsigned c = 0; c < to; c++)
      overlap[best_p * to + c] = 0;
  }
}

cairn_status cairn_classify__judge_matched(const uint16_t *predicted,
                                           unsigned predicted_classes,
                                           const uint16_t *label, size_t rows,
                                           unsigned classes, uint16_t *match,
                                           cairn_classify_accuracy *accuracy) {
  const size_t cells = (size_t)predicted_classes * classes;
  uint32_t *overlap = cairn_base_zalloc(cells, sizeof *overlap);
  uint16_t *own = cairn_base_alloc(predicted_classes, sizeof *own);
  uint16_t *mapped = cairn_base_alloc(rows, sizeof *mapped);
  cairn_status status = CAIRN_NOMEM;
  if (overlap && own && mapped) {
    for (size_t r = 0; r < rows; r++)
      overlap[(size_t)predicted[r] * classes + label[r]]++;
    match_classes(overlap, predicted_classes, classes, own);
    for (size_t r = 0; r < rows; r++)
      mapped[r] = own[predicted[r]];
    if (match)
      memcpy(match, own, predicted_classes * sizeof *own);
    status = cairn_classify__judge(mapped, label, rows, classes, accuracy);
  }
  cairn_base_free(overlap);
  cairn_base_free(own);
  cairn_base_free(mapped);
  return status;
}

/* Share of times within the range of the class predicted for them. */
static double in_range(const cairn_classify_labels *labels,
                       const cairn_classify_data *full,
                       const uint16_t *predicted) {
  size_t hits = 0;
  for (size_t r = 0; r < full->count; r++) {
    double min, max;
    (void)cairn_classify__labels_class(labels, predicted[r], &min, &max);
    hits += full->measure[r].time >= min && full->measure[r].time <= max;
  }
  return (double)hits / (double)full->count;
}

typedef struct trial {
  const cairn_classify_analysis *a;
  const cairn_classify_data *full;
  const uint64_t *columns; /* of the full data */
  const cairn_classify_labels *truth;
  uint16_t *predicted;
} trial;

static cairn_status judge_tree(const trial *t, const cairn_classify_tree *tree,
                               const cairn_classify_labels *labels,
                               cairn_classify_accuracy *accuracy) {
  cairn_classify__tree_predict(tree, t->columns,
                               cairn_base__bits_words(t->full->count),
                               t->full->count, t->predicted);
  const cairn_status status = cairn_classify__judge_matched(
      t->predicted, labels->classes, t->truth->label, t->full->count,
      t->truth->classes, NULL, accuracy);
  if (status == CAIRN_OK)
    accuracy->in_range.value = in_range(labels, t->full, t->predicted);
  return status;
}

/* Learns from a redraw of the schedules and judges that. */
static cairn_status redraw(const trial *t, cairn_base_rng *rng,
                           cairn_classify_accuracy *accuracy) {
  const size_t n = t->a->data->count;
  uint32_t *row = cairn_base_alloc(n, sizeof *row);
  uint64_t *use = cairn_base_zalloc(t->a->table.words, sizeof *use);
  uint16_t *label = cairn_base_zalloc(n, sizeof *label);
  cairn_classify_data *pick = NULL;
  cairn_classify_labels *labels = NULL;
  cairn_classify_tree *tree = NULL;
  cairn_status status = row && use && label ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < n; i++)
    row[i] = cairn_base__rng_below(rng, (uint32_t)n);
  if (status == CAIRN_OK)
    status = cairn_classify__data_pick(t->a->data, row, n, &pick);
  if (status == CAIRN_OK)
    status = cairn_classify__data_label(pick, &t->a->options.label, &labels);
  if (status == CAIRN_OK) {
    for (size_t i = 0; i < n; i++) {
      cairn_base__bits_set(use, row[i]);
      label[row[i]] = labels->label[i];
    }
    cairn_classify_table table = t->a->table;
    table.use = use;
    table.label = label;
    table.classes = labels->classes;
    status = cairn_classify__tree_grow(&table, &t->a->options.tree, &tree);
  }
  if (status == CAIRN_OK)
    status = judge_tree(t, tree, labels, accuracy);
  cairn_classify__tree_free(tree);
  cairn_classify__labels_free(labels);
  cairn_classify_data_free(pick);
  cairn_base_free(row);
  cairn_base_free(use);
  cairn_base_free(label);
  return status;
}

static void bound(cairn_classify_share *share, double *values, size_t count) {
  cairn_base__stats_sort(values, count);
  share->low =
      fmin(share->value, cairn_base__stats_percentile(values, count, 2.5));
  share->high =
      fmax(share->value, cairn_base__stats_percentile(values, count, 97.5));
}

/* Replaces the intervals by those over redraws. */
static cairn_status intervals(const trial *t, unsigned resamples,
                              cairn_classify_accuracy *accuracy) {
  const size_t shares = 3 + (size_t)accuracy->classes;
  double *values = cairn_base_alloc(shares * resamples, sizeof *values);
  if (!values)
    return CAIRN_NOMEM;
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, t->a->options.label.seed);
  cairn_status status = CAIRN_OK;
  for (unsigned k = 0; k < resamples && status == CAIRN_OK; k++) {
    cairn_classify_accuracy one = {0};
    status = redraw(t, &rng, &one);
    if (status != CAIRN_OK)
      break;
    values[k] = one.agreement.value;
    values[resamples + k] = one.balanced.value;
    values[2 * resamples + k] = one.in_range.value;
    for (unsigned c = 0; c < one.classes; c++)
      values[(3 + c) * resamples + k] = one.each[c].value;
    cairn_classify__accuracy_clear(&one);
  }
  if (status == CAIRN_OK) {
    bound(&accuracy->agreement, values, resamples);
    bound(&accuracy->balanced, values + resamples, resamples);
    bound(&accuracy->in_range, values + 2 * (size_t)resamples, resamples);
    for (unsigned c = 0; c < accuracy->classes; c++)
      bound(&accuracy->each[c], values + (3 + c) * (size_t)resamples,
            resamples);
  }
  cairn_base_free(values);
  return status;
}

cairn_status cairn_classify_evaluate(cairn_classify_analysis *analysis,
                                     const cairn_classify_data *full,
                                     unsigned resamples) {
  cairn_classify_labels *truth = NULL;
  cairn_classify_data *named = NULL;
  uint64_t *columns = NULL;
  trial t = {.a = analysis, .full = full};
  cairn_classify_accuracy result = {0};
  cairn_status status =
      cairn_classify__data_label(full, &analysis->options.label, &truth);
  if (status == CAIRN_OK)
    status = cairn_classify__data_named_as(analysis->data, full, &named);
  if (status == CAIRN_OK)
    status =
        cairn_classify__features_apply(analysis->features, named, &columns);
  t.truth = truth;
  t.columns = columns;
  t.predicted = cairn_base_alloc(full->count, sizeof *t.predicted);
  if (status == CAIRN_OK && !t.predicted)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = judge_tree(&t, analysis->tree, analysis->labels, &result);
  if (status == CAIRN_OK && resamples > 0)
    status = intervals(&t, resamples, &result);
  if (status == CAIRN_OK) {
    cairn_classify__accuracy_clear(&analysis->evaluation);
    analysis->evaluation = result;
    analysis->evaluated = 1;
  } else
    cairn_classify__accuracy_clear(&result);
  cairn_classify__labels_free(truth);
  cairn_classify_data_free(named);
  cairn_base_free(columns);
  cairn_base_free(t.predicted);
  return status;
}

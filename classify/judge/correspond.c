/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/correspond.c - which classes of two labellings correspond, and
 * what becomes of the rules of one run in another.
 */
#include <math.h>
#include <string.h>

#include "classify/data/feature-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "classify/judge/compare-private.h"
#include "classify/judge/evaluate-private.h"
#include "classify/rules/rule-private.h"

/* The column of the largest of `count` cells `step` apart; the lowest of equal
 * ones; `count` when all are 0. */
static unsigned largest(const uint32_t *cell, size_t step, unsigned count) {
  unsigned best = count;
  for (unsigned i = 0; i < count; i++)
    if (cell[i * step] > 0 &&
        (best == count || cell[i * step] > cell[best * step]))
      best = i;
  return best;
}

static cairn_status one_to_one(const uint16_t *a, const uint16_t *b,
                               size_t count, unsigned classes, uint8_t *same) {
  cairn_classify_accuracy accuracy = {0};
  uint16_t *match = cairn_base_alloc(classes, sizeof *match);
  cairn_status status = match ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_classify__judge_matched(a, classes, b, count, classes, match,
                                           &accuracy);
  for (unsigned p = 0; p < classes && status == CAIRN_OK; p++)
    if (match[p] != UINT16_MAX)
      same[p * classes + match[p]] = 1;
  cairn_classify__accuracy_clear(&accuracy);
  cairn_base_free(match);
  return status;
}

cairn_status cairn_classify__correspond(const uint16_t *a, unsigned classes_a,
                                        const uint16_t *b, unsigned classes_b,
                                        size_t count, uint8_t *same) {
  const size_t cells = (size_t)classes_a * classes_b;
  memset(same, 0, cells);
  if (classes_a == classes_b)
    return one_to_one(a, b, count, classes_a, same);
  uint32_t *overlap = cairn_base_zalloc(cells, sizeof *overlap);
  if (!overlap)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    overlap[(size_t)a[i] * classes_b + b[i]]++;
  if (classes_a > classes_b)
    for (unsigned p = 0; p < classes_a; p++) {
      const unsigned c = largest(overlap + p * classes_b, 1, classes_b);
      if (c < classes_b)
        same[p * classes_b + c] = 1;
    }
  else
    for (unsigned c = 0; c < classes_b; c++) {
      const unsigned p = largest(overlap + c, classes_b, classes_a);
      if (p < classes_a)
        same[p * classes_b + c] = 1;
    }
  cairn_base_free(overlap);
  return CAIRN_OK;
}

/* ---- rules of one run on all schedules of another ---- */

static void count_hits(const cairn_classify_analysis *from,
                       const cairn_classify_analysis *to,
                       const cairn_classify_table *table, const uint8_t *same,
                       uint64_t *cover, cairn_classify_carried *carried) {
  const unsigned classes = to->labels->classes;
  for (size_t i = 0; i < from->rules->count; i++) {
    const cairn_classify_rule *rule = &from->rules->rule[i];
    carried[i] = (cairn_classify_carried){.rule = i};
    cairn_classify__rule_cover(rule, table, cover);
    for (size_t r = 0; r < table->rows; r++)
      if (cairn_base__bits_test(cover, r)) {
        carried[i].samples++;
        carried[i].hits += same[rule->id * classes + to->labels->label[r]];
      }
    carried[i].holds =
        cairn_classify__holds(carried[i].hits, carried[i].samples);
  }
}

int cairn_classify__holds(uint32_t hits, uint32_t samples) {
  return samples > 0 && 10 * (uint64_t)hits >= 9 * (uint64_t)samples;
}

cairn_status cairn_classify__carry(const cairn_classify_analysis *from,
                                   const cairn_classify_analysis *to,
                                   cairn_classify_carried *carried) {
  const size_t rows = to->data->count, words = cairn_base__bits_words(rows);
  const unsigned classes = from->labels->classes;
  cairn_classify_data *named = NULL;
  uint64_t *columns = NULL;
  uint64_t *cover = cairn_base_alloc(words, sizeof *cover);
  uint16_t *predicted = cairn_base_alloc(rows, sizeof *predicted);
  uint8_t *same = cairn_base_zalloc((size_t)classes * to->labels->classes, 1);
  cairn_status status = cover && predicted && same ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_classify__data_named_as(from->data, to->data, &named);
  if (status == CAIRN_OK)
    status = cairn_classify__features_apply(from->features, named, &columns);
  if (status == CAIRN_OK && classes > 1 && to->labels->classes > 1) {
    cairn_classify__tree_predict(from->tree, columns, words, rows, predicted);
    status = cairn_classify__correspond(predicted, classes, to->labels->label,
                                        to->labels->classes, rows, same);
  }
  if (status == CAIRN_OK) {
    const cairn_classify_table table = {.columns = columns,
                                        .features = from->features->kept,
                                        .rows = rows,
                                        .words = words,
                                        .label = to->labels->label,
                                        .classes = to->labels->classes};
    count_hits(from, to, &table, same, cover, carried);
  }
  cairn_classify_data_free(named);
  cairn_base_free(columns);
  cairn_base_free(cover);
  cairn_base_free(predicted);
  cairn_base_free(same);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/evaluate.c - cross-validation, and shares with intervals.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "classify/judge/evaluate-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

static const double Z = 1.959963984540054; /* two-sided 95 % */

cairn_classify_share cairn_classify__share_of(size_t hits, size_t count) {
  if (count == 0)
    return (cairn_classify_share){NAN, NAN, NAN};
  const double n = (double)count, p = (double)hits / n;
  const double middle = p + Z * Z / (2 * n);
  const double half = Z * sqrt(p * (1 - p) / n + Z * Z / (4 * n * n));
  const double scale = 1 + Z * Z / n;
  return (cairn_classify_share){p, fmax(0, (middle - half) / scale),
                                fmin(1, (middle + half) / scale)};
}

void cairn_classify__accuracy_clear(cairn_classify_accuracy *accuracy) {
  cairn_base_free(accuracy->each);
  memset(accuracy, 0, sizeof *accuracy);
}

/* fold[row]: rows of each class are shuffled, then dealt out in turn, going on
 * from class to class so that folds stay equally large. */
static cairn_status deal(const cairn_classify_table *t, unsigned folds,
                         uint64_t seed, uint32_t *fold) {
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, seed);
  uint32_t *row = cairn_base_alloc(t->rows, sizeof *row);
  if (!row)
    return CAIRN_NOMEM;
  size_t dealt = 0;
  for (unsigned c = 0; c < t->classes; c++) {
    size_t count = 0;
    for (uint32_t r = 0; r < t->rows; r++)
      if (t->label[r] == c)
        row[count++] = r;
    cairn_base__rng_shuffle(&rng, row, count, sizeof *row);
    for (size_t i = 0; i < count; i++)
      fold[row[i]] = (uint32_t)(dealt++ % folds);
  }
  cairn_base_free(row);
  return CAIRN_OK;
}

static cairn_status predict_fold(const cairn_classify_table *t,
                                 const cairn_classify_tree_options *options,
                                 const uint32_t *fold, unsigned this_fold,
                                 uint64_t *use, uint16_t *all,
                                 uint16_t *predicted) {
  memset(use, 0, t->words * sizeof *use);
  for (size_t r = 0; r < t->rows; r++)
    if (fold[r] != this_fold)
      cairn_base__bits_set(use, r);
  cairn_classify_table part = *t;
  part.use = use;
  cairn_classify_tree *tree;
  const cairn_status status = cairn_classify__tree_grow(&part, options, &tree);
  if (status != CAIRN_OK)
    return status;
  cairn_classify__tree_predict(tree, t->columns, t->words, t->rows, all);
  for (size_t r = 0; r < t->rows; r++)
    if (fold[r] == this_fold)
      predicted[r] = all[r];
  cairn_classify__tree_free(tree);
  return CAIRN_OK;
}

cairn_status
cairn_classify__cross_validate(const cairn_classify_table *table,
                               const cairn_classify_tree_options *options,
                               unsigned folds, uint64_t seed,
                               uint16_t *predicted) {
  uint32_t *fold = cairn_base_alloc(table->rows, sizeof *fold);
  uint64_t *use = cairn_base_alloc(table->words, sizeof *use);
  uint16_t *all = cairn_base_alloc(table->rows, sizeof *all);
  if (folds > table->rows)
    folds = (unsigned)table->rows;
  cairn_status status = CAIRN_NOMEM;
  if (fold && use && all)
    status = deal(table, folds, seed, fold);
  for (unsigned k = 0; k < folds && status == CAIRN_OK; k++)
    status = predict_fold(table, options, fold, k, use, all, predicted);
  cairn_base_free(fold);
  cairn_base_free(use);
  cairn_base_free(all);
  return status;
}

cairn_status cairn_classify__judge(const uint16_t *predicted,
                                   const uint16_t *label, size_t rows,
                                   unsigned classes,
                                   cairn_classify_accuracy *accuracy) {
  size_t *count = cairn_base_zalloc(2 * (size_t)classes, sizeof *count);
  cairn_classify_share *each = cairn_base_alloc(classes, sizeof *each);
  if (!count || !each) {
    cairn_base_free(count);
    cairn_base_free(each);
    return CAIRN_NOMEM;
  }
  size_t hits = 0;
  for (size_t r = 0; r < rows; r++) {
    const int hit = predicted[r] == label[r];
    count[2 * label[r]]++;
    count[2 * label[r] + 1] += (size_t)hit;
    hits += (size_t)hit;
  }
  double mean = 0, variance = 0;
  unsigned present = 0;
  for (unsigned c = 0; c < classes; c++) {
    each[c] = cairn_classify__share_of(count[2 * c + 1], count[2 * c]);
    if (count[2 * c] == 0)
      continue;
    const double half = (each[c].high - each[c].low) / 2 / Z;
    present++;
    mean += each[c].value;
    variance += half * half;
  }
  cairn_base_free(count);
  mean /= present;
  const double half = Z * sqrt(variance) / present;
  *accuracy = (cairn_classify_accuracy){
      .agreement = cairn_classify__share_of(hits, rows),
      .balanced = {mean, fmax(0, mean - half), fmin(1, mean + half)},
      .in_range = {NAN, NAN, NAN},
      .classes = classes,
      .each = each};
  return CAIRN_OK;
}

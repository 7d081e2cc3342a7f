/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/evaluate-private.h - how good are rules?  Never judged on the
 * schedules they were learned from.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_JUDGE_EVALUATE_PRIVATE_H
#define CAIRN_CLASSIFY_JUDGE_EVALUATE_PRIVATE_H

#include "classify/label/label-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

void cairn_classify__accuracy_clear(cairn_classify_accuracy *accuracy);

/* Wilson's interval of a share of `hits` in `count`. */
cairn_classify_share cairn_classify__share_of(size_t hits, size_t count);

/* Cross-validation: each fold (seeded, stratified by class) is predicted by a
 * tree grown on the others; predicted[rows].  Folds are at most the rows.
 * CAIRN_NOMEM. */
cairn_status
cairn_classify__cross_validate(const cairn_classify_table *table,
                               const cairn_classify_tree_options *options,
                               unsigned folds, uint64_t seed,
                               uint16_t *predicted);

/* Accuracy of predicted classes against labels of the same classes, with
 * intervals from the counts; in_range stays NAN.  CAIRN_NOMEM. */
cairn_status cairn_classify__judge(const uint16_t *predicted,
                                   const uint16_t *label, size_t rows,
                                   unsigned classes,
                                   cairn_classify_accuracy *accuracy);

/* The same against classes found in other data: classes are matched one to one
 * by largest overlap; unmatched ones count as wrong.  match[p] (may be NULL):
 * the class that stands for predicted class p, or UINT16_MAX.  Intervals from
 * the counts; in_range stays NAN.  CAIRN_NOMEM. */
cairn_status cairn_classify__judge_matched(const uint16_t *predicted,
                                           unsigned predicted_classes,
                                           const uint16_t *label, size_t rows,
                                           unsigned classes, uint16_t *match,
                                           cairn_classify_accuracy *accuracy);

#endif

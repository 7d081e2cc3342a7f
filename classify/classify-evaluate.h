/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-evaluate.h - how good are rules?  Never judged on the
 * schedules they were learned from.
 *
 * Two measures of predicted classes.  In range: the share of schedules whose
 * time lies in the range of the predicted class (the paper's; it can be gamed:
 * fewer and wider classes raise it).  Agreement: the share whose predicted
 * class is the class that the full data give it; classes are matched one to
 * one by largest overlap, unmatched ones count as wrong.
 */
#ifndef CAIRN_CLASSIFY_EVALUATE_H
#define CAIRN_CLASSIFY_EVALUATE_H

#include "classify-label.h"
#include "classify-tree.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A share and its 95 % interval; NAN: not known. */
typedef struct cairn_classify_share {
  double value, low, high;
} cairn_classify_share;

typedef struct cairn_classify_accuracy {
  cairn_classify_share agreement, balanced; /* balanced: mean over classes */
  cairn_classify_share in_range;
  unsigned classes;
  cairn_classify_share *each; /* agreement in each class; free with
                                 cairn_classify_accuracy_clear */
} cairn_classify_accuracy;

CAIRN_API void cairn_classify_accuracy_clear(cairn_classify_accuracy *accuracy);

/* Wilson's interval of a share of `hits` in `count`. */
CAIRN_API cairn_classify_share cairn_classify_share_of(size_t hits,
                                                       size_t count);

/* Cross-validation: each fold (seeded, stratified by class) is predicted by a
 * tree grown on the others; predicted[rows].  Folds are at most the rows.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_cross_validate(
    const cairn_classify_table *table,
    const cairn_classify_tree_options *options, unsigned folds, uint64_t seed,
    uint16_t *predicted);

/* Accuracy of predicted classes against labels of the same classes, with
 * intervals from the counts; in_range stays NAN.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_judge(const uint16_t *predicted,
                                            const uint16_t *label, size_t rows,
                                            unsigned classes,
                                            cairn_classify_accuracy *accuracy);

/* The same against classes found in other data: classes are matched one to one
 * by largest overlap; unmatched ones count as wrong.  match[p] (may be NULL):
 * the class that stands for predicted class p, or UINT16_MAX.  Intervals from
 * the counts; in_range stays NAN.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_judge_matched(
    const uint16_t *predicted, unsigned predicted_classes,
    const uint16_t *label, size_t rows, unsigned classes, uint16_t *match,
    cairn_classify_accuracy *accuracy);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/compare-private.h - are two runs alike?
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_JUDGE_COMPARE_PRIVATE_H
#define CAIRN_CLASSIFY_JUDGE_COMPARE_PRIVATE_H

#include "classify/judge/analysis-private.h"
#include <cairn/classify.h>

/* The share that a rule needs to hold: 9 in 10, of at least one. */
int cairn_classify__holds(uint32_t hits, uint32_t samples);

/* Which classes of two labellings of the same things correspond, by overlap:
 * one to one when both have as many; else each class of the finer one belongs
 * to the class of the coarser one that it overlaps most.  same[p * classes_b
 * + c] is 1 when class p of a corresponds to class c of b, else 0.
 * CAIRN_NOMEM. */
cairn_status cairn_classify__correspond(const uint16_t *a, unsigned classes_a,
                                        const uint16_t *b, unsigned classes_b,
                                        size_t count, uint8_t *same);

/* Rules of one run read on all schedules of another: carried[i] for rule i.
 * Classes correspond by overlap of what the tree of `from` predicts with the
 * classes of `to`.  A rule holds nowhere when either run has one class.
 * CAIRN_NOMEM. */
cairn_status cairn_classify__carry(const cairn_classify_analysis *from,
                                   const cairn_classify_analysis *to,
                                   cairn_classify_carried *carried);

/* Spearman's rank correlation, ties sharing their mean rank; NAN for fewer
 * than two values or no variation.  CAIRN_NOMEM. */
cairn_status cairn_classify__spearman(const double *x, const double *y,
                                      size_t count, double *correlation_p);

#endif

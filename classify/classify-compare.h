/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-compare.h - are two runs alike?
 *
 * Schedules are matched by structure, so names of syncs may differ.  Each run
 * gets classes of its own from all its schedules; the first run's rules are
 * then read on the second run's times.
 */
#ifndef CAIRN_CLASSIFY_COMPARE_H
#define CAIRN_CLASSIFY_COMPARE_H

#include "classify-analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A rule of the first run and what becomes of it in the second. */
typedef struct cairn_classify_carried {
  size_t rule;            /* index in analysis->rules of the first run */
  uint32_t samples, hits; /* common schedules that satisfy it; those in the
                             corresponding class of the second run */
  int holds;              /* at least 9 in 10 of them are */
} cairn_classify_carried;

/* Free with cairn_classify_comparison_free. */
typedef struct cairn_classify_comparison {
  cairn_classify_analysis *a, *b;
  size_t common;   /* schedules in both runs */
  double spearman; /* rank correlation of their times; NAN: fewer than 2 */
  double slowdown; /* median of time in b / time in a */
  double class_agreement; /* share of them in corresponding classes; NAN when
                             a run has one class only */
  double rand_index;      /* adjusted Rand index of their classes; NAN: fewer
                             than 2 */
  cairn_classify_carried *carried;
  size_t carrieds;
} cairn_classify_comparison;

/* Both data sets must outlive the comparison.  CAIRN_NOMEM, CAIRN_INPUT (a run
 * without schedules). */
CAIRN_API cairn_status cairn_classify_compare(
    const cairn_classify_data *a, const cairn_classify_data *b,
    const cairn_classify_options *options,
    cairn_classify_comparison **comparison_p);
CAIRN_API void
cairn_classify_comparison_free(cairn_classify_comparison *comparison);

/* The share that a rule needs to hold: 9 in 10, of at least one. */
CAIRN_API int cairn_classify_holds(uint32_t hits, uint32_t samples);

/* Which classes of two labellings of the same things correspond, by overlap:
 * one to one when both have as many; else each class of the finer one belongs
 * to the class of the coarser one that it overlaps most.  same[p * classes_b
 * + c] is 1 when class p of a corresponds to class c of b, else 0.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_correspond(
    const uint16_t *a, unsigned classes_a, const uint16_t *b,
    unsigned classes_b, size_t count, uint8_t *same);

/* Spearman's rank correlation, ties sharing their mean rank; NAN for fewer
 * than two values or no variation.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_spearman(const double *x, const double *y,
                                               size_t count,
                                               double *correlation_p);

/* Appends the comparison, in words or as one JSON object. */
CAIRN_API cairn_status cairn_classify_comparison_text(
    const cairn_classify_comparison *comparison, cairn_base_text *text);
CAIRN_API cairn_status cairn_classify_comparison_json(
    const cairn_classify_comparison *comparison, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

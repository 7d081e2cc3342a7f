/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/committee-private.h - which schedule should be measured next,
 * so that the rules get better?
 *
 * A committee of trees (Seung, Opper and Sompolinsky, "Query by committee",
 * 1992), each grown on a random part of the measured schedules and of the
 * features.  A candidate on whose class the trees disagree teaches most; among
 * equals one unlike those measured.  While the times show one class only, the
 * candidate least like those measured comes first.
 */
#ifndef CAIRN_CLASSIFY_JUDGE_COMMITTEE_PRIVATE_H
#define CAIRN_CLASSIFY_JUDGE_COMMITTEE_PRIVATE_H

#include "classify/judge/analysis-private.h"
#include <cairn/classify.h>

typedef struct cairn_classify_committee_options {
  unsigned trees;
  unsigned first; /* measured schedules up to which spread alone counts */
  double rows, features; /* share of each that a tree sees */
  double spread;         /* weight of being unlike, 0..1 */
  uint64_t seed;
} cairn_classify_committee_options;

void cairn_classify__committee_defaults(
    cairn_classify_committee_options *options);

/* Scores candidates (higher teaches more): score[count of candidates].  Both
 * data sets may have names of their own.  A function of its arguments alone.
 * measured may be empty.  CAIRN_NOMEM, CAIRN_INPUT (no candidates). */
cairn_status cairn_classify__committee(
    const cairn_classify_data *measured, const cairn_classify_data *candidates,
    const cairn_classify_committee_options *options, double *score);

/* A schedule as items of a program; time_s is NAN when unknown or failed. */
typedef struct cairn_classify_lesson {
  const cairn_dag_item *items;
  size_t count;
  double time_s;
} cairn_classify_lesson;

/* The same for schedules of a program: what a search's teacher needs. */
cairn_status cairn_classify__committee_items(
    const cairn_dag_program *program, const cairn_classify_lesson *measured,
    size_t measured_count, const cairn_classify_lesson *candidate,
    size_t candidate_count, const cairn_classify_committee_options *options,
    double *score);

#endif

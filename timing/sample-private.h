/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/sample-private.h - raw samples, and what can be said from them.
 * Nothing here runs anything: all numbers are computed from an array of
 * samples, so they can be computed again, or from recorded ones.
 */
#ifndef CAIRN_TIMING_SAMPLE_PRIVATE_H
#define CAIRN_TIMING_SAMPLE_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

/* When a sample is lost.  Not for being slow: by what the kernel says of the
 * control thread of each rank, so ordinary noise stays in.  Either
 *   stopped: the rank's watchdog, which wakes several times a second, came
 *            more than 100 ms late during the sample (SIGSTOP, a frozen
 *            job, a suspended machine), or
 *   pushed aside: the thread was ready to run and did not get a processor for
 *            at least 1 ms and half of the sample's time, while in the middle
 *            of its last samples that share was below a tenth: where ranks
 *            always wait for each other, waiting is no accident.
 * waited_ns: time ready to run without running; usual: the usual share, NAN
 * unknown (too few samples so far: then nobody was pushed aside). */
int cairn_timing__was_lost(int64_t wall_ns, int64_t waited_ns, double usual,
                           int64_t overdue_ns);

/* confidence in (0, 1), e.g. 0.95.  CAIRN_NOMEM. */
cairn_status cairn_timing__summarize(const cairn_base_sample *samples,
                                     size_t count, double confidence,
                                     cairn_base_summary *summary_p);

/* Interval of the median of `count` sorted values by order statistics: the
 * narrowest symmetric pair of ranks whose confidence is at least the one
 * asked (30 values, 95 %: the 10th and the 21st).  0 when there are too few
 * values for that confidence (fewer than 6 for 95 %). */
int cairn_timing__median_interval(const double *sorted, size_t count,
                                  double confidence, double *low_p,
                                  double *high_p);

/* The rank that was last most often in samples without flags; -1: none. */
int cairn_timing__last_rank(const uint16_t *last, size_t count);

/* Runs test about `middle` (Wald and Wolfowitz): far below 0, neighbours are
 * alike; above, they alternate.  NAN when all values are on one side. */
double cairn_timing__runs_z(const double *series, size_t count, double middle);
/* Autocorrelation of neighbours; NAN when all are equal. */
double cairn_timing__lag1(const double *series, size_t count);

/* Two-sided p of Mann-Whitney's test (normal approximation with ties and
 * continuity correction); 1 when a side is empty.  Sorts both.  CAIRN_NOMEM. */
cairn_status cairn_timing__mann_whitney(double *a, size_t a_count, double *b,
                                        size_t b_count, double *p_p);

#endif

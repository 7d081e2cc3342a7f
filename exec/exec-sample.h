/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-sample.h - raw samples, and what can be said from them.  Nothing
 * here runs anything: all numbers are computed from an array of samples, so
 * they can be computed again, or from recorded ones.
 */
#ifndef CAIRN_EXEC_SAMPLE_H
#define CAIRN_EXEC_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Flags of a sample. */
#define CAIRN_EXEC_LATE 1u   /* a rank missed the start: not in statistics */
#define CAIRN_EXEC_FAULTY 2u /* an op failed: not in statistics */

/* One sample: a common start, k back-to-back executions, all joined, stop. */
typedef struct cairn_exec_sample {
  uint64_t id;   /* of the schedule */
  double time_s; /* one execution: the sample's time / k */
  double skew_s; /* (slowest - fastest rank) / k */
  double at_s;   /* when it started, seconds since cairn_exec_open */
  uint32_t k;
  uint16_t last_rank; /* the slowest rank */
  uint16_t flags;
} cairn_exec_sample;

/* What a series of samples of one schedule says.  Times in seconds of one
 * execution; NAN where there are too few samples.  Late and faulty samples are
 * counted and left out; no sample is left out for being slow. */
typedef struct cairn_exec_summary {
  size_t samples;      /* in the statistic */
  size_t late, faulty; /* left out */
  double p01, p10, p50, p90, p99, min, max, mean, stddev;
  double mad; /* median of |time - median| */
  /* Interval of the median, by order statistics, at the confidence asked. */
  double low, high;
  double half;       /* (high - low) / 2 / p50: the relative half width */
  double skew;       /* median of the samples' skew */
  int last_rank;     /* the rank that was last most often, -1 unknown */
  double last_share; /* in this share of the samples */
  double runs_z;     /* runs test about the median; NAN below 20 samples */
  double lag1;       /* autocorrelation of neighbours; NAN below 20 */
  int correlated;    /* |runs_z| > 2.58: the interval is from the medians of
                        blocks of 10 when there are 60 samples or more */
} cairn_exec_summary;

/* confidence in (0, 1), e.g. 0.95.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_summarize(const cairn_exec_sample *samples,
                                            size_t count, double confidence,
                                            cairn_exec_summary *summary_p);

/* Interval of the median of `count` sorted values by order statistics: the
 * narrowest symmetric pair of ranks whose confidence is at least the one
 * asked (30 values, 95 %: the 10th and the 21st).  0 when there are too few
 * values for that confidence (fewer than 6 for 95 %). */
CAIRN_API int cairn_exec_median_interval(const double *sorted, size_t count,
                                         double confidence, double *low_p,
                                         double *high_p);

/* The rank that was last most often in samples without flags; -1: none. */
CAIRN_API int cairn_exec_last_rank(const uint16_t *last, size_t count);

/* Runs test about `middle` (Wald and Wolfowitz): far below 0, neighbours are
 * alike; above, they alternate.  NAN when all values are on one side. */
CAIRN_API double cairn_exec_runs_z(const double *series, size_t count,
                                   double middle);
/* Autocorrelation of neighbours; NAN when all are equal. */
CAIRN_API double cairn_exec_lag1(const double *series, size_t count);

/* Two-sided p of Mann-Whitney's test (normal approximation with ties and
 * continuity correction); 1 when a side is empty.  Sorts both.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_mann_whitney(double *a, size_t a_count,
                                               double *b, size_t b_count,
                                               double *p_p);

#ifdef __cplusplus
}
#endif
#endif

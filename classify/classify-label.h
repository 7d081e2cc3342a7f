/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-label.h - performance classes from measured times.
 *
 * All methods sort the times and place boundaries between classes; class 0 is
 * the fastest.
 *
 * density (the default): a kernel density of the logarithms of the times; a
 * boundary lies in each deep valley.  The bandwidth follows the measured noise
 * and the number of schedules, so that neither jitter nor a thin sample makes
 * classes.  Then a repeatability check: measurements are redrawn within their
 * recorded spread, schedules with replacement, and a boundary stays only if it
 * comes back in most redraws.
 *
 * step (Pearson et al., "Machine Learning for CUDA+MPI Design Rules"): the
 * sorted times are convolved with a step of radius r = max(1, ceil(0.005 n));
 * peaks whose prominence exceeds a percentile of all convolution values, or of
 * all prominences, are boundaries.
 */
#ifndef CAIRN_CLASSIFY_LABEL_H
#define CAIRN_CLASSIFY_LABEL_H

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text) */
#define CAIRN_CLASSIFY_METHOD_TABLE(X)                                         \
  X(DENSITY, "density")                                                        \
  X(CONVOLUTION, "convolution")                                                \
  X(PROMINENCE, "prominence")

typedef enum cairn_classify_method {
#define CAIRN_CLASSIFY_METHOD_ENUM(name, text) CAIRN_CLASSIFY_##name,
  CAIRN_CLASSIFY_METHOD_TABLE(CAIRN_CLASSIFY_METHOD_ENUM)
#undef CAIRN_CLASSIFY_METHOD_ENUM
} cairn_classify_method;

CAIRN_API const char *cairn_classify_method_text(cairn_classify_method method);

/* Defaults: cairn_classify_label_defaults. */
typedef struct cairn_classify_label_options {
  cairn_classify_method method;
  double percentile;  /* step methods: 0..100 */
  double bandwidth;   /* density: relative (0.01 = 1 %); 0: chosen */
  double valley;      /* density: a valley's density is at most this share of
                         the lower of its two peaks */
  unsigned resamples; /* redraws of the repeatability check; 0: no check */
  double repeat;      /* share of redraws in which a boundary must come back */
  uint64_t seed;
} cairn_classify_label_options;

CAIRN_API void
cairn_classify_label_defaults(cairn_classify_label_options *options);

/* A peak of the convolution. */
typedef struct cairn_classify_peak {
  size_t position; /* in the convolution values; a plateau's middle */
  double value, prominence;
  int kept;
} cairn_classify_peak;

/* A boundary between two classes. */
typedef struct cairn_classify_boundary {
  size_t first;  /* sorted position of the first schedule of the slower class */
  double repeat; /* share of redraws in which it came back; NAN: not checked */
  double depth;  /* density: the valley's density / that of the lower peak;
                    step: the peak's prominence in seconds */
} cairn_classify_boundary;

/* Free with cairn_classify_labels_free. */
typedef struct cairn_classify_labels {
  cairn_classify_method method;
  size_t count;     /* schedules */
  unsigned classes; /* >= 1 when count > 0 */
  uint32_t *order;  /* schedules by time, ties by position in the input */
  double *sorted;   /* their times in seconds, ascending */
  uint16_t *label;  /* class of each schedule, in input order */
  cairn_classify_boundary *boundary; /* classes - 1, ascending */
  cairn_classify_boundary *refused;  /* found, but did not come back */
  size_t refused_count;
  double noise; /* median relative standard deviation of one measurement, from
                   the recorded percentiles; NAN: unknown */
  /* step methods */
  size_t radius, values, peaks;
  double *value; /* the convolution, in seconds; value[i] belongs between the
                    sorted positions i + radius - 1 and i + radius */
  cairn_classify_peak *peak;
  double threshold; /* a kept peak's prominence exceeds it; seconds */
  /* density */
  double bandwidth; /* relative */
  size_t grid;
  double *grid_time;    /* seconds, ascending */
  double *grid_density; /* highest = 1 */
} cairn_classify_labels;

/* Labels `count` >= 1 times (seconds, > 0).  spread: five percentiles of each
 * schedule's measurements, p01 p10 p50 p90 p99 (seconds, NAN unknown), or
 * NULL.  O(n log n).  CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_classify_label(const double *time, const double (*spread)[5],
                     size_t count, const cairn_classify_label_options *options,
                     cairn_classify_labels **labels_p);
CAIRN_API void cairn_classify_labels_free(cairn_classify_labels *labels);

/* Schedules of a class, and their fastest and slowest time in seconds. */
CAIRN_API size_t
cairn_classify_labels_class(const cairn_classify_labels *labels, unsigned id,
                            double *min_p, double *max_p);

/* Adjusted Rand index of two labellings of the same `count` things: 1 for equal
 * partitions, about 0 for unrelated ones (Hubert and Arabie, 1985).
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_rand_index(const uint16_t *a,
                                                 const uint16_t *b,
                                                 size_t count, double *index_p);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-stats.h - statistics of series of numbers (times in seconds).
 */
#ifndef CAIRN_BASE_STATS_H
#define CAIRN_BASE_STATS_H

#include <stddef.h>

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Sorts ascending; NaNs last. */
CAIRN_API void cairn_base_stats_sort(double *values, size_t count);
/* Percentile of sorted values by linear interpolation (NumPy's default):
 * position percent/100 * (count - 1).  count >= 1, percent in 0..100. */
CAIRN_API double cairn_base_stats_percentile(const double *sorted, size_t count,
                                             double percent);
/* Median of unsorted values (copies them is the caller's affair: sorts in
 * place).  count >= 1. */
CAIRN_API double cairn_base_stats_median(double *values, size_t count);
CAIRN_API double cairn_base_stats_mean(const double *values, size_t count);
/* Sample standard deviation (n - 1); 0 for fewer than two values. */
CAIRN_API double cairn_base_stats_stddev(const double *values, size_t count);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/stats-private.h - statistics of series of numbers (times in seconds).
 */
#ifndef CAIRN_BASE_STATS_PRIVATE_H
#define CAIRN_BASE_STATS_PRIVATE_H

#include <stddef.h>

#include <cairn/base.h>

/* Sorts ascending; NaNs last. */
void cairn_base__stats_sort(double *values, size_t count);
/* Percentile of sorted values by linear interpolation (NumPy's default):
 * position percent/100 * (count - 1).  count >= 1, percent in 0..100. */
double cairn_base__stats_percentile(const double *sorted, size_t count,
                                    double percent);
/* Median of unsorted values (copies them is the caller's affair: sorts in
 * place).  count >= 1. */
double cairn_base__stats_median(double *values, size_t count);
double cairn_base__stats_mean(const double *values, size_t count);
/* Sample standard deviation (n - 1); 0 for fewer than two values. */
double cairn_base__stats_stddev(const double *values, size_t count);

#endif

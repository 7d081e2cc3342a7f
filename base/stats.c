/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/stats.c - statistics of series of times.
 */
#include "base/stats-private.h"
#include <cairn/base.h>

#include <math.h>
#include <stdlib.h>

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  if (isnan(x) || isnan(y))
    return isnan(x) - isnan(y);
  return x < y ? -1 : x > y;
}

void cairn_base__stats_sort(double *values, size_t count) {
  if (count)
    qsort(values, count, sizeof *values, compare);
}

double cairn_base__stats_percentile(const double *sorted, size_t count,
                                    double percent) {
  const double at = percent / 100 * (double)(count - 1);
  const size_t i = (size_t)at;
  if (i + 1 >= count)
    return sorted[count - 1];
  return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

double cairn_base__stats_median(double *values, size_t count) {
  cairn_base__stats_sort(values, count);
  return cairn_base__stats_percentile(values, count, 50);
}

double cairn_base__stats_mean(const double *values, size_t count) {
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += values[i];
  return sum / (double)count;
}

double cairn_base__stats_stddev(const double *values, size_t count) {
  if (count < 2)
    return 0;
  const double mean = cairn_base__stats_mean(values, count);
  double sum = 0;
  for (size_t i = 0; i < count; i++)
    sum += (values[i] - mean) * (values[i] - mean);
  return sqrt(sum / (double)(count - 1));
}

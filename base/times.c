/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/times.c - a schedule's times.
 */
#include "base/stats-private.h"
#include "base/times-private.h"
#include <cairn/base.h>

#include <math.h>
#include <string.h>

static const struct percentile {
  const char *text;
  double percent;
} percentile[] = {
#define PERCENTILE(name, text, percent) {text, percent},
    CAIRN_BASE_PERCENTILE_TABLE(PERCENTILE)
#undef PERCENTILE
};

cairn_base_times cairn_base__times_of_samples(double *time_s, size_t count) {
  cairn_base_times times = CAIRN_BASE_TIMES_UNKNOWN;
  if (count == 0)
    return times;
  times.samples = (unsigned)count;
  cairn_base__stats_sort(time_s, count);
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    times.p[i] =
        cairn_base__stats_percentile(time_s, count, percentile[i].percent);
  if (count > 1) /* one sample says nothing of it */
    times.stddev = cairn_base__stats_stddev(time_s, count);
  return times;
}

double cairn_base__times_quantile(const double p[CAIRN_BASE_PERCENTILES],
                                  double q) {
  static const double at[] = {
#define SHARE(name, text, percent) percent / 100.0,
      CAIRN_BASE_PERCENTILE_TABLE(SHARE)
#undef SHARE
  };
  const int last = CAIRN_BASE_PERCENTILES - 1;
  int i = 0;
  if (q <= at[0])
    return p[0];
  if (q >= at[last])
    return p[last];
  while (q > at[i + 1])
    i++;
  return p[i] + (p[i + 1] - p[i]) * (q - at[i]) / (at[i + 1] - at[i]);
}

int cairn_base__times_known(const cairn_base_times *times) {
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    if (isnan(times->p[i]))
      return 0;
  return 1;
}

double cairn_base_times_objective(const cairn_base_times *times,
                                  const char *objective) {
  if (!objective)
    return (double)NAN;
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    if (strcmp(objective, percentile[i].text) == 0)
      return times->p[i];
  if (strcmp(objective, "median") == 0)
    return times->p[CAIRN_BASE_P50];
  if (strcmp(objective, "stddev") == 0)
    return times->stddev;
  return strcmp(objective, "skew") == 0 ? times->skew : (double)NAN;
}

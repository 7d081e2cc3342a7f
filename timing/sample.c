/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/sample.c - what samples say.  Pure functions of arrays.
 *
 * The interval of the median is by order statistics: the number of values
 * below the median is binomial(n, 1/2), so values j and n-1-j (from 0) of the
 * sorted series enclose it with confidence 1 - 2 P(B <= j), for any
 * distribution (Hoefler and Belli, SC15).  Neighbouring samples are often
 * correlated, then that is too optimistic: when the runs test says so, the
 * interval is that of the medians of blocks of 10.
 */
#include "base/stats-private.h"
#include "base/times-private.h"
#include "timing/sample-private.h"
#include <cairn/base.h>

#include <math.h>
#include <string.h>

#define BLOCK 10
#define BLOCKS_LEAST 6
#define SERIES_LEAST 20
#define RUNS_LIMIT 2.58 /* two-sided 1 % */

/* ---- interval of the median ---- */

/* Largest j with P(B(n, 1/2) <= j) <= tail, or -1. */
static long order_rank(size_t n, double tail) {
  double log_p = -(double)n * M_LN2; /* P(B = 0) */
  double sum = exp(log_p);
  long j = -1;
  while (sum <= tail && j + 1 < (long)(n / 2)) {
    j++;
    log_p += log((double)n - (double)j) - log((double)j + 1.0);
    sum += exp(log_p);
  }
  return j;
}

int cairn_timing__median_interval(const double *sorted, size_t count,
                                  double confidence, double *low_p,
                                  double *high_p) {
  const long j = order_rank(count, (1.0 - confidence) / 2.0);
  if (j < 0)
    return 0;
  *low_p = sorted[j];
  *high_p = sorted[count - 1 - (size_t)j];
  return 1;
}

/* ---- is the series random? ---- */

/* Runs above and below the median (Wald and Wolfowitz); NAN when one side is
 * empty. */
double cairn_timing__runs_z(const double *series, size_t count, double median) {
  double above = 0, below = 0, runs = 0;
  int last = 0;
  for (size_t i = 0; i < count; i++) {
    const int side = series[i] > median ? 1 : series[i] < median ? -1 : 0;
    if (side == 0)
      continue;
    above += side > 0;
    below += side < 0;
    runs += side != last;
    last = side;
  }
  const double n = above + below;
  if (above < 1 || below < 1 || n < 3)
    return NAN;
  const double twice = 2.0 * above * below;
  const double mean = twice / n + 1.0;
  const double variance = twice * (twice - n) / (n * n * (n - 1.0));
  return variance > 0 ? (runs - mean) / sqrt(variance) : NAN;
}

double cairn_timing__lag1(const double *series, size_t count) {
  const double mean = count ? cairn_base__stats_mean(series, count) : 0;
  double both = 0, square = 0;
  for (size_t i = 0; i < count; i++) {
    const double d = series[i] - mean;
    square += d * d;
    if (i + 1 < count)
      both += d * (series[i + 1] - mean);
  }
  return square > 0 ? both / square : NAN;
}

/* ---- lost samples ---- */

#define OVERDUE_NS 100000000
#define WAITED_NS 1000000

int cairn_timing__was_lost(int64_t wall_ns, int64_t waited_ns, double usual,
                           int64_t overdue_ns) {
  return overdue_ns > OVERDUE_NS ||
         (waited_ns >= WAITED_NS && 2 * waited_ns >= wall_ns && usual < 0.1);
}

/* ---- the summary ---- */

typedef struct work {
  double *series, *sorted, *other; /* in order, sorted, scratch */
  size_t count;
} work;

static void fill_times(const work *w, cairn_base_summary *s) {
  const double *v = w->sorted;
  const size_t n = w->count;
  s->times = cairn_base__times_of_samples(w->sorted, n);
  s->times.skew = cairn_base__stats_median(w->other, n);
  s->min = v[0];
  s->max = v[n - 1];
  s->mean = cairn_base__stats_mean(v, n);
  for (size_t i = 0; i < n; i++)
    w->other[i] = fabs(v[i] - s->times.p[CAIRN_BASE_P50]);
  s->mad = cairn_base__stats_median(w->other, n);
}

/* Medians of blocks of BLOCK neighbours, sorted; returns their number. */
static size_t block_medians(const work *w) {
  const size_t blocks = w->count / BLOCK;
  for (size_t b = 0; b < blocks; b++) {
    double block[BLOCK];
    memcpy(block, w->series + b * BLOCK, sizeof block);
    w->other[b] = cairn_base__stats_median(block, BLOCK);
  }
  cairn_base__stats_sort(w->other, blocks);
  return blocks;
}

static void interval(const work *w, double confidence, cairn_base_summary *s) {
  cairn_base_times *t = &s->times;
  const double median = t->p[CAIRN_BASE_P50];
  const double *values = w->sorted;
  size_t count = w->count;
  if (count >= SERIES_LEAST) {
    s->runs_z = cairn_timing__runs_z(w->series, count, median);
    s->lag1 = cairn_timing__lag1(w->series, count);
    s->correlated = fabs(s->runs_z) > RUNS_LIMIT;
  }
  if (s->correlated && count / BLOCK >= BLOCKS_LEAST) {
    count = block_medians(w);
    values = w->other;
  }
  if (!cairn_timing__median_interval(values, count, confidence, &t->low,
                                     &t->high))
    return;
  t->low = fmin(t->low, median); /* blocks may lie on one side of it */
  t->high = fmax(t->high, median);
  s->half = median > 0 ? (t->high - t->low) / 2 / median : NAN;
}

/* The rank that was last most often, by counting. */
static cairn_status who_was_last(const cairn_base_sample *samples, size_t count,
                                 cairn_base_summary *s) {
  size_t ranks = 0, most = 0;
  for (size_t i = 0; i < count; i++)
    if (samples[i].last_rank >= ranks)
      ranks = (size_t)samples[i].last_rank + 1;
  size_t *times = cairn_base_zalloc(ranks, sizeof *times);
  if (times == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    if (!samples[i].flags)
      times[samples[i].last_rank]++;
  for (size_t r = 0; r < ranks; r++)
    if (times[r] > most) {
      most = times[r];
      s->last_rank = (int)r;
    }
  s->last_share = (double)most / (double)s->times.samples;
  cairn_base_free(times);
  return CAIRN_OK;
}

int cairn_timing__last_rank(const uint16_t *last, size_t count) {
  size_t most = 0;
  int rank = -1;
  for (size_t i = 0; i < count; i++) {
    size_t times = 0;
    for (size_t j = 0; j < count; j++)
      times += last[j] == last[i];
    if (times > most || (times == most && last[i] < rank)) {
      most = times;
      rank = last[i];
    }
  }
  return rank;
}

static void collect(const cairn_base_sample *samples, size_t count, work *w,
                    cairn_base_summary *s) {
  for (size_t i = 0; i < count; i++) {
    if (samples[i].flags & CAIRN_BASE_FAULTY) {
      s->faulty++;
    } else if (samples[i].flags & CAIRN_BASE_LOST) {
      s->lost++;
    } else if (samples[i].flags & CAIRN_BASE_LATE) {
      s->late++;
    } else {
      w->other[w->count] = samples[i].skew_s;
      w->series[w->count++] = samples[i].time_s;
    }
  }
}

cairn_status cairn_timing__summarize(const cairn_base_sample *samples,
                                     size_t count, double confidence,
                                     cairn_base_summary *summary_p) {
  cairn_base_summary s = {.times = CAIRN_BASE_TIMES_UNKNOWN,
                          .min = NAN,
                          .max = NAN,
                          .mean = NAN,
                          .mad = NAN,
                          .half = NAN,
                          .last_rank = -1,
                          .last_share = NAN,
                          .runs_z = NAN,
                          .lag1 = NAN};
  double *memory = cairn_base_alloc(3 * count + 1, sizeof *memory);
  if (memory == NULL)
    return CAIRN_NOMEM;
  cairn_status status = CAIRN_OK;
  work w = {memory, memory + count, memory + 2 * count, 0};
  collect(samples, count, &w, &s);
  if (w.count > 0) {
    memcpy(w.sorted, w.series, w.count * sizeof *w.sorted);
    fill_times(&w, &s);
    interval(&w, confidence, &s);
    status = who_was_last(samples, count, &s);
  }
  cairn_base_free(memory);
  if (status == CAIRN_OK)
    *summary_p = s;
  return status;
}

/* ---- comparing two series ---- */

/* Walks both sorted arrays as one: sum of ranks of a, and sum of t^3 - t over
 * groups of ties. */
static double rank_sum(const double *a, size_t n, const double *b, size_t m,
                       double *ties) {
  double sum = 0, place = 0;
  size_t i = 0, j = 0;
  *ties = 0;
  while (i < n || j < m) {
    const double value = j >= m || (i < n && a[i] <= b[j]) ? a[i] : b[j];
    double in_a = 0, in_b = 0;
    for (; i < n && a[i] <= value; i++)
      in_a++;
    for (; j < m && b[j] <= value; j++)
      in_b++;
    const double t = in_a + in_b;
    sum += in_a * (place + (t + 1.0) / 2.0);
    place += t;
    *ties += t * t * t - t;
  }
  return sum;
}

cairn_status cairn_timing__mann_whitney(double *a, size_t a_count, double *b,
                                        size_t b_count, double *p_p) {
  *p_p = 1.0;
  if (a_count == 0 || b_count == 0)
    return CAIRN_OK;
  double ties;
  cairn_base__stats_sort(a, a_count);
  cairn_base__stats_sort(b, b_count);
  if (isnan(a[a_count - 1]) || isnan(b[b_count - 1]))
    return CAIRN_OK; /* NaNs are last; nothing can be said */
  const double n = (double)a_count, m = (double)b_count, all = n + m;
  const double u = rank_sum(a, a_count, b, b_count, &ties) - n * (n + 1) / 2;
  const double variance =
      n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0)));
  const double distance = fabs(u - n * m / 2.0) - 0.5;
  if (variance > 0 && distance > 0)
    *p_p = erfc(distance / sqrt(2.0 * variance));
  return CAIRN_OK;
}

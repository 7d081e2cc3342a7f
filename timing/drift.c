/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/drift.c - the machine's level over time, from samples of many
 * schedules in a random order.
 *
 * Idea: neighbours in time are different schedules on the same machine state,
 * so the median of sample / estimate over a window is that state; divided by
 * it, the samples of one schedule can be compared over the whole run.
 * Invariant of the running median: `sorted` holds the window's values in
 * order.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cairn/base.h>

#include "base/stats-private.h"
#include "timing/campaign-private.h"

enum { PASSES = 3 };

/* ---- running median ---- */

static size_t position(const double *sorted, size_t count, double value) {
  size_t low = 0, high = count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (sorted[middle] < value)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static void insert(double *sorted, size_t count, double value) {
  const size_t at = position(sorted, count, value);
  memmove(sorted + at + 1, sorted + at, (count - at) * sizeof *sorted);
  sorted[at] = value;
}

static void take_out(double *sorted, size_t count, double value) {
  const size_t at = position(sorted, count, value);
  memmove(sorted + at, sorted + at + 1, (count - at - 1) * sizeof *sorted);
}

/* out[i] = median of in[i - half .. i + half], cut off at the ends; sorted has
 * room for 2 * half + 1 values. */
static void running_median(const double *in, size_t count, size_t half,
                           double *sorted, double *out) {
  size_t held = 0, next = 0, oldest = 0;
  for (size_t i = 0; i < count; i++) {
    const size_t end = i + half + 1 < count ? i + half + 1 : count;
    while (next < end)
      insert(sorted, held++, in[next++]);
    while (oldest + half < i)
      take_out(sorted, held--, in[oldest++]);
    out[i] = held % 2 ? sorted[held / 2]
                      : (sorted[held / 2 - 1] + sorted[held / 2]) / 2;
  }
}

/* ---- backfitting ---- */

typedef struct backfit {
  const uint32_t *schedule;
  const double *time_s;
  size_t count;
  uint32_t schedules;
  size_t *first; /* of each schedule in `order`; schedules + 1 */
  size_t *order; /* samples by schedule, then time */
  double *work, *sorted;
} backfit;

static void backfit_free(backfit *b) {
  cairn_base_free(b->first);
  cairn_base_free(b->order);
  cairn_base_free(b->work);
  cairn_base_free(b->sorted);
}

/* Counting sort of the samples by schedule. */
static void group(backfit *b) {
  for (size_t i = 0; i < b->count; i++)
    b->first[b->schedule[i] + 1]++;
  for (uint32_t s = 0; s < b->schedules; s++)
    b->first[s + 1] += b->first[s];
  for (size_t i = 0; i < b->count; i++)
    b->order[b->first[b->schedule[i]]++] = i;
  for (uint32_t s = b->schedules; s > 0; s--)
    b->first[s] = b->first[s - 1];
  b->first[0] = 0;
}

static cairn_status backfit_init(backfit *b, unsigned window) {
  b->first = cairn_base_zalloc((size_t)b->schedules + 1, sizeof *b->first);
  b->order = cairn_base_alloc(b->count + 1, sizeof *b->order);
  b->work = cairn_base_alloc(b->count + 1, sizeof *b->work);
  b->sorted = cairn_base_alloc((size_t)window + 2, sizeof *b->sorted);
  if (!b->first || !b->order || !b->work || !b->sorted)
    return CAIRN_NOMEM;
  group(b);
  return CAIRN_OK;
}

/* estimate = median over each schedule's samples of time / level. */
static void estimate_all(backfit *b, const double *level, double *estimate) {
  for (uint32_t s = 0; s < b->schedules; s++) {
    const size_t n = b->first[s + 1] - b->first[s];
    for (size_t j = 0; j < n; j++) {
      const size_t i = b->order[b->first[s] + j];
      b->work[j] = b->time_s[i] / level[i];
    }
    estimate[s] = n ? cairn_base__stats_median(b->work, n) : NAN;
  }
}

/* Levels are ratios: scaled so that their median is 1. */
static void center(backfit *b, double *level) {
  memcpy(b->work, level, b->count * sizeof *level);
  const double middle = cairn_base__stats_median(b->work, b->count);
  for (size_t i = 0; i < b->count; i++)
    level[i] /= middle;
}

cairn_status cairn_timing__drift(const uint32_t *schedule, const double *time_s,
                                 size_t count, uint32_t schedules,
                                 unsigned window, double *level,
                                 double *estimate) {
  backfit b = {schedule, time_s, count, schedules, NULL, NULL, NULL, NULL};
  const cairn_status status = backfit_init(&b, window);
  if (status == CAIRN_OK) {
    for (size_t i = 0; i < count; i++)
      level[i] = 1;
    estimate_all(&b, level, estimate);
    for (int pass = 0; count && pass < PASSES; pass++) {
      for (size_t i = 0; i < count; i++)
        b.work[i] = time_s[i] / estimate[schedule[i]];
      running_median(b.work, count, window / 2, b.sorted, level);
      center(&b, level);
      estimate_all(&b, level, estimate);
    }
  }
  backfit_free(&b);
  return status;
}

double cairn_timing__drift_span(const double *level, size_t count) {
  const size_t half = count / 20;
  double *smooth = cairn_base_alloc(count, sizeof *smooth);
  double *sorted = cairn_base_alloc(2 * half + 3, sizeof *sorted);
  double span = 0;
  if (smooth && sorted && count) {
    running_median(level, count, half, sorted, smooth);
    for (size_t i = 0; i < count; i++)
      span = fmax(span, fabs(smooth[i] - 1));
  }
  cairn_base_free(smooth);
  cairn_base_free(sorted);
  return span;
}

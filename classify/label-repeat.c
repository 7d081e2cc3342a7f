/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label-repeat.c - would the boundaries come back?
 *
 * A redraw takes schedules with replacement and moves each time by a deviation
 * drawn from its recorded percentiles (straight between them).  A boundary
 * came back when the redraw has a valley that separates the classes almost as
 * before: at most a tenth of the smaller of the two (and one schedule) would
 * change sides.  Seeded: the same data give the same answer.
 */
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "classify/label-private.h"

static const size_t MOST_DRAWS = 4000000, FEWEST_REDRAWS = 20;

/* A deviation from the median, in seconds; 0 when nothing was recorded. */
static double deviation(const double *p, cairn_base_rng *rng) {
  static const double at[5] = {0.01, 0.1, 0.5, 0.9, 0.99};
  const double u = cairn_base_rng_uniform(rng);
  if (!(p[0] <= p[1] && p[1] <= p[2] && p[2] <= p[3] && p[3] <= p[4]))
    return 0;
  if (u <= at[0])
    return p[0] - p[2];
  for (int k = 1; k < 5; k++)
    if (u <= at[k])
      return p[k - 1] - p[2] +
             (p[k] - p[k - 1]) * (u - at[k - 1]) / (at[k] - at[k - 1]);
  return p[4] - p[2];
}

static void redraw(size_t count, const double *time, const double (*spread)[5],
                   cairn_base_rng *rng, cairn_classify_density *d) {
  cairn_classify__density_clear(d);
  for (size_t k = 0; k < count; k++) {
    const uint32_t i = cairn_base_rng_below(rng, (uint32_t)count);
    double t = time[i];
    if (spread)
      t += deviation(spread[i], rng);
    cairn_classify__density_add(d, log(fmax(t, time[i] / 2)));
  }
}

/* Do at most `most` schedules lie between a time and a boundary? */
static int near(const cairn_classify_labels *labels, double time, size_t first,
                size_t most) {
  const size_t n = labels->count;
  const size_t low = first > most ? first - most : 0;
  const size_t high = first + most < n ? first + most : n;
  return (low == 0 || labels->sorted[low - 1] <= time) &&
         (high == n || labels->sorted[high] > time);
}

static size_t tolerance(const cairn_classify_labels *labels, unsigned i) {
  double min, max;
  const size_t a = cairn_classify_labels_class(labels, i, &min, &max);
  const size_t b = cairn_classify_labels_class(labels, i + 1, &min, &max);
  return (a < b ? a : b) / 10 + 1;
}

static int came_back(const cairn_classify_labels *labels, unsigned i,
                     const cairn_classify_density *d) {
  const size_t most = tolerance(labels, i);
  for (size_t v = 0; v < d->valleys; v++) {
    const double time = exp(d->low + (double)d->valley[v] * d->step);
    if (near(labels, time, labels->boundary[i].first, most))
      return 1;
  }
  return 0;
}

cairn_status
cairn_classify__label_repeat(cairn_classify_labels *labels, const double *time,
                             const double (*spread)[5],
                             cairn_classify_density *d,
                             const cairn_classify_label_options *options) {
  cairn_base_rng rng;
  cairn_base_rng_seed(&rng, options->seed);
  size_t redraws = options->resamples, most = MOST_DRAWS / labels->count;
  if (most < FEWEST_REDRAWS)
    most = FEWEST_REDRAWS;
  if (redraws > most)
    redraws = most;
  for (unsigned i = 0; i + 1 < labels->classes; i++)
    labels->boundary[i].repeat = 0;
  for (size_t r = 0; r < redraws; r++) {
    redraw(labels->count, time, spread, &rng, d);
    cairn_classify__density_valleys(d, options->valley);
    for (unsigned i = 0; i + 1 < labels->classes; i++)
      labels->boundary[i].repeat += came_back(labels, i, d) / (double)redraws;
  }
  return CAIRN_OK;
}

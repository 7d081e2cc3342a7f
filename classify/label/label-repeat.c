/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/label-repeat.c - would the boundaries come back?
 *
 * A redraw takes schedules with replacement and moves each time by a deviation
 * drawn from its recorded percentiles (straight between them).  A boundary
 * came back when the redraw has a valley that separates the classes almost as
 * before: at most a tenth of the smaller of the two (and one schedule) would
 * change sides.  Seeded: the same data give the same answer.
 */
#include <math.h>
#include <string.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/rng-private.h"
#include "base/times-private.h"
#include "classify/label/methods-private.h"

static const size_t MOST_DRAWS = 4000000, FEWEST_REDRAWS = 20;

/* Five percentiles, as shares of the time, relative to the median; 0 when
 * nothing was recorded. */
typedef struct spreads {
  double at[CAIRN_BASE_PERCENTILES];
} spreads;

static spreads relative(const double *p, double time) {
  spreads s = {{0}};
  if (p[0] <= p[1] && p[1] <= p[2] && p[2] <= p[3] && p[3] <= p[4])
    for (int k = 0; k < CAIRN_BASE_PERCENTILES; k++)
      s.at[k] = fmax((p[k] - p[2]) / time, -0.5);
  return s;
}

/* What a redraw needs of each schedule, on the density's own scale: log time,
 * so that a small relative deviation simply adds. */
typedef struct source {
  size_t count;
  double *log_time;
  spreads *spread; /* NULL: not known */
} source;

static cairn_status source_make(const double *time,
                                const double (*spread)[CAIRN_BASE_PERCENTILES],
                                size_t count, source *s) {
  *s = (source){.count = count};
  s->log_time = cairn_base_alloc(count, sizeof *s->log_time);
  if (spread)
    s->spread = cairn_base_alloc(count, sizeof *s->spread);
  if (!s->log_time || (spread && !s->spread))
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++) {
    s->log_time[i] = log(time[i]);
    if (spread)
      s->spread[i] = relative(spread[i], time[i]);
  }
  return CAIRN_OK;
}

static void redraw(const source *s, cairn_base_rng *rng,
                   cairn_classify_density *d) {
  cairn_classify__density_clear(d);
  for (size_t k = 0; k < s->count; k++) {
    const uint32_t i = cairn_base__rng_below(rng, (uint32_t)s->count);
    double x = s->log_time[i];
    if (s->spread)
      x += cairn_base__times_quantile(s->spread[i].at,
                                      cairn_base__rng_uniform(rng));
    cairn_classify__density_add(d, x);
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
  const size_t a = cairn_classify__labels_class(labels, i, &min, &max);
  const size_t b = cairn_classify__labels_class(labels, i + 1, &min, &max);
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

static size_t redraw_count(const cairn_classify_label_options *options,
                           size_t count) {
  size_t most = MOST_DRAWS / count;
  if (most < FEWEST_REDRAWS)
    most = FEWEST_REDRAWS;
  return options->resamples < most ? options->resamples : most;
}

cairn_status
cairn_classify__label_repeat(cairn_classify_labels *labels, const double *time,
                             const double (*spread)[CAIRN_BASE_PERCENTILES],
                             cairn_classify_density *d,
                             const cairn_classify_label_options *options) {
  source s;
  cairn_base_rng rng;
  cairn_status status = source_make(time, spread, labels->count, &s);
  cairn_base__rng_seed(&rng, options->seed);
  const size_t redraws = redraw_count(options, labels->count);
  for (unsigned i = 0; i + 1 < labels->classes; i++)
    labels->boundary[i].repeat = 0;
  for (size_t r = 0; r < redraws && status == CAIRN_OK; r++) {
    redraw(&s, &rng, d);
    cairn_classify__density_valleys(d, options->valley);
    for (unsigned i = 0; i + 1 < labels->classes; i++)
      labels->boundary[i].repeat += came_back(labels, i, d) / (double)redraws;
  }
  cairn_base_free(s.log_time);
  cairn_base_free(s.spread);
  return status;
}

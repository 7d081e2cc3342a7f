/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/label-density.c - boundaries in the valleys of a kernel
 * density.
 *
 * Bandwidth, relative to the time: the larger of NOISE_FACTOR times the noise
 * of one measurement, and SAMPLE_FACTOR times Silverman's rule of thumb
 * (0.9 min(s, IQR/1.34) n^(-1/5), Density Estimation, 1986).  The first keeps
 * jitter from making classes; the second keeps a thin sample from doing so and
 * is cut down because Silverman's rule assumes one class where there are
 * several.
 */
#include <math.h>
#include <string.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/stats-private.h"
#include "classify/label/methods-private.h"

static const double NOISE_FACTOR = 2;
static const double SAMPLE_FACTOR = 0.25;
static const double P10_TO_P90 = 2.5631031310892007; /* of a normal, in s */

/* Median over schedules of the relative standard deviation of one measurement;
 * NAN when no schedule recorded its percentiles. */
static cairn_status find_noise(cairn_classify_labels *labels,
                               const double *time,
                               const double (*spread)[CAIRN_BASE_PERCENTILES]) {
  double *noise = cairn_base_alloc(labels->count, sizeof *noise);
  size_t known = 0;
  if (!noise)
    return CAIRN_NOMEM;
  for (size_t i = 0; spread && i < labels->count; i++)
    if (spread[i][3] >= spread[i][1])
      noise[known++] = (spread[i][3] - spread[i][1]) / P10_TO_P90 / time[i];
  if (known > 0)
    labels->noise = cairn_base__stats_median(noise, known);
  cairn_base_free(noise);
  return CAIRN_OK;
}

static cairn_status choose_bandwidth(cairn_classify_labels *labels) {
  const size_t n = labels->count;
  double *x = cairn_base_alloc(n, sizeof *x);
  if (!x)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < n; i++)
    x[i] = log(labels->sorted[i]);
  const double iqr = cairn_base__stats_percentile(x, n, 75) -
                     cairn_base__stats_percentile(x, n, 25);
  double s = cairn_base__stats_stddev(x, n);
  if (iqr > 0)
    s = fmin(s, iqr / 1.34);
  cairn_base_free(x);
  const double sample = SAMPLE_FACTOR * 0.9 * s * pow((double)n, -0.2);
  const double noise = isnan(labels->noise) ? 0 : labels->noise;
  labels->bandwidth = fmax(fmax(NOISE_FACTOR * noise, sample), 1e-6);
  return CAIRN_OK;
}

/* First sorted position whose time lies above a log time. */
static size_t position(const cairn_classify_labels *labels, double log_time) {
  const double time = exp(log_time);
  size_t from = 0, to = labels->count;
  while (from < to) {
    const size_t middle = from + (to - from) / 2;
    if (labels->sorted[middle] <= time)
      from = middle + 1;
    else
      to = middle;
  }
  return from;
}

static void drop(cairn_classify_labels *labels, size_t i) {
  memmove(labels->boundary + i, labels->boundary + i + 1,
          (labels->classes - 2 - i) * sizeof *labels->boundary);
  labels->classes--;
}

/* Classes smaller than 0.5 % (and than 2 schedules) join the neighbour behind
 * the shallower valley. */
static void join_small(cairn_classify_labels *labels) {
  const size_t least = (size_t)fmax(2, ceil(0.005 * (double)labels->count));
  for (unsigned id = 0; labels->classes > 1 && id < labels->classes;) {
    double min, max;
    if (cairn_classify__labels_class(labels, id, &min, &max) >= least) {
      id++;
      continue;
    }
    if (id == 0)
      drop(labels, 0);
    else if (id + 1 == labels->classes)
      drop(labels, id - 1);
    else
      drop(labels, labels->boundary[id].depth > labels->boundary[id - 1].depth
                       ? id
                       : id - 1);
    id = 0;
  }
}

static cairn_status set_boundaries(cairn_classify_labels *labels,
                                   const cairn_classify_density *d) {
  labels->boundary = cairn_base_alloc(d->valleys + 1, sizeof *labels->boundary);
  labels->refused = cairn_base_alloc(d->valleys + 1, sizeof *labels->refused);
  if (!labels->boundary || !labels->refused)
    return CAIRN_NOMEM;
  size_t before = 0;
  for (size_t i = 0; i < d->valleys && labels->classes < UINT16_MAX; i++) {
    const size_t first =
        position(labels, d->low + (double)d->valley[i] * d->step);
    if (first == before || first == labels->count)
      continue;
    labels->boundary[labels->classes++ - 1] =
        (cairn_classify_boundary){.first = first,
                                  .repeat = NAN,
                                  .depth = cairn_classify__density_depth(d, i)};
    before = first;
  }
  join_small(labels);
  return CAIRN_OK;
}

static cairn_status keep_curve(cairn_classify_labels *labels,
                               const cairn_classify_density *d) {
  labels->grid_time = cairn_base_alloc(d->grid, sizeof *labels->grid_time);
  labels->grid_density =
      cairn_base_alloc(d->grid, sizeof *labels->grid_density);
  if (!labels->grid_time || !labels->grid_density)
    return CAIRN_NOMEM;
  double top = 0;
  for (size_t i = 0; i < d->grid; i++)
    top = fmax(top, d->density[i]);
  for (size_t i = 0; i < d->grid; i++) {
    labels->grid_time[i] = exp(d->low + (double)i * d->step);
    labels->grid_density[i] = d->density[i] / top;
  }
  labels->grid = d->grid;
  labels->bandwidth = d->bandwidth;
  return CAIRN_OK;
}

static void refuse(cairn_classify_labels *labels, double least) {
  for (unsigned i = 0; i + 1 < labels->classes;) {
    if (labels->boundary[i].repeat >= least) {
      i++;
      continue;
    }
    labels->refused[labels->refused_count++] = labels->boundary[i];
    drop(labels, i);
  }
}

cairn_status
cairn_classify__label_density(cairn_classify_labels *labels, const double *time,
                              const double (*spread)[CAIRN_BASE_PERCENTILES],
                              const cairn_classify_label_options *options) {
  cairn_classify_density d;
  cairn_status status = find_noise(labels, time, spread);
  if (status == CAIRN_OK)
    status = choose_bandwidth(labels);
  if (status != CAIRN_OK)
    return status;
  if (options->bandwidth > 0)
    labels->bandwidth = options->bandwidth;
  status = cairn_classify__density_create(
      log(labels->sorted[0]), log(labels->sorted[labels->count - 1]),
      labels->bandwidth, &d);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < labels->count; i++)
    cairn_classify__density_add(&d, log(labels->sorted[i]));
  cairn_classify__density_valleys(&d, options->valley);
  status = set_boundaries(labels, &d);
  if (status == CAIRN_OK)
    status = keep_curve(labels, &d);
  if (status == CAIRN_OK && options->resamples > 0 && labels->classes > 1) {
    status = cairn_classify__label_repeat(labels, time, spread, &d, options);
    if (status == CAIRN_OK)
      refuse(labels, options->repeat);
  }
  cairn_classify__density_free(&d);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/density.c - a kernel density on a grid, and its deep valleys.
 *
 * Each value is shared by its two nearest grid points; the counts are smoothed
 * with a Gaussian cut at four bandwidths.  Valleys between peaks are merged,
 * shallowest first, until each is at most a given share of the lower of its
 * two peaks: what is left does not depend on small ripples.
 */
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "classify/label/methods-private.h"

enum { PER_BANDWIDTH = 8, CUT = 4, MAX_GRID = 1 << 15 };

cairn_status cairn_classify__density_create(double low, double high,
                                            double bandwidth,
                                            cairn_classify_density *d) {
  memset(d, 0, sizeof *d);
  const double range = high - low;
  const double finest =
      range / (MAX_GRID - 2 * (CUT + 1) * PER_BANDWIDTH) * PER_BANDWIDTH;
  d->bandwidth = fmax(bandwidth, finest);
  d->step = d->bandwidth / PER_BANDWIDTH;
  d->reach = CUT * PER_BANDWIDTH;
  d->low = low - (CUT + 1) * d->bandwidth;
  d->grid = (size_t)ceil(range / d->step) + 2 * (CUT + 1) * PER_BANDWIDTH + 1;
  d->kernel = cairn_base_alloc(d->reach + 1, sizeof *d->kernel);
  d->count = cairn_base_zalloc(d->grid, sizeof *d->count);
  d->density = cairn_base_zalloc(d->grid, sizeof *d->density);
  d->peak = cairn_base_alloc(d->grid, sizeof *d->peak);
  d->valley = cairn_base_alloc(d->grid, sizeof *d->valley);
  if (!d->kernel || !d->count || !d->density || !d->peak || !d->valley) {
    cairn_classify__density_free(d);
    return CAIRN_NOMEM;
  }
  for (size_t k = 0; k <= d->reach; k++) {
    const double x = (double)k / PER_BANDWIDTH;
    d->kernel[k] = exp(-x * x / 2);
  }
  return CAIRN_OK;
}

void cairn_classify__density_free(cairn_classify_density *d) {
  cairn_base_free(d->kernel);
  cairn_base_free(d->count);
  cairn_base_free(d->density);
  cairn_base_free(d->peak);
  cairn_base_free(d->valley);
  memset(d, 0, sizeof *d);
}

void cairn_classify__density_clear(cairn_classify_density *d) {
  memset(d->count, 0, d->grid * sizeof *d->count);
}

void cairn_classify__density_add(cairn_classify_density *d, double log_time) {
  /* a redrawn value may fall off the grid: the ends take it */
  double x = (log_time - d->low) / d->step;
  x = fmin(fmax(x, (double)d->reach), (double)(d->grid - 1 - d->reach));
  size_t i = (size_t)x;
  if (i + 1 >= d->grid)
    i = d->grid - 2;
  const double part = x - (double)i;
  d->count[i] += 1 - part;
  d->count[i + 1] += part;
}

static void smooth(cairn_classify_density *d) {
  memset(d->density, 0, d->grid * sizeof *d->density);
  for (size_t i = 0; i < d->grid; i++) {
    const double c = d->count[i];
    if (c == 0)
      continue;
    d->density[i] += c;
    for (size_t k = 1; k <= d->reach; k++) {
      const double v = c * d->kernel[k];
      if (i >= k)
        d->density[i - k] += v;
      if (i + k < d->grid)
        d->density[i + k] += v;
    }
  }
}

/* The lowest point between two peaks; of a flat bottom, its middle. */
static size_t lowest(const cairn_classify_density *d, size_t from, size_t to) {
  size_t first = from, last = from;
  for (size_t i = from; i <= to; i++) {
    if (d->density[i] < d->density[first])
      first = last = i;
    else if (d->density[i] == d->density[first] && last + 1 == i)
      last = i;
  }
  return (first + last) / 2;
}

double cairn_classify__density_depth(const cairn_classify_density *d,
                                     size_t valley) {
  return d->density[d->valley[valley]] /
         fmin(d->density[d->peak[valley]], d->density[d->peak[valley + 1]]);
}

/* Removes a valley and the lower of its two peaks. */
static void merge(cairn_classify_density *d, size_t valley) {
  const size_t peak =
      d->density[d->peak[valley]] < d->density[d->peak[valley + 1]]
          ? valley
          : valley + 1;
  memmove(d->peak + peak, d->peak + peak + 1,
          (d->valleys - peak) * sizeof *d->peak);
  memmove(d->valley + valley, d->valley + valley + 1,
          (d->valleys - 1 - valley) * sizeof *d->valley);
  d->valleys--;
}

void cairn_classify__density_valleys(cairn_classify_density *d, double share) {
  size_t peaks = 0;
  smooth(d);
  for (size_t i = 1; i + 1 < d->grid; i++)
    if (d->density[i] > d->density[i - 1] && d->density[i] >= d->density[i + 1])
      d->peak[peaks++] = i;
  d->valleys = peaks > 0 ? peaks - 1 : 0;
  for (size_t i = 0; i < d->valleys; i++)
    d->valley[i] = lowest(d, d->peak[i], d->peak[i + 1]);
  while (d->valleys > 0) {
    size_t worst = 0;
    double depth = -1;
    for (size_t i = 0; i < d->valleys; i++)
      if (cairn_classify__density_depth(d, i) > depth) {
        worst = i;
        depth = cairn_classify__density_depth(d, i);
      }
    if (depth <= share)
      break;
    merge(d, worst);
  }
}

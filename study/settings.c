/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/settings.c - which settings of a strategy: k-sigma selection.
 */
#include <math.h>

#include "study/study-private.h"

/* A problem's k of a setting: how many deviations of the best its mean is
 * away. */
static double threshold(double mean, double best, double sd) {
  if (mean == best)
    return 0;
  return sd > 0 ? (mean - best) / sd : (double)INFINITY;
}

size_t cairn_study__k_sigma(const double *mean, const double *sd,
                            size_t problems, size_t settings, double *k) {
  size_t chosen = 0;
  for (size_t s = 0; s < settings; s++)
    k[s] = 0;
  for (size_t p = 0; p < problems; p++) {
    const double *const means = mean + p * settings;
    size_t best = 0;
    for (size_t s = 1; s < settings; s++)
      if (means[s] < means[best])
        best = s;
    for (size_t s = 0; s < settings; s++)
      k[s] =
          fmax(k[s], threshold(means[s], means[best], sd[p * settings + best]));
  }
  for (size_t s = 1; s < settings; s++)
    if (k[s] < k[chosen])
      chosen = s;
  return chosen;
}

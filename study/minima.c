/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/minima.c - the minima of a landscape: how good they are, and what share
 * of the descents the good ones get.
 */
#include <math.h>
#include <stdlib.h>

#include "base/stats-private.h"
#include "study/study-private.h"

/* Decimal numbers that are equal may differ by rounding. */
#define ROUNDING 1e-12

int cairn_study__within(double time_s, double best_s, double percent) {
  return 100 * time_s <= (100 + percent) * best_s * (1 + ROUNDING);
}

typedef struct weighed {
  double arrival;
  uint32_t vertex;
} weighed;

static int most_first(const void *a, const void *b) {
  const weighed *const x = a, *const y = b;
  if (x->arrival != y->arrival)
    return x->arrival > y->arrival ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

static cairn_status sort_minima(cairn_study_landscape *l) {
  weighed *const w = cairn_base_alloc(l->minima, sizeof *w);
  size_t n = 0;
  l->minimum = cairn_base_alloc(l->minima, sizeof *l->minimum);
  if (!w || !l->minimum) {
    cairn_base_free(w);
    return CAIRN_NOMEM;
  }
  for (size_t v = 0; v < l->vertices; v++)
    if (l->kind[v] == CAIRN_STUDY_MINIMUM)
      w[n++] = (weighed){l->arrival[v], (uint32_t)v};
  qsort(w, n, sizeof *w, most_first);
  for (size_t i = 0; i < n; i++)
    l->minimum[i] = w[i].vertex;
  cairn_base_free(w);
  return CAIRN_OK;
}

static cairn_status find_fractions(cairn_study_landscape *l) {
  const double best_s = l->time_s[l->best];
  double *const fraction = cairn_base_alloc(l->minima, sizeof *fraction);
  if (!fraction)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < l->minima; i++)
    fraction[i] = best_s / l->time_s[l->minimum[i]];
  cairn_base__stats_sort(fraction, l->minima);
  l->fraction_median = cairn_base__stats_percentile(fraction, l->minima, 50);
  l->fraction_worst = fraction[0];
  cairn_base_free(fraction);
  return CAIRN_OK;
}

/* The share that minima within p % have of all minima's weight. */
static void find_centrality(const cairn_study_landscape *l,
                            const double *weight, double *centrality) {
  const double best_s = l->time_s[l->best];
  double all = 0;
  for (size_t i = l->minima; i-- > 0;)
    all += weight[l->minimum[i]];
  for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++) {
    double good = 0;
    for (size_t i = l->minima; i-- > 0;)
      if (cairn_study__within(l->time_s[l->minimum[i]], best_s, p))
        good += weight[l->minimum[i]];
    centrality[p] = good / all;
  }
}

static void no_centrality(double *centrality) {
  for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++)
    centrality[p] = NAN;
}

cairn_status cairn_study__minima(cairn_study_landscape *l) {
  cairn_status status = sort_minima(l);
  if (!status)
    status = find_fractions(l);
  if (status)
    return status;
  for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++) {
    l->within[p] = 0;
    for (size_t i = 0; i < l->minima; i++)
      l->within[p] += (size_t)cairn_study__within(l->time_s[l->minimum[i]],
                                                  l->time_s[l->best], p);
  }
  find_centrality(l, l->arrival, l->centrality);
  if (l->pagerank)
    find_centrality(l, l->pagerank, l->centrality_pagerank);
  else
    no_centrality(l->centrality_pagerank);
  return CAIRN_OK;
}

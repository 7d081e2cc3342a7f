/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/chance.c - what uniform draws without repetition give: the chance to
 * be within x % of the best, and the best that is to be expected.
 */
#include <math.h>

#include "base/stats-private.h"
#include "study/study-private.h"

static const size_t draws[] = CAIRN_STUDY_DRAWS;
static const unsigned percents[CAIRN_STUDY_CHANCES] = {0, 1, 5};

/* 1 - C(all - good, n) / C(all, n). */
static double chance(size_t all, size_t good, size_t n) {
  const size_t few = n < good ? n : good, many = n < good ? good : n;
  double none = 1;
  if (n >= all || many > all - few)
    return 1;
  for (size_t i = 0; i < few; i++)
    none *= (double)(all - many - i) / (double)(all - i);
  return 1 - none;
}

/* Fewest draws with at least this chance; it grows with the draws. */
static size_t draws_for(size_t all, size_t good, double wanted) {
  size_t low = 1, high = all;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (chance(all, good, middle) >= wanted * (1 - 1e-15))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

/* The i-th fastest is the best of n draws with probability
 * C(all - 1 - i, n - 1) / C(all, n). */
static void expect(cairn_study_landscape *l, const double *sorted, size_t n,
                   double *time_p, double *fraction_p) {
  const size_t all = l->vertices;
  double weight, time_s = 0, fraction = 0;
  if (n > all)
    n = all;
  weight = (double)n / (double)all;
  for (size_t i = 0; i + n <= all; i++) {
    time_s += weight * sorted[i];
    fraction += weight * (sorted[0] / sorted[i]);
    if (i + 1 < all)
      weight *= (double)(all - n - i) / (double)(all - 1 - i);
  }
  *time_p = isfinite(time_s) ? time_s : (double)NAN;
  *fraction_p = fraction;
}

double cairn_study__chance(size_t all, size_t good, double n) {
  return chance(all, good, (size_t)(n + 0.5));
}

cairn_status cairn_study__chances(cairn_study_landscape *l) {
  double *const sorted = cairn_base_alloc(l->vertices, sizeof *sorted);
  if (!sorted)
    return CAIRN_NOMEM;
  for (size_t v = 0; v < l->vertices; v++)
    sorted[v] = l->time_s[v];
  cairn_base__stats_sort(sorted, l->vertices);
  for (size_t c = 0; c < CAIRN_STUDY_CHANCES; c++) {
    cairn_study_chance *const chances = &l->chance[c];
    chances->percent = percents[c];
    chances->good = 0;
    while (chances->good < l->vertices &&
           cairn_study__within(sorted[chances->good], sorted[0], percents[c]))
      chances->good++;
    for (size_t k = 0; k < sizeof draws / sizeof *draws; k++)
      chances->at[k] = chance(l->vertices, chances->good, draws[k]);
    chances->half = draws_for(l->vertices, chances->good, 0.5);
    chances->ninety = draws_for(l->vertices, chances->good, 0.9);
  }
  for (size_t k = 0; k < sizeof draws / sizeof *draws; k++)
    expect(l, sorted, draws[k], &l->expected_s[k], &l->expected_fraction[k]);
  cairn_base_free(sorted);
  return CAIRN_OK;
}

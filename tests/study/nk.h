/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/nk.h - randomised NK landscapes: 2^n points, each bit's share of
 * the time is drawn anew for every value of itself and of k other bits, drawn
 * too.  Neighbours differ in one bit.  The optimum is known by enumeration.
 */
#ifndef CAIRN_TESTS_STUDY_NK_H
#define CAIRN_TESTS_STUDY_NK_H

#include <stdlib.h>

#include "base/rng-private.h"
#include "dag/space/neighbours-private.h"
#include "study/study-private.h"
#include <cairn/dag.h>

typedef struct nk {
  size_t points;
  double *time_s; /* > 0 */
  cairn_dag_neighbours neighbours;
  size_t best;
} nk;

/* levels: times are rounded to so many values, so that some are equal; 0: as
 * they are.  Bits below n / 2 are moves of one kind, the others of another. */
static inline void nk_make(nk *l, unsigned n, unsigned k, unsigned levels,
                           uint64_t seed) {
  cairn_base_rng rng;
  unsigned other[16][16];
  double *const share = malloc(((size_t)n << (k + 1)) * sizeof *share);
  cairn_base__rng_seed(&rng, seed);
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < k; j++)
      other[i][j] = (i + 1 + cairn_base__rng_below(&rng, n - 1)) % n;
  for (size_t i = 0; i < (size_t)n << (k + 1); i++)
    share[i] = cairn_base__rng_uniform(&rng);
  l->points = (size_t)1 << n;
  l->time_s = malloc(l->points * sizeof *l->time_s);
  l->neighbours.vertices = l->points;
  l->neighbours.row = malloc((l->points + 1) * sizeof *l->neighbours.row);
  l->neighbours.to = malloc(l->points * n * sizeof *l->neighbours.to);
  l->neighbours.kind = malloc(l->points * n);
  l->best = 0;
  for (size_t x = 0; x < l->points; x++) {
    double sum = 0;
    for (unsigned i = 0; i < n; i++) {
      size_t value = x >> i & 1;
      for (unsigned j = 0; j < k; j++)
        value = value << 1 | (x >> other[i][j] & 1);
      sum += share[((size_t)i << (k + 1)) + value];
      l->neighbours.to[x * n + i] = (uint32_t)(x ^ (size_t)1 << i);
      l->neighbours.kind[x * n + i] = i < n / 2 ? 1 : 2;
    }
    l->time_s[x] = 1 + sum / n;
    if (levels)
      l->time_s[x] = (double)(unsigned)(l->time_s[x] * levels) / levels;
    l->neighbours.row[x] = x * n;
    if (l->time_s[x] < l->time_s[l->best])
      l->best = x;
  }
  l->neighbours.row[l->points] = l->points * n;
  free(share);
}

static inline void nk_free(nk *l) {
  free(l->time_s);
  free(l->neighbours.row);
  free(l->neighbours.to);
  free(l->neighbours.kind);
}

#endif

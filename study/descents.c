/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/descents.c - arrivals estimated by descents, for spaces too large for
 * their whole graph.  All descents take a step together, so that the
 * neighbours of all places where they stand are found in one pass.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng-private.h"
#include "dag/space/neighbours-private.h"
#include "study/study-private.h"
#include <cairn/dag.h>

typedef struct descents {
  const cairn_study_space *space;
  unsigned kinds;
  cairn_base_rng rng;
  uint32_t *at; /* by descent */
  uint8_t *ended;
  size_t count;
  uint32_t *stand; /* where those stand that have not ended, each once */
  size_t stands;
} descents;

static int ascending(const void *a, const void *b) {
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void find_stands(descents *d) {
  size_t n = 0;
  d->stands = 0;
  for (size_t i = 0; i < d->count; i++)
    if (!d->ended[i])
      d->stand[n++] = d->at[i];
  if (n)
    qsort(d->stand, n, sizeof *d->stand, ascending);
  for (size_t i = 0; i < n; i++)
    if (!d->stands || d->stand[d->stands - 1] != d->stand[i])
      d->stand[d->stands++] = d->stand[i];
}

/* One of the better neighbours of row r, uniformly, or UINT32_MAX. */
static uint32_t draw_better(descents *d, const cairn_dag_neighbours *n,
                            size_t r) {
  const double here = d->space->time_s[d->stand[r]];
  uint32_t better = 0, chosen;
  for (size_t k = n->row[r]; k < n->row[r + 1]; k++)
    better += d->space->time_s[n->to[k]] < here;
  if (!better)
    return UINT32_MAX;
  chosen = cairn_base__rng_below(&d->rng, better);
  for (size_t k = n->row[r];; k++)
    if (d->space->time_s[n->to[k]] < here && chosen-- == 0)
      return n->to[k];
}

static cairn_status step(descents *d) {
  cairn_dag_neighbours n;
  const cairn_status status = cairn_dag__neighbours_of(
      d->space->program, d->space->schedule, d->space->count, d->kinds,
      d->stand, d->stands, &n);
  if (status)
    return status;
  for (size_t i = 0; i < d->count; i++) {
    if (d->ended[i])
      continue;
    const uint32_t *const stand =
        bsearch(&d->at[i], d->stand, d->stands, sizeof *d->stand, ascending);
    const uint32_t next = draw_better(d, &n, (size_t)(stand - d->stand));
    if (next == UINT32_MAX)
      d->ended[i] = 1;
    else
      d->at[i] = next;
  }
  cairn_dag__neighbours_free(&n);
  return CAIRN_OK;
}

static cairn_status descend(descents *d) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < d->count; i++)
    d->at[i] = cairn_base__rng_below(&d->rng, (uint32_t)d->space->count);
  for (find_stands(d); d->stands && !status; find_stands(d))
    status = step(d);
  return status;
}

static cairn_status gather(const descents *d, cairn_study_landscape *l) {
  l->kind = cairn_base_zalloc(l->vertices, 1);
  l->arrival = cairn_base_zalloc(l->vertices, sizeof *l->arrival);
  if (!l->kind || !l->arrival)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < d->count; i++) {
    const uint32_t v = d->at[i];
    l->arrival[v] += 1 / (double)d->count;
    if (isinf(l->time_s[v]) || l->kind[v] == CAIRN_STUDY_MINIMUM)
      continue;
    l->kind[v] = CAIRN_STUDY_MINIMUM;
    l->minima++;
  }
  return CAIRN_OK;
}

cairn_status cairn_study__descents(const cairn_study_space *space,
                                   unsigned kinds,
                                   const cairn_study_landscape_options *options,
                                   cairn_study_landscape *l) {
  descents d = {.space = space, .kinds = kinds, .count = options->sample};
  cairn_status status = CAIRN_NOMEM;
  cairn_base__rng_seed(&d.rng, options->seed);
  d.at = cairn_base_alloc(d.count, sizeof *d.at);
  d.stand = cairn_base_alloc(d.count, sizeof *d.stand);
  d.ended = cairn_base_zalloc(d.count, 1);
  if (d.at && d.stand && d.ended)
    status = descend(&d);
  if (!status)
    status = gather(&d, l);
  cairn_base_free(d.at);
  cairn_base_free(d.stand);
  cairn_base_free(d.ended);
  l->descents = options->sample;
  if (!status && l->minima)
    status = cairn_study__minima(l);
  return status ? status : cairn_study__chances(l);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy-nrpa.c - nested rollout policy adaptation, two
 * levels: rollouts draw each item by learned weights; after each, the weights
 * move towards the best rollout of the round; a round begins with the outer
 * weights, which move towards the best rollout of all rounds.
 *
 * Rosin: Nested rollout policy adaptation for Monte Carlo tree search (2011).
 * A weight belongs to a pair (item before, item), by hash.
 */
#include <math.h>
#include <string.h>

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

enum { BITS = 14, WEIGHTS = 1 << BITS, VAIN = 300 };
enum { ROUND, ALPHA };

typedef struct line {
  cairn_dag_item *items;
  size_t count;
  double time_s; /* NAN: none yet */
} line;

typedef struct nrpa {
  cairn_mcts_moves moves;
  double outer[WEIGHTS], inner[WEIGHTS];
  double *p;
  size_t p_capacity;
  line now, best, best_of_all; /* raw items */
  size_t rollouts;             /* of this round */
} nrpa;

static cairn_status create(cairn_mcts *search) {
  nrpa *const s = cairn_base_zalloc(1, sizeof *s);
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->now.items = cairn_base_zalloc(search->max_items, sizeof(cairn_dag_item));
  s->best.items = cairn_base_zalloc(search->max_items, sizeof(cairn_dag_item));
  s->best_of_all.items =
      cairn_base_zalloc(search->max_items, sizeof(cairn_dag_item));
  s->best.time_s = s->best_of_all.time_s = NAN;
  if (!s->now.items || !s->best.items || !s->best_of_all.items)
    return CAIRN_NOMEM;
  return cairn_mcts__moves_create(&s->moves, search);
}

static void destroy(cairn_mcts *search) {
  nrpa *const s = search->state;
  if (!s)
    return;
  cairn_mcts__moves_free(&s->moves);
  cairn_base_free(s->p);
  cairn_base_free(s->now.items);
  cairn_base_free(s->best.items);
  cairn_base_free(s->best_of_all.items);
  cairn_base_free(s);
}

static size_t slot(cairn_dag_item before, cairn_dag_item item) {
  uint32_t a, b;
  memcpy(&a, &before, sizeof a);
  memcpy(&b, &item, sizeof b);
  return (size_t)(((uint64_t)a * 0x9e3779b97f4a7c15u ^
                   (uint64_t)b * 0xc2b2ae3d27d4eb4fu) *
                      0x9e3779b97f4a7c15u >>
                  (64 - BITS));
}

static cairn_dag_item last(const cairn_mcts *search) {
  size_t count;
  const cairn_dag_item *const item =
      cairn_dag__walk_items(search->walk, &count);
  return item[count - 1];
}

/* Probabilities of the extensions, in s->p. */
static cairn_status weigh(nrpa *s, const double *weight, cairn_dag_item before,
                          const cairn_dag_item *item, size_t count) {
  double sum = 0;
  const cairn_status status =
      cairn_base_reserve(&s->p, &s->p_capacity, count, sizeof *s->p);
  if (status)
    return status;
  for (size_t i = 0; i < count; i++)
    sum += s->p[i] = exp(weight[slot(before, item[i])]);
  for (size_t i = 0; i < count; i++)
    s->p[i] /= sum;
  return CAIRN_OK;
}

static cairn_status roll_out(cairn_mcts *search, nrpa *s) {
  const cairn_dag_item *item;
  cairn_dag__walk_reset(search->walk);
  while (!cairn_dag__walk_complete(search->walk)) {
    size_t count, i = 0;
    double x = cairn_base__rng_uniform(&search->rng);
    cairn_status status;
    item = cairn_dag__walk_extensions(search->walk, &count);
    if ((status = weigh(s, s->inner, last(search), item, count)))
      return status;
    while (i + 1 < count && x >= s->p[i])
      x -= s->p[i++];
    cairn_dag__walk_push(search->walk, item[i]);
  }
  item = cairn_dag__walk_items(search->walk, &s->now.count);
  memcpy(s->now.items, item, s->now.count * sizeof *item);
  return CAIRN_OK;
}

/* Moves the weights towards a line. */
static cairn_status adapt(cairn_mcts *search, nrpa *s, double *weight,
                          const line *to) {
  const double alpha = search->tune[ALPHA];
  cairn_dag__walk_reset(search->walk);
  for (size_t k = 1; k < to->count; k++) {
    size_t count;
    const cairn_dag_item before = to->items[k - 1];
    const cairn_dag_item *const item =
        cairn_dag__walk_extensions(search->walk, &count);
    const cairn_status status = weigh(s, weight, before, item, count);
    if (status)
      return status;
    for (size_t i = 0; i < count; i++)
      weight[slot(before, item[i])] -= alpha * s->p[i];
    weight[slot(before, to->items[k])] += alpha;
    cairn_dag__walk_push(search->walk, to->items[k]);
  }
  return CAIRN_OK;
}

static void keep(line *best, const line *now, double time_s) {
  if (!(time_s > 0) || time_s > best->time_s)
    return;
  best->count = now->count;
  best->time_s = time_s;
  memcpy(best->items, now->items, now->count * sizeof *now->items);
}

/* After a rollout, whose time may be NAN. */
static cairn_status learn(cairn_mcts *search, nrpa *s, double time_s) {
  cairn_status status = CAIRN_OK;
  keep(&s->best, &s->now, time_s);
  if (s->best.time_s > 0)
    status = adapt(search, s, s->inner, &s->best);
  if (status || ++s->rollouts < (size_t)search->tune[ROUND])
    return status;
  if (s->best.time_s > 0)
    keep(&s->best_of_all, &s->best, s->best.time_s);
  if (s->best_of_all.time_s > 0)
    status = adapt(search, s, s->outer, &s->best_of_all);
  memcpy(s->inner, s->outer, sizeof s->inner);
  s->rollouts = 0;
  s->best.time_s = NAN;
  return status;
}

static cairn_status next(cairn_mcts *search) {
  nrpa *const s = search->state;
  for (int vain = 0; vain < VAIN; vain++) {
    uint32_t record;
    cairn_status status;
    if (cairn_mcts__tick(search))
      return CAIRN_EXHAUSTED;
    if ((status = roll_out(search, s)) ||
        (status = cairn_mcts__canonical_walk(search, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    if ((status = learn(search, s, cairn_mcts__time(search, record))))
      return status;
  }
  /* The weights have settled: begin anew from an unmeasured schedule. */
  memset(s->outer, 0, sizeof s->outer);
  memset(s->inner, 0, sizeof s->inner);
  s->best.time_s = s->best_of_all.time_s = NAN;
  s->now.count = 0;
  return cairn_mcts__moves_fresh(search, &s->moves);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  nrpa *const s = search->state;
  return s->now.count ? learn(search, s, cairn_mcts__time(search, record))
                      : CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"round", 15, 1, 1e6, 1, "rollouts of a round"},
    {"alpha", 0.5, 0, 100, 0, "step of the weights"}};

const cairn_mcts_policy cairn_mcts__nrpa = {
    {"nrpa", "rollouts by weights that move towards the best rollout",
     "Rosin, Nested rollout policy adaptation for Monte Carlo tree search, "
     "2011",
     tunable, 2, 0},
    create,
    destroy,
    next,
    told};

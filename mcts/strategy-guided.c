/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategy-guided.c - local search that asks a model before measuring.
 */
#include <math.h>
#include <string.h>

#include "mcts/model-private.h"
#include "mcts/moves-private.h"

enum {
  SPREAD,
  PARENTS,
  DRAWS,
  MOVES,
  CLIMB,
  ACQ,
  BETA,
  MACHINE,
  RATE,
  LIMIT,
  TUNABLES
};

typedef struct guided {
  cairn_mcts_model *model;
  cairn_mcts_moves moves;
  cairn_dag_item *best, *at;
  size_t best_count, at_count;
  double best_score;
  uint32_t *parent;
  size_t parents;
} guided;

static void destroy(cairn_mcts *search) {
  guided *const g = search->state;
  if (!g)
    return;
  cairn_mcts__model_free(g->model);
  cairn_mcts__moves_free(&g->moves);
  cairn_base_free(g->best);
  cairn_base_free(g->at);
  cairn_base_free(g->parent);
  cairn_base_free(g);
}

static cairn_status create(cairn_mcts *search) {
  guided *const g = cairn_base_zalloc(1, sizeof *g);
  cairn_status status;
  search->state = g;
  if (!g)
    return CAIRN_NOMEM;
  g->best = cairn_base_zalloc(search->max_items, sizeof *g->best);
  g->at = cairn_base_zalloc(search->max_items, sizeof *g->at);
  g->parent = cairn_base_zalloc(64, sizeof *g->parent);
  if (!g->best || !g->at || !g->parent)
    return CAIRN_NOMEM;
  if ((status = cairn_mcts__moves_create(&g->moves, search)))
    return status;
  status = cairn_mcts__model_create(search, (size_t)search->tune[LIMIT],
                                    (int)search->tune[MACHINE], &g->model);
  if (!status)
    g->model->rate = search->tune[RATE];
  return status;
}

/* Scores search->candidate, unmeasured; keeps it when best. */
static int consider(cairn_mcts *search, guided *g) {
  double sd, guess, score;
  guess = cairn_mcts__model_guess(g->model, search->candidate,
                                  search->candidate_count, &sd);
  if (search->tune[ACQ] < 0.5) { /* Thompson */
    score =
        guess + search->tune[BETA] * sd * cairn_base_rng_normal(&search->rng);
  } else if (search->tune[ACQ] < 1.5) { /* EI */
    const double best =
        cairn_mcts__time(search, search->best) / g->model->scale;
    const double u = (best - guess) / sd;
    score = -sd * (u * 0.5 * erfc(-u * M_SQRT1_2) +
                   0.3989422804014327 * exp(-0.5 * u * u));
  } else {
    score = guess - search->tune[BETA] * sd;
  }
  if (score < g->best_score) {
    g->best_score = score;
    g->best_count = search->candidate_count;
    memcpy(g->best, search->candidate, g->best_count * sizeof *g->best);
    return 1;
  }
  return 0;
}

static cairn_status try_items(cairn_mcts *search, guided *g,
                              const cairn_dag_item *items, size_t count,
                              int *better) {
  uint32_t record;
  const cairn_status status =
      cairn_mcts__canonical(search, items, count, &record);
  if (!status && record == CAIRN_MCTS_NONE)
    *better |= consider(search, g);
  return status;
}

/* Neighbours of a schedule, all or a sample. */
static cairn_status neighbours(cairn_mcts *search, guided *g,
                               const cairn_dag_item *items, size_t count,
                               int *better) {
  const size_t limit = (size_t)search->tune[MOVES];
  const size_t all = cairn_dag_moves_begin(g->moves.moves, items, count);
  for (size_t i = 0; i < (all < limit ? all : limit); i++) {
    const size_t n =
        all <= limit
            ? cairn_dag_moves_neighbour(g->moves.moves, i, g->moves.out)
            : cairn_dag_moves_random(g->moves.moves, CAIRN_DAG_MOVE_ANY,
                                     &search->rng, g->moves.out);
    cairn_status status;
    if (n && (status = try_items(search, g, g->moves.out, n, better)))
      return status;
  }
  return CAIRN_OK;
}

static void find_parents(cairn_mcts *search, guided *g) {
  const size_t wanted = (size_t)search->tune[PARENTS];
  g->parents = 0;
  for (uint32_t r = 0; r < search->cache.records; r++) {
    const double t = cairn_mcts__time(search, r);
    size_t i;
    if (isnan(t))
      continue;
    if (g->parents < wanted)
      i = g->parents++;
    else if (t < cairn_mcts__time(search, g->parent[wanted - 1]))
      i = wanted - 1;
    else
      continue;
    for (; i && t < cairn_mcts__time(search, g->parent[i - 1]); i--)
      g->parent[i] = g->parent[i - 1];
    g->parent[i] = r;
  }
}

static cairn_status search_model(cairn_mcts *search, guided *g) {
  cairn_status status;
  int better = 0;
  g->best_score = INFINITY;
  g->best_count = 0;
  if ((status = cairn_mcts__model_update(search, g->model)))
    return status;
  find_parents(search, g);
  for (size_t i = 0; i < g->parents; i++) {
    const uint32_t r = g->parent[i];
    if ((status =
             neighbours(search, g, cairn_mcts__cache_items(&search->cache, r),
                        search->cache.record[r].count, &better)))
      return status;
  }
  for (int i = 0; i < (int)search->tune[DRAWS]; i++) {
    size_t count;
    const cairn_dag_item *items;
    if ((status = cairn_mcts__moves_draw(search, &g->moves, &items, &count)) ||
        (status = try_items(search, g, items, count, &better)))
      return status;
  }
  for (int i = 0; i < (int)search->tune[CLIMB] && g->best_count; i++) {
    better = 0;
    g->at_count = g->best_count;
    memcpy(g->at, g->best, g->best_count * sizeof *g->at);
    if ((status = neighbours(search, g, g->at, g->at_count, &better)))
      return status;
    if (!better)
      break;
  }
  return CAIRN_OK;
}

static cairn_status next(cairn_mcts *search) {
  guided *const g = search->state;
  uint32_t record;
  cairn_status status;
  if (search->cache.records < search->tune[SPREAD] ||
      search->best == CAIRN_MCTS_NONE)
    return cairn_mcts__moves_spread(search, &g->moves, g->model, 24);
  if ((status = search_model(search, g)))
    return status;
  if (!g->best_count)
    return cairn_mcts__moves_fresh(search, &g->moves);
  return cairn_mcts__canonical(search, g->best, g->best_count, &record);
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 8, 1, 1000, 1, "schedules of the first, spread-out sample"},
    {"parents", 4, 1, 64, 1,
     "fastest schedules whose neighbours are asked about"},
    {"draws", 24, 0, 1000, 1, "random schedules asked about"},
    {"moves", 64, 1, 10000, 1, "neighbours of each asked about"},
    {"climb", 10, 0, 1000, 1, "most steps of the climb on the model"},
    {"acq", 0, 0, 2, 1, "acquisition"},
    {"beta", 1, 0, 10, 0, "weight of the spread"},
    {"machine", 1, 0, 1, 1, "use of the simulated machine"},
    {"rate", 0.3, 0, 1, 0, "learning rate"},
    {"limit", 200, 10, 2000, 1, "most samples"}};

const cairn_mcts_policy cairn_mcts__guided = {
    {"guided", "local search that asks a model before measuring", "own",
     tunable, TUNABLES, 0},
    create,
    destroy,
    next,
    NULL};

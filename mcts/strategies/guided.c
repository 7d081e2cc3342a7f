/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/guided.c - a search that asks a model before it measures.
 *
 * Program order comes first: the result is never slower than it.  Then a few
 * random schedules that differ as much as possible.  From then on each
 * proposal is the winner among neighbours of the fastest schedules, random
 * ones, and a climb from the best of these, by a draw from what the model
 * thinks of each: guess + boldness * spread * normal (Thompson 1933, on the
 * likelihood that one unknown probability exceeds another).  So a proposal is
 * near what is known to be good, or where little is known.
 */
#include <math.h>
#include <string.h>

#include "base/rng-private.h"
#include "mcts/strategies/guided-private.h"
#include "mcts/strategies/planned-private.h"
#include <cairn/mcts.h>

enum { SPREAD_DRAWS = 24, MOST_PARENTS = 64 };

typedef struct guided {
  cairn_mcts_guided_settings set;
  cairn_mcts_model *model;
  cairn_mcts_moves moves;
  cairn_dag_item *best; /* winner so far */
  size_t best_count;
  double best_score;
  uint32_t parent[MOST_PARENTS];
  size_t parents, climbed;
  int opened; /* program order was proposed */
} guided;

void cairn_mcts__guided_destroy(cairn_mcts *search) {
  guided *const g = search->state;
  if (!g)
    return;
  cairn_mcts__model_free(g->model);
  cairn_mcts__moves_free(&g->moves);
  cairn_base_free(g->best);
  cairn_base_free(g);
}

cairn_status
cairn_mcts__guided_create(cairn_mcts *search,
                          const cairn_mcts_guided_settings *settings) {
  guided *const g = cairn_base_zalloc(1, sizeof *g);
  cairn_status status;
  search->state = g;
  if (!g)
    return CAIRN_NOMEM;
  g->set = *settings;
  if (g->set.parents > MOST_PARENTS)
    g->set.parents = MOST_PARENTS;
  g->best = cairn_base_zalloc(search->max_items, sizeof *g->best);
  if (!g->best)
    return CAIRN_NOMEM;
  if ((status = cairn_mcts__moves_create(&g->moves, search)))
    return status;
  return cairn_mcts__model_create(search, g->set.limit, g->set.rate, &g->model);
}

/* ---- the first sample ---- */

static void keep(cairn_mcts *search, guided *g, double score) {
  g->best_score = score;
  g->best_count = search->candidate_count;
  memcpy(g->best, search->candidate, g->best_count * sizeof *g->best);
}

static cairn_status take_best(cairn_mcts *search, guided *g) {
  uint32_t record;
  if (!g->best_count)
    return cairn_mcts__moves_fresh(search, &g->moves);
  return cairn_mcts__canonical(search, g->best, g->best_count, &record);
}

/* Of a few random schedules the one that differs most from all measured. */
static cairn_status spread(cairn_mcts *search, guided *g) {
  g->best_count = 0;
  g->best_score = -1;
  for (int i = 0; i < SPREAD_DRAWS; i++) {
    uint32_t record;
    const cairn_status status =
        cairn_mcts__moves_draw(search, &g->moves, &record);
    double apart;
    if (status)
      return status;
    if (record != CAIRN_MCTS_NONE)
      continue;
    apart = cairn_mcts__model_apart(g->model, search->candidate,
                                    search->candidate_count);
    if (apart > g->best_score)
      keep(search, g, apart);
  }
  return take_best(search, g);
}

/* ---- asking ---- */

/* Scores search->candidate if it is not measured; lower is better.  The spread
 * of the guess is worked out only when the score may turn out the best. */
static int consider(cairn_mcts *search, guided *g, uint32_t record) {
  double guess, bold, score;
  if (record != CAIRN_MCTS_NONE)
    return 0;
  guess = cairn_mcts__model_guess(g->model, search->candidate,
                                  search->candidate_count);
  bold = g->set.boldness * cairn_base__rng_normal(&search->rng);
  score = bold < 0 ? guess + bold * cairn_mcts__model_most(g->model) : guess;
  if (g->best_count && !(score < g->best_score))
    return 0;
  score = guess + bold * cairn_mcts__model_spread(g->model);
  if (g->best_count && !(score < g->best_score))
    return 0;
  keep(search, g, score);
  return 1;
}

static cairn_status ask_neighbours(cairn_mcts *search, guided *g,
                                   uint32_t parent) {
  cairn_status status = cairn_mcts__moves_begin(
      search, &g->moves, cairn_mcts__cache_items(&search->cache, parent),
      search->cache.record[parent].count);
  for (size_t i = 0; i < g->set.moves && !status; i++) {
    uint32_t record;
    if (!(status = cairn_mcts__moves_next(search, &g->moves, &record)))
      consider(search, g, record);
  }
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

static cairn_status ask_draws(cairn_mcts *search, guided *g) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < g->set.draws && !status; i++) {
    uint32_t record;
    if (!(status = cairn_mcts__moves_draw(search, &g->moves, &record)))
      consider(search, g, record);
  }
  return status;
}

/* First-improvement climb on the model, from the winner so far. */
static cairn_status climb(cairn_mcts *search, guided *g) {
  cairn_status status = CAIRN_OK;
  for (size_t asked = 0; asked < g->set.climb && !status;) {
    int better = 0;
    status = cairn_mcts__moves_begin(search, &g->moves, g->best, g->best_count);
    while (!status && !better && asked < g->set.climb) {
      uint32_t record;
      asked++;
      if (!(status = cairn_mcts__moves_next(search, &g->moves, &record)))
        better = consider(search, g, record);
    }
  }
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

/* The fastest ones measured, fastest first. */
static void find_parents(const cairn_mcts *search, guided *g) {
  g->parents = 0;
  for (uint32_t r = 0; r < search->cache.records; r++) {
    const double t = cairn_mcts__time(search, r);
    size_t i = g->parents;
    if (isnan(t))
      continue;
    while (i && t < cairn_mcts__time(search, g->parent[i - 1]))
      i--;
    if (i >= g->set.parents)
      continue;
    if (g->parents < g->set.parents)
      g->parents++;
    for (size_t k = g->parents - 1; k > i; k--)
      g->parent[k] = g->parent[k - 1];
    g->parent[i] = r;
  }
}

cairn_status cairn_mcts__guided_next(cairn_mcts *search) {
  guided *const g = search->state;
  cairn_status status;
  if (cairn_mcts__tick(search))
    return CAIRN_EXHAUSTED;
  if (!g->opened) {
    g->opened = 1;
    return cairn_mcts__moves_first(search, &g->moves);
  }
  if ((status = cairn_mcts__model_update(search, g->model)))
    return status;
  if (search->cache.records < g->set.spread || search->best == CAIRN_MCTS_NONE)
    return spread(search, g);
  g->best_count = 0;
  find_parents(search, g);
  for (size_t i = 0; i < g->parents && !status; i++)
    status = ask_neighbours(search, g, g->parent[i]);
  if (!status)
    status = ask_draws(search, g);
  if (!status && g->best_count)
    status = climb(search, g);
  return status ? status : take_best(search, g);
}

/* ---- the default strategy ---- */

enum {
  SPREAD,
  PARENTS,
  MOVES,
  DRAWS,
  CLIMB,
  LIMIT,
  BOLDNESS,
  RATE,
  SMALL,
  ALL
};

/* Start and end do not count. */
static int large(const cairn_mcts *search) {
  return cairn_dag_program_ops(search->program) - 2 > search->tune[SMALL];
}

static cairn_status create(cairn_mcts *search) {
  const double *const tune = search->tune;
  const cairn_mcts_guided_settings settings = {
      (size_t)tune[SPREAD], (size_t)tune[PARENTS],
      (size_t)tune[MOVES],  (size_t)tune[DRAWS],
      (size_t)tune[CLIMB],  (size_t)tune[LIMIT],
      tune[BOLDNESS],       tune[RATE]};
  return large(search) ? cairn_mcts__planned_begin(search, NULL)
                       : cairn_mcts__guided_create(search, &settings);
}

static void destroy(cairn_mcts *search) {
  if (!search->state)
    return;
  if (large(search))
    cairn_mcts__planned_destroy(search);
  else
    cairn_mcts__guided_destroy(search);
}

static cairn_status next(cairn_mcts *search) {
  return large(search) ? cairn_mcts__planned_next(search)
                       : cairn_mcts__guided_next(search);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  return large(search) ? cairn_mcts__planned_told(search, record) : CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 8, 1, 100000, 1, "schedules of the first, spread-out sample"},
    {"parents", 4, 1, 64, 1, "fastest ones whose neighbours are asked about"},
    {"moves", 64, 1, 1e6, 1, "neighbours of each asked about"},
    {"draws", 24, 0, 1e6, 1, "random schedules asked about"},
    {"climb", 300, 0, 1e6, 1, "neighbours asked about on the climb"},
    {"limit", 160, 10, 2000, 1, "samples the Gaussian process holds"},
    {"boldness", 2.5, 0, 100, 0, "weight of the unknown"},
    {"rate", 0.3, 0, 1, 0, "learning rate of the machine; 0: no machine"},
    {"small", 16, 0, 1e6, 1, "ops above which it does as \"planned\" does"}};

const cairn_mcts_policy cairn_mcts__guided = {
    {"guided",
     "local search that asks a simulated machine with learned costs, and a "
     "Gaussian process, before measuring",
     "this program; Thompson sampling (1933) on Rasmussen and Williams, "
     "Gaussian processes, 2006",
     tunable, ALL, 0},
    create,
    destroy,
    next,
    told};

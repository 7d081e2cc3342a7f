/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/anneal.c - simulated annealing: goes to a random
 * neighbour if it is faster, else with probability exp(-loss / temperature),
 * loss relative to the time.  The temperature falls with the number of
 * measurements, and is raised again when the walk has come to rest.
 *
 * Kirkpatrick, Gelatt and Vecchi: Optimization by simulated annealing (1983).
 */
#include <math.h>

#include "base/rng-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

typedef struct anneal {
  cairn_mcts_moves moves;
  uint32_t at;
  double temperature;
} anneal;

enum { HOT, COOL, COLD };

static cairn_status create(cairn_mcts *search) {
  anneal *const s = cairn_base_zalloc(1, sizeof *s);
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->at = CAIRN_MCTS_NONE;
  s->temperature = search->tune[HOT];
  return cairn_mcts__moves_create(&s->moves, search);
}

static void destroy(cairn_mcts *search) {
  anneal *const s = search->state;
  if (s)
    cairn_mcts__moves_free(&s->moves);
  cairn_base_free(s);
}

static void step(cairn_mcts *search, anneal *s, uint32_t record) {
  const double now = cairn_mcts__time(search, record);
  const double old =
      s->at == CAIRN_MCTS_NONE ? (double)NAN : cairn_mcts__time(search, s->at);
  if (!(old > 0) || now <= old ||
      (now > 0 && cairn_base__rng_uniform(&search->rng) <
                      exp((old - now) / old / s->temperature)))
    s->at = record;
}

static cairn_status next(cairn_mcts *search) {
  anneal *const s = search->state;
  for (int tries = 0; tries < 200 && s->at != CAIRN_MCTS_NONE; tries++) {
    uint32_t record;
    const cairn_status status = cairn_mcts__moves_random(
        search, &s->moves, cairn_mcts__cache_items(&search->cache, s->at),
        search->cache.record[s->at].count, &record);
    if (status == CAIRN_FINDINGS)
      break;
    if (status || record == CAIRN_MCTS_NONE)
      return status;
    step(search, s, record);
  }
  s->at = CAIRN_MCTS_NONE;
  s->temperature = search->tune[HOT];
  return cairn_mcts__moves_fresh(search, &s->moves);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  anneal *const s = search->state;
  step(search, s, record);
  s->temperature *= search->tune[COOL];
  if (s->temperature < search->tune[COLD])
    s->temperature = search->tune[HOT];
  return CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"hot", 0.05, 1e-9, 100, 0, "first temperature, as a share of the time"},
    {"cool", 0.97, 0.01, 1, 0, "factor of the temperature, a measurement"},
    {"cold", 0.002, 1e-9, 100, 0, "temperature at which it is heated again"}};

const cairn_mcts_policy cairn_mcts__anneal = {
    {"anneal", "simulated annealing over neighbours of schedules",
     "Kirkpatrick, Gelatt and Vecchi, Optimization by simulated annealing, "
     "1983",
     tunable, 3, 0},
    create,
    destroy,
    next,
    told};

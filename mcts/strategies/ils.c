/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/ils.c - iterated local search: descends to a local
 * optimum, kicks the best optimum so far by a few random moves, descends again;
 * now and then begins anew.
 *
 * Lourenco, Martin and Stuetzle: Iterated local search (2003).
 */
#include "base/rng-private.h"
#include "mcts/strategies/local-private.h"
#include <cairn/mcts.h>

typedef struct ils {
  cairn_mcts_local local;
  uint32_t home; /* the optimum that is kicked; NONE: begin anew */
  int descending;
} ils;

enum { KICK, PATIENCE, RESTART };

static cairn_status create(cairn_mcts *search) {
  ils *const s = cairn_base_zalloc(1, sizeof *s);
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->home = CAIRN_MCTS_NONE;
  s->local.patience = (uint32_t)search->tune[PATIENCE];
  return cairn_mcts__moves_create(&s->local.moves, search);
}

static void destroy(cairn_mcts *search) {
  ils *const s = search->state;
  if (s)
    cairn_mcts__moves_free(&s->local.moves);
  cairn_base_free(s);
}

/* A few random moves from home, until at an unmeasured schedule. */
static cairn_status kick(cairn_mcts *search, ils *s) {
  for (int tries = 0; tries < 20; tries++) {
    const cairn_mcts_record *const home = search->cache.record + s->home;
    uint32_t record = 0;
    cairn_status status = cairn_mcts__moves_random(
        search, &s->local.moves,
        cairn_mcts__cache_items(&search->cache, s->home), home->count, &record);
    for (int i = 1; i < (int)search->tune[KICK] && !status; i++)
      status =
          cairn_mcts__moves_random(search, &s->local.moves, search->candidate,
                                   search->candidate_count, &record);
    if (status == CAIRN_FINDINGS)
      continue;
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  return cairn_mcts__moves_fresh(search, &s->local.moves);
}

static cairn_status next(cairn_mcts *search) {
  ils *const s = search->state;
  if (s->descending) {
    const cairn_status status = cairn_mcts__local_next(search, &s->local);
    if (status != CAIRN_EXHAUSTED)
      return status;
    s->descending = 0;
    if (s->home == CAIRN_MCTS_NONE || !(cairn_mcts__time(search, s->local.at) >
                                        cairn_mcts__time(search, s->home)))
      s->home = s->local.at;
    if (cairn_base__rng_uniform(&search->rng) < search->tune[RESTART])
      s->home = CAIRN_MCTS_NONE;
  }
  return s->home == CAIRN_MCTS_NONE
             ? cairn_mcts__moves_fresh(search, &s->local.moves)
             : kick(search, s);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  ils *const s = search->state;
  if (s->descending)
    return cairn_mcts__local_told(search, &s->local, record);
  s->descending = 1;
  return cairn_mcts__local_begin(search, &s->local, record);
}

static const cairn_mcts_tunable tunable[] = {
    {"kick", 3, 1, 1000, 1, "random moves of a kick"},
    {"patience", 30, 1, 1e6, 1, "measurements without gain that end a descent"},
    {"restart", 0.1, 0, 1, 0, "chance of a fresh start instead of a kick"}};

const cairn_mcts_policy cairn_mcts__ils = {
    {"ils", "iterated local search over neighbours of schedules",
     "Lourenco, Martin and Stuetzle, Iterated local search, 2003", tunable, 3,
     0},
    create,
    destroy,
    next,
    told};

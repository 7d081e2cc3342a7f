/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/moves.c - random schedules and neighbours for strategies.
 */
#include <string.h>

#include "mcts/moves-private.h"

cairn_status cairn_mcts__moves_create(cairn_mcts_moves *m, cairn_mcts *search) {
  m->out = cairn_base_zalloc(search->max_items, sizeof *m->out);
  if (!m->out)
    return CAIRN_NOMEM;
  return cairn_dag_moves_create(search->program, search->streams, &m->moves);
}

void cairn_mcts__moves_free(cairn_mcts_moves *m) {
  cairn_dag_moves_free(m->moves);
  cairn_base_free(m->out);
  *m = (cairn_mcts_moves){0};
}

static void issue_randomly(cairn_mcts *search) {
  cairn_dag_walk *const walk = search->walk;
  cairn_dag_walk_reset(walk);
  while (!cairn_dag_walk_complete(walk)) {
    size_t count;
    const unsigned *const ready = cairn_dag_walk_ready(walk, &count);
    const unsigned used = cairn_dag_walk_used_streams(walk);
    const unsigned id =
        ready[cairn_base_rng_below(&search->rng, (uint32_t)count)];
    unsigned streams = used < search->streams ? used + 1 : used;
    unsigned s = cairn_base_rng_below(&search->rng, search->streams);
    if (s >= streams)
      s = streams - 1;
    cairn_dag_walk_issue(walk, id, s);
  }
}

cairn_status cairn_mcts__moves_draw(cairn_mcts *search, cairn_mcts_moves *m,
                                    const cairn_dag_item **items_p,
                                    size_t *count_p) {
  issue_randomly(search);
  *items_p = cairn_dag_walk_items(search->walk, count_p);
  memcpy(m->out, *items_p, *count_p * sizeof **items_p);
  *count_p = cairn_dag_schedule_tidy(m->out, *count_p);
  *items_p = m->out;
  for (int i = 0; i < 3; i++) {
    size_t n;
    cairn_dag_moves_begin(m->moves, m->out, *count_p);
    n = cairn_dag_moves_random(m->moves, CAIRN_DAG_MOVE_SYNC, &search->rng,
                               m->out);
    if (n)
      *count_p = n;
  }
  return CAIRN_OK;
}

cairn_status cairn_mcts__moves_fresh(cairn_mcts *search, cairn_mcts_moves *m) {
  for (int i = 0; i < 200; i++) {
    const cairn_dag_item *items;
    size_t count;
    uint32_t record;
    cairn_status status;
    if ((status = cairn_mcts__moves_draw(search, m, &items, &count)) ||
        (status = cairn_mcts__canonical(search, items, count, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
  }
  return cairn_mcts__sweep(search);
}

cairn_status cairn_mcts__moves_spread(cairn_mcts *search, cairn_mcts_moves *m,
                                      cairn_mcts_model *model, int draws) {
  (void)model;
  (void)draws;
  return cairn_mcts__moves_fresh(search, m);
}

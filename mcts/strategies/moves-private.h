/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/moves-private.h - random schedules and neighbours for
 * strategies, for mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_STRATEGIES_MOVES_PRIVATE_H
#define CAIRN_MCTS_STRATEGIES_MOVES_PRIVATE_H

#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include <cairn/mcts.h>

#include "mcts/mcts-private.h"

typedef struct cairn_mcts_moves {
  cairn_dag_moves *moves;
  cairn_dag_sampler *sampler;
  cairn_dag_item *out; /* the neighbour or draw made last */
  /* a walk through all neighbours of one schedule, in random order */
  uint32_t *order;
  size_t orders, order_capacity, next;
} cairn_mcts_moves;

/* Start with {0}; free also after a failure. */
cairn_status cairn_mcts__moves_create(cairn_mcts_moves *m, cairn_mcts *search);
void cairn_mcts__moves_free(cairn_mcts_moves *m);
/* A random schedule, measured or not, in search->candidate. */
cairn_status cairn_mcts__moves_draw(cairn_mcts *search, cairn_mcts_moves *m,
                                    uint32_t *record_p);
/* A random unmeasured one in search->candidate; after many draws of measured
 * ones, the next of the sweep. */
cairn_status cairn_mcts__moves_fresh(cairn_mcts *search, cairn_mcts_moves *m);
/* To begin with: the fastest of an earlier run, else program order; left in
 * search->candidate. */
cairn_status cairn_mcts__moves_first(cairn_mcts *search, cairn_mcts_moves *m);
/* A random neighbour of items in search->candidate; *record_p as by
 * cairn_mcts__canonical.  CAIRN_FINDINGS when there is none. */
cairn_status cairn_mcts__moves_random(cairn_mcts *search, cairn_mcts_moves *m,
                                      const cairn_dag_item *items, size_t count,
                                      uint32_t *record_p);
/* Begins with the neighbours of a schedule, in random order ... */
cairn_status cairn_mcts__moves_begin(cairn_mcts *search, cairn_mcts_moves *m,
                                     const cairn_dag_item *items, size_t count);
/* ... and gives the next; CAIRN_EXHAUSTED after the last. */
cairn_status cairn_mcts__moves_next(cairn_mcts *search, cairn_mcts_moves *m,
                                    uint32_t *record_p);

#endif

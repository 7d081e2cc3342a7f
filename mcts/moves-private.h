/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/moves-private.h - random schedules and neighbours for strategies, for
 * mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_MOVES_PRIVATE_H
#define CAIRN_MCTS_MOVES_PRIVATE_H

#include <cairn/dag-moves.h>

#include "mcts/mcts-private.h"
#include "mcts/model-private.h"

typedef struct cairn_mcts_moves {
  cairn_dag_moves *moves;
  cairn_dag_item *out; /* the neighbour or draw made last */
} cairn_mcts_moves;

/* Start with {0}; free also after a failure. */
cairn_status cairn_mcts__moves_create(cairn_mcts_moves *m, cairn_mcts *search);
void cairn_mcts__moves_free(cairn_mcts_moves *m);
/* A random schedule, measured or not, not canonicalized. */
cairn_status cairn_mcts__moves_draw(cairn_mcts *search, cairn_mcts_moves *m,
                                    const cairn_dag_item **items_p,
                                    size_t *count_p);
/* A random unmeasured one in search->candidate; after many draws of measured
 * ones, the next of the sweep. */
cairn_status cairn_mcts__moves_fresh(cairn_mcts *search, cairn_mcts_moves *m);
/* Of `draws` random ones the unmeasured one farthest, in bits, from all
 * measured. */
cairn_status cairn_mcts__moves_spread(cairn_mcts *search, cairn_mcts_moves *m,
                                      cairn_mcts_model *model, int draws);
#endif

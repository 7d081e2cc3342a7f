/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/local-private.h - first-improvement local search, a part of
 * several strategies; for mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_STRATEGIES_LOCAL_PRIVATE_H
#define CAIRN_MCTS_STRATEGIES_LOCAL_PRIVATE_H

#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

typedef struct cairn_mcts_local {
  cairn_mcts_moves moves;
  uint32_t at;       /* record of the schedule it stands on; NONE: nowhere */
  uint32_t patience; /* measurements without gain after which it stops */
  uint32_t vain;     /* measured since the last gain */
} cairn_mcts_local;

/* Stands on a measured schedule. */
cairn_status cairn_mcts__local_begin(cairn_mcts *search,
                                     cairn_mcts_local *local, uint32_t record);
/* Goes on, over measured neighbours for nothing, until an unmeasured one is in
 * search->candidate.  CAIRN_EXHAUSTED: at a local optimum, or out of
 * patience. */
cairn_status cairn_mcts__local_next(cairn_mcts *search,
                                    cairn_mcts_local *local);
/* The result of that neighbour: goes there when it is better. */
cairn_status cairn_mcts__local_told(cairn_mcts *search, cairn_mcts_local *local,
                                    uint32_t record);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/guided-private.h - a search that asks a model before it
 * measures: the whole of strategies "guided" and "gp", which differ in their
 * settings; for mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_STRATEGIES_GUIDED_PRIVATE_H
#define CAIRN_MCTS_STRATEGIES_GUIDED_PRIVATE_H

#include "mcts/model/model-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

typedef struct cairn_mcts_guided_settings {
  size_t spread;   /* schedules of the first, spread-out sample */
  size_t parents;  /* fastest schedules whose neighbours are asked about */
  size_t moves;    /* neighbours of each, at most */
  size_t draws;    /* random schedules asked about */
  size_t climb;    /* neighbours asked about on the way up from the best */
  size_t limit;    /* samples of the process */
  double boldness; /* factor of the spread of a guess */
  double rate;     /* of the machine's learning; 0: no machine */
} cairn_mcts_guided_settings;

cairn_status
cairn_mcts__guided_create(cairn_mcts *search,
                          const cairn_mcts_guided_settings *settings);
void cairn_mcts__guided_destroy(cairn_mcts *search);
cairn_status cairn_mcts__guided_next(cairn_mcts *search);

#endif

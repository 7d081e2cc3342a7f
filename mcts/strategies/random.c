/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/random.c - uniform schedules; the baseline of every
 * study, and the shortest strategy with a state: made for copying.
 */
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

static cairn_status create(cairn_mcts *search) {
  cairn_mcts_moves *const moves = cairn_base_zalloc(1, sizeof *moves);
  search->state = moves;
  return moves ? cairn_mcts__moves_create(moves, search) : CAIRN_NOMEM;
}

static void destroy(cairn_mcts *search) {
  if (search->state)
    cairn_mcts__moves_free(search->state);
  cairn_base_free(search->state);
}

static cairn_status next(cairn_mcts *search) {
  return cairn_mcts__moves_fresh(search, search->state);
}

const cairn_mcts_policy cairn_mcts__random = {
    {"random",
     "uniform schedules where the space can be counted, nearly so elsewhere",
     "the baseline; see dag-sample.h", NULL, 0, 0},
    create,
    destroy,
    next,
    NULL};

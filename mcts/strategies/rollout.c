/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/rollout.c - random descents: every item uniform
 * among the legal ones, finished subtrees left out.  A biased sampler (see
 * "random" for uniform schedules), kept for comparison; the shortest strategy
 * on a tree, made for copying.
 */
#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

static cairn_status create(cairn_mcts *search) {
  return cairn_mcts__tree_create(search, NULL, 0,
                                 (cairn_mcts_tree **)&search->state);
}

const cairn_mcts_policy cairn_mcts__rollout = {
    {"rollout", "random descents down the tree of prefixes",
     "the random sampling named by Pearson and Javeed, 2022", NULL, 0, 0},
    create,
    cairn_mcts__tree_destroy,
    cairn_mcts__tree_next,
    cairn_mcts__tree_told};

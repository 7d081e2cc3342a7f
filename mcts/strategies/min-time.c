/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/min-time.c - tree search for speed: prefixes under
 * which the fastest schedule was seen are refined.
 *
 * Pearson and Javeed: Machine learning for CUDA+MPI design rules (2022).
 */
#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

/* 1 for the fastest of all, 0 for the slowest. */
static double value(const cairn_mcts_tree *tree, const cairn_mcts_node *parent,
                    const cairn_mcts_node *child) {
  const cairn_mcts_node *const root = tree->node;
  const double range = root->slowest_s - root->fastest_s;
  double x;
  (void)parent;
  if (!(range > 0))
    return 1;
  x = 1 - (child->fastest_s - root->fastest_s) / range;
  return x > 0 ? (x < 1 ? x : 1) : 0; /* no time at all: 0 */
}

static cairn_status create(cairn_mcts *search) {
  return cairn_mcts__tree_create(search, value, search->tune[0],
                                 (cairn_mcts_tree **)&search->state);
}

static const cairn_mcts_tunable tunable[] = {
    {"c", 1.4142135623730951, 0, 1000, 0, "weight of exploration"}};

const cairn_mcts_policy cairn_mcts__min_time = {
    {"min-time", "tree search (UCT) towards the fastest schedule seen",
     "Pearson and Javeed, Machine learning for CUDA+MPI design rules, 2022",
     tunable, 1, 0},
    create,
    cairn_mcts__tree_destroy,
    cairn_mcts__tree_next,
    cairn_mcts__tree_told};

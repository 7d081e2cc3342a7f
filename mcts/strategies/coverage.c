/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/coverage.c - tree search for range: prefixes under
 * which times differ most, relative to their parent's, are refined.  It finds
 * what makes schedules fast or slow, rather than the fastest alone.
 *
 * Pearson and Javeed: Machine learning for CUDA+MPI design rules (2022).
 */
#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

static double clamp(double x) { return x < 0 ? 0 : x > 1 ? 1 : x; }

/* The share of the parent's range that lies under the child.  A child with one
 * time: the distance to the farther end of the parent's range. */
static double value(const cairn_mcts_tree *tree, const cairn_mcts_node *parent,
                    const cairn_mcts_node *child) {
  const double range = parent->slowest_s - parent->fastest_s;
  double part = child->slowest_s - child->fastest_s;
  (void)tree;
  if (!(range > 0))
    return 1;
  if (!(part >= 0)) /* no time at all: its schedules fail */
    return 0;
  if (!(part > 0)) {
    const double up = parent->slowest_s - child->fastest_s;
    const double down = child->fastest_s - parent->fastest_s;
    part = up > down ? up : down;
  }
  return clamp(part / range);
}

static cairn_status create(cairn_mcts *search) {
  return cairn_mcts__tree_create(search, value, search->tune[0],
                                 (cairn_mcts_tree **)&search->state);
}

static const cairn_mcts_tunable tunable[] = {
    {"c", 1.4142135623730951, 0, 1000, 0, "weight of exploration"}};

const cairn_mcts_policy cairn_mcts__coverage = {
    {"coverage",
     "tree search (UCT) towards prefixes with the widest range of times",
     "Pearson and Javeed, Machine learning for CUDA+MPI design rules, 2022",
     tunable, 1, 0},
    create,
    cairn_mcts__tree_destroy,
    cairn_mcts__tree_next,
    cairn_mcts__tree_told};

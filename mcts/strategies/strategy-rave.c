/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy-rave.c - tree search that shares what it learns
 * between branches: the mean time of all schedules in which item y came right
 * after item x (all moves as first) stands in for a child's own mean until the
 * child has been visited often.
 *
 * Gelly and Silver: Monte-Carlo tree search and rapid action value estimation
 * in computer Go (2011).
 */
#include <math.h>
#include <string.h>

#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

enum { BITS = 14 };
enum { TUNE_C, TUNE_EQUIVALENT };

/* Sums by hash of (item before, item); collisions are tolerated. */
typedef struct cairn_mcts_amaf {
  double sum[1 << BITS], equivalent;
  uint32_t count[1 << BITS];
} amaf;

typedef struct rave {
  cairn_mcts_tree *tree;
  amaf amaf;
} rave;

static size_t slot(cairn_dag_item before, cairn_dag_item item) {
  uint32_t a, b;
  memcpy(&a, &before, sizeof a);
  memcpy(&b, &item, sizeof b);
  return (size_t)(((uint64_t)a * 0x9e3779b97f4a7c15u ^
                   (uint64_t)b * 0xc2b2ae3d27d4eb4fu) *
                      0x9e3779b97f4a7c15u >>
                  (64 - BITS));
}

static double scaled(const cairn_mcts_node *root, double time_s) {
  const double range = root->slowest_s - root->fastest_s;
  const double x = range > 0 ? 1 - (time_s - root->fastest_s) / range : 1;
  return x > 0 ? x : 0;
}

static double value(const cairn_mcts_tree *tree, const cairn_mcts_node *parent,
                    const cairn_mcts_node *child) {
  const size_t i = slot(parent->item, child->item);
  const double k = tree->amaf->equivalent;
  const double beta = sqrt(k / (3 * (double)child->visits + k));
  const double own = scaled(tree->node, child->fastest_s);
  if (!tree->amaf->count[i])
    return own;
  return (1 - beta) * own +
         beta * scaled(tree->node, tree->amaf->sum[i] / tree->amaf->count[i]);
}

static cairn_status create(cairn_mcts *search) {
  rave *const s = cairn_base_zalloc(1, sizeof *s);
  cairn_status status;
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->amaf.equivalent = search->tune[TUNE_EQUIVALENT];
  status =
      cairn_mcts__tree_create(search, value, search->tune[TUNE_C], &s->tree);
  if (!status)
    s->tree->amaf = &s->amaf;
  return status;
}

static void destroy(cairn_mcts *search) {
  rave *const s = search->state;
  if (s)
    cairn_mcts__tree_free(s->tree);
  cairn_base_free(s);
}

static void backup(rave *s, double time_s) {
  const cairn_mcts_tree *const tree = s->tree;
  cairn_mcts__tree_backup(s->tree, time_s);
  if (isnan(time_s))
    return;
  for (size_t k = 1; k < tree->path_count; k++) {
    const size_t i = slot(tree->node[tree->path[k - 1]].item,
                          tree->node[tree->path[k]].item);
    s->amaf.sum[i] += time_s;
    s->amaf.count[i]++;
  }
}

static cairn_status next(cairn_mcts *search) {
  rave *const s = search->state;
  for (;;) {
    uint32_t record;
    cairn_status status;
    if (cairn_mcts__tick(search))
      return CAIRN_EXHAUSTED;
    if ((status = cairn_mcts__tree_descend(search, s->tree)) ||
        (status = cairn_mcts__canonical_walk(search, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    backup(s, cairn_mcts__time(search, record));
  }
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  backup(search->state, cairn_mcts__time(search, record));
  return CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"c", 0.5, 0, 1000, 0, "weight of exploration"},
    {"equivalent", 20, 0, 1e9, 0,
     "visits at which own and shared count alike"}};

const cairn_mcts_policy cairn_mcts__rave = {
    {"rave", "tree search that shares values of item pairs between branches",
     "Gelly and Silver, Rapid action value estimation in computer Go, 2011",
     tunable, 2, 0},
    create,
    destroy,
    next,
    told};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy-memetic.c - tree search whose rollouts end in a
 * local descent; the best time of the descent is backed up.
 *
 * Moscato: On evolution, search, optimization, genetic algorithms and martial
 * arts: towards memetic algorithms (1989), on the tree of strategy "min-time".
 */
#include <math.h>

#include "mcts/strategies/local-private.h"
#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

typedef struct memetic {
  cairn_mcts_tree *tree;
  cairn_mcts_local local;
  int descending;
} memetic;

enum { C, PATIENCE };

/* 1 for the fastest of all, 0 for the slowest. */
static double value(const cairn_mcts_tree *tree, const cairn_mcts_node *parent,
                    const cairn_mcts_node *child) {
  const double range = tree->node->slowest_s - tree->node->fastest_s;
  (void)parent;
  if (!(range > 0))
    return 1;
  if (!(child->fastest_s < INFINITY))
    return 0;
  return 1 - (child->fastest_s - tree->node->fastest_s) / range;
}

static cairn_status create(cairn_mcts *search) {
  memetic *const s = cairn_base_zalloc(1, sizeof *s);
  cairn_status status;
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->local.patience = (uint32_t)search->tune[PATIENCE];
  status = cairn_mcts__tree_create(search, value, search->tune[C], &s->tree);
  return status ? status : cairn_mcts__moves_create(&s->local.moves, search);
}

static void destroy(cairn_mcts *search) {
  memetic *const s = search->state;
  if (!s)
    return;
  cairn_mcts__tree_free(s->tree);
  cairn_mcts__moves_free(&s->local.moves);
  cairn_base_free(s);
}

static cairn_status next(cairn_mcts *search) {
  memetic *const s = search->state;
  for (;;) {
    uint32_t record;
    cairn_status status;
    if (s->descending) {
      status = cairn_mcts__local_next(search, &s->local);
      if (status != CAIRN_EXHAUSTED)
        return status;
      s->descending = 0;
      cairn_mcts__tree_backup(s->tree, cairn_mcts__time(search, s->local.at));
    }
    if (cairn_mcts__tick(search))
      return CAIRN_EXHAUSTED;
    if ((status = cairn_mcts__tree_descend(search, s->tree)) ||
        (status = cairn_mcts__canonical_walk(search, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    cairn_mcts__tree_backup(s->tree, cairn_mcts__time(search, record));
  }
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  memetic *const s = search->state;
  if (s->descending)
    return cairn_mcts__local_told(search, &s->local, record);
  s->descending = 1;
  return cairn_mcts__local_begin(search, &s->local, record);
}

static const cairn_mcts_tunable tunable[] = {
    {"c", 0.5, 0, 1000, 0, "weight of exploration"},
    {"patience", 12, 1, 1e6, 1,
     "measurements without gain that end a descent"}};

const cairn_mcts_policy cairn_mcts__memetic = {
    {"memetic", "tree search whose rollouts end in a local descent",
     "Moscato, Towards memetic algorithms, 1989; Kocsis and Szepesvari, 2006",
     tunable, 2, 0},
    create,
    destroy,
    next,
    told};

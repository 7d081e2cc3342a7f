/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/tree/tree.c - Monte-Carlo tree search over prefixes.
 *
 * Selection: from the root, as long as every extension has a child, to the
 * unexplored child of the highest score (Kocsis and Szepesvari 2006, Bandit
 * based Monte-Carlo planning); ties by the seeded generator.  Expansion: an
 * extension without a child, uniformly.  Rollout: uniform extensions to the
 * end, whose nodes stay in the tree.  Backup: visits, fastest and slowest.
 *
 * A rollout does not count the extensions it passes, so a node learns their
 * number when selection first enters it.  Only then can it be found explored;
 * selection then steps back to its parent and chooses again.
 */
#include <math.h>
#include <string.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/tree/tree-private.h"
#include <cairn/mcts.h>

void cairn_mcts__tree_free(cairn_mcts_tree *tree) {
  if (!tree)
    return;
  cairn_base_free(tree->node);
  cairn_base_free(tree->path);
  cairn_base_free(tree->taken);
  cairn_base_free(tree);
}

/* The caller has reserved room for it. */
static uint32_t add_node(cairn_mcts_tree *tree, uint32_t parent,
                         cairn_dag_item item, uint16_t index) {
  const uint32_t id = (uint32_t)tree->nodes++;
  cairn_mcts_node *const node = tree->node + id;
  *node = (cairn_mcts_node){.fastest_s = INFINITY,
                            .slowest_s = -INFINITY,
                            .parent = parent,
                            .child = CAIRN_MCTS_NONE,
                            .sibling = CAIRN_MCTS_NONE,
                            .item = item,
                            .index = index};
  if (parent != CAIRN_MCTS_NONE) {
    node->sibling = tree->node[parent].child;
    tree->node[parent].child = id;
    tree->node[parent].children++;
  }
  return id;
}

cairn_status cairn_mcts__tree_create(cairn_mcts *search, cairn_mcts_value value,
                                     double c, cairn_mcts_tree **tree_p) {
  cairn_mcts_tree *const tree = cairn_base_zalloc(1, sizeof *tree);
  cairn_status status;
  if (!tree)
    return CAIRN_NOMEM;
  *tree_p = tree;
  tree->value = value;
  tree->c = c;
  tree->path = cairn_base_alloc(search->max_items, sizeof *tree->path);
  /* A prefix has at most this many extensions: a record or wait for each GPU
   * op and stream, an op on each stream. */
  tree->taken_words = cairn_base__bits_words(UINT16_MAX);
  tree->taken = cairn_base_zalloc(tree->taken_words, sizeof *tree->taken);
  if (!tree->path || !tree->taken)
    return CAIRN_NOMEM;
  status = cairn_base_reserve(&tree->node, &tree->capacity, 1024,
                              sizeof *tree->node);
  if (!status)
    add_node(tree, CAIRN_MCTS_NONE, (cairn_dag_item){CAIRN_DAG_ITEM_CPU, 0, 0},
             0);
  return status;
}

double cairn_mcts__tree_score(const cairn_mcts_tree *tree, uint32_t parent,
                              uint32_t child) {
  const cairn_mcts_node *const p = tree->node + parent;
  const cairn_mcts_node *const n = tree->node + child;
  return tree->value(tree, p, n) +
         tree->c * sqrt(log((double)p->visits) / (double)n->visits);
}

/* ---- selection ---- */

/* A child made by a rollout learns its place among the extensions. */
static void resolve(cairn_mcts_node *child, const cairn_dag_item *item,
                    size_t count) {
  for (size_t i = 0; i < count; i++)
    if (!memcmp(&child->item, item + i, sizeof *item)) {
      child->index = (uint16_t)i;
      return;
    }
}

static void enter(cairn_mcts_tree *tree, uint32_t id,
                  const cairn_dag_item *item, size_t count) {
  cairn_mcts_node *const node = tree->node + id;
  if (node->extensions)
    return;
  node->extensions = (uint16_t)count;
  for (uint32_t c = node->child; c != CAIRN_MCTS_NONE;
       c = tree->node[c].sibling)
    if (tree->node[c].index == CAIRN_MCTS_UNRESOLVED)
      resolve(tree->node + c, item, count);
}

static void mark_explored(cairn_mcts_tree *tree, uint32_t id) {
  cairn_mcts_node *const node = tree->node + id;
  node->explored = 1;
  if (node->parent != CAIRN_MCTS_NONE)
    tree->node[node->parent].explored_children++;
}

/* A uniform one of the extensions that have no child (explored_too = 0), or
 * whose child is not explored (explored_too = 1); there is one. */
static uint16_t pick_free(cairn_mcts *search, cairn_mcts_tree *tree,
                          uint32_t id, size_t count, int only_explored) {
  const cairn_mcts_node *const node = tree->node + id;
  const size_t words = cairn_base__bits_words(count);
  uint32_t left = (uint32_t)count, nth;
  memset(tree->taken, 0, words * sizeof *tree->taken);
  for (uint32_t c = node->child; c != CAIRN_MCTS_NONE;
       c = tree->node[c].sibling)
    if (!only_explored || tree->node[c].explored) {
      cairn_base__bits_set(tree->taken, tree->node[c].index);
      left--;
    }
  nth = cairn_base__rng_below(&search->rng, left);
  for (size_t w = 0; w < words; w++) {
    uint64_t clear = ~tree->taken[w];
    const unsigned here = cairn_base__bits_popcount(clear);
    if (nth >= here) {
      nth -= here;
      continue;
    }
    while (nth--)
      clear &= clear - 1;
    return (uint16_t)(w * 64 + cairn_base__bits_lowest(clear));
  }
  return 0; /* not reached */
}

/* The unexplored child of the highest score; there is one. */
static uint32_t pick_best(cairn_mcts *search, const cairn_mcts_tree *tree,
                          uint32_t id) {
  const double log_visits = log((double)tree->node[id].visits);
  uint32_t best = CAIRN_MCTS_NONE, ties = 0;
  double best_score = -INFINITY;
  for (uint32_t c = tree->node[id].child; c != CAIRN_MCTS_NONE;
       c = tree->node[c].sibling) {
    const cairn_mcts_node *const n = tree->node + c;
    double score;
    if (n->explored)
      continue;
    score = tree->value(tree, tree->node + id, n) +
            tree->c * sqrt(log_visits / (double)n->visits);
    if (score > best_score || best == CAIRN_MCTS_NONE) {
      best = c;
      best_score = score;
      ties = 1;
    } else if (!(score < best_score) &&
               !cairn_base__rng_below(&search->rng, ++ties)) {
      best = c;
    }
  }
  return best;
}

static uint32_t find_child(const cairn_mcts_tree *tree, uint32_t id,
                           uint16_t index) {
  uint32_t c = tree->node[id].child;
  while (c != CAIRN_MCTS_NONE && tree->node[c].index != index)
    c = tree->node[c].sibling;
  return c;
}

/* The child to go to from an entered, unexplored node; made when new. */
static uint32_t choose(cairn_mcts *search, cairn_mcts_tree *tree, uint32_t id,
                       const cairn_dag_item *item, size_t count) {
  const cairn_mcts_node *const node = tree->node + id;
  uint32_t child = CAIRN_MCTS_NONE;
  uint16_t index;
  if (tree->value && node->children == node->extensions)
    return pick_best(search, tree, id);
  index = pick_free(search, tree, id, count, !tree->value);
  if (!tree->value)
    child = find_child(tree, id, index);
  return child != CAIRN_MCTS_NONE ? child
                                  : add_node(tree, id, item[index], index);
}

/* From a new node to the end; its nodes stay. */
static void roll_out(cairn_mcts *search, cairn_mcts_tree *tree) {
  size_t from, to;
  const cairn_dag_item *item;
  cairn_dag__walk_items(search->walk, &from);
  if (!cairn_dag__walk_complete(search->walk))
    cairn_dag__walk_rollout(search->walk, &search->rng);
  item = cairn_dag__walk_items(search->walk, &to);
  for (size_t i = from; i < to; i++) {
    const uint32_t parent = tree->path[tree->path_count - 1];
    tree->path[tree->path_count++] =
        add_node(tree, parent, item[i], CAIRN_MCTS_UNRESOLVED);
  }
  mark_explored(tree, tree->path[tree->path_count - 1]);
}

cairn_status cairn_mcts__tree_descend(cairn_mcts *search,
                                      cairn_mcts_tree *tree) {
  cairn_status status =
      cairn_base_reserve(&tree->node, &tree->capacity,
                         tree->nodes + search->max_items, sizeof *tree->node);
  if (status)
    return status;
  cairn_dag__walk_reset(search->walk);
  tree->path[0] = 0;
  tree->path_count = 1;
  while (!tree->node[0].explored) {
    const uint32_t id = tree->path[tree->path_count - 1];
    size_t count;
    const cairn_dag_item *const item =
        cairn_dag__walk_extensions(search->walk, &count);
    const size_t before = tree->nodes;
    uint32_t child;
    enter(tree, id, item, count);
    if (tree->node[id].explored_children == count) {
      mark_explored(tree, id);
      if (id) {
        tree->path_count--;
        cairn_dag__walk_pop(search->walk);
      }
      continue;
    }
    child = choose(search, tree, id, item, count);
    tree->path[tree->path_count++] = child;
    cairn_dag__walk_push(search->walk, tree->node[child].item);
    if (tree->nodes > before) {
      roll_out(search, tree);
      search->stats.nodes = tree->nodes;
      search->stats.node_bytes = tree->nodes * sizeof *tree->node;
      return CAIRN_OK;
    }
  }
  return CAIRN_EXHAUSTED;
}

void cairn_mcts__tree_backup(cairn_mcts_tree *tree, double time_s) {
  for (size_t i = 0; i < tree->path_count; i++) {
    cairn_mcts_node *const node = tree->node + tree->path[i];
    node->visits++;
    if (time_s < node->fastest_s)
      node->fastest_s = time_s;
    if (time_s > node->slowest_s)
      node->slowest_s = time_s;
  }
}

/* ---- hooks ---- */

cairn_status cairn_mcts__tree_next(cairn_mcts *search) {
  cairn_mcts_tree *const tree = search->state;
  for (;;) {
    uint32_t record;
    cairn_status status;
    if (cairn_mcts__tick(search))
      return CAIRN_EXHAUSTED;
    if ((status = cairn_mcts__tree_descend(search, tree)) ||
        (status = cairn_mcts__canonical_walk(search, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    cairn_mcts__tree_backup(tree, cairn_mcts__time(search, record));
  }
}

cairn_status cairn_mcts__tree_told(cairn_mcts *search, uint32_t record) {
  cairn_mcts__tree_backup(search->state, cairn_mcts__time(search, record));
  return CAIRN_OK;
}

void cairn_mcts__tree_destroy(cairn_mcts *search) {
  cairn_mcts__tree_free(search->state);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/tree/tree-private.h - the search tree, for mcts/ and tests/mcts only.
 *
 * A node stands for a prefix; its children for prefixes longer by one item.
 * Nodes live in one array and know each other by number, so the array may
 * move.  Children are a linked list and are made when first visited; how many
 * extensions a node has is known once selection came through it.  A node is
 * explored when it is complete, or all its extensions have children and these
 * are explored; explored nodes are never entered again.
 */
#ifndef CAIRN_MCTS_TREE_TREE_PRIVATE_H
#define CAIRN_MCTS_TREE_TREE_PRIVATE_H

#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

#define CAIRN_MCTS_UNRESOLVED UINT16_MAX

typedef struct cairn_mcts_node {
  double fastest_s, slowest_s; /* of the times backed up; +inf, -inf: none */
  uint32_t parent, child, sibling; /* NONE: there is none */
  uint32_t visits;
  cairn_dag_item item;
  uint16_t index;      /* of the item among the parent's extensions */
  uint16_t extensions; /* 0: not known yet */
  uint16_t children, explored_children;
  uint8_t explored;
} cairn_mcts_node;

typedef struct cairn_mcts_tree cairn_mcts_tree;

/* Value of a child, higher is better; see the strategies. */
typedef double (*cairn_mcts_value)(const cairn_mcts_tree *tree,
                                   const cairn_mcts_node *parent,
                                   const cairn_mcts_node *child);

struct cairn_mcts_tree {
  cairn_mcts_node *node; /* node[0] is the root: the prefix "start" */
  size_t nodes, capacity;
  uint32_t *path; /* of the last descent, root first */
  size_t path_count;
  uint64_t *taken; /* bit set over extensions, scratch */
  size_t taken_words;
  cairn_mcts_value value; /* NULL: uniform descents */
  double c;               /* weight of exploration */
};

cairn_status cairn_mcts__tree_create(cairn_mcts *search, cairn_mcts_value value,
                                     double c, cairn_mcts_tree **tree_p);
void cairn_mcts__tree_free(cairn_mcts_tree *tree);
/* One descent of search->walk, selection and rollout: afterwards the walk is
 * complete and tree->path leads to its leaf.  CAIRN_EXHAUSTED: the root is
 * explored. */
cairn_status cairn_mcts__tree_descend(cairn_mcts *search,
                                      cairn_mcts_tree *tree);
/* Backs a time up along the path; NAN: a visit without a time. */
void cairn_mcts__tree_backup(cairn_mcts_tree *tree, double time_s);
/* Score of a child: value + c sqrt(ln parent's visits / child's visits). */
double cairn_mcts__tree_score(const cairn_mcts_tree *tree, uint32_t parent,
                              uint32_t child);

/* Hooks of a strategy whose state is one tree: descends until it is at an
 * unmeasured schedule, backing up the known times of measured ones. */
cairn_status cairn_mcts__tree_next(cairn_mcts *search);
cairn_status cairn_mcts__tree_told(cairn_mcts *search, uint32_t record);
void cairn_mcts__tree_destroy(cairn_mcts *search);

#endif

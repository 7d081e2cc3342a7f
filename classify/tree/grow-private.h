/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/tree/grow-private.h - a tree while it grows.
 *
 * A leaf that may still be split ("open") holds its rows as a bit set and, for
 * every feature and class, how many of its rows have the feature.
 * Invariant: count[f * classes + c] of an open leaf = number of rows r in it
 * with label c and bit r of column f set.
 */
#ifndef CAIRN_CLASSIFY_TREE_GROW_PRIVATE_H
#define CAIRN_CLASSIFY_TREE_GROW_PRIVATE_H

#include "classify/data/count-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

#define CAIRN_CLASSIFY__TIE 1e-12 /* decreases nearer than this are equal */

typedef struct cairn_classify__open_leaf {
  uint64_t *member; /* words */
  uint32_t *count;  /* features * classes */
  double decrease;  /* of the best split; < 0: none */
  uint32_t feature;
} cairn_classify__open_leaf;

typedef struct cairn_classify__grower cairn_classify__grower;

/* Sets feature and decrease of an open leaf whose gains are in g->gain: of the
 * splits that gain most the one that leads to the shortest tree. */
typedef cairn_status cairn_classify__try_splits(const cairn_classify__grower *g,
                                                uint32_t id);

struct cairn_classify__grower {
  const cairn_classify_table *table;
  const cairn_classify_tree_options *options;
  cairn_classify__kernel *kernel;
  cairn_classify_tree *tree;
  uint64_t *class_bits, *masks;           /* classes * words each */
  double *weight;                         /* of a row of each class */
  double total;                           /* weight of all rows */
  cairn_classify__try_splits *try_splits; /* near the root; NULL: greedy */
  unsigned tries;                         /* splits tried there */
  cairn_classify__open_leaf *open;        /* for each node */
  size_t node_room;
  uint32_t *ahead;           /* features * classes, scratch */
  double *gain, *gain_ahead; /* features; gain: of the leaf looked at */
};

/* The greedy tree, or with try_splits the one made by trying so many splits at
 * each node near the root. */
cairn_status cairn_classify__grow(const cairn_classify_table *table,
                                  const cairn_classify_tree_options *options,
                                  cairn_classify__try_splits *try_splits,
                                  unsigned tries, cairn_classify_tree **tree_p);

/* The greedy tree of some rows of a growing one, `depth` below its root, as far
 * as it goes, with its weights. */
cairn_status cairn_classify__grow_part(const cairn_classify__grower *from,
                                       const uint64_t *member, size_t depth,
                                       cairn_classify_tree **tree_p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-tree.h - a classification tree over yes/no features.
 *
 * CART (Breiman et al., 1984) grown best first: the leaf whose split lowers
 * the weighted impurity most is split next.  Splits are counted by popcount
 * over bit columns; of two siblings only the smaller is counted, the other is
 * the difference.  Of equally good splits the one whose children can be split
 * best is taken, then the first; of equally good leaves the older: a tree is a
 * function of its data alone.
 *
 * A greedy choice near the root can cost many leaves below.  So, unless a
 * number of leaves is asked for, several of the best splits of the root and of
 * its children are tried: the one whose subtree, completed greedily, has the
 * fewest leaves and misclassified rows is taken (the idea of Esmeir and
 * Markovitch, "Anytime learning of decision trees", 2007).  From few schedules
 * a shorter tree is a better one.  The plain tree is kept when it is as short,
 * or when it is more accurate with as many leaves.
 *
 * Because a tree of L leaves is at most L - 1 deep, the tree with L leaves is
 * the tree with L - 1 leaves and one more split: growing once gives them all.
 * Node 0 is the root; the k-th split (k = 0, 1, ...) made the nodes 2k + 1
 * (feature = 0) and 2k + 2 (feature = 1).  The tree of L leaves is the first
 * 2L - 1 nodes.
 */
#ifndef CAIRN_CLASSIFY_TREE_H
#define CAIRN_CLASSIFY_TREE_H

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_CLASSIFY_MAX_CLASSES 256

typedef enum cairn_classify_criterion {
  CAIRN_CLASSIFY_ENTROPY, /* in bits */
  CAIRN_CLASSIFY_GINI
} cairn_classify_criterion;

typedef struct cairn_classify_tree_options {
  cairn_classify_criterion criterion;
  int balanced;        /* classes weigh n / (classes * n_class) each */
  size_t leaves;       /* grow up to; 0: Algorithm 1 chooses */
  size_t depth;        /* at most; 0: no limit */
  double min_decrease; /* a split's N_t/N * decrease of impurity, at least */
  unsigned tries;      /* splits tried near the root, when leaves = 0 and the
                          table is not large; 0 or 1: plain CART */
} cairn_classify_tree_options;

CAIRN_API void
cairn_classify_tree_defaults(cairn_classify_tree_options *options);

/* The rows a tree is grown on. */
typedef struct cairn_classify_table {
  const uint64_t *columns; /* features * words, as cairn_classify_features */
  size_t features, rows, words;
  const uint64_t *use;   /* rows to grow on, a bit set; NULL: all */
  const uint16_t *label; /* class of each row, below `classes` */
  unsigned classes;      /* 1..CAIRN_CLASSIFY_MAX_CLASSES */
} cairn_classify_table;

typedef struct cairn_classify_node {
  uint32_t feature; /* UINT32_MAX: never split */
  uint32_t child;   /* node for feature = 0; child + 1 for feature = 1; 0:
                       never split */
  uint32_t parent;  /* of the root: UINT32_MAX */
  uint32_t samples;
  uint16_t depth;
  uint16_t label; /* class of the largest weight, the faster on ties */
  double impurity, weight;
} cairn_classify_node;

/* Free with cairn_classify_tree_free. */
typedef struct cairn_classify_tree {
  unsigned classes;
  size_t count;  /* nodes grown: 2 * grown leaves - 1 */
  size_t leaves; /* leaves in use: the tree is the first 2 * leaves - 1 */
  cairn_classify_node *node;
  uint32_t *samples;       /* count * classes: rows of each class */
  uint32_t *misclassified; /* [L - 1]: training rows wrong with L leaves */
  double *error;           /* [L - 1]: the same, weighted, as a share */
} cairn_classify_tree;

/* Grows a tree.  leaves = 0: Algorithm 1 of the paper: start with as many
 * leaves as classes, try 1, 2, 3 and 5 more, take the first that lowers the
 * number misclassified, until none does or 5 * classes are reached.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_tree_grow(
    const cairn_classify_table *table,
    const cairn_classify_tree_options *options, cairn_classify_tree **tree_p);
CAIRN_API void cairn_classify_tree_free(cairn_classify_tree *tree);

/* Leaves and depth in use. */
CAIRN_API int cairn_classify_tree_is_leaf(const cairn_classify_tree *tree,
                                          size_t node);
CAIRN_API size_t cairn_classify_tree_depth(const cairn_classify_tree *tree);

/* Classes of the rows of any columns with the same features: label[rows]. */
CAIRN_API void cairn_classify_tree_predict(const cairn_classify_tree *tree,
                                           const uint64_t *columns,
                                           size_t words, size_t rows,
                                           uint16_t *label);
/* The leaf each row ends in: leaf[rows]. */
CAIRN_API void cairn_classify_tree_leaves(const cairn_classify_tree *tree,
                                          const uint64_t *columns, size_t words,
                                          size_t rows, uint32_t *leaf);

/* Name of the popcount in use: "avx512", "popcnt" or "portable". */
CAIRN_API const char *cairn_classify_tree_kernel(void);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/tree/tree-private.h - a classification tree over yes/no features.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_TREE_TREE_PRIVATE_H
#define CAIRN_CLASSIFY_TREE_TREE_PRIVATE_H

#include <cairn/classify.h>

void cairn_classify__tree_defaults(cairn_classify_tree_options *options);

/* Grows a tree.  leaves = 0: Algorithm 1 of the paper: start with as many
 * leaves as classes, try 1, 2, 3 and 5 more, take the first that lowers the
 * number misclassified, until none does or 5 * classes are reached.
 * CAIRN_NOMEM. */
cairn_status
cairn_classify__tree_grow(const cairn_classify_table *table,
                          const cairn_classify_tree_options *options,
                          cairn_classify_tree **tree_p);
void cairn_classify__tree_free(cairn_classify_tree *tree);

/* Leaves and depth in use. */
int cairn_classify__tree_is_leaf(const cairn_classify_tree *tree, size_t node);
size_t cairn_classify__tree_depth(const cairn_classify_tree *tree);

/* The leaf each row ends in: leaf[rows]. */
void cairn_classify__tree_leaves(const cairn_classify_tree *tree,
                                 const uint64_t *columns, size_t words,
                                 size_t rows, uint32_t *leaf);

/* Name of the popcount in use: "avx512", "popcnt" or "portable". */
const char *cairn_classify__tree_kernel(void);

/* Classes of the rows of any columns with the same features: label[rows]. */
void cairn_classify__tree_predict(const cairn_classify_tree *tree,
                                  const uint64_t *columns, size_t words,
                                  size_t rows, uint16_t *label);

#endif

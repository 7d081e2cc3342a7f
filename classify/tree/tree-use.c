/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/tree/tree-use.c - asking a tree.
 */
#include "base/bits-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

void cairn_classify__tree_free(cairn_classify_tree *tree) {
  if (!tree)
    return;
  cairn_base_free(tree->node);
  cairn_base_free(tree->samples);
  cairn_base_free(tree->misclassified);
  cairn_base_free(tree->error);
  cairn_base_free(tree);
}

int cairn_classify__tree_is_leaf(const cairn_classify_tree *tree, size_t node) {
  const uint32_t child = tree->node[node].child;
  return child == 0 || child >= 2 * tree->leaves - 1;
}

size_t cairn_classify__tree_depth(const cairn_classify_tree *tree) {
  size_t depth = 0;
  for (size_t i = 0; i < 2 * tree->leaves - 1; i++)
    if (tree->node[i].depth > depth)
      depth = tree->node[i].depth;
  return depth;
}

static uint32_t descend(const cairn_classify_tree *tree,
                        const uint64_t *columns, size_t words, size_t row) {
  uint32_t at = 0;
  while (!cairn_classify__tree_is_leaf(tree, at)) {
    const cairn_classify_node *node = &tree->node[at];
    at = node->child +
         (uint32_t)cairn_base__bits_test(columns + node->feature * words, row);
  }
  return at;
}

void cairn_classify__tree_predict(const cairn_classify_tree *tree,
                                  const uint64_t *columns, size_t words,
                                  size_t rows, uint16_t *label) {
  for (size_t r = 0; r < rows; r++)
    label[r] = tree->node[descend(tree, columns, words, r)].label;
}

void cairn_classify__tree_leaves(const cairn_classify_tree *tree,
                                 const uint64_t *columns, size_t words,
                                 size_t rows, uint32_t *leaf) {
  for (size_t r = 0; r < rows; r++)
    leaf[r] = descend(tree, columns, words, r);
}

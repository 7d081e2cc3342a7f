/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/tree/tree-short.c - short trees: near the root several splits are
 * tried.
 *
 * The price of a tree is its leaves and the rows it misclassifies.  The price
 * of a split is that of both children, completed greedily.
 */
#include <string.h>

#include <cairn/classify.h>

#include "classify/tree/grow-private.h"
#include "classify/tree/tree-private.h"

static const size_t MOST_WORDS = 1 << 20; /* of columns: fewer splits are tried
                                             when they hold more */

static size_t price_of(const cairn_classify_tree *tree) {
  return tree->leaves + tree->misclassified[tree->leaves - 1];
}

/* Price of splitting leaf `id` by f. */
static cairn_status price_split(const cairn_classify__grower *g, uint32_t id,
                                size_t f, uint64_t *member, size_t *price_p) {
  const size_t words = g->table->words;
  const uint64_t *column = g->table->columns + f * words;
  const size_t depth = g->tree->node[id].depth + (size_t)1;
  *price_p = 0;
  for (int yes = 0; yes < 2; yes++) {
    cairn_classify_tree *part;
    for (size_t w = 0; w < words; w++)
      member[w] = g->open[id].member[w] & (column[w] ^ (yes ? 0 : UINT64_MAX));
    const cairn_status status =
        cairn_classify__grow_part(g, member, depth, &part);
    if (status != CAIRN_OK)
      return status;
    *price_p += price_of(part);
    cairn_classify__tree_free(part);
  }
  return CAIRN_OK;
}

static cairn_status try_splits(const cairn_classify__grower *g, uint32_t id) {
  const size_t features = g->table->features;
  uint64_t *member = cairn_base_alloc(g->table->words, sizeof *member);
  double *gain = cairn_base_alloc(features, sizeof *gain);
  size_t lowest = SIZE_MAX;
  cairn_status status = member && gain ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    memcpy(gain, g->gain, features * sizeof *gain);
  for (unsigned k = 0; k < g->tries && status == CAIRN_OK; k++) {
    size_t f = 0, price;
    for (size_t i = 1; i < features; i++)
      f = gain[i] > gain[f] + CAIRN_CLASSIFY__TIE ? i : f;
    if (gain[f] < g->options->min_decrease - CAIRN_CLASSIFY__TIE ||
        gain[f] <= CAIRN_CLASSIFY__TIE)
      break;
    status = price_split(g, id, f, member, &price);
    if (status == CAIRN_OK && price < lowest) {
      lowest = price;
      g->open[id].feature = (uint32_t)f;
      g->open[id].decrease = gain[f];
    }
    gain[f] = -1;
  }
  cairn_base_free(member);
  cairn_base_free(gain);
  return status;
}

/* A tree of `leaves` leaves or as many as there are: its weighted error. */
static double error_with(const cairn_classify_tree *tree, size_t leaves) {
  const size_t grown = (tree->count + 1) / 2;
  return tree->error[(leaves < grown ? leaves : grown) - 1];
}

static int is_better(const cairn_classify_tree *tried,
                     const cairn_classify_tree *plain) {
  return price_of(tried) < price_of(plain) &&
         error_with(tried, tried->leaves) <=
             error_with(plain, tried->leaves) + CAIRN_CLASSIFY__TIE;
}

cairn_status
cairn_classify__tree_grow(const cairn_classify_table *table,
                          const cairn_classify_tree_options *options,
                          cairn_classify_tree **tree_p) {
  cairn_classify_tree *plain, *tried;
  const size_t size = table->features * table->words;
  const size_t affordable = size > 0 ? MOST_WORDS / size : 0;
  const unsigned tries =
      affordable < options->tries ? (unsigned)affordable : options->tries;
  cairn_status status = cairn_classify__grow(table, options, NULL, 0, &plain);
  if (status != CAIRN_OK)
    return status;
  if (options->leaves > 0 || tries < 2) {
    *tree_p = plain;
    return CAIRN_OK;
  }
  status = cairn_classify__grow(table, options, try_splits, tries, &tried);
  if (status != CAIRN_OK) {
    cairn_classify__tree_free(plain);
    return status;
  }
  const int better = is_better(tried, plain);
  cairn_classify__tree_free(better ? plain : tried);
  *tree_p = better ? tried : plain;
  return CAIRN_OK;
}

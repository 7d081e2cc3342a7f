/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/tree/tree.c - growing a tree, best split first.
 *
 * Splitting an open leaf counts the smaller child by popcount and subtracts to
 * get the other.
 *
 * Impurity times weight is kept as W log2 W - sum of w log2 w (entropy) or
 * W - sum of w^2 / W (gini), with w the weight of a class and W their sum.
 */
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/mem-private.h"
#include "classify/tree/grow-private.h"
#include "classify/tree/tree-private.h"

static const double TIE = CAIRN_CLASSIFY__TIE;
enum { MOST_EQUALS = 8 }; /* equal splits that are looked into */
enum { TRY_DEPTH = 2 };   /* splits of nodes above it are tried */

typedef cairn_classify__open_leaf open_leaf;
typedef cairn_classify__grower grower;

void cairn_classify__tree_defaults(cairn_classify_tree_options *options) {
  *options = (cairn_classify_tree_options){.criterion = CAIRN_CLASSIFY_ENTROPY,
                                           .balanced = 1,
                                           .leaves = 0,
                                           .depth = 0,
                                           .min_decrease = 0.001,
                                           .tries = 8};
}

const char *cairn_classify__tree_kernel(void) {
  const char *name;
  (void)cairn_classify__kernel_choose(&name);
  return name;
}

static double x_log_x(double x) { return x > 0 ? x * log2(x) : 0; }

/* What class counts (n - m, m given by step) hold: impurity times weight. */
typedef struct mass {
  double weight, inner; /* sum of w; sum of w log2 w, or of w^2 */
} mass;

static inline void add_class(const grower *g, mass *m, double w) {
  m->weight += w;
  m->inner += g->options->criterion == CAIRN_CLASSIFY_GINI ? w * w : x_log_x(w);
}

static inline double impurity_mass(const grower *g, const mass *m) {
  if (m->weight <= 0)
    return 0;
  if (g->options->criterion == CAIRN_CLASSIFY_GINI)
    return m->weight - m->inner / m->weight;
  return x_log_x(m->weight) - m->inner;
}

/* What a split of rows with these counts would gain.  all: rows of each class;
 * count: as in an open leaf.  gain[f] < 0: f does not split them.  Returns the
 * largest gain, -1 when there is none. */
static double gains(const grower *g, const uint32_t *all, const uint32_t *count,
                    double *gain) {
  const unsigned classes = g->table->classes;
  mass whole = {0};
  uint32_t samples = 0;
  double best = -1;
  for (unsigned c = 0; c < classes; c++) {
    add_class(g, &whole, g->weight[c] * all[c]);
    samples += all[c];
  }
  const double parent = impurity_mass(g, &whole);
  for (size_t f = 0; f < g->table->features; f++) {
    const uint32_t *with = count + f * classes;
    mass no = {0}, yes = {0};
    uint32_t taken = 0;
    for (unsigned c = 0; c < classes; c++)
      taken += with[c];
    gain[f] = -1;
    if (taken == 0 || taken == samples)
      continue;
    for (unsigned c = 0; c < classes; c++) {
      add_class(g, &no, g->weight[c] * (all[c] - with[c]));
      add_class(g, &yes, g->weight[c] * with[c]);
    }
    gain[f] =
        (parent - impurity_mass(g, &no) - impurity_mass(g, &yes)) / g->total;
    best = fmax(best, gain[f]);
  }
  return best;
}

/* Gain of splitting leaf `id` by f, and then both children at their best. */
static double look_ahead(const grower *g, uint32_t id, size_t f) {
  const cairn_classify_table *t = g->table;
  const open_leaf *leaf = &g->open[id];
  const uint64_t *column = t->columns + f * t->words;
  const uint32_t *all = g->tree->samples + (size_t)id * t->classes;
  const uint32_t *with = leaf->count + f * t->classes;
  for (unsigned c = 0; c < t->classes; c++)
    for (size_t w = 0; w < t->words; w++)
      g->masks[c * t->words + w] =
          leaf->member[w] & column[w] & g->class_bits[c * t->words + w];
  const size_t cells = t->features * t->classes;
  memset(g->ahead, 0, cells * sizeof *g->ahead);
  g->kernel(t->columns, t->features, t->words, g->masks, t->classes, g->ahead);
  double sum = fmax(0, gains(g, with, g->ahead, g->gain_ahead));
  for (size_t k = 0; k < cells; k++)
    g->ahead[k] = leaf->count[k] - g->ahead[k];
  uint32_t rest[CAIRN_CLASSIFY_MAX_CLASSES];
  for (unsigned c = 0; c < t->classes; c++)
    rest[c] = all[c] - with[c];
  return sum + fmax(0, gains(g, rest, g->ahead, g->gain_ahead));
}

/* Of the splits that gain as much as the best, the one whose children can be
 * split best, then the first. */
static uint32_t break_tie(const grower *g, uint32_t id, double best) {
  double further = -1;
  size_t chosen = 0, equals = 0, seen = 0;
  for (size_t f = 0; f < g->table->features; f++)
    equals += g->gain[f] >= best - TIE;
  for (size_t f = 0; f < g->table->features && seen < MOST_EQUALS; f++) {
    if (g->gain[f] < best - TIE)
      continue;
    seen++;
    const double ahead = equals > 1 ? look_ahead(g, id, f) : 0;
    if (ahead > further + TIE) {
      further = ahead;
      chosen = f;
    }
  }
  return (uint32_t)chosen;
}

/* Finds the split of a leaf. */
static cairn_status find_split(const grower *g, uint32_t id) {
  const cairn_classify_node *node = &g->tree->node[id];
  const uint32_t *all = g->tree->samples + (size_t)id * g->table->classes;
  open_leaf *leaf = &g->open[id];
  leaf->decrease = -1;
  if (node->impurity * node->weight <= TIE * g->total ||
      (g->options->depth > 0 && node->depth >= g->options->depth))
    return CAIRN_OK;
  const double best = gains(g, all, leaf->count, g->gain);
  if (best < g->options->min_decrease - TIE || best <= TIE)
    return CAIRN_OK;
  if (g->try_splits && node->depth < TRY_DEPTH)
    return g->try_splits(g, id);
  leaf->feature = break_tie(g, id, best);
  leaf->decrease = best;
  return CAIRN_OK;
}

/* Fills samples-derived parts of a node; returns its rows not of its label. */
static uint32_t judge(const grower *g, uint32_t id) {
  const unsigned classes = g->table->classes;
  const uint32_t *n = g->tree->samples + (size_t)id * classes;
  cairn_classify_node *node = &g->tree->node[id];
  mass m = {0};
  double best = 0;
  node->samples = 0;
  for (unsigned c = 0; c < classes; c++) {
    const double w = g->weight[c] * n[c];
    add_class(g, &m, w);
    node->samples += n[c];
    if (w > best * (1 + TIE)) {
      best = w;
      node->label = (uint16_t)c;
    }
  }
  node->weight = m.weight;
  node->impurity = m.weight > 0 ? fmax(0, impurity_mass(g, &m) / m.weight) : 0;
  return node->samples - n[node->label];
}

static double wrong_weight(const grower *g, uint32_t id) {
  const unsigned classes = g->table->classes;
  const uint32_t *n = g->tree->samples + (size_t)id * classes;
  const cairn_classify_node *node = &g->tree->node[id];
  return node->weight - g->weight[node->label] * n[node->label];
}

static void close_leaf(open_leaf *leaf) {
  cairn_base_free(leaf->member);
  cairn_base_free(leaf->count);
  leaf->member = NULL;
  leaf->count = NULL;
}

static cairn_status open_leaf_memory(const grower *g, open_leaf *leaf) {
  const cairn_classify_table *t = g->table;
  leaf->member = cairn_base_alloc(t->words, sizeof *leaf->member);
  leaf->count =
      cairn_base_zalloc(t->features * t->classes, sizeof *leaf->count);
  return leaf->member && leaf->count ? CAIRN_OK : CAIRN_NOMEM;
}

/* Counts features of a leaf by popcount. */
static void count_leaf(const grower *g, open_leaf *leaf) {
  const cairn_classify_table *t = g->table;
  for (unsigned c = 0; c < t->classes; c++)
    for (size_t w = 0; w < t->words; w++)
      g->masks[c * t->words + w] =
          leaf->member[w] & g->class_bits[c * t->words + w];
  g->kernel(t->columns, t->features, t->words, g->masks, t->classes,
            leaf->count);
}

static cairn_status node_memory(grower *g, size_t nodes) {
  if (nodes <= g->node_room)
    return CAIRN_OK;
  const size_t room = nodes * 2;
  cairn_classify_node *node =
      cairn_base__resize(g->tree->node, room, sizeof *node);
  if (node)
    g->tree->node = node;
  uint32_t *samples = cairn_base__resize(
      g->tree->samples, room * g->table->classes, sizeof *samples);
  if (samples)
    g->tree->samples = samples;
  open_leaf *open = cairn_base__resize(g->open, room, sizeof *open);
  if (open) {
    memset(open + g->node_room, 0, (room - g->node_room) * sizeof *open);
    g->open = open;
  }
  uint32_t *wrong =
      cairn_base__resize(g->tree->misclassified, room / 2 + 1, sizeof *wrong);
  if (wrong)
    g->tree->misclassified = wrong;
  double *error =
      cairn_base__resize(g->tree->error, room / 2 + 1, sizeof *error);
  if (error)
    g->tree->error = error;
  if (!node || !samples || !open || !wrong || !error)
    return CAIRN_NOMEM;
  g->node_room = room;
  return CAIRN_OK;
}

static void make_child(const grower *g, uint32_t parent, uint32_t id) {
  const unsigned classes = g->table->classes;
  cairn_classify_node *node = &g->tree->node[id];
  const cairn_classify_node *from = &g->tree->node[parent];
  const uint32_t *with =
      g->open[parent].count + (size_t)from->feature * classes;
  const uint32_t *all = g->tree->samples + (size_t)parent * classes;
  uint32_t *n = g->tree->samples + (size_t)id * classes;
  const int yes = id == from->child + 1;
  *node = (cairn_classify_node){.feature = UINT32_MAX,
                                .parent = parent,
                                .depth = (uint16_t)(from->depth + 1)};
  for (unsigned c = 0; c < classes; c++)
    n[c] = yes ? with[c] : all[c] - with[c];
}

/* Rows and counts of both children; the parent's memory goes to the larger. */
static cairn_status share_rows(grower *g, uint32_t parent) {
  const cairn_classify_table *t = g->table;
  const cairn_classify_node *node = &g->tree->node[parent];
  const uint64_t *column = t->columns + node->feature * t->words;
  const uint32_t no = node->child, yes = no + 1;
  const int yes_small = g->tree->node[yes].samples <= g->tree->node[no].samples;
  open_leaf *small = &g->open[yes_small ? yes : no];
  open_leaf *large = &g->open[yes_small ? no : yes];
  const uint64_t invert = yes_small ? 0 : UINT64_MAX;
  const cairn_status status = open_leaf_memory(g, small);
  if (status != CAIRN_OK)
    return status;
  large->member = g->open[parent].member;
  large->count = g->open[parent].count;
  g->open[parent].member = NULL;
  g->open[parent].count = NULL;
  for (size_t w = 0; w < t->words; w++) {
    small->member[w] = large->member[w] & (column[w] ^ invert);
    large->member[w] &= ~small->member[w];
  }
  count_leaf(g, small);
  for (size_t k = 0; k < t->features * t->classes; k++)
    large->count[k] -= small->count[k];
  return CAIRN_OK;
}

static cairn_status split(grower *g, uint32_t id) {
  cairn_classify_tree *tree = g->tree;
  const cairn_status room = node_memory(g, tree->count + 2);
  if (room != CAIRN_OK)
    return room;
  const size_t leaves = (tree->count + 1) / 2;
  cairn_classify_node *node = &tree->node[id];
  node->feature = g->open[id].feature;
  node->child = (uint32_t)tree->count;
  uint32_t wrong = tree->misclassified[leaves - 1];
  double error = tree->error[leaves - 1] * g->total;
  const uint32_t *n = tree->samples + (size_t)id * g->table->classes;
  wrong -= node->samples - n[node->label];
  error -= wrong_weight(g, id);
  for (uint32_t child = node->child; child < node->child + 2; child++) {
    make_child(g, id, child);
    wrong += judge(g, child);
    error += wrong_weight(g, child);
  }
  tree->misclassified[leaves] = wrong;
  tree->error[leaves] = wrong > 0 ? fmax(0, error / g->total) : 0;
  tree->count += 2;
  const cairn_status status = share_rows(g, id);
  if (status != CAIRN_OK)
    return status;
  for (uint32_t child = node->child; child < node->child + 2; child++) {
    const cairn_status found = find_split(g, child);
    if (found != CAIRN_OK)
      return found;
    if (g->open[child].decrease < 0)
      close_leaf(&g->open[child]);
  }
  return CAIRN_OK;
}

/* The open leaf to split next, or UINT32_MAX. */
static uint32_t next_leaf(const grower *g) {
  uint32_t best = UINT32_MAX;
  double decrease = 0;
  for (uint32_t id = 0; id < g->tree->count; id++)
    if (g->open[id].member && g->open[id].decrease > decrease + TIE) {
      decrease = g->open[id].decrease;
      best = id;
    }
  return best;
}

/* Balanced weights make the classes that are there weigh the same. */
static void weigh(grower *g) {
  unsigned present = 0;
  size_t rows = 0;
  for (unsigned c = 0; c < g->table->classes; c++) {
    rows += g->tree->samples[c];
    present += g->tree->samples[c] > 0;
  }
  for (unsigned c = 0; c < g->table->classes; c++) {
    const double n = g->tree->samples[c];
    g->weight[c] = 1;
    if (g->options->balanced && n > 0)
      g->weight[c] = (double)rows / (present * n);
    g->total += g->weight[c] * n;
  }
}

/* class_bits and the root's samples. */
static void sort_rows(grower *g) {
  const cairn_classify_table *t = g->table;
  for (size_t r = 0; r < t->rows; r++) {
    if (t->use && !cairn_base__bits_test(t->use, r))
      continue;
    g->tree->samples[t->label[r]]++;
    cairn_base__bits_set(g->class_bits + t->label[r] * t->words, r);
  }
}

static cairn_status plant_root(grower *g, const grower *from) {
  const cairn_classify_table *t = g->table;
  cairn_classify_tree *tree = g->tree;
  tree->count = 1;
  tree->node[0] =
      (cairn_classify_node){.feature = UINT32_MAX, .parent = UINT32_MAX};
  memset(tree->samples, 0, t->classes * sizeof *tree->samples);
  sort_rows(g);
  if (from) {
    memcpy(g->weight, from->weight, t->classes * sizeof *g->weight);
    g->total = from->total;
  } else
    weigh(g);
  tree->misclassified[0] = judge(g, 0);
  tree->error[0] = wrong_weight(g, 0) / g->total;
  const cairn_status status = open_leaf_memory(g, &g->open[0]);
  if (status != CAIRN_OK)
    return status;
  memset(g->open[0].member, 0, t->words * sizeof *g->open[0].member);
  for (unsigned c = 0; c < t->classes; c++)
    for (size_t w = 0; w < t->words; w++)
      g->open[0].member[w] |= g->class_bits[c * t->words + w];
  count_leaf(g, &g->open[0]);
  return find_split(g, 0);
}

/* Algorithm 1: where it ends, given the errors of the trees grown. */
static size_t choose_leaves(const cairn_classify_tree *tree, size_t grown,
                            size_t most) {
  static const size_t step[] = {1, 2, 3, 5};
  size_t leaves = tree->classes < grown ? tree->classes : grown;
  for (int better = 1; better;) {
    better = 0;
    for (size_t k = 0; k < 4 && !better; k++) {
      const size_t next = leaves + step[k];
      if (next <= most && next <= grown &&
          tree->misclassified[next - 1] < tree->misclassified[leaves - 1]) {
        leaves = next;
        better = 1;
      }
    }
  }
  return leaves;
}

static cairn_status grow(grower *g, const grower *from) {
  cairn_classify_tree *tree = g->tree;
  const size_t asked = g->options->leaves;
  const size_t most = asked > 0 ? asked : (size_t)5 * tree->classes;
  cairn_status status = plant_root(g, from);
  size_t leaves = 1;
  while (status == CAIRN_OK && leaves < most) {
    if (asked == 0 && tree->misclassified[leaves - 1] == 0)
      break;
    const uint32_t next = next_leaf(g);
    if (next == UINT32_MAX)
      break;
    status = split(g, next);
    leaves++;
  }
  tree->leaves = asked > 0 ? leaves : choose_leaves(tree, leaves, most);
  return status;
}

static void forget(grower *g) {
  for (size_t i = 0; g->tree && i < g->tree->count; i++)
    close_leaf(&g->open[i]);
  cairn_base_free(g->open);
  cairn_base_free(g->class_bits);
  cairn_base_free(g->masks);
  cairn_base_free(g->weight);
  cairn_base_free(g->ahead);
  cairn_base_free(g->gain);
  cairn_base_free(g->gain_ahead);
}

static cairn_status grow_with(grower *g, const grower *from,
                              cairn_classify_tree **tree_p) {
  const cairn_classify_table *table = g->table;
  const char *name;
  g->kernel = cairn_classify__kernel_choose(&name);
  g->tree = cairn_base_zalloc(1, sizeof *g->tree);
  g->class_bits =
      cairn_base_zalloc(table->classes * table->words, sizeof *g->class_bits);
  g->masks = cairn_base_alloc(table->classes * table->words, sizeof *g->masks);
  g->weight = cairn_base_alloc(table->classes, sizeof *g->weight);
  g->ahead =
      cairn_base_alloc(table->features * table->classes, sizeof *g->ahead);
  g->gain = cairn_base_alloc(table->features, sizeof *g->gain);
  g->gain_ahead = cairn_base_alloc(table->features, sizeof *g->gain_ahead);
  cairn_status status = CAIRN_NOMEM;
  if (g->ahead && g->gain && g->gain_ahead && g->tree && g->class_bits &&
      g->masks && g->weight) {
    g->tree->classes = table->classes;
    status = node_memory(g, 31);
  }
  if (status == CAIRN_OK)
    status = grow(g, from);
  forget(g);
  if (status == CAIRN_OK)
    *tree_p = g->tree;
  else
    cairn_classify__tree_free(g->tree);
  return status;
}

cairn_status cairn_classify__grow(const cairn_classify_table *table,
                                  const cairn_classify_tree_options *options,
                                  cairn_classify__try_splits *try_splits,
                                  unsigned tries,
                                  cairn_classify_tree **tree_p) {
  grower g = {.table = table,
              .options = options,
              .try_splits = try_splits,
              .tries = tries};
  return grow_with(&g, NULL, tree_p);
}

cairn_status cairn_classify__grow_part(const grower *from,
                                       const uint64_t *member, size_t depth,
                                       cairn_classify_tree **tree_p) {
  cairn_classify_table table = *from->table;
  cairn_classify_tree_options options = *from->options;
  table.use = member;
  options.leaves = table.rows;
  if (options.depth > 0) {
    if (depth >= options.depth)
      options.leaves = 1;
    else
      options.depth -= depth;
  }
  grower g = {.table = &table, .options = &options};
  return grow_with(&g, from, tree_p);
}

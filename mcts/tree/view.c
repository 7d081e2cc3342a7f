/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/tree/view.c - the first levels of the prefix tree of all schedules
 * measured, as text and as Graphviz.
 *
 * The tree is built anew for each view, from the cache, so that it is the same
 * for strategies with and without a tree of their own.  Nodes are numbered in
 * the order of making, parents first.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mcts/mcts-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

typedef struct view_node {
  double best_s, slowest_s;
  uint64_t visits;
  uint32_t child, sibling;
  cairn_dag_item item;
} view_node;

typedef struct view {
  const cairn_mcts *search;
  view_node *node;
  size_t nodes, capacity;
  unsigned levels, width;
  cairn_base_text *text;
  uint32_t *order; /* children of one node after another, being sorted */
  size_t orders, order_capacity;
} view;

static cairn_status add(view *v, cairn_dag_item item, uint32_t *id_p) {
  const cairn_status status =
      cairn_base_reserve(&v->node, &v->capacity, v->nodes + 1, sizeof *v->node);
  if (status)
    return status;
  v->node[v->nodes] = (view_node){INFINITY,        -INFINITY,       0,
                                  CAIRN_MCTS_NONE, CAIRN_MCTS_NONE, item};
  *id_p = (uint32_t)v->nodes++;
  return CAIRN_OK;
}

/* The child with this item, made when new. */
static cairn_status child_of(view *v, uint32_t id, cairn_dag_item item,
                             uint32_t *child_p) {
  cairn_status status;
  for (uint32_t c = v->node[id].child; c != CAIRN_MCTS_NONE;
       c = v->node[c].sibling)
    if (!memcmp(&v->node[c].item, &item, sizeof item)) {
      *child_p = c;
      return CAIRN_OK;
    }
  if ((status = add(v, item, child_p)))
    return status;
  v->node[*child_p].sibling = v->node[id].child;
  v->node[id].child = *child_p;
  return CAIRN_OK;
}

static void count(view_node *node, double time_s) {
  node->visits++;
  if (time_s < node->best_s)
    node->best_s = time_s;
  if (time_s > node->slowest_s)
    node->slowest_s = time_s;
}

static cairn_status build(view *v) {
  const cairn_mcts_cache *const cache = &v->search->cache;
  uint32_t id;
  cairn_status status = add(v, (cairn_dag_item){CAIRN_DAG_ITEM_CPU, 0, 0}, &id);
  for (size_t r = 0; r < cache->records && !status; r++) {
    const cairn_mcts_record *const record = cache->record + r;
    const cairn_dag_item *const item =
        cairn_mcts__cache_items(cache, (uint32_t)r);
    const double time_s = record->result.time_s;
    id = 0;
    count(v->node, time_s);
    for (size_t i = 1; i < record->count && i <= v->levels && !status; i++)
      if (!(status = child_of(v, id, item[i], &id)))
        count(v->node + id, time_s);
  }
  return status;
}

/* Best first; then the order of being met, so that equal runs print alike. */
static int before(const view_node *node, uint32_t a, uint32_t b) {
  if (node[a].best_s < node[b].best_s || node[b].best_s < node[a].best_s)
    return node[a].best_s < node[b].best_s;
  return a < b;
}

/* Pushes a node's children, sorted, on v->order; the caller pops them. */
static cairn_status sort_children(view *v, uint32_t id, size_t *first_p) {
  const size_t first = v->orders;
  for (uint32_t c = v->node[id].child; c != CAIRN_MCTS_NONE;
       c = v->node[c].sibling) {
    size_t i = v->orders;
    const cairn_status status = cairn_base_reserve(
        &v->order, &v->order_capacity, v->orders + 1, sizeof *v->order);
    if (status)
      return status;
    for (; i > first && before(v->node, c, v->order[i - 1]); i--)
      v->order[i] = v->order[i - 1];
    v->order[i] = c;
    v->orders++;
  }
  *first_p = first;
  return CAIRN_OK;
}

static void put_item(view *v, cairn_dag_item item) {
  static const char *const sync[] = {"CER", "CES", "CSW"};
  if (item.kind == CAIRN_DAG_ITEM_CPU || item.kind == CAIRN_DAG_ITEM_GPU)
    cairn_base_text_add(
        v->text, cairn_dag_program_op(v->search->program, item.id)->name);
  else
    cairn_base_text_add(v->text, sync[item.kind - CAIRN_DAG_ITEM_CER]);
  if (item.kind != CAIRN_DAG_ITEM_CPU && item.kind != CAIRN_DAG_ITEM_CES)
    cairn_base_text_addf(v->text, "@%u", item.stream);
  if (item.kind > CAIRN_DAG_ITEM_GPU)
    cairn_base_text_addf(v->text, "#%u", item.id);
}

static void put_times(view *v, const view_node *node, const char *between) {
  if (node->best_s <= node->slowest_s)
    cairn_base_text_addf(v->text, "%.4f%s%.4f", node->best_s * 1e6, between,
                         node->slowest_s * 1e6);
  else
    cairn_base_text_addf(v->text, "-%s-", between);
}

/* ---- text ---- */

static cairn_status text_node(view *v, uint32_t id, unsigned level) {
  const view_node *const node = v->node + id;
  cairn_status status;
  size_t first, shown = 0;
  cairn_base_text_addf(v->text, "%*s", (int)(2 * level), "");
  put_item(v, node->item);
  cairn_base_text_addf(v->text, "  %llu  ", (unsigned long long)node->visits);
  put_times(v, node, "  ");
  cairn_base_text_add(v->text, "\n");
  if (level == v->levels)
    return CAIRN_OK;
  status = sort_children(v, id, &first);
  for (size_t i = first; !status && i < v->orders && shown < v->width; i++) {
    const size_t orders = v->orders;
    status = text_node(v, v->order[i], level + 1);
    v->orders = orders;
    shown++;
  }
  if (!status && v->orders - first > shown)
    cairn_base_text_addf(v->text, "%*s... %zu more\n", (int)(2 * level + 2), "",
                         v->orders - first - shown);
  return status;
}

/* ---- Graphviz ---- */

/* Names of ops hold letters, digits, '_' and '.' only, so labels need no
 * escaping.  Hue from green (the best of the run) to red (the slowest). */
static void dot_label(view *v, uint32_t id) {
  const view_node *const node = v->node + id, *const root = v->node;
  const double range = root->slowest_s - root->best_s;
  double x = range > 0 ? (node->best_s - root->best_s) / range : 0;
  x = x > 0 ? (x < 1 ? x : 1) : 0;
  cairn_base_text_addf(v->text, "  n%u [label=\"", id);
  put_item(v, node->item);
  cairn_base_text_addf(v->text, "\\n%llu\\n", (unsigned long long)node->visits);
  put_times(v, node, " .. ");
  cairn_base_text_addf(v->text, "\", fillcolor=\"%.3f 0.4 1\"];\n",
                       (1 - x) / 3);
}

static cairn_status dot_node(view *v, uint32_t id, unsigned level) {
  cairn_status status = CAIRN_OK;
  size_t first, shown = 0;
  dot_label(v, id);
  if (level == v->levels || (status = sort_children(v, id, &first)))
    return status;
  for (size_t i = first; !status && i < v->orders && shown < v->width; i++) {
    const size_t orders = v->orders;
    const uint32_t child = v->order[i];
    status = dot_node(v, child, level + 1);
    cairn_base_text_addf(v->text, "  n%u -> n%u;\n", id, child);
    v->orders = orders;
    shown++;
  }
  if (!status && v->orders - first > shown)
    cairn_base_text_addf(v->text,
                         "  m%u [label=\"%zu more\", shape=plaintext, "
                         "style=\"\"];\n  n%u -> m%u;\n",
                         id, v->orders - first - shown, id, id);
  return status;
}

static cairn_status show(const cairn_mcts *search, unsigned levels,
                         unsigned width, int dot, cairn_base_text *text) {
  view v = {.search = search, .levels = levels, .width = width, .text = text};
  cairn_status status = build(&v);
  if (!status && !dot) {
    cairn_base_text_add(text, "item  measured  best us  slowest us\n");
    status = text_node(&v, 0, 0);
  } else if (!status) {
    cairn_base_text_add(text, "digraph search {\n  node [shape=box, "
                              "style=filled];\n");
    status = dot_node(&v, 0, 0);
    cairn_base_text_add(text, "}\n");
  }
  cairn_base_free(v.node);
  cairn_base_free(v.order);
  return status ? status : text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_mcts__view_text(const cairn_mcts *search, unsigned levels,
                                   unsigned width, cairn_base_text *text) {
  return show(search, levels, width, 0, text);
}

cairn_status cairn_mcts__view_dot(const cairn_mcts *search, unsigned levels,
                                  unsigned width, cairn_base_text *text) {
  return show(search, levels, width, 1, text);
}

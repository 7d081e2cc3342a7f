/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/rules/rule.c - paths to leaves, made minimal.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "classify/data/feature-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

typedef struct workspace {
  const cairn_classify_table *table;
  uint64_t *cover, *class_bits; /* words; classes * words */
} workspace;

static void start_cover(const cairn_classify_table *t, uint64_t *cover) {
  if (t->use)
    memcpy(cover, t->use, t->words * sizeof *cover);
  else
    memset(cover, 0xff, t->words * sizeof *cover);
  if (t->rows % 64)
    cover[t->words - 1] &= (UINT64_C(1) << t->rows % 64) - 1;
}

static void narrow(const cairn_classify_condition *c,
                   const cairn_classify_table *t, uint64_t *cover) {
  const uint64_t *column = t->columns + c->column * t->words;
  const uint64_t invert = c->value ? 0 : UINT64_MAX;
  for (size_t w = 0; w < t->words; w++)
    cover[w] &= column[w] ^ invert;
}

void cairn_classify__conditions_cover(const cairn_classify_condition *condition,
                                      size_t conditions,
                                      const cairn_classify_table *table,
                                      uint64_t *cover) {
  start_cover(table, cover);
  for (size_t k = 0; k < conditions; k++)
    narrow(&condition[k], table, cover);
}

void cairn_classify__rule_cover(const cairn_classify_rule *rule,
                                const cairn_classify_table *table,
                                uint64_t *cover) {
  cairn_classify__conditions_cover(rule->condition, rule->conditions, table,
                                   cover);
}

/* Counts what the rule covers without its condition `skip` (or SIZE_MAX). */
static void count_cover(const cairn_classify_rule *rule, size_t skip,
                        workspace *s, uint32_t *samples_p, uint32_t *hits_p) {
  const cairn_classify_table *t = s->table;
  const uint64_t *mine = s->class_bits + rule->id * t->words;
  start_cover(t, s->cover);
  for (size_t k = 0; k < rule->conditions; k++)
    if (k != skip)
      narrow(&rule->condition[k], t, s->cover);
  *samples_p = *hits_p = 0;
  for (size_t w = 0; w < t->words; w++) {
    *samples_p += cairn_base__bits_popcount(s->cover[w]);
    *hits_p += cairn_base__bits_popcount(s->cover[w] & mine[w]);
  }
}

/* Drops conditions while that does not lower hits / samples. */
static void minimize(cairn_classify_rule *rule, workspace *s) {
  count_cover(rule, SIZE_MAX, s, &rule->samples, &rule->hits);
  for (;;) {
    size_t best = SIZE_MAX;
    uint32_t best_samples = 0, best_hits = 0;
    for (size_t k = 0; k < rule->conditions; k++) {
      uint32_t samples, hits;
      count_cover(rule, k, s, &samples, &hits);
      if ((uint64_t)hits * rule->samples < (uint64_t)rule->hits * samples)
        continue;
      if (best == SIZE_MAX || samples > best_samples) {
        best = k;
        best_samples = samples;
        best_hits = hits;
      }
    }
    if (best == SIZE_MAX)
      break;
    memmove(rule->condition + best, rule->condition + best + 1,
            (rule->conditions - best - 1) * sizeof *rule->condition);
    rule->conditions--;
    rule->samples = best_samples;
    rule->hits = best_hits;
  }
  rule->purity = rule->samples > 0 ? (double)rule->hits / rule->samples : 0;
}

/* The conditions on the way to a leaf, root first; a path never repeats a
 * column, so none contradicts another. */
static cairn_status trace(const cairn_classify_tree *tree, uint32_t leaf,
                          cairn_classify_rule *rule) {
  *rule = (cairn_classify_rule){
      .id = tree->node[leaf].label, .leaf = leaf, .held_out = NAN};
  rule->conditions = tree->node[leaf].depth;
  rule->condition =
      cairn_base_zalloc(rule->conditions, sizeof *rule->condition);
  if (!rule->condition)
    return CAIRN_NOMEM;
  for (size_t k = rule->conditions; k-- > 0;) {
    const cairn_classify_node *parent = &tree->node[tree->node[leaf].parent];
    rule->condition[k].column = parent->feature;
    rule->condition[k].value = leaf == parent->child + 1;
    rule->condition[k].pair = (cairn_classify_pair){UINT32_MAX, UINT32_MAX, 0};
    leaf = tree->node[leaf].parent;
  }
  return CAIRN_OK;
}

static int holds(const cairn_classify_rule *rule,
                 const cairn_classify_condition *c) {
  for (size_t k = 0; k < rule->conditions; k++)
    if (rule->condition[k].column == c->column &&
        rule->condition[k].value == c->value)
      return 1;
  return 0;
}

static int same(const cairn_classify_rule *a, const cairn_classify_rule *b) {
  if (a->id != b->id || a->conditions != b->conditions)
    return 0;
  for (size_t k = 0; k < a->conditions; k++)
    if (!holds(b, &a->condition[k]))
      return 0;
  return 1;
}

static int compare_rules(const void *a, const void *b) {
  const cairn_classify_rule *x = a, *y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  const uint64_t px = (uint64_t)x->hits * y->samples;
  const uint64_t py = (uint64_t)y->hits * x->samples;
  if (px != py)
    return px > py ? -1 : 1;
  if (x->samples != y->samples)
    return x->samples > y->samples ? -1 : 1;
  return (x->leaf > y->leaf) - (x->leaf < y->leaf);
}

static cairn_status collect(const cairn_classify_tree *tree, workspace *s,
                            cairn_classify_rules *rules) {
  for (uint32_t id = 0; id < 2 * tree->leaves - 1; id++) {
    if (!cairn_classify__tree_is_leaf(tree, id))
      continue;
    cairn_classify_rule *rule = &rules->rule[rules->count];
    const cairn_status status = trace(tree, id, rule);
    if (status != CAIRN_OK)
      return status;
    minimize(rule, s);
    int known = 0;
    for (size_t k = 0; k < rules->count && !known; k++)
      known = same(rule, &rules->rule[k]);
    if (known)
      cairn_base_free(rule->condition);
    else
      rules->count++;
  }
  return CAIRN_OK;
}

cairn_status cairn_classify__rules_derive(const cairn_classify_tree *tree,
                                          const cairn_classify_table *table,
                                          cairn_classify_rules **rules_p) {
  workspace s = {.table = table};
  s.cover = cairn_base_alloc(table->words, sizeof *s.cover);
  s.class_bits =
      cairn_base_zalloc(table->classes * table->words, sizeof *s.class_bits);
  cairn_classify_rules *rules = cairn_base_zalloc(1, sizeof *rules);
  cairn_status status = CAIRN_NOMEM;
  if (rules)
    rules->rule = cairn_base_zalloc(tree->leaves, sizeof *rules->rule);
  if (s.cover && s.class_bits && rules && rules->rule) {
    for (size_t r = 0; r < table->rows; r++)
      cairn_base__bits_set(s.class_bits + table->label[r] * table->words, r);
    status = collect(tree, &s, rules);
  }
  cairn_base_free(s.cover);
  cairn_base_free(s.class_bits);
  if (status != CAIRN_OK) {
    cairn_classify__rules_free(rules);
    return status;
  }
  qsort(rules->rule, rules->count, sizeof *rules->rule, compare_rules);
  *rules_p = rules;
  return CAIRN_OK;
}

void cairn_classify__rules_free(cairn_classify_rules *rules) {
  if (!rules)
    return;
  for (size_t i = 0; rules->rule && i < rules->count; i++)
    cairn_base_free(rules->rule[i].condition);
  cairn_base_free(rules->rule);
  cairn_base_free(rules);
}

void cairn_classify__condition_word(const cairn_classify_condition *condition,
                                    const cairn_classify_features *features,
                                    cairn_base_text *text) {
  int value;
  const size_t index = cairn_classify__features_read(
      features, condition->column, condition->value, &value);
  cairn_classify__features_word(features, index, value, text);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/rules/rule-pair.c - counterfactual pairs.
 *
 * The kept features of each schedule are laid out as a row of bits; two
 * schedules differ in popcount(a ^ b) features.  Every pair of a schedule that
 * satisfies the rule and one that violates the condition is looked at, up to
 * MOST_PAIRS a condition; past that, evenly spaced schedules are.
 */
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/count-private.h"
#include "classify/rules/rule-private.h"

static const size_t MOST_PAIRS = 1000000;

typedef struct rows {
  const cairn_classify_table *table;
  size_t words;   /* of a row */
  uint64_t *bits; /* rows * words */
} rows;

static cairn_status lay_out(const cairn_classify_table *t, rows *r) {
  *r = (rows){.table = t, .words = cairn_base__bits_words(t->features)};
  r->bits = cairn_base_zalloc(t->rows * r->words, sizeof *r->bits);
  if (!r->bits)
    return CAIRN_NOMEM;
  for (size_t f = 0; f < t->features; f++)
    for (size_t w = 0; w < t->words; w++)
      for (uint64_t word = t->columns[f * t->words + w]; word;
           word &= word - 1) {
        const size_t row = w * 64 + cairn_base__bits_lowest(word);
        cairn_base__bits_set(r->bits + row * r->words, f);
      }
  return CAIRN_OK;
}

static size_t stride_for(size_t a, size_t b) {
  return b > 0 && a > MOST_PAIRS / b ? a / (MOST_PAIRS / b + 1) + 1 : 1;
}

/* The nearest pair between two lists of rows, and its distance. */
static uint32_t nearest(const rows *r, const uint32_t *a, size_t a_count,
                        const uint32_t *b, size_t b_count,
                        cairn_classify_pair *pair) {
  uint32_t best = UINT32_MAX;
  const size_t step_b = b_count > MOST_PAIRS ? b_count / MOST_PAIRS + 1 : 1;
  const size_t step_a = stride_for(a_count, b_count / step_b);
  for (size_t i = 0; i < a_count && best > 1 && b_count > 0; i += step_a) {
    size_t j = 0;
    const uint32_t d = cairn_classify__nearest(r->bits, r->words, a[i], b,
                                               b_count, step_b, 1, &j);
    if (d < best) {
      best = d;
      pair->with = a[i];
      pair->without = b[j];
    }
  }
  if (best != UINT32_MAX)
    pair->others = best - 1;
  return best;
}

static void find_pair(const rows *r, const cairn_classify_rule *rule,
                      const uint64_t *cover, uint32_t *list,
                      cairn_classify_condition *condition) {
  const cairn_classify_table *t = r->table;
  const uint64_t *column = t->columns + condition->column * t->words;
  uint32_t *with = list, *other = list + t->rows, *any = other + t->rows;
  size_t withs = 0, others = 0, anys = 0;
  for (uint32_t i = 0; i < t->rows; i++) {
    const int mine = t->label[i] == rule->id;
    if (cairn_base__bits_test(cover, i)) {
      if (mine)
        with[withs++] = i;
    } else if (cairn_base__bits_test(column, i) != condition->value) {
      if (mine)
        any[anys++] = i;
      else
        other[others++] = i;
    }
  }
  if (nearest(r, with, withs, other, others, &condition->pair) == UINT32_MAX)
    nearest(r, with, withs, any, anys, &condition->pair);
}

cairn_status cairn_classify__rules_pair(cairn_classify_rules *rules,
                                        const cairn_classify_table *table) {
  rows r;
  cairn_status status = lay_out(table, &r);
  uint64_t *cover = cairn_base_alloc(table->words, sizeof *cover);
  uint32_t *list = cairn_base_alloc(3 * table->rows, sizeof *list);
  if (!cover || !list)
    status = CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < rules->count; i++) {
    cairn_classify_rule *rule = &rules->rule[i];
    cairn_classify__rule_cover(rule, table, cover);
    for (size_t k = 0; k < rule->conditions; k++)
      find_pair(&r, rule, cover, list, &rule->condition[k]);
  }
  cairn_base_free(r.bits);
  cairn_base_free(cover);
  cairn_base_free(list);
  return status;
}

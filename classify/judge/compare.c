/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/compare.c - two runs of one program side by side.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "classify/data/data-private.h"
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "base/stats-private.h"
#include "classify/data/data-state-private.h"
#include "classify/judge/compare-private.h"
#include "classify/label/label-private.h"
#include "classify/rules/rule-private.h"

typedef struct ranked {
  double value;
  size_t index;
} ranked;

static int compare_ranked(const void *a, const void *b) {
  const ranked *x = a, *y = b;
  return (x->value > y->value) - (x->value < y->value);
}

/* Ranks from 1; equal values share the mean of theirs. */
static cairn_status ranks(const double *value, size_t count, double *rank) {
  ranked *r = cairn_base_alloc(count, sizeof *r);
  if (!r)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    r[i] = (ranked){value[i], i};
  qsort(r, count, sizeof *r, compare_ranked);
  for (size_t i = 0, j; i < count; i = j) {
    for (j = i + 1; j < count && r[j].value == r[i].value;)
      j++;
    for (size_t k = i; k < j; k++)
      rank[r[k].index] = (double)(i + j + 1) / 2;
  }
  cairn_base_free(r);
  return CAIRN_OK;
}

cairn_status cairn_classify__spearman(const double *x, const double *y,
                                      size_t count, double *correlation_p) {
  double *rank = cairn_base_alloc(2 * count, sizeof *rank);
  cairn_status status = rank ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = ranks(x, count, rank);
  if (status == CAIRN_OK)
    status = ranks(y, count, rank + count);
  if (status == CAIRN_OK) {
    const double mean = ((double)count + 1) / 2;
    double xy = 0, xx = 0, yy = 0;
    for (size_t i = 0; i < count; i++) {
      const double u = rank[i] - mean, v = rank[count + i] - mean;
      xy += u * v;
      xx += u * u;
      yy += v * v;
    }
    *correlation_p = xx > 0 && yy > 0 ? xy / sqrt(xx * yy) : NAN;
  }
  cairn_base_free(rank);
  return status;
}

/* The common schedules: their times and classes in both runs. */
typedef struct common {
  size_t count;
  uint32_t *match; /* for each row of a: row of b */
  double *a, *b, *ratio;
  uint16_t *class_a, *class_b;
} common;

static void common_free(common *c) {
  cairn_base_free(c->match);
  cairn_base_free(c->a);
  cairn_base_free(c->b);
  cairn_base_free(c->ratio);
  cairn_base_free(c->class_a);
  cairn_base_free(c->class_b);
}

static cairn_status common_find(const cairn_classify_comparison *x, common *c) {
  const cairn_classify_data *a = x->a->data, *b = x->b->data;
  const size_t n = a->count;
  memset(c, 0, sizeof *c);
  c->match = cairn_base_alloc(n, sizeof *c->match);
  c->a = cairn_base_alloc(n, sizeof *c->a);
  c->b = cairn_base_alloc(n, sizeof *c->b);
  c->ratio = cairn_base_alloc(n, sizeof *c->ratio);
  c->class_a = cairn_base_alloc(n, sizeof *c->class_a);
  c->class_b = cairn_base_alloc(n, sizeof *c->class_b);
  if (!c->match || !c->a || !c->b || !c->ratio || !c->class_a || !c->class_b)
    return CAIRN_NOMEM;
  const cairn_status status = cairn_classify__data_match(a, b, c->match);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < n; i++) {
    const uint32_t j = c->match[i];
    if (j == UINT32_MAX)
      continue;
    c->a[c->count] = a->measure[i].time;
    c->b[c->count] = b->measure[j].time;
    c->ratio[c->count] = b->measure[j].time / a->measure[i].time;
    c->class_a[c->count] = x->a->labels->label[i];
    c->class_b[c->count] = x->b->labels->label[j];
    c->count++;
  }
  return CAIRN_OK;
}

/* Reads the first run's rules on the second run's classes. */
static cairn_status carry(cairn_classify_comparison *x, const common *c,
                          const uint8_t *same) {
  const cairn_classify_rules *rules = x->a->rules;
  const unsigned classes = x->b->labels->classes;
  uint64_t *cover = cairn_base_alloc(x->a->table.words, sizeof *cover);
  x->carried = cairn_base_alloc(rules->count, sizeof *x->carried);
  if (!cover || !x->carried) {
    cairn_base_free(cover);
    return CAIRN_NOMEM;
  }
  for (size_t i = 0; i < rules->count; i++) {
    const size_t own = (size_t)rules->rule[i].id * classes;
    cairn_classify_carried *to = &x->carried[x->carrieds++];
    *to = (cairn_classify_carried){.rule = i};
    cairn_classify__rule_cover(&rules->rule[i], &x->a->table, cover);
    for (size_t r = 0; r < x->a->table.rows; r++)
      if (c->match[r] != UINT32_MAX && cairn_base__bits_test(cover, r)) {
        to->samples++;
        to->hits += same[own + x->b->labels->label[c->match[r]]];
      }
    to->holds = cairn_classify__holds(to->hits, to->samples);
  }
  cairn_base_free(cover);
  return CAIRN_OK;
}

/* One class says nothing: everything would correspond to it. */
static cairn_status fill_classes(cairn_classify_comparison *x,
                                 const common *c) {
  const unsigned in_a = x->a->labels->classes, in_b = x->b->labels->classes;
  uint8_t *same = cairn_base_zalloc((size_t)in_a * in_b, 1);
  cairn_status status = same ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK && in_a > 1 && in_b > 1) {
    size_t hits = 0;
    status = cairn_classify__correspond(c->class_a, in_a, c->class_b, in_b,
                                        c->count, same);
    for (size_t i = 0; i < c->count; i++)
      hits += same[(size_t)c->class_a[i] * in_b + c->class_b[i]];
    x->class_agreement = (double)hits / (double)c->count;
  }
  if (status == CAIRN_OK)
    status = carry(x, c, same);
  cairn_base_free(same);
  return status;
}

static cairn_status fill(cairn_classify_comparison *x, common *c) {
  cairn_status status = common_find(x, c);
  x->common = c->count;
  if (status != CAIRN_OK || c->count == 0)
    return status;
  status = cairn_classify__spearman(c->a, c->b, c->count, &x->spearman);
  x->slowdown = cairn_base__stats_median(c->ratio, c->count);
  if (status == CAIRN_OK)
    status = cairn_classify__rand_index(c->class_a, c->class_b, c->count,
                                        &x->rand_index);
  if (c->count < 2)
    x->rand_index = NAN;
  return status == CAIRN_OK ? fill_classes(x, c) : status;
}

cairn_status cairn_classify_compare(const cairn_classify_data *a,
                                    const cairn_classify_data *b,
                                    const cairn_classify_options *options,
                                    cairn_classify_comparison **comparison_p) {
  cairn_classify_comparison *x = cairn_base_zalloc(1, sizeof *x);
  common c = {0};
  if (!x)
    return CAIRN_NOMEM;
  x->spearman = x->slowdown = x->class_agreement = x->rand_index = NAN;
  cairn_status status = cairn_classify_analyse(a, options, &x->a);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(b, options, &x->b);
  if (status == CAIRN_OK)
    status = fill(x, &c);
  common_free(&c);
  if (status == CAIRN_OK)
    *comparison_p = x;
  else
    cairn_classify_comparison_free(x);
  return status;
}

void cairn_classify_comparison_free(cairn_classify_comparison *comparison) {
  if (!comparison)
    return;
  cairn_classify_analysis_free(comparison->a);
  cairn_classify_analysis_free(comparison->b);
  cairn_base_free(comparison->carried);
  cairn_base_free(comparison);
}

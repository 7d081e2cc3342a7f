/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-neighbour.c - neighbours as their definition has them, pair by
 * pair, against those that are found; and the numbers of SpMV's, which an
 * independent program found.
 */
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/neighbours-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 400, ROOM = 256 };

/* ---- the definition ---- */

typedef struct view {
  cairn_dag_item item[ROOM];
  size_t items;
  unsigned order[64], ops;
  unsigned stream[64], place[64];
} view;

static void look(view *v, const cairn_dag_schedule *s) {
  memset(v, 0, sizeof *v);
  memcpy(v->item, s->items, s->count * sizeof *s->items);
  v->items = s->count;
  for (size_t i = 0; i < s->count; i++)
    if (s->items[i].kind <= CAIRN_DAG_ITEM_GPU) {
      v->order[v->ops++] = s->items[i].id;
      v->stream[s->items[i].id] = s->items[i].stream;
      v->place[s->items[i].id] = (unsigned)i;
    }
}

static int is_gpu(const cairn_dag_program *p, unsigned id) {
  return cairn_dag_program_op(p, id)->kind == CAIRN_DAG_GPU;
}

/* Are two ops in one stream here just when they are there?  Without op g. */
static int same_partition(const cairn_dag_program *p, const view *x,
                          const view *y, unsigned g) {
  for (unsigned a = 0; a < x->ops; a++)
    for (unsigned b = 0; b < a; b++)
      if (a != g && b != g && is_gpu(p, a) && is_gpu(p, b) &&
          (x->stream[a] == x->stream[b]) != (y->stream[a] == y->stream[b]))
        return 0;
  return 1;
}

/* Does the wait at i serve an edge that touches neither a nor b? */
static int serves_others(const cairn_dag_program *p, const view *v, size_t i,
                         unsigned a, unsigned b) {
  const cairn_dag_item wait = v->item[i];
  size_t r = 0, preds;
  while (v->item[r].kind != CAIRN_DAG_ITEM_CER || v->item[r].id != wait.id)
    r++;
  for (unsigned y = 0; y < v->ops; y++) {
    const unsigned *const pred = cairn_dag__program_preds(p, y, &preds);
    if (v->place[y] < i || (wait.kind == CAIRN_DAG_ITEM_CES) == is_gpu(p, y) ||
        (is_gpu(p, y) && v->stream[y] != wait.stream))
      continue;
    for (size_t k = 0; k < preds; k++)
      if (is_gpu(p, pred[k]) && v->stream[pred[k]] == v->item[r].stream &&
          v->place[pred[k]] < r && pred[k] != a && pred[k] != b && y != a &&
          y != b)
        return 1;
  }
  return 0;
}

static size_t residual(const cairn_dag_program *p, const view *v, unsigned a,
                       unsigned b, cairn_dag_item *out) {
  size_t n = 0, kept = 0;
  for (size_t i = 0; i < v->items; i++) {
    const cairn_dag_item it = v->item[i];
    if (it.kind <= CAIRN_DAG_ITEM_GPU   ? it.id != a && it.id != b
        : it.kind == CAIRN_DAG_ITEM_CER ? 1
                                        : serves_others(p, v, i, a, b))
      out[n++] = it;
  }
  for (size_t i = 0; i < n; i++) {
    int waited = out[i].kind != CAIRN_DAG_ITEM_CER;
    for (size_t j = i + 1; j < n; j++)
      waited |= out[j].kind > CAIRN_DAG_ITEM_CER && out[j].id == out[i].id;
    if (waited)
      out[kept++] = out[i];
  }
  cairn_dag__schedule_renumber(out, kept);
  return kept;
}

static int equal_residuals(const cairn_dag_program *p, const view *x,
                           const view *y, unsigned a, unsigned b) {
  cairn_dag_item r[ROOM], s[ROOM];
  const size_t n = residual(p, x, a, b, r), m = residual(p, y, a, b, s);
  return n == m && !memcmp(r, s, n * sizeof *r);
}

static int is_swap(const cairn_dag_program *p, const view *x, const view *y) {
  unsigned k = 0, differ = 0;
  for (unsigned i = x->ops; i-- > 0;)
    if (x->order[i] != y->order[i]) {
      differ++;
      k = i;
    }
  return differ == 2 && x->order[k] == y->order[k + 1] &&
         x->order[k + 1] == y->order[k] &&
         same_partition(p, x, y, UINT32_MAX) &&
         equal_residuals(p, x, y, x->order[k], y->order[k]);
}

static int is_stream(const cairn_dag_program *p, const view *x, const view *y) {
  if (memcmp(x->order, y->order, x->ops * sizeof *x->order) ||
      same_partition(p, x, y, UINT32_MAX))
    return 0;
  for (unsigned g = 0; g < x->ops; g++)
    if (is_gpu(p, g) && same_partition(p, x, y, g) &&
        equal_residuals(p, x, y, g, g))
      return 1;
  return 0;
}

static int is_sync(const view *x, const view *y) {
  if (x->items != y->items)
    return 0;
  for (size_t k = 1; k + 2 < x->items; k++) {
    view t = *x;
    t.item[k] = x->item[k + 1];
    t.item[k + 1] = x->item[k];
    if ((x->item[k].kind <= CAIRN_DAG_ITEM_GPU &&
         x->item[k + 1].kind <= CAIRN_DAG_ITEM_GPU) ||
        (x->item[k].kind == CAIRN_DAG_ITEM_CER &&
         x->item[k + 1].kind > CAIRN_DAG_ITEM_CER &&
         x->item[k].id == x->item[k + 1].id))
      continue;
    cairn_dag__schedule_renumber(t.item, t.items);
    if (!memcmp(t.item, y->item, y->items * sizeof *t.item))
      return 1;
  }
  return 0;
}

static unsigned kind_of(const cairn_dag_program *p, const view *x,
                        const view *y) {
  return (is_swap(p, x, y) ? CAIRN_DAG_NEIGHBOUR_SWAP : 0u) |
         (is_stream(p, x, y) ? CAIRN_DAG_NEIGHBOUR_STREAM : 0u) |
         (is_sync(x, y) ? CAIRN_DAG_NEIGHBOUR_SYNC : 0u);
}

/* ---- comparing ---- */

static unsigned found_kind(const cairn_dag_neighbours *n, size_t x, size_t y) {
  unsigned kind = 0;
  for (size_t k = n->row[x]; k < n->row[x + 1]; k++) {
    assert_true(k == n->row[x] || n->to[k] > n->to[k - 1]);
    if (n->to[k] == y)
      kind |= n->kind[k];
  }
  return kind;
}

static void compare_all(const cairn_dag_program *p, const test_set *set,
                        size_t *kinds) {
  cairn_dag_neighbours n;
  view *const v = calloc(set->count, sizeof *v);
  assert_int_equal(cairn_dag__neighbours_find(p, set->schedules, set->count,
                                              CAIRN_DAG_NEIGHBOUR_ANY, &n),
                   CAIRN_OK);
  for (size_t i = 0; i < set->count; i++)
    look(&v[i], &set->schedules[i]);
  for (size_t i = 0; i < set->count; i++)
    for (size_t j = 0; j < set->count; j++) {
      const unsigned kind = i == j ? 0 : kind_of(p, &v[i], &v[j]);
      assert_int_equal(found_kind(&n, i, j), kind);
      assert_int_equal(kind & (kind - 1), 0);
      kinds[kind]++;
    }
  cairn_dag__neighbours_free(&n);
  free(v);
}

static void test_definition(void **state) {
  cairn_base_rng rng;
  size_t kinds[8] = {0};
  (void)state;
  cairn_base__rng_seed(&rng, 20);
  for (unsigned i = 0; i < test_cases(60, 400); i++) {
    const unsigned ops = 3 + cairn_base__rng_below(&rng, 4);
    cairn_dag_program *const p =
        test_random(&rng, ops, 0.3 + 0.7 * cairn_base__rng_uniform(&rng),
                    0.2 + 0.6 * cairn_base__rng_uniform(&rng));
    const unsigned streams = 1 + cairn_base__rng_below(&rng, 3);
    test_set set = {0};
    assert_int_equal(cairn_dag_space_enumerate(p, streams, CAIRN_DAG_SYNC_TIDY,
                                               test_set_visit, &set),
                     CAIRN_OK);
    if (set.count > MOST) /* any subset has neighbours of its own */
      set.count = MOST;
    compare_all(p, &set, kinds);
    test_set_free(&set);
    cairn_dag_program_free(p);
  }
  for (unsigned k = 1; k < 8; k *= 2)
    assert_true(kinds[k] > 100);
}

static size_t count_kind(const cairn_dag_neighbours *n, unsigned kind) {
  size_t count = 0;
  for (size_t k = 0; k < n->row[n->vertices]; k++)
    count += n->kind[k] == kind;
  return count;
}

static void spmv_space(cairn_dag_program **p, test_set *set) {
  *p = test_spmv();
  assert_int_equal(cairn_dag_space_enumerate(*p, 2, CAIRN_DAG_SYNC_TIDY,
                                             test_set_visit, set),
                   CAIRN_OK);
  assert_int_equal(set->count, 2036);
}

/* Ordered pairs, as the independent program printed them. */
static void test_spmv_numbers(void **state) {
  cairn_dag_program *p;
  test_set set = {0};
  cairn_dag_neighbours n;
  (void)state;
  spmv_space(&p, &set);
  assert_int_equal(cairn_dag__neighbours_find(p, set.schedules, set.count,
                                              CAIRN_DAG_NEIGHBOUR_ANY, &n),
                   CAIRN_OK);
  assert_int_equal(count_kind(&n, CAIRN_DAG_NEIGHBOUR_SWAP), 24122);
  assert_int_equal(count_kind(&n, CAIRN_DAG_NEIGHBOUR_STREAM), 14834);
  assert_int_equal(n.row[n.vertices], 42432);
  for (size_t i = 0; i < n.vertices; i++)
    for (size_t k = n.row[i]; k < n.row[i + 1]; k++)
      assert_int_equal(found_kind(&n, n.to[k], i), n.kind[k]);
  cairn_dag__neighbours_free(&n);
  test_set_free(&set);
  cairn_dag_program_free(p);
}

/* A few vertices' rows are those of all. */
static void test_few(void **state) {
  cairn_dag_program *p;
  test_set set = {0};
  cairn_dag_neighbours all, few;
  uint32_t which[100];
  (void)state;
  spmv_space(&p, &set);
  for (uint32_t i = 0; i < 100; i++)
    which[i] = (i * 1031) % 2036;
  for (unsigned kinds = 1; kinds < 8; kinds++) {
    assert_int_equal(
        cairn_dag__neighbours_find(p, set.schedules, set.count, kinds, &all),
        CAIRN_OK);
    assert_int_equal(cairn_dag__neighbours_of(p, set.schedules, set.count,
                                              kinds, which, 100, &few),
                     CAIRN_OK);
    for (size_t r = 0; r < 100; r++) {
      const size_t from = all.row[which[r]];
      const size_t length = all.row[which[r] + 1] - from;
      assert_int_equal(few.row[r + 1] - few.row[r], length);
      assert_memory_equal(few.to + few.row[r], all.to + from,
                          length * sizeof *few.to);
      assert_memory_equal(few.kind + few.row[r], all.kind + from, length);
    }
    cairn_dag__neighbours_free(&all);
    cairn_dag__neighbours_free(&few);
  }
  test_set_free(&set);
  cairn_dag_program_free(p);
}

static void test_none(void **state) {
  cairn_dag_program *const p = test_spmv();
  cairn_dag_neighbours n;
  (void)state;
  assert_int_equal(
      cairn_dag__neighbours_find(p, NULL, 0, CAIRN_DAG_NEIGHBOUR_ANY, &n),
      CAIRN_OK);
  assert_int_equal(n.row[0], 0);
  cairn_dag__neighbours_free(&n);
  cairn_dag_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_definition), cmocka_unit_test(test_spmv_numbers),
      cmocka_unit_test(test_few), cmocka_unit_test(test_none)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

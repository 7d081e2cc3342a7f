/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-moves.c - every neighbour lies in the space, and moves reach
 * all of it.
 */
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "dag/space/moves-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST_SCHEDULES = 9000 };

typedef struct graph {
  const test_set *set;
  unsigned char *seen;
  size_t *queue, tail, degree, outside, from;
} graph;

static int visit(void *context, const cairn_dag_item *items, size_t count) {
  graph *const g = context;
  const size_t i = test_set_find(g->set, items, count);
  if (i == SIZE_MAX || i == g->from) {
    g->outside++;
    return 0;
  }
  g->degree++;
  if (!g->seen[i]) {
    g->seen[i] = 1;
    g->queue[g->tail++] = i;
  }
  return 0;
}

/* Schedules reached from schedule `first`. */
static size_t reach(cairn_dag_moves *moves, const test_set *set, size_t first,
                    double *degree_p) {
  graph g = {.set = set};
  size_t reached;
  g.seen = calloc(set->count, 1);
  g.queue = calloc(set->count, sizeof *g.queue);
  g.seen[first] = 1;
  g.queue[g.tail++] = first;
  for (size_t head = 0; head < g.tail; head++) {
    const cairn_dag_schedule *const s = &set->schedules[g.queue[head]];
    g.from = g.queue[head];
    cairn_dag__moves_begin(moves, s->items, s->count);
    assert_int_equal(cairn_dag__moves_all(moves, visit, &g), CAIRN_OK);
  }
  assert_int_equal(g.outside, 0);
  reached = g.tail;
  *degree_p = (double)g.degree / (double)g.tail;
  free(g.seen);
  free(g.queue);
  return reached;
}

static int visit_some(void *set, const cairn_dag_item *items, size_t count) {
  test_set_add(set, items, count);
  return ((test_set *)set)->count > MOST_SCHEDULES;
}

/* Connected, as a directed graph: from one schedule all are reached; and that
 * one is reached from the last in the set, and from some others. */
static int check(const cairn_dag_program *program, unsigned streams, int say) {
  test_set set = {0};
  cairn_dag_moves *moves;
  double degree = 0;
  cairn_dag_space_enumerate(program, streams, CAIRN_DAG_SYNC_TIDY, visit_some,
                            &set);
  if (set.count > MOST_SCHEDULES) {
    test_set_free(&set);
    return 0;
  }
  test_set_sort(&set);
  assert_int_equal(cairn_dag__moves_create(program, streams, &moves), CAIRN_OK);
  assert_int_equal(reach(moves, &set, 0, &degree), set.count);
  for (size_t k = 1; k <= 3; k++)
    assert_int_equal(reach(moves, &set, (set.count - 1) * k / 3, &degree),
                     set.count);
  if (say)
    print_message("%u streams: %zu schedules, %.1f neighbours on average\n",
                  streams, set.count, degree);
  cairn_dag__moves_free(moves);
  test_set_free(&set);
  return 1;
}

static void test_spmv_connected(void **state) {
  cairn_dag_program *const spmv = test_spmv();
  (void)state;
  for (unsigned n = 1; n <= 3; n++)
    assert_true(check(spmv, n, 1));
  cairn_dag_program_free(spmv);
}

static void test_random_connected(void **state) {
  const unsigned wanted = test_cases(60, 400);
  unsigned cases = 0, seed = 1;
  (void)state;
  for (; cases < wanted; seed++) {
    cairn_base_rng rng;
    cairn_base__rng_seed(&rng, seed);
    cairn_dag_program *const p =
        test_random(&rng, 2 + seed % 5, 0.7, 0.2 + 0.1 * (seed % 7));
    cases += (unsigned)check(p, 1 + seed % 3, 0);
    cairn_dag_program_free(p);
  }
}

/* Random moves of each kind lead into the space, and not back. */
static void test_random_moves(void **state) {
  static const unsigned kinds[] = {CAIRN_DAG_MOVE_INSERT, CAIRN_DAG_MOVE_SWAP,
                                   CAIRN_DAG_MOVE_STREAM, CAIRN_DAG_MOVE_SYNC,
                                   CAIRN_DAG_MOVE_ANY};
  cairn_dag_program *const spmv = test_spmv();
  cairn_dag_moves *moves;
  cairn_base_rng rng;
  test_set set = {0};
  cairn_dag_item out[256];
  size_t at = 0, made = 0;
  (void)state;
  cairn_base__rng_seed(&rng, 5);
  cairn_dag_space_enumerate(spmv, 2, CAIRN_DAG_SYNC_TIDY, test_set_visit, &set);
  test_set_sort(&set);
  assert_int_equal(cairn_dag__moves_create(spmv, 2, &moves), CAIRN_OK);
  for (unsigned i = 0; i < 20000; i++) {
    const cairn_dag_schedule *const s = &set.schedules[at];
    cairn_dag__moves_begin(moves, s->items, s->count);
    const size_t count =
        cairn_dag__moves_random(moves, kinds[i % 5], &rng, out);
    if (count == 0) { /* a kind may have no way out of a schedule */
      assert_true(kinds[i % 5] != CAIRN_DAG_MOVE_ANY);
      continue;
    }
    made++;
    const size_t next = test_set_find(&set, out, count);
    assert_true(next != SIZE_MAX && next != at);
    at = next;
  }
  assert_true(made > 18000);
  cairn_dag__moves_free(moves);
  test_set_free(&set);
  cairn_dag_program_free(spmv);
}

/* Large programs: moves stay legal walks (asserted inside) and complete. */
static void test_large(void **state) {
  cairn_base_rng rng;
  cairn_dag_moves *moves;
  cairn_dag_prover *prover;
  cairn_dag_schedule s = {0};
  (void)state;
  cairn_base__rng_seed(&rng, 9);
  cairn_dag_program *const p = test_random(&rng, 300, 0.6, 0.01);
  const size_t room = cairn_dag__program_max_items(p, 8);
  cairn_dag_item *const out = malloc(room * sizeof *out);
  assert_int_equal(cairn_dag__moves_create(p, 8, &moves), CAIRN_OK);
  assert_int_equal(cairn_dag__prover_create(p, &prover), CAIRN_OK);
  assert_int_equal(cairn_dag_schedule_program_order(p, &s), CAIRN_OK);
  for (unsigned i = 0; i < 2000; i++) {
    cairn_dag__moves_begin(moves, s.items, s.count);
    const size_t count =
        cairn_dag__moves_random(moves, CAIRN_DAG_MOVE_ANY, &rng, out);
    if (count == 0)
      continue;
    if (i % 50 == 0)
      assert_true(cairn_dag__prover_legal(prover, out, count));
    assert_int_equal(cairn_dag_schedule_set(&s, out, count), CAIRN_OK);
  }
  cairn_dag_schedule_free(&s);
  cairn_dag__prover_free(prover);
  cairn_dag__moves_free(moves);
  free(out);
  cairn_dag_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_spmv_connected),
      cmocka_unit_test(test_random_connected),
      cmocka_unit_test(test_random_moves),
      cmocka_unit_test(test_large),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-space.c - the space of SpMV against its golden numbers, and
 * the spaces of random programs against a naive enumerator.
 */
#include "base/rng-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static size_t space_count(const cairn_dag_program *program, unsigned streams,
                          cairn_dag_sync sync) {
  test_set set = {0};
  size_t count;
  assert_int_equal(
      cairn_dag_space_enumerate(program, streams, sync, test_set_visit, &set),
      CAIRN_OK);
  assert_int_equal(test_set_sort(&set), 0);
  count = set.count;
  test_set_free(&set);
  return count;
}

/* The numbers are the definition's, found by two independent enumerators. */
static void test_golden(void **state) {
  static const size_t tidy[] = {0, 175, 2036, 8507};
  static const size_t minimal[] = {0, 175, 1856, 8147};
  cairn_dag_program *const spmv = test_spmv();
  (void)state;
  for (unsigned n = 1; n <= 3; n++) {
    assert_int_equal(space_count(spmv, n, CAIRN_DAG_SYNC_TIDY), tidy[n]);
    assert_int_equal(space_count(spmv, n, CAIRN_DAG_SYNC_MINIMAL), minimal[n]);
  }
  cairn_dag_program_free(spmv);
}

/* The naive enumerator itself, on the golden numbers of two streams. */
static void test_brute_golden(void **state) {
  cairn_dag_program *const spmv = test_spmv();
  test_set renamed = {0}, tidy = {0}, minimal = {0}, own = {0};
  (void)state;
  assert_int_equal(test_brute(spmv, 2, 100000, &renamed, &tidy, &minimal),
                   27840);
  assert_int_equal(renamed.count, 13920);
  assert_int_equal(tidy.count, 2036);
  assert_int_equal(minimal.count, 1856);
  cairn_dag_space_enumerate(spmv, 2, CAIRN_DAG_SYNC_TIDY, test_set_visit, &own);
  test_set_sort(&own);
  assert_true(test_set_equal(&tidy, &own));
  test_set_free(&renamed);
  test_set_free(&tidy);
  test_set_free(&minimal);
  test_set_free(&own);
  cairn_dag_program_free(spmv);
}

/* Is there a schedule in which one record serves the host and a stream? */
static int has_shared_record(const test_set *set) {
  for (size_t k = 0; k < set->count; k++) {
    const cairn_dag_schedule *const s = &set->schedules[k];
    unsigned char host[64] = {0}, stream[64] = {0};
    for (size_t i = 0; i < s->count; i++) {
      if (s->items[i].kind == CAIRN_DAG_ITEM_CES)
        host[s->items[i].id] = 1;
      if (s->items[i].kind == CAIRN_DAG_ITEM_CSW)
        stream[s->items[i].id] = 1;
    }
    for (int e = 0; e < 64; e++)
      if (host[e] && stream[e])
        return 1;
  }
  return 0;
}

static void check_same(const cairn_dag_program *program, unsigned streams,
                       cairn_dag_sync sync, const test_set *expected,
                       unsigned seed) {
  test_set own = {0};
  assert_int_equal(
      cairn_dag_space_enumerate(program, streams, sync, test_set_visit, &own),
      CAIRN_OK);
  const size_t repeated = test_set_sort(&own);
  if (repeated || !test_set_equal(expected, &own))
    fail_msg("program %u, %u streams, sync %d: %zu schedules (%zu repeated), "
             "expected %zu",
             seed, streams, (int)sync, own.count, repeated, expected->count);
  test_set_free(&own);
}

static void test_random_programs(void **state) {
  const unsigned wanted = test_cases(320, 3000);
  unsigned cases = 0, three = 0, shared = 0;
  (void)state;
  for (unsigned seed = 1; cases < wanted; seed++) {
    cairn_base_rng rng;
    test_set tidy = {0}, minimal = {0};
    cairn_base__rng_seed(&rng, seed);
    const unsigned streams = seed % 2 ? 3 : 1 + cairn_base__rng_below(&rng, 2);
    const unsigned ops = 2 + cairn_base__rng_below(&rng, 5);
    const double gpu = 0.4 + 0.6 * cairn_base__rng_uniform(&rng);
    const double edge = 0.15 + 0.6 * cairn_base__rng_uniform(&rng);
    cairn_dag_program *const program = test_random(&rng, ops, gpu, edge);
    if (test_brute(program, streams, 20000, NULL, &tidy, &minimal)) {
      check_same(program, streams, CAIRN_DAG_SYNC_TIDY, &tidy, seed);
      check_same(program, streams, CAIRN_DAG_SYNC_MINIMAL, &minimal, seed);
      cases++;
      three += streams == 3;
      shared += (unsigned)has_shared_record(&tidy);
    }
    test_set_free(&tidy);
    test_set_free(&minimal);
    cairn_dag_program_free(program);
  }
  print_message("%u programs, %u with 3 streams, %u with a record that serves "
                "host and stream\n",
                cases, three, shared);
  assert_true(three >= wanted / 4);
  assert_true(shared >= wanted / 8);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden),
      cmocka_unit_test(test_brute_golden),
      cmocka_unit_test(test_random_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

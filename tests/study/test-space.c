/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/test-space.c - recorded spaces as they are read: failed and
 * pruned results, and programs that are read off their schedules.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dag/program/program-private.h"
#include "dag/space/neighbours-private.h"
#include "tests/dag/support.h"
#include "tests/study/made.h"

enum { MOST = 2100 }; /* schedules of a space: each is flushed to the disk */

static char path[] = "/tmp/cairn-space-XXXXXX";

static cairn_study_space *read_space(const cairn_dag_program *program) {
  const cairn_study_reading how = {.program = program};
  const char *const file = path;
  cairn_study_space *space = NULL;
  cairn_base_diag *diag = NULL;
  assert_int_equal(cairn_base_diag_create(0, &diag), CAIRN_OK);
  const cairn_status status =
      cairn_study__spaces_read(&file, 1, &how, diag, &space);
  cairn_base_diag_print(diag, stdout);
  assert_int_equal(status, CAIRN_OK);
  cairn_base_diag_free(diag);
  return space;
}

/* Results that failed have no time; pruned ones have theirs. */
static void test_results(void **state) {
  cairn_dag_program *const p = test_spmv();
  const size_t results = made_space(path, p, 2, 1, 1);
  cairn_study_space *const space = read_space(NULL);
  size_t failed = 0;
  (void)state;
  assert_int_equal(results, 2036);
  assert_int_equal(space->count, 2036);
  assert_int_equal(space->repeated, 0);
  for (size_t i = 0; i < space->count; i++) {
    assert_int_equal(isinf(space->time_s[i]) != 0, space->id[i] % 7 == 3);
    failed += isinf(space->time_s[i]) != 0;
    assert_true(i == 0 || space->id[i] > space->id[i - 1]);
  }
  assert_int_equal(space->failed, failed);
  assert_string_equal(space->objective, "p50");
  cairn_study__space_free(space);
  cairn_dag_program_free(p);
}

static void compare_neighbours(const cairn_study_space *a,
                               const cairn_study_space *b) {
  cairn_dag_neighbours x, y;
  assert_int_equal(a->count, b->count);
  assert_int_equal(cairn_dag__neighbours_find(a->program, a->schedule, a->count,
                                              CAIRN_DAG_NEIGHBOUR_ANY, &x),
                   CAIRN_OK);
  assert_int_equal(cairn_dag__neighbours_find(b->program, b->schedule, b->count,
                                              CAIRN_DAG_NEIGHBOUR_ANY, &y),
                   CAIRN_OK);
  assert_memory_equal(x.row, y.row, (a->count + 1) * sizeof *x.row);
  assert_memory_equal(x.to, y.to, x.row[a->count] * sizeof *x.to);
  assert_memory_equal(x.kind, y.kind, x.row[a->count]);
  cairn_dag__neighbours_free(&x);
  cairn_dag__neighbours_free(&y);
}

static int follows(const cairn_dag_program *p, unsigned from, unsigned to) {
  size_t count;
  const unsigned *const succ = cairn_dag_program_succs(p, from, &count);
  for (size_t k = 0; k < count; k++)
    if (succ[k] == to || follows(p, succ[k], to))
      return 1;
  return 0;
}

/* Does a longer way lead along an edge?  Schedules need not show it then. */
static int has_implied(const cairn_dag_program *p) {
  for (unsigned op = 0; op < cairn_dag_program_ops(p); op++) {
    size_t count;
    const unsigned *const succ = cairn_dag_program_succs(p, op, &count);
    for (size_t i = 0; i < count; i++)
      for (size_t j = 0; j < count; j++)
        if (i != j && follows(p, succ[i], succ[j]))
          return 1;
  }
  return 0;
}

/* SpMV: the edges themselves; random programs: the same neighbours. */
static void test_inferred(void **state) {
  cairn_base_rng rng;
  unsigned compared = 0;
  (void)state;
  cairn_base__rng_seed(&rng, 7);
  for (unsigned i = 0; i < test_cases(40, 300); i++) {
    cairn_dag_program *const p =
        i == 0 ? test_spmv()
               : test_random(&rng, 3 + cairn_base__rng_below(&rng, 4),
                             cairn_base__rng_uniform(&rng),
                             0.2 + 0.6 * cairn_base__rng_uniform(&rng));
    const unsigned streams = 1 + cairn_base__rng_below(&rng, 3);
    cairn_dag_size size;
    assert_int_equal(
        cairn_dag_space_size(p, streams, CAIRN_DAG_SYNC_TIDY, 1, &size),
        CAIRN_OK);
    if (has_implied(p) || size.count > MOST) {
      cairn_dag_program_free(p);
      continue;
    }
    compared++;
    const size_t results = made_space(path, p, i ? streams : 2, i, 0);
    assert_true(results > 0);
    cairn_study_space *const known = read_space(p);
    cairn_study_space *const inferred = read_space(NULL);
    assert_int_equal(known->inferred, 0);
    assert_int_equal(inferred->inferred, 1);
    if (i == 0)
      for (unsigned op = 0; op < cairn_dag_program_ops(p); op++) {
        const char *const name = cairn_dag_program_op(p, op)->name;
        const unsigned other = cairn_dag__program_find(inferred->program, name);
        size_t count, same;
        (void)cairn_dag_program_succs(p, op, &count);
        (void)cairn_dag_program_succs(inferred->program, other, &same);
        assert_int_equal(count, same);
      }
    compare_neighbours(known, inferred);
    cairn_study__space_free(known);
    cairn_study__space_free(inferred);
    cairn_dag_program_free(p);
  }
  assert_true(compared > 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_results),
                                     cmocka_unit_test(test_inferred)};
  const int file = mkstemp(path);
  if (file < 0)
    return 99;
  (void)close(file);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  (void)unlink(path);
  return failed;
}

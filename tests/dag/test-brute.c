/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-brute.c - spaces of small random programs on three and four
 * streams against the naive enumerator: counts, lists, tidying, minimizing, and
 * the prover, which is asked about schedules with a sync taken out, an op put
 * on another stream, or two items swapped too.
 */
#include "base/rng-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 256, ASKED = 40 };

typedef struct judged {
  unsigned legal, illegal;
} judged;

static void check_space(const cairn_dag_program *program, unsigned streams,
                        cairn_dag_sync sync, const test_set *expected) {
  test_set own = {0};
  cairn_dag_size size;
  assert_int_equal(
      cairn_dag_space_enumerate(program, streams, sync, test_set_visit, &own),
      CAIRN_OK);
  assert_int_equal(test_set_sort(&own), 0);
  assert_true(test_set_equal(expected, &own));
  assert_int_equal(cairn_dag_space_size(program, streams, sync, 1, &size),
                   CAIRN_OK);
  assert_true(size.exact);
  assert_true(size.count == (double)expected->count);
  test_set_free(&own);
}

/* Tidying and minimizing take complete prefixes onto these spaces. */
static void check_mapped(const cairn_dag_program *program, const test_set *from,
                         int minimize, const test_set *expected) {
  test_set own = {0};
  for (size_t k = 0; k < from->count; k++) {
    const cairn_dag_schedule *const s = &from->schedules[k];
    cairn_dag_item items[MOST];
    size_t count = s->count;
    memcpy(items, s->items, count * sizeof *items);
    if (minimize)
      assert_int_equal(
          cairn_dag__schedule_minimize(program, items, count, &count),
          CAIRN_OK);
    else
      count = cairn_dag__schedule_tidy(items, count);
    test_set_add(&own, items, count);
  }
  test_set_sort(&own);
  assert_true(test_set_equal(expected, &own));
  test_set_free(&own);
}

static int is_wait(cairn_dag_item item) {
  return item.kind == CAIRN_DAG_ITEM_CES || item.kind == CAIRN_DAG_ITEM_CSW;
}

/* Keeps the form: records before their waits, start and end in place. */
static size_t change(cairn_base_rng *rng, cairn_dag_item *items, size_t count,
                     unsigned streams) {
  const size_t at = 1 + cairn_base__rng_below(rng, (uint32_t)count - 2);
  const cairn_dag_item item = items[at], next = items[at + 1];
  if (is_wait(item)) {
    memmove(items + at, items + at + 1, (count - at - 1) * sizeof *items);
    return count - 1;
  }
  if (item.kind == CAIRN_DAG_ITEM_GPU && cairn_base__rng_below(rng, 2)) {
    items[at].stream = (uint8_t)cairn_base__rng_below(rng, streams);
  } else if (at + 2 < count && !(is_wait(next) && next.id == item.id)) {
    items[at] = next;
    items[at + 1] = item;
  }
  return count;
}

static void check_prover(const cairn_dag_program *program, unsigned streams,
                         const test_set *set, cairn_base_rng *rng, judged *j) {
  cairn_dag_prover *prover;
  assert_int_equal(cairn_dag__prover_create(program, &prover), CAIRN_OK);
  for (size_t k = 0; k < set->count; k++)
    assert_true(cairn_dag__prover_legal(prover, set->schedules[k].items,
                                        set->schedules[k].count));
  for (unsigned i = 0; i < ASKED; i++) {
    const cairn_dag_schedule *const s =
        &set->schedules[cairn_base__rng_below(rng, (uint32_t)set->count)];
    cairn_dag_item items[MOST];
    size_t count = s->count;
    memcpy(items, s->items, count * sizeof *items);
    for (unsigned n = cairn_base__rng_below(rng, 3) + 1; n > 0; n--)
      count = change(rng, items, count, streams);
    cairn_dag__schedule_renumber(items, count);
    const int legal = test_brute_legal(program, items, count);
    assert_int_equal(cairn_dag__prover_legal(prover, items, count), legal);
    ++*(legal ? &j->legal : &j->illegal);
  }
  cairn_dag__prover_free(prover);
}

static int check_program(unsigned seed, unsigned streams, judged *j) {
  cairn_base_rng rng;
  test_set all = {0}, tidy = {0}, minimal = {0};
  cairn_base__rng_seed(&rng, seed);
  const unsigned ops = 2 + cairn_base__rng_below(&rng, 4);
  const double gpu = 0.4 + 0.6 * cairn_base__rng_uniform(&rng);
  const double edge = 0.15 + 0.6 * cairn_base__rng_uniform(&rng);
  cairn_dag_program *const program = test_random(&rng, ops, gpu, edge);
  const int done =
      test_brute(program, streams, 20000, &all, &tidy, &minimal) > 0;
  if (done) {
    check_space(program, streams, CAIRN_DAG_SYNC_TIDY, &tidy);
    check_space(program, streams, CAIRN_DAG_SYNC_MINIMAL, &minimal);
    check_mapped(program, &all, 0, &tidy);
    check_mapped(program, &tidy, 1, &minimal);
    check_prover(program, streams, &all, &rng, j);
  }
  test_set_free(&all);
  test_set_free(&tidy);
  test_set_free(&minimal);
  cairn_dag_program_free(program);
  return done;
}

static void test_programs(void **state) {
  const unsigned wanted = test_cases(200, 4000);
  unsigned cases = 0, four = 0;
  judged j = {0, 0};
  (void)state;
  for (unsigned seed = 1; cases < wanted; seed++) {
    const unsigned streams = 3 + seed % 2;
    if (!check_program(seed, streams, &j))
      continue;
    cases++;
    four += streams == 4;
  }
  print_message("%u programs, %u with 4 streams; of changed schedules %u "
                "legal, %u not\n",
                cases, four, j.legal, j.illegal);
  assert_true(four >= wanted / 4);
  assert_true(j.legal > cases && j.illegal > cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

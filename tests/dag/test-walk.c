/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-walk.c - growing prefixes in all ways that callers have, at
 * one to four streams: what is offered is what is legal, nothing else is taken,
 * and no assertion of dag/space/walk.c fails.
 */
#include "base/rng-private.h"
#include "dag/prove/prove-private.h"
#include "dag/space/walk-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 512 };

typedef struct walker {
  cairn_base_rng rng;
  cairn_dag_program *program;
  cairn_dag_prover *prover;
  cairn_dag_walk *walk;
  unsigned ops, streams, finished, refused;
} walker;

static unsigned below(walker *w, unsigned n) {
  return cairn_base__rng_below(&w->rng, n);
}

static size_t items_now(const walker *w) {
  size_t count;
  cairn_dag__walk_items(w->walk, &count);
  return count;
}

static int offered(const cairn_dag_item *list, size_t count,
                   cairn_dag_item item) {
  for (size_t i = 0; i < count; i++)
    if (memcmp(&list[i], &item, sizeof item) == 0)
      return 1;
  return 0;
}

/* Every item near the sensible ones, and some far from them. */
static void check_legal(walker *w, const cairn_dag_item *list, size_t count) {
  for (unsigned kind = 0; kind <= CAIRN_DAG_ITEM_CSW + 1; kind++)
    for (unsigned stream = 0; stream <= w->streams; stream++)
      for (unsigned id = 0; id <= w->ops + 4; id++) {
        const cairn_dag_item item = {(uint8_t)kind, (uint8_t)stream,
                                     (uint16_t)id};
        assert_int_equal(cairn_dag__walk_legal(w->walk, item),
                         offered(list, count, item));
      }
  for (int i = 0; i < 20; i++) {
    const cairn_dag_item item = {(uint8_t)below(w, 8), (uint8_t)below(w, 256),
                                 (uint16_t)below(w, 65536)};
    assert_int_equal(cairn_dag__walk_legal(w->walk, item),
                     offered(list, count, item));
  }
}

static int is_ready(walker *w, unsigned id) {
  size_t count;
  const unsigned *const ready = cairn_dag__walk_ready(w->walk, &count);
  for (size_t i = 0; i < count; i++)
    if (ready[i] == id)
      return 1;
  return 0;
}

/* Any op on any stream: taken whole, or refused with nothing changed. */
static void issue_any(walker *w) {
  const unsigned id = below(w, w->ops + 3), stream = below(w, w->streams + 2);
  const cairn_dag_op *const op = cairn_dag_program_op(w->program, id);
  const unsigned used = cairn_dag__walk_used_streams(w->walk);
  const size_t before = items_now(w);
  const int fits = is_ready(w, id) && (op->kind == CAIRN_DAG_CPU ||
                                       (stream <= used && stream < w->streams));
  const size_t pushed = cairn_dag__walk_issue(w->walk, id, stream);
  assert_int_equal(pushed > 0, fits);
  assert_int_equal(items_now(w), before + pushed);
  w->refused += !fits;
}

static void check_complete(walker *w) {
  size_t count;
  const cairn_dag_item *const items = cairn_dag__walk_items(w->walk, &count);
  assert_true(cairn_dag__prover_legal(w->prover, items, count));
  w->finished++;
}

/* Back to any prefix but the empty one. */
static void back(walker *w) {
  for (size_t n = below(w, (unsigned)items_now(w)); n > 0; n--)
    cairn_dag__walk_pop(w->walk);
}

static void step(walker *w) {
  size_t count;
  const cairn_dag_item *const offer =
      cairn_dag__walk_extensions(w->walk, &count);
  cairn_dag_item list[MOST];
  assert_true(count <= MOST);
  memcpy(list, offer, count * sizeof *list);
  check_legal(w, list, count);
  if (cairn_dag__walk_complete(w->walk)) {
    assert_int_equal(count, 0);
    check_complete(w);
    back(w);
    return;
  }
  assert_true(count > 0);
  const unsigned what = below(w, 16);
  if (what == 0)
    back(w);
  else if (what < 4)
    issue_any(w);
  else if (what == 4)
    cairn_dag__walk_rollout(w->walk, &w->rng);
  else
    cairn_dag__walk_push(w->walk, list[below(w, (unsigned)count)]);
}

static void test_walks(void **state) {
  const unsigned programs = test_cases(240, 5000);
  unsigned finished = 0, refused = 0;
  (void)state;
  for (unsigned seed = 1; seed <= programs; seed++) {
    walker w = {.streams = 1 + seed % 4};
    cairn_base__rng_seed(&w.rng, seed);
    const unsigned ops = 2 + below(&w, 9);
    const double gpu = 0.3 + 0.7 * cairn_base__rng_uniform(&w.rng);
    const double edge = 0.7 * cairn_base__rng_uniform(&w.rng);
    w.program = test_random(&w.rng, ops, gpu, edge);
    w.ops = (unsigned)cairn_dag_program_ops(w.program);
    assert_int_equal(cairn_dag__prover_create(w.program, &w.prover), CAIRN_OK);
    assert_int_equal(cairn_dag__walk_create(w.program, w.streams, &w.walk),
                     CAIRN_OK);
    for (int i = 0; i < 120; i++)
      step(&w);
    finished += w.finished;
    refused += w.refused;
    cairn_dag__walk_free(w.walk);
    cairn_dag__prover_free(w.prover);
    cairn_dag_program_free(w.program);
  }
  print_message("%u programs, %u schedules, %u ops refused\n", programs,
                finished, refused);
  assert_true(finished > programs && refused > programs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_walks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

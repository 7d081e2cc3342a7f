/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/test-illegal.c - schedules that are not legal, given to a search
 * as results of an earlier run, are refused; plans and every strategy keep to
 * legal ones, at one to four streams.  The prover judges.
 */
#include "base/rng-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include "mcts/model/plan-private.h"
#include "mcts/search-private.h"
#include "tests/dag/support.h"
#include <cairn/mcts.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 512, BUDGET = 12, PLANS = 8 };

static cairn_status teach(void *context, const cairn_mcts_sample *measured,
                          size_t measured_count,
                          const cairn_mcts_sample *candidate,
                          size_t candidate_count, double *score) {
  (void)context;
  (void)measured;
  (void)measured_count;
  for (size_t i = 0; i < candidate_count; i++)
    score[i] = (double)candidate[i].count;
  return CAIRN_OK;
}

static cairn_status evaluate(void *prover, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result) {
  assert_true(cairn_dag__prover_legal(prover, items, count));
  *result = cairn_mcts__result_of((double)(1 + (7 * id + count) % 11));
  return CAIRN_OK;
}

static cairn_mcts *make(const cairn_dag_program *program, const char *strategy,
                        unsigned streams) {
  const cairn_mcts_options options = {.strategy = strategy,
                                      .streams = streams,
                                      .seed = 1,
                                      .budget = BUDGET,
                                      .teach = teach};
  cairn_mcts *search;
  assert_int_equal(cairn_mcts_create(program, &options, NULL, &search),
                   CAIRN_OK);
  return search;
}

/* One item changed, dropped, doubled, or swapped with another. */
static size_t mutate(cairn_base_rng *rng, cairn_dag_item *items, size_t count,
                     unsigned streams, unsigned ops) {
  const size_t at = cairn_base__rng_below(rng, (uint32_t)count);
  const size_t other = cairn_base__rng_below(rng, (uint32_t)count);
  const cairn_dag_item item = items[at];
  switch (cairn_base__rng_below(rng, 5)) {
  case 0:
    items[at].stream = (uint8_t)cairn_base__rng_below(rng, streams + 1);
    return count;
  case 1:
    items[at].id = (uint16_t)cairn_base__rng_below(rng, ops);
    return count;
  case 2:
    memmove(items + at, items + at + 1, (count - at - 1) * sizeof *items);
    return count - 1;
  case 3:
    memmove(items + at + 1, items + at, (count - at) * sizeof *items);
    return count + 1;
  default:
    items[at] = items[other];
    items[other] = item;
    return count;
  }
}

typedef struct tally {
  unsigned legal, illegal;
} tally;

/* A schedule of the space, or none: the search takes it, or refuses it. */
static void give(const cairn_dag_program *program, cairn_dag_prover *prover,
                 cairn_mcts *search, unsigned streams,
                 const cairn_dag_item *items, size_t count, tally *t) {
  cairn_dag_item form[MOST];
  const cairn_mcts_result result = cairn_mcts__result_of(1);
  int used, legal;
  memcpy(form, items, count * sizeof *items);
  cairn_dag__schedule_renumber(form, count);
  legal = cairn_dag__prover_legal(prover, form, count);
  for (size_t i = 0; i < count; i++)
    legal &= form[i].stream < streams;
  assert_int_equal(cairn_mcts__add_prior(search, items, count, 1, &used),
                   CAIRN_OK);
  assert_true(legal || !used);
  if (!legal) {
    cairn_mcts *const other = make(program, "random", streams);
    assert_int_equal(cairn_mcts__resume(other, items, count, &result, NULL),
                     CAIRN_INPUT);
    cairn_mcts_free(other);
  }
  t->legal += (unsigned)legal;
  t->illegal += (unsigned)!legal;
}

static void check_strategies(const cairn_dag_program *program, unsigned streams,
                             cairn_base_rng *rng, tally *t) {
  size_t strategies;
  const cairn_mcts_strategy *const *const strategy =
      cairn_mcts_strategies(&strategies);
  cairn_dag_prover *prover;
  cairn_mcts *const source = make(program, "random", streams);
  assert_int_equal(cairn_dag__prover_create(program, &prover), CAIRN_OK);
  assert_int_equal(cairn_mcts_run(source, evaluate, prover, NULL), CAIRN_OK);
  for (size_t k = 0; k < strategies; k++) {
    cairn_mcts *const search = make(program, strategy[k]->name, streams);
    for (uint64_t id = 0; id < cairn_mcts_evaluations(source); id++) {
      cairn_dag_item items[MOST];
      const cairn_dag_item *from;
      size_t count;
      cairn_mcts__get(source, id, &from, &count, NULL);
      assert_true(count + 2 < MOST);
      memcpy(items, from, count * sizeof *items);
      for (int i = 0; i < 2; i++) {
        count = mutate(rng, items, count, streams,
                       (unsigned)cairn_dag_program_ops(program));
        give(program, prover, search, streams, items, count, t);
      }
    }
    assert_int_equal(cairn_mcts_run(search, evaluate, prover, NULL), CAIRN_OK);
    cairn_mcts_free(search);
  }
  cairn_mcts_free(source);
  cairn_dag__prover_free(prover);
}

static void check_plans(const cairn_dag_program *program, unsigned streams,
                        cairn_base_rng *rng) {
  cairn_dag_prover *prover;
  cairn_dag_walk *walk;
  cairn_mcts_machine machine = {0};
  cairn_mcts_plan plan = {0};
  assert_int_equal(cairn_dag__prover_create(program, &prover), CAIRN_OK);
  assert_int_equal(cairn_dag__walk_create(program, streams, &walk), CAIRN_OK);
  assert_int_equal(cairn_mcts__machine_create(&machine, program, streams),
                   CAIRN_OK);
  assert_int_equal(cairn_mcts__plan_create(&plan, program, &machine), CAIRN_OK);
  cairn_mcts__machine_reset(&machine, 1);
  for (unsigned i = 0; i < 2 * PLANS; i++) {
    size_t count;
    if (i & 1)
      cairn_mcts__plan_list(&plan, i / 2 % CAIRN_MCTS_LIST_RULES);
    else
      cairn_mcts__plan_random(&plan, rng);
    cairn_mcts__plan_time(&plan);
    for (int step = 0; step < 10; step++)
      cairn_mcts__plan_step(&plan, 1, rng);
    for (int early = 0; early < 2; early++) {
      cairn_mcts__plan_walk(&plan, early, walk);
      const cairn_dag_item *const items = cairn_dag__walk_items(walk, &count);
      assert_true(cairn_dag__walk_complete(walk));
      assert_true(cairn_dag__prover_legal(prover, items, count));
    }
  }
  cairn_mcts__plan_free(&plan);
  cairn_mcts__machine_free(&machine);
  cairn_dag__walk_free(walk);
  cairn_dag__prover_free(prover);
}

static void test_illegal(void **state) {
  const unsigned programs = test_cases(40, 1000);
  tally t = {0, 0};
  (void)state;
  for (unsigned seed = 1; seed <= programs; seed++) {
    cairn_base_rng rng;
    cairn_base__rng_seed(&rng, seed);
    const unsigned streams = 1 + seed % 4;
    const unsigned ops = 3 + cairn_base__rng_below(&rng, 7);
    const double gpu = 0.3 + 0.7 * cairn_base__rng_uniform(&rng);
    cairn_dag_program *const program =
        test_random(&rng, ops, gpu, 0.1 + 0.5 * cairn_base__rng_uniform(&rng));
    check_plans(program, streams, &rng);
    check_strategies(program, streams, &rng, &t);
    cairn_dag_program_free(program);
  }
  print_message("%u programs, %u illegal schedules refused, %u legal ones\n",
                programs, t.illegal, t.legal);
  assert_true(t.illegal > programs * 10 && t.legal > programs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_illegal),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

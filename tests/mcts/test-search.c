/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/test-search.c - what every strategy has to keep: it proposes each
 * schedule of the space once and no other, the same ones for the same seed,
 * and goes on after a resume as if nothing had happened.
 *
 * Spaces come from the naive enumerator of tests/dag, times from a hash of the
 * schedule plus a term that neighbours share.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include <cairn/mcts.h>

#include "base/mem-private.h"
#include "base/rng-private.h"
#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include "tests/dag/support.h"

/* ---- helpers ---- */

/* A time that depends on the order of the ops and a little on all else. */
static double time_of(const cairn_dag_item *items, size_t count) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  double t = 1;
  for (size_t i = 0; i < count; i++)
    t += (items[i].kind <= CAIRN_DAG_ITEM_GPU ? 0.01 : 0.02) *
         (double)(items[i].id * (i + 1) % 7);
  return (t + (double)(key.lo % 1000) * 1e-5) * 1e-5;
}

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  (void)id;
  if (context)
    test_set_add(context, items, count);
  *result_p = cairn_mcts__result_of(time_of(items, count));
  return CAIRN_OK;
}

/* A teacher that likes long schedules. */
static cairn_status teach(void *context, const cairn_mcts_sample *measured,
                          size_t measured_count,
                          const cairn_mcts_sample *candidate,
                          size_t candidate_count, double *score) {
  (void)context;
  assert_true(measured_count > 0 && measured->count > 0);
  for (size_t i = 0; i < candidate_count; i++)
    score[i] = (double)candidate[i].count;
  return CAIRN_OK;
}

static cairn_mcts *make(const cairn_dag_program *program, const char *strategy,
                        unsigned streams, cairn_dag_sync sync, uint64_t seed,
                        uint64_t budget) {
  const cairn_mcts_options options = {.strategy = strategy,
                                      .streams = streams,
                                      .sync = sync,
                                      .seed = seed,
                                      .budget = budget,
                                      .teach = teach};
  cairn_mcts *search = NULL;
  assert_int_equal(cairn_mcts_create(program, &options, NULL, &search),
                   CAIRN_OK);
  return search;
}

static const char *strategy(size_t i) {
  size_t count;
  const cairn_mcts_strategy *const *const all = cairn_mcts_strategies(&count);
  return i < count ? all[i]->name : NULL;
}

/* ---- the space ---- */

static void check_space(const cairn_dag_program *program, unsigned streams,
                        cairn_dag_sync sync, uint64_t seed) {
  test_set want = {0};
  assert_int_equal(
      cairn_dag_space_enumerate(program, streams, sync, test_set_visit, &want),
      CAIRN_OK);
  test_set_sort(&want);
  for (size_t i = 0; strategy(i); i++) {
    test_set got = {0};
    double share = 0;
    cairn_mcts *const search =
        make(program, strategy(i), streams, sync, seed, 0);
    assert_int_equal(cairn_mcts_run(search, evaluate, &got, NULL), CAIRN_OK);
    assert_int_equal(cairn_mcts__stop_reason(search), CAIRN_MCTS_EXHAUSTED);
    assert_int_equal(cairn_mcts_evaluations(search), want.count);
    if (test_set_sort(&got) || !test_set_equal(&got, &want))
      fail_msg("strategy %s, %u streams, sync %d, seed %llu", strategy(i),
               streams, (int)sync, (unsigned long long)seed);
    assert_int_equal(cairn_mcts__share(search, &share, NULL), CAIRN_OK);
    assert_true(share == 1);
    cairn_mcts_free(search);
    test_set_free(&got);
  }
  test_set_free(&want);
}

/* Without limits every strategy measures exactly the space, each once: small
 * random programs, 1 to 3 streams, tidy and minimal. */
static void test_space(void **state) {
  cairn_base_rng rng;
  (void)state;
  cairn_base__rng_seed(&rng, 7);
  for (unsigned k = 0; k < 8; k++) {
    const unsigned ops = 3 + cairn_base__rng_below(&rng, 2);
    cairn_dag_program *const program = test_random(&rng, ops, 0.5, 0.6);
    check_space(program, 1 + k % 3, k & 1, k);
    cairn_dag_program_free(program);
  }
}

/* ---- same seed ---- */

static void test_same(void **state) {
  cairn_dag_program *const program = test_spmv();
  (void)state;
  for (size_t i = 0; strategy(i); i++) {
    const uint64_t n = 60;
    cairn_mcts *const a = make(program, strategy(i), 2, 0, 5, n);
    cairn_mcts *const b = make(program, strategy(i), 2, 0, 5, n);
    assert_int_equal(cairn_mcts_run(a, evaluate, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_mcts_run(b, evaluate, NULL, NULL), CAIRN_OK);
    assert_int_equal(cairn_mcts__stop_reason(a), CAIRN_MCTS_BUDGET);
    assert_int_equal(cairn_mcts_evaluations(a), n);
    for (uint64_t id = 0; id < n; id++) {
      const cairn_dag_item *x, *y;
      size_t nx, ny;
      cairn_mcts__get(a, id, &x, &nx, NULL);
      cairn_mcts__get(b, id, &y, &ny, NULL);
      assert_int_equal(nx, ny);
      assert_memory_equal(x, y, nx * sizeof *x);
    }
    cairn_mcts_free(a);
    cairn_mcts_free(b);
  }
  cairn_dag_program_free(program);
}

/* ---- resume ---- */

/* Every third schedule fails, so that failures are resumed too. */
static cairn_mcts_result some_fail(const cairn_dag_item *items, size_t count) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  return cairn_mcts__result_of(key.hi % 3 ? time_of(items, count)
                                          : (double)NAN);
}

static void go_on(cairn_mcts *search) {
  cairn_mcts_proposal p;
  while (cairn_mcts_propose(search, &p) == CAIRN_OK) {
    const cairn_mcts_result result = some_fail(p.items, p.count);
    assert_int_equal(cairn_mcts_report(search, p.id, &result), CAIRN_OK);
  }
}

static void check_resume(const cairn_dag_program *program, const char *name,
                         const cairn_mcts *whole, uint64_t prefix) {
  cairn_mcts *const search = make(program, name, 2, 0, 3, 40);
  for (uint64_t id = 0; id < prefix; id++) {
    const cairn_dag_item *items;
    size_t count;
    cairn_mcts_result result;
    cairn_mcts__get(whole, id, &items, &count, &result);
    assert_int_equal(cairn_mcts__resume(search, items, count, &result, NULL),
                     CAIRN_OK);
  }
  go_on(search);
  assert_int_equal(cairn_mcts_evaluations(search),
                   cairn_mcts_evaluations(whole));
  for (uint64_t id = prefix; id < cairn_mcts_evaluations(whole); id++) {
    const cairn_dag_item *x, *y;
    size_t nx, ny;
    cairn_mcts__get(whole, id, &x, &nx, NULL);
    cairn_mcts__get(search, id, &y, &ny, NULL);
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx * sizeof *x);
  }
  cairn_mcts_free(search);
}

static void test_resume(void **state) {
  cairn_dag_program *const program = test_spmv();
  (void)state;
  for (size_t i = 0; strategy(i); i++) {
    cairn_mcts *const whole = make(program, strategy(i), 2, 0, 3, 40);
    go_on(whole);
    for (uint64_t prefix = 0; prefix <= 40; prefix += 1 + prefix / 3)
      check_resume(program, strategy(i), whole, prefix);
    cairn_mcts_free(whole);
  }
  cairn_dag_program_free(program);
}

/* A journal of another seed is refused. */
static void test_resume_other(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const a = make(program, "coverage", 2, 0, 1, 5);
  cairn_mcts *const b = make(program, "coverage", 2, 0, 2, 5);
  cairn_status status = CAIRN_OK;
  (void)state;
  go_on(a);
  for (uint64_t id = 0; id < 5 && !status; id++) {
    const cairn_dag_item *items;
    size_t count;
    cairn_mcts_result result;
    cairn_mcts__get(a, id, &items, &count, &result);
    status = cairn_mcts__resume(b, items, count, &result, NULL);
  }
  assert_int_equal(status, CAIRN_INPUT);
  cairn_mcts_free(a);
  cairn_mcts_free(b);
  cairn_dag_program_free(program);
}

/* ---- ends ---- */

static cairn_status always_fail(void *context, const cairn_dag_item *items,
                                size_t count, uint64_t id,
                                cairn_mcts_result *result_p) {
  (void)context;
  (void)items;
  (void)count;
  (void)id;
  *result_p = cairn_mcts__result_of(NAN);
  return CAIRN_OK;
}

/* A search that measured nothing is an error, whatever the strategy. */
static void test_nothing(void **state) {
  cairn_dag_program *const program = test_spmv();
  (void)state;
  for (size_t i = 0; strategy(i); i++) {
    cairn_mcts *const search = make(program, strategy(i), 2, 0, 1, 25);
    uint64_t best;

    assert_int_equal(cairn_mcts_run(search, always_fail, NULL, NULL),
                     CAIRN_FINDINGS);
    assert_int_equal(cairn_mcts_best(search, &best), CAIRN_FINDINGS);
    assert_int_equal(cairn_mcts__failures(search),
                     cairn_mcts_evaluations(search));
    cairn_mcts_free(search);
  }
  cairn_dag_program_free(program);
}

static void test_failures(void **state) {
  cairn_dag_program *const program = test_spmv();
  (void)state;
  for (size_t i = 0; strategy(i); i++) {
    cairn_mcts *const search = make(program, strategy(i), 2, 0, 9, 80);
    const cairn_mcts_point *curve;
    cairn_mcts_result best;
    uint64_t id;
    size_t points;
    go_on(search);
    assert_true(cairn_mcts__failures(search) > 0);
    assert_int_equal(cairn_mcts_best(search, &id), CAIRN_OK);
    cairn_mcts__get(search, id, NULL, NULL, &best);
    assert_int_equal(best.outcome, CAIRN_BASE_OUTCOME_OK);
    curve = cairn_mcts__curve(search, &points);
    assert_true(points > 0);
    for (size_t k = 1; k < points; k++)
      assert_true(curve[k].time_s < curve[k - 1].time_s &&
                  curve[k].evaluations > curve[k - 1].evaluations);
    assert_true(curve[points - 1].time_s <= best.time_s);
    assert_int_equal(curve[points - 1].evaluations, id + 1);
    assert_int_equal(cairn_mcts__evaluations_to(search, best.time_s), id + 1);
    assert_int_equal(cairn_mcts__evaluations_to(search, best.time_s / 2), 0);
    cairn_mcts_free(search);
  }
  cairn_dag_program_free(program);
}

static void test_stops(void **state) {
  cairn_dag_program *const program = test_spmv();
  volatile int stop = 0;
  const cairn_mcts_options options = {
      .strategy = "random", .seed = 1, .budget = 3, .stop = &stop};
  cairn_mcts *search;
  cairn_mcts_proposal p, q;
  cairn_mcts_result result = cairn_mcts__result_of(1e-5);
  (void)state;
  assert_int_equal(cairn_mcts_create(program, &options, NULL, &search), 0);
  assert_int_equal(cairn_mcts_propose(search, &p), CAIRN_OK);
  assert_int_equal(cairn_mcts_propose(search, &q), CAIRN_OK);
  assert_int_equal(p.id, q.id);
  assert_int_equal(cairn_mcts_report(search, 7, &result), CAIRN_USAGE);
  assert_int_equal(cairn_mcts_report(search, 0, &result), CAIRN_OK);
  assert_int_equal(cairn_mcts_report(search, 0, &result), CAIRN_USAGE);
  stop = 1;
  assert_int_equal(cairn_mcts_propose(search, &p), CAIRN_EXHAUSTED);
  assert_int_equal(cairn_mcts__stop_reason(search), CAIRN_MCTS_SIGNAL);
  stop = 0;
  assert_int_equal(cairn_mcts_run(search, evaluate, NULL, NULL), CAIRN_OK);
  assert_int_equal(cairn_mcts__stop_reason(search), CAIRN_MCTS_BUDGET);
  assert_int_equal(cairn_mcts_evaluations(search), 3);
  cairn_mcts__set_budget(search, 0, 1e-9);
  assert_int_equal(cairn_mcts_run(search, evaluate, NULL, NULL), CAIRN_OK);
  assert_int_equal(cairn_mcts__stop_reason(search), CAIRN_MCTS_TIME);
  assert_string_equal(cairn_mcts_stop_text(CAIRN_MCTS_TIME), "time");
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

static void test_usage(void **state) {
  cairn_dag_program *const program = test_spmv();
  const cairn_mcts_setting wrong[] = {{"c", "x"}, {"c", "-1"}, {"d", "1"}};
  cairn_mcts_options options = {.strategy = "coverag"};
  cairn_base_diag *diag;
  cairn_mcts *search;
  (void)state;
  assert_int_equal(cairn_base_diag_create(0, &diag), CAIRN_OK);
  assert_int_equal(cairn_mcts_create(program, &options, diag, &search),
                   CAIRN_USAGE);
  assert_non_null(strstr(cairn_base_diag_get(diag, 0)->text, "\"coverage\""));
  options.strategy = "rules";
  assert_int_equal(cairn_mcts_create(program, &options, diag, &search),
                   CAIRN_USAGE);
  options.strategy = "coverage";
  options.settings = 1;
  for (size_t i = 0; i < 3; i++) {
    options.setting = wrong + i;
    assert_int_equal(cairn_mcts_create(program, &options, diag, &search),
                     CAIRN_USAGE);
  }
  options.settings = 0;
  options.streams = 33;
  assert_int_equal(cairn_mcts_create(program, &options, diag, &search),
                   CAIRN_USAGE);
  assert_int_equal(cairn_base_diag_errors(diag), 6);
  cairn_base_diag_free(diag);
  cairn_dag_program_free(program);
}

/* ---- priors ---- */

static void test_prior(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const old = make(program, "random", 2, 0, 1, 50);
  cairn_mcts *const search = make(program, "guided", 2, 0, 1, 20);
  const cairn_dag_item *items;
  cairn_dag_item broken[64];
  size_t count;
  uint64_t best;
  int used;
  (void)state;
  assert_int_equal(cairn_mcts_run(old, evaluate, NULL, NULL), CAIRN_OK);
  for (uint64_t id = 0; id < 50; id++) {
    cairn_mcts__get(old, id, &items, &count, NULL);
    assert_int_equal(cairn_mcts__add_prior(search, items, count,
                                           2 * time_of(items, count), &used),
                     CAIRN_OK);
    assert_true(used);
  }
  assert_int_equal(cairn_mcts__add_prior(search, items, count, 1, &used), 0);
  assert_false(used); /* known */
  memcpy(broken, items, count * sizeof *items);
  broken[1] = broken[2];
  assert_int_equal(cairn_mcts__add_prior(search, broken, count, 1, &used), 0);
  assert_false(used); /* illegal */
  assert_int_equal(cairn_mcts__add_prior(search, items, count, NAN, &used), 0);
  assert_false(used);
  assert_int_equal(cairn_mcts_evaluations(search), 0);
  assert_int_equal(cairn_mcts_best(search, &best), CAIRN_FINDINGS);
  assert_int_equal(cairn_mcts_run(search, evaluate, NULL, NULL), CAIRN_OK);
  assert_int_equal(cairn_mcts__add_prior(search, items, count, 1, &used),
                   CAIRN_USAGE);
  cairn_mcts_free(old);
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

/* ---- memory ---- */

/* Every allocation may fail: the search says so and can be freed. */
static void test_memory(void **state) {
  cairn_dag_program *const program = test_spmv();
  (void)state;
  for (size_t i = 0; strategy(i); i++) {
    const cairn_mcts_options options = {
        .strategy = strategy(i), .seed = 1, .budget = 40, .teach = teach};
    cairn_status status = CAIRN_NOMEM;
    for (size_t n = 1; status == CAIRN_NOMEM; n += 1 + n / 4) {
      cairn_mcts *search = NULL;
      cairn_base__mem_fail(n, 1);
      status = cairn_mcts_create(program, &options, NULL, &search);
      if (!status)
        status = cairn_mcts_run(search, evaluate, NULL, NULL);
      cairn_base__mem_fail(0, 0);
      cairn_mcts_free(status && !search ? NULL : search);
    }
    assert_int_equal(status, CAIRN_OK);
  }
  cairn_dag_program_free(program);
}

/* ---- views ---- */

static void test_view(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const search = make(program, "exhaustive", 2, 0, 1, 0);
  cairn_base_text text = {0}, dot = {0};
  (void)state;
  assert_int_equal(cairn_mcts_run(search, evaluate, NULL, NULL), CAIRN_OK);
  assert_int_equal(cairn_mcts_evaluations(search), 2036);
  assert_int_equal(cairn_mcts__view_text(search, 2, 2, &text), CAIRN_OK);
  assert_non_null(strstr(text.data, "start  2036  "));
  assert_non_null(strstr(text.data, "  Pack@0  "));
  assert_int_equal(cairn_mcts__view_dot(search, 2, 2, &dot), CAIRN_OK);
  assert_non_null(strstr(dot.data, "digraph"));
  assert_non_null(strstr(dot.data, "n0 -> n"));
  cairn_base_text_free(&text);
  cairn_base_text_free(&dot);
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_space),   cmocka_unit_test(test_same),
      cmocka_unit_test(test_resume),  cmocka_unit_test(test_resume_other),
      cmocka_unit_test(test_nothing), cmocka_unit_test(test_failures),
      cmocka_unit_test(test_stops),   cmocka_unit_test(test_usage),
      cmocka_unit_test(test_prior),   cmocka_unit_test(test_memory),
      cmocka_unit_test(test_view),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

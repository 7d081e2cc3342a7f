/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-count.c - counting, estimating and sampling the space.
 */
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/sample-private.h"
#include "dag/space/sample-state-private.h"
#include "dag/space/tidy-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items;
  (void)count;
  return ++*(size_t *)context > 300000;
}

static double size_of(const cairn_dag_program *program, unsigned streams,
                      cairn_dag_sync sync) {
  cairn_dag_size size;
  assert_int_equal(cairn_dag_space_size(program, streams, sync, 1, &size),
                   CAIRN_OK);
  assert_true(size.exact);
  assert_true(size.low == size.count && size.high == size.count);
  return size.count;
}

static void test_golden(void **state) {
  static const double tidy[] = {0, 175, 2036, 8507};
  static const double minimal[] = {0, 175, 1856, 8147};
  static const double partitions[] = {0, 1, 8, 14, 15};
  cairn_dag_program *const spmv = test_spmv();
  cairn_dag_size size;
  (void)state;
  for (unsigned n = 1; n <= 3; n++) {
    assert_true(size_of(spmv, n, CAIRN_DAG_SYNC_TIDY) == tidy[n]);
    assert_true(size_of(spmv, n, CAIRN_DAG_SYNC_MINIMAL) == minimal[n]);
  }
  for (unsigned n = 1; n <= 4; n++) {
    assert_int_equal(cairn_dag_space_partitions(spmv, n, &size), CAIRN_OK);
    assert_true(size.exact && size.count == partitions[n]);
  }
  assert_int_equal(cairn_dag_space_orders(spmv, &size), CAIRN_OK);
  assert_true(size.exact && size.count == 81);
  cairn_dag_program_free(spmv);
}

/* n ops without edges have n! orders, and, on one stream, n! n-fold ways. */
static void test_closed_forms(void **state) {
  double factorial = 1;
  cairn_dag_size size;
  (void)state;
  for (unsigned n = 1; n <= 18; n++) {
    cairn_dag_program *const p = test_independent(n);
    factorial *= n;
    assert_int_equal(cairn_dag_space_orders(p, &size), CAIRN_OK);
    assert_true(size.exact && size.count == factorial);
    assert_true(size_of(p, 1, CAIRN_DAG_SYNC_TIDY) == factorial);
    cairn_dag_program_free(p);
  }
}

/* Beyond a double, logarithms go on: of n! by Stirling's series. */
static void test_huge(void **state) {
  cairn_dag_size size;
  (void)state;
  for (unsigned n = 150; n <= 400; n += 50) {
    cairn_dag_program *const p = test_independent(n);
    const double x = n, expected = x * log(x) - x + log(2 * acos(-1) * x) / 2 +
                                   1 / (12 * x) - 1 / (360 * x * x * x);
    assert_int_equal(cairn_dag_space_orders(p, &size), CAIRN_OK);
    assert_true(fabs(size.log10 - expected / log(10)) < 1e-6 * size.log10);
    cairn_dag_program_free(p);
  }
}

/* Wide programs get a rough estimate instead of hours: n GPU ops with a CPU op
 * after each have (2n)! / 2^n orders.  Its weights are unbiased, so it is too
 * high by a factor of a million once in a million times at most (Markov). */
static void test_wide(void **state) {
  const int n = 400;
  cairn_dag_program *p;
  cairn_dag_size size;
  char name[16], after[16];
  (void)state;
  assert_int_equal(cairn_dag_program_create("wide", &p), CAIRN_OK);
  for (int i = 0; i < n; i++) {
    snprintf(name, sizeof name, "g%d", i);
    snprintf(after, sizeof after, "h%d", i);
    assert_int_equal(
        cairn_dag__program_append(
            p, &(cairn_dag_op){.name = name, .kind = CAIRN_DAG_GPU}),
        CAIRN_OK);
    assert_int_equal(
        cairn_dag__program_append(
            p, &(cairn_dag_op){.name = after, .kind = CAIRN_DAG_CPU}),
        CAIRN_OK);
    assert_int_equal(
        cairn_dag__program_connect(p, 2 * (unsigned)i + 1, 2 * (unsigned)i + 2),
        CAIRN_OK);
  }
  assert_int_equal(cairn_dag_program_seal(p, NULL), CAIRN_OK);
  const double orders = (lgamma(2 * n + 1.0) - n * log(2)) / log(10);
  assert_int_equal(cairn_dag_space_orders(p, &size), CAIRN_OK);
  assert_true(size.rough && !size.exact);
  assert_true(size.log10 < orders + 6 && size.log10 > 0.98 * orders);
  assert_true(size.low == 1 && isinf(size.high)); /* it has no interval */
  for (int sync = CAIRN_DAG_SYNC_TIDY; sync <= CAIRN_DAG_SYNC_MINIMAL; sync++) {
    assert_int_equal(cairn_dag_space_size(p, 2, (cairn_dag_sync)sync, 1, &size),
                     CAIRN_OK);
    assert_true(size.rough && size.log10 > orders);
    assert_true(size.log10_low == 0 && isinf(size.log10_high));
    assert_int_equal(size.bound, sync == CAIRN_DAG_SYNC_MINIMAL);
  }
  cairn_dag_program_free(p);
}

/* The dynamic programme and the enumeration agree. */
static void test_counts(void **state) {
  const unsigned cases = test_cases(200, 2000);
  unsigned compared = 0;
  (void)state;
  for (unsigned seed = 1; seed <= cases; seed++) {
    cairn_base_rng rng;
    cairn_base__rng_seed(&rng, seed);
    const unsigned streams = 1 + seed % 4;
    cairn_dag_program *const p = test_random(
        &rng, 2 + seed % 6, 0.4 + 0.15 * (seed % 5), 0.1 + 0.1 * (seed % 7));
    size_t count = 0;
    cairn_dag_size size;
    cairn_dag_space_enumerate(p, streams, CAIRN_DAG_SYNC_TIDY, count_one,
                              &count);
    assert_int_equal(
        cairn_dag_space_size(p, streams, CAIRN_DAG_SYNC_TIDY, 1, &size),
        CAIRN_OK);
    if (count <= 300000 && size.exact) {
      if (size.count != (double)count)
        fail_msg("seed %u, %u streams: %.0f counted, %zu enumerated", seed,
                 streams, size.count, count);
      compared++;
    }
    cairn_dag_program_free(p);
  }
  assert_true(compared > cases / 2);
}

/* Estimates forced on programs whose exact count is known. */
static void test_estimates(void **state) {
  const unsigned wanted = test_cases(60, 600);
  unsigned cases = 0, within = 0, inside = 0;
  double worst = 1;
  (void)state;
  for (unsigned seed = 1; cases < wanted; seed++) {
    cairn_base_rng rng;
    cairn_dag__tidy *tidy;
    cairn_dag__memo memo = {0};
    cairn_dag__number ordered;
    cairn_dag_size size;
    cairn_base__rng_seed(&rng, seed);
    const unsigned streams = 1 + seed % 3;
    cairn_dag_program *const p = test_random(
        &rng, 6 + seed % 8, 0.3 + 0.15 * (seed % 5), 0.1 + 0.06 * (seed % 6));
    assert_int_equal(cairn_dag__tidy_create(p, streams, &tidy), CAIRN_OK);
    if (cairn_dag__count_exact(tidy, &memo, 100000, &ordered) == CAIRN_OK &&
        memo.count > 300) {
      const double count =
          cairn_dag__number_over(cairn_dag__count_all(tidy, ordered), 0);
      assert_int_equal(cairn_dag__size_estimate(tidy, 64, 16, seed, &size),
                       CAIRN_OK);
      if (!size.exact) {
        const double factor = fmax(size.count / count, count / size.count);
        cases++;
        within += factor <= 2;
        inside += size.low <= count && count <= size.high;
        worst = fmax(worst, factor);
      }
    }
    cairn_dag__memo_free(&memo);
    cairn_dag__tidy_free(tidy);
    cairn_dag_program_free(p);
  }
  print_message("%u of %u estimates within a factor 2 (worst %.2f); %u inside "
                "their interval\n",
                within, cases, worst, inside);
  assert_true(within >= 0.95 * cases);
  assert_true(inside >= 0.9 * cases);
}

/* Chi-square over the whole space, as a z-score (Wilson and Hilferty 1931);
 * *ratio_p: most frequent over least frequent. */
static double chi_square(const cairn_dag_program *program, unsigned streams,
                         size_t budget, size_t each, double *share_p) {
  cairn_dag_sampler *sampler;
  cairn_base_rng rng;
  test_set set = {0};
  double chi = 0, drawn_once = 0;
  cairn_dag_space_enumerate(program, streams, CAIRN_DAG_SYNC_TIDY,
                            test_set_visit, &set);
  test_set_sort(&set);
  size_t *const hits = calloc(set.count, sizeof *hits);
  cairn_dag_item *const items =
      calloc(cairn_dag__program_max_items(program, streams), sizeof *items);
  assert_int_equal(
      cairn_dag__sampler_create_within(program, streams, 1, budget, &sampler),
      CAIRN_OK);
  assert_int_equal(cairn_dag__sampler_exact(sampler), budget > 0);
  cairn_base__rng_seed(&rng, 11);
  for (size_t i = 0; i < each * set.count; i++) {
    const size_t count = cairn_dag__sampler_draw(sampler, &rng, items);
    cairn_dag__schedule_renumber(items, count);
    const size_t at = test_set_find(&set, items, count);
    assert_true(at != SIZE_MAX);
    hits[at]++;
  }
  for (size_t i = 0; i < set.count; i++) {
    const double d = (double)hits[i] - (double)each;
    chi += d * d / (double)each;
    drawn_once += fabs(d) / (double)(2 * each * set.count);
  }
  if (share_p)
    *share_p = drawn_once;
  const double k = (double)set.count - 1;
  cairn_dag__sampler_free(sampler);
  test_set_free(&set);
  free(hits);
  free(items);
  if (k < 1)
    return 0;
  return (cbrt(chi / k) - (1 - 2 / (9 * k))) / sqrt(2 / (9 * k));
}

static void test_uniform(void **state) {
  cairn_dag_program *const spmv = test_spmv();
  (void)state;
  for (unsigned n = 1; n <= 2; n++)
    assert_true(fabs(chi_square(spmv, n, 100000, 20, NULL)) < 4);
  cairn_dag_program_free(spmv);
  for (unsigned seed = 1; seed <= 12; seed++) {
    cairn_base_rng rng;
    cairn_base__rng_seed(&rng, seed);
    cairn_dag_program *const p = test_random(&rng, 3, 0.7, 0.3);
    assert_true(fabs(chi_square(p, 2 + seed % 3, 100000, 30, NULL)) < 4);
    cairn_dag_program_free(p);
  }
  cairn_dag_program *const twins = test_independent(4);
  assert_true(fabs(chi_square(twins, 2, 100000, 20, NULL)) < 4);
  cairn_dag_program_free(twins);
}

/* The random walk is not uniform: by how much, in total variation. */
static void test_walk_bias(void **state) {
  cairn_dag_program *const spmv = test_spmv();
  double share, exact;
  (void)state;
  chi_square(spmv, 2, 0, 50, &share);
  chi_square(spmv, 2, 100000, 50, &exact);
  print_message("total variation from uniform: walk %.3f, exact %.3f (noise "
                "of the sample)\n",
                share, exact);
  assert_true(share < 0.5);
  cairn_dag_program_free(spmv);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden),    cmocka_unit_test(test_closed_forms),
      cmocka_unit_test(test_huge),      cmocka_unit_test(test_counts),
      cmocka_unit_test(test_estimates), cmocka_unit_test(test_uniform),
      cmocka_unit_test(test_walk_bias), cmocka_unit_test(test_wide),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

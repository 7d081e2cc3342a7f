/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-sample.c - statistics of samples.  Expected values: ranks of
 * the interval from the binomial distribution (published tables), p-values of
 * Mann-Whitney's test from SciPy 1.10 (mannwhitneyu, method="asymptotic").
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/mem-private.h"
#include "base/rng-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

static void assert_close(double value, double expected, double tolerance) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%.17g is not %.17g", value, expected);
}

/* 95 % ranks (from 1) for n values: the narrowest symmetric ones. */
static void test_interval_ranks(void **state) {
  static const struct {
    size_t n, low, high;
  } cases[] = {{6, 1, 6},     {10, 2, 9},       {20, 6, 15},
               {30, 10, 21},  {50, 18, 33},     {70, 27, 44},
               {100, 40, 61}, {1000, 469, 532}, {4000, 1938, 2063}};
  static double values[4000];
  (void)state;
  for (size_t i = 0; i < 4000; i++)
    values[i] = (double)(i + 1);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double low = 0, high = 0;
    assert_true(
        cairn_timing__median_interval(values, cases[i].n, 0.95, &low, &high));
    assert_close(low, (double)cases[i].low, 0);
    assert_close(high, (double)cases[i].high, 0);
  }
  double low, high;
  assert_false(cairn_timing__median_interval(values, 5, 0.95, &low, &high));
  assert_false(cairn_timing__median_interval(values, 0, 0.95, &low, &high));
}

static cairn_base_sample sample(double time_s, unsigned flags, unsigned last) {
  return (cairn_base_sample){.time_s = time_s,
                             .skew_s = time_s / 10,
                             .k = 1,
                             .flags = (uint16_t)flags,
                             .last_rank = (uint16_t)last};
}

static void test_summary(void **state) {
  cairn_base_sample samples[13];
  cairn_base_summary s;
  (void)state;
  for (unsigned i = 0; i < 11; i++) /* 1..11 us, out of order */
    samples[i] = sample(1e-6 * (1 + (i * 7) % 11), 0, i < 8 ? 3 : 1);
  samples[11] = sample(99, CAIRN_BASE_LATE, 0);
  samples[12] = sample(98, CAIRN_BASE_FAULTY, 0);
  assert_int_equal(cairn_timing__summarize(samples, 13, 0.95, &s), CAIRN_OK);
  assert_int_equal(s.times.samples, 11);
  assert_int_equal(s.late, 1);
  assert_int_equal(s.faulty, 1);
  assert_close(s.times.p[CAIRN_BASE_P50], 6e-6, 1e-18);
  assert_close(s.times.p[CAIRN_BASE_P10], 2e-6, 1e-18);
  assert_close(s.times.p[CAIRN_BASE_P01], 1.1e-6, 1e-18);
  assert_close(s.times.p[CAIRN_BASE_P90], 10e-6, 1e-18);
  assert_close(s.times.p[CAIRN_BASE_P99], 10.9e-6, 1e-18);
  assert_close(s.min, 1e-6, 0);
  assert_close(s.max, 11e-6, 1e-18);
  assert_close(s.mad, 3e-6, 1e-18);
  assert_close(s.times.stddev, 1e-6 * sqrt(11), 1e-15);
  assert_close(s.times.skew, 0.6e-6, 1e-18);
  assert_close(s.times.low, 2e-6, 1e-18); /* ranks 2 and 10 of 11 */
  assert_close(s.times.high, 10e-6, 1e-18);
  assert_close(s.half, 4.0 / 6.0, 1e-12);
  assert_int_equal(s.last_rank, 3);
  assert_close(s.last_share, 8.0 / 11.0, 1e-12);
  assert_true(isnan(s.runs_z) && isnan(s.lag1) && !s.correlated);
}

static void test_nothing_and_one(void **state) {
  cairn_base_summary s;
  const cairn_base_sample one = sample(2e-6, 0, 0);
  (void)state;
  assert_int_equal(cairn_timing__summarize(NULL, 0, 0.95, &s), CAIRN_OK);
  assert_int_equal(s.times.samples, 0);
  assert_true(isnan(s.times.p[CAIRN_BASE_P50]) && isnan(s.half) &&
              s.last_rank == -1);
  assert_int_equal(cairn_timing__summarize(&one, 1, 0.95, &s), CAIRN_OK);
  assert_close(s.times.p[CAIRN_BASE_P01], 2e-6, 0);
  assert_close(s.times.p[CAIRN_BASE_P99], 2e-6, 0);
  assert_true(isnan(s.times.low));
}

/* Independent samples are rarely called correlated, drifting ones always. */
static void test_correlation(void **state) {
  enum { N = 200, TRIALS = 400 };
  static cairn_base_sample samples[N];
  cairn_base_rng rng;
  cairn_base_summary s;
  int flagged = 0, covered = 0;
  (void)state;
  cairn_base__rng_seed(&rng, 11);
  for (int t = 0; t < TRIALS; t++) {
    for (int i = 0; i < N; i++)
      samples[i] = sample(1e-5 * (10 + cairn_base__rng_normal(&rng)), 0, 0);
    assert_int_equal(cairn_timing__summarize(samples, N, 0.95, &s), CAIRN_OK);
    flagged += s.correlated;
    covered += s.times.low <= 1e-4 && s.times.high >= 1e-4;
  }
  assert_in_range(flagged, 0, TRIALS * 3 / 100); /* 1 % expected */
  assert_in_range(covered, TRIALS * 92 / 100, TRIALS);
  double level = 0;
  for (int i = 0; i < N; i++) {
    level = 0.8 * level + cairn_base__rng_normal(&rng);
    samples[i] = sample(1e-5 * (10 + level), 0, 0);
  }
  const cairn_base_summary before = s;
  assert_int_equal(cairn_timing__summarize(samples, N, 0.95, &s), CAIRN_OK);
  assert_true(s.correlated && s.lag1 > 0.5 && s.runs_z < -2.58);
  assert_true(s.half > before.half);
}

/* Against NumPy: lag 1 as sum of products over sum of squares, and the runs
 * test by its formula (10 above, 10 below, 6 runs). */
static void test_runs(void **state) {
  const double series[] = {1,  3,  2, 5, 4, 6, 8, 7, 9, 12,
                           11, 10, 2, 3, 1, 4, 6, 5, 7, 9};
  const double equal[] = {2, 2, 2};
  (void)state;
  assert_close(cairn_timing__runs_z(series, 20, 5.5), -2.2973414586817036,
               1e-12);
  assert_close(cairn_timing__lag1(series, 20), 0.6111442193087009, 1e-12);
  assert_true(isnan(cairn_timing__runs_z(series, 20, 0)));
  assert_true(isnan(cairn_timing__lag1(equal, 3)));
  assert_true(isnan(cairn_timing__lag1(NULL, 0)));
}

static void test_last_rank(void **state) {
  const uint16_t last[] = {2, 1, 3, 1, 3, 0};
  (void)state;
  assert_int_equal(cairn_timing__last_rank(last, 0), -1);
  assert_int_equal(cairn_timing__last_rank(last, 1), 2);
  assert_int_equal(cairn_timing__last_rank(last, 4), 1);
  assert_int_equal(cairn_timing__last_rank(last, 6), 1); /* a tie: the lower */
}

static void test_mann_whitney(void **state) {
  double a[] = {19, 22, 16, 29, 24}, b[] = {20, 11, 17, 12}, p;
  double c[] = {1, 2, 2, 3, 3, 3, 4}, d[] = {2, 3, 4, 4, 5, 5, 6, 7};
  double same[] = {5, 5, 5};
  (void)state;
  assert_int_equal(cairn_timing__mann_whitney(a, 5, b, 4, &p), CAIRN_OK);
  assert_close(p, 0.11134688653314041, 1e-12);
  assert_int_equal(cairn_timing__mann_whitney(c, 7, d, 8, &p), CAIRN_OK);
  assert_close(p, 0.025279736885893914, 1e-12);
  assert_int_equal(cairn_timing__mann_whitney(same, 3, same, 3, &p), CAIRN_OK);
  assert_close(p, 1, 0);
  assert_int_equal(cairn_timing__mann_whitney(a, 5, b, 0, &p), CAIRN_OK);
  assert_close(p, 1, 0);
}

static void test_memory_runs_out(void **state) {
  cairn_base_sample samples[30];
  cairn_base_summary s;
  (void)state;
  for (unsigned i = 0; i < 30; i++)
    samples[i] = sample(1e-6 * (i + 1), 0, 0);
  cairn_base__mem_fail(1, 0);
  assert_int_equal(cairn_timing__summarize(samples, 30, 0.95, &s), CAIRN_NOMEM);
  cairn_base__mem_fail(2, 0);
  assert_int_equal(cairn_timing__summarize(samples, 30, 0.95, &s), CAIRN_NOMEM);
  cairn_base__mem_fail(0, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_interval_ranks),
      cmocka_unit_test(test_summary),
      cmocka_unit_test(test_nothing_and_one),
      cmocka_unit_test(test_correlation),
      cmocka_unit_test(test_runs),
      cmocka_unit_test(test_last_rank),
      cmocka_unit_test(test_mann_whitney),
      cmocka_unit_test(test_memory_runs_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/test-contest.c - t-tests, heat maps, curves and the selection of
 * settings, on made-up whole numbers for which SciPy printed what is expected.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "study/study-private.h"

enum { RUNS = 20, BUDGETS = 5, ALGORITHMS = 4, SPACES = 4 };
static const uint64_t budgets[BUDGETS] = {50, 100, 200, 400, 800};

static int near(double a, double b, double relative) {
  return fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

static uint64_t next(uint64_t *x) {
  *x = *x * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return *x >> 32;
}

/* Best so far of run j of algorithm a on device d, kernel k. */
static void draw(int a, int d, int k, int j, double *best) {
  static const int base[] = {300, 180, 150, 200}, slope[] = {60, 55, 25, 45};
  uint64_t x = 1 + 1000003 * (uint64_t)a + 10007 * (uint64_t)d +
               101 * (uint64_t)k + (uint64_t)j;
  (void)next(&x);
  for (int i = 0; i < BUDGETS; i++) {
    const int v = base[a] - slope[a] * i + (int)(next(&x) % 120) - 20;
    best[i] = 1000 + (v > 0 ? v : 0);
    if (i && best[i - 1] < best[i])
      best[i] = best[i - 1];
  }
}

static cairn_study_contest *contest(void) {
  static const char *const algorithm[] = {"random", "ils", "anneal", "tree"};
  static const char *const space[] = {"d1 k1", "d1 k2", "d2 k1", "d2 k2"};
  cairn_study_contest *const c = cairn_base_zalloc(1, sizeof *c);
  c->strategies = ALGORITHMS;
  c->spaces = SPACES;
  c->budgets = BUDGETS;
  c->runs = RUNS;
  c->strategy = cairn_base_zalloc(ALGORITHMS, sizeof *c->strategy);
  c->space = cairn_base_zalloc(SPACES, sizeof *c->space);
  c->budget = cairn_base_zalloc(BUDGETS, sizeof *c->budget);
  c->optimum_s = cairn_base_zalloc(SPACES, sizeof *c->optimum_s);
  c->slowest_s = cairn_base_zalloc(SPACES, sizeof *c->slowest_s);
  c->best_s = cairn_base_zalloc(ALGORITHMS * SPACES * BUDGETS * RUNS,
                                sizeof *c->best_s);
  memcpy(c->budget, budgets, sizeof budgets);
  for (int a = 0; a < ALGORITHMS; a++)
    c->strategy[a] = cairn_base_strdup(algorithm[a]);
  for (int s = 0; s < SPACES; s++) {
    c->space[s] = cairn_base_strdup(space[s]);
    c->optimum_s[s] = 1000;
    c->slowest_s[s] = 2000;
    for (int a = 0; a < ALGORITHMS; a++)
      for (int j = 0; j < RUNS; j++) {
        double best[BUDGETS];
        draw(a, s / 2, s % 2, j, best);
        for (int b = 0; b < BUDGETS; b++)
          c->best_s[((a * SPACES + s) * BUDGETS + b) * RUNS + j] = best[b];
      }
  }
  return c;
}

/* pooled t, p; Welch's df, p: at d1 k1 after 100. */
static void test_t(void **state) {
  static const struct {
    int a, b;
    double t, p, df, welch_p;
  } expected[] = {{0, 1, 10.659179175987, 5.622108969028e-13, 24.3589542309,
                   1.174664902440e-10},
                  {0, 2, 34.253245602689, 3.547895729737e-30, 31.9745328022,
                   8.938907466557e-27},
                  {0, 3, 8.251902257975, 5.338049155401e-10, 32.4117645801,
                   1.807019282627e-09},
                  {1, 2, 3.839064367154, 4.538122886216e-04, 21.1515161165,
                   9.440629949929e-04},
                  {1, 3, -4.831744175299, 2.242529704784e-05, 30.8053842066,
                   3.526723671835e-05},
                  {2, 3, -15.014457475534, 1.459926601123e-17, 25.0353999995,
                   5.002919062948e-14}};
  cairn_study_contest *const c = contest();
  (void)state;
  for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
    const double *const x =
        c->best_s + (expected[i].a * SPACES * BUDGETS + 1) * RUNS;
    const double *const y =
        c->best_s + (expected[i].b * SPACES * BUDGETS + 1) * RUNS;
    cairn_study_test test = cairn_study__t_test(x, RUNS, y, RUNS, 0);
    assert_true(near(test.t, expected[i].t, 1e-9));
    assert_true(near(test.p, expected[i].p, 1e-9));
    assert_true(test.df == 2 * RUNS - 2);
    test = cairn_study__t_test(x, RUNS, y, RUNS, 1);
    assert_true(near(test.t, expected[i].t, 1e-9));
    assert_true(near(test.df, expected[i].df, 1e-9));
    assert_true(near(test.p, expected[i].welch_p, 1e-9));
  }
  cairn_study__contest_free(c);
}

/* Closed forms: for 1 degree of freedom p = 1 - 2/pi atan |t|, for 2 it is
 * 1 - |t| / sqrt(2 + t^2); two values against two have 2. */
static void test_t_exact(void **state) {
  (void)state;
  for (double d = 1e-6; d < 1e7; d *= 3) {
    const double x[] = {0, 1}, y[] = {d, d + 1};
    const cairn_study_test test = cairn_study__t_test(x, 2, y, 2, 0);
    const double t = fabs(test.t), root = sqrt(2 + t * t);
    /* 1 - t / root, without cancelling */
    assert_true(near(test.p, 2 / (root * (root + t)), 1e-9));
    assert_true(test.t < 0);
    assert_true(test.df == 2);
  }
}

static void test_t_edges(void **state) {
  static const double one[] = {1, 1, 1}, two[] = {2, 2, 2};
  static const double x[] = {1, 2}, y[] = {4, 8};
  cairn_study_test test;
  (void)state;
  for (int welch = 0; welch < 2; welch++) {
    test = cairn_study__t_test(one, 3, one, 3, welch);
    assert_true(test.t == 0 && test.p == 1);
    test = cairn_study__t_test(one, 3, two, 3, welch);
    assert_true(isinf(test.t) && test.t < 0 && test.p == 0);
    test = cairn_study__t_test(two, 3, one, 3, welch);
    assert_true(isinf(test.t) && test.t > 0 && test.p == 0);
  }
  test = cairn_study__t_test(x, 2, y, 2, 1);
  assert_true(near(test.t, -2.182820625326997, 1e-12));
  assert_true(near(test.p, 0.2509798190130844, 1e-12));
  /* one of them constant */
  test = cairn_study__t_test(one, 3, y, 2, 1);
  assert_true(isfinite(test.t) && test.df == 1);
}

static void compare_heat(const cairn_study_verdict *v, int part,
                         const int expected[ALGORITHMS][ALGORITHMS],
                         const int *wins, size_t of) {
  for (int r = 0; r < ALGORITHMS; r++)
    for (int c = 0; c < ALGORITHMS; c++)
      assert_int_equal(v->heat[(part * ALGORITHMS + r) * ALGORITHMS + c],
                       expected[r][c]);
  for (int c = 0; c < ALGORITHMS; c++)
    assert_int_equal(v->wins[part * ALGORITHMS + c], wins[c]);
  assert_int_equal(v->of[part], of);
}

static void test_heat(void **state) {
  static const int low[][4] = {
      {0, 12, 12, 12}, {0, 0, 6, 0}, {0, 2, 0, 0}, {0, 9, 10, 0}};
  static const int low_welch[][4] = {
      {0, 12, 12, 12}, {0, 0, 6, 0}, {0, 2, 0, 0}, {0, 9, 9, 0}};
  static const int medium[][4] = {
      {0, 8, 7, 8}, {0, 0, 0, 0}, {0, 8, 0, 5}, {0, 8, 0, 0}};
  static const int low_100[][4] = {
      {0, 8, 8, 8}, {0, 0, 6, 0}, {0, 1, 0, 0}, {0, 5, 7, 0}};
  static const int medium_400[][4] = {
      {0, 4, 3, 4}, {0, 0, 0, 0}, {0, 4, 0, 4}, {0, 4, 0, 0}};
  cairn_study_contest *const c = contest();
  cairn_study_judging how = {0};
  cairn_study_verdict *v = NULL;
  (void)state;
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  assert_int_equal(v->how.split, 200);
  compare_heat(v, 0, low, (const int[]){0, 23, 28, 12}, 36);
  compare_heat(v, 1, medium, (const int[]){0, 24, 7, 13}, 24);
  cairn_study__verdict_free(v);
  how.welch = 1;
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  compare_heat(v, 0, low_welch, (const int[]){0, 23, 27, 12}, 36);
  compare_heat(v, 1, medium, (const int[]){0, 24, 7, 13}, 24);
  cairn_study__verdict_free(v);
  how = (cairn_study_judging){.split = 100};
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  compare_heat(v, 0, low_100, (const int[]){0, 14, 21, 8}, 24);
  cairn_study__verdict_free(v);
  how = (cairn_study_judging){.split = 400, .welch = 1};
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  compare_heat(v, 1, medium_400, (const int[]){0, 12, 3, 8}, 12);
  cairn_study__verdict_free(v);
  cairn_study__contest_free(c);
}

static void test_curves(void **state) {
  static const double expected[ALGORITHMS][BUDGETS] = {
      {0.748805788273, 0.785169724610, 0.817905398776, 0.860683477438,
       0.904752683719},
      {0.818841620173, 0.847087033441, 0.900348028258, 0.956563917235,
       0.989390607026},
      {0.844045792354, 0.869838620961, 0.885926811551, 0.909505232972,
       0.923162646049},
      {0.805566938721, 0.815267422063, 0.872118659828, 0.909794512065,
       0.950756172636}};
  cairn_study_contest *const c = contest();
  const cairn_study_judging how = {0};
  cairn_study_verdict *v = NULL;
  (void)state;
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  for (int a = 0; a < ALGORITHMS; a++)
    for (int b = 0; b < BUDGETS; b++) {
      const size_t at = (size_t)(a * SPACES * BUDGETS + b);
      assert_true(fabs(v->fraction[at] - expected[a][b]) < 1e-12);
      assert_true(v->fraction_low[at] <= v->fraction[at] &&
                  v->fraction_high[at] >= v->fraction[at]);
    }
  /* By the heat maps anneal is best early, ils late. */
  assert_int_equal(v->recommended[0], 2);
  assert_int_equal(v->recommended[4], 1);
  cairn_study__verdict_free(v);
  cairn_study__contest_free(c);
}

/* Where all are alike, none beats random; a run that found nothing counts as
 * the slowest schedule. */
static void test_no_winner(void **state) {
  cairn_study_contest *const c = contest();
  const cairn_study_judging how = {0};
  cairn_study_verdict *v = NULL;
  const size_t runs = SPACES * BUDGETS * RUNS;
  (void)state;
  for (int a = 1; a < ALGORITHMS; a++)
    memcpy(c->best_s + (size_t)a * runs, c->best_s, runs * sizeof *c->best_s);
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  for (int b = 0; b < BUDGETS; b++)
    assert_true(v->recommended[b] == SIZE_MAX);
  for (size_t i = 0; i < 3 * ALGORITHMS; i++)
    assert_int_equal(v->wins[i], 0);
  cairn_study__verdict_free(v);
  for (size_t i = 0; i < runs; i++)
    c->best_s[i] = INFINITY;
  assert_int_equal(cairn_study__judge(c, &how, &v), CAIRN_OK);
  assert_true(v->fraction[0] == 0);
  assert_int_equal(v->heat[1], 12); /* every other beats random everywhere */
  for (size_t i = 0; i < SPACES * BUDGETS * ALGORITHMS * ALGORITHMS; i++)
    assert_true(v->test[i].p >= 0 && v->test[i].p <= 1);
  cairn_study__verdict_free(v);
  cairn_study__contest_free(c);
}

static void test_k_sigma(void **state) {
  static const double mean[] = {10.0, 10.4, 10.9, 11.5, 10.1, 12.0,
                                21.0, 20.0, 20.3, 20.1, 22.5, 20.2,
                                5.2,  5.1,  5.0,  5.6,  5.05, 5.3};
  static const double sd[] = {0.5, 0.4, 0.6, 0.5, 0.7, 0.2,  1.0, 0.8,  0.5,
                              0.9, 1.1, 0.6, 0.2, 0.1, 0.15, 0.1, 0.12, 0.3};
  static const double expected[] = {4. / 3, 0.8, 1.8, 4, 3.125, 4};
  static const double same[] = {3, 3, 4, 7, 7, 7}, none[] = {0, 0, 0, 0, 0, 0};
  static const double first[] = {2, 1, 1};
  double k[6];
  (void)state;
  assert_int_equal(cairn_study__k_sigma(mean, sd, 3, 6, k), 1);
  for (int s = 0; s < 6; s++)
    assert_true(near(k[s], expected[s], 1e-12));
  /* deviation 0: 0 for the best, infinite for others; ties by order */
  assert_int_equal(cairn_study__k_sigma(same, none, 2, 3, k), 0);
  assert_true(k[0] == 0 && k[1] == 0 && isinf(k[2]));
  /* equal best means: the first's deviation */
  assert_int_equal(cairn_study__k_sigma(same, first, 1, 3, k), 0);
  assert_true(near(k[2], 0.5, 1e-15));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_t),       cmocka_unit_test(test_t_exact),
      cmocka_unit_test(test_t_edges), cmocka_unit_test(test_heat),
      cmocka_unit_test(test_curves),  cmocka_unit_test(test_no_winner),
      cmocka_unit_test(test_k_sigma)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

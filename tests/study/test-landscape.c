/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/test-landscape.c - landscapes whose numbers are known by hand, by
 * enumeration, or by walking until nothing moves.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dag/space/neighbours-private.h"
#include "study/study-private.h"
#include "tests/study/nk.h"
#include <cairn/dag.h>

static int near(double a, double b, double relative) {
  return fabs(a - b) <= relative * fmax(fabs(a), fabs(b));
}

/* ---- nine points in a row ---- */

static void chain(size_t points, cairn_dag_neighbours *n) {
  size_t at = 0;
  n->vertices = points;
  n->row = calloc(points + 1, sizeof *n->row);
  n->to = calloc(2 * points, sizeof *n->to);
  n->kind = calloc(2 * points, 1);
  for (size_t v = 0; v < points; v++) {
    n->row[v] = at;
    if (v > 0) {
      n->kind[at] = 1;
      n->to[at++] = (uint32_t)v - 1;
    }
    if (v + 1 < points) {
      n->kind[at] = 1;
      n->to[at++] = (uint32_t)v + 1;
    }
  }
  n->row[points] = at;
}

static void chain_free(cairn_dag_neighbours *n) {
  free(n->row);
  free(n->to);
  free(n->kind);
}

/* By the distribution of minima A is easier, by centrality B. */
static void test_two_landscapes(void **state) {
  static const double a[] = {101, 130, 102, 131, 100, 170, 160, 150, 140};
  static const double b[] = {140, 150, 100, 110, 120, 130, 135, 136, 137};
  static const uint8_t kind_a[] = {1, 2, 1, 2, 1, 2, 0, 0, 1};
  static const uint8_t kind_b[] = {1, 2, 1, 0, 0, 0, 0, 0, 2};
  cairn_dag_neighbours n;
  cairn_study_landscape *x = NULL, *y = NULL;
  (void)state;
  chain(9, &n);
  assert_int_equal(cairn_study__landscape_make(a, &n, &x), CAIRN_OK);
  assert_int_equal(cairn_study__landscape_make(b, &n, &y), CAIRN_OK);
  assert_memory_equal(x->kind, kind_a, 9);
  assert_memory_equal(y->kind, kind_b, 9);
  assert_int_equal(x->minima, 4);
  assert_int_equal(y->minima, 2);
  assert_true(near(x->arrival[0], 1. / 6, 1e-14));
  assert_true(near(x->arrival[2], 2. / 9, 1e-14));
  assert_true(near(x->arrival[4], 2. / 9, 1e-14));
  assert_true(near(x->arrival[8], 7. / 18, 1e-14));
  assert_true(near(y->arrival[0], 1. / 6, 1e-14));
  assert_true(near(y->arrival[2], 5. / 6, 1e-14));
  assert_true(near(x->fraction_median, 5075. / 5151, 1e-14));
  assert_true(near(y->fraction_median, 6. / 7, 1e-14));
  assert_true(near(x->centrality[0], 2. / 9, 1e-14));
  assert_true(near(x->centrality[1], 7. / 18, 1e-14)); /* 101 is within 1 % */
  for (int p = 2; p < 16; p++)
    assert_true(near(x->centrality[p], 11. / 18, 1e-14));
  for (int p = 0; p < 16; p++)
    assert_true(near(y->centrality[p], 5. / 6, 1e-14));
  assert_int_equal(x->edges, 8);
  assert_int_equal(x->components, 1);
  cairn_study__landscape_free(x);
  cairn_study__landscape_free(y);
  chain_free(&n);
}

/* Failed points are vertices, take part in the walk, and are no minima; equal
 * neighbours are minima both, not strict. */
static void test_failed_and_ties(void **state) {
  static const double t[] = {INFINITY, INFINITY, 3, 2, 2, 5, INFINITY, 4};
  cairn_dag_neighbours n;
  cairn_study_landscape *l = NULL;
  (void)state;
  chain(8, &n);
  assert_int_equal(cairn_study__landscape_make(t, &n, &l), CAIRN_OK);
  assert_int_equal(l->failed, 3);
  assert_int_equal(l->minima, 3); /* 3, 4, 7 */
  assert_int_equal(l->strict, 1); /* 7 */
  assert_int_equal(l->maxima, 1); /* 6; 1 has a neighbour that is no better */
  assert_int_equal(l->edges, 5);
  assert_int_equal(l->ties, 2);
  assert_int_equal(l->kind[0], CAIRN_STUDY_REGULAR);
  /* 0 stays where it is; 1 -> 2 -> 3; 5 -> 4; 6 -> 5 or 7. */
  assert_true(near(l->arrival[3], 3. / 8, 1e-14));
  assert_true(near(l->arrival[4], 2.5 / 8, 1e-14));
  assert_true(near(l->arrival[7], 1.5 / 8, 1e-14));
  assert_true(near(l->centrality[0], 5.5 / 7, 1e-14));
  assert_true(near(l->centrality[15], 5.5 / 7, 1e-14));
  cairn_study__landscape_free(l);
  chain_free(&n);
}

/* Ten draws of 24 points, 14 of them failed, may give nothing: there is no mean
 * time then, but a mean fraction. */
static void test_nothing_drawn(void **state) {
  double t[24];
  cairn_dag_neighbours n;
  cairn_study_landscape *l = NULL;
  (void)state;
  for (int v = 0; v < 24; v++)
    t[v] = v < 14 ? (double)INFINITY : 7;
  chain(24, &n);
  assert_int_equal(cairn_study__landscape_make(t, &n, &l), CAIRN_OK);
  assert_true(isnan(l->expected_s[0]));
  /* 1 - C(14, 10) / C(24, 10) */
  assert_true(near(l->expected_fraction[0], 1 - 1001. / 1961256, 1e-14));
  assert_true(near(l->chance[0].at[0], 1 - 1001. / 1961256, 1e-14));
  assert_true(near(l->expected_s[1], 7, 1e-14));
  cairn_study__landscape_free(l);
  chain_free(&n);
}

/* A minimum among moves of one kind and a maximum among those of another. */
static void test_saddle(void **state) {
  static const double t[] = {2, 3, 1};
  static size_t row[] = {0, 2, 3, 4};
  static uint32_t to[] = {1, 2, 0, 0};
  static uint8_t kind[] = {1, 2, 1, 2};
  const cairn_dag_neighbours n = {3, row, to, kind};
  cairn_study_landscape *l = NULL;
  (void)state;
  assert_int_equal(cairn_study__landscape_make(t, &n, &l), CAIRN_OK);
  assert_int_equal(l->saddles, 1);
  assert_int_equal(l->kind[0], CAIRN_STUDY_SADDLE);
  assert_int_equal(l->kind[1], CAIRN_STUDY_MAXIMUM);
  assert_int_equal(l->kind[2], CAIRN_STUDY_MINIMUM);
  cairn_study__landscape_free(l);
}

/* ---- NK ---- */

/* One step of all walkers at once; sinks keep theirs (damping 1) or spread
 * theirs uniformly. */
static void step(const nk *l, double damping, const double *from, double *to) {
  double spread = 0;
  for (size_t v = 0; v < l->points; v++)
    to[v] = 0;
  for (size_t v = 0; v < l->points; v++) {
    size_t better = 0;
    const cairn_dag_neighbours *const n = &l->neighbours;
    for (size_t k = n->row[v]; k < n->row[v + 1]; k++)
      better += l->time_s[n->to[k]] < l->time_s[v];
    for (size_t k = n->row[v]; k < n->row[v + 1]; k++)
      if (l->time_s[n->to[k]] < l->time_s[v])
        to[n->to[k]] += damping * from[v] / (double)better;
    if (!better && damping < 1)
      spread += damping * from[v];
    else if (!better)
      to[v] += from[v];
  }
  for (size_t v = 0; v < l->points; v++)
    to[v] += (1 - damping + spread) / (double)l->points;
}

static void settle(const nk *l, double damping, double *value) {
  double *const next = malloc(l->points * sizeof *next);
  for (size_t v = 0; v < l->points; v++)
    value[v] = 1 / (double)l->points;
  for (int i = 0; i < 400; i++) {
    step(l, damping, value, next);
    memcpy(value, next, l->points * sizeof *value);
  }
  free(next);
}

static size_t count_minima(const nk *l) {
  size_t minima = 0;
  for (size_t v = 0; v < l->points; v++) {
    int better = 0;
    for (size_t k = l->neighbours.row[v]; k < l->neighbours.row[v + 1]; k++)
      better |= l->time_s[l->neighbours.to[k]] < l->time_s[v];
    minima += !better;
  }
  return minima;
}

static void compare_nk(const nk *l) {
  cairn_study_landscape *x = NULL;
  double *const arrival = malloc(l->points * sizeof *arrival);
  double *const rank = malloc(l->points * sizeof *rank);
  assert_int_equal(cairn_study__landscape_make(l->time_s, &l->neighbours, &x),
                   CAIRN_OK);
  assert_int_equal(x->best, l->best);
  assert_int_equal(x->minima, count_minima(l));
  assert_int_equal(x->minima + x->maxima + x->saddles + x->regular, l->points);
  assert_int_equal(x->edges + x->ties, x->pairs);
  settle(l, 1, arrival);
  settle(l, 0.85, rank);
  for (size_t k = 0; k < x->minima; k++) {
    const size_t v = x->minimum[k];
    assert_true(near(x->arrival[v], arrival[v], 1e-12));
    assert_true(k == 0 || x->arrival[v] <= x->arrival[x->minimum[k - 1]]);
  }
  for (size_t v = 0; v < l->points; v++)
    assert_true(near(x->pagerank[v], rank[v], 1e-12));
  for (int p = 1; p < CAIRN_STUDY_PERCENTS; p++)
    assert_true(x->centrality[p] >= x->centrality[p - 1] &&
                x->centrality[p] <= 1 + 1e-12);
  cairn_study__landscape_free(x);
  free(arrival);
  free(rank);
}

static void test_nk(void **state) {
  (void)state;
  for (unsigned i = 0; i < 40; i++) {
    nk l;
    nk_make(&l, 4 + i % 6, i % 4, i % 3 ? 0 : 20, i);
    compare_nk(&l);
    nk_free(&l);
  }
}

/* ---- chance ---- */

/* All subsets of n of the points of a chain of 12. */
static void subsets(const double *time_s, size_t n, double percent,
                    double best_s, double *chance, double *expected) {
  size_t all = 0, good = 0;
  double sum = 0;
  for (unsigned set = 0; set < 1u << 12; set++) {
    double least = INFINITY;
    if ((size_t)__builtin_popcount(set) != n)
      continue;
    for (int v = 0; v < 12; v++)
      if (set >> v & 1)
        least = fmin(least, time_s[v]);
    all++;
    good += 100 * least <= (100 + percent) * best_s;
    sum += least;
  }
  *chance = (double)good / (double)all;
  *expected = sum / (double)all;
}

static void test_chance(void **state) {
  static const double t[] = {100, 101,    104, 105, 120, 130,
                             100, 100.75, 107, 140, 150, 160};
  cairn_dag_neighbours n;
  cairn_study_landscape *l = NULL;
  double chance, expected;
  (void)state;
  chain(12, &n);
  assert_int_equal(cairn_study__landscape_make(t, &n, &l), CAIRN_OK);
  for (size_t c = 0; c < CAIRN_STUDY_CHANCES; c++) {
    subsets(t, 10, l->chance[c].percent, 100, &chance, &expected);
    assert_true(near(l->chance[c].at[0], chance, 1e-12));
    assert_true(near(l->expected_s[0], expected, 1e-12));
    assert_true(l->chance[c].at[1] == 1);
    for (size_t draws = 1; draws <= 12; draws++) {
      subsets(t, draws, l->chance[c].percent, 100, &chance, &expected);
      assert_int_equal(draws >= l->chance[c].half, chance >= 0.5);
      assert_int_equal(draws >= l->chance[c].ninety, chance >= 0.9);
    }
  }
  cairn_study__landscape_free(l);
  chain_free(&n);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_two_landscapes),
                                     cmocka_unit_test(test_failed_and_ties),
                                     cmocka_unit_test(test_saddle),
                                     cmocka_unit_test(test_nothing_drawn),
                                     cmocka_unit_test(test_nk),
                                     cmocka_unit_test(test_chance)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

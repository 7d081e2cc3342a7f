/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-sampler.c - draws from a space that can be counted are exactly
 * uniform: followed along every prefix, not by chance.
 *
 * At each prefix the counts of the choices must add up to that of the prefix
 * itself; then every schedule is drawn with probability 1 / N, the product of
 * its steps' being count / count.  That the schedules drawn are those of the
 * space is seen from the enumeration, which shares no count with the sampler.
 */
#include "base/rng-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/sample-private.h"
#include "dag/space/sample-state-private.h"
#include "dag/space/walk-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { BUDGET = 2000000 };

/* A set of schedules by the sum of their keys. */
typedef struct sum {
  uint64_t lo, hi, count;
} sum;

static void add_key(sum *s, const cairn_dag_item *items, size_t count) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  s->lo += key.lo;
  s->hi += key.hi ^ key.lo >> 7;
  s->count++;
}

typedef struct filter {
  const cairn_dag__tidy *tidy;
  size_t all, limit;
  sum ordered;
} filter;

/* Keeps those that issue interchangeable ops in the order of ids. */
static int keep_ordered(void *context, const cairn_dag_item *items,
                        size_t count) {
  filter *const f = context;
  unsigned char issued[64] = {0};
  f->all++;
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind > CAIRN_DAG_ITEM_GPU)
      continue;
    const unsigned twin = f->tidy->twin_before[items[i].id];
    if (twin != CAIRN_DAG__NONE && !issued[twin])
      return f->all > f->limit;
    issued[items[i].id] = 1;
  }
  add_key(&f->ordered, items, count);
  return f->all > f->limit;
}

/* Follows every prefix from the present one, whose count is `expected`. */
static void follow(cairn_dag_sampler *sampler, double expected, sum *drawn) {
  cairn_dag__tidy *const tidy = cairn_dag__sampler_tidy(sampler);
  const cairn_dag_item *items;
  const cairn_dag__number *numbers;
  int known;
  double total = 0;
  const size_t count =
      cairn_dag__sampler_weigh(sampler, &items, &numbers, &known);
  cairn_dag_item *const choices = malloc(count * sizeof *choices);
  double *const counts = malloc(count * sizeof *counts);
  assert_true(choices && counts);
  for (size_t i = 0; i < count; i++) {
    choices[i] = items[i];
    counts[i] = cairn_dag__number_over(numbers[i], 0);
    total += counts[i];
  }
  if (!known || total != expected)
    fail_msg("%s: choices add up to %.0f, not %.0f",
             known ? "known prefix" : "prefix never counted", total, expected);
  for (size_t i = 0; i < count; i++) {
    const int hopeful = cairn_dag__tidy_push(tidy, choices[i]);
    const int complete = cairn_dag__tidy_complete(tidy);
    if (hopeful && complete == 0) {
      follow(sampler, counts[i], drawn);
    } else if (hopeful && complete > 0) {
      size_t length;
      const cairn_dag_item *const all =
          cairn_dag__walk_items(tidy->walk, &length);
      assert_true(counts[i] == 1);
      add_key(drawn, all, length);
    } else {
      assert_true(counts[i] == 0);
    }
    cairn_dag__tidy_pop(tidy);
  }
  free(choices);
  free(counts);
}

/* Returns the number of schedules, or 0 if they are over the limit. */
static size_t check(const cairn_dag_program *program, unsigned streams,
                    size_t limit) {
  cairn_dag_sampler *sampler;
  filter f = {.limit = limit};
  sum drawn = {0, 0, 0};
  assert_int_equal(
      cairn_dag__sampler_create_within(program, streams, 1, BUDGET, &sampler),
      CAIRN_OK);
  if (!cairn_dag__sampler_exact(sampler)) {
    cairn_dag__sampler_free(sampler);
    return 0;
  }
  f.tidy = cairn_dag__sampler_tidy(sampler);
  assert_int_equal(cairn_dag_space_enumerate(
                       program, streams, CAIRN_DAG_SYNC_TIDY, keep_ordered, &f),
                   CAIRN_OK);
  if (f.all <= limit) {
    double all = (double)f.ordered.count;
    cairn_dag__tidy_reset(cairn_dag__sampler_tidy(sampler));
    follow(sampler, all, &drawn);
    assert_memory_equal(&drawn, &f.ordered, sizeof drawn);
    all = cairn_dag__number_over(
        cairn_dag__count_all(f.tidy, (cairn_dag__number){all, 0}), 0);
    assert_true(all == (double)f.all);
  }
  cairn_dag__sampler_free(sampler);
  return f.all <= limit ? f.all : 0;
}

/* ---- programs ---- */

/* `kinds`: C or G for each op; edges from 0, as pairs. */
static cairn_dag_program *program(const char *kinds, const unsigned (*edges)[2],
                                  size_t count) {
  cairn_dag_program *p;
  assert_int_equal(cairn_dag_program_create("p", &p), CAIRN_OK);
  for (unsigned i = 0; kinds[i]; i++) {
    char name[16];
    unsigned id;
    snprintf(name, sizeof name, "n%u", i);
    const cairn_dag_op op = {
        .name = name, .kind = kinds[i] == 'G' ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
    assert_int_equal(cairn_dag_program_add_op(p, &op, NULL, &id), CAIRN_OK);
  }
  for (size_t i = 0; i < count; i++)
    assert_int_equal(
        cairn_dag_program_add_edge(p, edges[i][0] + 1, edges[i][1] + 1, NULL),
        CAIRN_OK);
  assert_int_equal(cairn_dag_program_seal(p, NULL), CAIRN_OK);
  return p;
}

/* The smallest programs that were once drawn from with bias, and the worst;
 * counts by an independent enumerator. */
static void test_named(void **state) {
  static const unsigned fork[][2] = {{0, 1}, {0, 3}, {2, 3}};
  static const unsigned pairs[][2] = {{0, 1}, {2, 3}};
  static const unsigned worst[][2] = {{0, 1}, {1, 3}, {2, 3}, {0, 4},
                                      {2, 4}, {3, 4}, {0, 5}, {1, 5},
                                      {2, 5}, {1, 6}, {5, 6}};
  cairn_dag_program *p = program("GGGG", fork, 3);
  (void)state;
  assert_int_equal(check(p, 3, 1000000), 7882);
  cairn_dag_program_free(p);
  p = program("GGGG", pairs, 2);
  assert_int_equal(check(p, 3, 1000000), 11100);
  cairn_dag_program_free(p);
  p = program("CGGCGCG", worst, 11);
  assert_int_equal(check(p, 3, 1000000), 44040);
  cairn_dag_program_free(p);
}

static void test_four(void **state) {
  static const unsigned all[6][2] = {{0, 1}, {0, 2}, {0, 3},
                                     {1, 2}, {1, 3}, {2, 3}};
  const unsigned stride = getenv("CAIRN_LONG") ? 1 : 29;
  unsigned programs = 0;
  double schedules = 0;
  (void)state;
  for (unsigned k = 0; k < 64 * 16; k += stride) {
    const unsigned set = k / 16, gpu = k % 16;
    unsigned edges[6][2], count = 0;
    char kinds[5] = "CCCC";
    for (unsigned e = 0; e < 6; e++)
      if (set >> e & 1) {
        memcpy(edges[count], all[e], sizeof *edges);
        count++;
      }
    for (unsigned i = 0; i < 4; i++)
      if (gpu >> i & 1)
        kinds[i] = 'G';
    cairn_dag_program *const p =
        program(kinds, (const unsigned(*)[2])edges, count);
    for (unsigned streams = 3; streams <= 4; streams++) {
      const size_t n = check(p, streams, SIZE_MAX - 1);
      assert_true(n > 0);
      schedules += (double)n;
      programs++;
    }
    cairn_dag_program_free(p);
  }
  print_message("%u spaces of four ops, %.0f schedules\n", programs, schedules);
}

static void test_many(void **state) {
  const unsigned wanted = test_cases(40, 1000);
  const size_t limit = wanted > 500 ? 100000 : 20000;
  unsigned done = 0;
  double schedules = 0;
  (void)state;
  for (unsigned seed = 1; done < wanted; seed++) {
    cairn_base_rng rng;
    cairn_base__rng_seed(&rng, seed);
    const unsigned ops = 3 + seed % 6;
    cairn_dag_program *const p =
        test_random(&rng, ops, 0.3 + 0.2 * (seed % 4), 0.15 + 0.1 * (seed % 6));
    const size_t n = check(p, 3 + seed % 2, limit);
    done += n > 0;
    schedules += (double)n;
    cairn_dag_program_free(p);
  }
  print_message("%u random spaces, %.0f schedules\n", done, schedules);
}

/* Two chains of n CPU ops: with a and b of them left, a in a + b of all orders
 * go on with the first chain.  There are more orders than a double can hold. */
static void test_beyond_a_double(void **state) {
  enum { N = 540, DRAWS = 2 };
  static unsigned edges[2 * N][2];
  char kinds[2 * N + 1] = "";
  unsigned count = 0;
  double worst = 0;
  cairn_dag_sampler *sampler;
  (void)state;
  memset(kinds, 'C', 2 * N);
  for (unsigned i = 1; i < N; i++)
    for (unsigned chain = 0; chain < 2; chain++, count++) {
      edges[count][0] = 2 * (i - 1) + chain;
      edges[count][1] = 2 * i + chain;
    }
  cairn_dag_program *const p =
      program(kinds, (const unsigned(*)[2])edges, count);
  assert_int_equal(cairn_dag__sampler_create_within(p, 1, 1, BUDGET, &sampler),
                   CAIRN_OK);
  assert_true(cairn_dag__sampler_exact(sampler));
  cairn_dag__tidy *const tidy = cairn_dag__sampler_tidy(sampler);
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 5);
  for (unsigned draw = 0; draw < DRAWS; draw++) {
    unsigned left[2] = {N, N};
    cairn_dag__tidy_reset(tidy);
    for (;;) {
      const cairn_dag_item *items;
      const cairn_dag__number *numbers;
      int known;
      const size_t n =
          cairn_dag__sampler_weigh(sampler, &items, &numbers, &known);
      assert_true(known);
      if (n < 2)
        break;
      const uint32_t scale = numbers[0].scale;
      const double a = cairn_dag__number_over(numbers[0], scale);
      const double b = cairn_dag__number_over(numbers[1], scale);
      const unsigned chain = (items[0].id + 1) % 2;
      const double share = (double)left[chain] / (left[0] + left[1]);
      worst = fmax(worst, fabs(a / (a + b) / share - 1));
      const unsigned next = cairn_base__rng_uniform(&rng) >= share;
      left[next ? !chain : chain]--;
      cairn_dag__tidy_push(tidy, items[next]);
    }
  }
  print_message("1,080 ops: shares are off by %.1g at most\n", worst);
  assert_true(worst < 1e-12);
  cairn_dag__sampler_free(sampler);
  cairn_dag_program_free(p);
}

/* Spaces too large to list: every prefix that some draws come to. */
static void test_large(void **state) {
  const unsigned draws = test_cases(20, 400);
  unsigned spaces = 0;
  (void)state;
  for (unsigned seed = 1; spaces < test_cases(10, 60); seed++) {
    cairn_base_rng rng;
    cairn_dag_sampler *sampler;
    cairn_base__rng_seed(&rng, seed);
    cairn_dag_program *const p =
        test_random(&rng, 7 + seed % 3, 0.7, 0.3 + 0.1 * (seed % 3));
    assert_int_equal(
        cairn_dag__sampler_create_within(p, 3 + seed % 3, 1, 100000, &sampler),
        CAIRN_OK);
    cairn_dag__tidy *const tidy = cairn_dag__sampler_tidy(sampler);
    spaces += tidy != NULL;
    for (unsigned i = 0; tidy && i < draws; i++) {
      double expected = -1;
      cairn_dag__tidy_reset(tidy);
      while (cairn_dag__tidy_complete(tidy) == 0) {
        const cairn_dag_item *items;
        const cairn_dag__number *numbers;
        int known;
        double total = 0, at;
        const size_t n =
            cairn_dag__sampler_weigh(sampler, &items, &numbers, &known);
        size_t k = 0;
        for (size_t c = 0; c < n; c++)
          total += cairn_dag__number_over(numbers[c], 0);
        assert_true(known);
        assert_true(expected < 0 || fabs(total - expected) <= 1e-14 * total);
        at = cairn_base__rng_uniform(&rng) * total;
        while (at >= cairn_dag__number_over(numbers[k], 0) && k + 1 < n)
          at -= cairn_dag__number_over(numbers[k++], 0);
        expected = cairn_dag__number_over(numbers[k], 0);
        assert_true(cairn_dag__tidy_push(tidy, items[k]));
      }
    }
    cairn_dag__sampler_free(sampler);
    cairn_dag_program_free(p);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_named),
      cmocka_unit_test(test_four),
      cmocka_unit_test(test_many),
      cmocka_unit_test(test_large),
      cmocka_unit_test(test_beyond_a_double),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-campaign.c - drift correction, campaigns and races on a
 * simulated machine whose true times are known: levels wander, samples are
 * noisy, and what comes out is compared with what was put in.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng-private.h"
#include "timing/campaign-private.h"
#include <cairn/exec.h>

/* ---- the simulated machine ---- */

typedef struct machine {
  cairn_base_rng rng;
  const double *truth;  /* by id */
  double noise;         /* relative, normal */
  double wander;        /* amplitude of the level */
  double step_at, step; /* from this time on the level is 1 + step more */
  double place;         /* each schedule has another place every 4 rounds, which
                           moves its time by so much (normal) */
  size_t members;       /* of the campaign, to tell rounds */
  double hurry;         /* the level wanders so many times faster; 0: 1 */
  double now_s;
  size_t taken;
  uint64_t faulty; /* id whose op fails */
} machine;

static double level_at(const machine *m) {
  const double now_s = m->now_s * (m->hurry > 0 ? m->hurry : 1);
  double level =
      1 + m->wander * sin(now_s * 0.7) + m->wander / 2 * sin(now_s * 4.3 + 1);
  if (m->step != 0 && m->now_s >= m->step_at)
    level *= 1 + m->step;
  return level;
}

/* Where a schedule lies now, by its own random numbers. */
static double placed(const machine *m, uint64_t id) {
  cairn_base_rng rng;
  if (m->place == 0)
    return 1;
  cairn_base__rng_seed(&rng, 1000 * id + m->taken / m->members / 4);
  return 1 + m->place * cairn_base__rng_normal(&rng);
}

static cairn_status machine_take(void *context, const cairn_base_shot *shots,
                                 size_t count, cairn_base_sample *samples,
                                 cairn_base_execution *outcome) {
  machine *m = context;
  (void)outcome;
  for (size_t i = 0; i < count; i++) {
    const double noise = (1 + m->noise * cairn_base__rng_normal(&m->rng)) *
                         placed(m, shots[i].id);
    samples[i] = (cairn_base_sample){.id = shots[i].id,
                                     .time_s = m->truth[shots[i].id] *
                                               level_at(m) * fmax(noise, 0.5),
                                     .at_s = m->now_s,
                                     .k = shots[i].k};
    if (shots[i].id == m->faulty)
      samples[i].flags = CAIRN_BASE_FAULTY;
    m->now_s += 0.001;
    m->taken++;
  }
  return CAIRN_OK;
}

static cairn_timing_sampler sampler_of(machine *m) {
  return (cairn_timing_sampler){machine_take, m};
}

static machine machine_make(const double *truth, double noise, double wander) {
  machine m = {
      .truth = truth, .noise = noise, .wander = wander, .faulty = UINT64_MAX};
  cairn_base__rng_seed(&m.rng, 42);
  return m;
}

enum { MANY = 500 };

static double *truths(size_t count) {
  cairn_base_rng rng;
  double *truth = malloc(count * sizeof *truth);
  cairn_base__rng_seed(&rng, 7);
  for (size_t i = 0; i < count; i++)
    truth[i] = 50e-6 * (1 + 0.4 * cairn_base__rng_uniform(&rng));
  return truth;
}

static cairn_timing_campaign *run_campaign(machine *m, size_t count,
                                           unsigned rounds) {
  const cairn_timing_sampler sampler = sampler_of(m);
  cairn_timing_campaign *c;
  cairn_base_execution outcome;
  uint64_t bad;
  assert_int_equal(cairn_timing__campaign_create(1, &c), CAIRN_OK);
  for (uint64_t id = 0; id < count; id++)
    assert_int_equal(cairn_timing__campaign_add(c, id, 10, 0), CAIRN_OK);
  for (unsigned r = 0; r < rounds; r++) {
    assert_int_equal(cairn_timing__campaign_round(c, &sampler, &bad, &outcome),
                     CAIRN_OK);
    assert_true(bad == UINT64_MAX);
  }
  return c;
}

/* ---- drift ---- */

/* Without noise the level and the times are found exactly (up to the median
 * of the levels, which is 1 by definition). */
static void drift_exact(void **state) {
  enum { N = 6, R = 60 };
  const double truth[N] = {1, 1.1, 1.2, 1.3, 1.4, 1.5};
  uint32_t schedule[N * R];
  double time_s[N * R], level[N * R], estimate[N];
  (void)state;
  for (size_t i = 0; i < N * R; i++) {
    schedule[i] = (uint32_t)(i * 5 % N);
    time_s[i] = truth[schedule[i]] * (i < N * R / 2 ? 1.0 : 1.1);
  }
  assert_int_equal(
      cairn_timing__drift(schedule, time_s, N * R, N, 11, level, estimate),
      CAIRN_OK);
  assert_true(fabs(level[N * R - 1] / level[0] - 1.1) < 1e-9);
  for (int s = 1; s < N; s++)
    assert_true(fabs(estimate[s] / estimate[0] - truth[s]) < 1e-9);
  assert_true(cairn_timing__drift_span(level, N * R) > 0.04);
}

static double spearman(const double *a, const cairn_timing_estimate *e,
                       size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    double ra = 0, rb = 0;
    for (size_t j = 0; j < n; j++) {
      ra += a[j] < a[i];
      rb += e[j].times.p[CAIRN_BASE_P50] < e[i].times.p[CAIRN_BASE_P50];
    }
    sum += (ra - rb) * (ra - rb);
  }
  return 1 - 6 * sum / ((double)n * ((double)n * (double)n - 1));
}

/* 10 % of wandering and 4 % of noise, 14 rounds: the order found agrees with
 * the truth far better than uncorrected medians could (theory: reliability of
 * the median of 14 samples of 4 % noise against a spread of 10 % is 0.98). */
static void campaign_order(void **state) {
  double *truth = truths(MANY);
  machine m = machine_make(truth, 0.04, 0.10);
  cairn_timing_campaign *c = run_campaign(&m, MANY, 14);
  cairn_timing_estimate *e;
  size_t n;
  cairn_timing_quality q;
  (void)state;
  assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q), CAIRN_OK);
  assert_int_equal(n, MANY);
  assert_true(spearman(truth, e, n) > 0.97);
  int inside = 0;
  double scale = 0;
  for (size_t i = 0; i < n; i++) {
    assert_int_equal(e[i].times.samples, 14);
    scale += e[i].times.p[CAIRN_BASE_P50] / truth[i] / (double)n;
  }
  for (size_t i = 0; i < n; i++)
    inside += e[i].times.low <= truth[i] * scale &&
              truth[i] * scale <= e[i].times.high;
  assert_true(inside >= MANY * 90 / 100); /* of 95 % intervals */
  assert_true(q.drift > 0.05);
  assert_true(fabs(q.noise - 0.04) < 0.002 && !q.correlated);
  /* two medians of 14: 1.96 x 1.2533 x 0.04 x sqrt(2 / 14) */
  assert_true(fabs(q.floor - 0.0371) < 0.002);
  cairn_base_free(e);
  cairn_timing__campaign_free(c);
  free(truth);
}

/* The same schedule entered as two: at most 5 % of 200 pairs called
 * different; 2 % slower: found in at least 95 %. */
static void same_and_different(void **state) {
  enum { PAIRS = 200 };
  double truth[4 * PAIRS];
  (void)state;
  for (size_t i = 0; i < PAIRS; i++) {
    truth[4 * i] = truth[4 * i + 1] = truth[4 * i + 2] =
        50e-6 * (1 + (double)i / PAIRS);
    truth[4 * i + 3] = truth[4 * i] * 1.02;
  }
  machine m = machine_make(truth, 0.01, 0.05);
  cairn_timing_campaign *c = run_campaign(&m, 4 * PAIRS, 30);
  int different = 0, found = 0;
  for (uint64_t i = 0; i < PAIRS; i++) {
    cairn_timing_comparison same, more;
    assert_int_equal(
        cairn_timing__campaign_compare(c, 101, 4 * i, 4 * i + 1, 0.01, &same),
        CAIRN_OK);
    assert_int_equal(cairn_timing__campaign_compare(c, 101, 4 * i + 2,
                                                    4 * i + 3, 0.01, &more),
                     CAIRN_OK);
    different += same.verdict != CAIRN_EXEC_TIE;
    found += more.verdict == CAIRN_EXEC_FASTER;
  }
  print_message("same called different: %d of 200, 2 %% found: %d of 200\n",
                different, found);
  assert_true(different <= PAIRS * 5 / 100);
  assert_true(found >= PAIRS * 95 / 100);
  cairn_timing__campaign_free(c);
}

/* Rounds of a placement are alike: noticed, and the same schedule entered as
 * two is still not called different, for intervals and comparisons are made
 * from the medians of blocks. */
static void placements(void **state) {
  enum { PAIRS = 200, ROUNDS = 48 };
  double truth[2 * PAIRS];
  (void)state;
  for (size_t i = 0; i < PAIRS; i++)
    truth[2 * i] = truth[2 * i + 1] = 50e-6 * (1 + (double)i / PAIRS);
  machine m = machine_make(truth, 0.005, 0.02);
  m.place = 0.02;
  m.members = 2 * PAIRS;
  cairn_timing_campaign *c = run_campaign(&m, 2 * PAIRS, ROUNDS);
  cairn_timing_estimate *e;
  cairn_timing_quality q;
  size_t n;
  int different[2] = {0, 0}, covered[2] = {0, 0};
  for (int blocks = 0; blocks < 2; blocks++) {
    /* blocks of 2: less than a placement, so it does not help much */
    cairn_timing__campaign_set_block(c, blocks ? 4 : 2);
    assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q),
                     CAIRN_OK);
    assert_true(q.correlated);
    /* placement 0.02, noise 0.005: most of the variance is shared, and three of
     * four neighbours share it */
    assert_true(q.own_lag1 > 0.6 && q.own_lag1 < 0.8);
    for (uint64_t i = 0; i < PAIRS; i++) {
      cairn_timing_comparison same;
      assert_int_equal(cairn_timing__campaign_compare(c, 101, 2 * i, 2 * i + 1,
                                                      0.001, &same),
                       CAIRN_OK);
      different[blocks] += same.verdict != CAIRN_EXEC_TIE;
    }
    for (size_t i = 0; i < n; i++)
      covered[blocks] +=
          e[i].times.low <= truth[i] && truth[i] <= e[i].times.high;
    cairn_base_free(e);
  }
  print_message("placements: different %d, with blocks %d of 200; covered %d, "
                "with blocks %d of 400\n",
                different[0], different[1], covered[0], covered[1]);
  assert_true(different[1] <= PAIRS * 5 / 100);
  assert_true(covered[1] >= 2 * PAIRS * 90 / 100);
  assert_true(covered[0] < covered[1]);
  cairn_timing__campaign_free(c);
}

/* A machine that changes faster than the window: told. */
static void too_fast(void **state) {
  double *truth = truths(100);
  machine m = machine_make(truth, 0.002, 0);
  cairn_timing_estimate *e;
  cairn_timing_quality q;
  size_t n;
  (void)state;
  cairn_timing_campaign *c = run_campaign(&m, 100, 12);
  assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q), CAIRN_OK);
  assert_true(!q.nonrandom && fabs(q.lag1) < 0.1);
  cairn_base_free(e);
  cairn_timing__campaign_free(c);
  m.wander = 0.05;
  m.hurry = 100; /* a period of 90 samples, against a window of 101 */
  c = run_campaign(&m, 100, 12);
  assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q), CAIRN_OK);
  assert_true(q.nonrandom && q.lag1 > 0.5 && q.runs_z < -2.58);
  cairn_base_free(e);
  cairn_timing__campaign_free(c);
  free(truth);
}

/* A failing schedule ends its round, is dropped, and the others go on. */
static void campaign_failure(void **state) {
  double *truth = truths(100);
  machine m = machine_make(truth, 0.01, 0);
  const cairn_timing_sampler sampler = sampler_of(&m);
  cairn_timing_campaign *c = run_campaign(&m, 100, 1);
  cairn_base_execution outcome;
  uint64_t bad;
  size_t before, after;
  (void)state;
  m.faulty = 17;
  cairn_timing__campaign_round(c, &sampler, &bad, &outcome);
  assert_true(bad == 17);
  cairn_timing__campaign_drop(c, 17);
  cairn_timing__campaign_samples(c, &before);
  cairn_timing__campaign_round(c, &sampler, &bad, &outcome);
  assert_true(bad == UINT64_MAX);
  cairn_timing__campaign_samples(c, &after);
  assert_int_equal(after - before, 99);
  assert_int_equal(cairn_timing__campaign_add(c, 5, 1, 0), CAIRN_USAGE);
  cairn_timing__campaign_free(c);
  free(truth);
}

/* Samples written down and loaded again give the same estimates. */
static void campaign_resume(void **state) {
  double *truth = truths(50);
  machine m = machine_make(truth, 0.02, 0.05);
  cairn_timing_campaign *c = run_campaign(&m, 50, 8), *d;
  cairn_timing_estimate *a, *b;
  size_t n, k;
  const cairn_base_sample *s = cairn_timing__campaign_samples(c, &n);
  (void)state;
  assert_int_equal(cairn_timing__campaign_create(9, &d), CAIRN_OK);
  for (uint64_t id = 0; id < 50; id++)
    cairn_timing__campaign_add(d, id, 10, 0);
  for (size_t i = 0; i < n; i++)
    assert_int_equal(cairn_timing__campaign_load(d, &s[i]), CAIRN_OK);
  cairn_timing__campaign_solve(c, 101, &a, &k, NULL);
  cairn_timing__campaign_solve(d, 101, &b, &k, NULL);
  assert_memory_equal(a, b, k * sizeof *a);
  cairn_base_free(a);
  cairn_base_free(b);
  cairn_timing__campaign_free(c);
  cairn_timing__campaign_free(d);
  free(truth);
}

/* ---- race ---- */

/* 300 schedules of random times, one after another: the best one found is
 * within 0.5 % of the best there is, with a tenth of the samples of 50 each. */
static void race_few_samples(void **state) {
  enum { N = 300 };
  double *truth = truths(N);
  machine m = machine_make(truth, 0.006, 0.03);
  const cairn_timing_sampler sampler = sampler_of(&m);
  cairn_timing_race_options options;
  cairn_timing_race *race;
  cairn_timing_raced raced;
  cairn_base_execution outcome;
  double best_truth = INFINITY, best = INFINITY;
  uint64_t best_id = 0;
  int pruned = 0;
  (void)state;
  cairn_timing__race_options_default(&options);
  assert_int_equal(cairn_timing__race_create(&options, &race), CAIRN_OK);
  for (uint64_t id = 0; id < N; id++) {
    assert_int_equal(
        cairn_timing__race_measure(race, &sampler, id, 10, 0, &raced, &outcome),
        CAIRN_OK);
    best_truth = fmin(best_truth, truth[id]);
    pruned += raced.pruned;
    if (!raced.pruned && raced.estimate.times.p[CAIRN_BASE_P50] < best) {
      best = raced.estimate.times.p[CAIRN_BASE_P50];
      best_id = id;
    }
  }
  print_message("race: %zu samples for %d schedules, choice %.3f %% off\n",
                m.taken, N, 100 * (truth[best_id] / best_truth - 1));
  assert_true(truth[best_id] <= best_truth * 1.005);
  assert_true(m.taken <= N * 5);
  assert_true(pruned > N / 2);
  cairn_timing__race_free(race);
  free(truth);
}

/* The level jumps by 10 % in the middle: flagged from then on, and the
 * estimates go on as if nothing had happened. */
static void race_drift(void **state) {
  enum { N = 100 };
  double *truth = truths(N);
  machine m = machine_make(truth, 0.005, 0);
  const cairn_timing_sampler sampler = sampler_of(&m);
  cairn_timing_race_options options;
  cairn_timing_race *race;
  cairn_timing_raced raced;
  cairn_base_execution outcome;
  int flagged = 0;
  (void)state;
  cairn_timing__race_options_default(&options);
  cairn_timing__race_create(&options, &race);
  for (uint64_t id = 0; id < N; id++) {
    if (id == N / 2) {
      m.step = 0.10;
      m.step_at = m.now_s;
    }
    cairn_timing__race_measure(race, &sampler, id, 10, 0, &raced, &outcome);
    if (id >= N / 2 + 3) {
      flagged += raced.drifted;
      assert_true(fabs(raced.estimate.times.p[CAIRN_BASE_P50] / truth[id] - 1) <
                  0.03);
    } else if (id < N / 2) {
      assert_false(raced.drifted);
    }
  }
  assert_int_equal(flagged, N - N / 2 - 3);
  cairn_timing__race_free(race);
  free(truth);
}

/* A long race on a noisy machine that stands still: level and estimates must
 * not wander off together, as they would if schedules that became anchors by
 * luck told the level. */
static void race_stands_still(void **state) {
  enum { N = 2000, PART = 400 };
  double *truth = truths(N);
  machine m = machine_make(truth, 0.03, 0);
  const cairn_timing_sampler sampler = sampler_of(&m);
  cairn_timing_race_options options;
  cairn_timing_race *race;
  cairn_timing_raced raced;
  cairn_base_execution outcome;
  double first = 0, last = 0;
  (void)state;
  cairn_timing__race_options_default(&options);
  options.max_samples = 3;
  cairn_timing__race_create(&options, &race);
  for (uint64_t id = 0; id < N; id++) {
    cairn_timing__race_measure(race, &sampler, id, 10, 0, &raced, &outcome);
    const double off = log(raced.estimate.times.p[CAIRN_BASE_P50] / truth[id]);
    first += id < PART ? off / PART : 0;
    last += id >= N - PART ? off / PART : 0;
  }
  print_message("a long race: %.4f off at first, %.4f at last\n", first, last);
  assert_true(fabs(last - first) < 0.01);
  cairn_timing__race_free(race);
  free(truth);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(drift_exact),        cmocka_unit_test(campaign_order),
      cmocka_unit_test(same_and_different), cmocka_unit_test(placements),
      cmocka_unit_test(too_fast),           cmocka_unit_test(campaign_failure),
      cmocka_unit_test(campaign_resume),    cmocka_unit_test(race_few_samples),
      cmocka_unit_test(race_drift),         cmocka_unit_test(race_stands_still),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-bounds.c - what is never printed: times that no machine has
 * taken.  Made-up samples of a machine that wanders slowly (autocorrelated),
 * becomes 30 times slower half-way - for good, for a while, or now and then, as
 * two ranks on one core do - and stands still at times.  Whatever it does, no
 * estimate may lie below the fastest uncorrected sample of its schedule by
 * more than the factor that is promised, and what can be known must be found.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "timing/campaign-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

enum { MEMBERS = 60, SEEDS = 40 };

/* ---- the machine ---- */

typedef enum kind {
  QUIET,    /* wanders by some percent */
  FOR_GOOD, /* 30 times slower from the middle on */
  A_WHILE,  /* in the third quarter of the time */
  FLICKER,  /* from the middle on, every sample or not, by chance */
  FASTER,   /* 30 times faster from the middle on */
  TROUBLES
} kind;

typedef struct machine {
  cairn_base_rng rng;
  kind trouble;
  double truth[MEMBERS], fastest[MEMBERS];
  double wander; /* AR(1), in logarithms */
  size_t taken, expected;
  unsigned stop_every; /* this one and the next are lost; 0: none */
} machine;

static machine machine_make(kind trouble, uint64_t seed, size_t expected) {
  machine m = {.trouble = trouble, .expected = expected};
  cairn_base__rng_seed(&m.rng, seed);
  for (int i = 0; i < MEMBERS; i++) {
    m.truth[i] = 50e-6 * (1 + 0.5 * cairn_base__rng_uniform(&m.rng));
    m.fastest[i] = INFINITY;
  }
  return m;
}

static double factor(machine *m) {
  const double when = (double)m->taken / (double)m->expected;
  switch (m->trouble) {
  case FOR_GOOD:
    return when > 0.5 ? 30 : 1;
  case A_WHILE:
    return when > 0.5 && when < 0.75 ? 30 : 1;
  case FLICKER:
    return when > 0.5 && cairn_base__rng_uniform(&m->rng) < 0.5 ? 30 : 1;
  case FASTER:
    return when > 0.5 ? 1 / 30.0 : 1;
  default:
    return 1;
  }
}

static cairn_status machine_take(void *context, const cairn_base_shot *shots,
                                 size_t count, cairn_base_sample *samples,
                                 cairn_base_execution *outcome) {
  machine *m = context;
  (void)outcome;
  for (size_t i = 0; i < count; i++) {
    const uint64_t id = shots[i].id;
    m->wander = 0.995 * m->wander + 0.005 * cairn_base__rng_normal(&m->rng);
    double time_s = m->truth[id] * factor(m) * exp(m->wander) *
                    exp(0.01 * cairn_base__rng_normal(&m->rng));
    samples[i] = (cairn_base_sample){.id = id, .k = shots[i].k};
    if (m->stop_every > 0 && m->taken % m->stop_every < 2) {
      time_s += 0.8;
      samples[i].flags = CAIRN_BASE_LOST;
    }
    samples[i].time_s = time_s;
    m->fastest[id] = fmin(m->fastest[id], time_s);
    m->taken++;
  }
  return CAIRN_OK;
}

/* ---- campaigns ---- */

static cairn_timing_campaign *run_campaign(machine *m, unsigned rounds) {
  const cairn_timing_sampler sampler = {machine_take, m};
  cairn_timing_campaign *c;
  cairn_base_execution outcome;
  uint64_t bad;
  assert_int_equal(cairn_timing__campaign_create(1, &c), CAIRN_OK);
  for (uint64_t id = 0; id < MEMBERS; id++)
    assert_int_equal(cairn_timing__campaign_add(c, id, 1, 0), CAIRN_OK);
  for (unsigned r = 0; r < rounds; r++)
    assert_int_equal(cairn_timing__campaign_round(c, &sampler, &bad, &outcome),
                     CAIRN_OK);
  return c;
}

static void check_possible(const machine *m, const cairn_timing_estimate *e) {
  const double least = m->fastest[e->id] / 1.5 * (1 - 1e-9);
  if (e->times.samples == 0)
    return;
  assert_true(e->times.p[CAIRN_BASE_P01] >= least &&
              e->times.p[CAIRN_BASE_P10] >= least &&
              e->times.p[CAIRN_BASE_P50] >= least);
  assert_true(e->times.low >= m->fastest[e->id] / 2 && e->uncorrected >= least);
  assert_true(e->times.p[CAIRN_BASE_P99] < 0.1); /* a stop does not count */
}

/* How many schedules the correction alone would make impossible. */
static int impossible_unbounded(const cairn_timing_campaign *c,
                                const machine *m) {
  size_t n;
  const cairn_base_sample *s = cairn_timing__campaign_samples(c, &n);
  uint32_t *schedule = malloc(n * sizeof *schedule);
  double *time_s = malloc(n * sizeof *time_s);
  double *level = malloc(n * sizeof *level);
  double estimate[MEMBERS];
  int below = 0;
  for (size_t i = 0; i < n; i++) {
    schedule[i] = (uint32_t)s[i].id;
    time_s[i] = s[i].time_s;
  }
  assert_int_equal(
      cairn_timing__drift(schedule, time_s, n, MEMBERS, 101, level, estimate),
      CAIRN_OK);
  for (size_t i = 0; i < n; i++)
    below += time_s[i] / level[i] < m->fastest[schedule[i]] / 2;
  free(schedule);
  free(time_s);
  free(level);
  return below;
}

static void campaign_possible(void **state) {
  int unbounded = 0;
  (void)state;
  for (int t = 0; t < TROUBLES; t++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      machine m = machine_make((kind)t, seed, MEMBERS * 12);
      m.stop_every = seed % 2 ? 97 : 0;
      cairn_timing_campaign *c = run_campaign(&m, 12);
      cairn_timing_estimate *e;
      cairn_timing_quality q;
      size_t n;
      assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q),
                       CAIRN_OK);
      for (size_t i = 0; i < n; i++)
        check_possible(&m, &e[i]);
      assert_true((q.lost > 0) == (m.stop_every > 0));
      if (t == QUIET)
        assert_true(q.beyond == 0);
      unbounded += impossible_unbounded(c, &m);
      cairn_base_free(e);
      cairn_timing__campaign_free(c);
    }
  assert_true(unbounded > 0); /* so the test can fail */
}

/* Slower for a while: the samples of then are left out, and the order is that
 * of the truth: the largest error is that of medians of the other nine. */
static void campaign_while(void **state) {
  machine m = machine_make(A_WHILE, 3, MEMBERS * 12);
  cairn_timing_campaign *c = run_campaign(&m, 12);
  cairn_timing_estimate *e;
  cairn_timing_quality q;
  size_t n, lacking;
  double ratio[MEMBERS];
  (void)state;
  assert_int_equal(cairn_timing__campaign_solve(c, 101, &e, &n, &q), CAIRN_OK);
  for (size_t i = 0; i < n; i++)
    ratio[i] = e[i].times.p[CAIRN_BASE_P50] / m.truth[i];
  const double middle = cairn_base__stats_median(ratio, n);
  for (size_t i = 0; i < n; i++) {
    assert_true(fabs(e[i].times.p[CAIRN_BASE_P50] / m.truth[i] / middle - 1) <
                0.05);
    assert_true(e[i].times.samples + e[i].beyond == 12 && e[i].beyond >= 2);
    assert_true(!e[i].as_it_was);
  }
  assert_true(q.beyond >= 2 * MEMBERS && q.drift > 10);
  assert_int_equal(cairn_timing__campaign_lacking(c, 101, 8, &lacking),
                   CAIRN_OK);
  assert_int_equal(lacking, 0);
  assert_int_equal(cairn_timing__campaign_lacking(c, 101, 12, &lacking),
                   CAIRN_OK);
  assert_int_equal(lacking, MEMBERS);
  cairn_base_free(e);
  cairn_timing__campaign_free(c);
}

/* Lost samples are taken once more in the same round, a quarter of it and one
 * at most. */
static void campaign_replaces(void **state) {
  machine m = machine_make(QUIET, 5, MEMBERS * 4);
  m.stop_every = 50; /* 0, 1 and 50, 51 of the first 60 */
  cairn_timing_campaign *c = run_campaign(&m, 1);
  size_t n, good = 0;
  const cairn_base_sample *s = cairn_timing__campaign_samples(c, &n);
  (void)state;
  assert_int_equal(n, MEMBERS + 4);
  for (size_t i = 0; i < n; i++)
    good += s[i].flags == 0;
  assert_int_equal(good, MEMBERS);
  cairn_timing__campaign_free(c);
  m.stop_every = 2; /* all of them */
  c = run_campaign(&m, 1);
  s = cairn_timing__campaign_samples(c, &n);
  assert_int_equal(n, MEMBERS + MEMBERS / 4 + 1);
  cairn_timing__campaign_free(c);
}

/* ---- races ---- */

static void race_possible(void **state) {
  (void)state;
  for (int t = 0; t < TROUBLES; t++)
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
      machine m = machine_make((kind)t, seed, MEMBERS * 6);
      const cairn_timing_sampler sampler = {machine_take, &m};
      cairn_timing_race_options options;
      cairn_timing_race *race;
      cairn_timing_raced raced;
      cairn_base_execution outcome;
      double by;
      m.stop_every = seed % 2 ? 97 : 0;
      cairn_timing__race_options_default(&options);
      options.seed = seed;
      options.max_samples = seed % 3 ? 30 : 3;
      assert_int_equal(cairn_timing__race_create(&options, &race), CAIRN_OK);
      for (uint64_t id = 0; id < MEMBERS; id++) {
        const size_t before = m.taken;
        assert_int_equal(cairn_timing__race_measure(race, &sampler, id, 1, 0,
                                                    &raced, &outcome),
                         CAIRN_OK);
        assert_true(raced.estimate.times.samples > 0);
        check_possible(&m, &raced.estimate);
        assert_true(m.taken - before <= 1500); /* it ends */
      }
      const unsigned changes = cairn_timing__race_changes(race, &by);
      if (t == QUIET)
        assert_true(changes == 0 && by == 1);
      if (t == FOR_GOOD) /* once, by what it was */
        assert_true(changes == 1 && fabs(by / 30 - 1) < 0.1);
      if (t == FASTER)
        assert_true(changes == 1 && fabs(by * 30 - 1) < 0.1);
      cairn_timing__race_free(race);
    }
}

/* ---- lost samples ---- */

/* The rule as the header states it. */
static void lost_rule(void **state) {
  const int64_t ms = 1000000;
  (void)state;
  assert_true(cairn_timing__was_lost(800 * ms, 0, 0, 700 * ms)); /* a stop */
  assert_true(!cairn_timing__was_lost(800 * ms, 0, 0, 90 * ms)); /* slow only */
  assert_true(
      cairn_timing__was_lost(5 * ms, 4 * ms, 0.01, 0)); /* pushed away */
  assert_true(!cairn_timing__was_lost(5 * ms, 4 * ms, 0.5, 0));  /* as always */
  assert_true(!cairn_timing__was_lost(5 * ms, 4 * ms, NAN, 0));  /* who knows */
  assert_true(!cairn_timing__was_lost(9 * ms, 4 * ms, 0.01, 0)); /* a part */
  assert_true(!cairn_timing__was_lost(ms, ms * 9 / 10, 0.01, 0)); /* noise */
}

/* A summary leaves them out and counts them. */
static void lost_summary(void **state) {
  cairn_base_sample s[12] = {{0}};
  cairn_base_summary sum;
  (void)state;
  for (int i = 0; i < 12; i++)
    s[i] = (cairn_base_sample){.time_s = i % 6 ? 1e-5 : 0.8,
                               .flags = i % 6 ? 0 : CAIRN_BASE_LOST};
  assert_int_equal(cairn_timing__summarize(s, 12, 0.95, &sum), CAIRN_OK);
  assert_int_equal(sum.times.samples, 10);
  assert_int_equal(sum.lost, 2);
  assert_true(sum.times.p[CAIRN_BASE_P99] == 1e-5 && sum.max == 1e-5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(campaign_possible), cmocka_unit_test(campaign_while),
      cmocka_unit_test(campaign_replaces), cmocka_unit_test(race_possible),
      cmocka_unit_test(lost_rule),         cmocka_unit_test(lost_summary),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

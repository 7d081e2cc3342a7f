/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/difficulty.c - how hard a space is, estimated from a partial run.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "dag/program/program-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include "mcts/search-private.h"
#include "study/surrogate-private.h"
#include <cairn/mcts.h>

enum { REPETITIONS = 5, DESCENTS = 200, TRIES = 120, SEARCHED = 400 };
enum { MOVES = CAIRN_DAG_MOVE_SWAP | CAIRN_DAG_MOVE_STREAM };

typedef struct estimate {
  const cairn_dag_program *program;
  unsigned streams;
  uint64_t seed, repetition;
  cairn_study__surrogate surrogate;
  cairn_dag_sampler *sampler;
  cairn_dag_moves *moves;
  cairn_base_rng rng;
  cairn_dag_item *here, *next;
  double start[DESCENTS], end[DESCENTS]; /* times, of this repetition */
  cairn_dag_key last[DESCENTS];
  double optimum;
} estimate;

/* Predictions alone are too smooth, and with errors that know nothing of each
 * other too rough: repetitions go from none to half of the error. */
static double time_at(estimate *e, const cairn_dag_item *items, size_t count) {
  return cairn_study__surrogate_time(&e->surrogate, items, count, e->repetition,
                                     0.5 * (double)e->repetition /
                                         (REPETITIONS - 1));
}

/* To the first better neighbour found, until many tries find none. */
static void descend(estimate *e, size_t which) {
  size_t count = cairn_dag__sampler_draw(e->sampler, &e->rng, e->here);
  double now = time_at(e, e->here, count);
  e->start[which] = now;
  (void)cairn_dag__moves_begin(e->moves, e->here, count);
  for (int tries = 0; tries < TRIES; tries++) {
    const size_t there =
        cairn_dag__moves_random(e->moves, MOVES, &e->rng, e->next);
    const double then = there ? time_at(e, e->next, there) : (double)INFINITY;
    if (!(then < now))
      continue;
    cairn_dag_item *const swap = e->here;
    e->here = e->next;
    e->next = swap;
    count = there;
    now = then;
    tries = -1;
    (void)cairn_dag__moves_begin(e->moves, e->here, count);
  }
  e->end[which] = now;
  e->last[which] = cairn_dag__schedule_key(e->here, count);
}

static int by_key(const void *a, const void *b) {
  return memcmp(a, b, sizeof(cairn_dag_key));
}

/* ---- searching on it ---- */

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  const double time_s = time_at(context, items, count);
  (void)id;
  *result_p = cairn_mcts__result_of(isfinite(time_s) ? time_s : (double)NAN);
  return CAIRN_OK;
}

/* Measurements until within 1 % of the optimum; more than SEARCHED: not so
 * soon. */
static cairn_status search(estimate *e, const char *strategy,
                           double *needed_p) {
  const cairn_mcts_options options = {.strategy = strategy,
                                      .streams = e->streams,
                                      .seed = e->seed + e->repetition,
                                      .budget = SEARCHED};
  cairn_mcts *search = NULL;
  cairn_status status = cairn_mcts_create(e->program, &options, NULL, &search);
  if (!status)
    status = cairn_mcts_run(search, evaluate, e, NULL);
  if (status == CAIRN_FINDINGS)
    status = CAIRN_OK;
  if (!status) {
    const uint64_t n = cairn_mcts__evaluations_to(search, 1.01 * e->optimum);
    *needed_p = n ? (double)n : SEARCHED + 1;
  }
  cairn_mcts_free(search);
  return status;
}

/* ---- repetitions ---- */

typedef struct tally {
  const char *strategy[3];
  size_t strategies;
  double needed[3][REPETITIONS];
  double fraction[REPETITIONS], optimum[REPETITIONS];
  cairn_study_difficulty *d;
} tally;

static void add_centrality(const estimate *e, cairn_study_difficulty *d) {
  for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++) {
    double good = 0;
    for (size_t i = 0; i < DESCENTS; i++)
      good += cairn_study__within(e->end[i], e->optimum, p);
    good /= DESCENTS;
    d->centrality[p] += good / REPETITIONS;
    if (e->repetition == 0 || good < d->centrality_low[p])
      d->centrality_low[p] = good;
    if (e->repetition == 0 || good > d->centrality_high[p])
      d->centrality_high[p] = good;
  }
}

static void add_shares(const estimate *e, cairn_study_difficulty *d) {
  static const unsigned percent[CAIRN_STUDY_CHANCES] = {0, 1, 5};
  for (size_t c = 0; c < CAIRN_STUDY_CHANCES; c++)
    for (size_t i = 0; i < DESCENTS; i++)
      d->share[c] +=
          (double)cairn_study__within(e->start[i], e->optimum, percent[c]) /
          (DESCENTS * REPETITIONS);
}

/* Distinct ends, and the median of optimum / time over them. */
static void add_minima(estimate *e, tally *t) {
  struct {
    cairn_dag_key key;
    double time_s;
  } end[DESCENTS];
  double fraction[DESCENTS];
  size_t minima = 0;
  for (size_t i = 0; i < DESCENTS; i++) {
    end[i].key = e->last[i];
    end[i].time_s = e->end[i];
  }
  qsort(end, DESCENTS, sizeof *end, by_key);
  for (size_t i = 0; i < DESCENTS; i++)
    if (isfinite(end[i].time_s) &&
        (i == 0 || by_key(&end[i - 1], &end[i]) != 0))
      fraction[minima++] = e->optimum / end[i].time_s;
  t->d->minima += minima;
  t->fraction[e->repetition] =
      minima ? cairn_base__stats_median(fraction, minima) : (double)NAN;
  t->optimum[e->repetition] = e->optimum;
}

static cairn_status repeat(estimate *e, tally *t) {
  e->optimum = t->d->best_s;
  for (size_t i = 0; i < DESCENTS; i++) {
    descend(e, i);
    e->optimum = fmin(e->optimum, e->end[i]);
  }
  add_centrality(e, t->d);
  add_shares(e, t->d);
  add_minima(e, t);
  for (size_t k = 0; k < t->strategies; k++) {
    const cairn_status status =
        search(e, t->strategy[k], &t->needed[k][e->repetition]);
    if (status)
      return status;
  }
  return CAIRN_OK;
}

/* ---- what to use ---- */

/* Enough in all repetitions but one, rounded up; 0: not so. */
static uint64_t enough(double *needed) {
  static const uint64_t round[] = {10, 25, 50, 100, 200, 400};
  cairn_base__stats_sort(needed, REPETITIONS);
  for (size_t i = 0; i < sizeof round / sizeof *round; i++)
    if (needed[REPETITIONS - 2] <= (double)round[i])
      return round[i];
  return 0;
}

/* The strategy that is near the optimum first; random only when no other is
 * sooner. */
static void suggest(tally *t) {
  double best = INFINITY;
  for (size_t k = t->strategies; k-- > 0;) {
    const uint64_t budget = enough(t->needed[k]);
    const double needed = cairn_base__stats_mean(t->needed[k], REPETITIONS);
    if (k == 0)
      t->d->random_budget = budget;
    if (needed >= best)
      continue;
    best = needed;
    t->d->strategy = t->strategy[k];
    t->d->budget = budget;
  }
}

static cairn_status repeat_all(estimate *e, cairn_study_difficulty *d) {
  tally t = {.strategy = {"random", "ils"}, .strategies = 2, .d = d};
  const char *const usual = cairn_mcts_strategy_default();
  cairn_status status = CAIRN_OK;
  if (strcmp(usual, "ils") != 0 && strcmp(usual, "random") != 0)
    t.strategy[t.strategies++] = usual;
  for (e->repetition = 0; e->repetition < REPETITIONS && !status;
       e->repetition++)
    status = repeat(e, &t);
  if (status)
    return status;
  d->descents = DESCENTS * REPETITIONS;
  d->minima /= REPETITIONS;
  d->fraction = cairn_base__stats_median(t.fraction, REPETITIONS);
  d->optimum_s = cairn_base__stats_median(t.optimum, REPETITIONS);
  suggest(&t);
  return CAIRN_OK;
}

/* ---- the door ---- */

static cairn_status open_estimate(estimate *e) {
  const size_t room = cairn_dag__program_max_items(e->program, e->streams) + 1;
  cairn_status status =
      cairn_dag__sampler_create(e->program, e->streams, e->seed, &e->sampler);
  if (!status)
    status = cairn_dag__moves_create(e->program, e->streams, &e->moves);
  e->here = cairn_base_alloc(room, sizeof *e->here);
  e->next = cairn_base_alloc(room, sizeof *e->next);
  cairn_base__rng_seed(&e->rng, e->seed);
  return status ? status : e->here && e->next ? CAIRN_OK : CAIRN_NOMEM;
}

static void close_estimate(estimate *e) {
  cairn_study__surrogate_free(&e->surrogate);
  cairn_dag__sampler_free(e->sampler);
  cairn_dag__moves_free(e->moves);
  cairn_base_free(e->here);
  cairn_base_free(e->next);
  cairn_base_free(e);
}

cairn_status cairn_study__estimate(const cairn_dag_program *program,
                                   unsigned streams,
                                   const cairn_study_space *space,
                                   uint64_t seed, cairn_base_diag *diag,
                                   cairn_study_difficulty *difficulty_p) {
  estimate *const e = cairn_base_zalloc(1, sizeof *e);
  cairn_study_difficulty d = {
      .measured = space->count, .failed = space->failed, .best_s = INFINITY};
  if (!e)
    return CAIRN_NOMEM;
  e->program = program;
  e->streams = streams;
  e->seed = seed;
  for (size_t i = 0; i < space->count; i++)
    d.best_s = fmin(d.best_s, space->time_s[i]);
  cairn_status status =
      cairn_study__surrogate_make(program, space, diag, &e->surrogate);
  d.explained = e->surrogate.explained;
  if (!status)
    status = open_estimate(e);
  if (!status)
    status = repeat_all(e, &d);
  close_estimate(e);
  if (!status)
    *difficulty_p = d;
  return status;
}

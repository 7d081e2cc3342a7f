/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/planned.c - a search that plans on a simulated machine.
 *
 * What is measured teaches the machine its costs and engines (fit.c); between
 * two measurements some thousand plans are simulated (plan.c), and the best one
 * is measured next.  Where the machine is too hopeful the measurement corrects
 * it, so what is measured is where it matters.  Annealing goes in cycles from
 * hot to cold, each from the fastest schedule measured or from where the last
 * one ended.
 *
 * Before that come list schedules, neighbours of the fastest of what was
 * measured, and random schedules.
 *
 * Every few proposals a neighbour of the fastest ones is measured instead, for
 * what a plan cannot say (places of syncs) and for where the machine is no good
 * model: local search then does its work.
 */
#include <math.h>
#include <string.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "mcts/model/fit-private.h"
#include "mcts/model/plan-private.h"
#include "mcts/strategies/moves-private.h"
#include "mcts/strategies/planned-private.h"
#include <cairn/mcts.h>

enum {
  PERIOD = 8, /* proposals among which one of each kind of neighbour */
  KEPT = 4,   /* fastest ones whose neighbours are proposed */
  ASKED = 16, /* neighbours that the machine chooses from */
  LEAST_SPREAD = 8
};

#define NEAR 0.5    /* share of neighbours in what comes first */
#define EXACT 0.003 /* mean relative error below which engines are known */

typedef struct planned {
  cairn_mcts_planned_settings set;
  cairn_mcts_machine machine;
  cairn_mcts_fit fit;
  cairn_mcts_plan now, best; /* where annealing is; the best not measured */
  cairn_mcts_moves moves;
  cairn_dag_item *liked; /* neighbour that the machine likes best */
  uint32_t *sorted;      /* timed records, fastest first */
  size_t timed, capacity, cram_at;
  double error;  /* mean relative one of the machine */
  double unit_s; /* of the machine's time */
  uint64_t turn, cycle_at;
  unsigned listed; /* rules of list scheduling that were asked */
  int opened;
} planned;

void cairn_mcts__planned_destroy(cairn_mcts *search) {
  planned *const s = search->state;
  if (!s)
    return;
  cairn_mcts__machine_free(&s->machine);
  cairn_mcts__fit_free(&s->fit);
  cairn_mcts__plan_free(&s->now);
  cairn_mcts__plan_free(&s->best);
  cairn_mcts__moves_free(&s->moves);
  cairn_base_free(s->liked);
  cairn_base_free(s->sorted);
  cairn_base_free(s);
}

cairn_status
cairn_mcts__planned_create(cairn_mcts *search,
                           const cairn_mcts_planned_settings *settings) {
  planned *const s = cairn_base_zalloc(1, sizeof *s);
  cairn_status status;
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->set = *settings;
  s->liked = cairn_base_zalloc(search->max_items, sizeof *s->liked);
  if (!s->liked)
    return CAIRN_NOMEM;
  if ((status = cairn_mcts__machine_create(&s->machine, search->program,
                                           search->streams)) ||
      (status = cairn_mcts__fit_create(&s->fit, search->program, &s->machine,
                                       s->set.limit)) ||
      (status =
           cairn_mcts__plan_create(&s->now, search->program, &s->machine)) ||
      (status =
           cairn_mcts__plan_create(&s->best, search->program, &s->machine)))
    return status;
  cairn_mcts__machine_reset(&s->machine, 1);
  for (unsigned k = 0; k < s->fit.gpu_ops; k++)
    s->machine.engine[s->fit.gpu_op[k]] =
        (uint8_t)(1 + cairn_base__rng_below(&search->rng, 2));
  return cairn_mcts__moves_create(&s->moves, search);
}

/* ---- learning ---- */

cairn_status cairn_mcts__planned_told(cairn_mcts *search, uint32_t record) {
  planned *const s = search->state;
  const cairn_mcts_record *const r = search->cache.record + record;
  const double time_s = r->result.time_s;
  size_t i;
  cairn_status status;
  if (isnan(time_s))
    return CAIRN_OK;
  if ((status = cairn_base_reserve(&s->sorted, &s->capacity, s->timed + 1,
                                   sizeof *s->sorted)))
    return status;
  for (i = s->timed++; i && cairn_mcts__time(search, s->sorted[i - 1]) > time_s;
       i--)
    s->sorted[i] = s->sorted[i - 1];
  s->sorted[i] = record;
  if (!(s->unit_s > 0))
    s->unit_s =
        time_s /
        (search->prior.records
             ? cairn_mcts__machine_time(
                   &s->machine, cairn_mcts__cache_items(&search->cache, record),
                   r->count)
             : 1);
  return CAIRN_OK;
}

static void add_sample(planned *s, const cairn_mcts_cache *from,
                       uint32_t record, double unit_s) {
  const cairn_mcts_record *const r = from->record + record;
  s->fit.sample[s->fit.samples++] =
      (cairn_mcts_fit_sample){cairn_mcts__cache_items(from, record), r->count,
                              r->result.time_s / unit_s};
}

static void learn_samples(cairn_mcts *search, planned *s) {
  cairn_base__rng_shuffle(&search->rng, s->fit.sample, s->fit.samples,
                          sizeof *s->fit.sample);
  cairn_mcts__fit_costs(&s->fit, (unsigned)s->set.lessons, s->set.rate,
                        &search->rng);
  s->error = sqrt(cairn_mcts__fit_loss(&s->fit));
  if (s->error > EXACT)
    cairn_mcts__fit_engines(&s->fit, (unsigned)s->set.tries, &search->rng);
}

/* From all that was measured, or as much as there is room for. */
static void learn_once(cairn_mcts *search, planned *s) {
  s->fit.samples = 0;
  if (s->timed <= s->set.limit)
    for (size_t i = 0; i < s->timed; i++)
      add_sample(s, &search->cache, s->sorted[i], s->unit_s);
  while (s->timed > s->set.limit && s->fit.samples < s->set.limit)
    add_sample(
        s, &search->cache,
        s->sorted[cairn_base__rng_below(&search->rng, (uint32_t)s->timed)],
        s->unit_s);
  learn_samples(search, s);
}

/* An earlier run, in units of its own median, says what the machine is like:
 * there is less to find out. */
static cairn_status learn_priors(cairn_mcts *search, planned *s) {
  const cairn_mcts_cache *const prior = &search->prior;
  double *const sorted = cairn_base_alloc(prior->records, sizeof *sorted);
  double median_s;
  if (!sorted)
    return CAIRN_NOMEM;
  for (size_t r = 0; r < prior->records; r++)
    sorted[r] = prior->record[r].result.time_s;
  median_s = cairn_base__stats_median(sorted, prior->records);
  cairn_base_free(sorted);
  for (size_t round = 0; round < s->set.cram; round++) {
    s->fit.samples = 0;
    for (size_t i = 0; i < s->set.limit && i < prior->records; i++)
      add_sample(
          s, prior,
          prior->records <= s->set.limit
              ? (uint32_t)i
              : cairn_base__rng_below(&search->rng, (uint32_t)prior->records),
          median_s);
    learn_samples(search, s);
  }
  if (s->set.spread > LEAST_SPREAD && s->set.spread <= prior->records)
    s->set.spread = LEAST_SPREAD;
  return CAIRN_OK;
}

/* The GPU ops in the order of the fastest schedule. */
static void sort_ops(const cairn_mcts *search, planned *s) {
  const uint32_t fastest = s->sorted[0];
  const cairn_dag_item *const items =
      cairn_mcts__cache_items(&search->cache, fastest);
  unsigned n = 0;
  for (size_t i = 0; i < search->cache.record[fastest].count; i++)
    if (items[i].kind == CAIRN_DAG_ITEM_GPU)
      s->fit.gpu_op[n++] = items[i].id;
}

/* A little after each measurement, much when there is much more to learn
 * from. */
static void learn(cairn_mcts *search, planned *s) {
  int rounds = 1;
  if (s->timed >= s->cram_at) {
    sort_ops(search, s);
    rounds = (int)s->set.cram;
    s->cram_at = s->timed + s->timed / 4 + 1;
  }
  do
    learn_once(search, s);
  while (--rounds > 0 && s->error > EXACT);
}

/* ---- proposing ---- */

static cairn_status walk_plan(cairn_mcts *search, const cairn_mcts_plan *plan,
                              int early, uint32_t *record_p) {
  cairn_mcts__plan_walk(plan, early, search->walk);
  return cairn_mcts__canonical_walk(search, record_p);
}

static cairn_status draw(cairn_mcts *search, planned *s) {
  for (int i = 0; i < 100; i++) {
    uint32_t record;
    cairn_status status;
    cairn_mcts__plan_random(&s->now, &search->rng);
    status = walk_plan(search, &s->now, i & 1, &record);
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  return cairn_mcts__moves_fresh(search, &s->moves);
}

/* Of random neighbours of one of the fastest the one that the machine likes
 * best; of one, that one. */
static cairn_status neighbour(cairn_mcts *search, planned *s, int asked) {
  double best = INFINITY;
  size_t count = 0;
  uint32_t record;
  cairn_status status = CAIRN_OK;
  const uint32_t parent = s->sorted[cairn_base__rng_below(
      &search->rng, (uint32_t)(s->timed < KEPT ? s->timed : KEPT))];
  for (int i = 0; i < asked; i++) {
    double time;
    status = cairn_mcts__moves_random(
        search, &s->moves, cairn_mcts__cache_items(&search->cache, parent),
        search->cache.record[parent].count, &record);
    if (status == CAIRN_FINDINGS || (!status && record != CAIRN_MCTS_NONE))
      continue;
    if (status)
      return status;
    time = cairn_mcts__machine_time(&s->machine, search->candidate,
                                    search->candidate_count);
    if (time < best) {
      best = time;
      count = search->candidate_count;
      memcpy(s->liked, search->candidate, count * sizeof *s->liked);
    }
  }
  return count ? cairn_mcts__canonical(search, s->liked, count, &record)
               : draw(search, s);
}

/* Goes on annealing; the best that is not measured. */
static cairn_status plan(cairn_mcts *search, planned *s) {
  const double part = (double)s->cycle_at / (double)s->set.cycle;
  double temperature;
  uint32_t record = CAIRN_MCTS_NONE;
  if (s->cycle_at == 0 && cairn_base__rng_next(&search->rng) >> 63) {
    const uint32_t fastest = s->sorted[0];
    cairn_mcts__plan_set(&s->now,
                         cairn_mcts__cache_items(&search->cache, fastest),
                         search->cache.record[fastest].count);
  }
  s->cycle_at = (s->cycle_at + 1) % s->set.cycle;
  temperature = cairn_mcts__plan_time(&s->now) * 0.01 * pow(0.01, part);
  for (int tries = 0; tries < 4; tries++) {
    cairn_status status;
    s->best.time = INFINITY;
    for (size_t i = 0; i < s->set.steps; i++) {
      cairn_mcts__plan_step(&s->now, temperature, &search->rng);
      if (s->now.time < s->best.time)
        cairn_mcts__plan_copy(&s->best, &s->now);
    }
    status = walk_plan(search, &s->best, 1, &record);
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  return neighbour(search, s, ASKED);
}

/* To begin with: plans by rules that need no times, then neighbours of the
 * fastest, and random schedules for the machine to learn from. */
static cairn_status open_search(cairn_mcts *search, planned *s) {
  uint32_t record;
  while (s->listed < CAIRN_MCTS_LIST_RULES) {
    cairn_status status;
    cairn_mcts__plan_list(&s->now, s->listed++);
    status = walk_plan(search, &s->now, 1, &record);
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  if (!s->timed)
    return draw(search, s);
  return cairn_base__rng_uniform(&search->rng) < NEAR ? neighbour(search, s, 1)
                                                      : draw(search, s);
}

cairn_status cairn_mcts__planned_next(cairn_mcts *search) {
  planned *const s = search->state;
  cairn_status status;
  if (cairn_mcts__tick(search))
    return CAIRN_EXHAUSTED;
  if (!s->opened) {
    s->opened = 1;
    if (search->prior.records && (status = learn_priors(search, s)))
      return status;
    return cairn_mcts__moves_first(search, &s->moves);
  }
  if (s->timed < s->set.spread)
    return search->cache.records < 10 * s->set.spread
               ? open_search(search, s)
               : cairn_mcts__moves_fresh(search, &s->moves);
  learn(search, s);
  switch (++s->turn % PERIOD) {
  case 0:
    return neighbour(search, s, 1);
  case PERIOD / 2:
    return neighbour(search, s, ASKED);
  default:
    return plan(search, s);
  }
}

/* ---- the strategy ---- */

enum { SPREAD, STEPS, CYCLE, LIMIT, TRIES, CRAM, RATE, ALL };

static const cairn_mcts_tunable tunable[] = {
    {"spread", 1.5, 0.01, 1000, 0,
     "random schedules to begin with, for each op"},
    {"steps", 1000, 1, 1e6, 1, "plans simulated before a measurement"},
    {"cycle", 40, 1, 1e6, 1, "measurements from hot to cold"},
    {"limit", 300, 3, 1e5, 1, "samples that teach the machine at a time"},
    {"tries", 16, 0, 1e5, 1, "other engines tried before a measurement"},
    {"cram", 100, 1, 1e5, 1, "times that when samples have grown by a quarter"},
    {"rate", 0.2, 0.001, 1, 0, "learning rate of the machine"}};

/* Less where each is dearer. */
static size_t scaled(const cairn_mcts *search, double effort) {
  const unsigned ops = cairn_dag_program_ops(search->program);
  const double x = ops <= 100 ? effort : effort * 100 / ops;
  return x < 1 && effort >= 1 ? 1 : (size_t)x;
}

cairn_status cairn_mcts__planned_begin(cairn_mcts *search, const double *tune) {
  double value[ALL], spread;
  for (int i = 0; i < ALL; i++)
    value[i] = tune ? tune[i] : tunable[i].value;
  spread = value[SPREAD] * cairn_dag_program_ops(search->program);
  const cairn_mcts_planned_settings settings = {
      .spread = spread < 8     ? 8
                : spread > 200 ? 200
                               : (size_t)spread,
      .steps = scaled(search, value[STEPS]),
      .cycle = (size_t)value[CYCLE],
      .limit = (size_t)value[LIMIT],
      .lessons = scaled(search, value[LIMIT]),
      .tries = scaled(search, value[TRIES]),
      .cram = scaled(search, value[CRAM]),
      .rate = value[RATE]};
  return cairn_mcts__planned_create(search, &settings);
}

static cairn_status create(cairn_mcts *search) {
  return cairn_mcts__planned_begin(search, search->tune);
}

const cairn_mcts_policy cairn_mcts__planned = {
    {"planned",
     "annealing on a simulated machine with learned costs and engines",
     "this program; Kirkpatrick, Gelatt and Vecchi, Optimization by simulated "
     "annealing, 1983",
     tunable, ALL, 0},
    create,
    cairn_mcts__planned_destroy,
    cairn_mcts__planned_next,
    cairn_mcts__planned_told};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-refine.c - the schedules that were measured, measured again side
 * by side, so that what is reported can be trusted.
 *
 * A search measures one schedule after another while the machine drifts; here
 * all of them take turns in shuffled rounds, the drift is divided out, and
 * plugin, streams and events are made anew every few rounds, because where
 * they lie in memory moves times by percents.  Then the finalists - the best
 * ones, the program's own order, the slowest and one of each class - are
 * compared with each other, with more samples (explore-finalists.c tells the
 * outcome).  The journal gets the better numbers as "refined" records.
 *
 * Invariant: the executor's ids are positions in `entrant`, not journal ids.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exec/drive-private.h"
#include "explore.h"
#include "journal/journal-private.h"
#include "timing/campaign-private.h"
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

enum {
  WINDOW = 101,
  RENEW = 4, /* rounds of a placement */
  LEAST_ROUNDS = 8,
  CONTENDERS = 10,
  CONTENDERS_FIRST = 128,
  SHOTS_FIRST = 8 /* in one go, until it is known how long they take */
};

/* A sample lasts this long where one execution is shorter. */
static const double SAMPLE_S = 600e-6;

/* Finalists are known well enough when the half width of the interval of the
 * median is at most this share of it. */
static const double FINAL_HALF = 0.005;

/* A phase ends by so much of the announced time, or by so many seconds if that
 * is more, after it, whatever it has by then. */
static const double OVERTIME = 0.5, OVERTIME_LEAST_S = 5;

/* Samples asked for in one go last about so long. */
static const double SLICE_S = 0.25;

/* More than this is told. */
static const double DRIFT_FLAG = 0.03;

typedef struct entrant {
  const cairn_dag_item *items; /* the search's, or the program order's */
  size_t count;
  uint64_t id; /* in the journal; EXPLORE_PROGRAM_ORDER */
  double time_s;
} entrant;

typedef struct refining {
  explore_job *job;
  entrant *entrant;
  size_t entrants;
  cairn_dag_schedule own; /* the program's own order */
  cairn_timing_campaign *campaign;
  unsigned rounds, placements, throttled; /* rounds with a slow clock */
  const char *why;         /* rounds ended: "ci", "max_time", "signal" */
  size_t contenders;       /* for the best place */
  double begin_s, seconds; /* of this phase; announced */
  double shot_s;           /* a sample takes about so long */
  int overtime;            /* it was ended */
} refining;

/* ---- who takes part ---- */

static int by_time(const void *a, const void *b) {
  const entrant *x = a, *y = b;
  if (x->time_s != y->time_s)
    return x->time_s < y->time_s ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* All schedules with a time, fastest first. */
static cairn_status gather(refining *r) {
  const cairn_mcts *search = r->job->search;
  const uint64_t n = cairn_mcts_evaluations(search);
  r->entrant = cairn_base_alloc((size_t)n + 1, sizeof *r->entrant);
  if (r->entrant == NULL)
    return CAIRN_NOMEM;
  for (uint64_t id = 0; id < n; id++) {
    entrant e = {.id = id};
    cairn_mcts_result result;
    cairn_mcts_get(search, id, &e.items, &e.count, &result);
    e.time_s = result.time_s;
    if ((result.outcome == CAIRN_BASE_OUTCOME_OK ||
         result.outcome == CAIRN_BASE_OUTCOME_PRUNED) &&
        e.time_s > 0)
      r->entrant[r->entrants++] = e;
  }
  qsort(r->entrant, r->entrants, sizeof *r->entrant, by_time);
  return CAIRN_OK;
}

/* The program's own order joins, under its journal id if it was measured. */
static cairn_status add_program_order(refining *r) {
  cairn_status status =
      cairn_dag_schedule_program_order(r->job->program, &r->own);
  if (status != CAIRN_OK)
    return status;
  r->own.count = cairn_dag_schedule_tidy(r->own.items, r->own.count);
  for (size_t i = 0; i < r->entrants; i++)
    if (r->entrant[i].count == r->own.count &&
        memcmp(r->entrant[i].items, r->own.items,
               r->own.count * sizeof *r->own.items) == 0) {
      r->job->program_order = r->entrant[i].id;
      return CAIRN_OK;
    }
  r->job->program_order = EXPLORE_PROGRAM_ORDER;
  r->entrant[r->entrants++] =
      (entrant){r->own.items, r->own.count, EXPLORE_PROGRAM_ORDER,
                r->entrant[r->entrants / 2].time_s};
  return CAIRN_OK;
}

/* ---- rounds ---- */

/* CAIRN_EXHAUSTED when this phase has had its time, and more. */
static cairn_status in_time(const refining *r) {
  const double end_s =
      r->seconds + fmax(OVERTIME * r->seconds, OVERTIME_LEAST_S);
  return explore_now_s() - r->begin_s < end_s ? CAIRN_OK : CAIRN_EXHAUSTED;
}

static cairn_status prepare_all(refining *r) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < r->entrants && status == CAIRN_OK; i++) {
    status = in_time(r);
    if (status == CAIRN_OK)
      status = cairn_exec_prepare(r->job->exec, i, r->entrant[i].items,
                                  r->entrant[i].count, r->job->diag);
  }
  return status;
}

static uint32_t executions(const entrant *x) {
  const double k = ceil(SAMPLE_S / x->time_s);
  return k < 1 ? 1 : (uint32_t)fmin(k, 1e6);
}

/* Seconds for so many rounds, warm executions included. */
static double rounds_s(const refining *r, unsigned rounds) {
  double sum = 0;
  for (size_t i = 0; i < r->entrants; i++)
    sum += (executions(&r->entrant[i]) + 1.0) * r->entrant[i].time_s;
  return rounds * sum;
}

/* The phase begins now; it announces the time that the least number of rounds
 * takes, if that is more. */
static void announce(refining *r, double seconds) {
  r->begin_s = explore_now_s();
  r->seconds = fmax(seconds, rounds_s(r, LEAST_ROUNDS));
  r->overtime = 0;
}

static cairn_status enter_all(refining *r, uint64_t seed) {
  cairn_timing__campaign_free(r->campaign);
  r->campaign = NULL;
  r->rounds = r->placements = r->throttled = 0;
  cairn_status status = cairn_timing__campaign_create(seed, &r->campaign);
  if (status == CAIRN_OK)
    cairn_timing__campaign_set_block(r->campaign, RENEW);
  for (size_t i = 0; i < r->entrants && status == CAIRN_OK; i++)
    status = cairn_timing__campaign_add(r->campaign, i,
                                        executions(&r->entrant[i]), 1);
  return status;
}

/* New placement: everything that the ranks hold is made anew. */
static cairn_status renew(refining *r) {
  cairn_status status = explore_exec_reopen(r->job);
  if (status == CAIRN_OK)
    status = prepare_all(r);
  r->placements++;
  return status;
}

/* A cairn_timing_sampler's take that keeps to the time: a slice after the
 * other, CAIRN_EXHAUSTED when it is over. */
static cairn_status take_in_time(void *context, const cairn_base_shot *shots,
                                 size_t count, cairn_base_sample *samples,
                                 cairn_base_execution *outcome_p) {
  refining *r = context;
  cairn_base_execution one;
  cairn_status status = CAIRN_OK;
  *outcome_p = (cairn_base_execution){.outcome = CAIRN_BASE_OUTCOME_OK};
  for (size_t done = 0; done < count && status == CAIRN_OK;) {
    const double begin_s = explore_now_s();
    const double fit = r->shot_s > 0 ? SLICE_S / r->shot_s : SHOTS_FIRST;
    size_t part = fit < 1 ? 1 : (size_t)fmin(fit, (double)count);
    part = part < count - done ? part : count - done;
    status = in_time(r);
    if (status == CAIRN_OK)
      status = cairn_exec__sample(r->job->exec, shots + done, part,
                                  samples + done, &one);
    if (status == CAIRN_OK && one.outcome != CAIRN_BASE_OUTCOME_OK &&
        outcome_p->outcome == CAIRN_BASE_OUTCOME_OK)
      *outcome_p = one;
    r->shot_s = (explore_now_s() - begin_s) / (double)part;
    done += part;
  }
  return status;
}

static cairn_status one_round(refining *r) {
  const cairn_timing_sampler sampler = {take_in_time, r};
  cairn_base_execution outcome;
  uint64_t bad;
  const cairn_status status =
      cairn_timing__campaign_round(r->campaign, &sampler, &bad, &outcome);
  if (status == CAIRN_OK && bad != UINT64_MAX) {
    cairn_timing__campaign_drop(r->campaign, bad);
    cairn_base_diag_add(r->job->diag, CAIRN_BASE_WARNING, NULL, 0,
                        "schedule %llu failed when measured again: %s",
                        (unsigned long long)r->entrant[bad].id,
                        outcome.message);
  }
  const cairn_exec_clocks clocks = cairn_exec__clocks_report(r->job->exec);
  const cairn_exec_load load = cairn_exec__load_report(r->job->exec);
  cairn_exec__clocks_add(&r->job->clocks, &clocks);
  cairn_exec__load_add(&r->job->load, &load);
  r->throttled += clocks.throttled > 0;
  r->rounds++;
  return status;
}

static void show_progress(const refining *r) {
  explore_progress_note(r->job,
                        "measuring %zu schedules again, side by side: round "
                        "%u, %.0f of about %.0f s",
                        r->entrants, r->rounds + 1,
                        explore_now_s() - r->begin_s, r->seconds);
}

/* Are all that are still measured known to `half`, relatively? */
static cairn_status are_known(const refining *r, double half, int *known_p) {
  cairn_timing_estimate *e;
  size_t n;
  const cairn_status status =
      cairn_timing__campaign_solve(r->campaign, WINDOW, &e, &n, NULL);
  *known_p = 0;
  if (status != CAIRN_OK)
    return status;
  *known_p = 1;
  for (size_t i = 0; i < n; i++)
    if (!cairn_timing__campaign_dropped(r->campaign, i) &&
        !(e[i].times.high - e[i].times.low <=
          2 * half * e[i].times.p[CAIRN_BASE_P50]))
      *known_p = 0;
  cairn_base_free(e);
  return CAIRN_OK;
}

/* A round, in a new placement if it is time for one. */
static cairn_status next_round(refining *r) {
  cairn_status status = in_time(r);
  show_progress(r);
  if (status == CAIRN_OK && r->rounds % RENEW == 0)
    status = renew(r);
  return status == CAIRN_OK ? one_round(r) : status;
}

/* Rounds until there are `least` more and the time since r->begin_s is used
 * up, or all is known to `half` (0: never), which is looked at after each
 * placement.  A signal ends them, and so does the end of the phase's time:
 * CAIRN_EXHAUSTED. */
static cairn_status take_rounds(refining *r, unsigned least, double seconds,
                                double half) {
  int known = 0;
  const unsigned enough = r->rounds + least;
  cairn_status status = CAIRN_OK;
  while (status == CAIRN_OK && !explore_signalled(r->job) && !known &&
         (r->rounds < enough || explore_now_s() - r->begin_s < seconds)) {
    status = next_round(r);
    if (status == CAIRN_OK && half > 0 && r->rounds >= enough &&
        r->rounds % RENEW == 0)
      status = are_known(r, half, &known);
  }
  r->why = known ? "ci" : explore_signalled(r->job) ? "signal" : "max_time";
  return status;
}

/* Samples that could not be corrected are taken again, as long as there are
 * schedules that have too few others. */
static cairn_status replace_lacking(refining *r) {
  size_t lacking = 0;
  cairn_status status;
  do {
    status = cairn_timing__campaign_lacking(r->campaign, WINDOW,
                                            LEAST_ROUNDS / 2, &lacking);
    for (int i = 0; i < RENEW && status == CAIRN_OK && lacking > 0 &&
                    !explore_signalled(r->job);
         i++)
      status = next_round(r);
  } while (status == CAIRN_OK && lacking > 0 && !explore_signalled(r->job));
  return status;
}

/* The end of a phase, in time or not. */
static cairn_status phase_over(refining *r, cairn_status status) {
  if (status == CAIRN_OK && !explore_signalled(r->job))
    status = replace_lacking(r);
  if (status != CAIRN_EXHAUSTED)
    return status;
  r->overtime = r->job->refined.overtime = 1;
  r->why = "overtime";
  cairn_base_diag_add(r->job->diag, CAIRN_BASE_WARNING, NULL, 0,
                      "measuring %zu schedules again was to take about %.0f s "
                      "and was ended after %.0f s, in round %u: the machine "
                      "has become slower; schedules that it did not come to "
                      "keep their first numbers",
                      r->entrants, r->seconds, explore_now_s() - r->begin_s,
                      r->rounds + 1);
  return CAIRN_OK;
}

/* ---- what comes of it ---- */

enum { FACTS = 9 };

/* Flags are there only when they are up. */
static size_t add_flags(const refining *r, const cairn_timing_quality *q,
                        cairn_base_fact *fact) {
  const struct {
    const char *name;
    double value;
  } flag[] = {
      {"correlated", q->correlated},
      {"nonrandom", q->nonrandom},
      {"drifted", q->drift > DRIFT_FLAG ? q->drift : 0},
      {"throttled", (double)r->throttled / fmax(r->rounds, 1)},
      {"oversubscribed", cairn_exec__info_get(r->job->exec)->oversubscribed}};
  size_t n = 0;
  for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
    if (flag[i].value > 0)
      fact[n++] = (cairn_base_fact){flag[i].name, NULL, flag[i].value};
  return n;
}

static cairn_journal_result result_of(const refining *r,
                                      const explore_kept *kept,
                                      const cairn_timing_estimate *e,
                                      const cairn_timing_quality *q,
                                      int finalist, cairn_base_fact *fact) {
  cairn_journal_result result = kept->result;
  fact[0] = (cairn_base_fact){"last_rank", NULL, e->last_rank};
  fact[1] = (cairn_base_fact){"why", r->why, 0};
  result.schedule = kept->schedule;
  result.times = e->times;
  result.fact = fact;
  result.facts = 2 + add_flags(r, q, fact + 2);
  if (e->lost > 0)
    fact[result.facts++] = (cairn_base_fact){"lost", NULL, (double)e->lost};
  if (e->beyond > 0)
    fact[result.facts++] = (cairn_base_fact){"beyond", NULL, (double)e->beyond};
  result.corrected = 1;
  result.uncorrected = e->uncorrected;
  result.finalist = finalist;
  return result;
}

/* Estimates into the journal and in the place of the first numbers, also of
 * contenders that were dropped halfway.  final: those that were not are the
 * finalists. */
static cairn_status record(refining *r, const cairn_timing_estimate *e,
                           size_t count, const cairn_timing_quality *q,
                           int final) {
  explore_job *job = r->job;
  cairn_journal_result *result = cairn_base_alloc(count, sizeof *result);
  cairn_base_fact(*fact)[FACTS] = cairn_base_alloc(count, sizeof *fact);
  size_t n = 0;
  cairn_status status = result && fact ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
    const entrant *x = &r->entrant[i];
    if (x->id == EXPLORE_PROGRAM_ORDER ||
        e[i].times.samples < LEAST_ROUNDS / 2 || e[i].as_it_was ||
        cairn_timing__campaign_failed(r->campaign, i))
      continue;
    const int stayed = final && !cairn_timing__campaign_dropped(r->campaign, i);
    result[n] = result_of(r, &job->kept[x->id], &e[i], q, stayed, fact[n]);
    explore_keep_refined(job, &result[n++]);
  }
  if (status == CAIRN_OK && job->journal != NULL && n > 0)
    status = cairn_journal__append_refined(job->journal, result, n, job->diag);
  cairn_base_free(result);
  cairn_base_free(fact);
  return status;
}

static cairn_status refine_all(refining *r, double seconds) {
  cairn_timing_estimate *e = NULL;
  size_t n = 0;
  explore_refined *out = &r->job->refined;
  cairn_status status = enter_all(r, r->job->options->seed);
  announce(r, seconds);
  if (status == CAIRN_OK)
    status = take_rounds(r, LEAST_ROUNDS, seconds, 0);
  status = phase_over(r, status);
  if (status != CAIRN_OK || explore_signalled(r->job))
    return status;
  status =
      cairn_timing__campaign_solve(r->campaign, WINDOW, &e, &n, &out->quality);
  if (status != CAIRN_OK)
    return status;
  status = record(r, e, n, &out->quality, 0);
  for (size_t i = 0; i < n; i++) /* the finalists are chosen by these */
    if (e[i].times.samples > 0 && !e[i].as_it_was)
      r->entrant[i].time_s = e[i].times.p[CAIRN_BASE_P50];
  out->rounds = r->rounds;
  out->placements = r->placements;
  out->throttled = r->throttled;
  cairn_base_free(e);
  return status;
}

/* ---- finalists ---- */

static int stands_for(const uint64_t *typical, size_t classes, uint64_t id) {
  for (size_t c = 0; c < classes; c++)
    if (typical[c] == id)
      return (int)c;
  return -1;
}

/* The fastest so far (an eighth, at most CONTENDERS_FIRST), the program order,
 * the slowest and one of each class stay. */
static cairn_status keep_finalists(refining *r) {
  explore_refined *out = &r->job->refined;
  size_t kept = 0, most = r->entrants / 8;
  const cairn_status status =
      explore_typical(r->job, EXPLORE_CLASSES, out->typical, &out->classes);
  if (status != CAIRN_OK)
    return status;
  most = most < CONTENDERS ? CONTENDERS : most;
  most = most < CONTENDERS_FIRST ? most : CONTENDERS_FIRST;
  qsort(r->entrant, r->entrants, sizeof *r->entrant, by_time);
  for (size_t i = 0; i < r->entrants; i++) {
    const uint64_t id = r->entrant[i].id;
    if (i + 1 == r->entrants)
      out->slowest = id;
    if (i < most || i + 1 == r->entrants || id == r->job->program_order ||
        stands_for(out->typical, out->classes, id) >= 0)
      r->entrant[kept++] = r->entrant[i];
  }
  r->entrants = kept;
  r->contenders = most;
  return CAIRN_OK;
}

/* Half of the contenders goes after each placement, until few are left. */
static cairn_status halve(refining *r) {
  const explore_refined *out = &r->job->refined;
  uint64_t always[EXPLORE_CLASSES + 2];
  size_t count = 0;
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < r->entrants; i++) {
    const uint64_t id = r->entrant[i].id;
    if (id == r->job->program_order || id == out->slowest ||
        stands_for(out->typical, out->classes, id) >= 0)
      always[count++] = i;
  }
  while (status == CAIRN_OK && r->contenders > CONTENDERS &&
         !explore_signalled(r->job)) {
    status = take_rounds(r, RENEW, 0, 0);
    r->contenders = (r->contenders + 1) / 2;
    if (r->contenders < CONTENDERS)
      r->contenders = CONTENDERS;
    if (status == CAIRN_OK)
      status = cairn_timing__campaign_narrow(r->campaign, WINDOW, r->contenders,
                                             always, count);
  }
  return status;
}

static size_t fastest(const refining *r, const cairn_timing_estimate *e,
                      size_t n) {
  size_t best = n;
  for (size_t i = 0; i < n; i++)
    if (e[i].times.samples > 0 && !e[i].as_it_was &&
        !cairn_timing__campaign_dropped(r->campaign, i) &&
        (best == n ||
         e[i].times.p[CAIRN_BASE_P50] < e[best].times.p[CAIRN_BASE_P50]))
      best = i;
  return best;
}

static cairn_status compare_finalists(refining *r, cairn_timing_estimate *e,
                                      size_t n) {
  explore_refined *out = &r->job->refined;
  const size_t best = fastest(r, e, n);
  cairn_status status = best < n ? CAIRN_OK : CAIRN_FINDINGS;
  for (size_t i = 0; i < n && status == CAIRN_OK; i++) {
    explore_finalist *f = &out->finalist[out->finalists];
    if (e[i].times.samples == 0 ||
        cairn_timing__campaign_dropped(r->campaign, i))
      continue;
    f->estimate = e[i];
    f->estimate.id = r->entrant[i].id;
    f->best = i == best;
    f->class_of = stands_for(out->typical, out->classes, f->estimate.id);
    status = cairn_timing__campaign_compare(r->campaign, WINDOW, best, i, 0.01,
                                            &f->comparison);
    out->finalists++;
  }
  return status;
}

static int by_estimate(const void *a, const void *b) {
  const explore_finalist *x = a, *y = b;
  return x->estimate.times.p[CAIRN_BASE_P50] <
                 y->estimate.times.p[CAIRN_BASE_P50]
             ? -1
             : x->estimate.times.p[CAIRN_BASE_P50] >
                   y->estimate.times.p[CAIRN_BASE_P50];
}

static cairn_status refine_finalists(refining *r, double seconds) {
  cairn_timing_estimate *e = NULL;
  size_t n = 0;
  explore_refined *out = &r->job->refined;
  cairn_timing_quality quality;
  cairn_status status = keep_finalists(r);
  if (status == CAIRN_OK)
    status = enter_all(r, r->job->options->seed + 1);
  announce(r, seconds);
  if (status == CAIRN_OK)
    status = halve(r);
  if (status == CAIRN_OK)
    status = take_rounds(r, LEAST_ROUNDS, seconds, FINAL_HALF);
  status = phase_over(r, status);
  if (status != CAIRN_OK || explore_signalled(r->job))
    return status;
  status = cairn_timing__campaign_solve(r->campaign, WINDOW, &e, &n, &quality);
  if (status == CAIRN_OK)
    status = record(r, e, n, &quality, 1);
  if (out->rounds == 0) /* there were only these */
    out->quality = quality;
  out->rounds = out->rounds > 0 ? out->rounds : r->rounds;
  out->placements = out->placements > 0 ? out->placements : r->placements;
  out->throttled += r->throttled;
  out->final_rounds = r->rounds;
  if (status == CAIRN_OK)
    status = compare_finalists(r, e, n);
  qsort(out->finalist, out->finalists, sizeof *out->finalist, by_estimate);
  cairn_base_free(e);
  return status == CAIRN_FINDINGS ? CAIRN_OK : status;
}

/* Finalists are few but close: on a GPU node it takes some 60 rounds to tell
 * them apart, at 16 rounds a second. */
static const double FINAL_S = 4;

/* The default: 25 ms a schedule, and the finalists. */
static double seconds_for(const refining *r) {
  const explore_options *o = r->job->options;
  if (o->refine_s > 0)
    return o->refine_s;
  return FINAL_S +
         (o->refine == EXPLORE_REFINE_BEST ? 0 : 0.025 * (double)r->entrants);
}

cairn_status explore_refine(explore_job *job) {
  refining r = {.job = job};
  const int all = job->options->refine != EXPLORE_REFINE_BEST;
  job->measuring = UINT64_MAX; /* a hang here is no result of a schedule */
  cairn_status status = gather(&r);
  if (status == CAIRN_OK && r.entrants > 0) {
    const double seconds = seconds_for(&r);
    const double final_s =
        all ? fmax(0.15 * seconds, fmin(FINAL_S, 0.5 * seconds)) : seconds;
    status = add_program_order(&r);
    if (status == CAIRN_OK && all)
      status = refine_all(&r, seconds - final_s);
    if (status == CAIRN_OK && !explore_signalled(job))
      status = refine_finalists(&r, final_s);
    if (status == CAIRN_OK && !explore_signalled(job))
      job->refined.done = 1;
  }
  explore_progress_note(job, NULL);
  cairn_timing__campaign_free(r.campaign);
  cairn_dag_schedule_free(&r.own);
  cairn_base_free(r.entrant);
  return status;
}

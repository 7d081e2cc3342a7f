/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/refine.c - the schedules that were measured, measured again side
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

#include "dag/schedule/schedule-private.h"
#include "explore/refine-private.h"
#include "journal/journal-private.h"
#include "mcts/search-private.h"
#include "timing/campaign-private.h"

enum { CONTENDERS = 10, CONTENDERS_FIRST = 128 };

/* Finalists are known well enough when the half width of the interval of the
 * median is at most this share of it. */
static const double FINAL_HALF = 0.005;

/* More than this is told. */
static const double DRIFT_FLAG = 0.03;

/* ---- who takes part ---- */

static int by_time(const void *a, const void *b) {
  const cairn_explore_entrant *x = a, *y = b;
  if (x->time_s != y->time_s)
    return x->time_s < y->time_s ? -1 : 1;
  return x->id < y->id ? -1 : x->id > y->id;
}

/* All schedules with a time, fastest first. */
static cairn_status gather(cairn_explore_refining *r) {
  const cairn_mcts *search = r->session->search;
  const uint64_t n = cairn_mcts_evaluations(search);
  r->entrant = cairn_base_alloc((size_t)n + 1, sizeof *r->entrant);
  if (r->entrant == NULL)
    return CAIRN_NOMEM;
  for (uint64_t id = 0; id < n; id++) {
    cairn_explore_entrant e = {.id = id};
    cairn_mcts_result result;
    cairn_mcts__get(search, id, &e.items, &e.count, &result);
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
static cairn_status add_program_order(cairn_explore_refining *r) {
  cairn_status status =
      cairn_dag_schedule_program_order(r->session->program, &r->own);
  if (status != CAIRN_OK)
    return status;
  r->own.count = cairn_dag__schedule_tidy(r->own.items, r->own.count);
  for (size_t i = 0; i < r->entrants; i++)
    if (r->entrant[i].count == r->own.count &&
        memcmp(r->entrant[i].items, r->own.items,
               r->own.count * sizeof *r->own.items) == 0) {
      r->session->refined.program_order = r->entrant[i].id;
      return CAIRN_OK;
    }
  r->session->refined.program_order = CAIRN_EXPLORE_PROGRAM_ORDER;
  r->entrant[r->entrants++] = (cairn_explore_entrant){
      r->own.items, r->own.count, CAIRN_EXPLORE_PROGRAM_ORDER,
      r->entrant[r->entrants / 2].time_s};
  return CAIRN_OK;
}

/* ---- what comes of it ---- */

enum { FACTS = 9 };

/* Flags are there only when they are up. */
static size_t add_flags(const cairn_explore_refining *r,
                        const cairn_timing_quality *q, cairn_base_fact *fact) {
  const struct {
    const char *name;
    double value;
  } flag[] = {{"correlated", q->correlated},
              {"nonrandom", q->nonrandom},
              {"drifted", q->drift > DRIFT_FLAG ? q->drift : 0},
              {"throttled", (double)r->throttled / fmax(r->rounds, 1)},
              {"oversubscribed",
               r->session->source->bench->oversubscribed(r->session)}};
  size_t n = 0;
  for (size_t i = 0; i < sizeof flag / sizeof *flag; i++)
    if (flag[i].value > 0)
      fact[n++] = (cairn_base_fact){flag[i].name, NULL, flag[i].value};
  return n;
}

static cairn_journal_result result_of(const cairn_explore_refining *r,
                                      const cairn_explore_kept *kept,
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
static cairn_status record(cairn_explore_refining *r,
                           const cairn_timing_estimate *e, size_t count,
                           const cairn_timing_quality *q, int final) {
  cairn_explore_session *session = r->session;
  cairn_journal_result *result = cairn_base_alloc(count, sizeof *result);
  cairn_base_fact(*fact)[FACTS] = cairn_base_alloc(count, sizeof *fact);
  size_t n = 0;
  cairn_status status = result && fact ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
    const cairn_explore_entrant *x = &r->entrant[i];
    if (x->id == CAIRN_EXPLORE_PROGRAM_ORDER ||
        e[i].times.samples < CAIRN_EXPLORE_LEAST_ROUNDS / 2 || e[i].as_it_was ||
        cairn_timing__campaign_failed(r->campaign, i))
      continue;
    const int stayed = final && !cairn_timing__campaign_dropped(r->campaign, i);
    result[n] = result_of(r, &session->kept[x->id], &e[i], q, stayed, fact[n]);
    cairn_explore__keep_refined(session, &result[n++]);
  }
  if (status == CAIRN_OK && session->journal != NULL && n > 0)
    status = cairn_journal__append_refined(session->journal, result, n,
                                           session->diag);
  cairn_base_free(result);
  cairn_base_free(fact);
  return status;
}

static cairn_status refine_all(cairn_explore_refining *r, double seconds) {
  cairn_timing_estimate *e = NULL;
  size_t n = 0;
  cairn_explore_refined *out = &r->session->refined;
  cairn_status status =
      cairn_explore__rounds_enter(r, r->session->options->seed);
  cairn_explore__rounds_announce(r, seconds);
  if (status == CAIRN_OK)
    status =
        cairn_explore__rounds_take(r, CAIRN_EXPLORE_LEAST_ROUNDS, seconds, 0);
  status = cairn_explore__rounds_over(r, status);
  if (status != CAIRN_OK || cairn_explore__signalled(r->session))
    return status;
  status = cairn_timing__campaign_solve(r->campaign, CAIRN_EXPLORE_WINDOW, &e,
                                        &n, &out->quality);
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
static cairn_status keep_finalists(cairn_explore_refining *r) {
  cairn_explore_refined *out = &r->session->refined;
  size_t kept = 0, most = r->entrants / 8;
  const cairn_status status = cairn_explore__typical(
      r->session, CAIRN_EXPLORE_CLASSES, out->typical, &out->classes);
  if (status != CAIRN_OK)
    return status;
  most = most < CONTENDERS ? CONTENDERS : most;
  most = most < CONTENDERS_FIRST ? most : CONTENDERS_FIRST;
  qsort(r->entrant, r->entrants, sizeof *r->entrant, by_time);
  for (size_t i = 0; i < r->entrants; i++) {
    const uint64_t id = r->entrant[i].id;
    if (i + 1 == r->entrants)
      out->slowest = id;
    if (i < most || i + 1 == r->entrants ||
        id == r->session->refined.program_order ||
        stands_for(out->typical, out->classes, id) >= 0)
      r->entrant[kept++] = r->entrant[i];
  }
  r->entrants = kept;
  r->contenders = most;
  return CAIRN_OK;
}

/* Half of the contenders goes after each placement, until few are left. */
static cairn_status halve(cairn_explore_refining *r) {
  const cairn_explore_refined *out = &r->session->refined;
  uint64_t always[CAIRN_EXPLORE_CLASSES + 2];
  size_t count = 0;
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < r->entrants; i++) {
    const uint64_t id = r->entrant[i].id;
    if (id == r->session->refined.program_order || id == out->slowest ||
        stands_for(out->typical, out->classes, id) >= 0)
      always[count++] = i;
  }
  while (status == CAIRN_OK && r->contenders > CONTENDERS &&
         !cairn_explore__signalled(r->session)) {
    status = cairn_explore__rounds_take(r, CAIRN_EXPLORE_RENEW, 0, 0);
    r->contenders = (r->contenders + 1) / 2;
    if (r->contenders < CONTENDERS)
      r->contenders = CONTENDERS;
    if (status == CAIRN_OK)
      status = cairn_timing__campaign_narrow(r->campaign, CAIRN_EXPLORE_WINDOW,
                                             r->contenders, always, count);
  }
  return status;
}

static size_t fastest(const cairn_explore_refining *r,
                      const cairn_timing_estimate *e, size_t n) {
  size_t best = n;
  for (size_t i = 0; i < n; i++)
    if (e[i].times.samples > 0 && !e[i].as_it_was &&
        !cairn_timing__campaign_dropped(r->campaign, i) &&
        (best == n ||
         e[i].times.p[CAIRN_BASE_P50] < e[best].times.p[CAIRN_BASE_P50]))
      best = i;
  return best;
}

static cairn_explore_verdict verdict_of(const cairn_timing_comparison *c) {
  switch (c->verdict) {
  case CAIRN_EXEC_FASTER: /* the best is */
    return CAIRN_EXPLORE_SLOWER;
  case CAIRN_EXEC_SLOWER:
    return CAIRN_EXPLORE_FASTER;
  default:
    return CAIRN_EXPLORE_TIE;
  }
}

static cairn_status compare_one(cairn_explore_refining *r,
                                const cairn_timing_estimate *e, size_t best,
                                size_t i) {
  cairn_explore_refined *out = &r->session->refined;
  cairn_timing_comparison c;
  const cairn_status status = cairn_timing__campaign_compare(
      r->campaign, CAIRN_EXPLORE_WINDOW, best, i, 0.01, &c);
  if (status != CAIRN_OK)
    return status;
  const uint64_t id = r->entrant[i].id;
  out->finalist[out->finalists++] = (cairn_explore_finalist){
      .id = id,
      .times = e[i].times,
      .class_of = stands_for(out->typical, out->classes, id),
      .program_order = id == out->program_order,
      .slowest = id == out->slowest,
      .verdict = i == best ? CAIRN_EXPLORE_BEST : verdict_of(&c),
      .ratio = c.ratio,
      .p = c.p};
  return CAIRN_OK;
}

static cairn_status compare_finalists(cairn_explore_refining *r,
                                      const cairn_timing_estimate *e,
                                      size_t n) {
  const size_t best = fastest(r, e, n);
  cairn_status status = best < n ? CAIRN_OK : CAIRN_FINDINGS;
  for (size_t i = 0; i < n && status == CAIRN_OK; i++)
    if (e[i].times.samples > 0 &&
        !cairn_timing__campaign_dropped(r->campaign, i))
      status = compare_one(r, e, best, i);
  return status;
}

static int by_estimate(const void *a, const void *b) {
  const double x = ((const cairn_explore_finalist *)a)->times.p[CAIRN_BASE_P50];
  const double y = ((const cairn_explore_finalist *)b)->times.p[CAIRN_BASE_P50];
  return x < y ? -1 : x > y;
}

static cairn_status refine_finalists(cairn_explore_refining *r,
                                     double seconds) {
  cairn_timing_estimate *e = NULL;
  size_t n = 0;
  cairn_explore_refined *out = &r->session->refined;
  cairn_timing_quality quality;
  cairn_status status = keep_finalists(r);
  if (status == CAIRN_OK)
    status = cairn_explore__rounds_enter(r, r->session->options->seed + 1);
  cairn_explore__rounds_announce(r, seconds);
  if (status == CAIRN_OK)
    status = halve(r);
  if (status == CAIRN_OK)
    status = cairn_explore__rounds_take(r, CAIRN_EXPLORE_LEAST_ROUNDS, seconds,
                                        FINAL_HALF);
  status = cairn_explore__rounds_over(r, status);
  if (status != CAIRN_OK || cairn_explore__signalled(r->session))
    return status;
  status = cairn_timing__campaign_solve(r->campaign, CAIRN_EXPLORE_WINDOW, &e,
                                        &n, &quality);
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
static double seconds_for(const cairn_explore_refining *r) {
  const cairn_explore_options *o = r->session->options;
  if (o->refine_s > 0)
    return o->refine_s;
  return FINAL_S + (o->refine == CAIRN_EXPLORE_REFINE_BEST
                        ? 0
                        : 0.025 * (double)r->entrants);
}

cairn_status cairn_explore__refine(cairn_explore_session *session) {
  cairn_explore_refining r = {.session = session};
  const int all = session->options->refine != CAIRN_EXPLORE_REFINE_BEST;
  session->measuring = UINT64_MAX; /* a hang here is no result of a schedule */
  cairn_status status = gather(&r);
  if (status == CAIRN_OK && r.entrants > 0) {
    const double seconds = seconds_for(&r);
    const double final_s =
        all ? fmax(0.15 * seconds, fmin(FINAL_S, 0.5 * seconds)) : seconds;
    status = add_program_order(&r);
    if (status == CAIRN_OK && all)
      status = refine_all(&r, seconds - final_s);
    if (status == CAIRN_OK && !cairn_explore__signalled(session))
      status = refine_finalists(&r, final_s);
    if (status == CAIRN_OK && !cairn_explore__signalled(session))
      session->refined.done = 1;
  }
  cairn_explore__tell(
      session, &(cairn_explore_progress){.phase = CAIRN_EXPLORE_REFINED});
  cairn_timing__campaign_free(r.campaign);
  cairn_dag_schedule_free(&r.own);
  cairn_base_free(r.entrant);
  return status;
}

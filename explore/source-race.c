/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/source-race.c - times from a race on all ranks: samples of a schedule
 * take turns with those of the best so far, and end when it is slower.
 */
#include <math.h>

#include "exec/drive-private.h"
#include "explore/explore-private.h"
#include "timing/campaign-private.h"

/* Samples of a schedule in a race when all are measured again later: enough
 * to lead the search. */
enum { RACED_MOST = 3 };

/* Forgets what is no anchor any more. */
static cairn_status release(cairn_explore_session *session) {
  size_t kept = 0;
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < session->ranks.held_count && status == CAIRN_OK; i++) {
    if (cairn_timing__race_holds(session->ranks.race, session->ranks.held[i]))
      session->ranks.held[kept++] = session->ranks.held[i];
    else
      status = cairn_exec__forget(session->ranks.exec, session->ranks.held[i]);
  }
  session->ranks.held_count = kept;
  return status;
}

static void fill_raced(const cairn_timing_raced *raced, uint32_t k,
                       cairn_base_fact *fact, cairn_journal_result *result) {
  const cairn_timing_estimate *e = &raced->estimate;
  size_t n = 0;
  result->outcome =
      raced->pruned ? CAIRN_BASE_OUTCOME_PRUNED : CAIRN_BASE_OUTCOME_OK;
  result->times = e->times;
  fact[n++] = (cairn_base_fact){"why", raced->reason, 0};
  fact[n++] = (cairn_base_fact){"k", NULL, k};
  fact[n++] = (cairn_base_fact){"late", NULL, (double)e->late};
  fact[n++] = (cairn_base_fact){"level", NULL, raced->level};
  fact[n++] = (cairn_base_fact){"spent", NULL, raced->spent};
  fact[n++] = (cairn_base_fact){"last_rank", NULL, e->last_rank};
  if (raced->drifted)
    fact[n++] = (cairn_base_fact){"drifted", NULL, 1};
  if (raced->again > 0)
    fact[n++] = (cairn_base_fact){"again", NULL, raced->again};
  if (raced->change > 0)
    fact[n++] = (cairn_base_fact){"change", NULL, raced->change};
  if (e->as_it_was)
    fact[n++] = (cairn_base_fact){"as_it_was", NULL, 1};
  result->fact = fact;
  result->facts = n;
}

/* Executions that fill a sample, from the time of one. */
static uint32_t executions(const cairn_explore_session *session,
                           double time_s) {
  const double k = ceil(session->ranks.plan.sample_s / fmax(time_s, 1e-9));
  return k < 1 ? 1 : (uint32_t)fmin(k, 1e6);
}

/* First executions: verified if wanted, then a rough time of a warm one. */
static cairn_status first_runs(cairn_explore_session *session, uint64_t id,
                               cairn_base_execution *outcome, double *time_p) {
  cairn_status status = cairn_exec__run(session->ranks.exec, id,
                                        session->ranks.plan.verify, outcome);
  for (int i = 0;
       i < 2 && status == CAIRN_OK && outcome->outcome == CAIRN_BASE_OUTCOME_OK;
       i++)
    status = cairn_exec__run(session->ranks.exec, id, 0, outcome);
  *time_p = outcome->time_s;
  return status;
}

static cairn_status race_prepared(cairn_explore_session *session, uint64_t id,
                                  cairn_journal_result *result) {
  const cairn_timing_sampler sampler =
      cairn_exec__sampler_of(session->ranks.exec);
  cairn_base_execution *outcome = &session->last.outcome;
  cairn_timing_raced raced = {.reason = "failed"};
  double time_s;
  cairn_status status = first_runs(session, id, outcome, &time_s);
  const uint32_t k = executions(session, time_s);
  if (status == CAIRN_OK && outcome->outcome == CAIRN_BASE_OUTCOME_OK)
    status = cairn_timing__race_measure(session->ranks.race, &sampler, id, k, 1,
                                        &raced, outcome);
  if (status != CAIRN_OK)
    return status;
  if (outcome->outcome == CAIRN_BASE_OUTCOME_OK &&
      raced.estimate.times.samples > 0) {
    fill_raced(&raced, k, session->last.fact, result);
    cairn_explore__ranks_flag(session, result);
  } else {
    result->outcome = outcome->outcome == CAIRN_BASE_OUTCOME_OK
                          ? CAIRN_BASE_OUTCOME_FAILED
                          : outcome->outcome;
    result->message =
        outcome->message[0] != '\0' ? outcome->message : "no valid sample";
  }
  return CAIRN_OK;
}

static cairn_status measure(cairn_explore_session *session,
                            const cairn_mcts_proposal *proposal,
                            cairn_journal_result *result) {
  cairn_status status =
      cairn_exec_prepare(session->ranks.exec, proposal->id, proposal->items,
                         proposal->count, session->diag);
  if (status != CAIRN_OK)
    return status;
  session->ranks.held[session->ranks.held_count++] = proposal->id;
  status = race_prepared(session, proposal->id, result);
  return status == CAIRN_OK ? release(session) : status;
}

static cairn_status create_race(cairn_explore_session *session) {
  cairn_timing_race_options race;
  cairn_timing__race_options_default(&race);
  race.seed = session->options->seed;
  if (cairn_explore__wants_refining(session)) /* the choice is made there */
    race.max_samples = RACED_MOST;
  if (session->options->precision > 0)
    race.half = session->options->precision;
  return cairn_timing__race_create(&race, &session->ranks.race);
}

static cairn_status open_race(cairn_explore_session *session) {
  const cairn_status status = cairn_explore__ranks_open(session);
  if (status != CAIRN_OK || cairn_exec_world_rank(session->world) != 0)
    return status;
  return create_race(session);
}

static void close_race(cairn_explore_session *session) {
  cairn_timing__race_free(session->ranks.race);
  session->ranks.race = NULL;
  cairn_explore__ranks_close(session);
}

static double noise(const cairn_explore_session *session) {
  return cairn_timing__race_noise(session->ranks.race);
}

const cairn_explore_source cairn_explore__source_race = {
    .name = "race",
    .runs = 1,
    .open = open_race,
    .close = close_race,
    .serve = cairn_explore__ranks_serve,
    .describe = cairn_explore__ranks_describe,
    .measure = measure,
    .bench = &cairn_explore__ranks_bench,
    .noise = noise};

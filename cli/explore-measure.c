/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-measure.c - a schedule's result: looked up in the recorded
 * table, or measured by running it on all ranks.
 */
#include <math.h>
#include <string.h>

#include "exec/drive-private.h"
#include "explore.h"
#include "journal/journal-private.h"
#include "timing/campaign-private.h"
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

/* Samples of a schedule in a race when all are measured again later: enough
 * to lead the search. */
enum { RACED_MOST = 3 };

/* Called from the watchdog's thread of rank 0 while the main thread stands in
 * the executor: the journal is not in use.  The job ends after this. */
static void record_hang(void *context, const cairn_exec_hang *hang) {
  explore_job *job = context;
  if (job->journal == NULL || hang->id == UINT64_MAX ||
      hang->id != job->measuring)
    return;
  cairn_journal_result result = cairn_journal__result_blank(
      hang->id, job->text.data, CAIRN_BASE_OUTCOME_TIMEOUT);
  result.at = job->at_s + explore_now_s() - job->progress.started_s;
  result.message = hang->message;
  (void)cairn_journal__append_result(job->journal, &result, NULL);
}

static void fill_exec_options(explore_job *job, cairn_exec_options *e) {
  const explore_options *o = job->options;
  *e = o->exec;
  e->backend = o->backend;
  e->streams = job->streams;
  if (job->start != CAIRN_EXEC_START_AUTO)
    e->start = job->start;
  e->program_path = o->file;
  e->on_hang = record_hang;
  e->context = job;
  e->signal = &explore_signal;
}

static int wants_race(const explore_options *o) {
  return o->plan == EXPLORE_PLAN_AUTO ? o->samples == 0
                                      : o->plan == EXPLORE_PLAN_RACE;
}

static cairn_status open_race(explore_job *job) {
  cairn_timing_race_options race;
  if (job->race != NULL || !wants_race(job->options) ||
      cairn_exec_world_rank(job->world) != 0)
    return CAIRN_OK;
  cairn_timing__race_options_default(&race);
  race.seed = job->options->seed;
  if (explore_wants_refining(job)) /* then the choice is made at the end */
    race.max_samples = RACED_MOST;
  if (job->options->precision > 0)
    race.half = job->options->precision / 100;
  return cairn_timing__race_create(&race, &job->race);
}

static void fill_plan(explore_job *job) {
  const explore_options *o = job->options;
  cairn_exec_plan_default(job->exec, &job->plan);
  if (o->verify)
    job->plan.verify = 1;
  job->plan.samples = o->samples;
  if (o->sample_s > 0)
    job->plan.sample_s = o->sample_s;
  if (o->precision > 0)
    job->plan.half = o->precision / 100;
}

cairn_status explore_exec_open(explore_job *job) {
  const explore_options *o = job->options;
  cairn_exec_options e;
  fill_exec_options(job, &e);
  cairn_cli_watch_crashes(&e);
  cairn_status status =
      cairn_exec_open(job->world, job->program, &e, job->diag, &job->exec);
  if (status != CAIRN_OK)
    return status;
  cairn_cli_opened();
  const cairn_exec_info *info = cairn_exec__info_get(job->exec);
  fill_plan(job);
  if (o->verify && !info->can_verify) {
    cairn_base_diag_error(job->diag,
                          "--verify: the plugin of program \"%s\" has no "
                          "verify function",
                          cairn_dag_program_name(job->program));
    return CAIRN_ENV;
  }
  return open_race(job);
}

void explore_exec_close(explore_job *job) {
  cairn_exec_close(job->exec);
  cairn_cli_watch_crashes(NULL);
  job->exec = NULL;
}

/* The status that tells the other ranks to open anew instead of leaving. */
#define REOPEN CAIRN_EXHAUSTED

cairn_status explore_exec_reopen(explore_job *job) {
  const cairn_exec_start now = cairn_exec__info_get(job->exec)->start;
  if (job->options->exec.start == CAIRN_EXEC_START_AUTO &&
      now == CAIRN_EXEC_START_BARRIER)
    job->start = now; /* the deadline did not hold: not again */
  cairn_status status = cairn_exec_stop(job->exec, REOPEN);
  explore_exec_close(job);
  job->held_count = 0;
  return status == CAIRN_OK ? explore_exec_open(job) : status;
}

cairn_status explore_serve(explore_job *job) {
  cairn_status status;
  while ((status = cairn_exec_serve(job->exec)) == REOPEN) {
    explore_exec_close(job);
    status = explore_exec_open(job);
    if (status != CAIRN_OK)
      break;
  }
  return status;
}

static void fill_numbers(cairn_journal_result *result,
                         const cairn_exec_measurement *m) {
  const cairn_base_summary *s = &m->summary;
  result->outcome = m->outcome;
  if (m->message[0] != '\0')
    result->message = m->message;
  if (m->outcome != CAIRN_BASE_OUTCOME_OK &&
      m->outcome != CAIRN_BASE_OUTCOME_PRUNED)
    return;
  result->times = s->times;
}

/* How the numbers came about, for the reader of the journal. */
static void fill_facts(const cairn_exec_measurement *m, cairn_base_fact *fact,
                       cairn_journal_result *result) {
  size_t n = 0;
  fact[n++] = (cairn_base_fact){"why", cairn_exec_reason_text(m->reason), 0};
  fact[n++] = (cairn_base_fact){"k", NULL, m->k};
  fact[n++] = (cairn_base_fact){"late", NULL, (double)m->summary.late};
  fact[n++] = (cairn_base_fact){"last_rank", NULL, m->summary.last_rank};
  if (m->summary.correlated)
    fact[n++] = (cairn_base_fact){"correlated", NULL, 1};
  result->fact = fact;
  result->facts = n;
}

/* Flags of the machine, which are there only when they are up. */
static void flag_machine(explore_job *job, cairn_base_fact *fact,
                         cairn_journal_result *result) {
  const cairn_exec_clocks clocks = cairn_exec__clocks_report(job->exec);
  const cairn_exec_load load = cairn_exec__load_report(job->exec);
  cairn_exec__clocks_add(&job->clocks, &clocks);
  cairn_exec__load_add(&job->load, &load);
  if (result->fact != fact) /* nothing was measured */
    return;
  if (clocks.throttled > 0)
    fact[result->facts++] = (cairn_base_fact){"throttled", NULL, 1};
  if (cairn_exec__info_get(job->exec)->oversubscribed)
    fact[result->facts++] = (cairn_base_fact){"oversubscribed", NULL, 1};
  if (load.lost > 0)
    fact[result->facts++] = (cairn_base_fact){"lost", NULL, load.lost};
  if (load.disturbed > 0)
    fact[result->facts++] = (cairn_base_fact){"strangers", NULL, load.stranger};
}

/* ---- racing ---- */

/* Forgets what is no anchor any more. */
static cairn_status release(explore_job *job) {
  size_t kept = 0;
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < job->held_count && status == CAIRN_OK; i++) {
    if (cairn_timing__race_holds(job->race, job->held[i]))
      job->held[kept++] = job->held[i];
    else
      status = cairn_exec__forget(job->exec, job->held[i]);
  }
  job->held_count = kept;
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
static uint32_t executions(const explore_job *job, double time_s) {
  const double k = ceil(job->plan.sample_s / fmax(time_s, 1e-9));
  return k < 1 ? 1 : (uint32_t)fmin(k, 1e6);
}

/* First executions: verified if wanted, then a rough time of a warm one. */
static cairn_status first_runs(explore_job *job, uint64_t id,
                               cairn_base_execution *outcome, double *time_p) {
  cairn_status status =
      cairn_exec__run(job->exec, id, job->plan.verify, outcome);
  for (int i = 0;
       i < 2 && status == CAIRN_OK && outcome->outcome == CAIRN_BASE_OUTCOME_OK;
       i++)
    status = cairn_exec__run(job->exec, id, 0, outcome);
  *time_p = outcome->time_s;
  return status;
}

static cairn_status race_prepared(explore_job *job, uint64_t id,
                                  cairn_journal_result *result) {
  const cairn_timing_sampler sampler = cairn_exec__sampler_of(job->exec);
  cairn_base_execution *outcome = &job->last.outcome;
  cairn_timing_raced raced = {.reason = "failed"};
  double time_s;
  cairn_status status = first_runs(job, id, outcome, &time_s);
  const uint32_t k = executions(job, time_s);
  if (status == CAIRN_OK && outcome->outcome == CAIRN_BASE_OUTCOME_OK)
    status = cairn_timing__race_measure(job->race, &sampler, id, k, 1, &raced,
                                        outcome);
  if (status != CAIRN_OK)
    return status;
  if (outcome->outcome == CAIRN_BASE_OUTCOME_OK &&
      raced.estimate.times.samples > 0) {
    fill_raced(&raced, k, job->last.fact, result);
    flag_machine(job, job->last.fact, result);
  } else {
    result->outcome = outcome->outcome == CAIRN_BASE_OUTCOME_OK
                          ? CAIRN_BASE_OUTCOME_FAILED
                          : outcome->outcome;
    result->message =
        outcome->message[0] != '\0' ? outcome->message : "no valid sample";
  }
  return CAIRN_OK;
}

static cairn_status measure_by_racing(explore_job *job,
                                      const cairn_mcts_proposal *proposal,
                                      cairn_journal_result *result) {
  cairn_status status = cairn_exec_prepare(
      job->exec, proposal->id, proposal->items, proposal->count, job->diag);
  if (status != CAIRN_OK)
    return status;
  job->held[job->held_count++] = proposal->id;
  status = race_prepared(job, proposal->id, result);
  return status == CAIRN_OK ? release(job) : status;
}

static cairn_status measure_by_running(explore_job *job,
                                       const cairn_mcts_proposal *proposal,
                                       cairn_journal_result *result) {
  explore_last *last = &job->last;
  cairn_status status = cairn_exec_prepare(
      job->exec, proposal->id, proposal->items, proposal->count, job->diag);
  if (status != CAIRN_OK)
    return status;
  status = cairn_exec_measure(job->exec, proposal->id, &job->plan,
                              &last->measurement, NULL, NULL);
  if (status != CAIRN_OK && status != CAIRN_RESUMABLE)
    return status;
  fill_numbers(result, &last->measurement);
  if (status == CAIRN_RESUMABLE) /* a rank is of no more use */
    return status;
  if (result->outcome == CAIRN_BASE_OUTCOME_OK)
    fill_facts(&last->measurement, last->fact, result);
  flag_machine(job, last->fact, result);
  return cairn_exec__forget(job->exec, proposal->id);
}

static cairn_status measure_by_replay(explore_job *job,
                                      const cairn_mcts_proposal *proposal,
                                      cairn_journal_result *result) {
  const unsigned noise = job->options->noise;
  const cairn_journal_result *found =
      cairn_explore__table_find(job->table, proposal->items, proposal->count);
  if (found == NULL) {
    result->outcome = CAIRN_BASE_OUTCOME_FAILED;
    result->message = "not in the recorded table";
    return CAIRN_OK;
  }
  result->outcome = found->outcome;
  result->times = found->times;
  result->message = found->message;
  if (noise > 0) /* other numbers, of which the facts do not tell */
    return cairn_explore__table_draw(noise, job->options->seed, proposal->items,
                                     proposal->count, result);
  result->corrected = found->corrected;
  result->uncorrected = found->uncorrected;
  result->finalist = found->finalist;
  result->fact = found->fact;
  result->facts = found->facts;
  return CAIRN_OK;
}

cairn_status explore_measure(explore_job *job,
                             const cairn_mcts_proposal *proposal,
                             cairn_journal_result *result) {
  if (job->table != NULL)
    return measure_by_replay(job, proposal, result);
  cairn_status status = job->race != NULL
                            ? measure_by_racing(job, proposal, result)
                            : measure_by_running(job, proposal, result);
  result->at = job->at_s + explore_now_s() - job->progress.started_s;
  return status;
}

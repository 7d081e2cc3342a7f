/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-measure.c - a schedule's result: looked up in the recorded
 * table, or measured by running it on all ranks.
 */
#include <math.h>
#include <string.h>

#include "explore.h"

/* Called from the watchdog's thread of rank 0 while the main thread stands in
 * the executor: the journal is not in use.  The job ends after this. */
static void record_hang(void *context, const cairn_exec_hang *hang) {
  explore_job *job = context;
  if (job->journal == NULL || hang->id == UINT64_MAX ||
      hang->id != job->measuring)
    return;
  const cairn_dag_result result = {.id = hang->id,
                                   .schedule = job->text.data,
                                   .outcome = CAIRN_DAG_OUTCOME_TIMEOUT,
                                   .p01 = NAN,
                                   .p10 = NAN,
                                   .p50 = NAN,
                                   .p90 = NAN,
                                   .p99 = NAN,
                                   .stddev = NAN,
                                   .skew = NAN,
                                   .at = job->at_s + explore_now_s() -
                                         job->progress.started_s,
                                   .message = hang->message};
  (void)cairn_dag_journal_result(job->journal, &result, NULL);
}

static void fill_exec_options(explore_job *job, cairn_exec_options *e) {
  const explore_options *o = job->options;
  cairn_exec_options_default(e);
  e->backend = o->backend;
  e->streams = job->streams;
  e->gpu_mpi = o->gpu_mpi;
  e->start = o->start;
  e->program_path = o->file;
  e->inject = o->inject;
  e->on_hang = record_hang;
  e->context = job;
  e->signal = &explore_signal;
  if (o->hang_s >= 0)
    e->hang_s = o->hang_s;
}

static void fill_plan(explore_job *job) {
  const explore_options *o = job->options;
  cairn_exec_plan_default(job->exec, &job->plan);
  if (o->verify)
    job->plan.verify = 1;
  job->plan.samples = o->samples;
  if (o->precision > 0)
    job->plan.half = o->precision / 100;
}

cairn_status explore_exec_open(explore_job *job) {
  const explore_options *o = job->options;
  cairn_exec_options e;
  fill_exec_options(job, &e);
  cairn_status status =
      cairn_exec_open(job->world, job->program, &e, job->diag, &job->exec);
  if (status != CAIRN_OK)
    return status;
  const cairn_exec_info *info = cairn_exec_info_get(job->exec);
  fill_plan(job);
  if (o->verify && !info->can_verify) {
    cairn_base_diag_error(job->diag,
                          "--verify: the plugin of program \"%s\" has no "
                          "verify function",
                          cairn_dag_program_name(job->program));
    return CAIRN_ENV;
  }
  return CAIRN_OK;
}

static void fill_numbers(cairn_dag_result *result,
                         const cairn_exec_measurement *m) {
  const cairn_exec_summary *s = &m->summary;
  result->outcome = m->outcome;
  if (m->message[0] != '\0')
    result->message = m->message;
  if (m->outcome != CAIRN_DAG_OUTCOME_OK &&
      m->outcome != CAIRN_DAG_OUTCOME_PRUNED)
    return;
  result->samples = (unsigned)s->samples;
  result->p01 = s->p01;
  result->p10 = s->p10;
  result->p50 = s->p50;
  result->p90 = s->p90;
  result->p99 = s->p99;
  result->stddev = s->stddev;
  result->skew = s->skew;
}

/* How the numbers came about, for the reader of the journal. */
static void fill_facts(const cairn_exec_measurement *m, cairn_dag_fact *fact,
                       cairn_dag_result *result) {
  size_t n = 0;
  fact[n++] = (cairn_dag_fact){"why", cairn_exec_reason_text(m->reason), 0};
  fact[n++] = (cairn_dag_fact){"k", NULL, m->k};
  fact[n++] = (cairn_dag_fact){"late", NULL, (double)m->summary.late};
  fact[n++] = (cairn_dag_fact){"low", NULL, m->summary.low};
  fact[n++] = (cairn_dag_fact){"high", NULL, m->summary.high};
  if (m->summary.correlated)
    fact[n++] = (cairn_dag_fact){"correlated", NULL, 1};
  result->fact = fact;
  result->facts = n;
}

static cairn_status measure_by_running(explore_job *job,
                                       const cairn_mcts_proposal *proposal,
                                       cairn_dag_result *result) {
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
  if (result->outcome == CAIRN_DAG_OUTCOME_OK)
    fill_facts(&last->measurement, last->fact, result);
  return cairn_exec_forget(job->exec, proposal->id);
}

static void measure_by_replay(explore_job *job,
                              const cairn_mcts_proposal *proposal,
                              cairn_dag_result *result) {
  const cairn_dag_result *found =
      explore_table_find(job->table, proposal->items, proposal->count);
  if (found == NULL) {
    result->outcome = CAIRN_DAG_OUTCOME_FAILED;
    result->message = "not in the recorded table";
    return;
  }
  result->outcome = found->outcome;
  result->samples = found->samples;
  result->p01 = found->p01;
  result->p10 = found->p10;
  result->p50 = found->p50;
  result->p90 = found->p90;
  result->p99 = found->p99;
  result->stddev = found->stddev;
  result->skew = found->skew;
  result->message = found->message;
}

cairn_status explore_measure(explore_job *job,
                             const cairn_mcts_proposal *proposal,
                             cairn_dag_result *result) {
  result->p01 = result->p10 = result->p50 = result->p90 = result->p99 = NAN;
  result->stddev = result->skew = NAN;
  if (job->table != NULL) {
    measure_by_replay(job, proposal, result);
    return CAIRN_OK;
  }
  cairn_status status = measure_by_running(job, proposal, result);
  result->at = job->at_s + explore_now_s() - job->progress.started_s;
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-explore.c - `cairn explore`, the main job in one page: read the
 * program, open the ranks or the recorded table, open the journal, then
 * propose, measure, record and report until the search stops; print.
 *
 * Rank 0 does all of this; the other ranks open the executor and serve.  MPI
 * is initialised only when schedules are run: a replay needs none.
 */
#include <string.h>

#include "explore.h"
#include "journal/journal-private.h"
#include "mcts/search-private.h"
#include "timing/campaign-private.h"
#include <cairn/classify.h>
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

volatile sig_atomic_t explore_signal;

static void catch_signal(int number) { explore_signal = number; }

void explore_catch_signals(void) {
  struct sigaction action = {.sa_handler = catch_signal,
                             .sa_flags = SA_RESTART};
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGUSR1, &action, NULL);
  cairn_cli_catch_hangup(&action);
}

/* The signal that this or another rank has received. */
int explore_signalled(const explore_job *job) {
  if (explore_signal != 0)
    return explore_signal;
  return job->exec != NULL ? cairn_exec_signal(job->exec) : 0;
}

/* ---- opening ---- */

static cairn_status read_program(explore_job *job) {
  cairn_status status =
      cairn_cli_check_shared(job->options->file, job->world, job->diag);
  if (status == CAIRN_OK)
    status = cairn_cli_read_program(job->options->file, &job->options->program,
                                    job->diag, &job->program, &job->streams);
  if (status == CAIRN_OK && job->world != NULL &&
      !job->options->exec.allow_hangs) /* a replay runs nothing */
    status = cairn_dag_program_deadlock_free(job->program, job->diag);
  return job->world == NULL
             ? status
             : cairn_exec_world_agree(job->world, status, job->diag);
}

static cairn_status open_source(explore_job *job) {
  const explore_options *o = job->options;
  if (o->recorded == NULL)
    return explore_exec_open(job);
  const cairn_status status = cairn_explore__table_read(
      o->recorded, job->program, o->program.sync, job->diag, &job->table);
  return status == CAIRN_OK
             ? cairn_explore__table_apply(job->table, o->program.define,
                                          o->program.defines, job->program,
                                          job->diag)
             : status;
}

static cairn_status add_prior(explore_job *job, const char *path) {
  cairn_journal_run *run;
  cairn_dag_schedule schedule = {0};
  size_t taken = 0;
  cairn_status status =
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, job->diag, &run);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < run->results && status == CAIRN_OK; i++) {
    const cairn_journal_result *r = &run->result[i];
    int used = 0;
    if (r->outcome != CAIRN_BASE_OUTCOME_OK ||
        cairn_dag_schedule_parse(job->program, r->schedule, NULL, &schedule) !=
            CAIRN_OK)
      continue;
    status = cairn_mcts__add_prior(
        job->search, schedule.items, schedule.count,
        cairn_base_times_objective(&r->times, job->options->objective), &used);
    taken += used != 0;
  }
  if (status == CAIRN_OK)
    cairn_base_diag_add(job->diag, CAIRN_BASE_NOTE, path, 0,
                        "%zu of %zu results taken as priors", taken,
                        run->results);
  cairn_dag_schedule_free(&schedule);
  cairn_journal_run_free(run);
  return status;
}

/* What is written only at the end is asked for now. */
static cairn_status check_outputs(const explore_job *job) {
  const explore_options *o = job->options;
  const char *const input[] = {o->file, o->recorded, o->output};
  cairn_status status =
      cairn_cli_check_output("--dot", o->dot, input, 3, job->diag);
  if (status == CAIRN_OK)
    status =
        cairn_cli_check_output("--dot", o->dot, o->prior, o->priors, job->diag);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_classify_report_can_write(o->report, job->diag);
  return status;
}

/* Budget and time come later: they do not bind what is resumed. */
static cairn_status open_search(explore_job *job) {
  const explore_options *o = job->options;
  const cairn_mcts_options options = {.strategy = o->strategy,
                                      .streams = job->streams,
                                      .sync = o->program.sync,
                                      .seed = o->seed,
                                      .setting = o->setting,
                                      .settings = o->settings,
                                      .stop = &job->stop,
                                      .teach = explore_teach,
                                      .teach_context = job};
  cairn_status status =
      cairn_mcts_create(job->program, &options, job->diag, &job->search);
  for (size_t i = 0; i < o->priors && status == CAIRN_OK; i++)
    status = add_prior(job, o->prior[i]);
  if (status == CAIRN_OK)
    status = explore_journal_open(job);
  if (status == CAIRN_OK)
    status = explore_journal_replay(job);
  if (status == CAIRN_OK)
    cairn_mcts__set_budget(job->search, o->budget, o->time_s);
  return status;
}

/* ---- the loop ---- */

static cairn_status format(explore_job *job,
                           const cairn_mcts_proposal *proposal) {
  cairn_base_text_clear(&job->text);
  cairn_status status = cairn_dag_schedule_format(job->program, proposal->items,
                                                  proposal->count, &job->text);
  return status == CAIRN_OK && job->text.failed ? CAIRN_NOMEM : status;
}

/* So that the journal tells which results had to be measured again. */
static void note_deaths(explore_job *job, unsigned deaths,
                        cairn_journal_result *result) {
  if (result->fact != job->last.fact) {
    result->fact = job->last.fact;
    result->facts = 0;
  }
  job->last.fact[result->facts++] =
      (cairn_base_fact){"deaths", NULL, (double)deaths};
}

/* Measures one proposal, with `begin` in the journal before it runs. */
static cairn_status obtain(explore_job *job,
                           const cairn_mcts_proposal *proposal,
                           cairn_journal_result *result) {
  const unsigned deaths = explore_journal_deaths(job, proposal);
  if (deaths >= CAIRN_EXEC_DEATHS) {
    result->outcome = CAIRN_BASE_OUTCOME_QUARANTINED;
    result->message = "the job died three times while it ran this schedule";
    return CAIRN_OK;
  }
  cairn_status status = CAIRN_OK;
  if (job->journal != NULL && job->table == NULL)
    status = cairn_journal__append_begin(job->journal, proposal->id,
                                         job->text.data, job->diag);
  job->measuring = proposal->id;
  if (status == CAIRN_OK)
    status = explore_measure(job, proposal, result);
  job->measuring = UINT64_MAX; /* a hang from here on is none of its */
  if (deaths > 0)
    note_deaths(job, deaths, result);
  return status;
}

static cairn_status step(explore_job *job,
                         const cairn_mcts_proposal *proposal) {
  cairn_status status = format(job, proposal);
  if (status != CAIRN_OK)
    return status;
  cairn_journal_result result = cairn_journal__result_blank(
      proposal->id, job->text.data, CAIRN_BASE_OUTCOME_OK);
  status = obtain(job, proposal, &result);
  const int has_result =
      status == CAIRN_OK || (status == CAIRN_RESUMABLE &&
                             result.outcome == CAIRN_BASE_OUTCOME_FAILED);
  if (has_result && job->journal != NULL) {
    const cairn_status written =
        cairn_journal__append_result(job->journal, &result, job->diag);
    status = status == CAIRN_OK ? written : status;
  }
  if (status == CAIRN_OK)
    status = explore_keep(job, &result);
  if (status != CAIRN_OK)
    return status;
  if (result.message != NULL && result.outcome != CAIRN_BASE_OUTCOME_OK)
    cairn_base_log(CAIRN_BASE_LOG_DEBUG, "schedule %llu %s: %s",
                   (unsigned long long)result.id,
                   cairn_base_outcome_text(result.outcome), result.message);
  const cairn_mcts_result told = explore_result_of(job, &result);
  return cairn_mcts_report(job->search, proposal->id, &told);
}

static cairn_status loop(explore_job *job) {
  cairn_status status = CAIRN_OK;
  while (status == CAIRN_OK) {
    cairn_mcts_proposal proposal;
    job->stop = explore_signalled(job) != 0;
    status = cairn_mcts_propose(job->search, &proposal);
    if (status == CAIRN_OK)
      status = step(job, &proposal);
    explore_progress_show(job, status != CAIRN_OK);
  }
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

/* ---- the end ---- */

static cairn_status end_journal(explore_job *job) {
  if (job->journal == NULL)
    return CAIRN_OK;
  return cairn_journal__append_end(
      job->journal, cairn_mcts_evaluations(job->search),
      cairn_mcts_stop_text(cairn_mcts_stop_reason(job->search)), job->diag);
}

static cairn_status verdict(const explore_job *job) {
  const cairn_status signalled =
      cairn_base_status_of_signal(explore_signalled(job));
  uint64_t id;
  if (signalled != CAIRN_OK) {
    cairn_base_diag_error(job->diag, "stopped by signal %d%s",
                          explore_signalled(job),
                          job->journal != NULL ? "; --resume goes on" : "");
    return signalled;
  }
  if (cairn_mcts_best(job->search, &id) != CAIRN_OK) {
    cairn_base_diag_error(job->diag, "no schedule was measured well: see the "
                                     "messages in the journal");
    return CAIRN_FINDINGS;
  }
  if (job->options->strict && cairn_mcts__failures(job->search) > 0) {
    cairn_base_diag_error(
        job->diag, "%llu schedules failed (--strict)",
        (unsigned long long)cairn_mcts__failures(job->search));
    return CAIRN_FAILED;
  }
  return CAIRN_OK;
}

int explore_wants_refining(const explore_job *job) {
  const explore_options *o = job->options;
  if (job->exec == NULL || explore_signalled(job))
    return 0;
  return o->refine == EXPLORE_REFINE_AUTO ? o->samples == 0
                                          : o->refine != EXPLORE_REFINE_NO;
}

/* All that rank 0 does once times can be had. */
static cairn_status drive(explore_job *job) {
  explore_progress_start(job);
  cairn_status status = check_outputs(job);
  if (status == CAIRN_OK)
    status = open_search(job);
  if (status == CAIRN_OK) {
    cairn_cli_say(job->diag, status);
    status = loop(job);
  }
  if (status == CAIRN_OK && explore_wants_refining(job))
    status = explore_refine(job);
  if (status == CAIRN_OK)
    status = end_journal(job);
  if (status == CAIRN_OK)
    status = explore_finish(job);
  return status == CAIRN_OK ? verdict(job) : status;
}

static void close_job(explore_job *job) {
  cairn_journal__close(job->journal);
  cairn_mcts_free(job->search);
  explore_keep_free(job);
  cairn_timing__race_free(job->race);
  cairn_journal_run_free(job->old);
  cairn_explore__table_free(job->table);
  explore_exec_close(job);
  cairn_dag_program_free(job->program);
  cairn_exec_world_close(job->world);
  cairn_base_text_free(&job->text);
  cairn_base_free(job->journal_path);
}

static cairn_status run_ranks(explore_job *job) {
  cairn_status status = cairn_exec_world_open(NULL, job->diag, &job->world);
  explore_catch_signals(); /* MPICH has put a handler of its own on SIGUSR1 */
  if (status == CAIRN_OK)
    status = cairn_cli_join(job->world, job->options->singleton, job->diag);
  if (status == CAIRN_OK)
    status = read_program(job);
  if (status == CAIRN_OK)
    status = open_source(job);
  if (status != CAIRN_OK)
    return status;
  if (cairn_exec_world_rank(job->world) != 0)
    return explore_serve(job);
  status = drive(job);
  cairn_status stopped = cairn_exec_stop(job->exec, status);
  return status == CAIRN_OK ? stopped : status;
}

/* Under a launcher rank 0 replays alone. */
static cairn_status run_replay(explore_job *job, explore_options *options) {
  if (cairn_cli_rank() != 0)
    return CAIRN_OK;
  cairn_status status = read_program(job);
  if (status == CAIRN_OK)
    status = open_source(job);
  if (status != CAIRN_OK)
    return status;
  const char *const recorded =
      cairn_explore__table_run(job->table)->header.objective;
  if (options->objective == NULL)
    options->objective = recorded != NULL ? recorded : "p10";
  return drive(job);
}

static cairn_status run_job(explore_options *options) {
  explore_job job = {.options = options};
  cairn_status status = cairn_base_diag_create(0, &job.diag);
  if (status != CAIRN_OK)
    return status;
  explore_catch_signals();
  status =
      options->recorded != NULL ? run_replay(&job, options) : run_ranks(&job);
  cairn_cli_say(job.diag, status);
  close_job(&job);
  cairn_base_diag_free(job.diag);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  explore_options options;
  cairn_status status = explore_parse(self, argc, argv, &options);
  if (status == CAIRN_OK && options.list_strategies) {
    if (cairn_cli_rank() == 0)
      explore_print_strategies(stdout);
  } else if (status == CAIRN_OK && !cairn_cli_inject_help(&options.exec))
    status = run_job(&options);
  explore_options_free(&options);
  return status;
}

const cairn_cli_command cairn_cli_explore = {
    "explore", "PROGRAM.xml",
    "Search the schedules of a program: run, time and explain them", run};

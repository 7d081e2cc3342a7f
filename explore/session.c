/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/session.c - the main job in one page: read the program, open the
 * source of times and the journal, then propose, measure, record and report
 * until the search stops; refine, explain, hand out.
 *
 * Rank 0 does all of this; the other ranks open the executor and serve.  MPI
 * is initialised only when schedules are run: a replay needs none.
 */
#include <string.h>

#include "base/clock-private.h"
#include "base/text-private.h"
#include "explore/explore-private.h"
#include "mcts/search-private.h"

/* ---- opening ---- */

static cairn_status define(cairn_dag_program *program, const char *text,
                           cairn_base_diag *diag) {
  const char *equals = strchr(text, '=');
  if (equals == NULL) {
    cairn_base_diag_error(diag, "parameter \"%s\": expected NAME=VALUE", text);
    return CAIRN_USAGE;
  }
  char *name = cairn_base_strndup(text, (size_t)(equals - text));
  if (name == NULL)
    return CAIRN_NOMEM;
  const cairn_status status =
      cairn_dag_program_set_param(program, name, equals + 1, diag);
  cairn_base_free(name);
  return status;
}

static cairn_status read_program(cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  cairn_status status = CAIRN_OK;
  session->program = o->program;
  if (session->program == NULL) {
    status =
        cairn_dag_program_read(o->file, session->diag, &session->own_program);
    session->program = session->own_program;
    for (size_t i = 0; i < o->defines && status == CAIRN_OK; i++)
      status = define(session->own_program, o->define[i], session->diag);
  }
  if (status == CAIRN_OK)
    session->streams = o->streams != 0
                           ? o->streams
                           : cairn_dag_program_streams(session->program);
  if (status == CAIRN_OK && session->source->runs && !o->exec.allow_hangs)
    status = cairn_dag_program_deadlock_free(session->program, session->diag);
  return session->world == NULL
             ? status
             : cairn_exec_world_agree(session->world, status, session->diag);
}

/* Results of another run, as far as they are schedules of this program. */
static cairn_status add_prior(cairn_explore_session *session,
                              const char *path) {
  cairn_journal_run *run;
  cairn_dag_schedule schedule = {0};
  size_t taken = 0;
  cairn_status status = cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT,
                                               session->diag, &run);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < run->results && status == CAIRN_OK; i++) {
    const cairn_journal_result *r = &run->result[i];
    int used = 0;
    if (r->outcome != CAIRN_BASE_OUTCOME_OK ||
        cairn_dag_schedule_parse(session->program, r->schedule, NULL,
                                 &schedule) != CAIRN_OK)
      continue;
    status = cairn_mcts__add_prior(
        session->search, schedule.items, schedule.count,
        cairn_base_times_objective(&r->times, session->objective), &used);
    taken += used != 0;
  }
  if (status == CAIRN_OK)
    cairn_base_diag_add(session->diag, CAIRN_BASE_NOTE, path, 0,
                        "%zu of %zu results taken as priors", taken,
                        run->results);
  cairn_dag_schedule_free(&schedule);
  cairn_journal_run_free(run);
  return status;
}

/* What is written only at the end is asked for now. */
static cairn_status check_outputs(const cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  const char *const input[] = {o->file, o->recorded, o->output};
  cairn_status status =
      cairn_base_file_check_output("--dot", o->dot, input, 3, session->diag);
  if (status == CAIRN_OK)
    status = cairn_base_file_check_output("--dot", o->dot, o->prior, o->priors,
                                          session->diag);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_classify_report_can_write(o->report, session->diag);
  return status;
}

/* Budget and time come later: they do not bind what is resumed. */
static cairn_status open_search(cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  const cairn_mcts_options options = {.strategy = o->strategy,
                                      .streams = session->streams,
                                      .sync = o->sync,
                                      .seed = o->seed,
                                      .setting = o->setting,
                                      .settings = o->settings,
                                      .stop = &session->stop,
                                      .teach = cairn_explore__teach,
                                      .teach_context = session};
  cairn_status status = cairn_mcts_create(session->program, &options,
                                          session->diag, &session->search);
  for (size_t i = 0; i < o->priors && status == CAIRN_OK; i++)
    status = add_prior(session, o->prior[i]);
  if (status == CAIRN_OK)
    status = cairn_explore__journal_open(session);
  if (status == CAIRN_OK)
    status = cairn_explore__journal_replay(session);
  if (status == CAIRN_OK)
    cairn_mcts__set_budget(session->search, o->budget, o->time_s);
  return status;
}

/* ---- what the application is told ---- */

static void tell(const cairn_explore_session *session,
                 cairn_explore_phase phase) {
  cairn_explore_progress progress = {.phase = phase};
  cairn_mcts_result best;
  if (session->options->hooks.progress == NULL)
    return;
  progress.resumed = session->resumed;
  if (session->search != NULL) {
    progress.evaluations = cairn_mcts_evaluations(session->search);
    progress.failures = cairn_mcts__failures(session->search);
    progress.has_best =
        cairn_mcts_best(session->search, &progress.best) == CAIRN_OK;
  }
  if (progress.has_best) {
    cairn_mcts__get(session->search, progress.best, NULL, NULL, &best);
    progress.best_s = best.time_s;
  }
  cairn_explore__tell(session, &progress);
}

static void say(const cairn_explore_session *session, cairn_status status) {
  const cairn_explore_hooks *hooks = &session->options->hooks;
  if (hooks->say != NULL)
    hooks->say(hooks->context, session->diag, status);
}

/* ---- the loop ---- */

static cairn_status format(cairn_explore_session *session,
                           const cairn_mcts_proposal *proposal) {
  cairn_base__text_clear(&session->text);
  cairn_status status = cairn_dag_schedule_format(
      session->program, proposal->items, proposal->count, &session->text);
  return status == CAIRN_OK && session->text.failed ? CAIRN_NOMEM : status;
}

/* So that the journal tells which results had to be measured again. */
static void note_deaths(cairn_explore_session *session, unsigned deaths,
                        cairn_journal_result *result) {
  if (result->fact != session->last.fact) {
    result->fact = session->last.fact;
    result->facts = 0;
  }
  session->last.fact[result->facts++] =
      (cairn_base_fact){"deaths", NULL, (double)deaths};
}

/* Measures one proposal, with `begin` in the journal before it runs. */
static cairn_status obtain(cairn_explore_session *session,
                           const cairn_mcts_proposal *proposal,
                           cairn_journal_result *result) {
  const unsigned deaths = cairn_explore__journal_deaths(session, proposal);
  if (deaths >= CAIRN_EXEC_DEATHS) {
    result->outcome = CAIRN_BASE_OUTCOME_QUARANTINED;
    result->message = "the job died three times while it ran this schedule";
    return CAIRN_OK;
  }
  cairn_status status = CAIRN_OK;
  if (session->journal != NULL && session->source->runs)
    status = cairn_journal__append_begin(session->journal, proposal->id,
                                         session->text.data, session->diag);
  session->measuring = proposal->id;
  if (status == CAIRN_OK)
    status = session->source->measure(session, proposal, result);
  if (session->source->runs)
    result->at = cairn_explore__at_s(session);
  session->measuring = UINT64_MAX; /* a hang from here on is none of its */
  if (deaths > 0)
    note_deaths(session, deaths, result);
  return status;
}

static cairn_status step(cairn_explore_session *session,
                         const cairn_mcts_proposal *proposal) {
  cairn_status status = format(session, proposal);
  if (status != CAIRN_OK)
    return status;
  cairn_journal_result result = cairn_journal__result_blank(
      proposal->id, session->text.data, CAIRN_BASE_OUTCOME_OK);
  status = obtain(session, proposal, &result);
  const int has_result =
      status == CAIRN_OK || (status == CAIRN_RESUMABLE &&
                             result.outcome == CAIRN_BASE_OUTCOME_FAILED);
  if (has_result && session->journal != NULL) {
    const cairn_status written =
        cairn_journal__append_result(session->journal, &result, session->diag);
    status = status == CAIRN_OK ? written : status;
  }
  if (status == CAIRN_OK)
    status = cairn_explore__keep(session, &result);
  if (status != CAIRN_OK)
    return status;
  if (result.message != NULL && result.outcome != CAIRN_BASE_OUTCOME_OK)
    cairn_base_log(CAIRN_BASE_LOG_DEBUG, "schedule %llu %s: %s",
                   (unsigned long long)result.id,
                   cairn_base_outcome_text(result.outcome), result.message);
  const cairn_mcts_result told =
      cairn_explore__told(&result, session->objective);
  return cairn_mcts_report(session->search, proposal->id, &told);
}

static cairn_status loop(cairn_explore_session *session) {
  cairn_status status = CAIRN_OK;
  while (status == CAIRN_OK) {
    cairn_mcts_proposal proposal;
    session->stop = cairn_explore__signalled(session) != 0;
    status = cairn_mcts_propose(session->search, &proposal);
    if (status == CAIRN_OK)
      status = step(session, &proposal);
    tell(session,
         status == CAIRN_OK ? CAIRN_EXPLORE_SEARCHING : CAIRN_EXPLORE_SEARCHED);
  }
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

/* ---- the end ---- */

static cairn_status end_journal(cairn_explore_session *session) {
  if (session->journal == NULL)
    return CAIRN_OK;
  return cairn_journal__append_end(
      session->journal, cairn_mcts_evaluations(session->search),
      cairn_mcts_stop_text(cairn_mcts__stop_reason(session->search)),
      session->diag);
}

static cairn_status verdict(const cairn_explore_session *session) {
  const cairn_status signalled =
      cairn_base_status_of_signal(cairn_explore__signalled(session));
  uint64_t id;
  if (signalled != CAIRN_OK) {
    cairn_base_diag_error(session->diag, "stopped by signal %d%s",
                          cairn_explore__signalled(session),
                          session->journal != NULL ? "; --resume goes on" : "");
    return signalled;
  }
  if (cairn_mcts_best(session->search, &id) != CAIRN_OK) {
    cairn_base_diag_error(session->diag,
                          "no schedule was measured well: see the "
                          "messages in the journal");
    return CAIRN_FINDINGS;
  }
  if (session->options->strict && cairn_mcts__failures(session->search) > 0) {
    cairn_base_diag_error(
        session->diag, "%llu schedules failed (--strict)",
        (unsigned long long)cairn_mcts__failures(session->search));
    return CAIRN_FAILED;
  }
  return CAIRN_OK;
}

static cairn_status write_dot(const cairn_explore_session *session) {
  enum { LEVELS = 5, WIDTH = 6 };
  cairn_base_text text = {0};
  cairn_status status =
      cairn_mcts__view_dot(session->search, LEVELS, WIDTH, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_base_file_write(session->options->dot, text.data,
                                   text.length, session->diag);
  cairn_base_text_free(&text);
  return status;
}

/* Explains, and hands out. */
static cairn_status finish(cairn_explore_session *session) {
  const cairn_explore_hooks *hooks = &session->options->hooks;
  const cairn_status explained = cairn_explore__explain(session);
  cairn_status status = cairn_explore__result_fill(session);
  session->result.explained = explained;
  if (status == CAIRN_OK && hooks->report != NULL)
    status = hooks->report(hooks->context, &session->result);
  if (status == CAIRN_OK && explained != CAIRN_FINDINGS)
    status = explained;
  if (status == CAIRN_OK && session->options->dot != NULL)
    status = write_dot(session);
  return status;
}

/* A run that had ended is told again, not measured again. */
static cairn_status refine(cairn_explore_session *session) {
  int *const before = &session->refined.before;
  const cairn_status status = cairn_explore__journal_refined(session, before);
  if (status != CAIRN_OK || !*before)
    return status != CAIRN_OK ? status : cairn_explore__refine(session);
  cairn_base_diag_add(session->diag, CAIRN_BASE_NOTE, session->journal_path, 0,
                      "was measured again side by side already: nothing is "
                      "left to do");
  return CAIRN_OK;
}

/* ---- the whole ---- */

/* All that rank 0 does once times can be had. */
static cairn_status drive(cairn_explore_session *session) {
  session->started_s = cairn_base__now_s();
  tell(session, CAIRN_EXPLORE_STARTED);
  cairn_status status = check_outputs(session);
  if (status == CAIRN_OK)
    status = open_search(session);
  if (status == CAIRN_OK) {
    say(session, status);
    status = loop(session);
  }
  if (status == CAIRN_OK && cairn_explore__wants_refining(session))
    status = refine(session);
  if (status == CAIRN_OK)
    status = end_journal(session);
  if (status == CAIRN_OK)
    status = finish(session);
  return status == CAIRN_OK ? verdict(session) : status;
}

static cairn_status run_ranks(cairn_explore_session *session) {
  cairn_status status = CAIRN_OK;
  session->world = session->options->world;
  if (session->world == NULL) {
    status = cairn_exec_world_open(NULL, session->diag, &session->own_world);
    session->world = session->own_world;
  }
  if (status == CAIRN_OK)
    status = read_program(session);
  if (status == CAIRN_OK)
    status = session->source->open(session);
  if (status != CAIRN_OK)
    return status;
  if (cairn_exec_world_rank(session->world) != 0)
    return session->source->serve(session);
  status = drive(session);
  const cairn_status stopped = cairn_exec_stop(session->ranks.exec, status);
  return status == CAIRN_OK ? stopped : status;
}

static cairn_status run_alone(cairn_explore_session *session) {
  cairn_status status = read_program(session);
  if (status == CAIRN_OK)
    status = session->source->open(session);
  return status == CAIRN_OK ? drive(session) : status;
}

cairn_status cairn_explore__run(const cairn_explore_options *options,
                                const cairn_explore_source *source,
                                cairn_base_diag *diag,
                                cairn_explore_result **result_p) {
  cairn_explore_session *session = cairn_base_zalloc(1, sizeof *session);
  if (session == NULL)
    return CAIRN_NOMEM;
  session->options = options;
  session->diag = diag;
  session->measuring = UINT64_MAX;
  session->source = source;
  session->objective = options->objective != NULL ? options->objective : "p50";
  const cairn_status status =
      source->serve != NULL ? run_ranks(session) : run_alone(session);
  say(session, status);
  cairn_journal__close(session->journal);
  session->journal = NULL;
  session->source->close(session);
  cairn_exec_world_close(session->own_world);
  session->world = session->own_world = NULL;
  const int filled = session->result.program != NULL;
  if (result_p != NULL)
    *result_p = filled ? &session->result : NULL;
  if (result_p == NULL || !filled)
    cairn_explore__free(session);
  return status;
}

cairn_status cairn_explore_run(const cairn_explore_options *options,
                               cairn_base_diag *diag,
                               cairn_explore_result **result_p) {
  return cairn_explore__run(options, cairn_explore__source_choose(options),
                            diag, result_p);
}

void cairn_explore_result_free(cairn_explore_result *result) {
  cairn_explore__free((cairn_explore_session *)result);
}

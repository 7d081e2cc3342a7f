/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/resume.c - the journal of a run: opening it, going on with an old
 * one, and schedules that killed an earlier process.
 */
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/text-private.h"
#include "exec/drive-private.h"
#include "explore/explore-private.h"
#include "journal/journal-private.h"
#include "mcts/search-private.h"

/* ---- opening ---- */

static cairn_status choose_path(cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  cairn_base_text path = {0};
  if (o->output != NULL)
    cairn_base_text_add(&path, o->output);
  else {
    cairn_base_text_add(&path, "run.jsonl");
    for (unsigned i = 2; access(path.data, F_OK) == 0; i++) {
      cairn_base__text_clear(&path);
      cairn_base_text_addf(&path, "run-%u.jsonl", i);
      if (path.failed)
        break;
    }
  }
  session->journal_path = path.data;
  if (path.failed)
    return CAIRN_NOMEM;
  return CAIRN_OK;
}

static int exists(const char *path) { return access(path, F_OK) == 0; }

/* A process killed while it wrote the header leaves the beginning of one:
 * nothing was measured yet.  What is no journal is refused, and left alone. */
static cairn_status read_old(cairn_explore_session *session) {
  const char *path = session->journal_path;
  const cairn_status status = cairn_journal_run_read(
      path,
      CAIRN_JOURNAL_RUN_AS_MEASURED | CAIRN_JOURNAL_RUN_UNBORN |
          CAIRN_JOURNAL_RUN_REGULAR,
      session->diag, &session->old);
  if (status != CAIRN_OK || session->old->header.cairn != NULL)
    return status;
  cairn_journal_run_free(session->old);
  session->old = NULL;
  cairn_base_diag_add(session->diag, CAIRN_BASE_NOTE, path, 0,
                      "holds nothing yet: starting it");
  return CAIRN_OK;
}

static cairn_status open_with(cairn_explore_session *session,
                              const cairn_journal_header *now) {
  cairn_journal_mode mode = CAIRN_JOURNAL_NEW;
  const char *path = session->journal_path;
  if (exists(path)) {
    if (!session->options->resume) {
      cairn_base_diag_error(session->diag,
                            "%s exists: go on with it (--resume) or choose "
                            "another file (-o)",
                            path);
      return CAIRN_USAGE;
    }
    cairn_status status = read_old(session);
    if (status == CAIRN_OK && session->old != NULL)
      status = cairn_explore__identity_check(
          session->old, session->program, now,
          session->options->accept_different, session->diag);
    if (status != CAIRN_OK)
      return status;
    mode = CAIRN_JOURNAL_RESUME;
  }
  cairn_status status =
      cairn_journal__open(path, mode, now, session->diag, &session->journal);
  int error = 0;
  const size_t failing =
      session->ranks.exec != NULL
          ? cairn_exec__inject_write(session->ranks.exec, &error)
          : 0;
  if (status == CAIRN_OK && failing > 0)
    cairn_journal__inject(session->journal, failing, error);
  return status;
}

cairn_status cairn_explore__journal_open(cairn_explore_session *session) {
  if (!session->source->runs && session->options->output == NULL)
    return CAIRN_OK; /* nothing is lost: a replay costs nothing */
  cairn_explore_header now = {0};
  cairn_status status = choose_path(session);
  if (status == CAIRN_OK)
    status = cairn_explore__header_fill(session, &now);
  if (status == CAIRN_OK)
    status = open_with(session, &now.header);
  cairn_explore__header_free(&now);
  return status;
}

/* ---- what the old journal holds ---- */

cairn_mcts_result cairn_explore__told(const cairn_journal_result *result,
                                      const char *objective) {
  cairn_mcts_result told = {
      .outcome = result->outcome,
      .time_s = cairn_base_times_objective(&result->times, objective),
      .low_s = NAN,
      .high_s = NAN,
      .samples = result->times.samples};
  if (result->outcome == CAIRN_BASE_OUTCOME_OK && !(told.time_s > 0))
    told.outcome = CAIRN_BASE_OUTCOME_FAILED; /* no time: of no use */
  if (told.outcome != CAIRN_BASE_OUTCOME_OK &&
      told.outcome != CAIRN_BASE_OUTCOME_PRUNED)
    told.time_s = NAN;
  return told;
}

static cairn_status tell(cairn_explore_session *session,
                         const cairn_journal_result *result,
                         cairn_dag_schedule *schedule) {
  cairn_status status = cairn_dag_schedule_parse(
      session->program, result->schedule, session->diag, schedule);
  if (status != CAIRN_OK)
    return status;
  const cairn_mcts_result told =
      cairn_explore__told(result, session->objective);
  status = cairn_explore__keep(session, result);
  if (status != CAIRN_OK)
    return status;
  return cairn_mcts__resume(session->search, schedule->items, schedule->count,
                            &told, session->diag);
}

cairn_status cairn_explore__journal_replay(cairn_explore_session *session) {
  if (session->old == NULL)
    return CAIRN_OK;
  cairn_dag_schedule schedule = {0};
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < session->old->results && status == CAIRN_OK; i++) {
    status = tell(session, &session->old->result[i], &schedule);
    if (status == CAIRN_INPUT)
      cairn_base_diag_add(session->diag, CAIRN_BASE_ERROR,
                          session->journal_path, session->old->result[i].line,
                          "this search would not have measured this schedule");
    session->at_s = session->old->result[i].at;
  }
  cairn_dag_schedule_free(&schedule);
  if (!isfinite(session->at_s))
    session->at_s = 0;
  session->resumed = session->old->results;
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

cairn_status cairn_explore__journal_refined(cairn_explore_session *session,
                                            int *done_p) {
  const cairn_journal_run *const old = session->old;
  cairn_journal_run *run;
  *done_p = 0;
  if (old == NULL || old->end_reason == NULL || !old->refined ||
      session->kept_count != old->results || session->resumed != old->results)
    return CAIRN_OK;
  const cairn_status status = cairn_journal_run_read(
      session->journal_path, CAIRN_JOURNAL_RUN_REGULAR, NULL, &run);
  if (status != CAIRN_OK)
    return status;
  *done_p = 1;
  for (size_t i = 0; i < run->results; i++)
    if (run->result[i].corrected && run->result[i].id < session->kept_count)
      cairn_explore__keep_refined(session, &run->result[i]);
  cairn_journal_run_free(run);
  return CAIRN_OK;
}

/* A schedule begun by a process that neither reported nor ended properly may
 * have brought the process down, or something else has: a full disk, the
 * kernel for lack of memory, a power cut.  So it gets further chances.  A
 * replay runs nothing, so nothing can be guilty. */
unsigned cairn_explore__journal_deaths(const cairn_explore_session *session,
                                       const cairn_mcts_proposal *proposal) {
  const cairn_journal_run *old = session->old;
  if (old == NULL || old->end_reason != NULL || !session->source->runs)
    return 0;
  for (size_t i = 0; i < old->begun_count; i++)
    if (old->begun[i].id == proposal->id &&
        strcmp(old->begun[i].schedule, session->text.data) == 0)
      return old->begun[i].times;
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/ranks.c - the executor that schedules run in, on all ranks: opened,
 * opened anew, served and closed; what it tells of the machine.
 */
#include <string.h>

#include "base/clock-private.h"
#include "exec/drive-private.h"
#include "exec/world-private.h"
#include "explore/explore-private.h"
#include "journal/journal-private.h"

/* Called from the watchdog's thread of rank 0 while the main thread stands in
 * the executor: the journal is not in use.  The job ends after this. */
static void record_hang(void *context, const cairn_exec_hang *hang) {
  cairn_explore_session *session = context;
  if (session->journal == NULL || hang->id == UINT64_MAX ||
      hang->id != session->measuring)
    return;
  cairn_journal_result result = cairn_journal__result_blank(
      hang->id, session->text.data, CAIRN_BASE_OUTCOME_TIMEOUT);
  result.at = cairn_explore__at_s(session);
  result.message = hang->message;
  (void)cairn_journal__append_result(session->journal, &result, NULL);
}

static void guard(const cairn_explore_session *session,
                  cairn_explore_moment moment, cairn_exec_options *exec) {
  const cairn_explore_hooks *hooks = &session->options->hooks;
  if (hooks->guard != NULL)
    hooks->guard(hooks->context, moment, exec);
}

static void fill_exec_options(cairn_explore_session *session,
                              cairn_exec_options *e) {
  const cairn_explore_options *o = session->options;
  *e = o->exec;
  e->streams = session->streams;
  if (session->ranks.start != CAIRN_EXEC_START_AUTO)
    e->start = session->ranks.start;
  e->program_path = o->file;
  e->on_hang = record_hang;
  e->context = session;
  e->signal = o->signal;
}

static void fill_plan(cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  cairn_exec_plan_default(session->ranks.exec, &session->ranks.plan);
  if (o->verify)
    session->ranks.plan.verify = 1;
  session->ranks.plan.samples = o->samples;
  if (o->sample_s > 0)
    session->ranks.plan.sample_s = o->sample_s;
  if (o->precision > 0)
    session->ranks.plan.half = o->precision;
}

cairn_status cairn_explore__ranks_open(cairn_explore_session *session) {
  cairn_exec_options e;
  fill_exec_options(session, &e);
  guard(session, CAIRN_EXPLORE_OPENING, &e);
  const cairn_status status =
      cairn_exec_open(session->world, session->program, &e, session->diag,
                      &session->ranks.exec);
  if (status != CAIRN_OK)
    return status;
  guard(session, CAIRN_EXPLORE_OPENED, NULL);
  fill_plan(session);
  if (session->options->verify &&
      !cairn_exec__info_get(session->ranks.exec)->can_verify) {
    cairn_base_diag_error(session->diag,
                          "--verify: the plugin of program \"%s\" has no "
                          "verify function",
                          cairn_dag_program_name(session->program));
    return CAIRN_ENV;
  }
  return CAIRN_OK;
}

void cairn_explore__ranks_close(cairn_explore_session *session) {
  cairn_exec_close(session->ranks.exec);
  guard(session, CAIRN_EXPLORE_CLOSED, NULL);
  session->ranks.exec = NULL;
}

/* The status that tells the other ranks to open anew instead of leaving. */
#define REOPEN CAIRN_EXHAUSTED

/* The other ranks follow in cairn_explore__ranks_serve. */
static cairn_status renew(cairn_explore_session *session) {
  cairn_explore_ranks *ranks = &session->ranks;
  const cairn_exec_start now = cairn_exec__info_get(ranks->exec)->start;
  if (session->options->exec.start == CAIRN_EXEC_START_AUTO &&
      now == CAIRN_EXEC_START_BARRIER)
    ranks->start = now; /* the deadline did not hold: not again */
  const cairn_status status = cairn_exec_stop(ranks->exec, REOPEN);
  cairn_explore__ranks_close(session);
  ranks->held_count = 0;
  return status == CAIRN_OK ? cairn_explore__ranks_open(session) : status;
}

cairn_status cairn_explore__ranks_serve(cairn_explore_session *session) {
  cairn_status status;
  while ((status = cairn_exec_serve(session->ranks.exec)) == REOPEN) {
    cairn_explore__ranks_close(session);
    status = cairn_explore__ranks_open(session);
    if (status != CAIRN_OK)
      break;
  }
  return status;
}

void cairn_explore__ranks_describe(const cairn_explore_session *session,
                                   cairn_journal_header *h) {
  const cairn_exec_info *info = cairn_exec__info_get(session->ranks.exec);
  h->ranks = (unsigned)cairn_exec_world_size(session->world);
  h->hosts = cairn_exec__world_hosts(session->world, &h->host);
  h->mpi = cairn_exec__world_library(session->world);
  h->backend = info->backend;
  h->device = info->device;
  h->devices = info->devices;
  h->driver = info->driver;
  h->gpu_aware = info->gpu_aware;
}

void cairn_explore__ranks_flag(cairn_explore_session *session,
                               cairn_journal_result *result) {
  cairn_base_fact *fact = session->last.fact;
  const cairn_exec_clocks clocks =
      cairn_exec__clocks_report(session->ranks.exec);
  const cairn_exec_load load = cairn_exec_load_report(session->ranks.exec);
  cairn_exec__clocks_add(&session->ranks.clocks, &clocks);
  cairn_exec__load_add(&session->ranks.load, &load);
  if (result->fact != fact) /* nothing was measured */
    return;
  if (clocks.throttled > 0)
    fact[result->facts++] = (cairn_base_fact){"throttled", NULL, 1};
  if (cairn_exec__info_get(session->ranks.exec)->oversubscribed)
    fact[result->facts++] = (cairn_base_fact){"oversubscribed", NULL, 1};
  if (load.lost > 0)
    fact[result->facts++] = (cairn_base_fact){"lost", NULL, load.lost};
  if (load.disturbed > 0)
    fact[result->facts++] = (cairn_base_fact){"strangers", NULL, load.stranger};
}

/* ---- side by side ---- */

static cairn_status prepare(cairn_explore_session *session, uint64_t id,
                            const cairn_dag_item *items, size_t count) {
  return cairn_exec_prepare(session->ranks.exec, id, items, count,
                            session->diag);
}

static cairn_status sample(cairn_explore_session *session,
                           const cairn_base_shot *shots, size_t count,
                           cairn_base_sample *samples,
                           cairn_base_execution *outcome_p) {
  return cairn_exec__sample(session->ranks.exec, shots, count, samples,
                            outcome_p);
}

static int machine(cairn_explore_session *session) {
  cairn_explore_ranks *ranks = &session->ranks;
  const cairn_exec_clocks clocks = cairn_exec__clocks_report(ranks->exec);
  const cairn_exec_load load = cairn_exec_load_report(ranks->exec);
  cairn_exec__clocks_add(&ranks->clocks, &clocks);
  cairn_exec__load_add(&ranks->load, &load);
  return clocks.throttled > 0;
}

static int oversubscribed(const cairn_explore_session *session) {
  return cairn_exec__info_get(session->ranks.exec)->oversubscribed;
}

const cairn_explore_bench cairn_explore__ranks_bench = {.renew = renew,
                                                        .prepare = prepare,
                                                        .sample = sample,
                                                        .machine = machine,
                                                        .oversubscribed =
                                                            oversubscribed};

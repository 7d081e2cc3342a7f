/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/source-recorded.c - times from a recorded table: nothing runs.
 */
#include "explore/explore-private.h"

static cairn_status open_table(cairn_explore_session *session) {
  const cairn_explore_options *o = session->options;
  cairn_status status = cairn_explore__table_read(
      o->recorded, session->program, o->sync, session->diag, &session->table);
  if (status == CAIRN_OK)
    status = cairn_explore__table_apply(
        session->table, o->define, o->defines,
        o->program != NULL ? o->program : session->own_program, session->diag);
  if (status != CAIRN_OK)
    return status;
  const char *recorded =
      cairn_explore__table_run(session->table)->header.objective;
  if (o->objective == NULL)
    session->objective = recorded != NULL ? recorded : "p10";
  return CAIRN_OK;
}

/* The table stays: it answers questions about the result. */
static void close_table(cairn_explore_session *session) { (void)session; }

static void describe(const cairn_explore_session *session,
                     cairn_journal_header *h) {
  const cairn_journal_header *recorded =
      &cairn_explore__table_run(session->table)->header;
  h->ranks = recorded->ranks;
  h->device = recorded->device;
  h->devices = recorded->devices;
  h->backend = "replay";
  h->gpu_aware = -1;
}

static cairn_status measure(cairn_explore_session *session,
                            const cairn_mcts_proposal *proposal,
                            cairn_journal_result *result) {
  const unsigned noise = session->options->noise;
  const cairn_journal_result *found = cairn_explore__table_find(
      session->table, proposal->items, proposal->count);
  if (found == NULL) {
    result->outcome = CAIRN_BASE_OUTCOME_FAILED;
    result->message = "not in the recorded table";
    return CAIRN_OK;
  }
  result->outcome = found->outcome;
  result->times = found->times;
  result->message = found->message;
  if (noise > 0) /* other numbers, of which the facts do not tell */
    return cairn_explore__table_draw(noise, session->options->seed,
                                     proposal->items, proposal->count, result);
  result->corrected = found->corrected;
  result->uncorrected = found->uncorrected;
  result->finalist = found->finalist;
  result->fact = found->fact;
  result->facts = found->facts;
  return CAIRN_OK;
}

const cairn_explore_source cairn_explore__source_recorded = {
    .name = "recorded",
    .open = open_table,
    .close = close_table,
    .describe = describe,
    .measure = measure};

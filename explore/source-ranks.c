/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/source-ranks.c - times from running each schedule alone on all
 * ranks, until its interval is small.
 */
#include "exec/drive-private.h"
#include "explore/explore-private.h"

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

static cairn_status measure(cairn_explore_session *session,
                            const cairn_mcts_proposal *proposal,
                            cairn_journal_result *result) {
  cairn_explore_last *last = &session->last;
  cairn_status status =
      cairn_exec_prepare(session->ranks.exec, proposal->id, proposal->items,
                         proposal->count, session->diag);
  if (status != CAIRN_OK)
    return status;
  status =
      cairn_exec_measure(session->ranks.exec, proposal->id,
                         &session->ranks.plan, &last->measurement, NULL, NULL);
  if (status != CAIRN_OK && status != CAIRN_RESUMABLE)
    return status;
  fill_numbers(result, &last->measurement);
  if (status == CAIRN_RESUMABLE) /* a rank is of no more use */
    return status;
  if (result->outcome == CAIRN_BASE_OUTCOME_OK)
    fill_facts(&last->measurement, last->fact, result);
  cairn_explore__ranks_flag(session, result);
  return cairn_exec__forget(session->ranks.exec, proposal->id);
}

const cairn_explore_source cairn_explore__source_ranks = {
    .name = "ranks",
    .runs = 1,
    .open = cairn_explore__ranks_open,
    .close = cairn_explore__ranks_close,
    .serve = cairn_explore__ranks_serve,
    .describe = cairn_explore__ranks_describe,
    .measure = measure,
    .bench = &cairn_explore__ranks_bench};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/kept.c - the results of a run, kept for its end, and which
 * operations the messages of failed ones name.
 *
 * Invariant: kept[i] is the result with id i; its strings are its own.
 */
#include <string.h>

#include "explore/explore-private.h"

static int is_failure(cairn_base_outcome outcome) {
  return outcome != CAIRN_BASE_OUTCOME_OK &&
         outcome != CAIRN_BASE_OUTCOME_PRUNED;
}

static int is_of_name(char c) {
  return cairn_base_is_alnum(c) || c == '_' || c == '.';
}

/* Does the text hold the name, as a word? */
static int names(const char *text, const char *name) {
  const size_t length = strlen(name);
  for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
    if ((at == text || !is_of_name(at[-1])) && !is_of_name(at[length]))
      return 1;
  return 0;
}

/* Notes what a failed result tells (others: nothing). */
static cairn_status add_failure(cairn_explore_session *session,
                                const cairn_journal_result *result) {
  const unsigned ops = cairn_dag_program_ops(session->program);
  if (!is_failure(result->outcome))
    return CAIRN_OK;
  if (session->named == NULL)
    session->named = cairn_base_zalloc(ops, sizeof *session->named);
  if (session->named == NULL)
    return CAIRN_NOMEM;
  for (unsigned op = 1; op + 1 < ops && result->message != NULL; op++)
    session->named[op] += names(
        result->message, cairn_dag_program_op(session->program, op)->name);
  return CAIRN_OK;
}

cairn_status cairn_explore__keep(cairn_explore_session *session,
                                 const cairn_journal_result *result) {
  if (cairn_base_reserve(&session->kept, &session->kept_capacity,
                         session->kept_count + 1,
                         sizeof *session->kept) != CAIRN_OK)
    return CAIRN_NOMEM;
  cairn_explore_kept *kept = &session->kept[session->kept_count];
  kept->schedule = cairn_base_strdup(result->schedule);
  if (kept->schedule == NULL)
    return CAIRN_NOMEM;
  kept->result = *result;
  kept->result.schedule = kept->schedule;
  kept->result.message = NULL;
  kept->result.fact = NULL;
  kept->result.facts = 0;
  session->kept_count++;
  return add_failure(session, result);
}

void cairn_explore__keep_refined(cairn_explore_session *session,
                                 const cairn_journal_result *result) {
  cairn_journal_result *kept = &session->kept[result->id].result;
  kept->times = result->times;
  kept->corrected = result->corrected;
  kept->uncorrected = result->uncorrected;
  kept->finalist = result->finalist;
}

void cairn_explore__keep_free(cairn_explore_session *session) {
  for (size_t i = 0; i < session->kept_count; i++)
    cairn_base_free(session->kept[i].schedule);
  cairn_base_free(session->kept);
  cairn_base_free(session->named);
}

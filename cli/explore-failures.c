/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-failures.c - what the schedules that failed have in common: how
 * they failed, and which operations their messages name.
 */
#include <limits.h>
#include <string.h>

#include "explore.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

enum { NAMED_MOST = 5 }; /* operations told */

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

cairn_status explore_failures_add(explore_job *job,
                                  const cairn_journal_result *result) {
  const unsigned ops = cairn_dag_program_ops(job->program);
  if (!is_failure(result->outcome))
    return CAIRN_OK;
  if (job->named == NULL)
    job->named = cairn_base_zalloc(ops, sizeof *job->named);
  if (job->named == NULL)
    return CAIRN_NOMEM;
  for (unsigned op = 1; op + 1 < ops && result->message != NULL; op++)
    job->named[op] +=
        names(result->message, cairn_dag_program_op(job->program, op)->name);
  return CAIRN_OK;
}

static unsigned count_outcome(const explore_job *job,
                              cairn_base_outcome outcome) {
  unsigned count = 0;
  for (size_t i = 0; i < job->kept_count; i++)
    count += job->kept[i].result.outcome == outcome;
  return count;
}

/* The operation named most often below `limit` times, or the same number of
 * times and after `last`; 0 (start): none. */
static unsigned next_named(const explore_job *job, unsigned limit,
                           unsigned last) {
  const unsigned ops = cairn_dag_program_ops(job->program);
  unsigned best = 0;
  for (unsigned op = 1; op + 1 < ops; op++) {
    const unsigned n = job->named[op];
    if (n > (best ? job->named[best] : 0) &&
        (n < limit || (n == limit && op > last)))
      best = op;
  }
  return best;
}

void explore_failures_print(const explore_job *job) {
  const char *between = "Failed:    ";
  if (job->named == NULL)
    return;
  for (int o = 0; o <= CAIRN_BASE_OUTCOME_PRUNED; o++) {
    const unsigned count = count_outcome(job, (cairn_base_outcome)o);
    if (!is_failure((cairn_base_outcome)o) || count == 0)
      continue;
    cairn_cli_print("%s%u %s", between, count,
                    cairn_base_outcome_text((cairn_base_outcome)o));
    between = ", ";
  }
  unsigned op = next_named(job, UINT_MAX, 0);
  between = "; their messages name ";
  for (int i = 0; i < NAMED_MOST && op > 0; i++) {
    cairn_cli_print("%s%s (%u)", between,
                    cairn_dag_program_op(job->program, op)->name,
                    job->named[op]);
    between = ", ";
    op = next_named(job, job->named[op], op);
  }
  cairn_cli_print("\n");
}

json_t *explore_failures_json(const explore_job *job) {
  json_t *by = json_object(), *named = json_object();
  for (int o = 0; o <= CAIRN_BASE_OUTCOME_PRUNED; o++) {
    const unsigned count = count_outcome(job, (cairn_base_outcome)o);
    if (is_failure((cairn_base_outcome)o) && count > 0)
      json_object_set_new(by, cairn_base_outcome_text((cairn_base_outcome)o),
                          json_integer(count));
  }
  for (unsigned op = 1;
       job->named && op + 1 < cairn_dag_program_ops(job->program); op++)
    if (job->named[op] > 0)
      json_object_set_new(named, cairn_dag_program_op(job->program, op)->name,
                          json_integer(job->named[op]));
  return json_pack("{s:o, s:o}", "status", by, "named", named);
}

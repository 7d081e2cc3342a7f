/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/schedule.c - the schedule that --schedule names: program order, an entry
 * of a journal, or the text in a file.
 */
#include <math.h>
#include <string.h>

#include "cli.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

enum { TEXT_LIMIT = 16 << 20 };
#define BLANKS " \t\r\n"

/* How much a time can be trusted: of a finalist of explore, measured again side
 * by side with others, measured once while the search went on. */
static int trust(const cairn_journal_result *r) {
  return r->finalist ? 2 : r->corrected;
}

/* The schedule that explore calls the best: the fastest of those whose times
 * can be trusted most, which are compared by their medians. */
static const cairn_journal_result *best_of(const cairn_journal_run *run) {
  const cairn_journal_result *best = NULL;
  const char *objective =
      run->header.objective != NULL ? run->header.objective : "p10";
  double least = INFINITY;
  int most = 0;
  for (size_t i = 0; i < run->results; i++) {
    const cairn_journal_result *r = run->result + i;
    const int mine = trust(r);
    const double time = mine > 0
                            ? r->times.p[CAIRN_BASE_P50]
                            : cairn_base_times_objective(&r->times, objective);
    const int good = r->outcome == CAIRN_BASE_OUTCOME_OK ||
                     (mine > 0 && r->outcome == CAIRN_BASE_OUTCOME_PRUNED);
    if (!good || mine < most || (mine == most && !(time < least)))
      continue;
    least = time;
    most = mine;
    best = r;
  }
  return best;
}

static const cairn_journal_result *with_id(const cairn_journal_run *run,
                                           const char *digits) {
  char number[24];
  for (size_t i = 0; i < run->results; i++) {
    snprintf(number, sizeof number, "%llu",
             (unsigned long long)run->result[i].id);
    if (strcmp(number, digits) == 0)
      return run->result + i;
  }
  return NULL;
}

static cairn_status from_journal(const char *path, const char *which,
                                 cairn_base_diag *diag, char **text_p) {
  cairn_journal_run *run;
  cairn_status status =
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, diag, &run);
  if (status != CAIRN_OK)
    return status;
  const int best = strcmp(which, "best") == 0;
  const cairn_journal_result *r = best ? best_of(run) : with_id(run, which);
  if (r != NULL) {
    *text_p = cairn_base_strdup(r->schedule);
    status = *text_p != NULL ? CAIRN_OK : CAIRN_NOMEM;
  } else {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        best ? "holds no measured schedule"
                             : "holds no schedule with id %s",
                        which);
    status = CAIRN_INPUT;
  }
  cairn_journal_run_free(run);
  return status;
}

/* A NUL byte would hide what follows it. */
static cairn_status read_text(const char *path, cairn_base_diag *diag,
                              char **text_p) {
  char *text;
  size_t length, line = 1;
  const cairn_status status =
      cairn_base_file_read(path, TEXT_LIMIT, diag, &text, &length);
  if (status != CAIRN_OK)
    return status;
  if (strlen(text) == length) {
    *text_p = text;
    return CAIRN_OK;
  }
  for (const char *at = text; *at; at++)
    line += *at == '\n';
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, line,
                      "a NUL byte: this is no text");
  cairn_base_free(text);
  return CAIRN_INPUT;
}

cairn_status cairn_cli_schedule_text(const char *which, cairn_base_diag *diag,
                                     char **text_p) {
  const char *colon = strrchr(which, ':');
  const int entry =
      colon != NULL && (strcmp(colon + 1, "best") == 0 ||
                        (colon[1] != '\0' &&
                         strspn(colon + 1, "0123456789") == strlen(colon + 1)));
  if (!entry)
    return read_text(which, diag, text_p);
  char *path = cairn_base_strndup(which, (size_t)(colon - which));
  if (path == NULL)
    return CAIRN_NOMEM;
  const cairn_status status = from_journal(path, colon + 1, diag, text_p);
  cairn_base_free(path);
  return status;
}

cairn_status cairn_cli_one_line(const char *which, char *text,
                                cairn_base_diag *diag) {
  char *const line = text + strspn(text, BLANKS);
  char *const end = line + strcspn(line, "\r\n");
  if (end[strspn(end, BLANKS)] != '\0') {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, which, 2,
                        "expected one schedule, one line (of a journal, name "
                        "one: %s:best or %s:ID)",
                        which, which);
    return CAIRN_INPUT;
  }
  *end = '\0';
  memmove(text, line, (size_t)(end - line) + 1);
  return CAIRN_OK;
}

cairn_status cairn_cli_read_schedule(const char *which,
                                     const cairn_dag_program *program,
                                     cairn_base_diag *diag,
                                     cairn_dag_schedule *schedule) {
  if (which == NULL || strcmp(which, "order") == 0)
    return cairn_dag_schedule_program_order(program, schedule);
  char *text;
  cairn_status status = cairn_cli_schedule_text(which, diag, &text);
  if (status != CAIRN_OK)
    return status;
  status = cairn_cli_one_line(which, text, diag);
  if (status == CAIRN_OK)
    status = cairn_dag_schedule_parse(program, text, diag, schedule);
  cairn_base_free(text);
  return status;
}

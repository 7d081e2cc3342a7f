/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/schedule.c - the schedule that --schedule names: program order, an entry
 * of a journal, or the text in a file.
 */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "cli.h"

enum { TEXT_LIMIT = 16 << 20 };

static const cairn_dag_result *best_of(const cairn_dag_run *run) {
  const cairn_dag_result *best = NULL;
  const char *objective =
      run->header.objective != NULL ? run->header.objective : "p10";
  double least = INFINITY;
  for (size_t i = 0; i < run->results; i++) {
    const cairn_dag_result *r = run->result + i;
    const double time = cairn_dag_result_time(r, objective);
    if (r->outcome == CAIRN_DAG_OUTCOME_OK && time < least) {
      least = time;
      best = r;
    }
  }
  return best;
}

static const cairn_dag_result *with_id(const cairn_dag_run *run,
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
                                 const cairn_dag_program *program,
                                 cairn_base_diag *diag,
                                 cairn_dag_schedule *schedule) {
  cairn_dag_run *run;
  cairn_status status =
      cairn_dag_run_read(path, CAIRN_DAG_RUN_STRICT, diag, &run);
  if (status != CAIRN_OK)
    return status;
  const int best = strcmp(which, "best") == 0;
  const cairn_dag_result *r = best ? best_of(run) : with_id(run, which);
  if (r != NULL) {
    status = cairn_dag_schedule_parse(program, r->schedule, diag, schedule);
  } else {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        best ? "holds no measured schedule"
                             : "holds no schedule with id %s",
                        which);
    status = CAIRN_INPUT;
  }
  cairn_dag_run_free(run);
  return status;
}

static cairn_status from_text(const char *path,
                              const cairn_dag_program *program,
                              cairn_base_diag *diag,
                              cairn_dag_schedule *schedule) {
  char *text;
  size_t length;
  cairn_status status =
      cairn_base_file_read(path, TEXT_LIMIT, diag, &text, &length);
  if (status != CAIRN_OK)
    return status;
  while (length > 0 && isspace((unsigned char)text[length - 1]))
    text[--length] = '\0';
  if (strchr(text, '\n') != NULL) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 2,
                        "expected one schedule, one line (of a journal, name "
                        "one: %s:best or %s:ID)",
                        path, path);
    status = CAIRN_INPUT;
  } else {
    status = cairn_dag_schedule_parse(program, text, diag, schedule);
  }
  cairn_base_free(text);
  return status;
}

cairn_status cairn_cli_read_schedule(const char *which,
                                     const cairn_dag_program *program,
                                     cairn_base_diag *diag,
                                     cairn_dag_schedule *schedule) {
  if (which == NULL || strcmp(which, "order") == 0)
    return cairn_dag_schedule_program_order(program, schedule);
  const char *colon = strrchr(which, ':');
  const int entry =
      colon != NULL && (strcmp(colon + 1, "best") == 0 ||
                        (colon[1] != '\0' &&
                         strspn(colon + 1, "0123456789") == strlen(colon + 1)));
  if (!entry)
    return from_text(which, program, diag, schedule);
  char *path = cairn_base_strndup(which, (size_t)(colon - which));
  if (path == NULL)
    return CAIRN_NOMEM;
  const cairn_status status =
      from_journal(path, colon + 1, program, diag, schedule);
  cairn_base_free(path);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/report.c - findings, as they are collected.
 */
#include "lint/linter-private.h"

#include <string.h>

static const struct {
  const char *text;
  int wrong;
} kinds[] = {
#define ROW(name, text, wrong) {text, wrong},
    CAIRN_LINT_FINDING_TABLE(ROW)
#undef ROW
};
#define KINDS (sizeof kinds / sizeof *kinds)

const char *cairn_lint_finding_text(cairn_lint_finding_kind kind) {
  return (size_t)kind < KINDS ? kinds[kind].text : "unknown";
}

int cairn_lint_finding_wrong(cairn_lint_finding_kind kind) {
  return (size_t)kind < KINDS && kinds[kind].wrong;
}

const char *cairn_lint__name(const cairn_dag_linter *linter, unsigned op) {
  return cairn_dag_program_op(linter->program, op)->name;
}

unsigned long cairn_lint__stream(const cairn_lint_numbers *numbers,
                                 unsigned stream) {
  return numbers && stream < numbers->streams ? numbers->stream[stream]
                                              : stream;
}

unsigned long cairn_lint__event(const cairn_lint_numbers *numbers,
                                unsigned event) {
  return numbers && event < numbers->events ? numbers->event[event] : event;
}

void cairn_lint__add(cairn_dag_linter *l, cairn_lint_finding_kind kind,
                     size_t position, const cairn_dag_demand *edge,
                     cairn_base_text *text, cairn_base_text *repair) {
  cairn_lint_report *const r = l->report;
  if (text->failed || repair->failed ||
      cairn_base_reserve(&r->finding, &r->capacity, r->count + 1,
                         sizeof *r->finding) != CAIRN_OK) {
    l->status = CAIRN_NOMEM;
    cairn_base_text_free(text);
    cairn_base_text_free(repair);
    return;
  }
  r->finding[r->count++] =
      (cairn_lint_finding){kind,
                           position,
                           edge ? edge->a : CAIRN_DAG_NO_OP,
                           edge ? edge->b : CAIRN_DAG_NO_OP,
                           edge ? edge->next : 0,
                           text->data,
                           repair->data};
  if (cairn_lint_finding_wrong(kind))
    r->legal = 0;
}

void cairn_lint_report_free(cairn_lint_report *report) {
  if (!report)
    return;
  for (size_t i = 0; i < report->count; i++) {
    cairn_base_free(report->finding[i].text);
    cairn_base_free(report->finding[i].repair);
  }
  cairn_base_free(report->finding);
  cairn_base_free(report);
}

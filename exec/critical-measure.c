/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/critical-measure.c - the critical path of a typical execution: of
 * several traced ones, the one with the median span.
 */
#include <stdlib.h>

#include "exec/critical-private.h"
#include <cairn/exec.h>

static int by_span(const void *a, const void *b) {
  const cairn_exec_critical *x = a, *y = b;
  return (x->span_s > y->span_s) - (x->span_s < y->span_s);
}

static cairn_status trace_one(cairn_exec *exec, uint64_t id,
                              const cairn_dag_program *program,
                              const cairn_dag_item *items, size_t count,
                              cairn_exec_critical *path) {
  cairn_exec_event *event = NULL;
  size_t events = 0;
  cairn_base_execution outcome;
  cairn_status status = cairn_exec_trace(exec, id, &event, &events, &outcome);
  if (status == CAIRN_OK)
    status =
        cairn_exec__critical_find(program, items, count, event, events, path);
  cairn_base_free(event);
  return status;
}

cairn_status cairn_exec_critical_measure(cairn_exec *exec, uint64_t id,
                                         const cairn_dag_program *program,
                                         const cairn_dag_item *items,
                                         size_t count, unsigned traces,
                                         cairn_exec_critical *critical_p) {
  const size_t n = traces > 0 ? traces : 1;
  cairn_exec_critical *all = cairn_base_zalloc(n, sizeof *all);
  cairn_status status = all != NULL ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < n && status == CAIRN_OK; i++)
    status = trace_one(exec, id, program, items, count, &all[i]);
  if (status == CAIRN_OK) {
    qsort(all, n, sizeof *all, by_span);
    *critical_p = all[n / 2];
    all[n / 2] = (cairn_exec_critical){0};
  }
  for (size_t i = 0; i < n && all != NULL; i++)
    cairn_exec_critical_free(&all[i]);
  cairn_base_free(all);
  return status;
}

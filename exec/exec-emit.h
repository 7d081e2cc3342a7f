/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-emit.h - a schedule to take away: as C, and as a timeline.
 */
#ifndef CAIRN_EXEC_EMIT_H
#define CAIRN_EXEC_EMIT_H

#include <cairn/dag.h>

#include "exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Appends a C file with one function that makes the calls of a schedule, op by
 * op and sync by sync, each sync with a comment that says which edges it is
 * for; and, under CAIRN_EMIT_MAIN, a program around it that checks and times
 * it.  It needs <cairn/op.h>, the program's plugin, and CUDA or, with
 * -DCAIRN_EMIT_HOST, nothing instead.  The schedule must be legal.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_emit_c(const cairn_dag_program *program,
                                         const cairn_dag_item *items,
                                         size_t count, cairn_base_text *text);

/* Appends a trace in the JSON format of chrome://tracing and Perfetto: a
 * process a rank, in it a track for the control thread and one a stream;
 * arrows for launches, for the program's edges, and for messages (from each
 * post to the waits of all other ranks that it may match: who the peers are is
 * the plugin's affair).  `events` as from cairn_exec_trace.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_trace_json(
    const cairn_dag_program *program, const cairn_dag_item *items, size_t count,
    const cairn_exec_event *events, size_t events_count, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

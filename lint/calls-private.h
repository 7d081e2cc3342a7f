/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/calls-private.h - reading a captured log, for capture*.c only.
 *
 *   text ─► calls (capture-log.c) ─► items with ops (capture-map.c)
 *        ─► one iteration, joined or open (capture.c)
 */
#ifndef CAIRN_LINT_CALLS_PRIVATE_H
#define CAIRN_LINT_CALLS_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/lint.h>

typedef enum cairn_dag_call_kind {
  CAIRN_DAG_CALL_STREAM,      /* created: stream, value 1 = non-blocking */
  CAIRN_DAG_CALL_GPU,         /* name, stream */
  CAIRN_DAG_CALL_RECORD,      /* event, stream */
  CAIRN_DAG_CALL_HOST_WAIT,   /* event */
  CAIRN_DAG_CALL_STREAM_WAIT, /* stream, event */
  CAIRN_DAG_CALL_STREAM_SYNC, /* stream */
  CAIRN_DAG_CALL_DEVICE_SYNC,
  CAIRN_DAG_CALL_SEND, /* name, request */
  CAIRN_DAG_CALL_RECV, /* name, request */
  CAIRN_DAG_CALL_WAIT, /* name, requests */
  CAIRN_DAG_CALL_MPI,  /* name: blocking, or a collective */
  CAIRN_DAG_CALL_MARK  /* an iteration begins */
} cairn_dag_call_kind;

typedef struct cairn_dag_call {
  cairn_dag_call_kind kind;
  const char *name;                   /* in the text, NUL-terminated */
  char *requests;                     /* of a wait: the rest of the line */
  unsigned long stream, event, value; /* value: request */
  size_t line;
} cairn_dag_call;

typedef struct cairn_dag_calls {
  char *text; /* a copy, cut into words */
  cairn_dag_call *call;
  size_t count, capacity;
  unsigned rank;
} cairn_dag_calls;

cairn_status cairn_lint__calls_read(const char *path, const char *text,
                                    cairn_base_diag *diag,
                                    cairn_dag_calls *calls);
void cairn_lint__calls_free(cairn_dag_calls *calls);

/* An item with its line.  Ops: item.id; CAIRN_DAG_STEP_NONE: a mark.  Events
 * and streams still have the log's numbers. */
typedef struct cairn_dag_taken {
  uint8_t kind;
  unsigned long id, stream;
  size_t line;
} cairn_dag_taken;

typedef struct cairn_dag_takens {
  cairn_dag_taken *taken;
  size_t count, capacity;
} cairn_dag_takens;

/* mapped: by string of the map, zeroed; says what the log has for it. */
cairn_status
cairn_lint__calls_map(const cairn_dag_program *program, const char *path,
                      const cairn_dag_calls *calls, const char *const *map,
                      size_t maps, cairn_lint_mapped *mapped,
                      cairn_base_diag *diag, cairn_dag_takens *takens);

#endif

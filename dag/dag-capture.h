/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-capture.h - the log of a running application, as written by
 * libcairn-capture.so, turned into a sequence that the linter can judge.
 *
 * The log is text, one call a line, the first line "cairn-capture 1 ...".
 * Calls become ops of a program: a kernel or MPI call by its name, by a map
 * NAME=OP or NAME#K=OP (the K-th such call of an iteration, from 1).  Without
 * a map a call means the op of the same name; MPI_Irecv and its like mean the
 * only op that posts a receive, MPI_Isend the only one that posts a send; and
 * a wait means the op that waits for the message of the request.  Calls one
 * after another that mean the same op are one op.
 */
#ifndef CAIRN_DAG_CAPTURE_H
#define CAIRN_DAG_CAPTURE_H

#include "dag-schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_DAG_CAPTURE_NO_ITERATION ((size_t)-1)

typedef struct cairn_dag_capture {
  cairn_dag_item *items; /* one iteration, kinds as in dag-lint.h */
  size_t *line;          /* by item: line in the log; 0: added by the reader */
  size_t count;
  int open;          /* 1: does not end with a full join; no start, end */
  size_t iteration;  /* which one, from 0 */
  size_t iterations; /* how many the log holds */
  size_t different;  /* of these, how many issue other items */
  unsigned rank;
} cairn_dag_capture;

/* 1 when the text is such a log. */
CAIRN_API int cairn_dag_capture_is(const char *text);

/* Reads one iteration of a log: `iteration`, from 0, or
 * CAIRN_DAG_CAPTURE_NO_ITERATION for one in the middle.  map: "NAME=OP"
 * strings.  Calls that mean no op are ignored, with a note for each name.
 * CAIRN_INPUT with messages; CAIRN_USAGE for a map that names no op.  Free
 * with cairn_dag_capture_free. */
CAIRN_API cairn_status cairn_dag_capture_read(
    const cairn_dag_program *program, const char *path, const char *text,
    const char *const *map, size_t maps, size_t iteration,
    cairn_base_diag *diag, cairn_dag_capture **capture_p);
CAIRN_API void cairn_dag_capture_free(cairn_dag_capture *capture);

#ifdef __cplusplus
}
#endif
#endif

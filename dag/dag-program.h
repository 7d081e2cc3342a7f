/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-program.h - a program: a DAG of CPU and GPU operations.
 *
 * Built by adding ops and edges, then sealed once: sealing adds the artificial
 * start (id 0) and end (the last id, a CPU op), connects them, and checks.
 * Ops between them keep the order of adding.  A sealed program never changes,
 * apart from parameter values.
 */
#ifndef CAIRN_DAG_PROGRAM_H
#define CAIRN_DAG_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Limits; messages name them. */
#define CAIRN_DAG_MAX_OPS 4096   /* user ops, start and end not counted */
#define CAIRN_DAG_MAX_STREAMS 32
#define CAIRN_DAG_MAX_EDGES 1000000
#define CAIRN_DAG_MAX_NAME 255   /* bytes */

typedef enum cairn_dag_op_kind { CAIRN_DAG_CPU, CAIRN_DAG_GPU } cairn_dag_op_kind;

typedef struct cairn_dag_program cairn_dag_program;

/* A list of names; in results the strings belong to the program. */
typedef struct cairn_dag_names {
  const char *const *name;
  size_t count;
} cairn_dag_names;

/* What an op is.  As argument of add_op all strings are copied; as result of
 * cairn_dag_program_op they belong to the program. */
typedef struct cairn_dag_op {
  const char *name;      /* unique; [A-Za-z_][A-Za-z0-9_.]*, not reserved */
  cairn_dag_op_kind kind;
  const char *call;      /* plugin function; NULL as argument: same as name */
  const char *arg;       /* string handed to the function, or NULL */
  cairn_dag_names posts; /* messages it starts */
  cairn_dag_names from;  /* per post of a receive: the peers' matching post;
                            empty, or one for all posts, or one each */
  cairn_dag_names waits; /* messages it completes */
  cairn_dag_names reads, writes; /* buffers it touches, if declared */
  const char *file;      /* where it stands, or NULL */
  size_t line;           /* 1-based, 0 unknown */
} cairn_dag_op;

typedef struct cairn_dag_param {
  const char *name, *value;
} cairn_dag_param;

/* An empty, unsealed program; free with cairn_dag_program_free.
 * CAIRN_NOMEM, CAIRN_INPUT (bad name). */
CAIRN_API cairn_status cairn_dag_program_create(const char *name,
                                                cairn_dag_program **program_p);
CAIRN_API void cairn_dag_program_free(cairn_dag_program *program);

/* Adds an op; *id_p is its final id (1, 2, ... in the order of adding).
 * CAIRN_INPUT with a message for a bad, reserved or repeated name or too many
 * ops; CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_dag_program_add_op(cairn_dag_program *program,
                                                const cairn_dag_op *op,
                                                cairn_base_diag *diag,
                                                unsigned *id_p);
/* Adds the edge before -> after; repeated edges are kept once. */
CAIRN_API cairn_status cairn_dag_program_add_edge(cairn_dag_program *program,
                                                  unsigned before,
                                                  unsigned after,
                                                  cairn_base_diag *diag);
/* Declares a parameter with its default value. */
CAIRN_API cairn_status cairn_dag_program_add_param(cairn_dag_program *program,
                                                   const char *name,
                                                   const char *value,
                                                   cairn_base_diag *diag);
/* Overrides a declared parameter; allowed after sealing too.  CAIRN_USAGE with
 * a message ("did you mean") when it is not declared. */
CAIRN_API cairn_status cairn_dag_program_set_param(cairn_dag_program *program,
                                                   const char *name,
                                                   const char *value,
                                                   cairn_base_diag *diag);
CAIRN_API cairn_status cairn_dag_program_set_plugin(cairn_dag_program *program,
                                                    const char *library);
/* Default number of streams, 1..CAIRN_DAG_MAX_STREAMS. */
CAIRN_API cairn_status cairn_dag_program_set_streams(cairn_dag_program *program,
                                                     unsigned streams);

/* Adds start and end and checks: at least one op, no cycle (named in the
 * message), every message posted that is waited for, every `from` posted.
 * CAIRN_INPUT with messages; the program is then unusable but can be freed. */
CAIRN_API cairn_status cairn_dag_program_seal(cairn_dag_program *program,
                                              cairn_base_diag *diag);

CAIRN_API const char *cairn_dag_program_name(const cairn_dag_program *program);
/* Plugin library as written in the file, or NULL. */
CAIRN_API const char *cairn_dag_program_plugin(const cairn_dag_program *program);
CAIRN_API unsigned cairn_dag_program_streams(const cairn_dag_program *program);
/* Ops of a sealed program, start and end included (>= 3). */
CAIRN_API unsigned cairn_dag_program_ops(const cairn_dag_program *program);
CAIRN_API unsigned cairn_dag_program_gpu_ops(const cairn_dag_program *program);
CAIRN_API const cairn_dag_op *
cairn_dag_program_op(const cairn_dag_program *program, unsigned id);
/* Id of a name ("start" and "end" included), or UINT_MAX. */
CAIRN_API unsigned cairn_dag_program_find(const cairn_dag_program *program,
                                          const char *name);
/* Direct predecessors / successors, ascending ids, start and end included. */
CAIRN_API const unsigned *
cairn_dag_program_preds(const cairn_dag_program *program, unsigned id,
                        size_t *count_p);
CAIRN_API const unsigned *
cairn_dag_program_succs(const cairn_dag_program *program, unsigned id,
                        size_t *count_p);
CAIRN_API const cairn_dag_param *
cairn_dag_program_params(const cairn_dag_program *program, size_t *count_p);
/* XXH3-128 in hex (32 digits) over names, kinds, calls, args, edges and
 * messages; parameter values, file and line do not count. */
CAIRN_API const char *cairn_dag_program_digest(const cairn_dag_program *program);
/* The same of names, kinds and edges of the user's ops alone; their order in
 * the file does not count. */
CAIRN_API const char *cairn_dag_program_graph(const cairn_dag_program *program);

/* The most items that a schedule of this program on `streams` streams can
 * have. */
CAIRN_API size_t cairn_dag_program_max_items(const cairn_dag_program *program,
                                             unsigned streams);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-origin.h - do two runs come from the same thing?
 *
 * Results may be taken together when they are of one program (its operations,
 * their kinds and its edges; not its name, calls or arguments), with the same
 * parameters, ranks, devices, backend and objective.  What a header does not
 * tell (an imported table names no program, ranks or parameters) equals
 * anything; operations and kinds are then those of the schedules.
 */
#ifndef CAIRN_DAG_ORIGIN_H
#define CAIRN_DAG_ORIGIN_H

#include "dag-journal.h"
#include "dag-program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_dag_origin {
  CAIRN_DAG_ORIGIN_SAME,
  CAIRN_DAG_ORIGIN_CONDITIONS, /* parameters, ranks, devices, backend or
                                  objective differ */
  CAIRN_DAG_ORIGIN_PROGRAM     /* operations, kinds or edges differ */
} cairn_dag_origin;

/* Compares two runs.  objective: the one asked for, which then counts for both;
 * NULL: each run's own.  When they differ, what does is appended to words as
 * in "parameter rows is 400 and 9000, ranks is 1 and 2": first a's, then b's.
 * CAIRN_NOMEM; CAIRN_INPUT: a schedule cannot be read (in diag). */
CAIRN_API cairn_status cairn_dag_origin_compare(
    const cairn_dag_run *a, const cairn_dag_run *b, const char *objective,
    cairn_base_diag *diag, cairn_dag_origin *origin_p, cairn_base_text *words);

/* Is a run of this program?  Parameters and the rest do not count. */
CAIRN_API cairn_status
cairn_dag_origin_of_program(const cairn_dag_run *run,
                            const cairn_dag_program *program,
                            cairn_base_diag *diag, cairn_dag_origin *origin_p,
                            cairn_base_text *words);

/* The backend that took the times: that of the recorded run for a replay; NULL
 * when it is not known. */
CAIRN_API const char *cairn_dag_origin_backend(const cairn_dag_header *header);

#ifdef __cplusplus
}
#endif
#endif

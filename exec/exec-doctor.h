/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-doctor.h - is this a place where measuring makes sense?  Looks at
 * launcher, MPI, GPUs, binding, clocks and shared memory, on all ranks.
 */
#ifndef CAIRN_EXEC_DOCTOR_H
#define CAIRN_EXEC_DOCTOR_H

#include "exec-world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_exec_grade {
  CAIRN_EXEC_GOOD,
  CAIRN_EXEC_NOTE,   /* times may suffer, or something is not known */
  CAIRN_EXEC_PROBLEM /* wrong or worthless results, or none */
} cairn_exec_grade;

typedef struct cairn_exec_finding {
  cairn_exec_grade grade;
  const char *topic; /* "launcher", "MPI", "GPU", ... */
  char text[512];    /* what was found */
  char fix[512];     /* what to do, "" when nothing */
} cairn_exec_finding;

/* The findings of all ranks, on rank 0, in an array to free with
 * cairn_base_free; NULL and 0 elsewhere.  Collective.  CAIRN_NOMEM, CAIRN_ENV.
 */
CAIRN_API cairn_status cairn_exec_examine(cairn_exec_world *world,
                                          cairn_exec_finding **finding_p,
                                          size_t *count_p);

#ifdef __cplusplus
}
#endif
#endif

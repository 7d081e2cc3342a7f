/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-space.h - the whole space of a program: enumerate, count, sample.
 *
 * The space (sync mode tidy) is the set of canonical schedules: complete
 * prefixes, renamed, tidied, each once.  Sync mode minimal: those, each
 * minimized, each once.
 */
#ifndef CAIRN_DAG_SPACE_H
#define CAIRN_DAG_SPACE_H

#include "dag-schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_dag_sync {
  CAIRN_DAG_SYNC_TIDY,
  CAIRN_DAG_SYNC_MINIMAL
} cairn_dag_sync;

/* Called for each schedule, in a fixed order; a non-zero return stops. */
typedef int (*cairn_dag_visit)(void *context, const cairn_dag_item *items,
                               size_t count);

/* Visits every schedule of the space once.  Returns CAIRN_OK, or what ended it
 * early (CAIRN_NOMEM); a stop by the visitor is CAIRN_OK. */
CAIRN_API cairn_status cairn_dag_space_enumerate(
    const cairn_dag_program *program, unsigned streams, cairn_dag_sync sync,
    cairn_dag_visit visit, void *context);

/* A count, exact or estimated. */
typedef struct cairn_dag_size {
  double count; /* exact when `exact` and below 2^53; may be INFINITY */
  int exact;
  double low, high; /* 95 % interval of an estimate; = count when exact */
  /* Of count, low, high: also where they are beyond a double. */
  double log10, log10_low, log10_high;
} cairn_dag_size;

/* Topological orders of the ops (no syncs); partitions of the GPU ops into at
 * most `streams` streams; schedules.  Exact within a budget of work that takes
 * well under a second, estimated otherwise (seeded, so repeatable). */
CAIRN_API cairn_status cairn_dag_space_orders(const cairn_dag_program *program,
                                              cairn_dag_size *size_p);
CAIRN_API cairn_status cairn_dag_space_partitions(
    const cairn_dag_program *program, unsigned streams, cairn_dag_size *size_p);
CAIRN_API cairn_status cairn_dag_space_size(const cairn_dag_program *program,
                                            unsigned streams,
                                            cairn_dag_sync sync, uint64_t seed,
                                            cairn_dag_size *size_p);

#ifdef __cplusplus
}
#endif
#endif

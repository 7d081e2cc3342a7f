/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/prove-private.h - the happens-before checker.
 *
 * Order known: host issue order (an item is issued after those before it; a
 * CPU op also ends before the next item is issued), stream order, record ->
 * wait, and MPI post -> wait.  A schedule is legal when for every edge a->b of
 * the program the completion of a happens before the start of b.  Vector
 * clocks over (host, streams), one pass.
 */
#ifndef CAIRN_DAG_PROVE_PROVE_PRIVATE_H
#define CAIRN_DAG_PROVE_PROVE_PRIVATE_H

#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

typedef struct cairn_dag_prover cairn_dag_prover;

/* A reusable workspace for one program; free with cairn_dag__prover_free. */
cairn_status cairn_dag__prover_create(const cairn_dag_program *program,
                                      cairn_dag_prover **prover_p);
void cairn_dag__prover_free(cairn_dag_prover *prover);

/* 1 when the schedule is complete, well-formed, and covers every edge.  No
 * allocation; under 2 us for ten ops. */
int cairn_dag__prover_legal(cairn_dag_prover *prover,
                            const cairn_dag_item *items, size_t count);

/* 1 when the schedule can hang: all ranks issue it, and an op waits for a
 * message before the post of it, or before the post that matches it on the
 * peers, is issued.  Legal schedules of a program without deadlocks (see
 * dag-lint.h) never do.  No allocation. */
int cairn_dag__prover_hangs(cairn_dag_prover *prover,
                            const cairn_dag_item *items, size_t count);

/* As cairn_dag__schedule_minimize, with the prover's workspace: no allocation.
 * Returns the new count.  A schedule that is not legal is only tidied. */
size_t cairn_dag__prover_minimize(cairn_dag_prover *prover,
                                  cairn_dag_item *items, size_t count);

/* Tidies, then drops waits, last to first, without which every edge of the
 * program stays covered, then records nobody waits for; renumbers.  Returns
 * the new count.  CAIRN_NOMEM for the workspace. */
cairn_status cairn_dag__schedule_minimize(const cairn_dag_program *program,
                                          cairn_dag_item *items, size_t count,
                                          size_t *count_p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/neighbours-private.h - which schedules of a set are neighbours of
 * each other.
 *
 * The relation is symmetric and is read off two schedules alone.  The residual
 * of a schedule without some ops is what is left when these ops go, the waits
 * all of whose served edges (dag-schedule.h) touch them, and the records that
 * nobody waits for then; renumbered.  A wait that serves no edge goes too.
 *
 * swap:   the same partition of the GPU ops into streams; the orders of the
 *         ops differ by one exchange of two ops next to each other, and the
 *         residuals without these two are equal.
 * stream: the same order of the ops; the partitions differ, and the residuals
 *         without one GPU op are equal.
 * sync:   two items next to each other are exchanged, at least one of them a
 *         sync.
 *
 * Two schedules are neighbours by one kind at most.  (dag-moves.h generates
 * the neighbours that a local search tries, members of a set or not; those
 * relations are wider, and need not be symmetric.)
 */
#ifndef CAIRN_DAG_SPACE_NEIGHBOURS_PRIVATE_H
#define CAIRN_DAG_SPACE_NEIGHBOURS_PRIVATE_H

#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

/* Finds all pairs of neighbours, of the kinds in the mask, among schedules of
 * one program: complete, canonical, no two equal, fewer than 2^32.  Near linear
 * in their number and in the pairs found.  CAIRN_NOMEM. */
cairn_status cairn_dag__neighbours_find(const cairn_dag_program *program,
                                        const cairn_dag_schedule *schedule,
                                        size_t count, unsigned kinds,
                                        cairn_dag_neighbours *neighbours_p);
/* The same for a few of them: row r holds the neighbours of vertex which[r]
 * (`rows` different ones).  One pass over the set, in little memory. */
cairn_status cairn_dag__neighbours_of(const cairn_dag_program *program,
                                      const cairn_dag_schedule *schedule,
                                      size_t count, unsigned kinds,
                                      const uint32_t *which, size_t rows,
                                      cairn_dag_neighbours *neighbours_p);
void cairn_dag__neighbours_free(cairn_dag_neighbours *neighbours);

#endif

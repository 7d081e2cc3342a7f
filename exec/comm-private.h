/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/comm-private.h - what the rest of exec needs from the ranks beyond
 * <cairn/exec.h>.  Internal.  No MPI type appears here; comm-mpi.c is the only
 * file that includes mpi.h.
 *
 * All calls are collective unless said otherwise.  Waits poll and give the
 * core away.  A failing control call cannot be agreed on by the means that
 * just failed: it is logged with call and rank, and ends the job when there
 * are other ranks (they would wait for ever), else CAIRN_ENV is returned.
 */
#ifndef CAIRN_EXEC_COMM_PRIVATE_H
#define CAIRN_EXEC_COMM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "exec/platform-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

/* Bytes of rank `root` to all. */
cairn_status cairn_exec__comm_bcast(cairn_exec_world *world, void *data,
                                    size_t length, int root);
/* The same, for a rank that may wait long: after a while the wait sleeps
 * between looks, so that an idle rank costs nothing. */
cairn_status cairn_exec__comm_bcast_idle(cairn_exec_world *world, void *data,
                                         size_t length, int root);
/* Element-wise maximum over ranks, in place. */
cairn_status cairn_exec__comm_max(cairn_exec_world *world, int64_t *values,
                                  size_t count);
/* All ranks' `length` bytes, by rank, into `all` on rank 0 (unused elsewhere).
 */
cairn_status cairn_exec__comm_gather(cairn_exec_world *world, const void *mine,
                                     size_t length, void *all);
cairn_status cairn_exec__comm_barrier(cairn_exec_world *world);
/* The worst status of all ranks (see cairn_exec_world_agree, which also shares
 * the message). */
cairn_status cairn_exec__comm_worst(cairn_exec_world *world,
                                    cairn_status status);
/* Is the value the same on all ranks? */
cairn_status cairn_exec__comm_same(cairn_exec_world *world, uint64_t value,
                                   int *same_p);

/* Not collective: the communicator for user ops (points to an MPI_Comm). */
const void *cairn_exec__comm_user(const cairn_exec_world *world);
/* Not collective. */
cairn_exec_place cairn_exec__comm_place(const cairn_exec_world *world);
/* Not collective: can MPI take device pointers?  Why (not), in words. */
int cairn_exec__comm_gpu_aware(char *reason, size_t size);
/* Not collective: rank in the world of a local rank. */
int cairn_exec__comm_local(const cairn_exec_world *world, int local_rank);

/* Not collective, for tests: receives a message that nobody sends. */
void cairn_exec__comm_deadlock(cairn_exec_world *world);

/* Zeroed memory of at least *length bytes a rank, shared by the ranks of this
 * host where possible, and backed by a file of the black box if there is one;
 * freed with the world.  *base_p[i] is local rank i's part; *shared_p is 0
 * when it is private: then only this rank's part is known and the others' are
 * NULL.  A second call returns the first one's memory, and its length. */
cairn_status cairn_exec__comm_board(cairn_exec_world *world, size_t *length,
                                    void ***base_p, int *shared_p);

/* blackbox.c; not collective.  The file of the host whose lowest rank is
 * `leader`, mapped: created with this size, or as another rank has created it.
 * NULL: no black box is kept. */
void *cairn_exec__blackbox_map(int leader, size_t size, int create);
/* What is closed when this rank dies, if not before: a file, or -1. */
int cairn_exec__blackbox_live(int rank);

#endif

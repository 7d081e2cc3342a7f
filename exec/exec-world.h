/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-world.h - the ranks.
 *
 * A world is what stands between cairn and MPI.  It works on its own duplicate
 * of a communicator, returns errors instead of dying, and waits by polling, so
 * that ranks that share a core do not starve each other.
 *
 * Calls marked "collective" are made by all ranks, in the same order.  What
 * all ranks must know is agreed: they return the same status on all ranks.
 */
#ifndef CAIRN_EXEC_WORLD_H
#define CAIRN_EXEC_WORLD_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_exec_world cairn_exec_world;

/* Initialises MPI (FUNNELED) unless the application has done so.  comm points
 * to an MPI_Comm to work on (duplicated, not kept), or is NULL for
 * MPI_COMM_WORLD.  Sets the rank tag of the log when there are several.
 * Collective.  CAIRN_ENV with a message.  Close with cairn_exec_world_close. */
CAIRN_API cairn_status cairn_exec_world_open(const void *comm,
                                             cairn_base_diag *diag,
                                             cairn_exec_world **world_p);
/* Frees the world; finalises MPI if cairn_exec_world_open initialised it.
 * Collective.  NULL is fine. */
CAIRN_API void cairn_exec_world_close(cairn_exec_world *world);

CAIRN_API int cairn_exec_world_rank(const cairn_exec_world *world);
CAIRN_API int cairn_exec_world_size(const cairn_exec_world *world);
/* Ranks on this host, and this rank's number among them. */
CAIRN_API int cairn_exec_world_local_rank(const cairn_exec_world *world);
CAIRN_API int cairn_exec_world_local_size(const cairn_exec_world *world);
/* Distinct host names in the order of ranks; known on all ranks. */
CAIRN_API size_t cairn_exec_world_hosts(const cairn_exec_world *world,
                                        const char *const **host_p);
/* Version text of the MPI library, one line, and "mpich" or "openmpi". */
CAIRN_API const char *cairn_exec_world_library(const cairn_exec_world *world);
CAIRN_API const char *cairn_exec_world_flavour(void);

/* The worst status of all ranks (the highest value; 0 only if all are CAIRN_OK)
 * on all ranks.  When it is not CAIRN_OK and diag of rank 0 holds no error,
 * the first error in the diag of the lowest failing rank is added to it.
 * Collective. */
CAIRN_API cairn_status cairn_exec_world_agree(cairn_exec_world *world,
                                              cairn_status status,
                                              cairn_base_diag *diag);
/* CAIRN_ENV with a message that says what to do when the launcher says that it
 * has started more processes than this world, of all of MPI's, has: then each
 * process runs alone.  Collective. */
CAIRN_API cairn_status cairn_exec_world_whole(cairn_exec_world *world,
                                              cairn_base_diag *diag);
/* Rank 0's bytes on all ranks: on rank 0 *data_p and *length_p are read, on
 * the others written (NUL-terminated after the data; free with
 * cairn_base_free).  Collective. */
CAIRN_API cairn_status cairn_exec_world_share(cairn_exec_world *world,
                                              char **data_p, size_t *length_p);

/* Ends the whole job with this code, from any thread; does not return. */
CAIRN_API void cairn_exec_world_abort(cairn_exec_world *world, int code);

/* ---- what a launcher says ---- */

/* The value of a variable, NULL when it is not set; `from` is passed on. */
typedef const char *(*cairn_exec_variable)(void *from, const char *name);
/* getenv. */
CAIRN_API const char *cairn_exec_getenv(void *from, const char *name);
/* Processes that a launcher says it has started in this step; 0 unknown.  This
 * and the next look at nothing but the variables. */
CAIRN_API int cairn_exec_launched_in(cairn_exec_variable get, void *from);
/* The number that a launcher gave this process, when what connects to that
 * launcher is there too, and 0 else: a number alone is left in the environment
 * of programs that are no MPI job. */
CAIRN_API int cairn_exec_rank_in(cairn_exec_variable get, void *from);

#ifdef __cplusplus
}
#endif
#endif

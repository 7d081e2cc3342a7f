/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/world-private.h - the ranks.
 *
 * What the library itself needs beyond <cairn/exec.h>.
 */
#ifndef CAIRN_EXEC_WORLD_PRIVATE_H
#define CAIRN_EXEC_WORLD_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/exec.h>

/* Ranks on this host, and this rank's number among them. */
int cairn_exec__world_local_rank(const cairn_exec_world *world);
int cairn_exec__world_local_size(const cairn_exec_world *world);
/* Distinct host names in the order of ranks; known on all ranks. */
size_t cairn_exec__world_hosts(const cairn_exec_world *world,
                               const char *const **host_p);
/* Version text of the MPI library, one line, and "mpich" or "openmpi". */
const char *cairn_exec__world_library(const cairn_exec_world *world);
const char *cairn_exec__world_flavour(void);

/* Rank 0's bytes on all ranks: on rank 0 *data_p and *length_p are read, on
 * the others written (NUL-terminated after the data; free with
 * cairn_base_free).  Collective. */
cairn_status cairn_exec__world_share(cairn_exec_world *world, char **data_p,
                                     size_t *length_p);

/* Ends the whole job with this code, from any thread; does not return. */
void cairn_exec__world_abort(cairn_exec_world *world, int code);

/* The value of a variable, NULL when it is not set; `from` is passed on. */
typedef const char *(*cairn_exec_variable)(void *from, const char *name);
/* getenv. */
const char *cairn_exec__getenv(void *from, const char *name);
/* Processes that a launcher says it has started in this step; 0 unknown.  This
 * and the next look at nothing but the variables. */
int cairn_exec__launched_in(cairn_exec_variable get, void *from);
/* The number that a launcher gave this process, when what connects to that
 * launcher is there too, and 0 else: a number alone is left in the environment
 * of programs that are no MPI job. */
int cairn_exec__rank_in(cairn_exec_variable get, void *from);

#endif

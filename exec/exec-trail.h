/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-trail.h - where each rank stands, for whoever outlives it.
 *
 * A supervisor makes an empty folder and names it in the environment of the
 * job (CAIRN_EXEC_TRAIL).  Executors of its host keep there what their
 * watchdogs look at, in memory that a file backs, so it is still there when
 * the ranks are not:
 *
 *   ranks-L    a part for each rank of the host whose lowest rank is L
 *   ops-L      the names of the operations, in the order of their ids
 *   alive-R    an empty file that rank R holds open for writing while it lives
 *
 * Where there is no such folder (other hosts) nothing is kept, and nobody
 * minds.  Nothing is written in timed code that would not be written anyway.
 */
#ifndef CAIRN_EXEC_TRAIL_H
#define CAIRN_EXEC_TRAIL_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_EXEC_TRAIL "CAIRN_TRAIL"    /* environment: the folder */
#define CAIRN_EXEC_TRAIL_ALIVE "alive-%d" /* name of a rank's */

/* One rank, as it stood last. */
typedef struct cairn_exec_stand {
  int rank, ranks; /* number; of how many in the whole job */
  uint64_t id;     /* of the schedule that it ran last; UINT64_MAX: none */
  int signal;      /* that cairn_exec_dying was told, 0 none */
  int hung;        /* its watchdog has fired */
  int suspended;   /* it had, for a rank that was stopped */
  int closed;      /* it had closed its executor */
} cairn_exec_stand;

typedef struct cairn_exec_trail cairn_exec_trail;

/* What the folder holds, by rank; files that make no sense are left out, so
 * there may be no ranks.  For jobs that have ended.  CAIRN_NOMEM.  Free with
 * cairn_exec_trail_free. */
CAIRN_API cairn_status cairn_exec_trail_read(const char *folder,
                                             cairn_exec_trail **trail_p);
CAIRN_API void
cairn_exec_trail_free(cairn_exec_trail *trail); /* NULL is fine */
CAIRN_API size_t cairn_exec_trail_ranks(const cairn_exec_trail *trail);
CAIRN_API cairn_exec_stand cairn_exec_trail_stand(const cairn_exec_trail *trail,
                                                  size_t i);
/* "yl@0 runs (item 3 of 9), the host stands at Wait (item 5 of 9, iteration
 * 0)" */
CAIRN_API void cairn_exec_trail_text(const cairn_exec_trail *trail, size_t i,
                                     char *text, size_t size);

struct cairn_exec;
/* For a handler of SIGSEGV and its kin, which must end the process afterwards;
 * async-signal-safe.  Notes the signal and prints one line on standard error
 * that says where this rank stands; further calls do nothing. */
CAIRN_API void cairn_exec_dying(struct cairn_exec *exec, int signal);
/* For a handler of atexit: 1 when the plugin's code has called exit, then this
 * is noted and told as above, with CAIRN_EXEC_EXITED for the signal. */
#define CAIRN_EXEC_EXITED (-1)
CAIRN_API int cairn_exec_leaving(struct cairn_exec *exec);

#ifdef __cplusplus
}
#endif
#endif

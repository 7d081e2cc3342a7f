/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/blackbox-private.h - where each rank stands, for whoever outlives it.
 *
 * What the library itself needs beyond <cairn/exec.h>.
 */
#ifndef CAIRN_EXEC_BLACKBOX_PRIVATE_H
#define CAIRN_EXEC_BLACKBOX_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/exec.h>

#define CAIRN_EXEC_BLACKBOX "CAIRN_TRAIL"    /* environment: the folder */
#define CAIRN_EXEC_BLACKBOX_ALIVE "alive-%d" /* name of a rank's */

/* One rank, as it stood last. */
typedef struct cairn_exec_whereabouts {
  int rank, ranks; /* number; of how many in the whole job */
  uint64_t id;     /* of the schedule that it ran last; UINT64_MAX: none */
  int signal;      /* that cairn_exec_dying was told, 0 none */
  int hung;        /* its watchdog has fired */
  int suspended;   /* it had, for a rank that was stopped */
  int closed;      /* it had closed its executor */
} cairn_exec_whereabouts;

typedef struct cairn_exec_blackbox cairn_exec_blackbox;

/* What the folder holds, by rank; files that make no sense are left out, so
 * there may be no ranks.  For jobs that have ended.  CAIRN_NOMEM.  Free with
 * cairn_exec__blackbox_free. */
cairn_status cairn_exec__blackbox_read(const char *folder,
                                       cairn_exec_blackbox **box_p);
void cairn_exec__blackbox_free(cairn_exec_blackbox *box); /* NULL is fine */
size_t cairn_exec__blackbox_ranks(const cairn_exec_blackbox *box);
cairn_exec_whereabouts cairn_exec__blackbox_rank(const cairn_exec_blackbox *box,
                                                 size_t i);
/* "yl@0 runs (item 3 of 9), the host stands at Wait (item 5 of 9, iteration
 * 0)" */
void cairn_exec__blackbox_text(const cairn_exec_blackbox *box, size_t i,
                               char *text, size_t size);

#endif

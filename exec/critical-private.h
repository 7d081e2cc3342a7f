/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/critical-private.h - the critical path of one traced execution.
 */
#ifndef CAIRN_EXEC_CRITICAL_PRIVATE_H
#define CAIRN_EXEC_CRITICAL_PRIVATE_H

#include <cairn/exec.h>

/* Works out the path of one traced execution (`events` as from
 * cairn_exec_trace) of a legal schedule.  Who receives from whom is the
 * plugin's affair: a message is taken to come from that other rank which
 * posted last before the wait ended.  Times a little out of order, as clocks of
 * device and host are, are clipped.  Free with cairn_exec_critical_free.
 * CAIRN_NOMEM; CAIRN_INPUT: an event is missing. */
cairn_status cairn_exec__critical_find(const cairn_dag_program *program,
                                       const cairn_dag_item *items,
                                       size_t count,
                                       const cairn_exec_event *events,
                                       size_t events_count,
                                       cairn_exec_critical *critical_p);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/deadlock-show.c - a schedule that hangs.
 */
#include "dag/program/reach-private.h"
#include "dag/space/walk-private.h"

/* Issues, again and again, the lowest ready op that `wait` needs (needed: only
 * ancestors of wait) or, later, any. */
static size_t issue_all(cairn_dag_walk *walk, const cairn_dag_reach *reach,
                        unsigned wait, int only_needed) {
  size_t issued = 0;
  for (int more = 1; more;) {
    more = 0;
    size_t count;
    const unsigned *const ready = cairn_dag__walk_ready(walk, &count);
    for (size_t i = 0; i < count && !more; i++)
      if (!only_needed || cairn_dag__reaches(reach, ready[i], wait))
        more = cairn_dag__walk_issue(walk, ready[i], 0) > 0;
    issued += (size_t)more;
  }
  return issued;
}

cairn_status cairn_dag_deadlock_show(const cairn_dag_program *program,
                                     const cairn_dag_deadlock *deadlock,
                                     cairn_dag_schedule *schedule) {
  cairn_dag_reach reach;
  cairn_dag_walk *walk;
  cairn_status status = cairn_dag__reach_create(program, &reach);
  if (status != CAIRN_OK)
    return status;
  status = cairn_dag__walk_create(program, 1, &walk);
  if (status == CAIRN_OK) {
    issue_all(walk, &reach, deadlock->wait, 1);
    issue_all(walk, &reach, deadlock->wait, 0);
    size_t count;
    const cairn_dag_item *const items = cairn_dag__walk_items(walk, &count);
    status = cairn_dag_schedule_set(schedule, items, count);
    cairn_dag__walk_free(walk);
  }
  cairn_dag__reach_free(&reach);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/program-order.c - ops in the order of the program file.
 */
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"

cairn_status cairn_dag_schedule_program_order(const cairn_dag_program *program,
                                              cairn_dag_schedule *schedule) {
  cairn_dag_walk *walk;
  const cairn_dag_item *items;
  size_t count;
  cairn_status status = cairn_dag__walk_create(program, 1, &walk);
  if (status != CAIRN_OK)
    return status;
  while (!cairn_dag__walk_complete(walk)) {
    size_t ready;
    const unsigned *const ids = cairn_dag__walk_ready(walk, &ready);
    cairn_dag__walk_issue(walk, ids[0], 0);
  }
  items = cairn_dag__walk_items(walk, &count);
  status = cairn_dag_schedule_set(schedule, items, count);
  cairn_dag__walk_free(walk);
  if (status == CAIRN_OK)
    schedule->count =
        cairn_dag__schedule_tidy(schedule->items, schedule->count);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/store.c - prepared schedules by id.  Only the items are kept (four
 * bytes each), so that many thousand schedules can stay ready; they are
 * compiled when they are selected (run.c), outside timed code.
 */
#include "exec/store-private.h"
#include <cairn/exec.h>

#include <string.h>

cairn_exec_schedule *cairn_exec__store_find(const cairn_exec *exec,
                                            uint64_t id) {
  cairn_exec_schedule *found = NULL;
  HASH_FIND(hh, exec->schedules, &id, sizeof id, found);
  return found;
}

cairn_status cairn_exec__store_put(cairn_exec *exec, uint64_t id,
                                   const cairn_dag_item *items, size_t count) {
  cairn_exec_schedule *schedule =
      cairn_base_alloc(1, sizeof *schedule + count * sizeof(cairn_dag_item));
  if (schedule == NULL)
    return CAIRN_NOMEM;
  cairn_exec__store_drop(exec, id);
  schedule->id = id;
  schedule->count = count;
  schedule->first_ns = 0;
  memcpy(schedule->items, items, count * sizeof *items);
  int failed = 0;
#undef uthash_nonfatal_oom
#define uthash_nonfatal_oom(element) (failed = 1)
  HASH_ADD(hh, exec->schedules, id, sizeof schedule->id, schedule);
  if (failed) {
    cairn_base_free(schedule);
    return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

static void drop(cairn_exec *exec, cairn_exec_schedule *schedule) {
  if (exec->flat.items == schedule->items) {
    exec->flat.id = CAIRN_EXEC_NO_ID;
    exec->flat.items = NULL;
    exec->flat.count = exec->flat.item_count = 0;
  }
  HASH_DELETE(hh, exec->schedules, schedule);
  cairn_base_free(schedule);
}

void cairn_exec__store_drop(cairn_exec *exec, uint64_t id) {
  cairn_exec_schedule *schedule = cairn_exec__store_find(exec, id);
  if (schedule)
    drop(exec, schedule);
}

void cairn_exec__store_clear(cairn_exec *exec) {
  cairn_exec_schedule *schedule, *next;
  HASH_ITER(hh, exec->schedules, schedule, next) { drop(exec, schedule); }
}

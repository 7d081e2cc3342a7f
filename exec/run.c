/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/run.c - one schedule on this rank: compiled into a flat array of
 * commands, then executed by walking the array.
 *
 * An item costs a store (progress), an indirect call, and the backend's own
 * work.  A failing op or backend call is noted and the walk goes on: peers may
 * wait for the messages of later items.  Events are used afresh in every
 * execution, and no execution begins before the last has ended on this rank:
 * `end` is issued when all work is complete, in a schedule that the checker
 * accepts; for others (allow_illegal) a join follows `end`.
 */
#include "exec/store-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>

/* ---- the steps ---- */

static int step_nothing(const cairn_exec_command *c) {
  (void)c;
  return 0;
}

static int step_cpu(const cairn_exec_command *c) {
  const int code = c->call.run(c->call.state, c->call.arg, NULL);
  if (code)
    cairn_exec_fault_note(c->fault, c->call.item, code);
  return 0;
}

static int step_gpu(const cairn_exec_command *c) {
  return c->backend->launch(c->platform, c->stream, &c->call);
}

static int step_cer(const cairn_exec_command *c) {
  return c->backend->record(c->platform, c->event, c->stream);
}

static int step_ces(const cairn_exec_command *c) {
  return c->backend->sync_event(c->platform, c->event);
}

static int step_csw(const cairn_exec_command *c) {
  return c->backend->wait_event(c->platform, c->stream, c->event);
}

static int step_join(const cairn_exec_command *c) {
  return c->backend->join(c->platform);
}

/* ---- compiling ---- */

static cairn_exec_command compile(const cairn_exec *exec, cairn_dag_item item,
                                  uint32_t position) {
  cairn_exec_command c = {.step = step_nothing,
                          .backend = exec->backend,
                          .platform = exec->platform,
                          .fault = (cairn_exec_fault *)&exec->fault,
                          .stream = item.stream};
  c.call.item = position;
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CPU:
  case CAIRN_DAG_ITEM_GPU:
    c.call = exec->op[item.id];
    c.call.item = position;
    if (c.call.run)
      c.step = item.kind == CAIRN_DAG_ITEM_CPU ? step_cpu : step_gpu;
    break;
  case CAIRN_DAG_ITEM_CER:
    c.step = step_cer;
    break;
  case CAIRN_DAG_ITEM_CES:
    c.step = step_ces;
    break;
  default:
    c.step = step_csw;
    break;
  }
  if (item.kind > CAIRN_DAG_ITEM_GPU)
    c.event = item.id;
  return c;
}

cairn_status cairn_exec__flat_reserve(cairn_exec *exec, size_t items,
                                      cairn_base_diag *diag) {
  const cairn_status status =
      cairn_base_reserve(&exec->flat.command, &exec->flat.capacity, items + 1,
                         sizeof *exec->flat.command);
  if (status)
    return status;
  return exec->backend->reserve(exec->platform, items, items, diag);
}

cairn_status cairn_exec__flat_select(cairn_exec *exec, uint64_t id) {
  cairn_exec_flat *flat = &exec->flat;
  if (flat->id == id && flat->items)
    return CAIRN_OK;
  const cairn_exec_schedule *schedule = cairn_exec__store_find(exec, id);
  if (schedule == NULL)
    return CAIRN_USAGE;
  flat->id = id;
  flat->items = schedule->items;
  flat->item_count = schedule->count;
  for (size_t i = 0; i < schedule->count; i++)
    flat->command[i] = compile(exec, schedule->items[i], (uint32_t)i);
  flat->count = schedule->count;
  if (exec->options.allow_illegal) {
    flat->command[flat->count] = flat->command[flat->count - 1];
    flat->command[flat->count++].step = step_join;
  }
  __atomic_store_n(&exec->progress->id, id, __ATOMIC_RELAXED);
  __atomic_store_n(&exec->progress->items, (uint32_t)schedule->count,
                   __ATOMIC_RELAXED);
  cairn_exec__blackbox_show(exec);
  return CAIRN_OK;
}

/* ---- executing ---- */

static void backend_failed(cairn_exec *exec, int code, uint32_t item) {
  if (exec->backend_error == 0) {
    exec->backend_error = code;
    exec->backend_item = item;
  }
}

static void execute_once(cairn_exec *exec) {
  const cairn_exec_flat *flat = &exec->flat;
  cairn_exec_progress *progress = exec->progress;
  const cairn_exec_command *end = flat->command + flat->count;
  for (const cairn_exec_command *c = flat->command; c < end; c++) {
    __atomic_store_n(&progress->item, c->call.item, __ATOMIC_RELAXED);
    const int code = c->step(c);
    if (__builtin_expect(code, 0))
      backend_failed(exec, code, c->call.item);
  }
}

void cairn_exec__execute(cairn_exec *exec, uint32_t count, uint64_t limit_ns) {
  cairn_exec_progress *progress = exec->progress;
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_ITEM, limit_ns);
  for (uint32_t i = 0; i < count; i++) {
    __atomic_store_n(&progress->iteration, i, __ATOMIC_RELAXED);
    execute_once(exec);
  }
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_JOIN, limit_ns);
  const int code = exec->backend->join(exec->platform);
  if (code)
    backend_failed(exec, code, (uint32_t)exec->flat.item_count - 1);
}

/* ---- what has failed ---- */

void cairn_exec__fault_report(cairn_exec *exec, cairn_exec_reply *reply) {
  const uint64_t first = __atomic_load_n(&exec->fault.first, __ATOMIC_RELAXED);
  char name[CAIRN_DAG_MAX_NAME + 8];
  if (first) {
    cairn_exec__item_name(exec, (uint32_t)(first >> 32) - 1, name, sizeof name);
    reply->outcome = CAIRN_BASE_OUTCOME_FAILED;
    snprintf(reply->message, sizeof reply->message,
             "%.200s failed with code %d", name, (int)(uint32_t)first);
  } else if (exec->backend_error) {
    char text[160];
    exec->backend->error_text(exec->platform, exec->backend_error, text,
                              sizeof text);
    cairn_exec__item_name(exec, exec->backend_item, name, sizeof name);
    reply->outcome = CAIRN_BASE_OUTCOME_FAILED;
    snprintf(reply->message, sizeof reply->message, "%.80s: %.160s", name,
             text);
  }
  if (exec->backend_error && exec->backend->error_fatal &&
      exec->backend->error_fatal(exec->platform, exec->backend_error))
    reply->fatal = 1;
}

void cairn_exec__fault_clear(cairn_exec *exec) {
  __atomic_store_n(&exec->fault.first, 0, __ATOMIC_RELAXED);
  exec->backend_error = 0;
}

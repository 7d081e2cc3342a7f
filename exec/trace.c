/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/trace.c - one execution with a clock reading around every item, and,
 * from the backend, around every op on its stream.  Slower than an untraced
 * execution, so never part of a sample.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <string.h>

typedef struct line {
  int64_t issue_ns, issued_ns;
  double start_s, stop_s; /* CLOCK_MONOTONIC, 0: not on a stream */
} line;

struct cairn_exec_tracing {
  line *mine, *all; /* items, items x ranks (rank 0) */
  cairn_exec_span *spans;
  size_t items;
};

void cairn_exec__trace_free(cairn_exec *exec) {
  struct cairn_exec_tracing *t = exec->tracing;
  if (t == NULL)
    return;
  cairn_base_free(t->mine);
  cairn_base_free(t->all);
  cairn_base_free(t->spans);
  cairn_base_free(t);
  exec->tracing = NULL;
}

static cairn_status tracing_create(cairn_exec *exec, size_t items) {
  const size_t ranks = exec->place.rank == 0 ? (size_t)exec->place.ranks : 0;
  struct cairn_exec_tracing *t = cairn_base_zalloc(1, sizeof *t);
  if (t == NULL)
    return CAIRN_NOMEM;
  exec->tracing = t;
  t->items = items;
  t->mine = cairn_base_zalloc(items, sizeof *t->mine);
  t->all = cairn_base_zalloc(items * ranks, sizeof *t->all);
  t->spans = cairn_base_zalloc(items, sizeof *t->spans);
  return t->mine && t->all && t->spans ? CAIRN_OK : CAIRN_NOMEM;
}

static void execute_traced(cairn_exec *exec,
                           const cairn_exec_request *request) {
  struct cairn_exec_tracing *t = exec->tracing;
  const cairn_exec_flat *flat = &exec->flat;
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_ITEM, request->limit_ns);
  for (size_t i = 0; i < flat->count; i++) {
    const cairn_exec_command *c = flat->command + i;
    const size_t item = i < t->items ? i : t->items - 1;
    __atomic_store_n(&exec->progress->item, (uint32_t)item, __ATOMIC_RELAXED);
    t->mine[item].issue_ns = cairn_base__now_ns();
    const int code = c->step(c);
    t->mine[item].issued_ns = cairn_base__now_ns();
    if (code && exec->backend_error == 0) {
      exec->backend_error = code;
      exec->backend_item = (uint32_t)item;
    }
  }
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_JOIN, request->limit_ns);
  exec->backend->join(exec->platform);
}

void cairn_exec__trace_mine(cairn_exec *exec, const cairn_exec_request *request,
                            cairn_exec_reply *reply) {
  int32_t late;
  cairn_status status = cairn_exec__flat_select(exec, request->id);
  if (status == CAIRN_OK)
    status = tracing_create(exec, exec->flat.item_count);
  status = cairn_exec_world_agree(exec->world, status, NULL);
  if (status) {
    cairn_exec__trace_free(exec);
    reply->status = (int32_t)status;
    return;
  }
  struct cairn_exec_tracing *t = exec->tracing;
  exec->backend->trace(exec->platform, t->spans);
  cairn_exec__start_line(exec, request, &reply->start_ns, &late);
  execute_traced(exec, request);
  reply->stop_ns = cairn_base__now_ns();
  exec->backend->trace(exec->platform, NULL);
  for (size_t i = 0; i < t->items; i++) {
    t->mine[i].start_s = t->spans[i].start_s;
    t->mine[i].stop_s = t->spans[i].stop_s;
  }
  cairn_exec__fault_report(exec, reply);
  cairn_exec__fault_clear(exec);
}

cairn_status cairn_exec__trace_gather(cairn_exec *exec,
                                      const cairn_exec_request *request) {
  (void)request;
  struct cairn_exec_tracing *t = exec->tracing;
  if (t == NULL)
    return CAIRN_OK; /* agreed */
  const cairn_status status = cairn_exec__comm_gather(
      exec->world, t->mine, t->items * sizeof *t->mine, t->all);
  if (exec->place.rank != 0)
    cairn_exec__trace_free(exec);
  return status;
}

/* Times are told from the earliest start of the rank's own host clock. */
static void fill(const cairn_exec *exec, cairn_exec_event *event) {
  const struct cairn_exec_tracing *t = exec->tracing;
  for (int r = 0; r < exec->place.ranks; r++) {
    const double zero = 1e-9 * (double)exec->replies[r].start_ns;
    for (size_t i = 0; i < t->items; i++, event++) {
      const line *l = t->all + (size_t)r * t->items + i;
      event->rank = r;
      event->item = (uint32_t)i;
      event->issue_s = 1e-9 * (double)(l->issue_ns - exec->replies[r].start_ns);
      event->issued_s =
          1e-9 * (double)(l->issued_ns - exec->replies[r].start_ns);
      const int on_stream = l->stop_s > 0;
      event->start_s = on_stream ? l->start_s - zero : event->issue_s;
      event->stop_s = on_stream ? l->stop_s - zero : event->issued_s;
    }
  }
}

cairn_status cairn_exec__trace_events(cairn_exec *exec,
                                      cairn_exec_event **event_p,
                                      size_t *count_p) {
  const size_t count = exec->tracing->items * (size_t)exec->place.ranks;
  cairn_exec_event *event = cairn_base_alloc(count, sizeof *event);
  if (event == NULL)
    return CAIRN_NOMEM;
  fill(exec, event);
  *event_p = event;
  *count_p = count;
  return CAIRN_OK;
}

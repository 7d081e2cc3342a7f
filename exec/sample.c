/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/sample.c - this rank's part of samples: a common start, k executions,
 * join, stop.
 *
 * Start by deadline (ranks of one host share CLOCK_MONOTONIC): each rank says
 * how soon it could start, the latest of these instants is the start, and all
 * wait for it.  A rank that comes to it too late says so; the sample is then
 * late, and rank 0 keeps it out of the statistics.  Start by barrier: when the
 * barrier lets go; no common clock is needed.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <sched.h>
#include <time.h>

#define LATE_NS 5000  /* more than this behind the start is late */
#define NAP_NS 200000 /* farther off than this: sleep first */
#define NAP_MARGIN_NS 100000

/* Waits for an instant; returns when it was left. */
static int64_t wait_until(const cairn_exec *exec, int64_t when_ns) {
  int64_t now = cairn_base__now_ns();
  if (when_ns - now > NAP_NS) {
    const int64_t nap = when_ns - now - NAP_MARGIN_NS;
    nanosleep(&(struct timespec){nap / 1000000000, (long)(nap % 1000000000)},
              NULL);
    now = cairn_base__now_ns();
  }
  while (now < when_ns) {
    if (exec->info.oversubscribed)
      sched_yield();
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
    now = cairn_base__now_ns();
  }
  return now;
}

void cairn_exec__start_line(cairn_exec *exec, const cairn_exec_request *request,
                            int64_t *start_ns, int32_t *late) {
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_START, request->limit_ns);
  *late = 0;
  if (exec->place.ranks == 1) {
    *start_ns = cairn_base__now_ns();
    return;
  }
  if (request->start == CAIRN_EXEC_START_BARRIER) {
    cairn_exec__comm_barrier(exec->world);
    *start_ns = cairn_base__now_ns();
    return;
  }
  int64_t when = cairn_base__now_ns() + request->slack_ns;
  cairn_exec__comm_max(exec->world, &when, 1);
  *start_ns = wait_until(exec, when);
  *late = *start_ns - when > LATE_NS;
}

static void sample_one(cairn_exec *exec, const cairn_exec_request *request,
                       const cairn_base_shot *shot, cairn_exec_mark *mark) {
  if (shot->warm)
    cairn_exec__execute(exec, shot->warm, request->limit_ns);
  cairn_exec__loss_before(exec);
  cairn_exec__start_line(exec, request, &mark->start_ns, &mark->late);
  cairn_exec__execute(exec, shot->k, request->limit_ns);
  mark->stop_ns = cairn_base__now_ns();
  cairn_exec__loss_after(exec, mark);
}

void cairn_exec__sample_marks(cairn_exec *exec,
                              const cairn_exec_request *request,
                              const cairn_base_shot *shots,
                              cairn_exec_reply *reply) {
  exec->info.oversubscribed = request->flag != 0; /* rank 0 sees all ranks */
  for (uint32_t i = 0; i < request->count; i++) {
    cairn_exec_mark *mark = exec->mark + i;
    /* rank 0 has checked the ids */
    const cairn_status status = cairn_exec__flat_select(exec, shots[i].id);
    if (status)
      reply->status = (int32_t)status;
    sample_one(exec, request, shots + i, mark);
    if (reply->outcome == CAIRN_BASE_OUTCOME_OK)
      cairn_exec__fault_report(exec, reply);
    mark->faulty = exec->fault.first != 0 || exec->backend_error != 0;
    cairn_exec__fault_clear(exec);
  }
}

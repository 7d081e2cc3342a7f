/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-critical.h - where the time of one traced execution went: the
 * chain of work and waiting that ends last, over ranks and streams, and what
 * the program's dependencies alone would have needed.
 */
#ifndef CAIRN_EXEC_CRITICAL_H
#define CAIRN_EXEC_CRITICAL_H

#include <cairn/dag.h>

#include "exec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* X(name, text): why a step could not begin, or end, before the step before
 * it in the path was done */
#define CAIRN_EXEC_BECAUSE_TABLE(X)                                            \
  X(START, "the start")                                                        \
  X(HOST, "the host comes to it")                                              \
  X(LAUNCH, "launched")                                                        \
  X(STREAM, "its stream is free")                                              \
  X(SYNC, "the event is reached")                                              \
  X(MESSAGE, "the peer has posted")

typedef enum cairn_exec_because {
#define CAIRN_EXEC_BECAUSE_ENUM(name, text) CAIRN_EXEC_BECAUSE_##name,
  CAIRN_EXEC_BECAUSE_TABLE(CAIRN_EXEC_BECAUSE_ENUM)
#undef CAIRN_EXEC_BECAUSE_ENUM
} cairn_exec_because;

CAIRN_API const char *cairn_exec_because_text(cairn_exec_because because);

/* One step: from the end of the step before (or 0) to stop_s.  Steps follow
 * each other without holes, so their lengths add up to the span. */
typedef struct cairn_exec_step {
  int rank;
  uint32_t item;              /* position in the schedule */
  int on_stream;              /* 1: the GPU op runs; 0: the control thread */
  cairn_exec_because because; /* of the step before */
  double from_s;  /* end of the step before, seconds since the start */
  double start_s; /* from_s to start_s: delay (launch, wake-up, late start) */
  double stop_s;  /* start_s to stop_s: its work; for a wait that was let go
                     by the step before: the message's or signal's way */
} cairn_exec_step;

typedef struct cairn_exec_critical {
  cairn_exec_step *step; /* in the order of time */
  size_t steps;
  double span_s;                /* when the last rank was done */
  double gpu_s, host_s, wait_s; /* the path's work: ops on streams; calls of
                                   the control thread; ways of messages and
                                   signals, in waits */
  double delay_s;               /* the rest of the span */
  /* Lower bound: the longest chain of the program's own edges and messages,
   * each op as long as it took here without waiting.  No order and no streams
   * can be faster with ops of this length.  <= span_s. */
  double bound_s;
  uint32_t
      *bound_op; /* ids of the chain's ops, from the first that takes time */
  int *bound_rank;
  size_t bound_ops;
} cairn_exec_critical;

/* Works out the path of one traced execution (`events` as from
 * cairn_exec_trace) of a legal schedule.  Who receives from whom is the
 * plugin's affair: a message is taken to come from that other rank which
 * posted last before the wait ended.  Times a little out of order, as clocks of
 * device and host are, are clipped.  Free with cairn_exec_critical_free.
 * CAIRN_NOMEM; CAIRN_INPUT: an event is missing. */
CAIRN_API cairn_status cairn_exec_critical_find(
    const cairn_dag_program *program, const cairn_dag_item *items, size_t count,
    const cairn_exec_event *events, size_t events_count,
    cairn_exec_critical *critical_p);
CAIRN_API void cairn_exec_critical_free(cairn_exec_critical *critical);

#ifdef __cplusplus
}
#endif
#endif

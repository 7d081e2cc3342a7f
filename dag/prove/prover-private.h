/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/prover-private.h - the prover's inside, for prove.c, minimize.c and
 * lint*.c only.
 *
 * A clock is a vector over streams: clock[s] = how many of the GPU ops issued
 * to stream s are known to be complete.  The GPU ops of a stream are numbered
 * 1, 2, ... in issue order.  There is one clock for the host (what it knows
 * when it issues the next item), one for each stream (what holds when the next
 * op of that stream starts) and one for each event (what holds once it is
 * complete).  CPU ops need no lane: they are complete when the next item is
 * issued, and whatever is issued later starts later.
 *
 * MPI adds nothing to this order inside a rank: a GPU op never waits for a
 * message, so a peer can know that a GPU op of ours is complete only after our
 * own host knew it, told it by posting, and our host's knowledge never shrinks.
 */
#ifndef CAIRN_DAG_PROVE_PROVER_PRIVATE_H
#define CAIRN_DAG_PROVE_PROVER_PRIVATE_H

#include "dag/prove/prove-private.h"
#include <cairn/dag.h>

#define CAIRN_DAG_EVENTS 65536
#define CAIRN_DAG_LANES_FEW 8 /* the fast path: at most 8 streams */
#define CAIRN_DAG_LANES CAIRN_DAG_MAX_STREAMS

/* Where an op went.  Not issued yet: index INT16_MAX on stream 0, which no
 * clock reaches.  CPU ops: index 0, which every clock reaches. */
typedef struct cairn_dag_place {
  int16_t index;
  uint16_t stream;
} cairn_dag_place;

struct cairn_dag_prover {
  unsigned ops;
  uint8_t *gpu;    /* by op */
  uint32_t *first; /* preds of op b: pred[first[b]] .. pred[first[b+1]-1] */
  uint16_t *pred;  /* without start, which precedes everything */
  cairn_dag_place *place; /* by op, of the pass under way */
  uint32_t *stamp;        /* by event: the pass in which it was recorded last */
  uint32_t pass;
  int16_t *event;           /* clocks of events, CAIRN_DAG_LANES apart */
  uint64_t active;          /* streams with a clock in this pass */
  cairn_dag_deadlock *need; /* which post must precede which wait */
  size_t needs;
  uint32_t *position; /* by op, for the needs */
  int16_t host[CAIRN_DAG_LANES];
  int16_t issued[CAIRN_DAG_LANES]; /* GPU ops issued, by stream */
  int16_t stream[CAIRN_DAG_LANES][CAIRN_DAG_LANES];
};

/* Is every edge covered, every op there once, each wait after its record?
 * Items of kind CAIRN_DAG_STEP_NONE are passed over. */
int cairn_dag__prover_pass(cairn_dag_prover *prover,
                           const cairn_dag_item *items, size_t count);

#endif

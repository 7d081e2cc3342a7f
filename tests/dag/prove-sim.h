/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/prove-sim.h - a simulator of two ranks that run one sequence, for
 * checking the checker.  It knows nothing of cairn.
 */
#ifndef PROVE_SIM_H
#define PROVE_SIM_H

#include <stdint.h>

#define SIM_OPS 10 /* with start and end */
#define SIM_STEPS 64
#define SIM_STREAMS 2
#define SIM_MESSAGES 8

typedef enum sim_kind {
  SIM_CPU, /* an op that the host runs */
  SIM_GPU, /* an op that is put into a stream */
  SIM_RECORD,
  SIM_HOST_WAIT,
  SIM_STREAM_WAIT
} sim_kind;

typedef struct sim_step {
  uint8_t kind, stream, id; /* id: op or event */
} sim_step;

typedef struct sim_program {
  int ops;
  uint32_t preds[SIM_OPS];                 /* sets of ops */
  uint32_t posts[SIM_OPS], waits[SIM_OPS]; /* sets of messages */
  uint32_t match[SIM_MESSAGES]; /* the peer's messages it needs posted */
} sim_program;

typedef struct sim_verdict {
  int race;    /* an op started before a predecessor was complete */
  int hang;    /* a state that is not final and has no way on */
  int missing; /* an op is never issued, or is issued twice */
  int no_op;   /* a wait for an event that was not recorded before it */
  uint32_t early[SIM_OPS]; /* by op: predecessors not complete at a start */
  long states;
} sim_verdict;

/* Explores all interleavings of the hosts, streams and requests of two ranks.
 * reduce: steps that commute with all others are taken at once; without it
 * every interleaving is walked through. */
void sim_run(const sim_program *program, const sim_step *steps, int count,
             int reduce, sim_verdict *verdict);

#endif

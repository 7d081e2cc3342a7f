/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/plan-private.h - annealing on the simulated machine, for mcts/ and
 * tests/mcts only.
 *
 * A plan is what a schedule is before its syncs: an order of the ops and a
 * stream for each.  Its syncs follow by one rule: a record as soon as somebody
 * who is ready needs it, a wait as late as possible.
 */
#ifndef CAIRN_MCTS_MODEL_PLAN_PRIVATE_H
#define CAIRN_MCTS_MODEL_PLAN_PRIVATE_H

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/model/model-private.h"
#include <cairn/mcts.h>

#define CAIRN_MCTS_LIST_RULES 8

/* Edges in rows: those of op x are to[row[x]] .. to[row[x + 1] - 1]. */
typedef struct cairn_mcts_rows {
  uint32_t *row;
  uint16_t *to;
} cairn_mcts_rows;

/* What host or a stream knows of a stream, and a record. */
typedef struct cairn_mcts_plan {
  const cairn_dag_program *program;
  const cairn_mcts_machine *machine;
  unsigned ops, streams;
  cairn_mcts_rows pred, succ, gpu_pred;
  uint8_t *gpu;
  uint16_t *inner; /* CPU and GPU ops but start and end */
  /* the plan */
  uint16_t *order, *place; /* place[order[i]] == i */
  uint8_t *stream;         /* of each op */
  double time;             /* simulated; set by plan_time */
  /* scratch of a simulation */
  uint16_t *pending, *index, *own, *open, *cover;
  uint16_t *known; /* by waiter (streams, then host) and stream: ops covered */
  double *end, *event;
} cairn_mcts_plan;

/* Start with {0}; free also after a failure.  The machine must outlive it. */
cairn_status cairn_mcts__plan_create(cairn_mcts_plan *plan,
                                     const cairn_dag_program *program,
                                     const cairn_mcts_machine *machine);
void cairn_mcts__plan_free(cairn_mcts_plan *plan);
/* A random order, random streams. */
void cairn_mcts__plan_random(cairn_mcts_plan *plan, cairn_base_rng *rng);
/* By list scheduling with one of several rules, 0 .. CAIRN_MCTS_LIST_RULES - 1;
 * knows no times. */
void cairn_mcts__plan_list(cairn_mcts_plan *plan, unsigned rule);
/* The order and the streams of a schedule. */
void cairn_mcts__plan_set(cairn_mcts_plan *plan, const cairn_dag_item *items,
                          size_t count);
void cairn_mcts__plan_copy(cairn_mcts_plan *to, const cairn_mcts_plan *from);
/* The time the machine takes for it. */
double cairn_mcts__plan_time(cairn_mcts_plan *plan);
/* A random change, kept when the time falls, or by chance when it rises
 * (Metropolis).  Returns the time. */
double cairn_mcts__plan_step(cairn_mcts_plan *plan, double temperature,
                             cairn_base_rng *rng);
/* Walks the schedule; complete afterwards.  early: records by the rule above,
 * else as late as possible. */
void cairn_mcts__plan_walk(const cairn_mcts_plan *plan, int early,
                           cairn_dag_walk *walk);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/prove.c - is a schedule legal?  One pass with vector clocks (Fidge
 * 1988, Mattern 1989) whose lanes are the streams; see prove-private.h for the
 * idea.
 *
 * Invariant: before item i is looked at, host, stream[t] and the clocks of the
 * recorded events hold exactly what the items 0..i-1 order.  A clock only
 * grows, and stream[t] is meant together with host: what the host knows when
 * an item is issued holds for that item on every stream.
 */
#include "dag/program/program-private.h"
#include "dag/prove/needs-private.h"
#include "dag/prove/prove-private.h"
#include "dag/prove/prover-private.h"
#include <cairn/dag.h>

#include <string.h>

/* a = max(a, b), lane by lane. */
static inline void join(int16_t *restrict a, const int16_t *restrict b,
                        int lanes) {
  for (int i = 0; i < lanes; i++)
    a[i] = a[i] > b[i] ? a[i] : b[i];
}

static void begin_pass(cairn_dag_prover *p) {
  for (unsigned i = 0; i < p->ops; i++)
    p->place[i] = (cairn_dag_place){INT16_MAX, 0};
  if (++p->pass == 0) {
    memset(p->stamp, 0, CAIRN_DAG_EVENTS * sizeof *p->stamp);
    p->pass = 1;
  }
  p->active = 0;
  memset(p->host, 0, sizeof p->host);
  memset(p->issued, 0, sizeof p->issued);
}

/* The clock of a stream, with what the host knows now joined in. */
static inline int16_t *stream_clock(cairn_dag_prover *p, unsigned s,
                                    int lanes) {
  int16_t *const clock = p->stream[s];
  if (p->active >> s & 1) {
    join(clock, p->host, lanes);
  } else {
    p->active |= UINT64_C(1) << s;
    memcpy(clock, p->host, (size_t)lanes * sizeof *clock);
  }
  return clock;
}

/* Are all predecessors of op b complete by this clock? */
static inline int covered(const cairn_dag_prover *p, unsigned b,
                          const int16_t *clock) {
  for (uint32_t k = p->first[b]; k < p->first[b + 1]; k++) {
    const cairn_dag_place a = p->place[p->pred[k]];
    if (clock[a.stream] < a.index)
      return 0;
  }
  return 1;
}

static inline int issue_op(cairn_dag_prover *p, cairn_dag_item item,
                           int lanes) {
  const unsigned b = item.id;
  const int gpu = item.kind == CAIRN_DAG_ITEM_GPU;
  if (b >= p->ops || p->gpu[b] != gpu || p->place[b].index != INT16_MAX)
    return 0;
  if (!gpu) {
    p->place[b].index = 0;
    return covered(p, b, p->host);
  }
  int16_t *const clock = stream_clock(p, item.stream, lanes);
  const int ok = covered(p, b, clock);
  const int16_t index = ++p->issued[item.stream];
  p->place[b] = (cairn_dag_place){index, item.stream};
  clock[item.stream] = index; /* holds for what follows in the stream */
  return ok;
}

static inline int issue_sync(cairn_dag_prover *p, cairn_dag_item item,
                             int lanes) {
  int16_t *const event = p->event + (size_t)item.id * CAIRN_DAG_LANES;
  const int recorded = p->stamp[item.id] == p->pass;
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    p->stamp[item.id] = p->pass;
    memcpy(event, stream_clock(p, item.stream, lanes),
           (size_t)lanes * sizeof *event);
    return !recorded;
  case CAIRN_DAG_ITEM_CES:
    if (recorded)
      join(p->host, event, lanes);
    return recorded;
  case CAIRN_DAG_ITEM_CSW:
    if (recorded)
      join(stream_clock(p, item.stream, lanes), event, lanes);
    return recorded;
  default:
    return item.kind == CAIRN_DAG_STEP_NONE;
  }
}

/* 1 legal, 0 not, -1: a stream needs more lanes than these. */
static inline int run_pass(cairn_dag_prover *p, const cairn_dag_item *items,
                           size_t count, int lanes) {
  begin_pass(p);
  unsigned ops = 0;
  for (size_t i = 0; i < count; i++) {
    if (items[i].stream >= lanes)
      return lanes < CAIRN_DAG_LANES ? -1 : 0;
    const int is_op = items[i].kind <= CAIRN_DAG_ITEM_GPU;
    if (!(is_op ? issue_op(p, items[i], lanes)
                : issue_sync(p, items[i], lanes)))
      return 0;
    ops += (unsigned)is_op;
  }
  /* Every op once, so all of them; start first and end last. */
  return ops == p->ops && items[0].id == 0 && items[count - 1].id == ops - 1 &&
         items[0].kind == CAIRN_DAG_ITEM_CPU &&
         items[count - 1].kind == CAIRN_DAG_ITEM_CPU;
}

int cairn_dag__prover_pass(cairn_dag_prover *prover,
                           const cairn_dag_item *items, size_t count) {
  if (count == 0)
    return 0;
  const int few = run_pass(prover, items, count, CAIRN_DAG_LANES_FEW);
  return few >= 0 ? few : run_pass(prover, items, count, CAIRN_DAG_LANES);
}

int cairn_dag__prover_legal(cairn_dag_prover *prover,
                            const cairn_dag_item *items, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (items[i].kind > CAIRN_DAG_ITEM_CSW)
      return 0;
  return cairn_dag__prover_pass(prover, items, count);
}

int cairn_dag__prover_hangs(cairn_dag_prover *p, const cairn_dag_item *items,
                            size_t count) {
  if (p->needs == 0)
    return 0;
  memset(p->position, 0xff, p->ops * sizeof *p->position);
  for (size_t i = count; i-- > 0;) /* of a repeated op the first counts */
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU && items[i].id < p->ops)
      p->position[items[i].id] = (uint32_t)i;
  for (size_t k = 0; k < p->needs; k++) {
    const uint32_t wait = p->position[p->need[k].wait];
    if (wait != UINT32_MAX && p->position[p->need[k].post] > wait)
      return 1;
  }
  return 0;
}

/* The edges that have to be checked; start precedes everything. */
static void copy_edges(cairn_dag_prover *p, const cairn_dag_program *program) {
  uint32_t edges = 0;
  for (unsigned b = 0; b < p->ops; b++) {
    size_t count;
    const unsigned *const preds = cairn_dag__program_preds(program, b, &count);
    p->first[b] = edges;
    for (size_t k = 0; k < count; k++)
      if (preds[k] != 0)
        p->pred[edges++] = (uint16_t)preds[k];
    p->gpu[b] = cairn_dag_program_op(program, b)->kind == CAIRN_DAG_GPU;
  }
  p->first[p->ops] = edges;
}

cairn_status cairn_dag__prover_create(const cairn_dag_program *program,
                                      cairn_dag_prover **prover_p) {
  cairn_dag_prover *const p = cairn_base_zalloc(1, sizeof *p);
  if (!p)
    return CAIRN_NOMEM;
  size_t edges = 0, count;
  p->ops = cairn_dag_program_ops(program);
  for (unsigned b = 0; b < p->ops; b++) {
    cairn_dag__program_preds(program, b, &count);
    edges += count;
  }
  p->gpu = cairn_base_alloc(p->ops, sizeof *p->gpu);
  p->first = cairn_base_alloc((size_t)p->ops + 1, sizeof *p->first);
  p->pred = cairn_base_alloc(edges, sizeof *p->pred);
  p->place = cairn_base_alloc(p->ops, sizeof *p->place);
  p->stamp = cairn_base_zalloc(CAIRN_DAG_EVENTS, sizeof *p->stamp);
  p->event = cairn_base_alloc((size_t)CAIRN_DAG_EVENTS * CAIRN_DAG_LANES,
                              sizeof *p->event);
  p->position = cairn_base_alloc(p->ops, sizeof *p->position);
  if (!p->gpu || !p->first || !p->pred || !p->place || !p->stamp || !p->event ||
      !p->position ||
      cairn_dag__needs_create(program, &p->need, &p->needs) != CAIRN_OK) {
    cairn_dag__prover_free(p);
    return CAIRN_NOMEM;
  }
  copy_edges(p, program);
  *prover_p = p;
  return CAIRN_OK;
}

void cairn_dag__prover_free(cairn_dag_prover *prover) {
  if (!prover)
    return;
  cairn_base_free(prover->gpu);
  cairn_base_free(prover->first);
  cairn_base_free(prover->pred);
  cairn_base_free(prover->place);
  cairn_base_free(prover->stamp);
  cairn_base_free(prover->event);
  cairn_base_free(prover->position);
  cairn_base_free(prover->need);
  cairn_base_free(prover);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/order.c - who is complete before whom starts, over two iterations.
 *
 * The same clocks as the prover's (see prove-private.h), kept for every op, so
 * that any pair can be asked about, and over the further kinds of items.  An
 * event recorded again is overwritten; a wait for an event that was never
 * recorded is no wait, as in CUDA.
 *
 * Invariant: as the prover's, with the items of the first iteration in front.
 */
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <string.h>

#define LANES CAIRN_DAG_MAX_STREAMS

typedef struct clocks {
  uint16_t host[LANES], issued[LANES];
  uint16_t stream[LANES][LANES]; /* without what the host knows later */
} clocks;

static void join(uint16_t *a, const uint16_t *b) {
  for (int i = 0; i < LANES; i++)
    a[i] = a[i] > b[i] ? a[i] : b[i];
}

cairn_status cairn_lint__order_create(const cairn_dag_program *program,
                                      const cairn_dag_item *items, size_t count,
                                      cairn_dag_order *order) {
  *order =
      (cairn_dag_order){.ops = cairn_dag_program_ops(program), .count = count};
  for (size_t i = 0; i < count; i++)
    if (items[i].kind >= CAIRN_DAG_ITEM_CER &&
        items[i].kind <= CAIRN_DAG_ITEM_CSW && items[i].id >= order->events)
      order->events = (size_t)items[i].id + 1;
  const size_t instances = 2 * (size_t)order->ops;
  order->spot = cairn_base_alloc(instances, sizeof *order->spot);
  order->start = cairn_base_alloc(instances, LANES * sizeof *order->start);
  order->recorded = cairn_base_alloc(order->events, sizeof *order->recorded);
  order->event = cairn_base_alloc(order->events, LANES * sizeof *order->event);
  if (order->spot && order->start && order->recorded && order->event)
    return CAIRN_OK;
  cairn_lint__order_free(order);
  return CAIRN_NOMEM;
}

void cairn_lint__order_free(cairn_dag_order *order) {
  cairn_base_free(order->spot);
  cairn_base_free(order->start);
  cairn_base_free(order->recorded);
  cairn_base_free(order->event);
  *order = (cairn_dag_order){0};
}

static void run_op(cairn_dag_order *o, clocks *c, cairn_dag_item item,
                   size_t position, size_t iteration) {
  const size_t instance = iteration * o->ops + item.id;
  cairn_dag_spot *const spot = &o->spot[instance];
  const int gpu = item.kind == CAIRN_DAG_ITEM_GPU;
  uint16_t *const clock = gpu ? c->stream[item.stream] : c->host;
  if (gpu)
    join(clock, c->host);
  const uint16_t index = gpu ? ++c->issued[item.stream] : 0;
  if (spot->position == SIZE_MAX) { /* a repeated op counts once */
    memcpy(o->start + instance * LANES, clock, LANES * sizeof *clock);
    *spot = (cairn_dag_spot){position, index, gpu ? item.stream : 0};
  }
  if (gpu)
    clock[item.stream] = index;
}

static void run_sync(cairn_dag_order *o, clocks *c, cairn_dag_item item) {
  uint16_t *const event = o->event + (size_t)item.id * LANES;
  uint16_t *const stream = c->stream[item.stream % LANES];
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    memcpy(event, stream, LANES * sizeof *event);
    join(event, c->host);
    o->recorded[item.id] = 1;
    break;
  case CAIRN_DAG_ITEM_CES:
    if (o->recorded[item.id])
      join(c->host, event);
    break;
  case CAIRN_DAG_ITEM_CSW:
    if (o->recorded[item.id])
      join(stream, event);
    break;
  case CAIRN_DAG_STEP_STREAM_SYNC:
    join(c->host, stream);
    break;
  case CAIRN_DAG_STEP_DEVICE_SYNC:
    for (int s = 0; s < LANES; s++)
      join(c->host, c->stream[s]);
    break;
  case CAIRN_DAG_STEP_FOLLOW:
    join(stream, c->stream[item.id % LANES]);
    break;
  default:
    break;
  }
}

void cairn_lint__order_run(cairn_dag_order *o, const cairn_dag_item *items) {
  clocks c;
  memset(&c, 0, sizeof c);
  for (size_t i = 0; i < 2 * (size_t)o->ops; i++)
    o->spot[i] = (cairn_dag_spot){SIZE_MAX, 0, 0};
  if (o->events)
    memset(o->recorded, 0, o->events * sizeof *o->recorded);
  for (size_t i = 0; i < 2 * o->count; i++) {
    const size_t iteration = i >= o->count;
    const cairn_dag_item item = items[i - iteration * o->count];
    if (item.kind <= CAIRN_DAG_ITEM_GPU)
      run_op(o, &c, item, i, iteration);
    else
      run_sync(o, &c, item);
  }
}

static int ordered(const cairn_dag_order *o, size_t a, size_t b) {
  const cairn_dag_spot *const first = &o->spot[a];
  const cairn_dag_spot *const then = &o->spot[b];
  if (first->position == SIZE_MAX || then->position == SIZE_MAX)
    return 1; /* a missing op is a finding of its own */
  return first->position < then->position &&
         o->start[b * LANES + first->stream] >= first->index;
}

int cairn_lint__order_meets(const cairn_dag_order *o,
                            const cairn_dag_demand *d) {
  if (ordered(o, d->a, d->b + (d->next ? (size_t)o->ops : 0)))
    return 1;
  return d->either && ordered(o, d->b, d->a);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/repair.c - the cheapest way to order two ops.
 *
 * Cheapest first: move what is issued too late; move a wait that comes too
 * late; wait for an event that is recorded anyway; record one and wait.  A
 * stream waits for the sake of a GPU op, the host for the sake of a CPU op.
 */
#include "lint/linter-private.h"
#include <cairn/lint.h>

/* Is item i a wait that would serve b, if it stood before b? */
static int would_serve(cairn_dag_item item, unsigned event, int gpu,
                       unsigned stream) {
  if (item.id != event)
    return 0;
  return item.kind == CAIRN_DAG_ITEM_CES ||
         (gpu && item.kind == CAIRN_DAG_ITEM_CSW && item.stream == stream);
}

typedef struct pair {
  size_t a, b; /* items, b's counted from where a's iteration begins */
  const char *name_a, *name_b;
  unsigned long shown_a, shown_b; /* streams as the text numbers them */
  unsigned stream_a, stream_b;
  int gpu_b;
} pair;

static cairn_dag_item at(const cairn_dag_linter *l, size_t i) {
  return l->items[i % l->count];
}

/* A wait for this event after b: moving it repairs all. */
static int move_wait(const cairn_dag_linter *l, const pair *p, unsigned event,
                     size_t record, cairn_base_text *repair) {
  for (size_t i = p->b + 1; i < record + l->count; i++) {
    if (!would_serve(at(l, i), event, p->gpu_b, p->stream_b))
      continue;
    cairn_base_text_addf(repair, "move item %zu, the wait for event #%lu, ",
                         i % l->count, cairn_lint__event(l->numbers, event));
    cairn_base_text_addf(repair, "before item %zu (%s)", p->b % l->count,
                         p->name_b);
    return 1;
  }
  return 0;
}

static void add_wait(const pair *p, const char *event, size_t count,
                     cairn_base_text *repair) {
  if (p->gpu_b)
    cairn_base_text_addf(repair,
                         "let stream %lu wait for %s before item %zu "
                         "(%s): CSW@%lu",
                         p->shown_b, event, p->b % count, p->name_b,
                         p->shown_b);
  else
    cairn_base_text_addf(repair,
                         "let the host wait for %s before item %zu (%s): CES",
                         event, p->b % count, p->name_b);
}

/* Uses a record of a's stream between a and b, if there is one. */
static int use_record(const cairn_dag_linter *l, const pair *p,
                      cairn_base_text *repair) {
  for (size_t i = p->a + 1; i < p->b; i++) {
    const cairn_dag_item item = at(l, i);
    if (item.kind != CAIRN_DAG_ITEM_CER || item.stream != p->stream_a)
      continue;
    if (move_wait(l, p, item.id, i, repair))
      return 1;
    cairn_base_text event = {0};
    cairn_base_text_addf(&event, "event #%lu (item %zu)",
                         cairn_lint__event(l->numbers, item.id), i % l->count);
    add_wait(p, event.failed ? "the event" : event.data, l->count, repair);
    repair->failed |= event.failed;
    cairn_base_text_free(&event);
    return 1;
  }
  return 0;
}

void cairn_lint__repair(const cairn_dag_linter *l, const cairn_dag_demand *d,
                        cairn_base_text *repair) {
  const cairn_dag_spot *const a = &l->order.spot[d->a];
  const cairn_dag_spot *const b =
      &l->order.spot[d->b + (d->next ? l->order.ops : 0)];
  const pair p = {.a = a->position,
                  .b = b->position,
                  .name_a = cairn_lint__name(l, d->a),
                  .name_b = cairn_lint__name(l, d->b),
                  .shown_a = cairn_lint__stream(l->numbers, a->stream),
                  .shown_b = cairn_lint__stream(l->numbers, b->stream),
                  .stream_a = a->stream,
                  .stream_b = b->stream,
                  .gpu_b = cairn_dag_program_op(l->program, d->b)->kind ==
                           CAIRN_DAG_GPU};
  if (p.a > p.b) {
    cairn_base_text_addf(repair, "issue %s before item %zu (%s)", p.name_a, p.b,
                         p.name_b);
    return;
  }
  if (use_record(l, &p, repair))
    return;
  cairn_base_text_addf(repair,
                       "record an event on stream %lu after item %zu (%s): "
                       "CER@%lu, and ",
                       p.shown_a, p.a, p.name_a, p.shown_a);
  add_wait(&p, "it", l->count, repair);
}

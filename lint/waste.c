/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/waste.c - syncs whose loss costs nothing, and syncs that wait for
 * more than they must.
 *
 * A sync is needless when as many demands are met without it.  Syncs found
 * needless are taken out before the next one is looked at, so all of them may
 * be removed together.  The dearest are looked at first: device syncs, then
 * stream syncs, then single waits, each last to first; for the schedules of
 * cairn that is the order of cairn_dag__schedule_minimize.
 *
 * Invariant: `left` meets the demands that `items` meets.
 */
#include "dag/prove/prove-private.h"
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <string.h>

static int is_wait(cairn_dag_item item) {
  return item.kind == CAIRN_DAG_ITEM_CES || item.kind == CAIRN_DAG_ITEM_CSW ||
         item.kind == CAIRN_DAG_STEP_STREAM_SYNC ||
         item.kind == CAIRN_DAG_STEP_DEVICE_SYNC;
}

static size_t missed(cairn_dag_linter *l) {
  size_t count = 0;
  cairn_lint__order_run(&l->order, l->left);
  for (size_t i = 0; i < l->demands.count; i++)
    count += !cairn_lint__order_meets(&l->order, &l->demands.demand[i]);
  return count;
}

static int is_gpu(const cairn_dag_linter *l, unsigned op) {
  return cairn_dag_program_op(l->program, op)->kind == CAIRN_DAG_GPU;
}

static size_t record_of(const cairn_dag_linter *l, size_t wait) {
  for (size_t i = wait; i-- > 0;)
    if (l->items[i].kind == CAIRN_DAG_ITEM_CER &&
        l->items[i].id == l->items[wait].id)
      return i;
  return SIZE_MAX;
}

/* The edge that a wait is there for: of those whose a may be what it waits
 * for and whose b comes after it and is held up by it, the b issued first and
 * the a issued last. */
static const cairn_dag_demand *served(const cairn_dag_linter *l, size_t wait) {
  const cairn_dag_item item = l->items[wait];
  const int all = item.kind == CAIRN_DAG_STEP_DEVICE_SYNC;
  const int event =
      item.kind == CAIRN_DAG_ITEM_CES || item.kind == CAIRN_DAG_ITEM_CSW;
  const size_t from = event ? record_of(l, wait) : wait;
  if (from == SIZE_MAX)
    return NULL;
  const unsigned stream = event ? l->items[from].stream : item.stream;
  const cairn_dag_demand *best = NULL;
  for (size_t i = 0; i < l->demands.count; i++) {
    const cairn_dag_demand *const d = &l->demands.demand[i];
    const cairn_dag_spot *const a = &l->order.spot[d->a];
    const cairn_dag_spot *const b =
        &l->order.spot[d->b + (d->next ? l->order.ops : 0)];
    if (!is_gpu(l, d->a) || a->position >= from || b->position == SIZE_MAX ||
        b->position < wait || (!all && a->stream != stream))
      continue;
    if (item.kind == CAIRN_DAG_ITEM_CSW
            ? !is_gpu(l, d->b) || b->stream != item.stream
            : event && is_gpu(l, d->b))
      continue;
    const size_t best_b =
        best ? l->order.spot[best->b + (best->next ? l->order.ops : 0)].position
             : SIZE_MAX;
    if (!best || b->position < best_b ||
        (b->position == best_b &&
         a->position > l->order.spot[best->a].position))
      best = d;
  }
  return best;
}

static const char *noun(cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CSW:
    return "stream wait";
  case CAIRN_DAG_ITEM_CES:
    return "host wait for an event";
  case CAIRN_DAG_STEP_STREAM_SYNC:
    return "stream sync";
  default:
    return "device sync";
  }
}

/* Does any wait left, but for item i, wait for this event? */
static int waited_for(const cairn_dag_linter *l, const cairn_dag_item *items,
                      unsigned event) {
  for (size_t i = 0; i < l->count; i++)
    if ((items[i].kind == CAIRN_DAG_ITEM_CES ||
         items[i].kind == CAIRN_DAG_ITEM_CSW) &&
        items[i].id == event)
      return 1;
  return 0;
}

static void redundant(cairn_dag_linter *l, size_t i) {
  const cairn_dag_item item = l->items[i];
  const cairn_lint_finding_kind kind =
      item.kind == CAIRN_DAG_ITEM_CSW ? CAIRN_LINT_FINDING_REDUNDANT_STREAM_WAIT
      : item.kind == CAIRN_DAG_STEP_DEVICE_SYNC
          ? CAIRN_LINT_FINDING_NEEDLESS_DEVICE_SYNC
          : CAIRN_LINT_FINDING_REDUNDANT_HOST_SYNC;
  cairn_base_text text = {0}, repair = {0};
  cairn_base_text_addf(&text,
                       "this %s is needless: all that it orders is "
                       "ordered without it",
                       noun(item));
  cairn_base_text_addf(&repair, "remove item %zu", i);
  const size_t record = kind == CAIRN_LINT_FINDING_NEEDLESS_DEVICE_SYNC ||
                                item.kind == CAIRN_DAG_STEP_STREAM_SYNC
                            ? SIZE_MAX
                            : record_of(l, i);
  if (record != SIZE_MAX && !waited_for(l, l->left, item.id))
    cairn_base_text_addf(&repair, " and its record, item %zu", record);
  cairn_lint__add(l, kind, i, served(l, i), &text, &repair);
}

/* A wait that CUDA ignores is a finding of its own. */
static int no_op(const cairn_dag_linter *l, size_t wait) {
  if (l->items[wait].kind > CAIRN_DAG_ITEM_CSW)
    return 0;
  const int open = (l->flags & CAIRN_LINT_OPEN) != 0;
  for (size_t i = 0; i < (open ? l->count : wait); i++)
    if (l->items[i].kind == CAIRN_DAG_ITEM_CER &&
        l->items[i].id == l->items[wait].id)
      return 0;
  return 1;
}

static void take_out(cairn_dag_linter *l, int kind, size_t base) {
  for (size_t i = l->count; i-- > 0;) {
    const cairn_dag_item item = l->left[i];
    if (!is_wait(item) || (kind >= 0 && item.kind != kind) || no_op(l, i))
      continue;
    l->left[i] = (cairn_dag_item){CAIRN_DAG_STEP_NONE, 0, 0};
    if (missed(l) > base)
      l->left[i] = item;
    else
      redundant(l, i);
  }
}

/* What a host sync that is needed is needed for. */
typedef struct purpose {
  uint32_t from, to;             /* streams of the a and of the b, as sets */
  int host;                      /* some b is a CPU op */
  const cairn_dag_demand *last;  /* its a is issued last */
  const cairn_dag_demand *first; /* its b is issued first */
} purpose;

static purpose purpose_of(cairn_dag_linter *l, const uint8_t *met) {
  purpose p = {0};
  for (size_t i = 0; i < l->demands.count; i++) {
    const cairn_dag_demand *const d = &l->demands.demand[i];
    if (!met[i] || cairn_lint__order_meets(&l->order, d))
      continue;
    const cairn_dag_spot *const spot = l->order.spot;
    const size_t next = d->next ? l->order.ops : 0;
    p.from |= UINT32_C(1) << spot[d->a].stream;
    if (is_gpu(l, d->b))
      p.to |= UINT32_C(1) << spot[d->b + next].stream;
    else
      p.host = 1;
    if (!p.last || spot[d->a].position > spot[p.last->a].position)
      p.last = d;
    if (!p.first ||
        spot[d->b + next].position <
            spot[p.first->b + (p.first->next ? l->order.ops : 0)].position)
      p.first = d;
  }
  return p;
}

static void name_streams(const cairn_dag_linter *l, uint32_t set,
                         cairn_base_text *text) {
  const char *separator = (set & (set - 1)) ? "streams " : "stream ";
  for (unsigned s = 0; s < 32; s++)
    if (set >> s & 1) {
      cairn_base_text_addf(text, "%s%lu", separator,
                           cairn_lint__stream(l->numbers, s));
      separator = ", ";
    }
}

static void one_event_does(cairn_dag_linter *l, size_t i, const purpose *p) {
  cairn_base_text text = {0}, repair = {0};
  const char *const a = cairn_lint__name(l, p->last->a);
  const char *const b = cairn_lint__name(l, p->first->b);
  cairn_base_text_addf(&text,
                       "this device sync waits for all streams, but only %s "
                       "has to be complete before %s",
                       a, b);
  cairn_base_text_addf(&repair, "record an event on ");
  name_streams(l, p->from, &repair);
  cairn_base_text_addf(&repair, " after item %zu (%s) and let ",
                       l->order.spot[p->last->a].position, a);
  if (p->host)
    cairn_base_text_add(&repair, "the host");
  else
    name_streams(l, p->to, &repair);
  cairn_base_text_addf(&repair, " wait for it in place of item %zu", i);
  cairn_lint__add(l, CAIRN_LINT_FINDING_NEEDLESS_DEVICE_SYNC, i, p->last, &text,
                  &repair);
}

static void stream_could_wait(cairn_dag_linter *l, size_t i, const purpose *p) {
  cairn_base_text text = {0}, repair = {0};
  cairn_base_text_addf(&text,
                       "this %s holds up the host, but only GPU ops (%s "
                       "first) need it",
                       noun(l->items[i]), cairn_lint__name(l, p->first->b));
  cairn_base_text_addf(&repair, "let ");
  name_streams(l, p->to, &repair);
  if (l->items[i].kind == CAIRN_DAG_ITEM_CES) {
    cairn_base_text_addf(&repair, " wait for event #%lu",
                         cairn_lint__event(l->numbers, l->items[i].id));
  } else {
    cairn_base_text_add(&repair, " wait for an event recorded on ");
    name_streams(l, p->from, &repair);
  }
  cairn_base_text_addf(&repair, " (CSW) in place of item %zu", i);
  cairn_lint__add(l, CAIRN_LINT_FINDING_REPLACEABLE_HOST_SYNC, i, p->first,
                  &text, &repair);
}

/* A full join at the end of an iteration is what it should be. */
static int is_join(const cairn_dag_linter *l, size_t i) {
  const unsigned end = cairn_dag_program_ops(l->program) - 1;
  for (i++; i < l->count; i++)
    if (l->items[i].kind <= CAIRN_DAG_ITEM_GPU)
      return l->items[i].id == end;
  return 0;
}

static void check_host_sync(cairn_dag_linter *l, size_t i, uint8_t *met) {
  const cairn_dag_item item = l->left[i];
  cairn_lint__order_run(&l->order, l->left);
  for (size_t k = 0; k < l->demands.count; k++)
    met[k] = (uint8_t)cairn_lint__order_meets(&l->order, &l->demands.demand[k]);
  l->left[i] = (cairn_dag_item){CAIRN_DAG_STEP_NONE, 0, 0};
  cairn_lint__order_run(&l->order, l->left);
  const purpose p = purpose_of(l, met);
  l->left[i] = item;
  if (!p.last)
    return;
  if (item.kind == CAIRN_DAG_STEP_DEVICE_SYNC) {
    if ((p.from & (p.from - 1)) == 0)
      one_event_does(l, i, &p);
    else if (!p.host)
      stream_could_wait(l, i, &p);
  } else if (!p.host) {
    stream_could_wait(l, i, &p);
  }
}

static void check_host_syncs(cairn_dag_linter *l) {
  uint8_t *const met = cairn_base_alloc(l->demands.count, sizeof *met);
  if (!met) {
    l->status = CAIRN_NOMEM;
    return;
  }
  for (size_t i = 0; i < l->count; i++)
    if (is_wait(l->left[i]) && l->left[i].kind != CAIRN_DAG_ITEM_CSW &&
        !is_join(l, i))
      check_host_sync(l, i, met);
  cairn_base_free(met);
}

static void check_records(cairn_dag_linter *l) {
  for (size_t i = 0; i < l->count; i++) {
    if (l->items[i].kind != CAIRN_DAG_ITEM_CER ||
        waited_for(l, l->items, l->items[i].id))
      continue;
    cairn_base_text text = {0}, repair = {0};
    cairn_base_text_addf(&text, "nobody waits for event #%lu",
                         cairn_lint__event(l->numbers, l->items[i].id));
    cairn_base_text_addf(&repair, "remove item %zu", i);
    cairn_lint__add(l, CAIRN_LINT_FINDING_REDUNDANT_RECORD, i, NULL, &text,
                    &repair);
  }
}

void cairn_lint__waste(cairn_dag_linter *l) {
  if (l->count == 0)
    return;
  l->left = cairn_base_alloc(l->count, sizeof *l->left);
  if (!l->left) {
    l->status = CAIRN_NOMEM;
    return;
  }
  memcpy(l->left, l->items, l->count * sizeof *l->left);
  const size_t base = missed(l);
  take_out(l, CAIRN_DAG_STEP_DEVICE_SYNC, base);
  take_out(l, CAIRN_DAG_STEP_STREAM_SYNC, base);
  take_out(l, -1, base);
  check_host_syncs(l);
  check_records(l);
}

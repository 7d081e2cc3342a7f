/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/moves.c - neighbours of a schedule by a guided walk.
 *
 * The old schedule, changed in one place, guides a new walk item by item: an
 * op is issued on the stream it names, after the syncs that it still misses; a
 * sync is pushed if it is legal there, and left out otherwise.  The walk is
 * legal and complete, so what is left after tidying is in the tidy space.
 *
 * The guide's streams get their numbers in the new walk as they come; the
 * guide's events stand for the last op their record covered, and so for the
 * record that owns that op in the new walk.
 *
 * Moves are numbered item by item: `first[i]` is the number of the first move
 * of item i.  A gap g is the place before item g.
 */
#include "dag/space/moves-private.h"
#include <cairn/dag.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/keyset-private.h"
#include "dag/space/walk-private.h"
#include "dag/space/walk-state-private.h"

#include <string.h>

enum {
  UNMAPPED = 0xff,
  TRIES = 24 /* of a random move that leads back */
};

typedef struct change {
  enum { KEEP, MOVE, DROP, STREAM, ADD } what;
  unsigned item;   /* MOVE, DROP, STREAM */
  unsigned gap;    /* MOVE, ADD */
  unsigned choice; /* STREAM: the stream; ADD: which sync */
} change;

struct cairn_dag_moves {
  const cairn_dag_program *program;
  cairn_dag_walk *walk;
  unsigned streams;
  cairn_dag_item *items;  /* the schedule */
  unsigned count, labels; /* its items; streams a GPU op may go to */
  uint32_t *op_items;     /* the items that are ops, but start and end */
  uint32_t *gpu_items, *sync_items;
  unsigned op_count, gpu_count, sync_count;
  unsigned *at;         /* op -> item */
  uint16_t *before;     /* GPU op -> the one before it on its stream */
  uint16_t *last_op;    /* event -> last op its record covers */
  uint16_t *stop_op;    /* event -> last op of the record before */
  unsigned *record;     /* event -> item */
  unsigned *wait;       /* event -> item of the first wait */
  uint32_t *first;      /* item -> first move; [count]: all */
  uint32_t *low, *high; /* item -> gaps it may go to */
  uint32_t *adds;       /* gap -> syncs that may be added */
  uint8_t label[CAIRN_DAG_MAX_STREAMS + 1]; /* guide's stream -> walk's */
};

void cairn_dag__moves_free(cairn_dag_moves *m) {
  if (!m)
    return;
  cairn_dag__walk_free(m->walk);
  cairn_base_free(m->items);
  cairn_base_free(m->op_items);
  cairn_base_free(m->gpu_items);
  cairn_base_free(m->sync_items);
  cairn_base_free(m->at);
  cairn_base_free(m->before);
  cairn_base_free(m->last_op);
  cairn_base_free(m->stop_op);
  cairn_base_free(m->record);
  cairn_base_free(m->wait);
  cairn_base_free(m->first);
  cairn_base_free(m->low);
  cairn_base_free(m->high);
  cairn_base_free(m->adds);
  cairn_base_free(m);
}

cairn_status cairn_dag__moves_create(const cairn_dag_program *program,
                                     unsigned streams,
                                     cairn_dag_moves **moves_p) {
  const size_t items = cairn_dag__program_max_items(program, streams) + 1;
  const size_t ops = program->count, events = program->gpu_ops + 1;
  cairn_dag_moves *m = cairn_base_zalloc(1, sizeof *m);
  if (!m)
    return CAIRN_NOMEM;
  m->program = program;
  m->streams = streams;
  m->items = cairn_base_alloc(items, sizeof *m->items);
  m->op_items = cairn_base_alloc(ops, sizeof *m->op_items);
  m->gpu_items = cairn_base_alloc(ops, sizeof *m->gpu_items);
  m->sync_items = cairn_base_alloc(items, sizeof *m->sync_items);
  m->at = cairn_base_zalloc(ops, sizeof *m->at);
  m->before = cairn_base_zalloc(ops, sizeof *m->before);
  m->last_op = cairn_base_zalloc(events, sizeof *m->last_op);
  m->stop_op = cairn_base_zalloc(events, sizeof *m->stop_op);
  m->record = cairn_base_zalloc(events, sizeof *m->record);
  m->wait = cairn_base_zalloc(events, sizeof *m->wait);
  m->first = cairn_base_zalloc(items, sizeof *m->first);
  m->low = cairn_base_zalloc(items, sizeof *m->low);
  m->high = cairn_base_zalloc(items, sizeof *m->high);
  m->adds = cairn_base_zalloc(items, sizeof *m->adds);
  if (!m->items || !m->op_items || !m->gpu_items || !m->sync_items || !m->at ||
      !m->before || !m->last_op || !m->stop_op || !m->record || !m->wait ||
      !m->first || !m->low || !m->high || !m->adds ||
      cairn_dag__walk_create(program, streams, &m->walk) != CAIRN_OK) {
    cairn_dag__moves_free(m);
    return CAIRN_NOMEM;
  }
  *moves_p = m;
  return CAIRN_OK;
}

/* ---- the guided walk ---- */

/* The walk's number of the guide's stream; `streams` when it has none left. */
static unsigned stream_of(const cairn_dag_moves *m, unsigned label) {
  return m->label[label] == UNMAPPED ? m->walk->now.used : m->label[label];
}

static void follow_wait(cairn_dag_moves *m, cairn_dag_item item) {
  cairn_dag_walk *const w = m->walk;
  const unsigned a = m->last_op[item.id];
  unsigned e, t;
  if (a == CAIRN_DAG__NONE || !cairn_dag__walk_issued(w, a) ||
      w->own[a] == CAIRN_DAG__NONE)
    return;
  e = w->own[a];
  if (item.kind == CAIRN_DAG_ITEM_CES) {
    if (cairn_base__bits_test(w->want_ces, e))
      cairn_dag__walk_push_ces(w, e);
    return;
  }
  t = stream_of(m, item.stream);
  if (t < w->now.candidates && cairn_base__bits_test(w->want_csw, e) &&
      !(w->records[e].waiting >> t & 1)) {
    m->label[item.stream] = (uint8_t)t;
    cairn_dag__walk_push_csw(w, e, t);
  }
}

/* Follows one item of the guide. */
static void follow(cairn_dag_moves *m, cairn_dag_item item) {
  unsigned s;
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CPU:
    cairn_dag__walk_issue(m->walk, item.id, 0);
    break;
  case CAIRN_DAG_ITEM_GPU:
    s = stream_of(m, item.stream);
    if (s < m->streams) {
      m->label[item.stream] = (uint8_t)s;
      cairn_dag__walk_issue(m->walk, item.id, s);
    }
    break;
  case CAIRN_DAG_ITEM_CER:
    s = m->label[item.stream];
    if (s != UNMAPPED && (m->walk->now.cer_mask >> s & 1))
      cairn_dag__walk_push_record(m->walk, s);
    break;
  default:
    follow_wait(m, item);
  }
}

static unsigned syncs_offered(const cairn_dag_walk *w) {
  return w->now.ces + w->now.csw + cairn_dag__popcount(w->now.cer_mask);
}

static void start_over(cairn_dag_moves *m) {
  cairn_dag__walk_reset(m->walk);
  memset(m->label, UNMAPPED, m->streams + 1);
}

/* Adds the choice-th sync that is offered; a stream wait by a new stream makes
 * it the guide's next new one. */
static void add_sync(cairn_dag_moves *m, unsigned choice) {
  cairn_dag_walk *const w = m->walk;
  const unsigned used = w->now.used;
  if (choice < syncs_offered(w))
    cairn_dag__walk_push_sync(w, choice);
  if (w->now.used > used) {
    unsigned label = 0;
    while (m->label[label] != UNMAPPED)
      label++;
    m->label[label] = (uint8_t)used;
  }
}

/* Walks along the guide with one change. */
static void walk_changed(cairn_dag_moves *m, change c) {
  start_over(m);
  for (unsigned g = 1; g < m->count; g++) {
    cairn_dag_item item = m->items[g];
    if (c.what == MOVE && c.gap == g)
      follow(m, m->items[c.item]);
    if (c.what == ADD && c.gap == g)
      add_sync(m, c.choice);
    if (c.item == g && (c.what == MOVE || c.what == DROP))
      continue;
    if (c.item == g && c.what == STREAM)
      item.stream = (uint8_t)c.choice;
    follow(m, item);
  }
}

/* The changed schedule; 0 when it is the old one. */
static size_t make(cairn_dag_moves *m, change c, cairn_dag_item *out) {
  const cairn_dag_item *items;
  size_t count;
  walk_changed(m, c);
  items = cairn_dag__walk_items(m->walk, &count);
  if (!cairn_dag__walk_complete(m->walk))
    return 0;
  memcpy(out, items, count * sizeof *items);
  count = cairn_dag__schedule_tidy(out, count);
  if (count == m->count && memcmp(out, m->items, count * sizeof *out) == 0)
    return 0;
  return count;
}

/* ---- numbering the moves ---- */

/* Where things are in the schedule. */
static void locate(cairn_dag_moves *m) {
  uint16_t last[CAIRN_DAG_MAX_STREAMS], stop[CAIRN_DAG_MAX_STREAMS];
  unsigned used = 0;
  memset(last, 0xff, sizeof last);
  memset(stop, 0xff, sizeof stop);
  m->op_count = m->gpu_count = m->sync_count = 0;
  for (unsigned i = 0; i < m->count; i++) {
    const cairn_dag_item item = m->items[i];
    if (item.kind <= CAIRN_DAG_ITEM_GPU) {
      m->at[item.id] = i;
      if (i > 0 && i + 1 < m->count)
        m->op_items[m->op_count++] = i;
    } else {
      m->sync_items[m->sync_count++] = i;
    }
    if (item.kind == CAIRN_DAG_ITEM_GPU) {
      m->gpu_items[m->gpu_count++] = i;
      m->before[item.id] = last[item.stream];
      last[item.stream] = item.id;
    } else if (item.kind == CAIRN_DAG_ITEM_CER) {
      m->record[item.id] = i;
      m->wait[item.id] = 0;
      m->last_op[item.id] = last[item.stream];
      m->stop_op[item.id] = stop[item.stream];
      stop[item.stream] = last[item.stream];
    } else if (item.kind >= CAIRN_DAG_ITEM_CES && m->wait[item.id] == 0) {
      m->wait[item.id] = i;
    }
    if ((item.kind == CAIRN_DAG_ITEM_GPU || item.kind == CAIRN_DAG_ITEM_CSW) &&
        item.stream >= used)
      used = item.stream + 1u;
  }
  m->labels = used < m->streams ? used + 1 : used;
}

static void range_of_op(cairn_dag_moves *m, unsigned i) {
  const cairn_dag__rows *const pred = &m->program->pred;
  const cairn_dag__rows *const succ = &m->program->succ;
  const unsigned id = m->items[i].id;
  unsigned low = 1, high = m->count - 1;
  for (uint32_t k = pred->row[id]; k < pred->row[id + 1]; k++)
    if (m->at[pred->to[k]] + 1 > low)
      low = m->at[pred->to[k]] + 1;
  for (uint32_t k = succ->row[id]; k < succ->row[id + 1]; k++)
    if (m->at[succ->to[k]] < high)
      high = m->at[succ->to[k]];
  m->low[i] = low;
  m->high[i] = high;
}

/* A record goes from after its first own op to its first wait. */
static void range_of_record(cairn_dag_moves *m, unsigned i) {
  const unsigned e = m->items[i].id;
  unsigned low = i;
  for (unsigned a = m->last_op[e]; a != m->stop_op[e]; a = m->before[a])
    low = m->at[a] + 1;
  m->low[i] = low;
  m->high[i] = m->wait[e] > i ? m->wait[e] : i;
}

/* A wait goes from after its record to the first op that it serves. */
static void range_of_wait(cairn_dag_moves *m, unsigned i) {
  const cairn_dag_item item = m->items[i];
  const int host = item.kind == CAIRN_DAG_ITEM_CES;
  const cairn_dag__rows *const succ =
      host ? &m->program->cpu_succ : &m->program->gpu_succ;
  const unsigned e = item.id;
  unsigned high = m->count - 1;
  for (unsigned a = m->last_op[e]; a != m->stop_op[e]; a = m->before[a])
    for (uint32_t k = succ->row[a]; k < succ->row[a + 1]; k++) {
      const unsigned at = m->at[succ->to[k]];
      if (at > i && at < high && (host || m->items[at].stream == item.stream))
        high = at;
    }
  m->low[i] = m->record[e] + 1;
  m->high[i] = high;
}

/* Moves of one item to other gaps: all of low..high but its own two. */
static unsigned shifts(const cairn_dag_moves *m, unsigned i) {
  const unsigned low = m->low[i], high = m->high[i];
  return (low < i ? i - low : 0) + (high > i + 1 ? high - i - 1 : 0);
}

static unsigned shift_gap(const cairn_dag_moves *m, unsigned i, unsigned k) {
  const unsigned earlier = m->low[i] < i ? i - m->low[i] : 0;
  return k < earlier ? m->low[i] + k : i + 2 + (k - earlier);
}

/* Moves of item i besides shifts and adds: streams, or dropping. */
static unsigned others(const cairn_dag_moves *m, unsigned i) {
  const uint8_t kind = m->items[i].kind;
  if (i == 0 || i + 1 == m->count || kind == CAIRN_DAG_ITEM_CPU)
    return 0;
  return kind == CAIRN_DAG_ITEM_GPU ? m->labels - 1 : 1;
}

size_t cairn_dag__moves_begin(cairn_dag_moves *m, const cairn_dag_item *items,
                              size_t count) {
  memcpy(m->items, items, count * sizeof *items);
  m->count = (unsigned)count;
  locate(m);
  start_over(m);
  m->first[0] = m->first[1] = 0;
  m->low[0] = m->high[0] = m->adds[0] = 0;
  for (unsigned i = 1; i < m->count; i++) {
    m->adds[i] = syncs_offered(m->walk);
    if (i + 1 == m->count)
      m->low[i] = m->high[i] = i;
    else if (items[i].kind <= CAIRN_DAG_ITEM_GPU)
      range_of_op(m, i);
    else if (items[i].kind == CAIRN_DAG_ITEM_CER)
      range_of_record(m, i);
    else
      range_of_wait(m, i);
    m->first[i + 1] = m->first[i] + m->adds[i] + shifts(m, i) + others(m, i);
    follow(m, items[i]);
  }
  return m->first[m->count];
}

/* The k-th move of item i. */
static change decode(const cairn_dag_moves *m, unsigned i, unsigned k) {
  const unsigned own = m->items[i].stream;
  if (k < m->adds[i])
    return (change){ADD, 0, i, k};
  k -= m->adds[i];
  if (k < shifts(m, i))
    return (change){MOVE, i, shift_gap(m, i, k), 0};
  k -= shifts(m, i);
  if (m->items[i].kind == CAIRN_DAG_ITEM_GPU)
    return (change){STREAM, i, 0, k + (k >= own)};
  return (change){DROP, i, 0, 0};
}

size_t cairn_dag__moves_neighbour(cairn_dag_moves *m, size_t index,
                                  cairn_dag_item *out) {
  unsigned low = 0, high = m->count; /* first[low] <= index < first[high] */
  if (index >= m->first[m->count])
    return 0;
  while (high - low > 1) {
    const unsigned middle = (low + high) / 2;
    if (m->first[middle] <= index)
      low = middle;
    else
      high = middle;
  }
  return make(m, decode(m, low, (unsigned)index - m->first[low]), out);
}

/* ---- random moves ---- */

static change random_insert(const cairn_dag_moves *m, cairn_base_rng *rng) {
  const unsigned i = m->op_items[cairn_base__rng_below(rng, m->op_count)];
  const unsigned count = shifts(m, i);
  if (count == 0)
    return (change){KEEP, 0, 0, 0};
  return (change){MOVE, i, shift_gap(m, i, cairn_base__rng_below(rng, count)),
                  0};
}

/* An op and the next one change places: the first goes to after the second,
 * or the second to before the first. */
static change random_swap(const cairn_dag_moves *m, cairn_base_rng *rng) {
  unsigned k, i, j;
  if (m->op_count < 2)
    return (change){KEEP, 0, 0, 0};
  k = cairn_base__rng_below(rng, m->op_count - 1);
  i = m->op_items[k];
  j = m->op_items[k + 1];
  if (m->high[i] <= j)
    return (change){KEEP, 0, 0, 0};
  if (cairn_base__rng_next(rng) >> 63)
    return (change){MOVE, i, j + 1, 0};
  return (change){MOVE, j, i, 0};
}

static change random_stream(const cairn_dag_moves *m, cairn_base_rng *rng) {
  unsigned i, choice;
  if (m->labels < 2 || m->gpu_count == 0)
    return (change){KEEP, 0, 0, 0};
  i = m->gpu_items[cairn_base__rng_below(rng, m->gpu_count)];
  choice = cairn_base__rng_below(rng, m->labels - 1);
  return (change){STREAM, i, 0, choice + (choice >= m->items[i].stream)};
}

/* An add, or a shift or drop of a sync that is there. */
static change random_sync(const cairn_dag_moves *m, cairn_base_rng *rng) {
  unsigned i;
  if (m->sync_count == 0 || cairn_base__rng_next(rng) >> 62 == 0) {
    i = 1 + cairn_base__rng_below(rng, m->count - 1);
    if (m->adds[i] == 0)
      return (change){KEEP, 0, 0, 0};
    return (change){ADD, 0, i, cairn_base__rng_below(rng, m->adds[i])};
  }
  i = m->sync_items[cairn_base__rng_below(rng, m->sync_count)];
  return decode(m, i,
                m->adds[i] + cairn_base__rng_below(rng, shifts(m, i) + 1));
}

size_t cairn_dag__moves_random(cairn_dag_moves *m, unsigned kinds,
                               cairn_base_rng *rng, cairn_dag_item *out) {
  kinds &= CAIRN_DAG_MOVE_ANY;
  if (m->gpu_count == 0)
    kinds &= ~(unsigned)(CAIRN_DAG_MOVE_STREAM | CAIRN_DAG_MOVE_SYNC);
  if (kinds == 0)
    return 0;
  for (unsigned i = 0; i < TRIES; i++) {
    const unsigned kind =
        1u << cairn_dag__select(
            kinds, cairn_base__rng_below(rng, cairn_dag__popcount(kinds)));
    const change c = kind == CAIRN_DAG_MOVE_INSERT   ? random_insert(m, rng)
                     : kind == CAIRN_DAG_MOVE_SWAP   ? random_swap(m, rng)
                     : kind == CAIRN_DAG_MOVE_STREAM ? random_stream(m, rng)
                                                     : random_sync(m, rng);
    const size_t count = c.what == KEEP ? 0 : make(m, c, out);
    if (count)
      return count;
  }
  return 0;
}

/* ---- all of them ---- */

cairn_status cairn_dag__moves_all(cairn_dag_moves *m, cairn_dag_visit visit,
                                  void *context) {
  const size_t room = cairn_dag__program_max_items(m->program, m->streams);
  cairn_dag_item *out = cairn_base_alloc(room, sizeof *out);
  cairn_dag__keyset seen = {0};
  cairn_status status = out ? CAIRN_OK : CAIRN_NOMEM;
  for (unsigned i = 1; i < m->count && status == CAIRN_OK; i++)
    for (unsigned k = 0; k < m->first[i + 1] - m->first[i]; k++) {
      const size_t count = make(m, decode(m, i, k), out);
      int fresh = 0;
      if (count == 0)
        continue;
      status = cairn_dag__keyset_add(&seen, cairn_dag__schedule_key(out, count),
                                     &fresh);
      if (status != CAIRN_OK)
        break;
      if (fresh && visit(context, out, count))
        goto done;
    }
done:
  cairn_dag__keyset_free(&seen);
  cairn_base_free(out);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/plan.c - annealing on the simulated machine.
 *
 * A step changes an op's place in the order, its stream, or both, simulates
 * the whole plan and keeps the change or takes it back (Kirkpatrick, Gelatt and
 * Vecchi: Optimization by simulated annealing, 1983).  The simulation is
 * machine.c's, without the path: it derives the syncs on its way, and so costs
 * a few nanoseconds an edge where a walk of the schedule costs a microsecond.
 *
 * Invariant: the order is topological, start first, end last.
 */
#include <math.h>
#include <string.h>

#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/space/walk-private.h"
#include "mcts/model/plan-private.h"
#include <cairn/mcts.h>

enum { NONE = UINT16_MAX };

static void rows_free(cairn_mcts_rows *rows) {
  cairn_base_free(rows->row);
  cairn_base_free(rows->to);
}

void cairn_mcts__plan_free(cairn_mcts_plan *p) {
  rows_free(&p->pred);
  rows_free(&p->succ);
  rows_free(&p->gpu_pred);
  cairn_base_free(p->gpu);
  cairn_base_free(p->inner);
  cairn_base_free(p->order);
  cairn_base_free(p->place);
  cairn_base_free(p->stream);
  cairn_base_free(p->pending);
  cairn_base_free(p->index);
  cairn_base_free(p->own);
  cairn_base_free(p->open);
  cairn_base_free(p->cover);
  cairn_base_free(p->known);
  cairn_base_free(p->end);
  cairn_base_free(p->event);
  *p = (cairn_mcts_plan){0};
}

static cairn_status list(const cairn_mcts_plan *p, int succ, int gpu,
                         cairn_mcts_rows *rows) {
  size_t edges = 0, capacity = 0;
  rows->row = cairn_base_zalloc(p->ops + 1, sizeof *rows->row);
  if (!rows->row)
    return CAIRN_NOMEM;
  for (unsigned x = 0; x < p->ops; x++) {
    size_t count;
    const unsigned *const to =
        succ ? cairn_dag_program_succs(p->program, x, &count)
             : cairn_dag__program_preds(p->program, x, &count);
    const cairn_status status = cairn_base_reserve(
        &rows->to, &capacity, edges + count + 1, sizeof *rows->to);
    if (status)
      return status;
    for (size_t k = 0; k < count; k++)
      if (!gpu || p->gpu[to[k]])
        rows->to[edges++] = (uint16_t)to[k];
    rows->row[x + 1] = (uint32_t)edges;
  }
  return CAIRN_OK;
}

static cairn_status arrays(cairn_mcts_plan *p) {
  const unsigned n = p->ops;
  p->gpu = cairn_base_zalloc(n, 1);
  p->inner = cairn_base_zalloc(n, sizeof *p->inner);
  p->order = cairn_base_zalloc(n, sizeof *p->order);
  p->place = cairn_base_zalloc(n, sizeof *p->place);
  p->stream = cairn_base_zalloc(n, 1);
  p->pending = cairn_base_zalloc(n, sizeof *p->pending);
  p->index = cairn_base_zalloc(n, sizeof *p->index);
  p->own = cairn_base_zalloc(n, sizeof *p->own);
  p->open = cairn_base_zalloc((size_t)n * p->streams, sizeof *p->open);
  p->cover = cairn_base_zalloc(n + 1, sizeof *p->cover);
  p->known = cairn_base_zalloc((size_t)(p->streams + 1) * p->streams,
                               sizeof *p->known);
  p->end = cairn_base_zalloc(n, sizeof *p->end);
  p->event = cairn_base_zalloc(n + 1, sizeof *p->event);
  return p->gpu && p->inner && p->order && p->place && p->stream &&
                 p->pending && p->index && p->own && p->open && p->cover &&
                 p->known && p->end && p->event
             ? CAIRN_OK
             : CAIRN_NOMEM;
}

cairn_status cairn_mcts__plan_create(cairn_mcts_plan *p,
                                     const cairn_dag_program *program,
                                     const cairn_mcts_machine *machine) {
  cairn_status status;
  p->program = program;
  p->machine = machine;
  p->ops = machine->ops;
  p->streams = machine->streams;
  if ((status = arrays(p)))
    return status;
  for (unsigned x = 0; x < p->ops; x++) {
    p->gpu[x] = cairn_dag_program_op(program, x)->kind == CAIRN_DAG_GPU;
    if (x)
      p->inner[x - 1] = (uint16_t)x;
  }
  if (!(status = list(p, 0, 0, &p->pred)) &&
      !(status = list(p, 1, 0, &p->succ)))
    status = list(p, 0, 1, &p->gpu_pred);
  return status;
}

/* ---- setting it ---- */

static void begin(const cairn_mcts_plan *p) {
  for (unsigned x = 0; x < p->ops; x++)
    p->pending[x] = (uint16_t)(p->pred.row[x + 1] - p->pred.row[x]);
}

void cairn_mcts__plan_random(cairn_mcts_plan *p, cairn_base_rng *rng) {
  unsigned ready = 1; /* order[i .. ready - 1] may come next */
  begin(p);
  p->order[0] = 0;
  for (unsigned i = 0; i < ready; i++) {
    const unsigned k = i + cairn_base__rng_below(rng, ready - i);
    const uint16_t x = p->order[k];
    p->order[k] = p->order[i];
    p->order[i] = x;
    p->place[x] = (uint16_t)i;
    p->stream[x] =
        p->gpu[x] ? (uint8_t)cairn_base__rng_below(rng, p->streams) : 0;
    for (uint32_t e = p->succ.row[x]; e < p->succ.row[x + 1]; e++)
      if (--p->pending[p->succ.to[e]] == 0)
        p->order[ready++] = p->succ.to[e];
  }
}

void cairn_mcts__plan_set(cairn_mcts_plan *p, const cairn_dag_item *items,
                          size_t count) {
  unsigned n = 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU) {
      p->stream[items[i].id] = items[i].stream;
      p->place[items[i].id] = (uint16_t)n;
      p->order[n++] = items[i].id;
    }
}

void cairn_mcts__plan_copy(cairn_mcts_plan *to, const cairn_mcts_plan *from) {
  memcpy(to->order, from->order, from->ops * sizeof *to->order);
  memcpy(to->place, from->place, from->ops * sizeof *to->place);
  memcpy(to->stream, from->stream, from->ops);
  to->time = from->time;
}

/* ---- simulating it ---- */

typedef struct state {
  double host, ready[CAIRN_DAG_MAX_STREAMS], busy[CAIRN_MCTS_ENGINES + 1];
  uint16_t issued[CAIRN_DAG_MAX_STREAMS], opened[CAIRN_DAG_MAX_STREAMS];
  uint16_t records;
} state;

/* A record on stream s: the own one of all ops since the last. */
static void record(cairn_mcts_plan *p, state *now, unsigned s,
                   const double *shared) {
  const uint16_t e = now->records++;
  now->host += shared[CAIRN_MCTS_RECORD];
  p->event[e] = now->host > now->ready[s] ? now->host : now->ready[s];
  p->cover[e] = now->issued[s];
  for (unsigned k = 0; k < now->opened[s]; k++)
    p->own[p->open[(size_t)s * p->ops + k]] = e;
  now->opened[s] = 0;
}

/* Waiter t (a stream, or the host: p->streams) waits for what x needs. */
static void sync(cairn_mcts_plan *p, state *now, unsigned x, unsigned t,
                 const double *shared) {
  uint16_t *const known = p->known + (size_t)t * p->streams;
  const uint32_t first = p->gpu_pred.row[x], last = p->gpu_pred.row[x + 1];
  for (uint32_t k = first; k < last; k++) {
    unsigned a = p->gpu_pred.to[k];
    const unsigned s = p->stream[a];
    double then;
    if (s == t || p->index[a] < known[s])
      continue;
    for (uint32_t other = k + 1; other < last; other++) {
      const unsigned b = p->gpu_pred.to[other];
      if (p->stream[b] == s && p->index[b] > p->index[a])
        a = b;
    }
    if (p->own[a] == NONE)
      record(p, now, s, shared);
    then = p->event[p->own[a]];
    known[s] = p->cover[p->own[a]];
    if (t == p->streams) {
      then += shared[CAIRN_MCTS_WAKE];
      now->host += shared[CAIRN_MCTS_HOST_WAIT];
      now->host = then > now->host ? then : now->host;
    } else {
      then += shared[CAIRN_MCTS_RELAY];
      now->host += shared[CAIRN_MCTS_STREAM_WAIT];
      now->ready[t] = then > now->ready[t] ? then : now->ready[t];
    }
  }
}

static void run_cpu(cairn_mcts_plan *p, state *now, unsigned x) {
  const cairn_mcts_machine *const m = p->machine;
  const double *const lag = m->cost + m->ops + CAIRN_MCTS_SHARED;
  now->host += m->cost[x];
  for (uint32_t k = m->lag_row[x]; k < m->lag_row[x + 1]; k++) {
    const double t = p->end[m->lag_from[k]] + lag[k];
    now->host = t > now->host ? t : now->host;
  }
  p->end[x] = now->host;
}

static void run_gpu(cairn_mcts_plan *p, state *now, unsigned x,
                    const double *shared) {
  const unsigned s = p->stream[x], e = p->machine->engine[x];
  double t;
  now->host += shared[CAIRN_MCTS_LAUNCH];
  t = now->host + shared[CAIRN_MCTS_START];
  t = now->ready[s] > t ? now->ready[s] : t;
  if (e && now->busy[e] > t)
    t = now->busy[e];
  now->ready[s] = now->busy[e] = t + p->machine->cost[x];
  p->index[x] = now->issued[s]++;
  p->own[x] = NONE;
  p->open[(size_t)s * p->ops + now->opened[s]++] = (uint16_t)x;
}

/* Records that ops need that have just become ready. */
static void record_early(cairn_mcts_plan *p, state *now, unsigned x,
                         const double *shared) {
  for (uint32_t e = p->succ.row[x]; e < p->succ.row[x + 1]; e++) {
    const unsigned b = p->succ.to[e];
    if (--p->pending[b])
      continue;
    for (uint32_t k = p->gpu_pred.row[b]; k < p->gpu_pred.row[b + 1]; k++) {
      const unsigned a = p->gpu_pred.to[k];
      if (p->own[a] == NONE && !(p->gpu[b] && p->stream[a] == p->stream[b]))
        record(p, now, p->stream[a], shared);
    }
  }
}

double cairn_mcts__plan_time(cairn_mcts_plan *p) {
  const double *const shared = p->machine->cost + p->ops;
  state now;
  memset(&now, 0, sizeof now);
  begin(p);
  memset(p->known, 0, (size_t)(p->streams + 1) * p->streams * sizeof *p->known);
  for (unsigned i = 0; i < p->ops; i++) {
    const unsigned x = p->order[i];
    sync(p, &now, x, p->gpu[x] ? p->stream[x] : p->streams, shared);
    if (p->gpu[x])
      run_gpu(p, &now, x, shared);
    else
      run_cpu(p, &now, x);
    record_early(p, &now, x, shared);
  }
  return p->time = now.host;
}

/* ---- annealing ---- */

/* Takes the op at place i to place j. */
static void shift(cairn_mcts_plan *p, unsigned i, unsigned j) {
  const uint16_t x = p->order[i];
  for (; i < j; i++) {
    p->order[i] = p->order[i + 1];
    p->place[p->order[i]] = (uint16_t)i;
  }
  for (; i > j; i--) {
    p->order[i] = p->order[i - 1];
    p->place[p->order[i]] = (uint16_t)i;
  }
  p->order[j] = x;
  p->place[x] = (uint16_t)j;
}

/* A random place that x may go to. */
static unsigned other_place(const cairn_mcts_plan *p, unsigned x,
                            cairn_base_rng *rng) {
  static const unsigned reach[] = {2, 6, 20, UINT16_MAX};
  const unsigned at = p->place[x], far = reach[cairn_base__rng_below(rng, 4)];
  unsigned low = at > far ? at - far : 0, high = at + far;
  for (uint32_t k = p->pred.row[x]; k < p->pred.row[x + 1]; k++)
    if (p->place[p->pred.to[k]] >= low)
      low = p->place[p->pred.to[k]] + 1u;
  for (uint32_t k = p->succ.row[x]; k < p->succ.row[x + 1]; k++)
    if (p->place[p->succ.to[k]] <= high)
      high = p->place[p->succ.to[k]] - 1u;
  return low + cairn_base__rng_below(rng, high - low + 1);
}

double cairn_mcts__plan_step(cairn_mcts_plan *p, double temperature,
                             cairn_base_rng *rng) {
  const double before = p->time;
  const unsigned x = p->inner[cairn_base__rng_below(rng, p->ops - 2)];
  const unsigned from = p->place[x], kind = cairn_base__rng_below(rng, 4);
  const uint8_t stream = p->stream[x];
  unsigned to = from;
  if (kind < 3 || !p->gpu[x])
    to = other_place(p, x, rng);
  if (kind > 1 && p->gpu[x] && p->streams > 1) {
    const unsigned other = cairn_base__rng_below(rng, p->streams - 1);
    p->stream[x] = (uint8_t)(other + (other >= stream));
  }
  if (to == from && p->stream[x] == stream)
    return before;
  shift(p, from, to);
  if (cairn_mcts__plan_time(p) <= before ||
      (temperature > 0 &&
       cairn_base__rng_uniform(rng) < exp((before - p->time) / temperature)))
    return p->time;
  shift(p, to, from);
  p->stream[x] = stream;
  return p->time = before;
}

/* ---- the schedule ---- */

/* Takes note of the items that are new: which ops have a record behind them.
 * Streams are the walk's. */
static void note(const cairn_mcts_plan *p, const cairn_dag_walk *walk,
                 size_t *noted, state *now) {
  size_t count;
  const cairn_dag_item *const items = cairn_dag__walk_items(walk, &count);
  for (; *noted < count; ++*noted) {
    const cairn_dag_item it = items[*noted];
    uint16_t *const open = p->open + (size_t)it.stream * p->ops;
    if (it.kind == CAIRN_DAG_ITEM_GPU) {
      p->own[it.id] = NONE;
      open[now->opened[it.stream]++] = it.id;
    } else if (it.kind == CAIRN_DAG_ITEM_CER) {
      while (now->opened[it.stream])
        p->own[open[--now->opened[it.stream]]] = it.id;
      now->records++;
    }
  }
}

/* Records that ready ops need on other streams than their own. */
static void push_records(const cairn_mcts_plan *p, unsigned x,
                         const uint8_t *label, size_t *noted, state *now,
                         cairn_dag_walk *walk) {
  for (uint32_t e = p->succ.row[x]; e < p->succ.row[x + 1]; e++) {
    const unsigned b = p->succ.to[e];
    if (--p->pending[b])
      continue;
    for (uint32_t k = p->gpu_pred.row[b]; k < p->gpu_pred.row[b + 1]; k++) {
      const unsigned a = p->gpu_pred.to[k];
      const cairn_dag_item item = {CAIRN_DAG_ITEM_CER, label[p->stream[a]],
                                   now->records};
      if (p->own[a] != NONE || (p->gpu[b] && p->stream[a] == p->stream[b]))
        continue;
      cairn_dag__walk_push(walk, item);
      note(p, walk, noted, now);
    }
  }
}

void cairn_mcts__plan_walk(const cairn_mcts_plan *p, int early,
                           cairn_dag_walk *walk) {
  uint8_t label[CAIRN_DAG_MAX_STREAMS]; /* of the walk, by the plan's stream */
  state now;
  size_t noted = 0;
  memset(label, UINT8_MAX, sizeof label);
  memset(&now, 0, sizeof now);
  cairn_dag__walk_reset(walk);
  begin(p);
  for (unsigned i = 0; i < p->ops; i++) {
    const unsigned x = p->order[i];
    uint8_t *const stream = label + p->stream[x];
    if (p->gpu[x] && *stream == UINT8_MAX)
      *stream = (uint8_t)cairn_dag__walk_used_streams(walk);
    if (i)
      cairn_dag__walk_issue(walk, x, p->gpu[x] ? *stream : 0);
    note(p, walk, &noted, &now);
    if (early)
      push_records(p, x, label, &noted, &now, walk);
  }
}

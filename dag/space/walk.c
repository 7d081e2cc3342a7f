/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/walk.c - growing a prefix item by item, and taking items back.
 *
 * The picture of the state and its invariants are in
 * dag/space/walk-state-private.h. Every push is undone by the pop that mirrors
 * it, line by line in reverse.
 */
#include "base/bits-private.h"
#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "dag/space/walk-state-private.h"
#include <cairn/dag.h>

#include <assert.h>
#include <string.h>

/* ---- pairs (ready b, predecessor a) ---- */

static inline void refresh_cer(cairn_dag_walk *w, unsigned s) {
  const uint32_t bit = UINT32_C(1) << s;
  if (w->open_cpu[s] || (w->open_gpu[s] && w->streams > 1))
    w->now.cer_mask |= bit;
  else
    w->now.cer_mask &= ~bit;
}

/* Streams that record e can still be waited for by. */
static inline uint32_t targets(const cairn_dag_walk *w, unsigned e) {
  return w->now.candidate_mask & ~w->records[e].waiting;
}

static inline void want_csw(cairn_dag_walk *w, unsigned e) {
  cairn_base__bits_set(w->want_csw, e);
  w->now.wanted++;
  w->now.csw += cairn_dag__popcount(targets(w, e));
}

static inline void unwant_csw(cairn_dag_walk *w, unsigned e) {
  cairn_base__bits_clear(w->want_csw, e);
  w->now.wanted--;
  w->now.csw -= cairn_dag__popcount(targets(w, e));
}

static inline void want_ces(cairn_dag_walk *w, unsigned e) {
  cairn_base__bits_set(w->want_ces, e);
  w->now.ces++;
}

static inline void unwant_ces(cairn_dag_walk *w, unsigned e) {
  cairn_base__bits_clear(w->want_ces, e);
  w->now.ces--;
}

static inline void pair_add(cairn_dag_walk *w, unsigned a, int gpu) {
  const unsigned s = w->stream[a], e = w->own[a];
  if (e == CAIRN_DAG__NONE) {
    ++*(gpu ? &w->open_gpu[s] : &w->open_cpu[s]);
    refresh_cer(w, s);
  } else if (gpu) {
    if (w->records[e].want_gpu++ == 0)
      want_csw(w, e);
  } else if (w->records[e].want_cpu++ == 0 && !w->records[e].host) {
    want_ces(w, e);
  }
}

static inline void pair_drop(cairn_dag_walk *w, unsigned a, int gpu) {
  const unsigned s = w->stream[a], e = w->own[a];
  if (e == CAIRN_DAG__NONE) {
    --*(gpu ? &w->open_gpu[s] : &w->open_cpu[s]);
    refresh_cer(w, s);
  } else if (gpu) {
    if (--w->records[e].want_gpu == 0)
      unwant_csw(w, e);
  } else if (--w->records[e].want_cpu == 0 && !w->records[e].host) {
    unwant_ces(w, e);
  }
}

/* ---- ready ops ---- */

static void ready_cpu(cairn_dag_walk *w, unsigned b) {
  const cairn_dag__rows *const pred = &w->program->gpu_pred;
  uint16_t missing = 0;
  for (uint32_t k = pred->row[b]; k < pred->row[b + 1]; k++) {
    const unsigned a = pred->to[k];
    missing =
        (uint16_t)(missing + (w->index[a] >= *cairn_dag__walk_covered(
                                                 w, w->stream[a], w->streams)));
    pair_add(w, a, 0);
  }
  w->missing[b * w->streams] = missing;
  if (missing == 0) {
    cairn_base__bits_set(w->cpu_ok, b);
    w->now.cpu++;
  }
}

static void ready_gpu(cairn_dag_walk *w, unsigned b) {
  const cairn_dag__rows *const pred = &w->program->gpu_pred;
  uint16_t *const missing = &w->missing[b * w->streams];
  uint32_t ok = 0;
  if (pred->row[b] == pred->row[b + 1]) {
    cairn_base__bits_set(w->gpu_free, b);
    w->now.free++;
    return;
  }
  memset(missing, 0, w->streams * sizeof *missing);
  for (uint32_t k = pred->row[b]; k < pred->row[b + 1]; k++) {
    const unsigned a = pred->to[k], s = w->stream[a], i = w->index[a];
    const uint16_t *const covered = cairn_dag__walk_covered(w, s, 0);
    for (unsigned t = 0; t < w->streams; t++)
      missing[t] = (uint16_t)(missing[t] + (t != s && i >= covered[t]));
    pair_add(w, a, 1);
  }
  for (unsigned t = 0; t < w->streams; t++)
    ok |= (uint32_t)(missing[t] == 0) << t;
  w->ok[b] = ok;
  if (ok) {
    cairn_base__bits_set(w->gpu_ok, b);
    w->now.bound += cairn_dag__popcount(ok);
  }
}

static inline void ready_add(cairn_dag_walk *w, unsigned b) {
  cairn_base__bits_set(w->ready, b);
  if (w->program->ops[b].kind == CAIRN_DAG_CPU)
    ready_cpu(w, b);
  else
    ready_gpu(w, b);
}

static inline void ready_drop(cairn_dag_walk *w, unsigned b) {
  const cairn_dag__rows *const pred = &w->program->gpu_pred;
  const int gpu = w->program->ops[b].kind == CAIRN_DAG_GPU;
  cairn_base__bits_clear(w->ready, b);
  if (gpu && pred->row[b] == pred->row[b + 1]) {
    cairn_base__bits_clear(w->gpu_free, b);
    w->now.free--;
    return;
  }
  if (gpu && w->ok[b]) {
    cairn_base__bits_clear(w->gpu_ok, b);
    w->now.bound -= cairn_dag__popcount(w->ok[b]);
  } else if (!gpu && w->missing[b * w->streams] == 0) {
    cairn_base__bits_clear(w->cpu_ok, b);
    w->now.cpu--;
  }
  for (uint32_t k = pred->row[b]; k < pred->row[b + 1]; k++)
    pair_drop(w, pred->to[k], gpu);
}

/* ---- streams in use ---- */

static void set_used(cairn_dag_walk *w, unsigned used) {
  const unsigned candidates = used < w->streams ? used + 1 : w->streams;
  w->now.used = used;
  w->now.csw -= w->now.wanted * w->now.candidates;
  w->now.csw += w->now.wanted * candidates; /* no one waits on a new one */
  w->now.candidates = candidates;
  w->now.candidate_mask = (uint32_t)((UINT64_C(1) << candidates) - 1);
}

static inline uint16_t open_stream(cairn_dag_walk *w, unsigned t) {
  /* push_op is asked for a stream that is offered or for a CPU op, push_csw for
   * one of targets(): members of candidate_mask, that is below candidates. */
  assert(t <= w->now.used && t < w->streams);
  if (t < w->now.used)
    return 0;
  set_used(w, t + 1);
  return 1;
}

/* ---- items ---- */

static inline void append(cairn_dag_walk *w, cairn_dag_item_kind kind,
                          unsigned stream, unsigned id, cairn_dag__undo undo) {
  w->items[w->now.items] =
      (cairn_dag_item){(uint8_t)kind, (uint8_t)stream, (uint16_t)id};
  w->undo[w->now.items++] = undo;
}

void cairn_dag__walk_push_op(cairn_dag_walk *w, unsigned id, unsigned stream) {
  const cairn_dag__rows *const succ = &w->program->succ;
  cairn_dag__undo undo = {0, 0};
  /* Extensions and push_nth offer members of cpu_ok, gpu_free, gpu_ok, subsets
   * of ready; walk_issue looks; the start is ready in a new walk.  A reader's
   * schedule is never pushed as it is: moves.c and plan.c issue its ops. */
  assert(cairn_base__bits_test(w->ready, id));
  ready_drop(w, id);
  if (w->program->ops[id].kind == CAIRN_DAG_GPU) {
    undo.opened = open_stream(w, stream);
    w->stream[id] = (uint8_t)stream;
    w->own[id] = CAIRN_DAG__NONE;
    w->index[id] = w->length[stream];
    w->list[stream * w->ops + w->length[stream]++] = (uint16_t)id;
    append(w, CAIRN_DAG_ITEM_GPU, stream, id, undo);
  } else {
    append(w, CAIRN_DAG_ITEM_CPU, 0, id, undo);
  }
  for (uint32_t k = succ->row[id]; k < succ->row[id + 1]; k++)
    if (--w->indegree[succ->to[k]] == 0)
      ready_add(w, succ->to[k]);
}

static void pop_op(cairn_dag_walk *w, unsigned id, unsigned stream,
                   cairn_dag__undo undo) {
  const cairn_dag__rows *const succ = &w->program->succ;
  for (uint32_t k = succ->row[id]; k < succ->row[id + 1]; k++)
    if (w->indegree[succ->to[k]]++ == 0)
      ready_drop(w, succ->to[k]);
  if (w->program->ops[id].kind == CAIRN_DAG_GPU) {
    w->length[stream]--;
    if (undo.opened)
      set_used(w, stream);
  }
  ready_add(w, id);
}

void cairn_dag__walk_push_record(cairn_dag_walk *w, unsigned s) {
  const unsigned e = w->now.events++, previous = w->last[s];
  const unsigned from =
      previous == CAIRN_DAG__NONE ? 0 : w->records[previous].end;
  cairn_dag__record *const record = &w->records[e];
  /* Offered ones are members of cer_mask, and moves.c looks.  sync_with and
   * mcts/model/plan.c ask for a stream whose op a has no record behind it, for
   * a ready b that is not on it: pair_add(a) has counted b in open_cpu or, with
   * at least two streams, in open_gpu, so refresh_cer has set the bit. */
  assert(w->now.cer_mask >> s & 1);
  *record = (cairn_dag__record){w->open_cpu[s],
                                w->open_gpu[s],
                                UINT32_C(1) << s,
                                w->length[s],
                                (uint16_t)previous,
                                (uint8_t)s,
                                0};
  w->last[s] = (uint16_t)e;
  w->open_cpu[s] = w->open_gpu[s] = 0;
  w->now.cer_mask &= ~(UINT32_C(1) << s);
  for (unsigned i = from; i < record->end; i++)
    w->own[w->list[s * w->ops + i]] = (uint16_t)e;
  if (record->want_cpu)
    want_ces(w, e);
  if (record->want_gpu)
    want_csw(w, e);
  append(w, CAIRN_DAG_ITEM_CER, s, e, (cairn_dag__undo){0, 0});
}

static void pop_record(cairn_dag_walk *w, unsigned e) {
  const cairn_dag__record *const record = &w->records[e];
  const unsigned s = record->stream, previous = record->previous;
  const unsigned from =
      previous == CAIRN_DAG__NONE ? 0 : w->records[previous].end;
  if (record->want_cpu)
    unwant_ces(w, e);
  if (record->want_gpu)
    unwant_csw(w, e);
  for (unsigned i = from; i < record->end; i++)
    w->own[w->list[s * w->ops + i]] = CAIRN_DAG__NONE;
  w->open_cpu[s] = record->want_cpu;
  w->open_gpu[s] = record->want_gpu;
  refresh_cer(w, s);
  w->last[s] = (uint16_t)previous;
  w->now.events--;
}

void cairn_dag__walk_push_ces(cairn_dag_walk *w, unsigned e) {
  const cairn_dag__rows *const succ = &w->program->cpu_succ;
  const unsigned s = w->records[e].stream, to = w->records[e].end;
  uint16_t *const covered = cairn_dag__walk_covered(w, s, w->streams);
  const unsigned from = *covered;
  /* Offered ones are members of want_ces, and moves.c looks.  sync_with asks
   * for the record of a ready CPU op's predecessor a that the host does not
   * cover: the pair is counted in its want_cpu, and its end is behind a, so its
   * `host` is not set; want_ces holds just these records. */
  assert(cairn_base__bits_test(w->want_ces, e));
  for (unsigned i = from; i < to; i++) {
    const unsigned a = w->list[s * w->ops + i];
    for (uint32_t k = succ->row[a]; k < succ->row[a + 1]; k++) {
      const unsigned b = succ->to[k];
      if (cairn_base__bits_test(w->ready, b) &&
          --w->missing[b * w->streams] == 0) {
        cairn_base__bits_set(w->cpu_ok, b);
        w->now.cpu++;
      }
    }
  }
  for (unsigned r = e; r != CAIRN_DAG__NONE && w->records[r].end > from;
       r = w->records[r].previous) {
    w->records[r].host = 1;
    if (w->records[r].want_cpu)
      unwant_ces(w, r);
  }
  *covered = (uint16_t)to;
  append(w, CAIRN_DAG_ITEM_CES, 0, e, (cairn_dag__undo){(uint16_t)from, 0});
}

static void pop_ces(cairn_dag_walk *w, unsigned e, cairn_dag__undo undo) {
  const cairn_dag__rows *const succ = &w->program->cpu_succ;
  const unsigned s = w->records[e].stream, to = w->records[e].end;
  *cairn_dag__walk_covered(w, s, w->streams) = undo.covered;
  for (unsigned r = e; r != CAIRN_DAG__NONE && w->records[r].end > undo.covered;
       r = w->records[r].previous) {
    w->records[r].host = 0;
    if (w->records[r].want_cpu)
      want_ces(w, r);
  }
  for (unsigned i = undo.covered; i < to; i++) {
    const unsigned a = w->list[s * w->ops + i];
    for (uint32_t k = succ->row[a]; k < succ->row[a + 1]; k++) {
      const unsigned b = succ->to[k];
      if (cairn_base__bits_test(w->ready, b) &&
          w->missing[b * w->streams]++ == 0) {
        cairn_base__bits_clear(w->cpu_ok, b);
        w->now.cpu--;
      }
    }
  }
}

/* Stream t becomes (on), or is no longer (off), synced with one more
 * predecessor of b. */
static inline void sync_gpu(cairn_dag_walk *w, unsigned b, unsigned t, int on) {
  const uint32_t bit = UINT32_C(1) << t;
  uint16_t *const missing = &w->missing[b * w->streams + t];
  if (on ? --*missing != 0 : (*missing)++ != 0)
    return;
  w->ok[b] ^= bit;
  w->now.bound = on ? w->now.bound + 1 : w->now.bound - 1;
  if (w->ok[b])
    cairn_base__bits_set(w->gpu_ok, b);
  else
    cairn_base__bits_clear(w->gpu_ok, b);
}

static void cover(cairn_dag_walk *w, unsigned s, unsigned t, unsigned from,
                  unsigned to, int on) {
  const cairn_dag__rows *const succ = &w->program->gpu_succ;
  for (unsigned i = from; i < to; i++) {
    const unsigned a = w->list[s * w->ops + i];
    for (uint32_t k = succ->row[a]; k < succ->row[a + 1]; k++)
      if (cairn_base__bits_test(w->ready, succ->to[k]))
        sync_gpu(w, succ->to[k], t, on);
  }
}

void cairn_dag__walk_push_csw(cairn_dag_walk *w, unsigned e, unsigned t) {
  const unsigned s = w->records[e].stream, to = w->records[e].end;
  uint16_t *const covered = cairn_dag__walk_covered(w, s, t);
  const unsigned from = *covered;
  const uint16_t opened = open_stream(w, t);
  /* Offered ones are targets() of members of want_csw, and moves.c looks for
   * both; `waiting` holds s from the beginning and t as soon as t covers the
   * record's end.  sync_with asks for a record behind a, which t does not
   * cover, on a stream that is not t; b's pair is counted in its want_gpu. */
  assert(cairn_base__bits_test(w->want_csw, e) && t != s && from < to);
  cover(w, s, t, from, to, 1);
  for (unsigned r = e; r != CAIRN_DAG__NONE && w->records[r].end > from;
       r = w->records[r].previous) {
    w->records[r].waiting |= UINT32_C(1) << t;
    w->now.csw -= w->records[r].want_gpu != 0;
  }
  *covered = (uint16_t)to;
  append(w, CAIRN_DAG_ITEM_CSW, t, e,
         (cairn_dag__undo){(uint16_t)from, opened});
}

static void pop_csw(cairn_dag_walk *w, unsigned e, unsigned t,
                    cairn_dag__undo undo) {
  const unsigned s = w->records[e].stream, to = w->records[e].end;
  *cairn_dag__walk_covered(w, s, t) = undo.covered;
  for (unsigned r = e; r != CAIRN_DAG__NONE && w->records[r].end > undo.covered;
       r = w->records[r].previous) {
    w->records[r].waiting &= ~(UINT32_C(1) << t);
    w->now.csw += w->records[r].want_gpu != 0;
  }
  cover(w, s, t, undo.covered, to, 0);
  if (undo.opened)
    set_used(w, t);
}

void cairn_dag__walk_push(cairn_dag_walk *walk, cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    cairn_dag__walk_push_record(walk, item.stream);
    break;
  case CAIRN_DAG_ITEM_CES:
    cairn_dag__walk_push_ces(walk, item.id);
    break;
  case CAIRN_DAG_ITEM_CSW:
    cairn_dag__walk_push_csw(walk, item.id, item.stream);
    break;
  default:
    cairn_dag__walk_push_op(walk, item.id, item.stream);
  }
}

void cairn_dag__walk_pop(cairn_dag_walk *walk) {
  const unsigned last = --walk->now.items;
  const cairn_dag_item item = walk->items[last];
  const cairn_dag__undo undo = walk->undo[last];
  /* The start stays: tree, sweep, tidy pop no more than they pushed (a node
   * other than the root, a level above 0). */
  assert(last > 0);
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    pop_record(walk, item.id);
    break;
  case CAIRN_DAG_ITEM_CES:
    pop_ces(walk, item.id, undo);
    break;
  case CAIRN_DAG_ITEM_CSW:
    pop_csw(walk, item.id, item.stream, undo);
    break;
  default:
    pop_op(walk, item.id, item.stream, undo);
  }
}

int cairn_dag__walk_complete(const cairn_dag_walk *walk) {
  const cairn_dag_item last = walk->items[walk->now.items - 1];
  return last.kind == CAIRN_DAG_ITEM_CPU && last.id == walk->ops - 1;
}

/* ---- choosing at random ---- */

/* The k-th (from 0) member of a set that has more than k. */
static inline unsigned nth(const uint64_t *words, unsigned k) {
  unsigned i = 0;
  for (;; i++) {
    const unsigned here = cairn_dag__popcount(words[i]);
    if (k < here)
      return 64 * i + cairn_dag__select(words[i], k);
    k -= here;
  }
}

static inline void push_nth_bound(cairn_dag_walk *w, unsigned k) {
  for (unsigned i = 0;; i++)
    for (uint64_t word = w->gpu_ok[i]; word; word &= word - 1) {
      const unsigned b = 64 * i + cairn_base__bits_lowest(word);
      const unsigned here = cairn_dag__popcount(w->ok[b]);
      if (k < here) {
        cairn_dag__walk_push_op(w, b, cairn_dag__select(w->ok[b], k));
        return;
      }
      k -= here;
    }
}

static inline void push_nth_csw(cairn_dag_walk *w, unsigned k) {
  for (unsigned i = 0;; i++)
    for (uint64_t word = w->want_csw[i]; word; word &= word - 1) {
      const unsigned e = 64 * i + cairn_base__bits_lowest(word);
      const uint32_t to = targets(w, e);
      const unsigned here = cairn_dag__popcount(to);
      if (k < here) {
        cairn_dag__walk_push_csw(w, e, cairn_dag__select(to, k));
        return;
      }
      k -= here;
    }
}

void cairn_dag__walk_push_sync(cairn_dag_walk *w, uint32_t k) {
  if (k < w->now.ces) {
    cairn_dag__walk_push_ces(w, nth(w->want_ces, k));
    return;
  }
  k -= w->now.ces;
  if (k < w->now.csw) {
    push_nth_csw(w, k);
    return;
  }
  cairn_dag__walk_push_record(
      w, cairn_dag__select(w->now.cer_mask, k - w->now.csw));
}

void cairn_dag__walk_push_nth(cairn_dag_walk *w, uint32_t k) {
  const cairn_dag__counts *const now = &w->now;
  const uint32_t free = now->free * now->candidates;
  if (k < now->cpu) {
    cairn_dag__walk_push_op(w, nth(w->cpu_ok, k), 0);
    return;
  }
  k -= now->cpu;
  if (k < free) {
    cairn_dag__walk_push_op(w, nth(w->gpu_free, k / now->candidates),
                            k % now->candidates);
    return;
  }
  k -= free;
  if (k < now->bound) {
    push_nth_bound(w, k);
    return;
  }
  cairn_dag__walk_push_sync(w, k - now->bound);
}

void cairn_dag__walk_rollout(cairn_dag_walk *walk, cairn_base_rng *rng) {
  while (!cairn_dag__walk_complete(walk)) {
    const uint32_t choices = cairn_dag__walk_choices(walk);
    cairn_dag__walk_push_nth(
        walk, choices > 1 ? cairn_base__rng_below(rng, choices) : 0);
  }
}

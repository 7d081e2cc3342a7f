/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/prove-sim.c - a state machine written from what CUDA and MPI say.
 *
 * A rank is a host, streams and requests.  The host takes the steps in order:
 * it runs a CPU op (two moves: begin, which starts its messages, and finish,
 * once all requests it waits for are complete), puts a GPU op, a record or a
 * wait at the tail of a stream, or waits for an event.  A stream takes the
 * head of its queue: an op (two moves: begin, finish), a record (its event is
 * then complete), a wait (once its event is complete).  A request completes
 * once its message was started here and its match on the peer.  All these
 * moves of both ranks interleave freely; every state reached is kept in a hash
 * set, so each is looked at once.
 *
 * With `reduce`, a move that neither enables nor disables a choice of others
 * is made at once, alone: all but the finishing of ops.  This is a
 * persistent-set reduction (Godefroid 1996): such a move commutes with all
 * moves of others that can come before it, and whatever it enables stays
 * enabled.  Of the finishes, those of one rank are tried first (see choose).
 */
#include "prove-sim.h"

#include <stdlib.h>
#include <string.h>

typedef struct rank_state {
  uint8_t at;   /* next step of the host */
  uint8_t busy; /* bit 0: the host is inside a CPU op; bit 1 + s: stream */
  uint8_t head[SIM_STREAMS]; /* entries that the stream has done */
  uint8_t complete;          /* requests */
} rank_state;

typedef struct state {
  rank_state rank[2];
  uint8_t pad[6];
} state;

typedef struct machine {
  const sim_program *program;
  const sim_step *steps;
  int count, reduce;
  sim_verdict *verdict;
  /* what each stream is given, in order: steps by number */
  uint8_t queue[SIM_STREAMS][SIM_STEPS];
  int length[SIM_STREAMS];
  int8_t record_slot[SIM_STEPS]; /* of a record: its place in its stream */
  int8_t event_step[SIM_STEPS];  /* of a wait: the step of its record, or -1 */
  uint32_t issued_ops;
  /* By steps that the host has done, and by entries that a stream has: */
  uint8_t enqueued[SIM_STREAMS][SIM_STEPS + 2];    /* entries put there */
  uint32_t host_ops[SIM_STEPS + 2];                /* CPU ops complete */
  uint32_t started[SIM_STEPS + 2];                 /* messages started */
  uint32_t stream_ops[SIM_STREAMS][SIM_STEPS + 1]; /* GPU ops complete */
  state *stack;
  int depth, room;
  state *table;
  uint32_t *stamp, now, mask;
} machine;

/* Has this event's record been carried out on this rank? */
static int event_done(const machine *m, const rank_state *r, int wait) {
  const int record = m->event_step[wait];
  if (record < 0)
    return 1; /* never recorded: CUDA does not wait */
  return r->head[m->steps[record].stream] > m->record_slot[record];
}

/* Ops complete on this rank, as a set. */
static uint32_t ops_done(const machine *m, const rank_state *r) {
  uint32_t done = m->host_ops[r->at];
  for (int s = 0; s < SIM_STREAMS; s++)
    done |= m->stream_ops[s][r->head[s]];
  return done;
}

/* Messages started on this rank, as a set; an op that is under way has. */
static uint32_t started(const machine *m, const rank_state *r) {
  return m->started[r->at + (r->busy & 1)];
}

static void note_start(machine *m, const rank_state *r, int op) {
  const uint32_t early = m->program->preds[op] & ~ops_done(m, r);
  if (early) {
    m->verdict->race = 1;
    m->verdict->early[op] |= early;
  }
}

static uint64_t hash_of(const state *s) {
  uint64_t words[2], h = 0x9e3779b97f4a7c15u;
  memcpy(words, s, sizeof words);
  for (int i = 0; i < 2; i++) {
    h = (h ^ words[i]) * 0xff51afd7ed558ccdu;
    h ^= h >> 32;
  }
  return h;
}

static void grow_table(machine *m) {
  const uint32_t old = m->mask + 1;
  state *const table = m->table;
  uint32_t *const stamp = m->stamp;
  m->mask = old * 4 - 1;
  m->table = malloc((size_t)old * 4 * sizeof *table);
  m->stamp = calloc((size_t)old * 4, sizeof *stamp);
  if (!m->table || !m->stamp)
    abort();
  for (uint32_t i = 0; i < old; i++)
    if (stamp[i] == m->now) {
      uint32_t at = (uint32_t)hash_of(&table[i]) & m->mask;
      while (m->stamp[at] == m->now)
        at = (at + 1) & m->mask;
      m->stamp[at] = m->now;
      m->table[at] = table[i];
    }
  free(table);
  free(stamp);
}

/* Puts a state on the stack unless it was met before. */
static void meet(machine *m, const state *s) {
  uint32_t at = (uint32_t)hash_of(s) & m->mask;
  for (; m->stamp[at] == m->now; at = (at + 1) & m->mask)
    if (memcmp(&m->table[at], s, sizeof *s) == 0)
      return;
  m->stamp[at] = m->now;
  m->table[at] = *s;
  if (++m->verdict->states * 2 > (long)m->mask)
    grow_table(m);
  if (m->depth == m->room) {
    m->room = m->room ? 2 * m->room : 256;
    m->stack = realloc(m->stack, (size_t)m->room * sizeof *m->stack);
    if (!m->stack)
      abort();
  }
  m->stack[m->depth++] = *s;
}

/* The host's move, if it has one; *finish: it is the end of an op. */
static int move_host(machine *m, state *s, int r, int *finish) {
  rank_state *const rank = &s->rank[r];
  *finish = 0;
  if (rank->at == m->count)
    return 0;
  const sim_step step = m->steps[rank->at];
  switch (step.kind) {
  case SIM_CPU:
    if (!(rank->busy & 1)) {
      note_start(m, rank, step.id);
      rank->busy |= 1;
      return 1;
    }
    if (m->program->waits[step.id] & ~(uint32_t)rank->complete)
      return 0;
    rank->busy &= 0xfe;
    *finish = 1;
    break;
  case SIM_HOST_WAIT:
    if (!event_done(m, rank, rank->at))
      return 0;
    break;
  default:
    break; /* puts it into a stream */
  }
  rank->at++;
  return 1;
}

/* A stream's move, if it has one; *finish: it is the end of an op. */
static int move_stream(machine *m, state *s, int r, int t, int *finish) {
  rank_state *const rank = &s->rank[r];
  *finish = 0;
  if (rank->head[t] >= m->enqueued[t][rank->at])
    return 0;
  const int at = m->queue[t][rank->head[t]];
  if (m->steps[at].kind == SIM_STREAM_WAIT && !event_done(m, rank, at))
    return 0;
  if (m->steps[at].kind == SIM_GPU) {
    const uint8_t bit = (uint8_t)(2u << t);
    if (!(rank->busy & bit)) {
      note_start(m, rank, m->steps[at].id);
      rank->busy |= bit;
      return 1;
    }
    rank->busy &= (uint8_t)~bit;
    *finish = 1;
  }
  rank->head[t]++;
  return 1;
}

/* Completes request q, if it can. */
static int move_request(machine *m, state *s, int r, int q) {
  const uint32_t bit = 1u << q;
  if ((s->rank[r].complete & bit) || !(started(m, &s->rank[r]) & bit) ||
      (m->program->match[q] & ~started(m, &s->rank[1 - r])))
    return 0;
  s->rank[r].complete |= (uint8_t)bit;
  return 1;
}

static int final(const machine *m, const state *s) {
  for (int r = 0; r < 2; r++) {
    if (s->rank[r].at < m->count)
      return 0;
    for (int t = 0; t < SIM_STREAMS; t++)
      if (s->rank[r].head[t] < m->length[t])
        return 0;
  }
  return 1;
}

/* Is the host inside an op whose messages are not complete? */
static int waits_for_peer(const machine *m, const rank_state *r) {
  return (r->busy & 1) &&
         (m->program->waits[m->steps[r->at].id] & ~(uint32_t)r->complete);
}

/* The finishes to choose from, when nothing else can move.  Those of one rank
 * are enough unless its host waits for the peer's and the peer's can go on:
 * nothing that the other rank does matters to them. */
static void choose(machine *m, const state *from, const state *finish,
                   const int *owner, int count) {
  int rank = 0;
  if (waits_for_peer(m, &from->rank[0]) && !waits_for_peer(m, &from->rank[1]))
    rank = 1;
  int of_rank = 0;
  for (int i = 0; i < count; i++)
    of_rank += owner[i] == rank;
  if (of_rank == 0)
    rank = 1 - rank;
  for (int i = 0; i < count; i++)
    if (owner[i] == rank)
      meet(m, &finish[i]);
}

static void explore(machine *m, const state *from) {
  state finishes[2 * (1 + SIM_STREAMS)];
  int owner[2 * (1 + SIM_STREAMS)], later = 0, moves = 0;
  for (int r = 0; r < 2; r++) {
    for (int t = -1; t < SIM_STREAMS; t++) {
      state next = *from;
      int finish;
      if (!(t < 0 ? move_host(m, &next, r, &finish)
                  : move_stream(m, &next, r, t, &finish)))
        continue;
      moves++;
      if (m->reduce && finish) {
        owner[later] = r;
        finishes[later++] = next;
        continue;
      }
      meet(m, &next);
      if (m->reduce)
        return;
    }
    for (int q = 0; q < SIM_MESSAGES; q++) {
      state next = *from;
      if (!move_request(m, &next, r, q))
        continue;
      moves++;
      meet(m, &next);
      if (m->reduce)
        return;
    }
  }
  choose(m, from, finishes, owner, later);
  if (moves == 0 && !final(m, from))
    m->verdict->hang = 1;
}

/* What each stream is given, and which record each wait means: the last one
 * of its event before it. */
static void lay_out(machine *m) {
  for (int i = 0; i < m->count; i++) {
    const sim_step step = m->steps[i];
    m->event_step[i] = -1;
    if (step.kind == SIM_HOST_WAIT || step.kind == SIM_STREAM_WAIT) {
      for (int k = 0; k < i; k++)
        if (m->steps[k].kind == SIM_RECORD && m->steps[k].id == step.id)
          m->event_step[i] = (int8_t)k;
      if (m->event_step[i] < 0)
        m->verdict->no_op = 1;
    }
    if (step.kind <= SIM_GPU) {
      if (m->issued_ops >> step.id & 1)
        m->verdict->missing = 1;
      m->issued_ops |= 1u << step.id;
    }
    m->host_ops[i + 1] =
        m->host_ops[i] | (step.kind == SIM_CPU ? 1u << step.id : 0);
    m->started[i + 1] =
        m->started[i] | (step.kind == SIM_CPU ? m->program->posts[step.id] : 0);
    if (step.kind != SIM_CPU && step.kind != SIM_HOST_WAIT) {
      m->record_slot[i] = (int8_t)m->length[step.stream];
      m->stream_ops[step.stream][m->length[step.stream] + 1] =
          m->stream_ops[step.stream][m->length[step.stream]] |
          (step.kind == SIM_GPU ? 1u << step.id : 0);
      m->queue[step.stream][m->length[step.stream]++] = (uint8_t)i;
    }
    for (int s = 0; s < SIM_STREAMS; s++)
      m->enqueued[s][i + 1] = (uint8_t)m->length[s];
  }
  if (m->issued_ops != (1u << m->program->ops) - 1)
    m->verdict->missing = 1;
}

void sim_run(const sim_program *program, const sim_step *steps, int count,
             int reduce, sim_verdict *verdict) {
  static machine kept; /* the table and the stack are kept between calls */
  machine m = {.program = program,
               .steps = steps,
               .count = count,
               .reduce = reduce,
               .verdict = verdict,
               .stack = kept.stack,
               .room = kept.room,
               .table = kept.table,
               .stamp = kept.stamp,
               .now = kept.now + 1,
               .mask = kept.mask};
  memset(verdict, 0, sizeof *verdict);
  if (!m.table) {
    m.mask = 1023;
    m.table = malloc(1024 * sizeof *m.table);
    m.stamp = calloc(1024, sizeof *m.stamp);
    if (!m.table || !m.stamp)
      abort();
  }
  lay_out(&m);
  state first;
  memset(&first, 0, sizeof first);
  meet(&m, &first);
  while (m.depth) {
    const state s = m.stack[--m.depth];
    explore(&m, &s);
  }
  kept = m;
}

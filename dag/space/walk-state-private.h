/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/walk-state-private.h - the body of a walk, for the sources of dag
 * that steer one from inside.
 *
 * What is known of stream s:
 *
 *      list[s]:  a0 a1 a2 | a3 | a4 a5          GPU ops in issue order
 *      records:          r0   r1                each covers a prefix
 *
 * A record r covers the first end[r] ops of its stream; those after the record
 * before it are its own.  covered[s][t] is how many ops of s stream t is known
 * to be after (by a CSW), covered[s][HOST] how many the host (by a CES).  So an
 * op a at index i of s is synced with t when i < covered[s][t], and the first
 * record after a is the one that owns it.
 *
 * For each ready op b and each target (the host for a CPU op, a stream for a
 * GPU op), missing counts its predecessors not synced with it; want counts on
 * each record, and on the open ops of each stream, the (ready b, predecessor)
 * pairs.  These counts tell all extensions, and each changes by O(degree) in a
 * push; a pop undoes it.  All state is a function of the prefix.
 */
#ifndef CAIRN_DAG_SPACE_WALK_STATE_PRIVATE_H
#define CAIRN_DAG_SPACE_WALK_STATE_PRIVATE_H

#include "base/bits-private.h"
#include "dag/program/program-state-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

enum { CAIRN_DAG__NONE = 0xffff }; /* no record, no op */

typedef struct cairn_dag__record {
  uint32_t want_cpu, want_gpu; /* pairs that wait for its own ops */
  uint32_t waiting;            /* streams that are after it, and its own */
  uint16_t end;                /* ops of its stream that it covers */
  uint16_t previous;           /* record before it on its stream, or NONE */
  uint8_t stream;
  uint8_t host; /* 1: the host is after it */
} cairn_dag__record;

/* Undoing a push needs this besides the item. */
typedef struct cairn_dag__undo {
  uint16_t covered; /* as it was */
  uint16_t opened;  /* 1: the item was the first of its stream */
} cairn_dag__undo;

/* Scalars of the state. */
typedef struct cairn_dag__counts {
  uint32_t items, events, used; /* items so far; records; streams in use */
  uint32_t candidates;          /* streams offered: used and the next new one */
  uint32_t candidate_mask, cer_mask;
  /* Extensions by kind: synced CPU ops; GPU ops without GPU predecessors
   * (each on all candidates); (op, stream) of the others; host waits; stream
   * waits.  wanted: records with want_gpu. */
  uint32_t cpu, free, bound, ces, csw, wanted;
} cairn_dag__counts;

struct cairn_dag_walk {
  const cairn_dag_program *program;
  unsigned ops, streams;
  size_t op_words, event_words;
  cairn_dag__counts now;
  /* All of the arrays below but the last ones lie in one block, `state`, so
   * that a copy of it and of `now` is a copy of the walk without its items.
   * Its first part is set up by start and restored by reset. */
  void *state, *fresh;
  size_t state_bytes, reset_bytes;
  cairn_dag__counts fresh_counts;
  uint64_t *ready, *cpu_ok, *gpu_free, *gpu_ok; /* sets of ops */
  uint64_t *want_ces, *want_csw;                /* sets of records */
  uint32_t *open_cpu, *open_gpu;                /* by stream */
  uint16_t *length;                             /* ops on a stream */
  uint16_t *last;                               /* its last record, or NONE */
  uint16_t
      *covered; /* [stream * (streams + 1) + target]; target streams: host */
  uint16_t *indegree;
  /* The second part: set before it is read. */
  uint16_t *list;    /* [stream * ops + i] */
  uint16_t *index;   /* op -> index in its stream */
  uint16_t *own;     /* op -> record that owns it, or NONE */
  uint8_t *stream;   /* op -> stream */
  uint16_t *missing; /* [op * streams + target]; CPU ops: target 0 */
  uint32_t *ok;      /* bound GPU op -> mask of streams it is synced for */
  cairn_dag__record *records;
  cairn_dag_item *items;
  cairn_dag__undo *undo;
  /* What calls return. */
  cairn_dag_item *extensions;
  unsigned *ready_list;
};

/* The pushes by kind. */
void cairn_dag__walk_push_op(cairn_dag_walk *walk, unsigned id,
                             unsigned stream);
void cairn_dag__walk_push_record(cairn_dag_walk *walk, unsigned stream);
void cairn_dag__walk_push_ces(cairn_dag_walk *walk, unsigned event);
void cairn_dag__walk_push_csw(cairn_dag_walk *walk, unsigned event,
                              unsigned stream);

/* Pushes the k-th sync that is offered: host waits, stream waits, records. */
void cairn_dag__walk_push_sync(cairn_dag_walk *walk, uint32_t k);

/* Pushes the k-th extension, by kind: synced CPU ops, GPU ops, syncs. */
void cairn_dag__walk_push_nth(cairn_dag_walk *walk, uint32_t k);

/* Number of distinct legal extensions. */
static inline uint32_t cairn_dag__walk_choices(const cairn_dag_walk *walk) {
  const cairn_dag__counts *const now = &walk->now;
  return now->cpu + now->free * now->candidates + now->bound +
         cairn_dag__popcount(now->cer_mask) + now->ces + now->csw;
}

/* Has op id been issued?  (Ready ops have not, and their indegree is 0.) */
static inline int cairn_dag__walk_issued(const cairn_dag_walk *walk,
                                         unsigned id) {
  return walk->indegree[id] == 0 && !cairn_base__bits_test(walk->ready, id);
}

static inline uint16_t *cairn_dag__walk_covered(const cairn_dag_walk *walk,
                                                unsigned stream,
                                                unsigned target) {
  return &walk->covered[stream * (walk->streams + 1) + target];
}

#endif

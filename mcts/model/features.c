/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/features.c - a schedule as a string of bits, for models.
 *
 * Bits: "a is issued before b" for ops the program leaves unordered; "a and b
 * share a stream"; "a is complete before b starts" for a GPU op a, by vector
 * clocks (Lamport 1978; Mattern 1989); and, where there is room, "b is issued
 * after the first record (host wait, stream wait) behind a".  They are what a
 * schedule's time depends on, whatever the names and numbers of its syncs.
 *
 * When a program has more pairs than bits, a seeded sample of the pairs, fixed
 * for the search, stands for all.
 */
#include <string.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "mcts/model/model-private.h"
#include <cairn/mcts.h>

enum { ORDER, STREAM, HAPPENS, RECORD, HOST, WAIT, KINDS };

static int reaches(const cairn_mcts_features *f, unsigned a, unsigned b) {
  return cairn_base__bits_test(f->reach + (size_t)a * f->reach_words, b);
}

static cairn_status find_reach(cairn_mcts_features *f,
                               const cairn_dag_program *program) {
  f->ops = cairn_dag_program_ops(program);
  f->reach_words = cairn_base__bits_words(f->ops);
  f->reach = cairn_base_zalloc(f->ops * f->reach_words, sizeof *f->reach);
  if (!f->reach)
    return CAIRN_NOMEM;
  /* Ids need not be in topological order: repeat until nothing changes. */
  for (int changed = 1; changed;) {
    changed = 0;
    for (unsigned a = f->ops; a-- > 0;) {
      uint64_t *const row = f->reach + a * f->reach_words;
      size_t count;
      const unsigned *const succ = cairn_dag_program_succs(program, a, &count);
      for (size_t k = 0; k < count; k++) {
        const uint64_t *const other = f->reach + succ[k] * f->reach_words;
        for (size_t w = 0; w < f->reach_words; w++) {
          uint64_t now = row[w] | other[w];
          if (w == succ[k] / 64)
            now |= UINT64_C(1) << (succ[k] % 64);
          changed |= now != row[w];
          row[w] = now;
        }
      }
    }
  }
  return CAIRN_OK;
}

static int wanted(const cairn_mcts_features *f, int kind, unsigned a,
                  unsigned b) {
  const int unordered = !reaches(f, a, b) && !reaches(f, b, a);
  if (a == b)
    return 0;
  switch (kind) {
  case ORDER:
    return a < b && unordered;
  case STREAM:
    return a < b && f->gpu[a] && f->gpu[b];
  case HAPPENS:
    return f->gpu[a] && unordered;
  default:
    return f->gpu[a] && !reaches(f, b, a) &&
           (kind != HOST || !reaches(f, a, b));
  }
}

/* Visits all pairs of the first `kinds` kinds; keeps one with probability
 * `keep`. */
static cairn_status list_pairs(cairn_mcts_features *f, int kinds, double keep,
                               cairn_base_rng *rng) {
  f->pairs = 0;
  for (int kind = 0; kind < kinds; kind++)
    for (unsigned a = 1; a + 1 < f->ops; a++)
      for (unsigned b = 1; b + 1 < f->ops; b++) {
        cairn_status status;
        if (!wanted(f, kind, a, b) ||
            (keep < 1 && cairn_base__rng_uniform(rng) >= keep))
          continue;
        if ((status = cairn_base_reserve(&f->pair, &f->pair_capacity,
                                         f->pairs + 1, sizeof *f->pair)))
          return status;
        f->pair[f->pairs++] =
            (cairn_mcts_pair){(uint16_t)a, (uint16_t)b, (uint16_t)kind};
      }
  return CAIRN_OK;
}

static size_t count_pairs(const cairn_mcts_features *f, int kinds) {
  size_t pairs = 0;
  for (int kind = 0; kind < kinds; kind++)
    for (unsigned a = 1; a + 1 < f->ops; a++)
      for (unsigned b = 1; b + 1 < f->ops; b++)
        pairs += (size_t)wanted(f, kind, a, b);
  return pairs;
}

static cairn_status scratch(cairn_mcts_features *f,
                            const cairn_dag_program *program,
                            unsigned streams) {
  const size_t clocks = (size_t)streams * streams;
  f->streams = streams;
  f->events = cairn_dag__program_max_items(program, streams);
  f->gpu = cairn_base_zalloc(f->ops, 1);
  f->stream = cairn_base_zalloc(f->ops, 1);
  f->place = cairn_base_zalloc((size_t)f->ops * 5, sizeof *f->place);
  f->known = cairn_base_zalloc((size_t)f->ops * streams, sizeof *f->known);
  f->clock = cairn_base_zalloc(clocks + streams + f->events * streams,
                               sizeof *f->clock);
  f->list = cairn_base_zalloc((size_t)streams * f->ops, sizeof *f->list);
  f->event_stream = cairn_base_zalloc(f->events, 1);
  if (!f->gpu || !f->stream || !f->place || !f->known || !f->clock ||
      !f->list || !f->event_stream)
    return CAIRN_NOMEM;
  for (unsigned i = 0; i < f->ops; i++)
    f->gpu[i] = cairn_dag_program_op(program, i)->kind == CAIRN_DAG_GPU;
  return CAIRN_OK;
}

cairn_status cairn_mcts__features_create(cairn_mcts_features *f,
                                         const cairn_dag_program *program,
                                         unsigned streams) {
  cairn_base_rng rng;
  int kinds = KINDS;
  size_t pairs;
  cairn_status status = find_reach(f, program);
  if (!status)
    status = scratch(f, program, streams);
  if (status)
    return status;
  cairn_base__rng_seed(&rng, 1);
  if ((pairs = count_pairs(f, kinds)) > CAIRN_MCTS_MAX_BITS)
    pairs = count_pairs(f, kinds = RECORD);
  status = list_pairs(f, kinds,
                      pairs > CAIRN_MCTS_MAX_BITS
                          ? (double)CAIRN_MCTS_MAX_BITS / (double)pairs
                          : 1,
                      &rng);
  f->words = cairn_base__bits_words(f->pairs + 1);
  return status;
}

void cairn_mcts__features_free(cairn_mcts_features *f) {
  cairn_base_free(f->reach);
  cairn_base_free(f->pair);
  cairn_base_free(f->gpu);
  cairn_base_free(f->stream);
  cairn_base_free(f->place);
  cairn_base_free(f->known);
  cairn_base_free(f->clock);
  cairn_base_free(f->list);
  cairn_base_free(f->event_stream);
  *f = (cairn_mcts_features){0};
}

/* ---- one pass over the items ---- */

static void join(uint16_t *into, const uint16_t *from, unsigned streams) {
  for (unsigned s = 0; s < streams; s++)
    if (from[s] > into[s])
      into[s] = from[s];
}

/* The first item at which something is known of the ops of stream s up to
 * `upto`, from `from` on: writes the position to place[kind]. */
static void first_behind(cairn_mcts_features *f, int kind, unsigned s,
                         unsigned upto, uint16_t position) {
  uint16_t *const place = f->place + (size_t)(kind - RECORD + 1) * f->ops;
  for (unsigned i = upto; i-- > 0;) {
    const unsigned a = f->list[s * f->ops + i];
    if (place[a] != UINT16_MAX)
      break;
    place[a] = position;
  }
}

static void scan(cairn_mcts_features *f, const cairn_dag_item *items,
                 size_t count) {
  const unsigned n = f->streams;
  uint16_t *const host = f->clock, *const stream = host + n;
  uint16_t *const event = stream + (size_t)n * n;
  memset(f->clock, 0, ((size_t)n * n + n) * sizeof *f->clock);
  memset(f->place, 0xff, (size_t)f->ops * 5 * sizeof *f->place);
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_item it = items[i];
    const uint16_t position = (uint16_t)i;
    uint16_t *const mine = stream + (size_t)it.stream * n;
    if (it.kind == CAIRN_DAG_ITEM_CPU || it.kind == CAIRN_DAG_ITEM_GPU) {
      uint16_t *const known = f->known + (size_t)it.id * n;
      f->place[it.id] = position;
      memcpy(known, host, n * sizeof *known);
      if (it.kind == CAIRN_DAG_ITEM_CPU)
        continue;
      join(mine, host, n);
      memcpy(known, mine, n * sizeof *known);
      f->stream[it.id] = it.stream;
      /* own index on the stream, kept in place[4] */
      f->place[(size_t)4 * f->ops + it.id] = mine[it.stream];
      f->list[(size_t)it.stream * f->ops + mine[it.stream]++] = it.id;
    } else if (it.kind == CAIRN_DAG_ITEM_CER) {
      memcpy(event + (size_t)it.id * n, mine, n * sizeof *event);
      f->event_stream[it.id] = it.stream;
      first_behind(f, RECORD, it.stream, mine[it.stream], position);
    } else {
      const uint16_t *const then = event + (size_t)it.id * n;
      const unsigned s = f->event_stream[it.id];
      const int ces = it.kind == CAIRN_DAG_ITEM_CES;
      join(ces ? host : mine, then, n);
      first_behind(f, ces ? HOST : WAIT, s, then[s], position);
    }
  }
}

static int value(const cairn_mcts_features *f, cairn_mcts_pair p) {
  switch (p.kind) {
  case ORDER:
    return f->place[p.a] < f->place[p.b];
  case STREAM:
    return f->stream[p.a] == f->stream[p.b];
  case HAPPENS:
    return f->place[(size_t)4 * f->ops + p.a] <
           f->known[(size_t)p.b * f->streams + f->stream[p.a]];
  default:
    return f->place[(size_t)(p.kind - RECORD + 1) * f->ops + p.a] <
           f->place[p.b];
  }
}

void cairn_mcts__features_bits(cairn_mcts_features *f,
                               const cairn_dag_item *items, size_t count,
                               uint64_t *bits) {
  scan(f, items, count);
  memset(bits, 0, f->words * sizeof *bits);
  for (size_t i = 0; i < f->pairs; i++)
    if (value(f, f->pair[i]))
      cairn_base__bits_set(bits, i);
}

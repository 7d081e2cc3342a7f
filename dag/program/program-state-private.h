/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/program-state-private.h - the bodies of dag's objects, for the
 * sources and tests/dag only.
 */
#ifndef CAIRN_DAG_PROGRAM_PROGRAM_STATE_PRIVATE_H
#define CAIRN_DAG_PROGRAM_PROGRAM_STATE_PRIVATE_H

#include <cairn/dag.h>

/* Edges in compressed rows: the neighbours of op i are
 * to[row[i]] .. to[row[i + 1] - 1], ascending. */
typedef struct cairn_dag__rows {
  uint32_t *row;
  unsigned *to;
} cairn_dag__rows;

struct cairn_dag_program {
  char *name, *plugin;
  unsigned streams;
  int sealed;
  cairn_dag_intern *names; /* name -> op id */
  cairn_dag_op *ops;       /* [0] is start; the last is end once sealed */
  size_t count, capacity;
  unsigned gpu_ops;
  uint64_t *edges; /* before << 32 | after; sorted and unique once sealed */
  size_t edge_count, edge_capacity;
  cairn_dag_param *params;
  size_t param_count, param_capacity;
  /* Filled by sealing. */
  cairn_dag__rows pred, succ;
  cairn_dag__rows gpu_pred; /* the GPU ops among the predecessors */
  cairn_dag__rows cpu_succ, gpu_succ;
  char digest[33];
  char graph[33];
};

/* Appends an op unchecked; an edge unchecked. */
cairn_status cairn_dag__program_append(cairn_dag_program *program,
                                       const cairn_dag_op *op);
cairn_status cairn_dag__program_connect(cairn_dag_program *program,
                                        unsigned before, unsigned after);
/* Does it match [A-Za-z_][A-Za-z0-9_.]* and is it short enough? */
int cairn_dag__name_valid(const char *name);

/* Id of a name, or UINT32_MAX. */
uint32_t cairn_dag__intern_find(const cairn_dag_intern *intern,
                                const char *name, size_t length);

/* Number of bits set, without a call where the machine has no instruction. */
static inline unsigned cairn_dag__popcount(uint64_t x) {
#ifdef __POPCNT__
  return (unsigned)__builtin_popcountll(x);
#else
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) +
      (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(x * UINT64_C(0x0101010101010101) >> 56);
#endif
}

/* Index of the k-th (from 0) bit set of x; x has more than k bits. */
static inline unsigned cairn_dag__select(uint64_t x, unsigned k) {
  if (k < 8) {
    while (k--)
      x &= x - 1;
    return (unsigned)__builtin_ctzll(x);
  }
  uint64_t sums = x - (x >> 1 & UINT64_C(0x5555555555555555));
  sums = (sums & UINT64_C(0x3333333333333333)) +
         (sums >> 2 & UINT64_C(0x3333333333333333));
  sums = (sums + (sums >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  sums *= UINT64_C(0x0101010101010101); /* byte i: bits in bytes 0..i */
  unsigned shift = 0;
  while ((sums >> shift & 255) <= k)
    shift += 8;
  if (shift)
    k -= (unsigned)(sums >> (shift - 8) & 255);
  x >>= shift;
  while (k--)
    x &= x - 1;
  return shift + (unsigned)__builtin_ctzll(x);
}

/* One item of a schedule's text, not yet bound to anything. */
typedef struct cairn_dag__word {
  const char *text; /* the whole item */
  size_t length;
  size_t name_length; /* of the op's or sync's name */
  size_t position;    /* of the item, from 0 */
  cairn_dag_item_kind kind;
  int has_stream;
  unsigned stream, event;
} cairn_dag__word;

/* Reads the next item at *cursor.  1: read; 0: no more; -1: it cannot be read,
 * *why_p says why. */
int cairn_dag__word_next(const char **cursor, const char *end,
                         cairn_dag__word *word, const char **why_p);

#endif

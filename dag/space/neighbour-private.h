/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/neighbour-private.h - residuals of a schedule, and the words by
 * which neighbours find each other; for dag/neighbour*.c only.
 *
 * Two schedules are neighbours by swap or stream just when, for one place where
 * a move can be made, their words for that place are equal and their sides
 * differ.
 */
#ifndef CAIRN_DAG_SPACE_NEIGHBOUR_PRIVATE_H
#define CAIRN_DAG_SPACE_NEIGHBOUR_PRIVATE_H

#include "dag/program/program-state-private.h"
#include "dag/space/neighbours-private.h"
#include <cairn/dag.h>

/* One schedule, opened up, and the room for it. */
typedef struct cairn_dag__opened {
  const cairn_dag_program *program;
  const cairn_dag_item *item;
  size_t items;
  unsigned *order; /* the ops in order; `ops` of them */
  unsigned ops;
  uint32_t *place;    /* op -> index of its item */
  uint8_t *stream;    /* op -> stream */
  uint8_t *partition; /* of the i-th GPU op by id: its block, by first use */
  unsigned gpu_ops;
  struct cairn_dag__served {
    unsigned before, after;
  } * served; /* edges that waits serve */
  size_t served_capacity;
  size_t *served_from;  /* item -> its edges begin here; items + 1 */
  uint32_t *record;     /* event -> index of its record */
  uint8_t *drop;        /* item -> goes in the residual */
  uint8_t *waited;      /* event -> somebody waits for it in the residual */
  cairn_dag_item *rest; /* the residual */
  cairn_base_text word; /* bytes that are equal for neighbours */
} cairn_dag__opened;

typedef struct cairn_dag__side {
  cairn_dag_key word;
  uint64_t side;
} cairn_dag__side;

/* Room for schedules of at most `most` items. */
/* A word of a schedule, found by sorting. */
typedef struct cairn_dag__entry {
  cairn_dag__side at;
  uint32_t place, vertex;
} cairn_dag__entry;

typedef struct cairn_dag__pair {
  uint32_t from, to;
  uint8_t kind;
} cairn_dag__pair;

/* Looking for pairs among schedules. */
typedef struct cairn_dag__finder {
  const cairn_dag_program *program;
  const cairn_dag_schedule *schedule;
  size_t count;
  cairn_dag__opened opened;
  cairn_dag__entry *entry;
  cairn_dag__pair *pair; /* some of them twice */
  size_t pairs, pair_capacity;
} cairn_dag__finder;

cairn_status cairn_dag__finder_create(cairn_dag__finder *f,
                                      const cairn_dag_program *program,
                                      const cairn_dag_schedule *schedule,
                                      size_t count);
void cairn_dag__finder_free(cairn_dag__finder *f);
/* Notes that `to` is a neighbour of `from`. */
cairn_status cairn_dag__finder_add(cairn_dag__finder *f, uint32_t from,
                                   uint32_t to, unsigned kind);
/* Rows out of the pairs: each sorted, doubles dropped. */
cairn_status cairn_dag__finder_rows(cairn_dag__finder *f, size_t rows,
                                    cairn_dag_neighbours *n);
/* For sorting, by word, side, vertex. */
int cairn_dag__entry_compare(const void *a, const void *b);
/* The first of the sorted entries with this word, or NULL; *count_p of them. */
const cairn_dag__entry *cairn_dag__entry_find(const cairn_dag__entry *entry,
                                              size_t entries,
                                              cairn_dag_key word,
                                              size_t *count_p);
/* The key of schedule `vertex` with items k and k + 1 exchanged; 0: this is no
 * move. */
int cairn_dag__exchange(cairn_dag__finder *f, size_t vertex, size_t k,
                        cairn_dag_key *key_p);

cairn_status cairn_dag__opened_create(cairn_dag__opened *o,
                                      const cairn_dag_program *program,
                                      size_t most);
void cairn_dag__opened_free(cairn_dag__opened *o);
/* Opens another schedule.  CAIRN_NOMEM. */
cairn_status cairn_dag__opened_set(cairn_dag__opened *o,
                                   const cairn_dag_item *item, size_t items);

/* Places of moves: places 0 .. ops - 4 exchange the ops at place + 1 and
 * place + 2 of the order (start and end stay); then one for each GPU op. */
size_t cairn_dag__swap_places(const cairn_dag_program *program);
size_t cairn_dag__stream_places(const cairn_dag_program *program);
/* The word and the side at a place.  CAIRN_NOMEM. */
cairn_status cairn_dag__opened_swap(cairn_dag__opened *o, size_t place,
                                    cairn_dag__side *side_p);
cairn_status cairn_dag__opened_stream(cairn_dag__opened *o, size_t place,
                                      cairn_dag__side *side_p);

#endif

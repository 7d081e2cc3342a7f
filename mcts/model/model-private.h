/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/model-private.h - models of time, for mcts/ and tests/mcts only.
 *
 *     schedule ─┬─► features.c: bits ──► gp.c: residual, with uncertainty ─┐
 *               └─► machine.c: a simulated machine with learned costs ─────┴─►
 *                                              model.c: time and its spread
 */
#ifndef CAIRN_MCTS_MODEL_MODEL_PRIVATE_H
#define CAIRN_MCTS_MODEL_MODEL_PRIVATE_H

#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

#define CAIRN_MCTS_MAX_BITS 4096
#define CAIRN_MCTS_ENGINES 3 /* most a machine has */

/* ---- features.c ---- */

typedef struct cairn_mcts_pair {
  uint16_t a, b, kind;
} cairn_mcts_pair;

typedef struct cairn_mcts_features {
  unsigned ops, streams;
  cairn_mcts_pair *pair; /* what each bit says */
  size_t pairs, pair_capacity, words;
  uint64_t *reach; /* bit sets: what each op reaches in the program */
  size_t reach_words, events;
  /* scratch of one schedule */
  uint8_t *gpu, *stream, *event_stream;
  uint16_t *place; /* position of op; of its record, host wait, stream wait;
                      index on its stream: ops each */
  uint16_t *known; /* an op's vector clock when it starts */
  uint16_t *clock; /* host, streams, events */
  uint16_t *list;  /* ops of each stream */
} cairn_mcts_features;

/* Start with {0}; free also after a failure. */
cairn_status cairn_mcts__features_create(cairn_mcts_features *f,
                                         const cairn_dag_program *program,
                                         unsigned streams);
void cairn_mcts__features_free(cairn_mcts_features *f);
/* bits: f->words words. */
void cairn_mcts__features_bits(cairn_mcts_features *f,
                               const cairn_dag_item *items, size_t count,
                               uint64_t *bits);

/* ---- machine.c ---- */

/* Costs that ops share; they follow the ops' durations. */
enum {
  CAIRN_MCTS_LAUNCH,
  CAIRN_MCTS_RECORD,
  CAIRN_MCTS_HOST_WAIT,
  CAIRN_MCTS_STREAM_WAIT,
  CAIRN_MCTS_START,
  CAIRN_MCTS_WAKE,
  CAIRN_MCTS_RELAY,
  CAIRN_MCTS_SHARED
};

typedef struct cairn_mcts_moment {
  double time;
  uint32_t before; /* moment it follows from */
  uint32_t cost;   /* number of the cost between them */
} cairn_mcts_moment;

typedef struct cairn_mcts_machine {
  unsigned ops, streams;
  double *cost; /* ops' durations, then shared costs, then lags */
  size_t costs;
  uint32_t *lag_row; /* lags of CPU op b: lag_row[b] .. lag_row[b + 1] - 1 */
  uint16_t *lag_from;
  cairn_mcts_moment *moment; /* scratch */
  uint32_t *op_end, *event, *ready;
  uint8_t *engine; /* of each op: 1..CAIRN_MCTS_ENGINES; 0: none */
  uint16_t *count; /* scratch of learn: uses of each cost, on the path */
  uint32_t *path;
} cairn_mcts_machine;

/* Start with {0}; free also after a failure. */
cairn_status cairn_mcts__machine_create(cairn_mcts_machine *m,
                                        const cairn_dag_program *program,
                                        unsigned streams);
void cairn_mcts__machine_free(cairn_mcts_machine *m);
/* Costs to begin with, so that a schedule takes about total. */
void cairn_mcts__machine_reset(cairn_mcts_machine *m, double total);
double cairn_mcts__machine_time(cairn_mcts_machine *m,
                                const cairn_dag_item *items, size_t count);
/* Moves the costs on the critical path so that the simulated time comes nearer
 * to `time` by the share `rate`.  Returns the error before. */
double cairn_mcts__machine_learn(cairn_mcts_machine *m,
                                 const cairn_dag_item *items, size_t count,
                                 double time, double rate);

/* ---- model.c ---- */

typedef struct cairn_mcts_model {
  cairn_mcts_features features;
  cairn_mcts_machine machine;
  int machine_set;
  double rate;  /* of the machine's learning; 0: no machine */
  size_t limit; /* most samples the process holds */
  /* all records of the cache: bits, times (seconds; NAN), sorted times */
  uint64_t *store;
  double *time, *sorted;
  size_t store_capacity, time_capacity, sorted_capacity, seen, timed;
  /* the process: samples (records), residuals, factor of the kernel matrix,
   * weights, distances, kernel by distance; scratch of a guess */
  uint32_t *sample;
  size_t samples, fitted;
  double scale, mean, *z, *l, *alpha, *kq, *kernel;
  double length, noise, amplitude, mean_distance;
  uint16_t *distance;
  uint64_t *query;
} cairn_mcts_model;

/* rate: of the machine's learning, 0: no machine.  Priors teach the machine.
 * Free with cairn_mcts__model_free, also after a failure. */
cairn_status cairn_mcts__model_create(cairn_mcts *search, size_t limit,
                                      double rate, cairn_mcts_model **model_p);
void cairn_mcts__model_free(cairn_mcts_model *model);
/* Takes in all results of the cache that it has not seen. */
cairn_status cairn_mcts__model_update(cairn_mcts *search,
                                      cairn_mcts_model *model);
/* Expected time, in units of the median time. */
double cairn_mcts__model_guess(cairn_mcts_model *model,
                               const cairn_dag_item *items, size_t count);
/* Standard deviation of the guess made last; once a guess.  Quadratic in the
 * samples, so it is worth asking only where it matters. */
double cairn_mcts__model_spread(cairn_mcts_model *model);
/* No spread is larger. */
double cairn_mcts__model_most(const cairn_mcts_model *model);
/* Least distance, in bits, to any schedule taken in; 0 when there is none. */
double cairn_mcts__model_apart(cairn_mcts_model *model,
                               const cairn_dag_item *items, size_t count);

#endif

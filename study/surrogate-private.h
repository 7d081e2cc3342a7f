/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/surrogate-private.h - times of schedules that were not measured; for
 * study/ only.
 */
#ifndef CAIRN_STUDY_SURROGATE_PRIVATE_H
#define CAIRN_STUDY_SURROGATE_PRIVATE_H

#include "study/contest-private.h"
#include <cairn/dag.h>

/* Which ops come before which, which GPU ops share a stream, and which GPU ops
 * the host, or a stream, has waited for when an op is issued: bits. */
typedef struct cairn_study__features {
  unsigned ops, gpu_ops, bits;
  size_t words;
  unsigned *gpu;   /* op -> number among the GPU ops, UINT_MAX: none */
  unsigned *list;  /* GPU ops */
  uint32_t *place; /* op -> place in the order */
  uint8_t *stream;
  uint64_t *known; /* for the host, then each stream, then each event: the GPU
                      ops that are known to be complete */
  size_t known_capacity, known_words;
} cairn_study__features;

/* A Gaussian process over the features of log times, whose covariance falls
 * exponentially with the number of bits that differ. */
typedef struct cairn_study__surrogate {
  cairn_study__features features;
  cairn_study__table measured;
  uint64_t *bits;     /* of those learnt from, `count` rows */
  double *weight;     /* of each */
  double *covariance; /* by number of different bits */
  double *residual;   /* leaving one out, of log times */
  uint64_t *work;     /* bits of one schedule */
  size_t count;
  double mean; /* of log times */
  double explained;
} cairn_study__surrogate;

/* CAIRN_FINDINGS: too few times; CAIRN_USAGE: too many ops. */
cairn_status cairn_study__surrogate_make(const cairn_dag_program *program,
                                         const cairn_study_space *space,
                                         cairn_base_diag *diag,
                                         cairn_study__surrogate *s);
void cairn_study__surrogate_free(cairn_study__surrogate *s);
/* The measured time; else a predicted one with an error that this schedule has
 * in this repetition, times `error`.  INFINITY: it failed; NAN: memory is
 * short. */
double cairn_study__surrogate_time(cairn_study__surrogate *s,
                                   const cairn_dag_item *items, size_t count,
                                   uint64_t repetition, double error);

#endif

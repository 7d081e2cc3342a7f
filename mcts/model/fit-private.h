/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/fit-private.h - learning a machine from what was measured, all
 * samples together; for mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_MODEL_FIT_PRIVATE_H
#define CAIRN_MCTS_MODEL_FIT_PRIVATE_H

#include "base/rng-private.h"
#include "mcts/model/model-private.h"
#include <cairn/mcts.h>

/* A measured schedule. */
typedef struct cairn_mcts_fit_sample {
  const cairn_dag_item *items; /* not owned */
  size_t count;
  double time; /* in units of the caller */
} cairn_mcts_fit_sample;

typedef struct cairn_mcts_fit {
  cairn_mcts_machine *machine;
  cairn_mcts_fit_sample *sample; /* the caller's; set before each call */
  size_t samples, limit;
  double *error, *other; /* of each sample; with another engine */
  uint16_t *gpu_op;      /* the caller may sort them by when they run */
  unsigned gpu_ops;
} cairn_mcts_fit;

/* Start with {0}; free also after a failure.  limit: most samples. */
cairn_status cairn_mcts__fit_create(cairn_mcts_fit *fit,
                                    const cairn_dag_program *program,
                                    cairn_mcts_machine *machine, size_t limit);
void cairn_mcts__fit_free(cairn_mcts_fit *fit);
/* Mean squared relative error. */
double cairn_mcts__fit_loss(cairn_mcts_fit *fit);
/* Teaches the machine `lessons` samples, drawn at random. */
void cairn_mcts__fit_costs(cairn_mcts_fit *fit, unsigned lessons, double rate,
                           cairn_base_rng *rng);
/* Tries other engines for `tries` random ops, keeps what lowers the loss, which
 * must have been worked out since samples or costs changed. */
void cairn_mcts__fit_engines(cairn_mcts_fit *fit, unsigned tries,
                             cairn_base_rng *rng);

#endif

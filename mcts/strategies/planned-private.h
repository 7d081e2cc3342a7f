/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/planned-private.h - a search that plans on a simulated
 * machine: the whole of strategy "planned", and what "guided" does with large
 * programs; for mcts/ and tests/mcts only.
 */
#ifndef CAIRN_MCTS_STRATEGIES_PLANNED_PRIVATE_H
#define CAIRN_MCTS_STRATEGIES_PLANNED_PRIVATE_H

#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

typedef struct cairn_mcts_planned_settings {
  size_t spread;  /* random schedules to begin with */
  size_t steps;   /* of annealing, a proposal */
  size_t cycle;   /* proposals from hot to cold */
  size_t limit;   /* samples that choose engines */
  size_t lessons; /* in costs, a proposal */
  size_t tries;   /* other engines tried, a proposal */
  size_t cram;    /* times that, when samples have grown by a quarter */
  double rate;    /* of learning costs */
} cairn_mcts_planned_settings;

/* With the tunables of "planned"; NULL: its defaults. */
cairn_status cairn_mcts__planned_begin(cairn_mcts *search, const double *tune);

cairn_status
cairn_mcts__planned_create(cairn_mcts *search,
                           const cairn_mcts_planned_settings *settings);
void cairn_mcts__planned_destroy(cairn_mcts *search);
cairn_status cairn_mcts__planned_next(cairn_mcts *search);
cairn_status cairn_mcts__planned_told(cairn_mcts *search, uint32_t record);

#endif

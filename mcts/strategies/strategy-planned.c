/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy-planned.c - annealing on a simulated machine; see
 * planned.c.
 */
#include "mcts/strategies/planned-private.h"
#include <cairn/mcts.h>

enum { SPREAD, STEPS, CYCLE, LIMIT, TRIES, CRAM, RATE, ALL };

static const cairn_mcts_tunable tunable[] = {
    {"spread", 1.5, 0.01, 1000, 0,
     "random schedules to begin with, for each op"},
    {"steps", 1000, 1, 1e6, 1, "plans simulated before a measurement"},
    {"cycle", 40, 1, 1e6, 1, "measurements from hot to cold"},
    {"limit", 300, 3, 1e5, 1, "samples that teach the machine at a time"},
    {"tries", 16, 0, 1e5, 1, "other engines tried before a measurement"},
    {"cram", 100, 1, 1e5, 1, "times that when samples have grown by a quarter"},
    {"rate", 0.2, 0.001, 1, 0, "learning rate of the machine"}};

/* Less where each is dearer. */
static size_t scaled(const cairn_mcts *search, double effort) {
  const unsigned ops = cairn_dag_program_ops(search->program);
  const double x = ops <= 100 ? effort : effort * 100 / ops;
  return x < 1 && effort >= 1 ? 1 : (size_t)x;
}

cairn_status cairn_mcts__planned_begin(cairn_mcts *search, const double *tune) {
  double value[ALL], spread;
  for (int i = 0; i < ALL; i++)
    value[i] = tune ? tune[i] : tunable[i].value;
  spread = value[SPREAD] * cairn_dag_program_ops(search->program);
  const cairn_mcts_planned_settings settings = {
      .spread = spread < 8     ? 8
                : spread > 200 ? 200
                               : (size_t)spread,
      .steps = scaled(search, value[STEPS]),
      .cycle = (size_t)value[CYCLE],
      .limit = (size_t)value[LIMIT],
      .lessons = scaled(search, value[LIMIT]),
      .tries = scaled(search, value[TRIES]),
      .cram = scaled(search, value[CRAM]),
      .rate = value[RATE]};
  return cairn_mcts__planned_create(search, &settings);
}

static cairn_status create(cairn_mcts *search) {
  return cairn_mcts__planned_begin(search, search->tune);
}

const cairn_mcts_policy cairn_mcts__planned = {
    {"planned",
     "annealing on a simulated machine with learned costs and engines",
     "this program; Kirkpatrick, Gelatt and Vecchi, Optimization by simulated "
     "annealing, 1983",
     tunable, ALL, 0},
    create,
    cairn_mcts__planned_destroy,
    cairn_mcts__planned_next,
    cairn_mcts__planned_told};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategy-guided.c - the default: local search that asks a model.  The
 * model is a simulated machine with learned costs and a Gaussian process for
 * what it leaves over; see guided.c, model.c.
 */
#include "mcts/guided-private.h"

enum { SPREAD, PARENTS, MOVES, DRAWS, CLIMB, LIMIT, BOLDNESS, RATE, ALL };

/* Fewer questions where each is dearer. */
static size_t scaled(const cairn_mcts *search, double asked) {
  const unsigned ops = cairn_dag_program_ops(search->program);
  const double x = ops <= 20 ? asked : asked * 20 / ops;
  return x < 8 && asked >= 8 ? 8 : (size_t)x;
}

static cairn_status create(cairn_mcts *search) {
  const double *const tune = search->tune;
  const cairn_mcts_guided_settings settings = {(size_t)tune[SPREAD],
                                               (size_t)tune[PARENTS],
                                               scaled(search, tune[MOVES]),
                                               scaled(search, tune[DRAWS]),
                                               (size_t)tune[CLIMB],
                                               (size_t)tune[LIMIT],
                                               tune[BOLDNESS],
                                               tune[RATE]};
  return cairn_mcts__guided_create(search, &settings);
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 8, 1, 100000, 1, "schedules of the first, spread-out sample"},
    {"parents", 4, 1, 64, 1, "fastest ones whose neighbours are asked about"},
    {"moves", 64, 1, 1e6, 1, "neighbours of each asked about, up to 20 ops"},
    {"draws", 24, 0, 1e6, 1, "random schedules asked about, up to 20 ops"},
    {"climb", 300, 0, 1e6, 1, "neighbours asked about on the climb"},
    {"limit", 160, 10, 2000, 1, "samples the Gaussian process holds"},
    {"boldness", 2.5, 0, 100, 0, "weight of the unknown"},
    {"rate", 0.3, 0, 1, 0, "learning rate of the machine; 0: no machine"}};

const cairn_mcts_policy cairn_mcts__guided = {
    {"guided",
     "local search that asks a simulated machine with learned costs, and a "
     "Gaussian process, before measuring",
     "this program; Thompson sampling (1933) on Rasmussen and Williams, "
     "Gaussian processes, 2006",
     tunable, ALL, 0},
    create,
    cairn_mcts__guided_destroy,
    cairn_mcts__guided_next,
    NULL};

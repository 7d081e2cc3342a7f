/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy-guided.c - the default: local search that asks a
 * model.  The model is a simulated machine with learned costs and a Gaussian
 * process for what it leaves over; see guided.c, model.c.  In large programs,
 * where a space is too wide for the process to know much of it, and the machine
 * can say a thousand times more a second, it is strategy "planned".
 */
#include "mcts/strategies/guided-private.h"
#include "mcts/strategies/planned-private.h"
#include <cairn/mcts.h>

enum {
  SPREAD,
  PARENTS,
  MOVES,
  DRAWS,
  CLIMB,
  LIMIT,
  BOLDNESS,
  RATE,
  SMALL,
  ALL
};

/* Start and end do not count. */
static int large(const cairn_mcts *search) {
  return cairn_dag_program_ops(search->program) - 2 > search->tune[SMALL];
}

static cairn_status create(cairn_mcts *search) {
  const double *const tune = search->tune;
  const cairn_mcts_guided_settings settings = {
      (size_t)tune[SPREAD], (size_t)tune[PARENTS],
      (size_t)tune[MOVES],  (size_t)tune[DRAWS],
      (size_t)tune[CLIMB],  (size_t)tune[LIMIT],
      tune[BOLDNESS],       tune[RATE]};
  return large(search) ? cairn_mcts__planned_begin(search, NULL)
                       : cairn_mcts__guided_create(search, &settings);
}

static void destroy(cairn_mcts *search) {
  if (!search->state)
    return;
  if (large(search))
    cairn_mcts__planned_destroy(search);
  else
    cairn_mcts__guided_destroy(search);
}

static cairn_status next(cairn_mcts *search) {
  return large(search) ? cairn_mcts__planned_next(search)
                       : cairn_mcts__guided_next(search);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  return large(search) ? cairn_mcts__planned_told(search, record) : CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 8, 1, 100000, 1, "schedules of the first, spread-out sample"},
    {"parents", 4, 1, 64, 1, "fastest ones whose neighbours are asked about"},
    {"moves", 64, 1, 1e6, 1, "neighbours of each asked about"},
    {"draws", 24, 0, 1e6, 1, "random schedules asked about"},
    {"climb", 300, 0, 1e6, 1, "neighbours asked about on the climb"},
    {"limit", 160, 10, 2000, 1, "samples the Gaussian process holds"},
    {"boldness", 2.5, 0, 100, 0, "weight of the unknown"},
    {"rate", 0.3, 0, 1, 0, "learning rate of the machine; 0: no machine"},
    {"small", 12, 0, 1e6, 1, "ops above which it does as \"planned\" does"}};

const cairn_mcts_policy cairn_mcts__guided = {
    {"guided",
     "local search that asks a simulated machine with learned costs, and a "
     "Gaussian process, before measuring",
     "this program; Thompson sampling (1933) on Rasmussen and Williams, "
     "Gaussian processes, 2006",
     tunable, ALL, 0},
    create,
    destroy,
    next,
    told};

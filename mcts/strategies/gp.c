/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/gp.c - Thompson sampling from a Gaussian process
 * over order and same-stream bits, among random schedules; no local search, no
 * machine.
 */
#include "mcts/strategies/guided-private.h"
#include <cairn/mcts.h>

enum { SPREAD, DRAWS, LIMIT, BOLDNESS, ALL };

static cairn_status create(cairn_mcts *search) {
  const double *const tune = search->tune;
  const cairn_mcts_guided_settings settings = {.spread = (size_t)tune[SPREAD],
                                               .draws = (size_t)tune[DRAWS],
                                               .limit = (size_t)tune[LIMIT],
                                               .boldness = tune[BOLDNESS]};
  return cairn_mcts__guided_create(search, &settings);
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 8, 1, 100000, 1, "schedules of the first, spread-out sample"},
    {"draws", 200, 1, 1e6, 1, "random schedules asked about"},
    {"limit", 160, 10, 2000, 1, "samples the Gaussian process holds"},
    {"boldness", 2.5, 0, 100, 0, "weight of the unknown"}};

const cairn_mcts_policy cairn_mcts__gp = {
    {"gp", "Thompson sampling from a Gaussian process, among random schedules",
     "Rasmussen and Williams, Gaussian processes, 2006; Thompson, 1933",
     tunable, ALL, 0},
    create,
    cairn_mcts__guided_destroy,
    cairn_mcts__guided_next,
    NULL};

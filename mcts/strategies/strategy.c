/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/strategy.c - the table of strategies.  A new one: its file,
 * one line here, one declaration in mcts-private.h.
 */
#include <string.h>

#include "mcts/mcts-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

static const cairn_mcts_strategy *const table[] = {
    &cairn_mcts__guided.about,   &cairn_mcts__planned.about,
    &cairn_mcts__coverage.about, &cairn_mcts__min_time.about,
    &cairn_mcts__ils.about,      &cairn_mcts__anneal.about,
    &cairn_mcts__genetic.about,  &cairn_mcts__gp.about,
    &cairn_mcts__rules.about,    &cairn_mcts__random.about,
    &cairn_mcts__rollout.about,  &cairn_mcts__exhaustive.about,
};

/* Strategies of earlier versions, and what does their work now.  Journals of
 * theirs are read, classified and replayed like any other. */
static const struct {
  const char *name, *instead;
} removed[] = {{"memetic", "ils"}, {"nrpa", "guided"}, {"rave", "coverage"}};

const char *cairn_mcts_strategy_instead(const char *name) {
  for (size_t i = 0; i < sizeof removed / sizeof *removed; i++)
    if (!strcmp(removed[i].name, name))
      return removed[i].instead;
  return NULL;
}

const cairn_mcts_strategy *const *cairn_mcts_strategies(size_t *count_p) {
  *count_p = sizeof table / sizeof *table;
  return table;
}

const cairn_mcts_strategy *cairn_mcts__strategy_find(const char *name) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (!strcmp(table[i]->name, name))
      return table[i];
  return NULL;
}

const char *cairn_mcts_strategy_default(void) { return "guided"; }

/* `about` is the first member of a policy. */
const cairn_mcts_policy *cairn_mcts__policy_find(const char *name) {
  return (const cairn_mcts_policy *)(const void *)cairn_mcts__strategy_find(
      name);
}

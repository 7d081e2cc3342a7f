/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/compete.c - who takes part in a competition, and for how long.
 */
#include <stdlib.h>
#include <string.h>

#include "mcts/search-private.h"
#include "study/contest-private.h"

static int ascending(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

cairn_status cairn_study__budgets(const uint64_t *budget, size_t count,
                                  uint64_t **sorted_p, size_t *sorted_count_p) {
  uint64_t *const sorted = cairn_base_alloc(count, sizeof *sorted);
  size_t kept = 0;
  if (!sorted)
    return CAIRN_NOMEM;
  memcpy(sorted, budget, count * sizeof *sorted);
  qsort(sorted, count, sizeof *sorted, ascending);
  for (size_t i = 0; i < count; i++)
    if (!kept || sorted[kept - 1] != sorted[i])
      sorted[kept++] = sorted[i];
  *sorted_p = sorted;
  *sorted_count_p = kept;
  return CAIRN_OK;
}

static int is_named(const char *const *name, size_t count, const char *what) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name[i], what) == 0)
      return 1;
  return 0;
}

enum { FAMILIES = 7 };

/* Random, a strategy of each other family that there is, the default. */
static size_t families(const char **name) {
  static const char *const family[FAMILIES] = {
      "random", "ils", "anneal", "genetic", "coverage", "beam", "swarm"};
  const char *const usual = cairn_mcts_strategy_default();
  size_t count = 0;
  for (size_t i = 0; i < FAMILIES; i++)
    if (cairn_mcts__strategy_find(family[i]))
      name[count++] = family[i];
  if (!is_named(name, count, usual))
    name[count++] = usual;
  return count;
}

static cairn_status name_all(const cairn_study_racing *racing,
                             const char ***name_p, size_t *count_p) {
  const char **const name =
      cairn_base_alloc(racing->strategies + FAMILIES + 1, sizeof *name);
  size_t count = 0;
  if (!name)
    return CAIRN_NOMEM;
  if (racing->strategies == 0)
    count = families(name);
  else if (!is_named(racing->strategy, racing->strategies, "random"))
    name[count++] = "random";
  for (size_t i = 0; i < racing->strategies; i++)
    name[count++] = racing->strategy[i];
  *name_p = name;
  *count_p = count;
  return CAIRN_OK;
}

cairn_status cairn_study__compete(cairn_study_space *const *space,
                                  size_t spaces,
                                  const cairn_study_racing *racing,
                                  cairn_base_diag *diag,
                                  cairn_study_contest **contest_p) {
  static const uint64_t usual[] = {50, 100, 200, 400, 800};
  cairn_study_racing all = *racing;
  const char **name = NULL;
  uint64_t *budget = NULL;
  cairn_status status = name_all(racing, &name, &all.strategies);
  if (!status)
    status = cairn_study__budgets(
        racing->budgets ? racing->budget : usual,
        racing->budgets ? racing->budgets : sizeof usual / sizeof *usual,
        &budget, &all.budgets);
  all.strategy = name;
  all.budget = budget;
  if (!status)
    status = cairn_study__race(space, spaces, &all, diag, contest_p);
  cairn_base_free(name);
  cairn_base_free(budget);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/replay.c - the search on recorded spaces: evaluations until within
 * 1 % of the best, against the figures of an independent study (150,000 rows:
 * coverage about 110, min-time 330 to 600; 15,000 rows: coverage 12, all
 * strategies under 30) and the goals of the default strategy.  Fewer seeds and
 * wider limits unless CAIRN_LONG is set.
 */
#include "base/stats-private.h"
#include "bench/search-table.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

typedef struct limits {
  const char *strategy;
  double low, high, p90; /* allowed medians; 90th percentile at most */
  double fraction100;    /* mean best-so-far fraction of optimum at 100 */
  unsigned seeds;
} limits;

static int failures;

static void check(const char *space, const limits *l, const char *what,
                  double got, double low, double high) {
  const int ok = got >= low && got <= high;
  printf("%s: %s, %s, %s: %g (allowed %g to %g)\n", ok ? "ok" : "FAIL", space,
         l->strategy, what, got, low, high);
  failures += !ok;
}

static double fraction(const cairn_mcts *search, double best_s, uint64_t n) {
  size_t points;
  const cairn_mcts_point *const p = cairn_mcts__curve(search, &points);
  double now = INFINITY;
  for (size_t i = 0; i < points && p[i].evaluations <= n; i++)
    now = p[i].time_s;
  return best_s / now;
}

static void study(const cairn_dag_program *program, const char *space, table *t,
                  const limits *l, unsigned factor) {
  const unsigned seeds = l->seeds * factor;
  double *const to = calloc(seeds, sizeof *to), mean = 0;
  for (unsigned seed = 1; seed <= seeds; seed++) {
    const cairn_mcts_options options = {
        .strategy = l->strategy,
        .seed = seed,
        .budget = l->high < 100 ? 250 : (uint64_t)l->high * 4};
    cairn_mcts *search = NULL;
    uint64_t n = 0;
    if (cairn_mcts_create(program, &options, NULL, &search) ||
        cairn_mcts_run(search, table_evaluate, t, NULL))
      failures++;
    else
      n = cairn_mcts__evaluations_to(search, t->best_s * 1.01);
    to[seed - 1] = n ? (double)n : INFINITY;
    mean += search ? fraction(search, t->best_s, 100) / seeds : 0;
    cairn_mcts_free(search);
  }
  cairn_base__stats_sort(to, seeds);
  check(space, l, "median", to[seeds / 2], l->low, l->high);
  check(space, l, "p90", to[seeds * 9 / 10], 0, l->p90);
  check(space, l, "fraction at 100", mean, l->fraction100, 1);
  free(to);
}

int main(void) {
  static const limits small[] = {{"coverage", 7, 18, 60, 0.99, 40},
                                 {"min-time", 5, 18, 60, 0.99, 40},
                                 {"random", 5, 18, 60, 0.99, 100},
                                 {"guided", 1, 30, 60, 0.999, 6}};
  static const limits large[] = {{"coverage", 80, 140, 250, 0.97, 60},
                                 {"min-time", 250, 650, 1000, 0.95, 40},
                                 {"random", 120, 220, 700, 0.96, 200},
                                 {"guided", 1, 90, 200, 0.985, 12}};
  const char *const dir = getenv("top_srcdir") ? getenv("top_srcdir") : ".";
  const unsigned factor = getenv("CAIRN_LONG") ? 8 : 1;
  cairn_dag_program *const program = table_spmv();
  for (int k = 0; k < 2; k++) {
    const char *const space = k ? "150000" : "15000";
    char path[4096];
    table t;
    snprintf(path, sizeof path, "%s/../shared/data/perlmutter-spmv-%s.csv", dir,
             space);
    if (access(path, R_OK)) {
      printf("skipped: %s is not there\n", path);
      cairn_dag_program_free(program);
      return 77;
    }
    if (!program || table_read(&t, path, program, NULL))
      return 1;
    for (size_t i = 0; i < 4; i++)
      study(program, space, &t, k ? large + i : small + i, factor);
    failures += t.entries != 2036 || t.missing;
    table_free(&t);
  }
  cairn_dag_program_free(program);
  return failures != 0;
}

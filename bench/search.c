/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/search.c - how many measurements each strategy needs on recorded
 * spaces of the SpMV program.
 *
 *     search [-s seeds] [-b budget] [-S strategy]... [-o name=value]...
 * SPACE...
 *
 * With -p each search is given the results of an earlier one (the same
 * strategy and seed, 200 results unless -n says otherwise) on another space.
 *
 * A SPACE is a complete journal or one of the '|'-separated tables.  For each
 * strategy and space: distinct schedules measured until within 5 %, 1 % and
 * 0 % of the best, median and 90th percentile over seeds, and the mean
 * fraction of optimum (best of the space / best so far) after 100 and 200.
 */
#include <math.h>
#include <time.h>

#include "base/stats-private.h"
#include "bench/search-table.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

enum { MAX_STRATEGIES = 32, MAX_SETTINGS = 32 };

typedef struct job {
  unsigned seeds;
  uint64_t budget;
  const char *strategy[MAX_STRATEGIES];
  size_t strategies;
  cairn_mcts_setting setting[MAX_SETTINGS];
  size_t settings;
  cairn_dag_program *program;
  const char *prior_path;
  uint64_t prior_results;
  table prior;
} job;

typedef struct tally {
  double *to[3]; /* 5, 1, 0 %: a number each seed */
  double fraction100, fraction200, iterations, seconds;
} tally;

static double fraction_at(const cairn_mcts *search, double best_s,
                          uint64_t evaluations) {
  size_t points;
  const cairn_mcts_point *const curve = cairn_mcts__curve(search, &points);
  double now = INFINITY;
  for (size_t i = 0; i < points && curve[i].evaluations <= evaluations; i++)
    now = curve[i].time_s;
  return best_s / now;
}

/* Runs the search on the prior space, and hands over what it found. */
static cairn_status add_priors(const job *j, const cairn_mcts_options *options,
                               cairn_mcts *search) {
  cairn_mcts_options earlier = *options;
  table copy = j->prior;
  cairn_mcts *old = NULL;
  cairn_status status;
  earlier.budget = j->prior_results;
  status = cairn_mcts_create(j->program, &earlier, NULL, &old);
  if (!status)
    status = cairn_mcts_run(old, table_evaluate, &copy, NULL);
  for (uint64_t id = 0; !status && id < cairn_mcts_evaluations(old); id++) {
    const cairn_dag_item *items;
    size_t count;
    cairn_mcts_result result;
    cairn_mcts__get(old, id, &items, &count, &result);
    status = cairn_mcts__add_prior(search, items, count, result.time_s, NULL);
  }
  cairn_mcts_free(old);
  return status;
}

static cairn_status run_seed(const job *j, const char *strategy, table *t,
                             unsigned seed, tally *sum) {
  static const double within[] = {1.05, 1.01, 1};
  const cairn_mcts_options options = {.strategy = strategy,
                                      .seed = seed,
                                      .budget = j->budget,
                                      .setting = j->setting,
                                      .settings = j->settings};
  cairn_base_diag *diag = NULL;
  cairn_mcts *search = NULL;
  const clock_t begin = clock();
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (!status)
    status = cairn_mcts_create(j->program, &options, diag, &search);
  if (!status && j->prior_path)
    status = add_priors(j, &options, search);
  if (!status)
    status = cairn_mcts_run(search, table_evaluate, t, diag);
  cairn_base_diag_print(diag, stderr);
  cairn_base_diag_free(diag);
  if (!status) {
    for (int k = 0; k < 3; k++) {
      const uint64_t n =
          cairn_mcts__evaluations_to(search, t->best_s * within[k]);
      sum->to[k][seed - 1] = n ? (double)n : (double)j->budget + 1;
    }
    sum->fraction100 += fraction_at(search, t->best_s, 100) / j->seeds;
    sum->fraction200 += fraction_at(search, t->best_s, 200) / j->seeds;
    sum->iterations +=
        (double)cairn_mcts__get_stats(search).iterations / j->seeds;
    sum->seconds += (double)(clock() - begin) / CLOCKS_PER_SEC / j->seeds;
  }
  cairn_mcts_free(search);
  return status;
}

static void print_row(const char *strategy, tally *sum, unsigned seeds) {
  printf("%-12s", strategy);
  for (int k = 0; k < 3; k++) {
    cairn_base__stats_sort(sum->to[k], seeds);
    printf("  %6.0f %6.0f", cairn_base__stats_percentile(sum->to[k], seeds, 50),
           cairn_base__stats_percentile(sum->to[k], seeds, 90));
  }
  printf("  %7.4f %7.4f %8.0f %8.1f\n", sum->fraction100, sum->fraction200,
         sum->iterations, sum->seconds * 1e3);
  fflush(stdout);
}

static cairn_status run_space(const job *j, const char *path) {
  cairn_base_diag *diag = NULL;
  table t = {0};
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (!status)
    status = table_read(&t, path, j->program, diag);
  cairn_base_diag_print(diag, stderr);
  cairn_base_diag_free(diag);
  if (status)
    return status;
  printf("%s: %zu schedules, best %.4f us; %u seeds, budget %llu (one more: "
         "not reached)\n",
         path, t.entries, t.best_s * 1e6, j->seeds,
         (unsigned long long)j->budget);
  printf("%-12s  %13s  %13s  %13s  %7s %7s %8s %8s\n", "strategy",
         "5% med    p90", "1% med    p90", "0% med    p90", "f(100)", "f(200)",
         "iterat.", "ms/run");
  for (size_t s = 0; s < j->strategies && !status; s++) {
    tally sum = {0};
    for (int k = 0; k < 3; k++)
      sum.to[k] = calloc(j->seeds, sizeof(double));
    for (unsigned seed = 1; seed <= j->seeds && !status; seed++)
      status = run_seed(j, j->strategy[s], &t, seed, &sum);
    if (!status)
      print_row(j->strategy[s], &sum, j->seeds);
    for (int k = 0; k < 3; k++)
      free(sum.to[k]);
  }
  if (t.missing)
    printf("%zu lookups found nothing\n", t.missing);
  table_free(&t);
  return status;
}

static void all_strategies(job *j) {
  size_t count;
  const cairn_mcts_strategy *const *const all = cairn_mcts_strategies(&count);
  for (size_t i = 0; i < count && j->strategies < MAX_STRATEGIES; i++)
    if (!all[i]->needs_teacher)
      j->strategy[j->strategies++] = all[i]->name;
}

static int parse(job *j, int argc, char **argv) {
  int c;
  while ((c = getopt(argc, argv, "s:b:S:o:p:n:")) != -1)
    if (c == 's') {
      j->seeds = (unsigned)strtoul(optarg, NULL, 10);
    } else if (c == 'b') {
      j->budget = strtoull(optarg, NULL, 10);
    } else if (c == 'p') {
      j->prior_path = optarg;
    } else if (c == 'n') {
      j->prior_results = strtoull(optarg, NULL, 10);
    } else if (c == 'S' && j->strategies < MAX_STRATEGIES) {
      j->strategy[j->strategies++] = optarg;
    } else if (c == 'o' && strchr(optarg, '=') && j->settings < MAX_SETTINGS) {
      char *const equals = strchr(optarg, '=');
      *equals = 0;
      j->setting[j->settings++] = (cairn_mcts_setting){optarg, equals + 1};
    } else {
      return 0;
    }
  return optind < argc && j->seeds;
}

int main(int argc, char **argv) {
  job j = {.seeds = 100, .budget = 2036, .prior_results = 200};
  cairn_status status = CAIRN_OK;
  if (!parse(&j, argc, argv)) {
    fprintf(stderr, "usage: search [-s seeds] [-b budget] [-S strategy]... "
                    "[-o name=value]... [-p SPACE [-n results]] SPACE...\n");
    return 2;
  }
  if (!(j.program = table_spmv()))
    return 4;
  if (!j.strategies)
    all_strategies(&j);
  if (j.prior_path)
    status = table_read(&j.prior, j.prior_path, j.program, NULL);
  for (int i = optind; i < argc && !status; i++)
    status = run_space(&j, argv[i]);
  table_free(&j.prior);
  cairn_dag_program_free(j.program);
  return cairn_base_status_exit_code(status);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/check-difficulty.c - `cairn check --difficulty`: how hard a space is, as
 * far as a partial run tells.
 */
#include "check.h"
#include <cairn/dag.h>

enum { SEED = 1 };

cairn_status cairn_cli_difficulty_read(const char *path,
                                       const cairn_dag_program *program,
                                       unsigned streams, cairn_base_diag *diag,
                                       cairn_study_difficulty *difficulty_p) {
  return cairn_study_estimate(program, streams, path, SEED, diag, difficulty_p);
}

void cairn_cli_difficulty_print(const cairn_study_difficulty *d) {
  static const unsigned percent[] = {1, 2, 5, 10};
  cairn_cli_print("\ndifficulty, an estimate from %zu measured schedules "
                  "(predictions explain %.0f %% of the variance)\n",
                  d->measured, d->explained > 0 ? 100 * d->explained : 0);
  cairn_cli_print("best measured       %.2f us; best of the space about %.2f "
                  "us\n",
                  1e6 * d->best_s, 1e6 * d->optimum_s);
  cairn_cli_print("minima              about %zu found by %zu descents, "
                  "best/time %.4f in the median\n",
                  d->minima, d->descents, d->fraction);
  cairn_cli_print("descents that end");
  for (size_t i = 0; i < sizeof percent / sizeof *percent; i++)
    cairn_cli_print("%s within %u %%: %.0f %% (%.0f to %.0f)\n",
                    i ? "                   " : "   ", percent[i],
                    100 * d->centrality[percent[i]],
                    100 * d->centrality_low[percent[i]],
                    100 * d->centrality_high[percent[i]]);
  cairn_cli_print("uniform draws       %.1f %% of the schedules within 1 %%, "
                  "%.1f %% within 5 %%\n",
                  100 * d->share[1], 100 * d->share[2]);
  if (d->budget)
    cairn_cli_print("suggested           --strategy %s --budget %llu\n",
                    d->strategy, (unsigned long long)d->budget);
  else
    cairn_cli_print("suggested           --strategy %s, more than 400 "
                    "measurements\n",
                    d->strategy);
  if (d->random_budget)
    cairn_cli_print("                    (random draws: %llu)\n",
                    (unsigned long long)d->random_budget);
  else
    cairn_cli_print("                    (random draws: more than 400)\n");
}

static json_t *numbers(const double *value, size_t count) {
  json_t *const array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, cairn_cli_json_number(value[i]));
  return array;
}

static json_t *budget(uint64_t budget) {
  return budget ? cairn_cli_json_integer(budget) : json_null();
}

json_t *cairn_cli_difficulty_json(const cairn_study_difficulty *d) {
  json_t *const o = json_object();
  json_object_set_new(o, "estimate", json_true());
  json_object_set_new(o, "measured", cairn_cli_json_integer(d->measured));
  json_object_set_new(o, "failed", cairn_cli_json_integer(d->failed));
  json_object_set_new(o, "explained", cairn_cli_json_number(d->explained));
  json_object_set_new(o, "descents", cairn_cli_json_integer(d->descents));
  json_object_set_new(o, "minima", cairn_cli_json_integer(d->minima));
  json_object_set_new(o, "best", cairn_cli_json_number(d->best_s));
  json_object_set_new(o, "optimum", cairn_cli_json_number(d->optimum_s));
  json_object_set_new(o, "fraction_median", cairn_cli_json_number(d->fraction));
  json_object_set_new(o, "centrality",
                      numbers(d->centrality, CAIRN_STUDY_PERCENTS));
  json_object_set_new(o, "centrality_low",
                      numbers(d->centrality_low, CAIRN_STUDY_PERCENTS));
  json_object_set_new(o, "centrality_high",
                      numbers(d->centrality_high, CAIRN_STUDY_PERCENTS));
  json_object_set_new(o, "share", numbers(d->share, CAIRN_STUDY_CHANCES));
  json_object_set_new(o, "strategy", json_string(d->strategy));
  json_object_set_new(o, "budget", budget(d->budget));
  json_object_set_new(o, "random_budget", budget(d->random_budget));
  return o;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/choose.c - settings of a strategy, chosen on some spaces and reported
 * on others.
 */
#include <math.h>
#include <string.h>

#include "base/stats-private.h"
#include "base/text-private.h"
#include "study/contest-private.h"

enum { MOST_SETTINGS = 10000 };

void cairn_study__choice_free(cairn_study_choice *choice) {
  if (!choice)
    return;
  cairn_study__verdict_free(choice->verdict);
  cairn_study__contest_free(choice->contest);
  cairn_study__contest_free(choice->tuning);
  cairn_base_free(choice->mean);
  cairn_base_free(choice->sd);
  cairn_base_free(choice->k);
  cairn_base_free(choice);
}

/* ---- the grid ---- */

/* Values of "NAME=V,V"; 0: it is none. */
static size_t values_of(const char *grid) {
  const char *const equals = strchr(grid, '=');
  size_t count = 1;
  if (!equals || equals == grid || !equals[1] || strchr(grid, ':'))
    return 0;
  for (const char *p = equals + 1; *p; p++) {
    if (*p == ',' && (p[1] == ',' || !p[1] || p == equals + 1))
      return 0;
    count += *p == ',';
  }
  return count;
}

/* ":NAME=V" of the value at an index. */
static void add_value(cairn_base_text *text, const char *grid, size_t index) {
  const char *const equals = strchr(grid, '=');
  const char *value = equals + 1;
  while (index--)
    value = strchr(value, ',') + 1;
  cairn_base_text_add(text, ":");
  cairn_base__text_add_bytes(text, grid, (size_t)(equals - grid) + 1);
  cairn_base__text_add_bytes(text, value, strcspn(value, ","));
}

static cairn_status count_settings(const cairn_study_tuning *how,
                                   cairn_base_diag *diag, size_t *count_p) {
  size_t count = 1;
  for (size_t d = 0; d < how->dimensions; d++) {
    const size_t values = values_of(how->grid[d]);
    if (!values) {
      cairn_base_diag_error(diag, "--grid \"%s\": expected NAME=VALUE,VALUE...",
                            how->grid[d]);
      return CAIRN_USAGE;
    }
    count *= values;
    if (count > MOST_SETTINGS) {
      cairn_base_diag_error(diag, "the grid has more than %d settings",
                            MOST_SETTINGS);
      return CAIRN_USAGE;
    }
  }
  *count_p = count;
  return CAIRN_OK;
}

/* "ils:kick=2:patience=10", the last dimension varying fastest. */
static char *setting_text(const cairn_study_tuning *how, size_t setting,
                          size_t settings) {
  cairn_base_text text = {0};
  cairn_base_text_add(&text, how->strategy);
  for (size_t d = 0; d < how->dimensions; d++) {
    settings /= values_of(how->grid[d]);
    add_value(&text, how->grid[d], setting / settings);
    setting %= settings;
  }
  if (text.failed)
    cairn_base_text_free(&text);
  return text.data;
}

static cairn_status make_settings(const cairn_study_tuning *how,
                                  cairn_base_diag *diag, char ***setting_p,
                                  size_t *count_p) {
  size_t count;
  cairn_status status = count_settings(how, diag, &count);
  if (status)
    return status;
  char **const setting = cairn_base_zalloc(count, sizeof *setting);
  if (!setting)
    return CAIRN_NOMEM;
  *setting_p = setting;
  *count_p = count;
  for (size_t s = 0; s < count; s++)
    if (!(setting[s] = setting_text(how, s, count)))
      return CAIRN_NOMEM;
  return CAIRN_OK;
}

/* ---- choosing ---- */

static cairn_study_racing racing_of(const cairn_study_tuning *how,
                                    char *const *strategy, size_t strategies) {
  return (cairn_study_racing){.strategy = (const char *const *)strategy,
                              .strategies = strategies,
                              .budget = how->budget,
                              .budgets = how->budgets,
                              .runs = how->repetitions,
                              .seed = how->seed,
                              .jobs = how->jobs};
}

/* Sorted first, so that equal runs in any order have equal means; and of equal
 * numbers the deviation is 0, not what rounding leaves. */
static void mean_and_sd(double *runs, size_t count, double *mean_p,
                        double *sd_p) {
  cairn_base__stats_sort(runs, count);
  const int constant = runs[0] == runs[count - 1];
  *mean_p = constant ? runs[0] : cairn_base__stats_mean(runs, count);
  *sd_p = constant ? 0 : cairn_base__stats_stddev(runs, count);
}

/* Means and deviations; a run that found nothing counts as the slowest. */
static void summarise(cairn_study_choice *choice, double *runs) {
  const cairn_study_contest *const c = choice->tuning;
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t b = 0; b < c->budgets; b++)
      for (size_t e = 0; e < c->strategies; e++) {
        const double *const best_s = cairn_study__best(c, e, s, b);
        const size_t at = (s * c->budgets + b) * c->strategies + e;
        for (size_t r = 0; r < c->runs; r++)
          runs[r] = isfinite(best_s[r]) ? best_s[r] : c->slowest_s[s];
        mean_and_sd(runs, c->runs, &choice->mean[at], &choice->sd[at]);
      }
}

static cairn_status select_setting(cairn_study_choice *choice) {
  const cairn_study_contest *const c = choice->tuning;
  const size_t problems = c->spaces * c->budgets;
  double *const runs = cairn_base_alloc(c->runs, sizeof *runs);
  choice->problems = problems;
  choice->mean =
      cairn_base_alloc(problems * c->strategies, sizeof *choice->mean);
  choice->sd = cairn_base_alloc(problems * c->strategies, sizeof *choice->sd);
  choice->k = cairn_base_alloc(c->strategies, sizeof *choice->k);
  const int fine = runs && choice->mean && choice->sd && choice->k;
  if (fine) {
    summarise(choice, runs);
    choice->chosen = cairn_study__k_sigma(choice->mean, choice->sd, problems,
                                          c->strategies, choice->k);
  }
  cairn_base_free(runs);
  return fine ? CAIRN_OK : CAIRN_NOMEM;
}

static cairn_status tune(cairn_study_space *const *tuning, size_t tunings,
                         const cairn_study_tuning *how, cairn_base_diag *diag,
                         cairn_study_choice *choice) {
  char **setting = NULL;
  size_t settings = 0;
  cairn_status status = make_settings(how, diag, &setting, &settings);
  if (!status) {
    const cairn_study_racing racing = racing_of(how, setting, settings);
    status = cairn_study__race(tuning, tunings, &racing, diag, &choice->tuning);
  }
  if (!status)
    status = select_setting(choice);
  for (size_t s = 0; setting && s < settings; s++)
    cairn_base_free(setting[s]);
  cairn_base_free(setting);
  return status;
}

/* Random, the strategy as it is, and as it was chosen. */
static cairn_status report(cairn_study_space *const *report_on, size_t reports,
                           const cairn_study_tuning *how, cairn_base_diag *diag,
                           cairn_study_choice *choice) {
  char random[] = "random";
  char *const own = cairn_base_strdup(how->strategy);
  char *strategy[3] = {random, own, choice->tuning->strategy[choice->chosen]};
  const cairn_study_racing racing = racing_of(how, strategy, 3);
  cairn_status status = own ? CAIRN_OK : CAIRN_NOMEM;
  if (!status)
    status =
        cairn_study__race(report_on, reports, &racing, diag, &choice->contest);
  if (!status)
    status =
        cairn_study__judge(choice->contest, &how->judging, &choice->verdict);
  cairn_base_free(own);
  return status;
}

static cairn_status refuse_overlap(cairn_study_space *const *tuning,
                                   size_t tunings,
                                   cairn_study_space *const *report_on,
                                   size_t reports, cairn_base_diag *diag) {
  for (size_t i = 0; i < tunings; i++)
    for (size_t j = 0; j < reports; j++) {
      int same;
      const cairn_status status =
          cairn_study__same_space(tuning[i], report_on[j], &same);
      if (status)
        return status;
      if (!same)
        continue;
      cairn_base_diag_error(diag,
                            "%s and %s are the same space: settings must not "
                            "be reported on what they were tuned on",
                            tuning[i]->path, report_on[j]->path);
      return CAIRN_USAGE;
    }
  return CAIRN_OK;
}

static cairn_status choose(cairn_study_space *const *tuning, size_t tunings,
                           cairn_study_space *const *report_on, size_t reports,
                           const cairn_study_tuning *how, cairn_base_diag *diag,
                           cairn_study_choice *choice) {
  static const uint64_t usual[] = {200};
  cairn_study_tuning sorted = *how;
  uint64_t *budget = NULL;
  cairn_status status =
      refuse_overlap(tuning, tunings, report_on, reports, diag);
  if (!status)
    status = cairn_study__budgets(how->budgets ? how->budget : usual,
                                  how->budgets ? how->budgets : 1, &budget,
                                  &sorted.budgets);
  sorted.budget = budget;
  if (!status)
    status = tune(tuning, tunings, &sorted, diag, choice);
  if (!status && reports)
    status = report(report_on, reports, &sorted, diag, choice);
  cairn_base_free(budget);
  return status;
}

cairn_status cairn_study__choose(cairn_study_space *const *tuning,
                                 size_t tunings,
                                 cairn_study_space *const *report_on,
                                 size_t reports, const cairn_study_tuning *how,
                                 cairn_base_diag *diag,
                                 cairn_study_choice **choice_p) {
  cairn_study_choice *const choice = cairn_base_zalloc(1, sizeof *choice);
  cairn_status status = choice ? CAIRN_OK : CAIRN_NOMEM;
  if (!status) {
    choice->strategy = how->strategy;
    choice->grid = how->grid;
    choice->dimensions = how->dimensions;
    status = choose(tuning, tunings, report_on, reports, how, diag, choice);
  }
  if (status)
    cairn_study__choice_free(choice);
  else
    *choice_p = choice;
  return status;
}

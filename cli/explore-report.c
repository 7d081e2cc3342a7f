/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-report.c - the result of a run as text or JSON.
 */
#include <limits.h>

#include "explore.h"

/* ---- failures ---- */

enum { NAMED_MOST = 5 }; /* operations told */

/* Results of this outcome, if it is a failure. */
static unsigned failed(const cairn_explore_result *result, int outcome) {
  return outcome == CAIRN_BASE_OUTCOME_OK ||
                 outcome == CAIRN_BASE_OUTCOME_PRUNED
             ? 0
             : result->outcome[outcome];
}

/* The operation named most often below `limit` times, or the same number of
 * times and after `last`; NULL: none. */
static const cairn_explore_named *next_named(const cairn_explore_result *result,
                                             unsigned limit,
                                             const cairn_explore_named *last) {
  const cairn_explore_named *best = NULL;
  for (size_t i = 0; i < result->nameds; i++) {
    const cairn_explore_named *n = &result->named[i];
    if (n->count > (best != NULL ? best->count : 0) &&
        (n->count < limit || (n->count == limit && (last == NULL || n > last))))
      best = n;
  }
  return best;
}

static void print_failures(const cairn_explore_result *result) {
  const char *between = "Failed:    ";
  unsigned all = 0;
  for (int o = 0; o < CAIRN_EXPLORE_OUTCOMES; o++) {
    if (failed(result, o) == 0)
      continue;
    all += failed(result, o);
    cairn_cli_print("%s%u %s", between, failed(result, o),
                    cairn_base_outcome_text((cairn_base_outcome)o));
    between = ", ";
  }
  if (all == 0)
    return;
  const cairn_explore_named *n = next_named(result, UINT_MAX, NULL);
  between = "; their messages name ";
  for (int i = 0; i < NAMED_MOST && n != NULL; i++) {
    cairn_cli_print("%s%s (%u)", between, n->op, n->count);
    between = ", ";
    n = next_named(result, n->count, n);
  }
  cairn_cli_print("\n");
}

static json_t *failures_json(const cairn_explore_result *result) {
  json_t *by = json_object(), *named = json_object();
  for (int o = 0; o < CAIRN_EXPLORE_OUTCOMES; o++)
    if (failed(result, o) > 0)
      json_object_set_new(by, cairn_base_outcome_text((cairn_base_outcome)o),
                          json_integer(failed(result, o)));
  for (size_t i = 0; i < result->nameds; i++)
    json_object_set_new(named, result->named[i].op,
                        json_integer(result->named[i].count));
  return json_pack("{s:o, s:o}", "status", by, "named", named);
}

/* ---- JSON ---- */

static json_t *best_json(const cairn_explore_result *result) {
  return result->best_schedule == NULL
             ? json_null()
             : json_pack("{s:o, s:f, s:s}", "id",
                         cairn_cli_json_integer(result->best), "time",
                         result->best_s, "schedule", result->best_schedule);
}

static json_t *curve_json(const cairn_explore_result *result) {
  json_t *curve = json_array();
  for (size_t i = 0; i < result->points; i++)
    json_array_append_new(
        curve, json_pack("[o, f]",
                         cairn_cli_json_integer(result->curve[i].evaluations),
                         result->curve[i].time_s));
  return curve;
}

/* Evaluations until the best was within 5, 1 and 0 % of the recorded best. */
static json_t *to_json(const cairn_explore_result *result) {
  static const struct {
    const char *name;
    double factor;
  } target[] = {{"5%", 1.05}, {"1%", 1.01}, {"0%", 1}};
  json_t *to = json_object();
  for (size_t i = 0; i < sizeof target / sizeof target[0]; i++) {
    const uint64_t n = cairn_explore_evaluations_to(result, target[i].factor);
    json_object_set_new(to, target[i].name,
                        n == 0 ? json_null() : cairn_cli_json_integer(n));
  }
  return to;
}

/* As `cairn classify --format json`; null without a good result. */
static cairn_status explanation_json(const cairn_explore_result *result,
                                     json_t **json_p) {
  cairn_base_text text = {0};
  cairn_status status = result->explained;
  if (status == CAIRN_OK)
    status = cairn_classify_report(result->analysis, CAIRN_CLASSIFY_JSON, NULL,
                                   0, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  *json_p = status == CAIRN_OK ? json_loadb(text.data, text.length, 0, NULL)
                               : json_null();
  cairn_base_text_free(&text);
  if (status == CAIRN_FINDINGS)
    return CAIRN_OK;
  return status == CAIRN_OK && *json_p == NULL ? CAIRN_NOMEM : status;
}

cairn_status explore_print_json(const explore_options *options,
                                const cairn_explore_result *result) {
  json_t *object = json_pack(
      "{s:i, s:s, s:s, s:o, s:o, s:o, s:s, s:o, s:o, s:o}", "schema", 1,
      "program", cairn_dag_program_name(result->program), "strategy",
      result->strategy, "seed", cairn_cli_json_integer(options->run.seed),
      "evaluations", cairn_cli_json_integer(result->evaluations), "failed",
      cairn_cli_json_integer(result->failures), "stopped",
      cairn_mcts_stop_text(result->stopped), "best", best_json(result), "curve",
      curve_json(result), "journal", cairn_cli_json_text(result->journal));
  if (object != NULL)
    json_object_set_new(object, "failures", failures_json(result));
  if (object != NULL && result->recorded != NULL)
    json_object_set_new(object, "to", to_json(result));
  if (object != NULL && result->recorded == NULL)
    json_object_set_new(object, "noise", explore_trust_json(&result->trust));
  if (object != NULL)
    json_object_set_new(object, "refined", explore_refine_json(result));
  json_t *explanation;
  const cairn_status status = explanation_json(result, &explanation);
  if (object != NULL && status == CAIRN_OK)
    json_object_set_new(object, "classification", explanation);
  if (status == CAIRN_OK)
    return cairn_cli_print_json(object);
  json_decref(object);
  return status;
}

/* ---- text ---- */

static int print_share(const cairn_explore_result *result) {
  double share;
  cairn_dag_size size;
  if (cairn_explore_share(result, &share, &size) != CAIRN_OK)
    return 0;
  cairn_cli_print(" of %s%.*g (%.3g %%)", size.exact ? "" : "about ",
                  size.exact ? 15 : 3, size.count, share * 100);
  return 1;
}

static const char *stop_words(cairn_mcts_stop reason) {
  switch (reason) {
  case CAIRN_MCTS_BUDGET:
    return "the budget is used up";
  case CAIRN_MCTS_TIME:
    return "the time is used up";
  case CAIRN_MCTS_EXHAUSTED:
    return "the space is exhausted";
  case CAIRN_MCTS_SIGNAL:
    return "a signal came";
  default:
    return "the search was ended";
  }
}

static void print_machine(const cairn_explore_result *result) {
  if (result->recorded != NULL) {
    cairn_cli_print_shown("Replayed:  ", result->recorded, "\n");
    return;
  }
  cairn_cli_print("Ran on:    backend %s, %d rank%s", result->backend,
                  result->ranks, result->ranks == 1 ? "" : "s");
  for (size_t i = 0; i < result->devices; i++)
    cairn_cli_print_shown(", ", result->device[i], "");
  cairn_cli_print("%s\n", result->verified ? "; results verified" : "");
}

static void print_measured(const cairn_explore_result *result) {
  cairn_cli_print("Measured:  %llu", (unsigned long long)result->evaluations);
  const int share = print_share(result);
  cairn_cli_print(" schedule%s, %llu failed; %s\n",
                  share || result->evaluations != 1 ? "s" : "",
                  (unsigned long long)result->failures,
                  stop_words(result->stopped));
}

static cairn_status print_explanation(const cairn_explore_result *result) {
  cairn_base_text text = {0};
  cairn_status status = result->explained;
  if (status == CAIRN_OK)
    status = cairn_classify_report(result->analysis, CAIRN_CLASSIFY_TEXT, NULL,
                                   0, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    cairn_cli_print("\n%s\n", text.data);
  cairn_base_text_free(&text);
  return status == CAIRN_FINDINGS ? CAIRN_OK : status;
}

cairn_status explore_print_text(const explore_options *options,
                                const cairn_explore_result *result) {
  cairn_cli_print("Program:   %s, %u stream%s, strategy %s, seed %llu\n",
                  cairn_dag_program_name(result->program), result->streams,
                  result->streams == 1 ? "" : "s", result->strategy,
                  (unsigned long long)options->run.seed);
  print_machine(result);
  print_measured(result);
  print_failures(result);
  if (result->recorded == NULL)
    explore_trust_print(result);
  if (result->best_schedule != NULL)
    cairn_cli_print("Best:      %.4f us (%s), schedule %llu\n  %s\n",
                    result->best_s * 1e6, result->objective,
                    (unsigned long long)result->best, result->best_schedule);
  explore_refine_print(result);
  const cairn_status status = print_explanation(result);
  if (result->journal != NULL)
    cairn_cli_print_shown("Journal:   ", result->journal, "\n");
  return status;
}

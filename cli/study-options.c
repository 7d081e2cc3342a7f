/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/study-options.c - the options of `cairn study`.
 */
#include <stdlib.h>
#include <string.h>

#include "study.h"

enum {
  KEY_NEIGHBOURS = CAIRN_CLI_KEY,
  KEY_SAMPLE,
  KEY_COMPETE,
  KEY_STRATEGIES,
  KEY_BUDGETS,
  KEY_RUNS,
  KEY_T_TEST,
  KEY_SPLIT,
  KEY_FROM,
  KEY_SETTINGS,
  KEY_GRID,
  KEY_REPETITIONS,
  KEY_TUNING,
  KEY_REPORT_ON,
  KEY_JOBS,
  KEY_PROGRAM,
  KEY_SEED,
  KEY_OBJECTIVE,
  KEY_REPORT,
  KEY_SALVAGE
};

const struct argp_option study_option_table[] = {
    {"neighbours", KEY_NEIGHBOURS, "adjacent|sync", 0,
     "Which schedules are neighbours: one exchange of two operations, or one "
     "operation on another stream; sync: also one exchange with a "
     "synchronisation (adjacent)",
     1},
    {"sample", KEY_SAMPLE, "N", 0,
     "Estimate from N descents instead of the whole graph", 1},
    {"compete", KEY_COMPETE, 0, 0,
     "Let searches compete on the spaces; random always takes part", 2},
    {"strategies", KEY_STRATEGIES, "NAME,NAME...", 0,
     "Who competes, settings after colons: ils:kick=2 (one of each family)", 2},
    {"budgets", KEY_BUDGETS, "N,N...", 0,
     "Schedules measured (50,100,200,400,800; 200 with --settings)", 2},
    {"runs", KEY_RUNS, "N", 0, "Runs of each search (50)", 2},
    {"t-test", KEY_T_TEST, "pooled|welch", 0,
     "Student's t-test with one variance for both, or Welch's (pooled)", 2},
    {"split", KEY_SPLIT, "N", 0, "Budgets up to N are low, others medium (200)",
     2},
    {"from", KEY_FROM, "RUNS.tsv", 0,
     "Judge the runs of an earlier report instead", 2},
    {"settings", KEY_SETTINGS, "STRATEGY", 0,
     "Choose settings of a strategy by k-sigma selection", 3},
    {"grid", KEY_GRID, "NAME=VALUE,VALUE...", 0,
     "Values of a setting; may be repeated: all combinations", 3},
    {"repetitions", KEY_REPETITIONS, "N", 0, "Runs of each setting (20)", 3},
    {"tuning", KEY_TUNING, "SPACE...", 0, "Spaces to choose on", 3},
    {"report-on", KEY_REPORT_ON, "SPACE...", 0,
     "Other spaces, to report on what was chosen", 3},
    {"jobs", KEY_JOBS, "N", 0,
     "Searches at a time (as many as processors); changes no result", 4},
    {"program", KEY_PROGRAM, "PROGRAM.xml", 0,
     "The program of the schedules (read off them)", 4},
    {"objective", KEY_OBJECTIVE, "p01|p10|p50|p90|p99", 0,
     "Percentile over samples that is a schedule's time (the run's)", 4},
    {"seed", KEY_SEED, "N", 0, "Seed of what is drawn (1)", 4},
    {"report", KEY_REPORT, "DIR", 0,
     "Write report.html, .json, .txt and a table for each plot there", 4},
    {"salvage", KEY_SALVAGE, 0, 0, "Skip damaged lines of a journal", 4},
    {0}};

static error_t add(study_list *list, const char *word) {
  if (cairn_base_reserve(&list->word, &list->capacity, list->count + 1,
                         sizeof *list->word) != CAIRN_OK)
    return ENOMEM;
  list->word[list->count++] = word;
  return 0;
}

void study_options_free(study_options *o) {
  cairn_base_free(o->space.word);
  cairn_base_free(o->tuning.word);
  cairn_base_free(o->report_on.word);
  cairn_base_free(o->strategy.word);
  cairn_base_free(o->grid.word);
  cairn_base_free(o->words);
  cairn_base_free(o->budget);
}

/* ---- lists in one word ---- */

static error_t parse_strategies(study_options *o, const char *arg,
                                struct argp_state *state) {
  cairn_base_free(o->words);
  o->strategy.count = 0;
  o->words = cairn_base_strdup(arg);
  if (o->words == NULL)
    return ENOMEM;
  for (char *word = o->words, *next; word != NULL; word = next) {
    next = strchr(word, ',');
    if (next != NULL)
      *next++ = '\0';
    if (*word == '\0')
      argp_error(state, "--strategies \"%s\": a name is missing", arg);
    for (size_t i = 0; i < o->strategy.count; i++)
      if (strcmp(o->strategy.word[i], word) == 0)
        argp_error(state, "--strategies \"%s\": \"%s\" is there twice", arg,
                   word);
    if (add(&o->strategy, word))
      return ENOMEM;
  }
  return 0;
}

static error_t set_budgets(study_options *o, const char *arg,
                           struct argp_state *state) {
  size_t capacity = 0;
  char word[32];
  o->budgets = 0;
  cairn_base_free(o->budget);
  o->budget = NULL;
  for (const char *at = arg; at != NULL;) {
    const size_t length = strcspn(at, ",");
    if (cairn_base_reserve(&o->budget, &capacity, o->budgets + 1,
                           sizeof *o->budget) != CAIRN_OK)
      return ENOMEM;
    snprintf(word, sizeof word, "%.*s",
             length < sizeof word ? (int)length : (int)sizeof word, at);
    o->budget[o->budgets++] =
        cairn_cli_integer(state, "--budgets", word, 1, 1000000000);
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  return 0;
}

/* ---- what goes with what ---- */

static void finish_compete(study_options *o, struct argp_state *state) {
  if (o->from != NULL && o->space.count > 0)
    argp_error(state, "--from holds the runs of its spaces: name no others");
  if (o->from == NULL && o->space.count == 0)
    argp_error(state, "a recorded space (run.jsonl) is needed");
  if (o->tuning.count + o->report_on.count + o->grid.count > 0)
    argp_error(state, "--tuning, --report-on and --grid go with --settings");
  if (o->repetitions > 0)
    argp_error(state, "--repetitions goes with --settings; say --runs");
}

static void finish_settings(study_options *o, struct argp_state *state) {
  if (o->space.count > 0)
    argp_error(state, "\"%s\": spaces are named by --tuning and --report-on",
               o->space.word[0]);
  if (o->tuning.count == 0)
    argp_error(state, "--tuning: spaces to choose on are needed");
  if (o->grid.count == 0)
    argp_error(state, "--grid: values of a setting are needed");
  if (o->runs > 0)
    argp_error(state, "--runs goes with --compete; say --repetitions");
  if (o->strategy.count > 0 || o->from != NULL)
    argp_error(state, "--strategies and --from go with --compete");
}

static void finish_landscapes(const study_options *o,
                              struct argp_state *state) {
  if (o->contest_only || o->tuning.count + o->report_on.count > 0)
    argp_error(state, "--compete or --settings is missing: one of the options "
                      "goes with it alone");
  if (o->space.count == 0)
    argp_error(state, "a recorded space (run.jsonl) is needed");
}

static error_t finish(study_options *o, struct argp_state *state) {
  if (o->settings != NULL && o->form == STUDY_COMPETE)
    argp_error(state, "either --compete or --settings");
  if (o->settings != NULL)
    o->form = STUDY_SETTINGS;
  if (o->form != STUDY_LANDSCAPES && o->landscape_only)
    argp_error(state, "--neighbours and --sample go with landscapes, not with "
                      "--compete or --settings");
  if (o->form == STUDY_COMPETE)
    finish_compete(o, state);
  else if (o->form == STUDY_SETTINGS)
    finish_settings(o, state);
  else
    finish_landscapes(o, state);
  return 0;
}

/* ---- parsing ---- */

static error_t parse_contest(int key, char *arg, struct argp_state *state,
                             study_options *o) {
  static const char *const tests[] = {"pooled", "welch"};
  o->contest_only |= key != KEY_COMPETE && key != KEY_SETTINGS;
  switch (key) {
  case KEY_COMPETE:
    o->form = STUDY_COMPETE;
    return 0;
  case KEY_STRATEGIES:
    return parse_strategies(o, arg, state);
  case KEY_BUDGETS:
    return set_budgets(o, arg, state);
  case KEY_RUNS:
    o->runs = (size_t)cairn_cli_integer(state, "--runs", arg, 2, 100000);
    return 0;
  case KEY_T_TEST:
    o->judging.welch = cairn_cli_choice(state, "--t-test", arg, tests, 2) == 1;
    return 0;
  case KEY_SPLIT:
    o->judging.split = cairn_cli_integer(state, "--split", arg, 1, 1000000000);
    return 0;
  case KEY_FROM:
    o->from = arg;
    return 0;
  case KEY_SETTINGS:
    o->settings = arg;
    return 0;
  case KEY_GRID:
    return add(&o->grid, arg);
  case KEY_REPETITIONS:
    o->repetitions =
        (size_t)cairn_cli_integer(state, "--repetitions", arg, 2, 100000);
    return 0;
  case KEY_JOBS:
    o->jobs = (unsigned)cairn_cli_integer(state, "--jobs", arg, 1, 1024);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

error_t study_parse(int key, char *arg, struct argp_state *state) {
  static const char *const neighbours[] = {"adjacent", "sync"};
  study_options *const o = state->input;
  switch (key) {
  case KEY_NEIGHBOURS:
    o->landscape_only = 1;
    o->landscape.kinds =
        cairn_cli_choice(state, "--neighbours", arg, neighbours, 2)
            ? CAIRN_DAG_NEIGHBOUR_ANY
            : CAIRN_DAG_NEIGHBOUR_ADJACENT;
    return 0;
  case KEY_SAMPLE:
    o->landscape_only = 1;
    o->landscape.sample =
        (size_t)cairn_cli_integer(state, "--sample", arg, 1, 100000000);
    return 0;
  case KEY_SEED:
    o->seed = cairn_cli_integer(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  case KEY_PROGRAM:
    o->program = arg;
    return 0;
  case KEY_OBJECTIVE:
    o->objective = cairn_cli_objective(state, arg);
    return 0;
  case KEY_REPORT:
    o->report = arg;
    return 0;
  case KEY_SALVAGE:
    o->salvage = 1;
    return 0;
  case KEY_TUNING:
    return add(&o->tuning, arg);
  case KEY_REPORT_ON:
    return add(&o->report_on, arg);
  case ARGP_KEY_ARG:
    return add(&o->space, arg);
  case ARGP_KEY_END:
    return finish(o, state);
  case KEY_COMPETE:
  case KEY_STRATEGIES:
  case KEY_BUDGETS:
  case KEY_RUNS:
  case KEY_T_TEST:
  case KEY_SPLIT:
  case KEY_FROM:
  case KEY_SETTINGS:
  case KEY_GRID:
  case KEY_REPETITIONS:
  case KEY_JOBS:
    return parse_contest(key, arg, state, o);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

/* ---- several spaces after one option ---- */

/* "--tuning", "--tuning=A" or another word's option, NULL. */
static const char *list_option(const char *word) {
  static const char *const option[] = {"--tuning", "--report-on"};
  for (size_t i = 0; i < 2; i++) {
    const size_t length = strlen(option[i]);
    if (strncmp(word, option[i], length) == 0 &&
        (word[length] == '\0' || word[length] == '='))
      return option[i];
  }
  return NULL;
}

char **study_spread(int argc, char **argv, int *argc_p) {
  char **const out = cairn_base_alloc(2 * (size_t)argc + 1, sizeof *out);
  const char *option = NULL; /* that goes on */
  int n = 0;
  if (out == NULL)
    return NULL;
  for (int i = 0; i < argc; i++) {
    const int is_option = argv[i][0] == '-' && argv[i][1] != '\0';
    const int wants = option != NULL && i > 0 && list_option(argv[i - 1]) &&
                      strchr(argv[i - 1], '=') == NULL;
    if (is_option && !wants)
      option = i > 0 ? list_option(argv[i]) : NULL;
    else if (option != NULL && !wants)
      out[n++] = (char *)option;
    out[n++] = argv[i];
  }
  out[n] = NULL;
  *argc_p = n;
  return out;
}

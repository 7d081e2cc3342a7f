/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-options.c - the option table of `cairn explore`.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "explore.h"
#include <cairn/exec.h>
#include <cairn/mcts.h>

enum {
  KEY_BACKEND = CAIRN_CLI_KEY,
  KEY_STRATEGY,
  KEY_BUDGET,
  KEY_TIME,
  KEY_SEED,
  KEY_SAMPLES,
  KEY_PRECISION,
  KEY_PLAN,
  KEY_REFINE,
  KEY_OBJECTIVE,
  KEY_DOT,
  KEY_REPORT,
  KEY_PRIOR,
  KEY_VERIFY,
  KEY_RESUME,
  KEY_ACCEPT,
  KEY_STRICT,
  KEY_SAMPLE_TIME,
  KEY_NOISE
};

static const struct argp_option options[] = {
    {"output", 'o', "FILE", 0,
     "The journal (run.jsonl, or run-2.jsonl, ...; on replay none)", 1},
    {"resume", KEY_RESUME, 0, 0,
     "Go on with the journal given by -o, if it exists", 1},
    {"accept-different", KEY_ACCEPT, 0, 0,
     "Resume although program, parameters, ranks or devices differ", 1},
    {"report", KEY_REPORT, "DIR", 0, "Write reports into this folder", 1},
    {"dot", KEY_DOT, "FILE", 0, "Write the top of the search tree (Graphviz)",
     1},
    {"strategy", KEY_STRATEGY, "NAME", 0,
     "How schedules are chosen; \"help\" lists all", 2},
    {"set", 's', "NAME=VALUE", 0, "Set a number of the strategy", 2},
    {"budget", KEY_BUDGET, "N", 0,
     "Stop after N distinct schedules, failed ones included", 2},
    {"time", KEY_TIME, "SECONDS", 0, "Stop after this time", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of all random choices (0)", 2},
    {"objective", KEY_OBJECTIVE, "p01|p10|p50|p90|p99", 0,
     "Percentile over samples that is a schedule's time (p50; on replay the"
     " recorded one)",
     2},
    {"prior", KEY_PRIOR, "FILE", 0,
     "Journal of another run of this program to learn from", 2},
    {"backend", KEY_BACKEND, "auto|cuda|host|replay:FILE", 0,
     "What runs the operations, or the journal to take times from (auto)", 3},
    {"noise", KEY_NOISE, "N", 0,
     "On replay draw N samples from the recorded percentiles (0: take these)",
     3},
    {"samples", KEY_SAMPLES, "N", 0,
     "Take exactly N samples of a schedule (until the time is precise)", 3},
    {"sample-time", KEY_SAMPLE_TIME, "SECONDS", 0,
     "Executions that make a sample last at least so long (0.0001)", 3},
    {"precision", KEY_PRECISION, "PERCENT", 0,
     "Sample until the median is known to so much (1)", 3},
    {"plan", KEY_PLAN, "auto|race|series", 0,
     "Measure a schedule beside the best so far and stop early when it is "
     "slower (race), or alone (series); race unless --samples is given",
     3},
    {"refine", KEY_REFINE, "yes|no|best|SECONDS", 0,
     "At the end measure all again side by side and compare the best ones "
     "(best: only these); yes unless --samples is given",
     3},
    {"verify", KEY_VERIFY, 0, 0,
     "Insist that results are checked (they are where the plugin can)", 3},
    {"strict", KEY_STRICT, 0, 0, "Exit with 5 when some schedules failed", 3},
    {0}};

static const char doc[] =
    "The journal holds every schedule measured, one JSON object a line. "
    "It can be classified again with \"cairn classify\", and resumed.";

static error_t add_setting(explore_options *o, char *arg,
                           struct argp_state *state) {
  char *equals = strchr(arg, '=');
  if (equals == NULL || equals == arg) {
    argp_error(state, "--set \"%s\": expected NAME=VALUE", arg);
    return EINVAL;
  }
  if (cairn_base_reserve(&o->setting, &o->settings_capacity, o->settings + 1,
                         sizeof *o->setting) != CAIRN_OK)
    return ENOMEM;
  *equals = '\0';
  o->setting[o->settings++] = (cairn_mcts_setting){arg, equals + 1};
  return 0;
}

static error_t add_prior(explore_options *o, const char *arg) {
  if (cairn_base_reserve(&o->prior, &o->priors_capacity, o->priors + 1,
                         sizeof *o->prior) != CAIRN_OK)
    return ENOMEM;
  o->prior[o->priors++] = arg;
  return 0;
}

static void set_backend(explore_options *o, const char *arg,
                        const struct argp_state *state) {
  static const char *const words[] = {"auto", "cuda", "host", "replay:FILE"};
  if (strncmp(arg, "replay:", 7) == 0 && arg[7] != '\0') {
    o->run.recorded = arg + 7;
  } else if (strcmp(arg, "replay:FILE") == 0 || strncmp(arg, "replay", 6) == 0)
    argp_error(state, "--backend \"%s\": expected replay:FILE, a journal", arg);
  else
    o->run.exec.backend =
        words[cairn_cli_choice(state, "--backend", arg, words, 4)];
}

static void set_strategy(explore_options *o, const char *arg,
                         const struct argp_state *state) {
  if (strcmp(arg, "help") == 0) {
    o->list_strategies = 1;
    return;
  }
  const char *names[64], *instead = cairn_mcts_strategy_instead(arg);
  size_t count;
  const cairn_mcts_strategy *const *all = cairn_mcts_strategies(&count);
  if (instead != NULL)
    argp_error(state, "--strategy \"%s\" was removed; use \"%s\" instead", arg,
               instead);
  for (size_t i = 0; i < count && i < 64; i++)
    names[i] = all[i]->name;
  o->run.strategy = names[cairn_cli_choice(state, "--strategy", arg, names,
                                           count < 64 ? count : 64)];
}

static int parse_search(int key, char *arg, struct argp_state *state) {
  explore_options *o = state->input;
  switch (key) {
  case KEY_STRATEGY:
    set_strategy(o, arg, state);
    return 0;
  case 's':
    return add_setting(o, arg, state);
  case KEY_BUDGET:
    o->run.budget = cairn_cli_integer(state, "--budget", arg, 1, INT64_MAX);
    return 0;
  case KEY_TIME:
    o->run.time_s = cairn_cli_number(state, "--time", arg, 1e-3, 1e9);
    return 0;
  case KEY_SEED:
    o->run.seed = cairn_cli_integer(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  case KEY_OBJECTIVE:
    o->run.objective = cairn_cli_objective(state, arg);
    return 0;
  case KEY_PRIOR:
    return add_prior(o, arg);
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void set_refine(explore_options *o, const char *arg,
                       const struct argp_state *state) {
  if (strcmp(arg, "no") == 0) {
    o->run.refine = CAIRN_EXPLORE_REFINE_NO;
    return;
  }
  if (strcmp(arg, "best") == 0) {
    o->run.refine = CAIRN_EXPLORE_REFINE_BEST;
    return;
  }
  o->run.refine = CAIRN_EXPLORE_REFINE_YES;
  if (strcmp(arg, "yes") != 0)
    o->run.refine_s = cairn_cli_number(state, "--refine", arg, 0.01, 1e6);
}

static int parse_measuring(int key, char *arg, struct argp_state *state) {
  static const char *const plans[] = {"auto", "race", "series"};
  explore_options *o = state->input;
  switch (key) {
  case KEY_BACKEND:
    set_backend(o, arg, state);
    return 0;
  case KEY_NOISE:
    o->run.noise =
        (unsigned)cairn_cli_integer(state, "--noise", arg, 0, 1000000);
    return 0;
  case KEY_SAMPLES:
    o->run.samples =
        (unsigned)cairn_cli_integer(state, "--samples", arg, 1, 1000000);
    return 0;
  case KEY_PLAN:
    o->run.plan =
        (cairn_explore_plan)cairn_cli_choice(state, "--plan", arg, plans, 3);
    return 0;
  case KEY_REFINE:
    set_refine(o, arg, state);
    return 0;
  case KEY_SAMPLE_TIME:
    o->run.sample_s = cairn_cli_number(state, "--sample-time", arg, 1e-9, 10);
    return 0;
  case KEY_PRECISION:
    o->run.precision =
        cairn_cli_number(state, "--precision", arg, 0.01, 100) / 100;
    return 0;
  case KEY_VERIFY:
    o->run.verify = 1;
    return 0;
  case KEY_STRICT:
    o->run.strict = 1;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static int parse_files(int key, char *arg, struct argp_state *state) {
  explore_options *o = state->input;
  switch (key) {
  case 'o':
    o->run.output = arg;
    return 0;
  case KEY_RESUME:
    o->run.resume = 1;
    return 0;
  case KEY_ACCEPT:
    o->run.accept_different = 1;
    return 0;
  case KEY_REPORT:
    o->run.report = arg;
    return 0;
  case KEY_DOT:
    o->run.dot = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (o->run.file != NULL)
      argp_error(state, "unexpected argument \"%s\"", arg);
    o->run.file = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static void check_complete(const explore_options *o,
                           const struct argp_state *state) {
  int asks_help = o->list_strategies || cairn_cli_asks_injects(&o->run.exec);
  if (o->run.file == NULL && !asks_help)
    argp_error(state, "a program file is needed");
  if (o->run.noise > 0 && o->run.recorded == NULL && !asks_help)
    argp_error(state, "--noise needs --backend replay:FILE");
  if (o->run.resume && o->run.output == NULL)
    argp_error(state, "--resume needs -o FILE, the journal to go on with");
  if (o->run.accept_different && !o->run.resume)
    argp_error(state, "--accept-different needs --resume");
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  if (key == ARGP_KEY_END) {
    check_complete(state->input, state);
    return 0;
  }
  int error = parse_search(key, arg, state);
  if (error == ARGP_ERR_UNKNOWN)
    error = parse_measuring(key, arg, state);
  if (error == ARGP_ERR_UNKNOWN)
    error = parse_files(key, arg, state);
  return error;
}

cairn_status explore_parse(const cairn_cli_command *self, int argc, char **argv,
                           explore_options *o) {
  *o = (explore_options){0};
  cairn_explore_options_default(&o->run);
  o->run.exec.backend = "auto";
  const cairn_cli_parser parser = {
      options,    parse,       doc,          o,
      &o->common, &o->program, &o->run.exec, &o->singleton};
  const cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  o->run.setting = o->setting;
  o->run.settings = o->settings;
  o->run.prior = o->prior;
  o->run.priors = o->priors;
  o->run.define = o->program.define;
  o->run.defines = o->program.defines;
  o->run.streams = o->program.streams;
  o->run.sync = o->program.sync;
  return status;
}

void explore_options_free(explore_options *o) {
  cairn_cli_program_free(&o->program);
  cairn_base_free(o->setting);
  cairn_base_free(o->prior);
}

void explore_print_strategies(FILE *out) {
  size_t count;
  const cairn_mcts_strategy *const *all = cairn_mcts_strategies(&count);
  for (size_t i = 0; i < count; i++) {
    const cairn_mcts_strategy *s = all[i];
    cairn_base_print(
        out, "%s%s\n    %s\n    Source: %s\n", s->name,
        strcmp(s->name, cairn_mcts_strategy_default()) == 0 ? " (default)" : "",
        s->sentence, s->source);
    for (size_t k = 0; k < s->tunables; k++)
      cairn_base_print(out, "    --set %s=%g  %s (%g to %g)\n",
                       s->tunable[k].name, s->tunable[k].value,
                       s->tunable[k].sentence, s->tunable[k].min,
                       s->tunable[k].max);
  }
}

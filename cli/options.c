/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/options.c - one option table a command, parsed by argp: the command's
 * own options, those of what runs schedules, of the program file, and the
 * common ones.
 *
 * While options are parsed only rank 0 may speak: on the other ranks standard
 * output and error are turned away until parsing is over.
 */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include <cairn/exec.h>

enum {
  KEY_FORMAT = CAIRN_CLI_COMMON_KEY,
  KEY_STREAMS,
  KEY_SYNC,
  KEY_START,
  KEY_GPU_MPI,
  KEY_WATCHDOG,
  KEY_ALLOW_DEADLOCKS,
  KEY_SINGLETON,
  KEY_INJECT,
  KEY_USAGE
};

static const struct argp_option common_options[] = {
    {"format", KEY_FORMAT, "text|json", 0, "How results are printed (text)",
     10},
    {"quiet", 'q', NULL, 0, "Errors only on standard error", 10},
    {"verbose", 'v', NULL, 0, "More on standard error", 10},
    {"help", '?', NULL, 0, "Give this help list", -1},
    {"usage", KEY_USAGE, NULL, 0, "Give a short usage message", -1},
    {0}};

/* As argp's own --help and --usage, but a full disk is no success. */
static void print_help(const struct argp_state *state, unsigned what) {
  argp_state_help(state, stdout, what);
  exit(cairn_base_status_exit_code(cairn_cli_close_output(CAIRN_OK)));
}

static error_t parse_common(int key, char *arg, struct argp_state *state) {
  static const char *const plain[] = {"text", "json"};
  cairn_cli_common *common = state->input;
  const char *const *names = common->formats ? common->format_name : plain;
  switch (key) {
  case KEY_FORMAT:
    common->format = cairn_cli_choice(state, "--format", arg, names,
                                      common->formats ? common->formats : 2);
    common->json = strcmp(names[common->format], "json") == 0;
    return 0;
  case 'q':
    common->quiet = 1;
    return 0;
  case 'v':
    common->verbose = 1;
    return 0;
  case '?':
    print_help(state, ARGP_HELP_STD_HELP & ~(unsigned)ARGP_HELP_EXIT_OK);
    return 0;
  case KEY_USAGE:
    print_help(state, ARGP_HELP_USAGE);
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option program_options[] = {
    {"define", 'D', "NAME=VALUE", 0,
     "Give a parameter of the program another value", 5},
    {"streams", KEY_STREAMS, "N", 0,
     "Streams that GPU operations may use, 1 to 32 (the program's, or 2)", 5},
    {"sync", KEY_SYNC, "tidy|minimal", 0,
     "Which inserted synchronisations a schedule keeps (tidy)", 5},
    {0}};

static error_t add_define(cairn_cli_program *options, char *arg,
                          struct argp_state *state) {
  const char *equals = strchr(arg, '=');
  if (equals == NULL || equals == arg) {
    argp_error(state, "-D \"%s\": expected NAME=VALUE", arg);
    return EINVAL;
  }
  if (cairn_base_reserve(&options->define, &options->capacity,
                         options->defines + 1,
                         sizeof *options->define) != CAIRN_OK)
    return ENOMEM;
  options->define[options->defines++] = arg;
  return 0;
}

static error_t parse_program(int key, char *arg, struct argp_state *state) {
  static const char *const syncs[] = {"tidy", "minimal"};
  cairn_cli_program *options = state->input;
  switch (key) {
  case 'D':
    return add_define(options, arg, state);
  case KEY_STREAMS:
    options->streams = (unsigned)cairn_cli_integer(state, "--streams", arg, 1,
                                                   CAIRN_DAG_MAX_STREAMS);
    return 0;
  case KEY_SYNC:
    options->sync = cairn_cli_choice(state, "--sync", arg, syncs, 2) == 1
                        ? CAIRN_DAG_SYNC_MINIMAL
                        : CAIRN_DAG_SYNC_TIDY;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static const struct argp_option exec_options[] = {
    {"start", KEY_START, "auto|deadline|barrier", 0,
     "How ranks start a sample together (auto)", 4},
    {"gpu-mpi", KEY_GPU_MPI, "auto|device|host", 0,
     "Whether MPI is given device memory (auto)", 4},
    {"watchdog", KEY_WATCHDOG, "SECONDS", 0,
     "A rank without progress for so long hangs; 0: never (5)", 4},
    {"allow-deadlocks", KEY_ALLOW_DEADLOCKS, 0, 0, "Run also what can deadlock",
     4},
    {"singleton", KEY_SINGLETON, 0, 0,
     "Run each process alone although the launcher has started several", 4},
    {"inject", KEY_INJECT, "FAULTS", 0, "Cause failures, for tests; \"help\"",
     4},
    {0}};

static error_t parse_exec(int key, char *arg, struct argp_state *state) {
  static const char *const starts[] = {"auto", "deadline", "barrier"};
  static const char *const memories[] = {"auto", "device", "host"};
  const cairn_cli_parser *parser = state->input;
  cairn_exec_options *o = parser->exec;
  switch (key) {
  case KEY_START:
    o->start =
        (cairn_exec_start)cairn_cli_choice(state, "--start", arg, starts, 3);
    return 0;
  case KEY_GPU_MPI:
    o->gpu_mpi = (cairn_exec_gpu_mpi)cairn_cli_choice(state, "--gpu-mpi", arg,
                                                      memories, 3);
    return 0;
  case KEY_WATCHDOG:
    o->hang_s = cairn_cli_number(state, "--watchdog", arg, 0, 1e6);
    return 0;
  case KEY_ALLOW_DEADLOCKS:
    o->allow_hangs = 1;
    return 0;
  case KEY_SINGLETON:
    *parser->singleton = 1;
    return 0;
  case KEY_INJECT:
    o->inject = arg;
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

int cairn_cli_asks_injects(const cairn_exec_options *options) {
  return options->inject != NULL && strcmp(options->inject, "help") == 0;
}

int cairn_cli_inject_help(const cairn_exec_options *options) {
  if (!cairn_cli_asks_injects(options))
    return 0;
  if (cairn_cli_rank() == 0)
    puts(cairn_exec_inject_help());
  return 1;
}

static const struct argp common_argp = {
    common_options, parse_common, 0, 0, 0, 0, 0};
static const struct argp program_argp = {
    program_options, parse_program, 0, 0, 0, 0, 0};
static const struct argp exec_argp = {exec_options, parse_exec, 0, 0, 0, 0, 0};

/* What the top parser needs: the command's parser and the inputs to pass on. */
static error_t parse_top(int key, char *arg, struct argp_state *state) {
  const cairn_cli_parser *parser = state->input;
  if (key == ARGP_KEY_INIT) {
    size_t n = 0;
    if (parser->parse != NULL)
      state->child_inputs[n++] = parser->input;
    if (parser->program != NULL)
      state->child_inputs[n++] = parser->program;
    if (parser->exec != NULL)
      state->child_inputs[n++] = (void *)parser;
    state->child_inputs[n] = parser->common;
    return 0;
  }
  if (key == ARGP_KEY_ARG && parser->parse == NULL) {
    argp_error(state, "unexpected argument \"%s\"", arg);
    return EINVAL;
  }
  return ARGP_ERR_UNKNOWN;
}

/* Standard output and error of a rank above 0, put aside during parsing. */
typedef struct put_aside {
  int out, err;
} put_aside;

static put_aside put_output_aside(void) {
  put_aside saved = {-1, -1};
  int null = cairn_cli_rank() == 0 ? -1 : open("/dev/null", O_WRONLY);
  if (null < 0)
    return saved;
  saved.out = dup(STDOUT_FILENO);
  saved.err = dup(STDERR_FILENO);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  close(null);
  return saved;
}

static void put_output_back(put_aside saved) {
  if (saved.out >= 0) {
    dup2(saved.out, STDOUT_FILENO);
    close(saved.out);
  }
  if (saved.err >= 0) {
    dup2(saved.err, STDERR_FILENO);
    close(saved.err);
  }
}

static void set_log_level(const cairn_cli_common *common) {
  cairn_base_log_set_level(common->quiet     ? CAIRN_BASE_LOG_ERROR
                           : common->verbose ? CAIRN_BASE_LOG_DEBUG
                                             : CAIRN_BASE_LOG_INFO);
}

static cairn_status parse_with_doc(const cairn_cli_command *self,
                                   const cairn_cli_parser *parser,
                                   const char *doc, int argc, char **argv) {
  const struct argp own = {parser->options, parser->parse, 0, 0, 0, 0, 0};
  struct argp_child children[5] = {{0}};
  size_t n = 0;
  if (parser->parse != NULL)
    children[n++] = (struct argp_child){&own, 0, NULL, 0};
  if (parser->program != NULL)
    children[n++] = (struct argp_child){&program_argp, 0, NULL, 0};
  if (parser->exec != NULL)
    children[n++] = (struct argp_child){&exec_argp, 0, NULL, 0};
  children[n] = (struct argp_child){&common_argp, 0, NULL, 0};
  const struct argp top = {NULL, parse_top, self->args, doc, children, 0, 0};
  put_aside saved = put_output_aside();
  error_t error =
      argp_parse(&top, argc, argv, ARGP_NO_HELP, NULL, (void *)parser);
  put_output_back(saved);
  if (error == ENOMEM)
    return CAIRN_NOMEM;
  return error == 0 ? CAIRN_OK : CAIRN_USAGE;
}

cairn_status cairn_cli_parse(const cairn_cli_command *self,
                             const cairn_cli_parser *parser, int argc,
                             char **argv) {
  cairn_base_text doc = {0};
  cairn_base_text_addf(&doc, "%s.", self->summary);
  if (parser->doc != NULL)
    cairn_base_text_addf(&doc, "\v%s", parser->doc);
  if (doc.failed)
    return CAIRN_NOMEM;
  cairn_status status = parse_with_doc(self, parser, doc.data, argc, argv);
  cairn_base_text_free(&doc);
  set_log_level(parser->common);
  return status;
}

unsigned long long cairn_cli_integer(const struct argp_state *state,
                                     const char *option, const char *arg,
                                     unsigned long long low,
                                     unsigned long long high) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(arg, &end, 10);
  if (arg[0] < '0' || arg[0] > '9' || *end != '\0' || errno != 0 ||
      value < low || value > high)
    argp_error(state, "%s \"%s\": expected a whole number from %llu to %llu",
               option, arg, low, high);
  return value;
}

double cairn_cli_number(const struct argp_state *state, const char *option,
                        const char *arg, double low, double high) {
  char *end;
  errno = 0;
  double value = cairn_base_to_double(arg, &end);
  if (end == arg || *end != '\0' || errno != 0 ||
      !(value >= low && value <= high))
    argp_error(state, "%s \"%s\": expected a number from %g to %g", option, arg,
               low, high);
  return value;
}

size_t cairn_cli_choice(const struct argp_state *state, const char *option,
                        const char *arg, const char *const *words,
                        size_t count) {
  cairn_base_text list = {0};
  for (size_t i = 0; i < count; i++) {
    if (strcmp(arg, words[i]) == 0) {
      cairn_base_text_free(&list);
      return i;
    }
    cairn_base_text_addf(&list, "%s%s", i == 0 ? "" : ", ", words[i]);
  }
  const char *near = cairn_base_text_nearest(arg, words, count);
  argp_error(state, "%s \"%s\": expected one of %s%s%s%s", option, arg,
             list.data != NULL ? list.data : "", near ? "; did you mean " : "",
             near ? near : "", near ? "?" : "");
  cairn_base_text_free(&list);
  return 0;
}

const char *cairn_cli_objective(const struct argp_state *state,
                                const char *arg) {
  static const char *const names[] = {
#define OBJECTIVE_NAME(name, text, percent) text,
      CAIRN_BASE_PERCENTILE_TABLE(OBJECTIVE_NAME)
#undef OBJECTIVE_NAME
  };
  return names[cairn_cli_choice(state, "--objective", arg, names,
                                CAIRN_BASE_PERCENTILES)];
}

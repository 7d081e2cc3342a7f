/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cli.h - what every subcommand shares: the table of commands, common
 * options, output and exit codes.
 *
 * To add a command: write cli/cmd-NAME.c with one `const cairn_cli_command
 * cairn_cli_NAME`, name it in CAIRN_CLI_COMMANDS below and in cli/local.mk,
 * and describe it in man/cairn.1 (a test compares the two).  A command parses
 * its options with cairn_cli_parse, does its work through front doors only,
 * prints results on standard output (with --format json as one JSON object),
 * and returns a cairn_status, which main turns into the exit code.  Messages
 * for the user go through a cairn_base_diag, printed by cairn_cli_say.
 */
#ifndef CAIRN_CLI_H
#define CAIRN_CLI_H

#include <argp.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>

#include <cairn/dag.h>
#include <cairn/exec.h>
#include <cairn/journal.h>

/* X(C name, name): all commands, in the order of `cairn --help`. */
#define CAIRN_CLI_COMMANDS(X)                                                  \
  X(check, "check")                                                            \
  X(enumerate, "enumerate")                                                    \
  X(explore, "explore")                                                        \
  X(run, "run")                                                                \
  X(lint, "lint")                                                              \
  X(classify, "classify")                                                      \
  X(compare_runs, "compare-runs")                                              \
  X(study, "study")                                                            \
  X(import, "import")                                                          \
  X(launch, "launch")                                                          \
  X(doctor, "doctor")

typedef struct cairn_cli_command {
  const char *name;    /* "check" */
  const char *args;    /* usage after the options: "PROGRAM.xml" */
  const char *summary; /* one line for `cairn --help`, without a full stop */
  /* argv[0] is "cairn NAME"; argv[1] the first word after the name. */
  cairn_status (*run)(const struct cairn_cli_command *self, int argc,
                      char **argv);
} cairn_cli_command;

#define CAIRN_CLI_DECLARE(id, name)                                            \
  extern const cairn_cli_command cairn_cli_##id;
CAIRN_CLI_COMMANDS(CAIRN_CLI_DECLARE)
#undef CAIRN_CLI_DECLARE

/* ---- options ---- */

/* --format, -q, -v: every command has them. */
typedef struct cairn_cli_common {
  int json; /* --format json */
  const char *const
      *format_name; /* of a command that has more than text, json */
  size_t formats;   /* of them; 0: text, json */
  size_t format;    /* the one asked for; 0 */
  int quiet;
  int verbose;
} cairn_cli_common;

/* -D, --streams, --sync: commands that read a program file. */
typedef struct cairn_cli_program {
  const char **define; /* "name=value" */
  size_t defines, capacity;
  unsigned streams; /* 0: the program's default */
  cairn_dag_sync sync;
} cairn_cli_program;

/* Keys for long-only options start here in each command. */
enum { CAIRN_CLI_KEY = 256, CAIRN_CLI_COMMON_KEY = 4096 };

typedef struct cairn_cli_parser {
  const struct argp_option *options; /* the command's own, may be NULL */
  /* As argp's parser; state->input is `input` below.  May be NULL when the
   * command has neither options nor arguments of its own. */
  error_t (*parse)(int key, char *arg, struct argp_state *state);
  const char *doc; /* after the summary in --help; may be NULL */
  void *input;
  cairn_cli_common *common;
  cairn_cli_program *program; /* NULL: the command has no program options */
  cairn_exec_options *exec;   /* --start, --gpu-mpi, --watchdog, --inject,
                                 --allow-deadlocks; holds the defaults; NULL:
                                 the command runs nothing */
  int *singleton;             /* --singleton; with exec */
} cairn_cli_parser;

/* Parses argv.  Usage errors end the process with exit code 2, --help with 0
 * (only rank 0 prints).  Sets the log level from -q and -v.  Returns
 * CAIRN_NOMEM or CAIRN_OK. */
cairn_status cairn_cli_parse(const cairn_cli_command *self,
                             const cairn_cli_parser *parser, int argc,
                             char **argv);

/* For parse functions: a number within [low, high], else argp_error (exit 2)
 * that names the option, the value and the range. */
unsigned long long cairn_cli_integer(const struct argp_state *state,
                                     const char *option, const char *arg,
                                     unsigned long long low,
                                     unsigned long long high);
double cairn_cli_number(const struct argp_state *state, const char *option,
                        const char *arg, double low, double high);
/* Index of arg in words, else argp_error with "did you mean". */
size_t cairn_cli_choice(const struct argp_state *state, const char *option,
                        const char *arg, const char *const *words,
                        size_t count);

/* The name of the objective that --objective asks for, else argp_error. */
const char *cairn_cli_objective(const struct argp_state *state,
                                const char *arg);

/* How runs are compared before they are used together. */
typedef struct cairn_cli_origin {
  const char *objective; /* asked for; NULL: each run's own */
  int across;            /* only another program is refused */
  const char *remedy;    /* what to do about other conditions */
} cairn_cli_origin;

/* CAIRN_INPUT, with what differs: the runs are not all of one program, or not
 * all measured under the same conditions (see dag-origin.h). */
cairn_status cairn_cli_same_origin(cairn_journal_run *const *run, size_t runs,
                                   const cairn_cli_origin *how,
                                   cairn_base_diag *diag);
/* CAIRN_INPUT: the run is of another program. */
cairn_status cairn_cli_of_program(const cairn_journal_run *run,
                                  const cairn_dag_program *program,
                                  cairn_base_diag *diag);

/* Reads, seals and parametrises the program: CAIRN_INPUT (bad file),
 * CAIRN_USAGE (undeclared -D); messages in diag.  *streams_p (may be NULL):
 * --streams or the program's own. */
cairn_status cairn_cli_read_program(const char *path,
                                    const cairn_cli_program *options,
                                    cairn_base_diag *diag,
                                    cairn_dag_program **program_p,
                                    unsigned *streams_p);
/* Several ranks cannot all read one pipe: CAIRN_INPUT.  world NULL: one rank.
 */
cairn_status cairn_cli_check_shared(const char *path,
                                    const cairn_exec_world *world,
                                    cairn_base_diag *diag);
void cairn_cli_program_free(cairn_cli_program *options);

/* Sees to a stack of the usual size for this process and its threads; before
 * anything else.  CAIRN_ENV, and told: it is too small and may not be larger.
 */
cairn_status cairn_cli_stack(void);

/* Is it --inject help? */
int cairn_cli_asks_injects(const cairn_exec_options *options);
/* If so prints the help (rank 0) and returns 1, else returns 0. */
int cairn_cli_inject_help(const cairn_exec_options *options);

/* A rank that crashes in the executor to be opened with these options prints
 * where it stands, and then crashes as it would have; one whose plugin calls
 * exit does too and ends with 75, or 4 before cairn_cli_opened.  NULL (after
 * the executor is closed): no more. */
void cairn_cli_watch_crashes(cairn_exec_options *options);
void cairn_cli_opened(void);

/* SIGHUP, unless the process was started with it ignored (nohup). */
void cairn_cli_catch_hangup(const struct sigaction *action);

/* The schedule that `which` names: NULL or "order" (program order), a journal
 * and one of its entries ("run.jsonl:best", "run.jsonl:17"), or a file with
 * the text of one schedule.  Renumbered, not tidied, not checked.  CAIRN_INPUT
 * with messages. */
cairn_status cairn_cli_read_schedule(const char *which,
                                     const cairn_dag_program *program,
                                     cairn_base_diag *diag,
                                     cairn_dag_schedule *schedule);
/* The text of an entry of a journal, or a whole file (see above).  Free with
 * cairn_base_free. */
cairn_status cairn_cli_schedule_text(const char *which, cairn_base_diag *diag,
                                     char **text_p);
/* Leaves of such a text its only line that is not empty.  CAIRN_INPUT: there
 * are more. */
cairn_status cairn_cli_one_line(const char *which, char *text,
                                cairn_base_diag *diag);

/* ---- output ---- */

/* Rank of this process in its MPI job, 0 when it is in none: a rank above 0
 * says nothing.  Before cairn_cli_set_rank it is what the launcher says, if
 * the launcher's connection is there too: numbers alone may be those of a task
 * that is no MPI job, and that must not be mute. */
int cairn_cli_rank(void);
/* What MPI says, once it is initialised; or 0, in a command that is no MPI
 * job whoever started it. */
void cairn_cli_set_rank(int rank);
/* The rank is now MPI's; and unless --singleton was given the world must be
 * what the launcher started (CAIRN_ENV with a message).  Collective. */
cairn_status cairn_cli_join(cairn_exec_world *world, int singleton,
                            cairn_base_diag *diag);
/* Prints the messages on standard error (rank 0 only; errors always, the
 * rest unless -q), forgets them, and returns `status` for the caller to
 * return. */
cairn_status cairn_cli_say(cairn_base_diag *diag, cairn_status status);
/* The user knows why the exit code is not 0: it is in what was printed.
 * cairn_cli_say calls it when it prints an error. */
void cairn_cli_told(void);
/* Every exit other than 0 has a message: prints the status's text, unless the
 * user was told.  Returns `status`. */
cairn_status cairn_cli_excuse(const char *command, cairn_status status);
/* As printf, for results: in any locale the same, and what a terminal must not
 * be given is spelled out (cairn_base_text_add_shown), but for line feeds. */
void cairn_cli_print(const char *format, ...) CAIRN_PRINTF(1, 2);
/* The same for a text of several lines. */
void cairn_cli_print_text(const char *string);
/* Prints `string`, from a file or a plugin, between two texts of ours: here
 * line feeds are spelled out too. */
void cairn_cli_print_shown(const char *before, const char *string,
                           const char *after);
/* Prints the object as one line, in ASCII, and releases it.  NULL (out of
 * memory while building it) is CAIRN_NOMEM. */
cairn_status cairn_cli_print_json(json_t *object);
/* To be asked before the work: can the file of this option be written, and is
 * it none of the inputs (NULL: not given)?  A path of NULL is fine.
 * CAIRN_USAGE, CAIRN_IO. */
cairn_status cairn_cli_check_output(const char *option, const char *path,
                                    const char *const *input, size_t inputs,
                                    cairn_base_diag *diag);
/* 1 once standard output cannot be written any more (full, or its reader has
 * gone): long outputs stop then. */
int cairn_cli_out_failed(void);
/* Flushes and closes standard output, before the process ends; a reader that
 * went away is no error.  Returns `status`, or CAIRN_IO, said, when that would
 * have been a success and the output is not all there. */
cairn_status cairn_cli_close_output(cairn_status status);
/* A JSON string; bytes that are no UTF-8 become U+FFFD.  NULL gives null.
 * Anything from a file, a plugin or the command line goes through here. */
json_t *cairn_cli_json_text(const char *string);
/* A JSON number, or null when NAN or infinite. */
json_t *cairn_cli_json_number(double value);
/* An integer: above 2^53 a string. */
json_t *cairn_cli_json_integer(uint64_t value);

#endif

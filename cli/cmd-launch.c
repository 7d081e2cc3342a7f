/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-launch.c - `cairn launch`: a supervisor that outlives the job.
 */
#include <errno.h>

#include "cli.h"
#include <cairn/exec.h>

enum {
  KEY_RESTARTS = CAIRN_CLI_KEY,
  KEY_JOURNAL,
  KEY_STALL,
  KEY_GRACE,
  KEY_TRAIL
};

static const struct argp_option options[] = {
    {"restarts", KEY_RESTARTS, "N", 0,
     "Give up after N restarts in a row without a new measurement (3)", 1},
    {"journal", KEY_JOURNAL, "FILE", 0,
     "The job's journal (the file after -o in COMMAND)", 1},
    {"stall", KEY_STALL, "SECONDS", 0,
     "End and restart a job whose journal has not grown for so long; 0: never "
     "(900)",
     1},
    {"grace", KEY_GRACE, "SECONDS", 0,
     "Time that a job gets to stop by itself after a signal (60)", 1},
    {"trail", KEY_TRAIL, "FOLDER", 0,
     "Where ranks may leave where they stand, to be told if one dies "
     "(/dev/shm, else $TMPDIR, else /tmp)",
     1},
    {0}};

static const char doc[] =
    "COMMAND is what starts the job, e.g. \"mpiexec -n 4 cairn explore "
    "PROGRAM.xml -o run.jsonl\".  It is run again with --resume when it hangs, "
    "crashes or loses a rank; a schedule that hangs or crashes is not run "
    "again, one in which the job died otherwise is, twice at most.  INT, "
    "TERM, HUP and USR1 stop the job between two schedules; the exit code is "
    "then 130, 143 or 75.";

typedef struct launch_options {
  cairn_cli_common common;
  cairn_exec_launch_options launch;
  char **command; /* NULL at the end */
  size_t words, capacity;
} launch_options;

static error_t add_word(launch_options *o, char *word) {
  if (cairn_base_reserve(&o->command, &o->capacity, o->words + 2,
                         sizeof *o->command) != CAIRN_OK)
    return ENOMEM;
  o->command[o->words++] = word;
  o->command[o->words] = NULL;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  launch_options *o = state->input;
  switch (key) {
  case KEY_RESTARTS:
    o->launch.restarts =
        (unsigned)cairn_cli_integer(state, "--restarts", arg, 0, 1000000);
    return 0;
  case KEY_JOURNAL:
    o->launch.journal = arg;
    return 0;
  case KEY_STALL:
    o->launch.stall_s = cairn_cli_number(state, "--stall", arg, 0, 1e9);
    return 0;
  case KEY_GRACE:
    o->launch.grace_s = cairn_cli_number(state, "--grace", arg, 0, 1e9);
    return 0;
  case KEY_TRAIL:
    o->launch.folder = arg;
    return 0;
  case ARGP_KEY_ARG:
    return add_word(o, arg);
  case ARGP_KEY_END:
    if (o->words == 0)
      argp_error(state, "expected -- COMMAND, what starts the job");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  launch_options o = {.launch = {.restarts = 3, .stall_s = 900, .grace_s = 60}};
  const cairn_cli_parser parser = {.options = options,
                                   .parse = parse,
                                   .doc = doc,
                                   .input = &o,
                                   .common = &o.common};
  cairn_exec_launch_outcome outcome;
  cairn_base_diag *diag;
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (status != CAIRN_OK)
    return status;
  status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK) {
    o.launch.command = o.command;
    status = cairn_exec_launch(&o.launch, diag, &outcome);
    if (status == CAIRN_OK)
      status = outcome.status;
  }
  cairn_cli_say(diag, status);
  cairn_base_diag_free(diag);
  cairn_base_free(o.command);
  return status;
}

const cairn_cli_command cairn_cli_launch = {
    "launch", "-- COMMAND...",
    "Run a job and start it again from its journal when it hangs or dies", run};

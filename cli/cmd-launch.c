/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-launch.c - `cairn launch`: a supervisor that outlives the job.
 *
 * MPI jobs end when one rank dies, and launchers lose exit codes.  So what
 * counts is the journal: an `end` record means finished; else the job is
 * started again with --resume, which runs the schedule that was begun without a
 * result again, twice at most.  Without a new measurement in N restarts in a
 * row it gives up; what one schedule costs counts once.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cli.h"
#include "launch.h"
#include <cairn/journal.h>

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
  unsigned restarts;
  double stall_s, grace_s;
  const char *journal, *trail;
  char **command; /* room for "--resume" and NULL at the end */
  size_t words, capacity;
} launch_options;

/* What the journal says between two attempts. */
typedef struct launch_state {
  size_t results, measured, begun;
  uint64_t guilty; /* id of a schedule begun without result */
  unsigned deaths; /* in it */
  int ended, by_signal;
} launch_state;

/* ---- options ---- */

static error_t add_word(launch_options *o, char *word) {
  if (cairn_base_reserve(&o->command, &o->capacity, o->words + 3,
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
    o->restarts =
        (unsigned)cairn_cli_integer(state, "--restarts", arg, 0, 1000000);
    return 0;
  case KEY_JOURNAL:
    o->journal = arg;
    return 0;
  case KEY_STALL:
    o->stall_s = cairn_cli_number(state, "--stall", arg, 0, 1e9);
    return 0;
  case KEY_GRACE:
    o->grace_s = cairn_cli_number(state, "--grace", arg, 0, 1e9);
    return 0;
  case KEY_TRAIL:
    o->trail = arg;
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

/* The file after -o or --output, the last one given. */
static const char *journal_of(const launch_options *o) {
  const char *found = o->journal;
  for (size_t i = 0; i < o->words && o->journal == NULL; i++) {
    const char *word = o->command[i];
    const char *next = i + 1 < o->words ? o->command[i + 1] : NULL;
    if (strcmp(word, "-o") == 0 || strcmp(word, "--output") == 0)
      found = next != NULL ? next : found;
    else if (strncmp(word, "--output=", 9) == 0)
      found = word + 9;
    else if (strncmp(word, "-o", 2) == 0)
      found = word + 2;
  }
  return found;
}

static int resumes(const launch_options *o) {
  for (size_t i = 0; i < o->words; i++)
    if (strcmp(o->command[i], "--resume") == 0)
      return 1;
  return 0;
}

static void add_resume(launch_options *o) {
  static char resume[] = "--resume";
  if (!resumes(o)) {
    o->command[o->words++] = resume; /* add_word has left room */
    o->command[o->words] = NULL;
  }
}

/* ---- the journal ---- */

static int is_measured(cairn_base_outcome outcome) {
  return outcome == CAIRN_BASE_OUTCOME_OK ||
         outcome == CAIRN_BASE_OUTCOME_PRUNED ||
         outcome == CAIRN_BASE_OUTCOME_FAILED ||
         outcome == CAIRN_BASE_OUTCOME_WRONG;
}

static cairn_status look(const char *path, cairn_base_diag *diag,
                         launch_state *state_p) {
  launch_state s = {0};
  struct stat file;
  if (stat(path, &file) != 0) {
    *state_p = s;
    return CAIRN_OK;
  }
  cairn_journal_run *run;
  const cairn_status status = cairn_journal_run_read(
      path, CAIRN_JOURNAL_RUN_UNBORN | CAIRN_JOURNAL_RUN_REGULAR, diag, &run);
  if (status != CAIRN_OK)
    return status;
  s.results = run->results;
  for (size_t i = 0; i < run->results; i++)
    s.measured += is_measured(run->result[i].outcome) ? 1 : 0;
  s.begun = run->begun_count;
  s.guilty = s.begun ? run->begun[s.begun - 1].id : UINT64_MAX;
  s.deaths = s.begun ? run->begun[s.begun - 1].times : 0;
  s.ended = run->end_reason != NULL;
  s.by_signal = s.ended && strcmp(run->end_reason, "signal") == 0;
  cairn_journal_run_free(run);
  *state_p = s;
  return CAIRN_OK;
}

/* ---- attempts ---- */

static cairn_status status_of_signal(int number) {
  return number == SIGINT    ? CAIRN_INTERRUPTED
         : number == SIGTERM ? CAIRN_TERMINATED
                             : CAIRN_RESUMABLE;
}

/* Statuses with which a finished or refused job may leave. */
static cairn_status status_of_code(int code) {
  switch (code) {
  case 1:
    return CAIRN_FINDINGS;
  case 2:
    return CAIRN_USAGE;
  case 3:
    return CAIRN_INPUT;
  case 4:
    return CAIRN_ENV;
  case 5:
    return CAIRN_FAILED;
  case 130:
    return CAIRN_INTERRUPTED;
  case 143:
    return CAIRN_TERMINATED;
  default:
    return CAIRN_OK;
  }
}

static void say_why(const launch_end *end, const launch_state *now) {
  char guilty[64] = "";
  if (now->begun)
    snprintf(guilty, sizeof guilty, " in schedule %llu",
             (unsigned long long)now->guilty);
  cairn_base_log(CAIRN_BASE_LOG_WARNING,
                 "launch: the job ended with code %d%s%s%s; %zu results so far",
                 end->code, end->code == 75 ? " (stopped)" : "", guilty,
                 end->stalled ? " (its journal had stopped growing)" : "",
                 now->results);
}

/* 1 when nothing more is to be done; then *status_p is the job's. */
static int is_over(const launch_end *end, const launch_state *before,
                   const launch_state *now, cairn_status *status_p) {
  const int touched =
      now->results != before->results || now->begun != before->begun;
  /* a rank that dies can leave any code: once schedules were run, it says
   * nothing */
  const int refused =
      (end->code >= 2 && end->code <= 4 && !touched) || end->code == 127;
  if (end->signal) {
    *status_p = status_of_signal(end->signal);
    return 1;
  }
  if (now->by_signal) { /* told by somebody else */
    const cairn_status told = status_of_code(end->code);
    *status_p = told == CAIRN_OK ? CAIRN_RESUMABLE : told;
    return 1;
  }
  const int news = touched || !before->ended || end->code == 0;
  if (now->ended && news && !refused) {
    *status_p =
        end->code == 1 || end->code == 5 ? status_of_code(end->code) : CAIRN_OK;
    return 1;
  }
  if (refused) {
    *status_p = end->code == 127 ? CAIRN_ENV : status_of_code(end->code);
    return 1;
  }
  return 0;
}

/* Has the attempt only died once more in the schedule of the one before? */
static int died_again(const launch_state *before, const launch_state *now) {
  if (before->begun == 0)
    return 0;
  return now->begun
             ? now->guilty == before->guilty && now->deaths > before->deaths
             : now->results == before->results + 1;
}

static void back_off(unsigned fruitless) {
  const double pause_s = fruitless < 5 ? 0.1 * (1u << fruitless) : 3.0;
  const long ns = (long)(1e9 * (pause_s - (double)(long)pause_s));
  nanosleep(&(struct timespec){(time_t)pause_s, ns}, NULL);
}

/* One attempt, and what is to be said and recorded of it. */
static cairn_status attempt(const launch_options *o, const launch_state *before,
                            cairn_base_diag *diag, launch_state *now,
                            int *over_p) {
  const launch_job job = {.argv = o->command,
                          .journal = o->journal,
                          .folder = o->trail,
                          .stall_s = o->stall_s,
                          .grace_s = o->grace_s};
  launch_end end;
  cairn_status status = launch_attempt(&job, diag, &end);
  if (status != CAIRN_OK)
    return status;
  status = look(o->journal, diag, now);
  if (status == CAIRN_OK)
    *over_p = is_over(&end, before, now, &status);
  if (status == CAIRN_OK && !*over_p) {
    say_why(&end, now);
    launch_death(&end, o->journal);
    status = look(o->journal, diag, now);
  }
  launch_recorder_free(end.recorder);
  return status;
}

static cairn_status supervise(launch_options *o, cairn_base_diag *diag) {
  launch_state before, now;
  unsigned fruitless = 0;
  cairn_status status = launch_prepare(diag);
  if (status == CAIRN_OK)
    status = look(o->journal, diag, &before);
  while (status == CAIRN_OK) {
    int over = 0;
    status = attempt(o, &before, diag, &now, &over);
    if (status != CAIRN_OK || over)
      break;
    if (now.measured > before.measured)
      fruitless = 0;
    else if (!died_again(&before, &now))
      fruitless++;
    if (fruitless > o->restarts) {
      cairn_base_diag_error(diag,
                            "launch: no new measurement in %u restarts; giving "
                            "up (go on with --resume)",
                            o->restarts);
      return CAIRN_RESUMABLE;
    }
    back_off(fruitless);
    add_resume(o);
    before = now;
  }
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  launch_options o = {.restarts = 3, .stall_s = 900, .grace_s = 60};
  const cairn_cli_parser parser = {.options = options,
                                   .parse = parse,
                                   .doc = doc,
                                   .input = &o,
                                   .common = &o.common};
  cairn_base_diag *diag;
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (status != CAIRN_OK)
    return status;
  status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK) {
    o.journal = journal_of(&o);
    if (o.journal == NULL) {
      cairn_base_diag_error(diag, "which journal does the job write? Give it "
                                  "-o FILE, or cairn launch --journal FILE");
      status = CAIRN_USAGE;
    }
  }
  if (status == CAIRN_OK)
    status = supervise(&o, diag);
  cairn_cli_say(diag, status);
  cairn_base_diag_free(diag);
  cairn_base_free(o.command);
  return status;
}

const cairn_cli_command cairn_cli_launch = {
    "launch", "-- COMMAND...",
    "Run a job and start it again from its journal when it hangs or dies", run};

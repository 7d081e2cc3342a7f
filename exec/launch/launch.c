/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/launch.c - a supervisor that outlives the job.
 *
 * MPI jobs end when one rank dies, and launchers lose exit codes.  So what
 * counts is the journal: an `end` record means finished; else the job is
 * started again with --resume, which runs the schedule that was begun without a
 * result again, twice at most.  Without a new measurement in N restarts in a
 * row it gives up; what one schedule costs counts once.
 */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "exec/launch/launch-private.h"

typedef struct supervisor {
  const cairn_exec_launch_options *options;
  cairn_base_diag *diag;
  cairn_exec_launch_job job;
  char **resumed; /* the command, with --resume */
  cairn_exec_launch_state before, now;
  unsigned attempts, fruitless;
  cairn_status status; /* the job's */
} supervisor;

static cairn_status look(supervisor *s, cairn_exec_launch_state *state_p) {
  struct stat file;
  *state_p = (cairn_exec_launch_state){0};
  if (stat(s->job.journal, &file) != 0)
    return CAIRN_OK;
  cairn_journal_run *run;
  const cairn_status status = cairn_journal_run_read(
      s->job.journal, CAIRN_JOURNAL_RUN_UNBORN | CAIRN_JOURNAL_RUN_REGULAR,
      s->diag, &run);
  if (status != CAIRN_OK)
    return status;
  *state_p = cairn_exec__launch_state_of(run);
  cairn_journal_run_free(run);
  return CAIRN_OK;
}

static void say_why(const cairn_exec_launch_end *end,
                    const cairn_exec_launch_state *now) {
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

/* One attempt, and what is to be said and recorded of it. */
static cairn_status attempt(supervisor *s, int *over_p) {
  cairn_exec_launch_end end;
  cairn_status status = cairn_exec__launch_attempt(&s->job, s->diag, &end);
  if (status != CAIRN_OK)
    return status;
  s->attempts++;
  status = look(s, &s->now);
  if (status == CAIRN_OK)
    *over_p = cairn_exec__launch_is_over(&end, &s->before, &s->now, &s->status);
  if (status == CAIRN_OK && !*over_p) {
    say_why(&end, &s->now);
    cairn_exec__launch_death(&end, s->job.journal);
    status = look(s, &s->now);
  }
  cairn_exec__launch_recorder_free(end.recorder);
  return status;
}

static void back_off(unsigned fruitless) {
  const double pause_s = cairn_exec__launch_pause_s(fruitless);
  const long ns = (long)(1e9 * (pause_s - (double)(long)pause_s));
  nanosleep(&(struct timespec){(time_t)pause_s, ns}, NULL);
}

static cairn_status supervise(supervisor *s) {
  cairn_status status = cairn_exec__launch_prepare(s->diag);
  if (status == CAIRN_OK)
    status = look(s, &s->before);
  while (status == CAIRN_OK) {
    int over = 0;
    status = attempt(s, &over);
    if (status != CAIRN_OK || over)
      break;
    s->fruitless =
        cairn_exec__launch_fruitless(s->fruitless, &s->before, &s->now);
    if (s->fruitless > s->options->restarts) {
      cairn_base_diag_error(s->diag,
                            "launch: no new measurement in %u restarts; giving "
                            "up (go on with --resume)",
                            s->options->restarts);
      s->status = CAIRN_RESUMABLE;
      break;
    }
    back_off(s->fruitless);
    s->job.argv = s->resumed;
    s->before = s->now;
  }
  return status;
}

static cairn_status prepare(supervisor *s) {
  const cairn_exec_launch_options *const o = s->options;
  s->job = (cairn_exec_launch_job){
      .argv = o->command,
      .journal = o->journal != NULL ? o->journal
                                    : cairn_exec__launch_journal_of(o->command),
      .folder = o->folder,
      .stall_s = o->stall_s,
      .grace_s = o->grace_s};
  if (s->job.journal == NULL) {
    cairn_base_diag_error(s->diag, "which journal does the job write? Give it "
                                   "-o FILE, or cairn launch --journal FILE");
    return CAIRN_USAGE;
  }
  size_t words = 0;
  while (o->command[words] != NULL)
    words++;
  s->resumed = cairn_base_alloc(words + 2, sizeof *s->resumed);
  if (s->resumed == NULL)
    return CAIRN_NOMEM;
  cairn_exec__launch_resumed(o->command, s->resumed);
  return CAIRN_OK;
}

cairn_status cairn_exec_launch(const cairn_exec_launch_options *options,
                               cairn_base_diag *diag,
                               cairn_exec_launch_outcome *outcome_p) {
  supervisor s = {.options = options, .diag = diag};
  cairn_status status = prepare(&s);
  if (status == CAIRN_OK)
    status = supervise(&s);
  cairn_base_free(s.resumed);
  if (status == CAIRN_OK)
    *outcome_p = (cairn_exec_launch_outcome){.status = s.status,
                                             .attempts = s.attempts,
                                             .results = s.now.results,
                                             .measured = s.now.measured};
  return status;
}

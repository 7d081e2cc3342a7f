/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/launch-private.h - the parts of the supervisor:
 *
 *   launch.c     attempts, until the journal is finished or hope is lost
 *   policy.c     what is decided between them; looks at nothing by itself
 *   attempt.c    one attempt: start, watch, forward signals
 *   sweep.c      what it has left behind goes
 *   recorder.c   where the ranks stand: a folder that they write to, and which
 *                of them dies first
 *   death.c      what is said, and recorded, of an attempt that died
 */
#ifndef CAIRN_EXEC_LAUNCH_LAUNCH_PRIVATE_H
#define CAIRN_EXEC_LAUNCH_LAUNCH_PRIVATE_H

#include <sys/types.h>

#include "exec/blackbox-private.h"
#include <cairn/base.h>
#include <cairn/exec.h>
#include <cairn/journal.h>

/* ---- where the ranks stand ---- */

typedef struct cairn_exec_launch_recorder cairn_exec_launch_recorder;

/* Makes a private folder: in `where`, or, when that is NULL, in /dev/shm or
 * else in $TMPDIR or /tmp; and names it in the environment for the job.  NULL
 * when that cannot be done: the job goes on without. */
cairn_exec_launch_recorder *cairn_exec__launch_recorder_open(const char *where);
/* Waits for at most pause_ms until fd can be read or a rank is gone, and notes
 * which are gone.  recorder may be NULL, here and below. */
void cairn_exec__launch_recorder_wait(cairn_exec_launch_recorder *recorder,
                                      int fd, int pause_ms);
/* The launcher has ended: ranks that go from now on went for that reason; all
 * did if it was killed by a signal. */
void cairn_exec__launch_recorder_ended(cairn_exec_launch_recorder *recorder,
                                       int killed);
/* After the job: takes in what the ranks have left, and removes the folder. */
void cairn_exec__launch_recorder_close(cairn_exec_launch_recorder *recorder);
void cairn_exec__launch_recorder_free(cairn_exec_launch_recorder *recorder);
/* What was taken in, or NULL. */
const cairn_exec_blackbox *
cairn_exec__launch_recorder_read(const cairn_exec_launch_recorder *recorder);
/* Did this rank die, not only end because others had died?  0 also when that
 * is not known. */
int cairn_exec__launch_recorder_died(const cairn_exec_launch_recorder *recorder,
                                     size_t i);

/* ---- attempts ---- */

/* How an attempt ended. */
typedef struct cairn_exec_launch_end {
  int code;    /* exit code; 128 + signal when the launcher was killed */
  int killed;  /* the launcher was, by a signal */
  int signal;  /* that we were sent and have passed on, 0 none */
  int stalled; /* we ended it: the journal had stopped growing */
  int started; /* 0: the command could not be executed */
  cairn_exec_launch_recorder *recorder; /* NULL: none was kept; free with
                                           cairn_exec__launch_recorder_free */
} cairn_exec_launch_end;

/* What an attempt is given. */
typedef struct cairn_exec_launch_job {
  char *const *argv;
  const char *journal; /* watched for growth */
  const char *folder;  /* to make the recorder's in; NULL: the usual */
  double stall_s;      /* 0: for ever */
  double grace_s;      /* for a job that was told to stop */
} cairn_exec_launch_job;

/* Blocks the signals that attempts wait for, and makes this process the parent
 * of all that a job leaves behind.  Once, before the first attempt. */
cairn_status cairn_exec__launch_prepare(cairn_base_diag *diag);
/* Runs the command to its end; afterwards no process of it is left, and no
 * shared memory that it made. */
cairn_status cairn_exec__launch_attempt(const cairn_exec_launch_job *job,
                                        cairn_base_diag *diag,
                                        cairn_exec_launch_end *end_p);

/* Ends what is left of an attempt: first its ranks have some time to go by
 * themselves, then its process group and all children of ours are killed. */
void cairn_exec__launch_sweep_processes(pid_t group);
/* Removes files in /dev/shm and System V segments that are ours, changed since
 * then, and used by no living process. */
void cairn_exec__launch_sweep_memory(time_t since);

/* Says where the ranks of a job that died stood, one line each, those that
 * died first; and writes these words into the journal: as the result,
 * `crashed`, of the schedule that was begun without one when a rank crashed in
 * it; as a `death` when it may have been killed by something else, for then it
 * is measured again; as its result, `quarantined`, after the third death.
 * Nothing when nothing was recorded, or the watchdog has said and recorded all
 * that already. */
void cairn_exec__launch_death(const cairn_exec_launch_end *end,
                              const char *journal);

/* ---- decisions ---- */

/* What the journal says between two attempts. */
typedef struct cairn_exec_launch_state {
  size_t results, measured, begun;
  uint64_t guilty; /* id of a schedule begun without result; UINT64_MAX */
  unsigned deaths; /* in it */
  int ended, by_signal;
} cairn_exec_launch_state;

cairn_exec_launch_state
cairn_exec__launch_state_of(const cairn_journal_run *run);
/* 1 when nothing more is to be done; then *status_p is the job's. */
int cairn_exec__launch_is_over(const cairn_exec_launch_end *end,
                               const cairn_exec_launch_state *before,
                               const cairn_exec_launch_state *now,
                               cairn_status *status_p);
/* How many attempts in a row have brought nothing, after one more.  Dying again
 * in the schedule of the attempt before does not count. */
unsigned cairn_exec__launch_fruitless(unsigned fruitless,
                                      const cairn_exec_launch_state *before,
                                      const cairn_exec_launch_state *now);
/* Before the next attempt. */
double cairn_exec__launch_pause_s(unsigned fruitless);

/* Did rank i of the box die, not only end because others had died?  gone: the
 * `count` ranks that were seen to go, in order, before their launcher.  0 also
 * when that is not known. */
int cairn_exec__launch_died_first(const cairn_exec_blackbox *box, size_t i,
                                  const int *gone, size_t count);
/* What a death is to the schedule in which it was the deaths-th one: CRASHED
 * when ranks died of a fault of its own (SIGSEGV, ...); else the cause may have
 * come from without (the kernel for lack of memory, an operator, a launcher):
 * OK, to be measured again, or QUARANTINED. */
cairn_base_outcome cairn_exec__launch_verdict(size_t crashed, unsigned deaths);

/* Would the process go on when it is sent this signal, because it has a
 * handler, ignores it, or blocks it, to wait for it?  status, sleeps: what
 * /proc/PID/status and wchan say; 0 when they say nothing. */
int cairn_exec__launch_keeps(const char *status, const char *sleeps,
                             int number);
/* The signal to tell a launcher with.  USR1 means "stop at the next boundary":
 * launchers that know it hand it to the ranks, while TERM makes some of them
 * (srun) kill the ranks.  One that it would end (keeps 0) is told with TERM.
 * HUP, that the terminal has gone, has no such meaning. */
int cairn_exec__launch_pass_on(int number, int keeps);

/* The file after -o or --output, the last one given; NULL: none. */
const char *cairn_exec__launch_journal_of(char *const *command);
/* The command with --resume, once: into an array with room for two more than
 * its words.  Returns how many words there are now. */
size_t cairn_exec__launch_resumed(char *const *command, char **resumed);

#endif

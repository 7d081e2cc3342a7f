/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch.h - the parts of `cairn launch`, the supervisor:
 *
 *   launch-recorder.c   where the ranks stand: a folder that they write to, and
 *                    which of them dies first
 *   launch-job.c     one attempt: start, watch, forward signals, sweep up
 *   launch-death.c   what is said, and recorded, of an attempt that died
 *   cmd-launch.c     attempts, until the journal is finished or hope is lost
 */
#ifndef CAIRN_CLI_LAUNCH_H
#define CAIRN_CLI_LAUNCH_H

#include "exec/blackbox-private.h"
#include <cairn/base.h>
#include <cairn/exec.h>

/* ---- where the ranks stand ---- */

typedef struct launch_recorder launch_recorder;

/* Makes a private folder: in `where`, or, when that is NULL, in /dev/shm or
 * else in $TMPDIR or /tmp; and names it in the environment for the job.  NULL
 * when that cannot be done: the job goes on without. */
launch_recorder *launch_recorder_open(const char *where);
/* Waits for at most pause_ms until fd can be read or a rank is gone, and notes
 * which are gone.  recorder may be NULL, here and below. */
void launch_recorder_wait(launch_recorder *recorder, int fd, int pause_ms);
/* The launcher has ended: ranks that go from now on went for that reason; all
 * did if it was killed by a signal. */
void launch_recorder_ended(launch_recorder *recorder, int killed);
/* After the job: takes in what the ranks have left, and removes the folder. */
void launch_recorder_close(launch_recorder *recorder);
void launch_recorder_free(launch_recorder *recorder);
/* What was taken in, or NULL. */
const cairn_exec_blackbox *
launch_recorder_read(const launch_recorder *recorder);
/* Did this rank die, not only end because others had died?  0 also when that
 * is not known. */
int launch_recorder_died(const launch_recorder *recorder, size_t i);

/* ---- attempts ---- */

/* How an attempt ended. */
typedef struct launch_end {
  int code;    /* exit code; 128 + signal when the launcher was killed */
  int killed;  /* the launcher was, by a signal */
  int signal;  /* that we were sent and have passed on, 0 none */
  int stalled; /* we ended it: the journal had stopped growing */
  int started; /* 0: the command could not be executed */
  launch_recorder
      *recorder; /* NULL: none was kept; free with launch_recorder_free */
} launch_end;

/* What an attempt is given. */
typedef struct launch_job {
  char *const *argv;
  const char *journal; /* watched for growth */
  const char *folder;  /* to make the recorder's in; NULL: the usual */
  double stall_s;      /* 0: for ever */
  double grace_s;      /* for a job that was told to stop */
} launch_job;

/* Blocks the signals that attempts wait for, and makes this process the parent
 * of all that a job leaves behind.  Once, before the first attempt. */
cairn_status launch_prepare(cairn_base_diag *diag);
/* Runs the command to its end; afterwards no process of it is left, and no
 * shared memory that it made. */
cairn_status launch_attempt(const launch_job *job, cairn_base_diag *diag,
                            launch_end *end_p);

/* Says where the ranks of a job that died stood, one line each, those that
 * died first; and writes these words into the journal: as the result,
 * `crashed`, of the schedule that was begun without one when a rank crashed in
 * it; as a `death` when it may have been killed by something else, for then it
 * is measured again; as its result, `quarantined`, after the third death.
 * Nothing when nothing was recorded, or the watchdog has said and recorded all
 * that already. */
void launch_death(const launch_end *end, const char *journal);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch.h - the parts of `cairn launch`, the supervisor:
 *
 *   launch-trail.c   where the ranks stand: a folder that they write to, and
 *                    which of them dies first
 *   launch-job.c     one attempt: start, watch, forward signals, sweep up
 *   launch-death.c   what is said, and recorded, of an attempt that died
 *   cmd-launch.c     attempts, until the journal is finished or hope is lost
 */
#ifndef CAIRN_CLI_LAUNCH_H
#define CAIRN_CLI_LAUNCH_H

#include "exec/trail-private.h"
#include <cairn/base.h>
#include <cairn/exec.h>

/* ---- where the ranks stand ---- */

typedef struct launch_trail launch_trail;

/* Makes a private folder: in `where`, or, when that is NULL, in /dev/shm or
 * else in $TMPDIR or /tmp; and names it in the environment for the job.  NULL
 * when that cannot be done: the job goes on without. */
launch_trail *launch_trail_open(const char *where);
/* Waits for at most pause_ms until fd can be read or a rank is gone, and notes
 * which are gone.  trail may be NULL, here and below. */
void launch_trail_wait(launch_trail *trail, int fd, int pause_ms);
/* The launcher has ended: ranks that go from now on went for that reason; all
 * did if it was killed by a signal. */
void launch_trail_ended(launch_trail *trail, int killed);
/* After the job: takes in what the ranks have left, and removes the folder. */
void launch_trail_close(launch_trail *trail);
void launch_trail_free(launch_trail *trail);
/* What was taken in, or NULL. */
const cairn_exec_trail *launch_trail_read(const launch_trail *trail);
/* Did this rank die, not only end because others had died?  0 also when that
 * is not known. */
int launch_trail_died(const launch_trail *trail, size_t i);

/* ---- attempts ---- */

/* How an attempt ended. */
typedef struct launch_end {
  int code;    /* exit code; 128 + signal when the launcher was killed */
  int killed;  /* the launcher was, by a signal */
  int signal;  /* that we were sent and have passed on, 0 none */
  int stalled; /* we ended it: the journal had stopped growing */
  int started; /* 0: the command could not be executed */
  launch_trail *trail; /* NULL: none was kept; free with launch_trail_free */
} launch_end;

/* What an attempt is given. */
typedef struct launch_job {
  char *const *argv;
  const char *journal; /* watched for growth */
  const char *trail;   /* folder to make the trail's in; NULL: the usual */
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
 * Nothing when no trail was kept, or the watchdog has said and recorded all
 * that already. */
void launch_death(const launch_end *end, const char *journal);

#endif

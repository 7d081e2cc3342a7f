/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch.h - the parts of `cairn launch`, the supervisor:
 *
 *   launch-job.c     one attempt: start, watch, forward signals, sweep up
 *   cmd-launch.c     attempts, until the journal is finished or hope is lost
 */
#ifndef CAIRN_CLI_LAUNCH_H
#define CAIRN_CLI_LAUNCH_H

#include <cairn/base.h>

/* How an attempt ended. */
typedef struct launch_end {
  int code;    /* exit code; 128 + signal when the launcher was killed */
  int signal;  /* that we were sent and have passed on, 0 none */
  int stalled; /* we ended it: the journal had stopped growing */
  int started; /* 0: the command could not be executed */
} launch_end;

/* What an attempt is given. */
typedef struct launch_job {
  char *const *argv;
  const char *journal; /* watched for growth */
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

#endif

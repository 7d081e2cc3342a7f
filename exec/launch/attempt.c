/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/attempt.c - one attempt of a supervised job.
 *
 * The launcher (mpiexec) runs in its own process group with an empty standard
 * input.  We are a subreaper: when it dies before its proxies and ranks do,
 * they become our children, and are killed and waited for (sweep.c).
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock-private.h"
#include "exec/launch/launch-private.h"
#include <cairn/base.h>

#define LOOK_MS 200 /* between looks at the journal */

static void watched_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGCHLD);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGUSR1);
}

cairn_status cairn_exec__launch_prepare(cairn_base_diag *diag) {
  sigset_t set;
  watched_signals(&set);
  if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
      prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) {
    cairn_base_diag_error(diag, "cannot become the job's supervisor: %s",
                          strerror(errno));
    return CAIRN_ENV;
  }
  return CAIRN_OK;
}

/* ---- starting ---- */

static void become(const cairn_exec_launch_job *job, int report) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  signal(SIGPIPE, SIG_DFL);
  signal(SIGINT, SIG_DFL); /* a shell may have had it ignored */
  signal(SIGTERM, SIG_DFL);
  signal(SIGUSR1, SIG_DFL);
  setpgid(0, 0);
  const int null = open("/dev/null", O_RDONLY);
  if (null >= 0) {
    dup2(null, STDIN_FILENO);
    close(null);
  }
  execvp(job->argv[0], job->argv);
  const int error = errno;
  const ssize_t told = write(report, &error, sizeof error);
  (void)told;
  _exit(127);
}

/* The pipe closes on exec, or carries the error. */
static pid_t start(const cairn_exec_launch_job *job, cairn_base_diag *diag) {
  int ends[2], error = 0;
  if (pipe2(ends, O_CLOEXEC) != 0) {
    cairn_base_diag_error(diag, "pipe: %s", strerror(errno));
    return -1;
  }
  const pid_t child = fork();
  if (child == 0)
    become(job, ends[1]);
  const int fork_error = errno;
  close(ends[1]);
  ssize_t got = child > 0 ? read(ends[0], &error, sizeof error) : 0;
  close(ends[0]);
  if (child < 0) {
    cairn_base_diag_error(diag, "fork: %s", strerror(fork_error));
    return -1;
  }
  if (got == (ssize_t)sizeof error) {
    waitpid(child, NULL, 0);
    cairn_base_diag_error(diag, "cannot run %s: %s", job->argv[0],
                          strerror(error));
    return -1;
  }
  return child;
}

/* ---- watching ---- */

typedef struct watch {
  const cairn_exec_launch_job *job;
  pid_t child;
  cairn_exec_launch_end *end;
  int signals; /* a file descriptor that they are read from */
  off_t size;  /* of the journal */
  double moved_s, told_s;
} watch;

/* What the kernel says of a process; "" when it says nothing. */
static void read_proc(pid_t pid, const char *name, char *text, size_t size) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/%.20s", (long)pid, name);
  FILE *file = fopen(path, "re");
  text[file != NULL ? fread(text, 1, size - 1, file) : 0] = '\0';
  if (file != NULL)
    fclose(file);
}

/* The signal to tell the launcher with. */
static int told_with(pid_t child, int number) {
  char status[16384], sleeps[128];
  read_proc(child, "status", status, sizeof status);
  read_proc(child, "wchan", sleeps, sizeof sleeps);
  return cairn_exec__launch_pass_on(
      number, cairn_exec__launch_keeps(status, sleeps, number));
}

static void pass_on(watch *w, int number) {
  if (w->end->signal == 0) {
    w->end->signal = number;
    w->told_s = cairn_base__now_s();
    kill(w->child, told_with(w->child, number));
  } else {
    kill(-w->child, SIGKILL); /* told twice: at once */
  }
}

static void look_at_journal(watch *w) {
  struct stat s;
  const off_t size = stat(w->job->journal, &s) == 0 ? s.st_size : 0;
  const double now = cairn_base__now_s();
  if (size != w->size) {
    w->size = size;
    w->moved_s = now;
  }
  if (w->job->stall_s > 0 && now - w->moved_s > w->job->stall_s) {
    w->end->stalled = 1;
    kill(-w->child, SIGKILL);
  }
  if (w->end->signal && now - w->told_s > w->job->grace_s)
    kill(-w->child, SIGKILL);
}

static int has_ended(watch *w) {
  int status;
  const pid_t gone = waitpid(w->child, &status, WNOHANG);
  if (gone != w->child)
    return 0;
  w->end->killed = WIFSIGNALED(status);
  w->end->code =
      WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  return 1;
}

static void wait_for_end(watch *w) {
  struct signalfd_siginfo told;
  while (!has_ended(w)) {
    cairn_exec__launch_recorder_wait(w->end->recorder, w->signals, LOOK_MS);
    while (read(w->signals, &told, sizeof told) == (ssize_t)sizeof told)
      if (told.ssi_signo != SIGCHLD)
        pass_on(w, (int)told.ssi_signo);
    look_at_journal(w);
  }
}

static int open_signals(cairn_base_diag *diag) {
  sigset_t set;
  watched_signals(&set);
  const int fd = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC);
  if (fd < 0)
    cairn_base_diag_error(diag, "signalfd: %s", strerror(errno));
  return fd;
}

cairn_status cairn_exec__launch_attempt(const cairn_exec_launch_job *job,
                                        cairn_base_diag *diag,
                                        cairn_exec_launch_end *end_p) {
  cairn_exec_launch_end end = {0};
  const time_t since = time(NULL);
  const int signals = open_signals(diag);
  if (signals < 0)
    return CAIRN_ENV;
  end.recorder = cairn_exec__launch_recorder_open(job->folder);
  const pid_t child = start(job, diag);
  end.started = child > 0;
  if (end.started) {
    watch w = {.job = job,
               .child = child,
               .end = &end,
               .signals = signals,
               .moved_s = cairn_base__now_s()};
    wait_for_end(&w);
    cairn_exec__launch_recorder_ended(end.recorder, end.killed);
    cairn_exec__launch_sweep_processes(child);
    cairn_exec__launch_sweep_memory(since);
  }
  close(signals);
  cairn_exec__launch_recorder_close(end.recorder);
  if (!end.started) {
    cairn_exec__launch_recorder_free(end.recorder);
    return CAIRN_ENV;
  }
  *end_p = end;
  return CAIRN_OK;
}

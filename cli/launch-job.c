/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch-job.c - one attempt of a supervised job.
 *
 * The launcher (mpiexec) runs in its own process group with an empty standard
 * input.  We are a subreaper: when it dies before its proxies and ranks do,
 * they become our children, and are killed and waited for.  Then shared memory
 * is swept: what is ours, appeared during the attempt, and is used by no
 * living process.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock-private.h"
#include "launch.h"
#include <cairn/base.h>

#define LOOK_MS 200 /* between looks at the journal */
#define SHM "/dev/shm"

static void watched_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGCHLD);
  sigaddset(set, SIGHUP);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGUSR1);
}

cairn_status launch_prepare(cairn_base_diag *diag) {
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

static void become(const launch_job *job, int report) {
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
static pid_t start(const launch_job *job, cairn_base_diag *diag) {
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

/* ---- leftovers ---- */

static long parent_of(const char *pid) {
  char path[64], text[512];
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return -1;
  const char *line = fgets(text, sizeof text, file);
  fclose(file);
  const char *after = line ? strrchr(line, ')') : NULL;
  long parent = -1;
  char state;
  if (after == NULL || sscanf(after + 1, " %c %ld", &state, &parent) != 2)
    return -1;
  return parent;
}

/* Kills our direct children: by being the subreaper we adopt the rest as these
 * go.  Returns how many there were. */
static int kill_children(void) {
  DIR *proc = opendir("/proc");
  int count = 0;
  struct dirent *entry;
  while (proc && (entry = readdir(proc)) != NULL) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9' ||
        parent_of(entry->d_name) != (long)getpid())
      continue;
    kill((pid_t)strtol(entry->d_name, NULL, 10), SIGKILL);
    count++;
  }
  if (proc)
    closedir(proc);
  return count;
}

static void reap_all(void) {
  for (;;) {
    const pid_t gone = waitpid(-1, NULL, WNOHANG);
    if (gone > 0)
      continue;
    if (gone < 0 && errno != EINTR)
      return; /* no children are left */
    if (gone == 0) {
      kill_children();
      nanosleep(&(struct timespec){0, 10000000}, NULL);
    }
  }
}

/* Leaves time for the ranks to go by themselves after the launcher has. */
static void sweep_processes(pid_t group) {
  for (int i = 0; i < 50; i++) {
    pid_t gone;
    while ((gone = waitpid(-1, NULL, WNOHANG)) > 0)
      ;
    if (gone < 0 && errno == ECHILD)
      return;
    nanosleep(&(struct timespec){0, 10000000}, NULL);
  }
  kill(-group, SIGKILL);
  reap_all();
}

/* Does a line of the file contain the text? */
static int file_has(const char *path, const char *text) {
  char line[1024];
  FILE *file = fopen(path, "re");
  int found = 0;
  while (file && !found && fgets(line, sizeof line, file))
    found = strstr(line, text) != NULL;
  if (file)
    fclose(file);
  return found;
}

static int open_in(const char *pid, const char *name) {
  char folder[64], link[512], target[512];
  snprintf(folder, sizeof folder, "/proc/%.20s/fd", pid);
  DIR *fds = opendir(folder);
  int found = 0;
  struct dirent *entry;
  while (fds && !found && (entry = readdir(fds)) != NULL) {
    snprintf(link, sizeof link, "%s/%.255s", folder, entry->d_name);
    const ssize_t length = readlink(link, target, sizeof target - 1);
    target[length > 0 ? length : 0] = '\0';
    found = strcmp(target, name) == 0;
  }
  if (fds)
    closedir(fds);
  return found;
}

static int in_use(const char *name) {
  char maps[64];
  DIR *proc = opendir("/proc");
  int found = proc == NULL; /* when in doubt, leave it */
  struct dirent *entry;
  while (proc && !found && (entry = readdir(proc)) != NULL) {
    if (entry->d_name[0] < '0' || entry->d_name[0] > '9')
      continue;
    snprintf(maps, sizeof maps, "/proc/%.20s/maps", entry->d_name);
    found = file_has(maps, name) || open_in(entry->d_name, name);
  }
  if (proc)
    closedir(proc);
  return found;
}

static void sweep_files(time_t since) {
  DIR *shm = opendir(SHM);
  struct dirent *entry;
  while (shm && (entry = readdir(shm)) != NULL) {
    char path[sizeof SHM + 256];
    struct stat s;
    snprintf(path, sizeof path, SHM "/%.255s", entry->d_name);
    if (lstat(path, &s) == 0 && S_ISREG(s.st_mode) && s.st_uid == getuid() &&
        s.st_ctime >= since && !in_use(path) && unlink(path) == 0)
      cairn_base_log(CAIRN_BASE_LOG_DEBUG, "removed %s, left by the job", path);
  }
  if (shm)
    closedir(shm);
}

/* System V segments that nobody is attached to and whose maker is dead. */
static void sweep_segments(time_t since) {
  struct shm_info info;
  const int last = shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info);
  for (int i = 0; i <= last; i++) {
    struct shmid_ds s;
    const int id = shmctl(i, SHM_STAT, &s);
    if (id >= 0 && s.shm_nattch == 0 && s.shm_perm.cuid == getuid() &&
        s.shm_ctime >= since && kill(s.shm_cpid, 0) != 0 && errno == ESRCH)
      shmctl(id, IPC_RMID, NULL);
  }
}

/* ---- watching ---- */

typedef struct watch {
  const launch_job *job;
  pid_t child;
  launch_end *end;
  int signals; /* a file descriptor that they are read from */
  off_t size;  /* of the journal */
  double moved_s, told_s;
} watch;

/* Is it in sigwait?  The signals waited for do not count as blocked then. */
static int waits_for_signals(pid_t pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/wchan", (long)pid);
  return file_has(path, "sigtimedwait");
}

/* Would the signal, by default, end the process?  0 when it has a handler, is
 * ignored, or is blocked, to be waited for. */
static int is_fatal(pid_t pid, int number) {
  char path[64], line[256];
  unsigned long long bits, kept = 0;
  snprintf(path, sizeof path, "/proc/%ld/status", (long)pid);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return 1;
  while (fgets(line, sizeof line, file))
    if (sscanf(line, "SigBlk: %llx", &bits) == 1 ||
        sscanf(line, "SigIgn: %llx", &bits) == 1 ||
        sscanf(line, "SigCgt: %llx", &bits) == 1)
      kept |= bits;
  fclose(file);
  return (kept >> (number - 1) & 1) == 0 && !waits_for_signals(pid);
}

/* USR1 means "stop at the next boundary": launchers that know it hand it to
 * the ranks, while TERM makes some of them (srun) kill the ranks.  One that it
 * would end is told with TERM.  HUP, that the terminal has gone, has no such
 * meaning. */
static int passed_on(pid_t child, int number) {
  if (number == SIGINT || (number == SIGUSR1 && !is_fatal(child, number)))
    return number;
  return SIGTERM;
}

static void pass_on(watch *w, int number) {
  if (w->end->signal == 0) {
    w->end->signal = number;
    w->told_s = cairn_base__now_s();
    kill(w->child, passed_on(w->child, number));
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
    launch_recorder_wait(w->end->recorder, w->signals, LOOK_MS);
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

cairn_status launch_attempt(const launch_job *job, cairn_base_diag *diag,
                            launch_end *end_p) {
  launch_end end = {0};
  const time_t since = time(NULL);
  const int signals = open_signals(diag);
  if (signals < 0)
    return CAIRN_ENV;
  end.recorder = launch_recorder_open(job->folder);
  const pid_t child = start(job, diag);
  end.started = child > 0;
  if (end.started) {
    watch w = {.job = job,
               .child = child,
               .end = &end,
               .signals = signals,
               .moved_s = cairn_base__now_s()};
    wait_for_end(&w);
    launch_recorder_ended(end.recorder, end.killed);
    sweep_processes(child);
    sweep_files(since);
    sweep_segments(since);
  }
  close(signals);
  launch_recorder_close(end.recorder);
  if (!end.started) {
    launch_recorder_free(end.recorder);
    return CAIRN_ENV;
  }
  *end_p = end;
  return CAIRN_OK;
}

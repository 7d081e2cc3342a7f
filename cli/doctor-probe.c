/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/doctor-probe.c - can MPI start here?  A library that cannot start ends
 * the process, or hangs; so a child tries first, alone, with a time limit.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "doctor.h"
#include <cairn/exec.h>

enum { LIMIT_S = 60, NEEDED_MIB = 16 };

extern char **environ;

/* The child is no rank of the job: it does not know the launcher. */
static void forget_launcher(void) {
  static const char *const heads[] = {"PMI_", "PMIX_", "OMPI_COMM_",
                                      "MPI_LOCAL", "HYDI_"};
  char name[256];
  for (size_t i = 0; environ[i] != NULL;) {
    int found = 0;
    for (size_t h = 0; h < sizeof heads / sizeof *heads; h++)
      found |= strncmp(environ[i], heads[h], strlen(heads[h])) == 0;
    const size_t length = strcspn(environ[i], "=");
    if (!found || length >= sizeof name) {
      i++;
      continue;
    }
    memcpy(name, environ[i], length);
    name[length] = '\0';
    unsetenv(name); /* the next one is at i now */
  }
}

static void try(int out) {
  cairn_base_diag *diag = NULL;
  cairn_exec_world *world = NULL;
  setpgid(0, 0);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  forget_launcher();
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK)
    status = cairn_exec_world_open(NULL, diag, &world);
  cairn_base_diag_print(diag, stderr);
  cairn_exec_world_close(world);
  _exit(cairn_base_status_exit_code(status));
}

/* What the child says, until it is silent for good; 0: the time is up. */
static int listen_to(int in, char *text, size_t size) {
  size_t used = 0;
  const time_t end = time(NULL) + LIMIT_S;
  struct pollfd fd = {.fd = in, .events = POLLIN};
  for (;;) {
    const time_t left = end - time(NULL);
    char part[512];
    if (left <= 0 || poll(&fd, 1, (int)left * 1000) == 0)
      return 0;
    const ssize_t got = read(in, part, sizeof part);
    if (got <= 0 && errno != EINTR)
      break;
    for (ssize_t i = 0; i < got && used + 1 < size; i++)
      text[used++] = part[i] == '\t' ? ' ' : part[i];
    text[used] = '\0';
  }
  return 1;
}

/* The line that tells most: a known word, else the last one. */
static const char *telling_line(char *text) {
  static const char *const words[] = {"No space left", "/dev/shm", "ERROR",
                                      "rror", "Fatal"};
  char *state = NULL;
  const char *best = "it said nothing";
  size_t rank = sizeof words / sizeof *words;
  for (char *line = strtok_r(text, "\r\n", &state); line;
       line = strtok_r(NULL, "\r\n", &state)) {
    size_t w = 0;
    while (w < sizeof words / sizeof *words && strstr(line, words[w]) == NULL)
      w++;
    if (w < rank || (w == rank && w == sizeof words / sizeof *words)) {
      best = line;
      rank = w;
    }
  }
  return best;
}

static int look_at_shm(cairn_exec_finding *f) {
  struct statvfs fs;
  if (statvfs("/dev/shm", &fs) != 0) {
    snprintf(f->text, sizeof f->text, "no /dev/shm: %s", strerror(errno));
  } else {
    const double kib = (double)fs.f_bavail * (double)fs.f_frsize / 1024;
    if (kib >= 1024.0 * NEEDED_MIB)
      return 0;
    cairn_base_format(f->text, sizeof f->text,
                      "only %.0f KiB are free in /dev/shm", kib);
  }
  f->grade = CAIRN_EXEC_PROBLEM;
  f->topic = "memory";
  snprintf(f->fix, sizeof f->fix,
           "MPI needs it to start and for messages inside a host: make it "
           "larger (containers: --shm-size=1g, or mount -o remount,size=1g "
           "/dev/shm) or remove what old jobs left there");
  return 1;
}

static size_t explain(int status, int in_time, char *said,
                      cairn_exec_finding *finding) {
  cairn_exec_finding *f = finding;
  char how[64];
  if (!in_time)
    snprintf(how, sizeof how, "it hung for %d s", LIMIT_S);
  else if (WIFSIGNALED(status))
    snprintf(how, sizeof how, "signal %d", WTERMSIG(status));
  else
    snprintf(how, sizeof how, "exit code %d", WEXITSTATUS(status));
  f->grade = CAIRN_EXEC_PROBLEM;
  f->topic = "MPI";
  snprintf(f->text, sizeof f->text, "MPI cannot start (%s): %.380s", how,
           telling_line(said));
  snprintf(f->fix, sizeof f->fix,
           "try a small MPI program with the same launcher; see the findings "
           "below and the MPI library's own messages");
  return 1 + (size_t)look_at_shm(finding + 1);
}

size_t doctor_probe(cairn_exec_finding finding[2]) {
  static char said[16384];
  int ends[2], status = 0;
  said[0] = '\0';
  if (pipe(ends) != 0)
    return 0; /* the real start will show */
  const pid_t child = fork();
  if (child == 0)
    try(ends[1]);
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return 0;
  }
  const int in_time = listen_to(ends[0], said, sizeof said);
  close(ends[0]);
  if (!in_time)
    kill(-child, SIGKILL);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (in_time && WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return 0;
  memset(finding, 0, 2 * sizeof *finding);
  return explain(status, in_time, said, finding);
}

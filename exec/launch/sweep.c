/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/sweep.c - what an attempt has left behind: processes, files in
 * shared memory, System V segments.  Only what is ours and of no use to any
 * living process goes.
 */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "exec/launch/launch-private.h"

#define SHM "/dev/shm"

/* ---- processes ---- */

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

void cairn_exec__launch_sweep_processes(pid_t group) {
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

/* ---- shared memory ---- */

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

void cairn_exec__launch_sweep_memory(time_t since) {
  sweep_files(since);
  sweep_segments(since);
}

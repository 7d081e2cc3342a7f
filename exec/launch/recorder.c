/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launch/recorder.c - the folder in which ranks leave where they stand
 * (exec/blackbox-private.h), one for each attempt.
 *
 * Each rank holds a file open there, which the kernel closes when it dies, and
 * tells us of in the order of deaths.  Launchers end the other ranks after the
 * first has died, so the first is the one that died by itself; unless the
 * launcher went before it.
 */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "exec/blackbox-private.h"
#include "exec/launch/launch-private.h"
#include <cairn/exec.h>

struct cairn_exec_launch_recorder {
  char folder[PATH_MAX];
  int news;  /* inotify's, of the folder; -1: none */
  int *gone; /* ranks in the order of their deaths */
  size_t count, capacity;
  size_t before_end; /* of these, before the launcher */
  cairn_exec_blackbox *read;
};

/* ---- the folder ---- */

static int make_in(cairn_exec_launch_recorder *recorder, const char *where) {
  if (where == NULL || *where == '\0')
    return 0;
  const int length = snprintf(recorder->folder, sizeof recorder->folder,
                              "%s/cairn-launch-XXXXXX", where);
  return length > 0 && (size_t)length < sizeof recorder->folder &&
         mkdtemp(recorder->folder) != NULL;
}

cairn_exec_launch_recorder *
cairn_exec__launch_recorder_open(const char *where) {
  cairn_exec_launch_recorder *recorder = cairn_base_zalloc(1, sizeof *recorder);
  unsetenv(CAIRN_EXEC_BLACKBOX); /* of a launcher around us */
  if (recorder == NULL)
    return NULL;
  const char *const tmp = getenv("TMPDIR");
  const int made = where != NULL ? make_in(recorder, where)
                                 : make_in(recorder, "/dev/shm") ||
                                       make_in(recorder, tmp) ||
                                       make_in(recorder, "/tmp");
  if (!made || setenv(CAIRN_EXEC_BLACKBOX, recorder->folder, 1) != 0) {
    cairn_base_log(where != NULL ? CAIRN_BASE_LOG_WARNING
                                 : CAIRN_BASE_LOG_DEBUG,
                   "launch: no folder for what ranks leave%s%s: %s; going on "
                   "without",
                   where != NULL ? " in " : "", where != NULL ? where : "",
                   strerror(errno));
    if (made)
      rmdir(recorder->folder);
    cairn_base_free(recorder);
    return NULL;
  }
  recorder->news = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (recorder->news >= 0)
    inotify_add_watch(recorder->news, recorder->folder, IN_CLOSE_WRITE);
  return recorder;
}

static void remove_folder(const char *folder) {
  DIR *entries = opendir(folder);
  const struct dirent *entry;
  while (entries && (entry = readdir(entries)) != NULL)
    unlinkat(dirfd(entries), entry->d_name, 0); /* "." and ".." stay */
  if (entries)
    closedir(entries);
  rmdir(folder);
}

/* ---- watching ---- */

static void note_gone(cairn_exec_launch_recorder *recorder, const char *name) {
  int rank;
  if (sscanf(name, CAIRN_EXEC_BLACKBOX_ALIVE, &rank) != 1 ||
      cairn_base_reserve(&recorder->gone, &recorder->capacity,
                         recorder->count + 1,
                         sizeof *recorder->gone) != CAIRN_OK)
    return;
  recorder->gone[recorder->count++] = rank;
}

/* The kernel keeps the events in order, however late we are. */
static void read_news(cairn_exec_launch_recorder *recorder) {
  _Alignas(struct inotify_event) char events[4096];
  ssize_t length;
  while ((length = read(recorder->news, events, sizeof events)) > 0) {
    ssize_t at = 0;
    while (at < length) {
      const struct inotify_event *e = (const void *)(events + at);
      if (e->len > 0)
        note_gone(recorder, e->name);
      at += (ssize_t)(sizeof *e + e->len);
    }
  }
}

void cairn_exec__launch_recorder_wait(cairn_exec_launch_recorder *recorder,
                                      int fd, int pause_ms) {
  struct pollfd polls[2] = {{.fd = fd, .events = POLLIN},
                            {.fd = -1, .events = POLLIN}};
  if (recorder != NULL)
    polls[1].fd = recorder->news;
  if (poll(polls, 2, pause_ms) > 0 && polls[1].revents)
    read_news(recorder);
}

void cairn_exec__launch_recorder_ended(cairn_exec_launch_recorder *recorder,
                                       int killed) {
  if (recorder == NULL || recorder->news < 0)
    return;
  read_news(recorder);
  recorder->before_end = killed ? 0 : recorder->count;
}

/* ---- afterwards ---- */

void cairn_exec__launch_recorder_close(cairn_exec_launch_recorder *recorder) {
  if (recorder == NULL)
    return;
  if (recorder->news >= 0)
    close(recorder->news);
  if (cairn_exec__blackbox_read(recorder->folder, &recorder->read) != CAIRN_OK)
    recorder->read = NULL;
  remove_folder(recorder->folder);
  unsetenv(CAIRN_EXEC_BLACKBOX);
}

void cairn_exec__launch_recorder_free(cairn_exec_launch_recorder *recorder) {
  if (recorder == NULL)
    return;
  cairn_exec__blackbox_free(recorder->read);
  cairn_base_free(recorder->gone);
  cairn_base_free(recorder);
}

const cairn_exec_blackbox *
cairn_exec__launch_recorder_read(const cairn_exec_launch_recorder *recorder) {
  return recorder != NULL ? recorder->read : NULL;
}

int cairn_exec__launch_recorder_died(const cairn_exec_launch_recorder *recorder,
                                     size_t i) {
  return cairn_exec__launch_died_first(recorder->read, i, recorder->gone,
                                       recorder->before_end);
}

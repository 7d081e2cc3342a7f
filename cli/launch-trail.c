/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch-trail.c - the folder in which ranks leave where they stand
 * (<cairn/exec-trail.h>), one for each attempt.
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

#include "exec/trail-private.h"
#include "launch.h"
#include <cairn/exec.h>

struct launch_trail {
  char folder[PATH_MAX];
  int news;  /* inotify's, of the folder; -1: none */
  int *gone; /* ranks in the order of their deaths */
  size_t count, capacity;
  size_t before_end; /* of these, before the launcher */
  cairn_exec_trail *read;
};

/* ---- the folder ---- */

static int make_in(launch_trail *trail, const char *where) {
  if (where == NULL || *where == '\0')
    return 0;
  const int length = snprintf(trail->folder, sizeof trail->folder,
                              "%s/cairn-launch-XXXXXX", where);
  return length > 0 && (size_t)length < sizeof trail->folder &&
         mkdtemp(trail->folder) != NULL;
}

launch_trail *launch_trail_open(const char *where) {
  launch_trail *trail = cairn_base_zalloc(1, sizeof *trail);
  unsetenv(CAIRN_EXEC_TRAIL); /* of a launcher around us */
  if (trail == NULL)
    return NULL;
  const char *const tmp = getenv("TMPDIR");
  const int made = where != NULL
                       ? make_in(trail, where)
                       : make_in(trail, "/dev/shm") || make_in(trail, tmp) ||
                             make_in(trail, "/tmp");
  if (!made || setenv(CAIRN_EXEC_TRAIL, trail->folder, 1) != 0) {
    cairn_base_log(where != NULL ? CAIRN_BASE_LOG_WARNING
                                 : CAIRN_BASE_LOG_DEBUG,
                   "launch: no folder for what ranks leave%s%s: %s; going on "
                   "without",
                   where != NULL ? " in " : "", where != NULL ? where : "",
                   strerror(errno));
    if (made)
      rmdir(trail->folder);
    cairn_base_free(trail);
    return NULL;
  }
  trail->news = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (trail->news >= 0)
    inotify_add_watch(trail->news, trail->folder, IN_CLOSE_WRITE);
  return trail;
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

static void note_gone(launch_trail *trail, const char *name) {
  int rank;
  if (sscanf(name, CAIRN_EXEC_TRAIL_ALIVE, &rank) != 1 ||
      cairn_base_reserve(&trail->gone, &trail->capacity, trail->count + 1,
                         sizeof *trail->gone) != CAIRN_OK)
    return;
  trail->gone[trail->count++] = rank;
}

/* The kernel keeps the events in order, however late we are. */
static void read_news(launch_trail *trail) {
  _Alignas(struct inotify_event) char events[4096];
  ssize_t length;
  while ((length = read(trail->news, events, sizeof events)) > 0) {
    ssize_t at = 0;
    while (at < length) {
      const struct inotify_event *e = (const void *)(events + at);
      if (e->len > 0)
        note_gone(trail, e->name);
      at += (ssize_t)(sizeof *e + e->len);
    }
  }
}

void launch_trail_wait(launch_trail *trail, int fd, int pause_ms) {
  struct pollfd polls[2] = {{.fd = fd, .events = POLLIN},
                            {.fd = -1, .events = POLLIN}};
  if (trail != NULL)
    polls[1].fd = trail->news;
  if (poll(polls, 2, pause_ms) > 0 && polls[1].revents)
    read_news(trail);
}

void launch_trail_ended(launch_trail *trail, int killed) {
  if (trail == NULL || trail->news < 0)
    return;
  read_news(trail);
  trail->before_end = killed ? 0 : trail->count;
}

/* ---- afterwards ---- */

void launch_trail_close(launch_trail *trail) {
  if (trail == NULL)
    return;
  if (trail->news >= 0)
    close(trail->news);
  if (cairn_exec__trail_read(trail->folder, &trail->read) != CAIRN_OK)
    trail->read = NULL;
  remove_folder(trail->folder);
  unsetenv(CAIRN_EXEC_TRAIL);
}

void launch_trail_free(launch_trail *trail) {
  if (trail == NULL)
    return;
  cairn_exec__trail_free(trail->read);
  cairn_base_free(trail->gone);
  cairn_base_free(trail);
}

const cairn_exec_trail *launch_trail_read(const launch_trail *trail) {
  return trail != NULL ? trail->read : NULL;
}

/* When a rank has gone, 1 first; 0: after the launcher. */
static size_t turn_of(const launch_trail *trail, int rank) {
  for (size_t i = 0; i < trail->before_end; i++)
    if (trail->gone[i] == rank)
      return i + 1;
  return 0;
}

int launch_trail_died(const launch_trail *trail, size_t i) {
  const cairn_exec_stand me = cairn_exec__trail_stand(trail->read, i);
  const size_t ranks = cairn_exec__trail_ranks(trail->read);
  const size_t mine = turn_of(trail, me.rank);
  /* ranks of other hosts may have gone earlier, unseen */
  const int sure = mine > 0 && ranks == (size_t)me.ranks;
  for (size_t j = 0; j < ranks; j++) {
    const cairn_exec_stand other = cairn_exec__trail_stand(trail->read, j);
    const size_t turn = turn_of(trail, other.rank);
    if (!other.closed && mine > 0 && turn > 0 && turn < mine)
      return 0; /* a consequence */
  }
  return !me.closed && (me.signal != 0 || sure);
}

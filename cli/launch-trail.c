/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/launch-trail.c - the folder in which ranks leave where they stand
 * (<cairn/exec-trail.h>), one for each attempt.
 *
 * Each rank holds a pipe there that hangs up when it dies.  A launcher ends
 * the other ranks some milliseconds after the first has died, so the pipe
 * that hangs up first, alone, is that of the one that died by itself.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch.h"

enum { FIRST = 2 }; /* of the lives in polls */

typedef struct life {
  int rank, fd; /* fd -1: gone */
  unsigned turn; /* when it had gone: 1 first; 0: not yet */
} life;

struct launch_trail {
  char folder[PATH_MAX];
  int news; /* inotify's, of the folder */
  life *lives;
  size_t count, capacity;
  struct pollfd *polls; /* the caller's, the news', and of each life */
  size_t poll_capacity;
  unsigned turns;
  int lost; /* the launcher went before the ranks */
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
    inotify_add_watch(trail->news, trail->folder, IN_CREATE);
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

static int knows(const launch_trail *trail, int rank) {
  for (size_t i = 0; i < trail->count; i++)
    if (trail->lives[i].rank == rank)
      return 1;
  return 0;
}

static void add_life(launch_trail *trail, int folder, const char *name) {
  int rank;
  if (sscanf(name, CAIRN_EXEC_TRAIL_ALIVE, &rank) != 1 || knows(trail, rank) ||
      cairn_base_reserve(&trail->lives, &trail->capacity, trail->count + 1,
                         sizeof *trail->lives) != CAIRN_OK ||
      cairn_base_reserve(&trail->polls, &trail->poll_capacity,
                         trail->count + FIRST + 1, sizeof *trail->polls) != CAIRN_OK)
    return;
  const int fd = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd >= 0)
    trail->lives[trail->count++] = (life){.rank = rank, .fd = fd};
}

/* Ranks that have come since the last look. */
static void look_for_more(launch_trail *trail) {
  char events[4096];
  while (trail->news >= 0 && read(trail->news, events, sizeof events) > 0)
    ;
  DIR *entries = opendir(trail->folder);
  const struct dirent *entry;
  while (entries && (entry = readdir(entries)) != NULL)
    add_life(trail, dirfd(entries), entry->d_name);
  if (entries)
    closedir(entries);
}

static int has_gone(pid_t child) {
  siginfo_t info = {0};
  return waitid(P_PID, (id_t)child, &info, WEXITED | WNOHANG | WNOWAIT) != 0 ||
         info.si_pid != 0;
}

/* All that have gone since the last time have gone at once. */
static void note_gone(launch_trail *trail, pid_t child) {
  unsigned turn = 0;
  for (size_t i = 0; i < trail->count; i++) {
    life *l = trail->lives + i;
    if (l->fd < 0 || !(trail->polls[i + FIRST].revents & (POLLHUP | POLLERR)))
      continue;
    turn = turn ? turn : ++trail->turns;
    l->turn = turn;
    close(l->fd);
    l->fd = -1;
  }
  if (turn == 1 && has_gone(child))
    trail->lost = 1;
}

void launch_trail_wait(launch_trail *trail, int fd, int pause_ms, pid_t child) {
  struct pollfd few[FIRST] = {{.fd = fd, .events = POLLIN},
                              {.fd = -1, .events = POLLIN}};
  if (trail == NULL) {
    poll(few, 1, pause_ms);
    return;
  }
  few[1].fd = trail->news;
  struct pollfd *const polls = trail->count > 0 ? trail->polls : few;
  memcpy(polls, few, sizeof few);
  for (size_t i = 0; i < trail->count; i++)
    polls[i + FIRST] = (struct pollfd){.fd = trail->lives[i].fd};
  const int ready = poll(polls, (nfds_t)(trail->count + FIRST), pause_ms);
  if (ready > 0)
    note_gone(trail, child);
  if (trail->news < 0 || (ready > 0 && polls[1].revents))
    look_for_more(trail);
}

/* ---- afterwards ---- */

void launch_trail_close(launch_trail *trail, pid_t child) {
  if (trail == NULL)
    return;
  launch_trail_wait(trail, -1, 0, child); /* those who went last */
  if (trail->news >= 0)
    close(trail->news);
  if (cairn_exec_trail_read(trail->folder, &trail->read) != CAIRN_OK)
    trail->read = NULL;
  remove_folder(trail->folder);
  unsetenv(CAIRN_EXEC_TRAIL);
}

void launch_trail_free(launch_trail *trail) {
  if (trail == NULL)
    return;
  for (size_t i = 0; i < trail->count; i++)
    if (trail->lives[i].fd >= 0)
      close(trail->lives[i].fd);
  cairn_exec_trail_free(trail->read);
  cairn_base_free(trail->lives);
  cairn_base_free(trail->polls);
  cairn_base_free(trail);
}

const cairn_exec_trail *launch_trail_read(const launch_trail *trail) {
  return trail != NULL ? trail->read : NULL;
}

/* When a rank has gone; 0: nobody saw it. */
static unsigned turn_of(const launch_trail *trail, int rank) {
  for (size_t i = 0; i < trail->count; i++)
    if (trail->lives[i].rank == rank)
      return trail->lives[i].turn;
  return 0;
}

int launch_trail_died(const launch_trail *trail, size_t i) {
  const cairn_exec_stand me = cairn_exec_trail_stand(trail->read, i);
  const size_t ranks = cairn_exec_trail_ranks(trail->read);
  const unsigned mine = turn_of(trail, me.rank);
  /* ranks of other hosts may have gone earlier, unseen */
  int sure = mine > 0 && !trail->lost && ranks == (size_t)me.ranks;
  for (size_t j = 0; j < ranks; j++) {
    const cairn_exec_stand other = cairn_exec_trail_stand(trail->read, j);
    const unsigned turn = turn_of(trail, other.rank);
    if (j == i || other.closed)
      continue;
    if (mine > 0 && turn > 0 && turn < mine)
      return 0; /* a consequence */
    sure = sure && turn > mine;
  }
  return !me.closed && (me.signal != 0 || sure);
}

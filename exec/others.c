/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/others.c - who else is busy on our processors?  From /proc: the time
 * that each process has used since the last look.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Less than this share of a processor is not busy; all together less than that
 * is nobody. */
static const double BUSY = 0.2;

typedef struct process {
  int64_t pid;
  uint64_t ticks; /* used so far, by all its threads */
  int here;       /* it may run on our CPUs */
  char name[20];
} process;

struct cairn_exec_census {
  process *last, *now; /* sorted by pid */
  size_t last_count, last_capacity, now_count, now_capacity;
  int64_t at_ns;
};

struct cairn_exec_census *cairn_exec__census_create(void) {
  return cairn_base_zalloc(1, sizeof(struct cairn_exec_census));
}

void cairn_exec__census_free(struct cairn_exec_census *census) {
  if (census == NULL)
    return;
  cairn_base_free(census->last);
  cairn_base_free(census->now);
  cairn_base_free(census);
}

/* "pid (name) state ppid ...": fields 14 and 15 are the times; a name may hold
 * anything, so the last ")" counts.  0: gone, or not understood. */
static int parse(char *text, process *p) {
  unsigned long long user, system;
  char *open = strchr(text, '('), *end = strrchr(text, ')');
  if (open == NULL || end == NULL || end < open)
    return 0;
  *end = '\0';
  if (sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %llu %llu",
             &user, &system) != 2)
    return 0;
  p->ticks = user + system;
  snprintf(p->name, sizeof p->name, "%s", open + 1);
  for (char *c = p->name; *c; c++) /* it goes to a terminal */
    if (*c < 32 || *c > 126)
      *c = '?';
  return 1;
}

static int read_process(const char *pid, const cpu_set_t *ours, process *p) {
  char path[64], text[512];
  cpu_set_t both;
  snprintf(path, sizeof path, "/proc/%.20s/stat", pid);
  FILE *file = fopen(path, "re");
  if (file == NULL)
    return 0;
  const size_t n = fread(text, 1, sizeof text - 1, file);
  fclose(file);
  text[n] = '\0';
  p->pid = strtoll(pid, NULL, 10);
  if (!parse(text, p))
    return 0;
  if (sched_getaffinity((pid_t)p->pid, sizeof both, &both) != 0)
    return 0;
  CPU_AND(&both, &both, ours);
  p->here = CPU_COUNT(&both) > 0;
  return 1;
}

static int by_pid(const void *a, const void *b) {
  const process *x = a, *y = b;
  return x->pid < y->pid ? -1 : x->pid > y->pid;
}

static void list(struct cairn_exec_census *c, const cpu_set_t *ours) {
  DIR *folder = opendir("/proc");
  c->now_count = 0;
  for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;) {
    if (e->d_name[0] < '0' || e->d_name[0] > '9' ||
        cairn_base_reserve(&c->now, &c->now_capacity, c->now_count + 1,
                           sizeof *c->now) != CAIRN_OK)
      continue;
    c->now_count +=
        (size_t)read_process(e->d_name, ours, c->now + c->now_count);
  }
  if (folder != NULL)
    closedir(folder);
  if (c->now_count > 0)
    qsort(c->now, c->now_count, sizeof *c->now, by_pid);
}

static int is_ours(const int64_t *pid, size_t count, int64_t one) {
  for (size_t i = 0; i < count; i++)
    if (pid[i] == one)
      return 1;
  return 0;
}

/* Sums up what busy strangers used in so many seconds. */
static void compare(const struct cairn_exec_census *c, const int64_t *pid,
                    size_t count, double seconds, cairn_exec_look *look) {
  const double tick_s = 1.0 / (double)sysconf(_SC_CLK_TCK);
  double most = 0;
  for (size_t i = 0; i < c->now_count; i++) {
    const process *p = c->now + i;
    const process *old = c->last_count == 0 ? NULL
                                            : bsearch(p, c->last, c->last_count,
                                                      sizeof *p, by_pid);
    if (old == NULL || !p->here || p->ticks < old->ticks ||
        is_ours(pid, count, p->pid))
      continue;
    const double used = (double)(p->ticks - old->ticks) * tick_s / seconds;
    if (used < BUSY)
      continue;
    look->strangers++;
    look->stranger += used;
    if (used > most) {
      most = used;
      snprintf(look->strangest, sizeof look->strangest, "%s (pid %lld)",
               p->name, (long long)p->pid);
    }
  }
}

void cairn_exec__census_read(struct cairn_exec_census *c, const int64_t *pid,
                             size_t count, const cpu_set_t *ours, double own,
                             cairn_exec_look *look) {
  const int64_t now = cairn_base__now_ns();
  const double seconds = 1e-9 * (double)(now - c->at_ns);
  list(c, ours);
  if (c->at_ns != 0 && seconds > 0)
    compare(c, pid, count, seconds, look);
  if (look->stranger + own <= CPU_COUNT(ours)) {
    look->strangers = 0; /* there is room for all */
    look->stranger = 0;
    look->strangest[0] = '\0';
  }
  process *spare = c->last;
  const size_t capacity = c->last_capacity;
  c->last = c->now;
  c->last_count = c->now_count;
  c->last_capacity = c->now_capacity;
  c->now = spare;
  c->now_capacity = capacity;
  c->at_ns = now;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/watchdog.c - a thread on each rank that notices when nothing moves.
 *
 * It looks at this rank's progress a few times in the limit of the current
 * phase.  No change for that long: the rank prints one line (write(2), no
 * stdio, no malloc) that says for how long, where it stands and what its
 * streams run, and raises `fired` on the board of its host, so that the other
 * ranks print theirs at once.  Rank 0 then tells the application (on_hang,
 * from this thread), with the lines of all ranks that it can see, and ends the
 * job with MPI_Abort(75).  If rank 0 cannot, the other ranks do it after a
 * grace time; an alarm ends the process if even that hangs.
 *
 * Invariant: after `fired` nothing here waits without a limit.
 */
#include "exec/exec-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LOOKS 8 /* in a limit */
#define LOOK_MOST_NS 200000000
#define LOOK_LEAST_NS 5000000
#define LATE_LEAST_NS 50000000 /* a watchdog that wakes later than this */
#define GATHER_NS 400000000    /* for the other ranks to print their lines */
#define GRACE_NS 2000000000    /* for rank 0 to end the job */
#define ALARM_S 6              /* then the process ends itself */
#define JUMP_NS 1000000000     /* late by so much: this process did not run */
#define SUSPENDED 2            /* `fired`, without a hang */
#define SUSPENDED_MOST 12      /* times --watchdog that a rank may be stopped */

struct cairn_exec_watchdog {
  cairn_exec *exec;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  int stop;
  cairn_exec_progress last;
  int64_t since_ns;
  int64_t due_ns;           /* when it wakes next; atomic */
  int64_t late_ns, late_at; /* it last came so late, then; atomic */
  int64_t stopped_ns;       /* since when a rank is seen stopped; 0: none */
};

/* A copy of what a rank shows, field by field (its owner goes on writing). */
static cairn_exec_progress look(const cairn_exec_progress *p,
                                unsigned streams) {
  cairn_exec_progress copy = {0};
  copy.step = __atomic_load_n(&p->step, __ATOMIC_ACQUIRE);
  copy.id = __atomic_load_n(&p->id, __ATOMIC_RELAXED);
  copy.has_gpu = p->has_gpu;
  copy.phase = __atomic_load_n(&p->phase, __ATOMIC_RELAXED);
  copy.iteration = __atomic_load_n(&p->iteration, __ATOMIC_RELAXED);
  copy.item = __atomic_load_n(&p->item, __ATOMIC_RELAXED);
  copy.items = __atomic_load_n(&p->items, __ATOMIC_RELAXED);
  copy.limit_ns = __atomic_load_n(&p->limit_ns, __ATOMIC_RELAXED);
  for (unsigned s = 0; s < streams; s++)
    copy.running[s] = __atomic_load_n(&p->running[s], __ATOMIC_RELAXED);
  return copy;
}

/* ---- the lines ---- */

/* "rank 1: yl@0 runs (item 4 of 9), the host stands at CES#0 (item 6 of 9)".
 * All ranks execute the same schedule, so our items name theirs. */
static void describe(const cairn_exec *exec, int rank,
                     const cairn_exec_progress *p, char *text, size_t size) {
  const cairn_exec_book book = cairn_exec__book_of(exec);
  const size_t used = (size_t)snprintf(text, size, "rank %d: ", rank);
  if (used < size)
    cairn_exec__book_whereabouts(&book, p, text + used, size - used);
}

static void say(const cairn_exec *exec, const cairn_exec_progress *p,
                double still_s) {
  char where[512], what[64] = "", line[768];
  describe(exec, exec->place.rank, p, where, sizeof where);
  if (p->id != CAIRN_EXEC_NO_ID)
    snprintf(what, sizeof what, " in schedule %llu", (unsigned long long)p->id);
  int length = cairn_base_format(
      line, sizeof line,
      "cairn: hang: no progress for %.3g s (limit %.3g s)%s; %s\n", still_s,
      1e-9 * (double)p->limit_ns, what, where);
  if (length >= (int)sizeof line)
    length = (int)sizeof line - 1;
  const ssize_t written = write(STDERR_FILENO, line, (size_t)length);
  (void)written; /* there is nobody left to tell */
}

/* The culprits first: a rank that is in an op, not one that waits. */
static int is_suspect(const cairn_exec *exec, const cairn_exec_progress *p) {
  for (unsigned s = 0; s < exec->streams; s++)
    if (p->running[s])
      return 2;
  return p->phase == CAIRN_EXEC_PHASE_ITEM ||
         (p->phase >= CAIRN_EXEC_PHASE_SETUP &&
          p->phase <= CAIRN_EXEC_PHASE_VERIFY);
}

static void describe_all(const cairn_exec *exec, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (int level = 2; level >= 0; level--)
    for (int i = 0; i < exec->place.local_ranks && used < size; i++) {
      if (exec->board[i] == NULL)
        continue;
      const cairn_exec_progress p = look(exec->board[i], exec->streams);
      if (is_suspect(exec, &p) != level)
        continue;
      char one[512];
      describe(exec, cairn_exec__comm_local(exec->world, i), &p, one,
               sizeof one);
      used += (size_t)snprintf(text + used, size - used, "%s%s",
                               used ? "; " : "", one);
    }
}

/* ---- the end of the job ---- */

static void pause_ns(int64_t ns) {
  nanosleep(&(struct timespec){ns / 1000000000, (long)(ns % 1000000000)}, NULL);
}

static void tell(const cairn_exec *exec, const cairn_exec_progress *p) {
  char text[2048];
  cairn_exec_hang hang = {.id = p->id, .message = text};
  describe_all(exec, text, sizeof text);
  if (exec->options.on_hang)
    exec->options.on_hang(exec->options.context, &hang);
}

/* The last op that the host has issued to a stream, item + 1; 0: none. */
static uint32_t last_issued(const cairn_exec *exec,
                            const cairn_exec_progress *p, unsigned stream) {
  const uint32_t count = (uint32_t)exec->flat.item_count;
  uint32_t last = 0;
  for (uint32_t i = 0; exec->flat.items != NULL && i < count; i++) {
    const cairn_dag_item item = exec->flat.items[i];
    if (p->phase == CAIRN_EXEC_PHASE_ITEM && i >= p->item && last > 0)
      break; /* else: of the iteration before */
    if (item.kind == CAIRN_DAG_ITEM_GPU && item.stream == stream)
      last = i + 1;
  }
  return last;
}

/* A backend that cannot see which op runs sees which streams have work left:
 * the last op issued there stands for it. */
static void mark_busy(const cairn_exec *exec, const cairn_exec_progress *p) {
  if (!exec->backend->has_gpu || exec->backend->busy == NULL ||
      exec->platform == NULL || p->id == CAIRN_EXEC_NO_ID)
    return;
  for (unsigned s = 0; s < exec->streams; s++)
    if (exec->backend->busy(exec->platform, s))
      __atomic_store_n(&exec->progress->running[s], last_issued(exec, p, s),
                       __ATOMIC_RELAXED);
}

static void end_job(const cairn_exec *exec, const cairn_exec_progress *p,
                    double still_s) {
  signal(SIGALRM, SIG_DFL);
  sigset_t alarm_set;
  sigemptyset(&alarm_set);
  sigaddset(&alarm_set, SIGALRM);
  pthread_sigmask(SIG_UNBLOCK, &alarm_set, NULL);
  alarm(ALARM_S);
  mark_busy(exec, p);
  const cairn_exec_progress marked = look(exec->progress, exec->streams);
  __atomic_store_n(&exec->progress->fired, 1, __ATOMIC_RELEASE);
  say(exec, &marked, still_s);
  pause_ns(GATHER_NS);
  if (exec->place.rank == 0)
    tell(exec, p);
  else
    pause_ns(GRACE_NS);
  cairn_exec__world_abort(exec->world,
                          cairn_base_status_exit_code(CAIRN_RESUMABLE));
}

/* ---- suspended ranks ---- */

/* Is the process stopped, by a signal or a debugger? */
static int is_stopped(uint32_t pid) {
  char path[32], text[512];
  snprintf(path, sizeof path, "/proc/%lu/stat", (unsigned long)pid);
  const int fd = open(path, O_RDONLY | O_CLOEXEC);
  const ssize_t length = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
  if (fd >= 0)
    close(fd);
  if (length <= 0)
    return 0;
  text[length] = '\0';
  const char *after = strrchr(text, ')'); /* of the name */
  return after && after[1] == ' ' && (after[2] == 'T' || after[2] == 't');
}

/* Local rank that is stopped, or -1. */
static int stopped_rank(const cairn_exec *exec) {
  for (int i = 0; i < exec->place.local_ranks; i++) {
    const cairn_exec_progress *p = exec->board[i];
    if (p && p->pid && is_stopped(p->pid))
      return i;
  }
  return -1;
}

/* A rank that does not run at all is no hang of the schedule: the limit
 * begins anew as long as one is stopped.  For ever is too long, though: then
 * the job ends, and nobody is told of a hang. */
static void end_suspended(const cairn_exec *exec, int local) {
  char line[160];
  int length = snprintf(
      line, sizeof line,
      "cairn: rank %d has been stopped (suspended) for %.3g s; the job ends, "
      "--resume goes on\n",
      cairn_exec__comm_local(exec->world, local),
      SUSPENDED_MOST * exec->options.hang_s);
  const ssize_t written = write(STDERR_FILENO, line, (size_t)length);
  (void)written; /* there is nobody left to tell */
  __atomic_store_n(&exec->progress->fired, SUSPENDED, __ATOMIC_RELEASE);
  cairn_exec__world_abort(exec->world,
                          cairn_base_status_exit_code(CAIRN_RESUMABLE));
}

static void look_at_suspended(cairn_exec_watchdog *dog, int64_t time,
                              int64_t limit) {
  const cairn_exec *exec = dog->exec;
  if (dog->due_ns > 0 && time - dog->due_ns > JUMP_NS)
    dog->since_ns = time; /* it was this rank */
  if (limit <= 0 || time - dog->since_ns < limit / 2)
    return;
  const int local = stopped_rank(exec);
  if (local < 0) {
    dog->stopped_ns = 0;
    return;
  }
  dog->since_ns = time;
  if (dog->stopped_ns == 0)
    dog->stopped_ns = time;
  if (1e-9 * (double)(time - dog->stopped_ns) >
      SUSPENDED_MOST * exec->options.hang_s)
    end_suspended(exec, local);
}

/* ---- looking ---- */

static int others_fired(const cairn_exec *exec) {
  for (int i = 0; i < exec->place.local_ranks; i++) {
    const cairn_exec_progress *p = exec->board[i];
    if (p && __atomic_load_n(&p->fired, __ATOMIC_ACQUIRE) == 1)
      return 1;
  }
  return 0;
}

/* One look; returns how long to sleep until the next. */
static int64_t watch(cairn_exec_watchdog *dog) {
  const cairn_exec *exec = dog->exec;
  const cairn_exec_progress now = look(exec->progress, exec->streams);
  const int64_t time = cairn_base__now_ns();
  if (memcmp(&now, &dog->last, sizeof now) != 0) {
    dog->last = now;
    dog->since_ns = time;
    dog->stopped_ns = 0;
  }
  const int64_t limit = (int64_t)now.limit_ns;
  look_at_suspended(dog, time, limit);
  const int64_t still = time - dog->since_ns;
  if (others_fired(exec) || (limit > 0 && still >= limit))
    end_job(exec, &now, 1e-9 * (double)still);
  int64_t pause = limit > 0 ? limit / LOOKS : LOOK_MOST_NS;
  if (limit > 0 && pause > limit - still)
    pause = limit - still;
  if (pause > LOOK_MOST_NS)
    pause = LOOK_MOST_NS;
  return pause < LOOK_LEAST_NS ? LOOK_LEAST_NS : pause;
}

/* Who wakes much too late was not running: the whole rank, most likely. */
static void note_lateness(cairn_exec_watchdog *dog) {
  const int64_t now = cairn_base__now_ns(), late = now - dog->due_ns;
  if (late < LATE_LEAST_NS)
    return;
  __atomic_store_n(&dog->late_ns, late, __ATOMIC_RELAXED);
  __atomic_store_n(&dog->late_at, now, __ATOMIC_RELEASE);
}

int64_t cairn_exec__watchdog_overdue(const cairn_exec *exec, int64_t since_ns) {
  const cairn_exec_watchdog *dog = exec->watchdog;
  if (dog == NULL)
    return 0;
  /* awake or not by now, one of the two tells */
  const int64_t due = __atomic_load_n(&dog->due_ns, __ATOMIC_ACQUIRE);
  const int64_t late = due > 0 ? cairn_base__now_ns() - due : 0;
  if (__atomic_load_n(&dog->late_at, __ATOMIC_ACQUIRE) < since_ns)
    return late > 0 ? late : 0;
  const int64_t was = __atomic_load_n(&dog->late_ns, __ATOMIC_RELAXED);
  return was > late ? was : late;
}

static void *run(void *argument) {
  cairn_exec_watchdog *dog = argument;
  pthread_mutex_lock(&dog->mutex);
  while (!dog->stop) {
    const int64_t until = cairn_base__now_ns() + watch(dog);
    __atomic_store_n(&dog->due_ns, until, __ATOMIC_RELEASE);
    const struct timespec when = {until / 1000000000,
                                  (long)(until % 1000000000)};
    pthread_cond_timedwait(&dog->wake, &dog->mutex, &when);
    note_lateness(dog);
  }
  pthread_mutex_unlock(&dog->mutex);
  return NULL;
}

/* ---- starting and stopping ---- */

static int start_thread(cairn_exec_watchdog *dog) {
  sigset_t all, before;
  sigfillset(&all); /* signals are for the control thread */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(&dog->thread, NULL, run, dog);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code == 0)
    pthread_setname_np(dog->thread, "cairn-watch");
  return code;
}

cairn_status cairn_exec__watchdog_start(cairn_exec *exec,
                                        cairn_base_diag *diag) {
  if (exec->options.hang_s <= 0)
    return CAIRN_OK;
  cairn_exec_watchdog *dog = cairn_base_zalloc(1, sizeof *dog);
  if (dog == NULL)
    return CAIRN_NOMEM;
  dog->exec = exec;
  dog->since_ns = cairn_base__now_ns();
  pthread_condattr_t attributes;
  pthread_condattr_init(&attributes);
  pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
  pthread_cond_init(&dog->wake, &attributes);
  pthread_condattr_destroy(&attributes);
  pthread_mutex_init(&dog->mutex, NULL);
  const int code = start_thread(dog);
  if (code) {
    cairn_base_diag_error(diag, "cannot start the watchdog: %s",
                          strerror(code));
    pthread_cond_destroy(&dog->wake);
    pthread_mutex_destroy(&dog->mutex);
    cairn_base_free(dog);
    return CAIRN_ENV;
  }
  exec->watchdog = dog;
  return CAIRN_OK;
}

void cairn_exec__watchdog_stop(cairn_exec *exec) {
  cairn_exec_watchdog *dog = exec->watchdog;
  if (dog == NULL)
    return;
  pthread_mutex_lock(&dog->mutex);
  dog->stop = 1;
  pthread_cond_signal(&dog->wake);
  pthread_mutex_unlock(&dog->mutex);
  pthread_join(dog->thread, NULL);
  pthread_cond_destroy(&dog->wake);
  pthread_mutex_destroy(&dog->mutex);
  cairn_base_free(dog);
  exec->watchdog = NULL;
}

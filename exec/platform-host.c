/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/platform-host.c - streams and events without a GPU: each stream is a
 * worker thread with a ring of entries.
 *
 *    control thread                     worker thread of stream s
 *    put entry, tail++        ring      take entry number done, run it, done++
 *    ------------------->  [ | | | ]  ------------------->
 *
 * An event is just a place: (stream, tail at the time of the record).  It is
 * reached when that stream's done has come to it.  So a record costs no entry;
 * a wait by a stream is an entry that holds a copy of the place, and a later
 * record cannot change it; an event that was never recorded is place 0, which
 * is always reached.  That is CUDA's meaning.
 *
 * Invariants: tail is written by the control thread alone, done by the worker
 * alone; done <= tail <= done + ring size; a place waited for was in the past
 * when the wait was issued, so waits cannot form a cycle.
 */
#include "base/clock-private.h"
#include "exec/platform-private.h"
#include <cairn/exec.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#define SPIN_TURNS 2000 /* about 20 us; only when cores are to spare */
#define CACHE_LINE 64

typedef struct spot {
  struct stream *stream; /* NULL: never recorded */
  uint64_t number;
} spot;

typedef struct entry {
  const cairn_exec_call *call; /* NULL: wait for the place */
  spot until;
} entry;

/* Where threads sleep until a counter has moved. */
typedef struct bed {
  pthread_mutex_t mutex;
  pthread_cond_t moved;
  int sleepers; /* how many are, or are about to be, asleep */
} bed;

typedef struct stream {
  _Alignas(CACHE_LINE) uint64_t tail; /* entries put in */
  bed work;                           /* the worker sleeps here */
  _Alignas(CACHE_LINE) uint64_t done; /* entries completed */
  bed rest;                           /* those who wait for done sleep here */
  entry *ring;                        /* size: platform->ring */
  pthread_t thread;
  int started;
  unsigned number;
  struct cairn_exec_platform *platform;
} stream;

struct cairn_exec_platform {
  stream *streams; /* at a cache line inside memory */
  void *memory;
  unsigned count;
  size_t ring; /* a power of two */
  spot *events;
  size_t event_count;
  int spin;
  int stop;
  cairn_exec_fault *fault;
  cairn_exec_span *spans;
  uint32_t *running;
};

/* ---- counters and sleep ---- */

static uint64_t load(const uint64_t *counter) {
  return __atomic_load_n(counter, __ATOMIC_ACQUIRE);
}

static void bed_init(bed *b) {
  pthread_mutex_init(&b->mutex, NULL);
  pthread_cond_init(&b->moved, NULL);
}

static void bed_destroy(bed *b) {
  pthread_mutex_destroy(&b->mutex);
  pthread_cond_destroy(&b->moved);
}

/* Sleeps until *counter >= number or *stop. */
static void await(const cairn_exec_platform *platform, bed *b,
                  const uint64_t *counter, uint64_t number, const int *stop) {
  for (unsigned turn = platform->spin ? SPIN_TURNS : 1; turn > 0; turn--) {
    if (load(counter) >= number)
      return;
#if defined __x86_64__ || defined __i386__
    __builtin_ia32_pause();
#endif
  }
  pthread_mutex_lock(&b->mutex);
  /* seq_cst here and in wake: either we see the counter move, or the mover
   * sees the sleeper */
  __atomic_add_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
  while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < number &&
         !(stop && __atomic_load_n(stop, __ATOMIC_ACQUIRE)))
    pthread_cond_wait(&b->moved, &b->mutex);
  __atomic_sub_fetch(&b->sleepers, 1, __ATOMIC_SEQ_CST);
  pthread_mutex_unlock(&b->mutex);
}

/* Moves a counter and wakes those who sleep on it. */
static void move(bed *b, uint64_t *counter, uint64_t number) {
  __atomic_store_n(counter, number, __ATOMIC_SEQ_CST);
  if (__atomic_load_n(&b->sleepers, __ATOMIC_SEQ_CST) == 0)
    return;
  pthread_mutex_lock(&b->mutex);
  pthread_cond_broadcast(&b->moved);
  pthread_mutex_unlock(&b->mutex);
}

static void await_place(const cairn_exec_platform *platform, spot until) {
  if (until.stream)
    await(platform, &until.stream->rest, &until.stream->done, until.number,
          NULL);
}

/* ---- the worker ---- */

static void run_call(stream *s, const cairn_exec_call *call) {
  cairn_exec_platform *platform = s->platform;
  cairn_exec_span *span = platform->spans ? platform->spans + call->item : NULL;
  __atomic_store_n(&platform->running[s->number], call->item + 1,
                   __ATOMIC_RELAXED);
  if (span)
    span->start_s = cairn_base__now_s();
  const int code = call->run(call->state, call->arg, NULL);
  if (span)
    span->stop_s = cairn_base__now_s();
  if (code)
    cairn_exec_fault_note(platform->fault, call->item, code);
  __atomic_store_n(&platform->running[s->number], 0, __ATOMIC_RELAXED);
}

static void *work(void *argument) {
  stream *s = argument;
  cairn_exec_platform *platform = s->platform;
  for (uint64_t next = 0;; next++) {
    await(platform, &s->work, &s->tail, next + 1, &platform->stop);
    if (load(&s->tail) <= next)
      return NULL; /* stopped */
    const entry e = s->ring[next & (platform->ring - 1)];
    if (e.call)
      run_call(s, e.call);
    else
      await_place(platform, e.until);
    move(&s->rest, &s->done, next + 1);
  }
}

/* ---- the calls ---- */

static void put(cairn_exec_platform *platform, stream *s, entry e) {
  const uint64_t tail = s->tail;
  if (tail - load(&s->done) >= platform->ring) /* full: as CUDA, wait */
    await(platform, &s->rest, &s->done, tail - platform->ring + 1, NULL);
  s->ring[tail & (platform->ring - 1)] = e;
  move(&s->work, &s->tail, tail + 1);
}

static int host_launch(cairn_exec_platform *platform, unsigned number,
                       const cairn_exec_call *call) {
  put(platform, platform->streams + number, (entry){.call = call});
  return 0;
}

static int host_record(cairn_exec_platform *platform, unsigned event,
                       unsigned number) {
  stream *s = platform->streams + number;
  platform->events[event] = (spot){s, s->tail};
  return 0;
}

static int host_sync_event(cairn_exec_platform *platform, unsigned event) {
  await_place(platform, platform->events[event]);
  return 0;
}

static int host_wait_event(cairn_exec_platform *platform, unsigned number,
                           unsigned event) {
  stream *s = platform->streams + number;
  const spot until = platform->events[event];
  if (until.stream && until.stream != s &&
      load(&until.stream->done) < until.number)
    put(platform, s, (entry){.until = until});
  return 0;
}

static int host_join(cairn_exec_platform *platform) {
  for (unsigned i = 0; i < platform->count; i++)
    await_place(platform,
                (spot){platform->streams + i, platform->streams[i].tail});
  return 0;
}

static int host_trace(cairn_exec_platform *platform, cairn_exec_span *spans) {
  host_join(platform);
  platform->spans = spans; /* seen by the workers with the next tail */
  return 0;
}

static int host_busy(cairn_exec_platform *platform, unsigned number) {
  const stream *s = platform->streams + number;
  return load(&s->done) < load(&s->tail);
}

static void host_error_text(cairn_exec_platform *platform, int code, char *text,
                            size_t size) {
  (void)platform;
  snprintf(text, size, "host error %d", code);
}

static const char *host_device(cairn_exec_platform *platform) {
  (void)platform;
  return "host";
}

static const char *host_driver(cairn_exec_platform *platform) {
  (void)platform;
  return "";
}

static int host_available(const cairn_exec_place *place, char *reason,
                          size_t size) {
  (void)place;
  snprintf(reason, size, "always there: streams are threads");
  return 1;
}

/* ---- making and freeing ---- */

static size_t power_of_two(size_t least) {
  size_t size = 64;
  while (size < least)
    size *= 2;
  return size;
}

static int start_worker(stream *s) {
  static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  sigset_t all, before;
  char name[16];
  sigfillset(&all); /* signals are for the control thread */
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
    sigdelset(&all, faults[i]); /* but an op's own may have a handler */
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int code = pthread_create(&s->thread, NULL, work, s);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (code)
    return code;
  s->started = 1;
  snprintf(name, sizeof name, "cairn-s%u", s->number % 100);
  pthread_setname_np(s->thread, name);
  return 0;
}

static void host_destroy(cairn_exec_platform *platform) {
  if (platform == NULL)
    return;
  __atomic_store_n(&platform->stop, 1, __ATOMIC_RELEASE);
  for (unsigned i = 0; i < platform->count; i++) {
    stream *s = platform->streams + i;
    if (s->started) {
      move(&s->work, &s->tail, s->tail); /* look again: stop is set */
      pthread_join(s->thread, NULL);
    }
    bed_destroy(&s->work);
    bed_destroy(&s->rest);
    cairn_base_free(s->ring);
  }
  cairn_base_free(platform->memory);
  cairn_base_free(platform->events);
  cairn_base_free(platform);
}

static cairn_status host_reserve(cairn_exec_platform *platform, size_t events,
                                 size_t items, cairn_base_diag *diag) {
  (void)items; /* a full ring only makes the control thread wait */
  (void)diag;
  const size_t had = platform->event_count;
  size_t capacity = had;
  const cairn_status status =
      cairn_base_reserve(&platform->events, &capacity, events, sizeof(spot));
  if (status)
    return status;
  for (size_t i = had; i < capacity; i++)
    platform->events[i] = (spot){NULL, 0};
  platform->event_count = capacity;
  return CAIRN_OK;
}

static cairn_status make_streams(cairn_exec_platform *platform,
                                 cairn_base_diag *diag) {
  for (unsigned i = 0; i < platform->count; i++) {
    stream *s = platform->streams + i;
    s->number = i;
    s->platform = platform;
    s->ring = cairn_base_zalloc(platform->ring, sizeof *s->ring);
    if (s->ring == NULL)
      return CAIRN_NOMEM;
  }
  for (unsigned i = 0; i < platform->count; i++) {
    const int code = start_worker(platform->streams + i);
    if (code) {
      cairn_base_diag_error(diag, "cannot start the thread of stream %u: %s", i,
                            strerror(code));
      return CAIRN_ENV;
    }
  }
  return CAIRN_OK;
}

static cairn_status host_create(const cairn_exec_platform_config *config,
                                cairn_base_diag *diag,
                                cairn_exec_platform **platform_p) {
  cairn_exec_platform *platform = cairn_base_zalloc(1, sizeof *platform);
  if (platform == NULL)
    return CAIRN_NOMEM;
  platform->spin = config->spare_cores;
  platform->fault = config->fault;
  platform->running = config->running;
  platform->ring = power_of_two(2 * config->items);
  platform->memory = cairn_base_zalloc(config->streams + 1, sizeof(stream));
  if (platform->memory == NULL) {
    host_destroy(platform);
    return CAIRN_NOMEM;
  }
  platform->streams =
      (stream *)(((uintptr_t)platform->memory + CACHE_LINE - 1) &
                 ~(uintptr_t)(CACHE_LINE - 1));
  platform->count = config->streams;
  for (unsigned i = 0; i < platform->count; i++) {
    bed_init(&platform->streams[i].work);
    bed_init(&platform->streams[i].rest);
  }
  cairn_status status = host_reserve(platform, config->events, 0, diag);
  if (status == CAIRN_OK)
    status = make_streams(platform, diag);
  if (status) {
    host_destroy(platform);
    return status;
  }
  *platform_p = platform;
  return CAIRN_OK;
}

const cairn_exec_backend cairn_exec__backend_host = {
    .name = "host",
    .description = "emulated streams: a thread and a queue each",
    .has_gpu = 0,
    .available = host_available,
    .create = host_create,
    .destroy = host_destroy,
    .reserve = host_reserve,
    .launch = host_launch,
    .record = host_record,
    .sync_event = host_sync_event,
    .wait_event = host_wait_event,
    .join = host_join,
    .error_text = host_error_text,
    .error_fatal = NULL,
    .trace = host_trace,
    .busy = host_busy,
    .device = host_device,
    .driver = host_driver,
};

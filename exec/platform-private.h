/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/platform-private.h - streams and events behind one interface: what a
 * backend is.  Internal to exec.  Backends: platform-host.c (always built, the
 * one to copy from) and platform-cuda.c; the table is in platform.c.
 *
 * One platform object a rank, used by the control thread alone.  Streams are
 * numbered 0..streams-1, events 0..events-1.  Everything is made in create and
 * reserve; no other call may allocate, create or load anything, because they
 * stand in timed code.
 *
 * Meaning of the calls, on every backend that of CUDA:
 *   launch      puts a call at the end of a stream and returns.  cuda: runs
 *               call->run(call->state, call->arg, stream) at once on the
 *               control thread, and that enqueues the work.  host: the
 *               stream's worker thread runs it, with stream NULL.
 *   record      the event now stands for all work in the stream so far; an
 *               earlier meaning of the event is replaced.
 *   sync_event  the host waits until the latest record of the event is
 *               reached; returns at once if it was never recorded.
 *   wait_event  work put into the stream from now on starts after the latest
 *               record made up to now; a later record does not change that;
 *               nothing happens if the event was never recorded.
 *   join        the host waits until all streams are empty.
 *
 * Failures: a call returns 0, or the backend's own error code, which
 * error_text explains.  An op function that fails is no failure of the
 * platform: it is noted with cairn_exec_fault_note, from whatever thread, and
 * the stream goes on, so that peers that wait for this rank are not left
 * waiting.
 */
#ifndef CAIRN_EXEC_PLATFORM_PRIVATE_H
#define CAIRN_EXEC_PLATFORM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>
#include <cairn/exec.h>
#include <cairn/op.h>

/* One op as it is run: resolved once when a schedule is prepared. */
typedef struct cairn_exec_call {
  int (*run)(void *state, const char *arg, void *stream);
  void *state;
  const char *arg;
  uint32_t item; /* position in the schedule, for fault, span and progress */
} cairn_exec_call;

/* The first op that failed in an execution, whichever thread saw it. */
typedef struct cairn_exec_fault {
  uint64_t first; /* 0: none; else (item + 1) << 32 | code, set once */
} cairn_exec_fault;

static inline void cairn_exec_fault_note(cairn_exec_fault *fault, uint32_t item,
                                         int code) {
  uint64_t none = 0;
  const uint64_t mine = ((uint64_t)item + 1) << 32 | (uint32_t)code;
  __atomic_compare_exchange_n(&fault->first, &none, mine, 0, __ATOMIC_RELAXED,
                              __ATOMIC_RELAXED);
}

/* When an op ran on its stream: seconds on CLOCK_MONOTONIC. */
typedef struct cairn_exec_span {
  double start_s, stop_s;
} cairn_exec_span;

/* What a rank knows of its place. */
typedef struct cairn_exec_place {
  int rank, ranks;             /* of all */
  int local_rank, local_ranks; /* of those on this host */
  const unsigned long *cpus;   /* the CPUs that each local rank may run on:
                                  cpu_words words a rank, bit i of word w is
                                  CPU 8 * sizeof(long) * w + i; NULL: unknown */
  unsigned cpu_words;
} cairn_exec_place;

typedef struct cairn_exec_platform_config {
  cairn_exec_place place;
  unsigned streams;        /* 1..CAIRN_DAG_MAX_STREAMS */
  size_t events, items;    /* what schedules need at first: see reserve */
  int spare_cores;         /* 1: there are more cores than threads that run, so
                              waits may spin; 0: they must sleep */
  cairn_exec_fault *fault; /* where failing ops are noted */
  /* One a stream: item + 1 of the op that it runs now, 0 when idle; written
   * with relaxed atomic stores if the backend knows it (host does; cuda
   * leaves it 0), read by the watchdog. */
  uint32_t *running;
} cairn_exec_platform_config;

typedef struct cairn_exec_platform
    cairn_exec_platform; /* body: the backend's */

typedef struct cairn_exec_backend {
  const char *name, *description;
  /* The `gpu_aware` of op.h is CAIRN_OP_NO_GPU when 0. */
  int has_gpu;

  /* 1 if this rank can use it, else 0; why or why not, in words, in reason
   * (size bytes).  Cheap; called before create, on all ranks. */
  int (*available)(const cairn_exec_place *place, char *reason, size_t size);
  /* CAIRN_ENV or CAIRN_NOMEM with a message.  Chooses the device and makes it
   * current on the calling (control) thread. */
  cairn_status (*create)(const cairn_exec_platform_config *config,
                         cairn_base_diag *diag,
                         cairn_exec_platform **platform_p);
  void (*destroy)(cairn_exec_platform *platform);
  /* Makes sure that there are at least so many events, and room for the spans
   * of so many items.  Nothing is in flight. */
  cairn_status (*reserve)(cairn_exec_platform *platform, size_t events,
                          size_t items, cairn_base_diag *diag);

  int (*launch)(cairn_exec_platform *platform, unsigned stream,
                const cairn_exec_call *call);
  int (*record)(cairn_exec_platform *platform, unsigned event, unsigned stream);
  int (*sync_event)(cairn_exec_platform *platform, unsigned event);
  int (*wait_event)(cairn_exec_platform *platform, unsigned stream,
                    unsigned event);
  int (*join)(cairn_exec_platform *platform);

  /* Text of an error code, "cudaErrorIllegalAddress: an illegal ..." */
  void (*error_text)(cairn_exec_platform *platform, int code, char *text,
                     size_t size);
  /* 1 when an error of this code leaves the process unusable (a sticky CUDA
   * error): the job then ends, resumable.  NULL: never. */
  int (*error_fatal)(cairn_exec_platform *platform, int code);

  /* Tracing: while on, spans[call->item] is filled for every op launched, at
   * the latest when join returns.  NULL spans: off.  spans belongs to the
   * caller; never on in timed samples.  Times are CLOCK_MONOTONIC. */
  int (*trace)(cairn_exec_platform *platform, cairn_exec_span *spans);
  /* For the watchdog, called from its thread while the control thread may be
   * stuck; NULL when unknown.  1 if the stream still has work. */
  int (*busy)(cairn_exec_platform *platform, unsigned stream);

  /* Name of the device ("NVIDIA H200", "host"), driver and runtime versions;
   * "" where unknown.  They belong to the platform. */
  const char *(*device)(cairn_exec_platform *platform);
  const char *(*driver)(cairn_exec_platform *platform);
  /* PCI address of the device ("0000:18:00.0"); "" unknown.  NULL: no GPU. */
  const char *(*bus)(cairn_exec_platform *platform);
} cairn_exec_backend;

extern const cairn_exec_backend cairn_exec__backend_host;
#ifdef CAIRN_HAVE_CUDA
extern const cairn_exec_backend cairn_exec__backend_cuda;
#endif

/* All backends built in, the preferred first; NULL ends the list. */
const cairn_exec_backend *const *cairn_exec__backends(void);
/* By name, or NULL. */
const cairn_exec_backend *cairn_exec__backend_find(const char *name);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec.h - front door of exec: running schedules on all ranks and timing
 * them.
 *
 * The way through: open a world (the ranks), open an executor for a program
 * (loads the plugin, makes streams and events), then rank 0 drives and the
 * others serve:
 *
 *   cairn_exec_world_open(NULL, diag, &world);
 *   cairn_exec_open(world, program, &options, diag, &exec);
 *   if (cairn_exec_world_rank(world) != 0)
 *     status = cairn_exec_serve(exec);               // returns what stop says
 *   else {
 *     cairn_exec_prepare(exec, id, items, count, diag);
 *     cairn_exec_measure(exec, id, &plan, &measure);
 *     cairn_exec_stop(exec, status);                 // releases the others
 *   }
 *   cairn_exec_close(exec);
 *   cairn_exec_world_close(world);
 *
 * Every call of rank 0 below is carried to all ranks and returns what all have
 * agreed on; no rank is left waiting.  Wrong numbers or a failing op are
 * results of a schedule (cairn_dag_outcome), not errors of the call.  A call
 * that returns an error other than CAIRN_USAGE or CAIRN_INPUT has left the
 * executor unusable: stop and close.
 *
 * Threads: all calls from the thread that opened the world.  GPU ops of
 * backend `host` run on threads of the executor.
 */
#ifndef CAIRN_EXEC_H
#define CAIRN_EXEC_H

#include <signal.h>

#include <cairn/dag.h>
#include <cairn/op.h>

#include "exec-campaign.h"
#include "exec-sample.h"
#include "exec-world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_exec cairn_exec;

/* ---- opening ---- */

typedef enum cairn_exec_start {
  CAIRN_EXEC_START_AUTO,     /* deadline if all ranks are on one host */
  CAIRN_EXEC_START_DEADLINE, /* a common instant on CLOCK_MONOTONIC */
  CAIRN_EXEC_START_BARRIER
} cairn_exec_start;

typedef enum cairn_exec_gpu_mpi {
  CAIRN_EXEC_GPU_MPI_AUTO,   /* device if the MPI library says that it can */
  CAIRN_EXEC_GPU_MPI_DEVICE, /* ops hand device pointers to MPI */
  CAIRN_EXEC_GPU_MPI_HOST    /* ops stage through host memory */
} cairn_exec_gpu_mpi;

/* What stands still when the watchdog fires. */
typedef struct cairn_exec_hang {
  uint64_t id;         /* of the schedule; UINT64_MAX: none (setup, ...) */
  const char *message; /* "rank 1 stands in yl@0 (item 4 of 9), ..." */
} cairn_exec_hang;

/* Start with cairn_exec_options_default. */
typedef struct cairn_exec_options {
  const char *backend; /* "host", "cuda"; NULL or "auto": the first that
                          all ranks can use */
  unsigned streams;    /* the most that a schedule uses; 0: the program's */
  cairn_exec_gpu_mpi gpu_mpi;
  cairn_exec_start start;
  /* The plugin: as struct (embedding), or NULL: loaded from the library that
   * the program names, looked for beside program_path (a file, or NULL), in
   * $CAIRN_PLUGIN_PATH, and where cairn is installed. */
  const cairn_op_plugin *plugin;
  const char *program_path;
  int allow_illegal; /* 1: prepare schedules that the checker refuses */
  int allow_hangs;   /* 1: prepare schedules that can deadlock */

  /* Watchdog: no progress for max(hang_s, 100 x the fastest time so far, 20 x
   * the schedule's own first execution) means that a rank hangs.  Then one
   * line a rank on standard error, on_hang on rank 0 (from the watchdog's
   * thread; it may write files), and the job ends with code 75.  0: none. */
  double hang_s;     /* default 5; 30 before anything was measured */
  double setup_s;    /* limit for the plugin's setup, default 600 */
  double teardown_s; /* limit for its teardown, default 60 */
  double idle_s;     /* limit for a rank that waits for rank 0's next
                        command; default 0: none */
  void (*on_hang)(void *context, const cairn_exec_hang *hang);
  void *context;

  /* Points to the executor from opening to closing, plugin's setup and teardown
   * included: for handlers that call cairn_exec_dying.  NULL: not wanted. */
  struct cairn_exec *volatile *self;

  /* Set by the application's signal handler on any rank (not 0: the signal);
   * seen at the next boundary by cairn_exec_signal.  NULL: none. */
  const volatile sig_atomic_t *signal;
  const char *inject; /* injected failures, for tests, or NULL: see
                         cairn_exec_inject_help */
} cairn_exec_options;

CAIRN_API void cairn_exec_options_default(cairn_exec_options *options);

/* Collective and agreed: all ranks succeed or fail alike.  The program must be
 * the same on all ranks (its digest and parameters are compared).
 * CAIRN_ENV with a message: no such backend, plugin not found or not fitting,
 * an op missing ("did you mean") or of another kind, setup failed on a rank;
 * CAIRN_NOMEM; CAIRN_INPUT: programs differ.  The program, world and plugin
 * must outlive the executor.  Close with cairn_exec_close. */
CAIRN_API cairn_status cairn_exec_open(cairn_exec_world *world,
                                       const cairn_dag_program *program,
                                       const cairn_exec_options *options,
                                       cairn_base_diag *diag,
                                       cairn_exec **exec_p);
/* Tears the plugin down and frees everything.  Collective; after stop. */
CAIRN_API void cairn_exec_close(cairn_exec *exec);

/* Syntax and kinds of injected failures, for --help and the manual. */
CAIRN_API const char *cairn_exec_inject_help(void);
/* Which write to the journal is to fail, and with which errno; 0: none.  The
 * journal is the application's, so it is for the application to arrange. */
CAIRN_API size_t cairn_exec_inject_write(const cairn_exec *exec, int *error_p);

/* Facts for the journal's header; the strings belong to the executor. */
typedef struct cairn_exec_info {
  const char *backend;
  const char *backend_reason; /* why this one */
  const char *const *device;  /* distinct device names over all ranks */
  size_t devices;
  const char *driver; /* NULL: none */
  int gpu_aware;      /* 1 device, 0 host, -1 no GPU */
  const char *gpu_aware_reason;
  cairn_exec_start start;     /* never AUTO; as it is now: late starts in a row
                                 lead from deadline to barrier */
  int can_verify;             /* the plugin has poison and verify */
  int oversubscribed;         /* more threads than cores on some host */
  const cairn_dag_fact *fact; /* clock, cores, binding, plugin, ... */
  size_t facts;
} cairn_exec_info;

CAIRN_API const cairn_exec_info *cairn_exec_info_get(const cairn_exec *exec);

/* ---- the GPUs' clocks ---- */

/* What all ranks have seen of their GPUs' clocks since the last time: they
 * look between samples, at most five times a second.  looks == 0: nothing (no
 * GPU, no NVML, no samples). */
typedef struct cairn_exec_clocks {
  unsigned looks, throttled; /* how many; how many of them throttled */
  unsigned least_mhz, most_mhz;
  uint32_t reasons; /* NVML's bits, of all looks */
} cairn_exec_clocks;

/* Rank 0; begins anew. */
CAIRN_API cairn_exec_clocks cairn_exec_clocks_take(cairn_exec *exec);
CAIRN_API void cairn_exec_clocks_add(cairn_exec_clocks *sum,
                                     const cairn_exec_clocks *more);
/* "1755 to 1980 MHz, power cap" */
CAIRN_API void cairn_exec_clocks_text(const cairn_exec_clocks *clocks,
                                      char *text, size_t size);

/* ---- other ranks ---- */

/* Obeys rank 0 until it stops; returns the status given to cairn_exec_stop. */
CAIRN_API cairn_status cairn_exec_serve(cairn_exec *exec);

/* ---- rank 0 ---- */

/* Releases the other ranks, which return `status` from serve. */
CAIRN_API cairn_status cairn_exec_stop(cairn_exec *exec, cairn_status status);

/* The signal that some rank has received, 0 none, as of the last call. */
CAIRN_API int cairn_exec_signal(const cairn_exec *exec);

/* Makes a schedule ready under an id of the caller's choice (the journal's),
 * on all ranks; it stays so until it is forgotten.  An id in use is replaced.
 * CAIRN_INPUT with a message when it is no legal schedule of the program or
 * uses too many streams; CAIRN_NOMEM; CAIRN_INTERNAL when ranks received
 * different bytes. */
CAIRN_API cairn_status cairn_exec_prepare(cairn_exec *exec, uint64_t id,
                                          const cairn_dag_item *items,
                                          size_t count, cairn_base_diag *diag);
CAIRN_API cairn_status cairn_exec_forget(cairn_exec *exec, uint64_t id);

/* How an execution went, agreed by all ranks. */
typedef struct cairn_exec_outcome {
  cairn_dag_outcome outcome; /* OK, FAILED or WRONG */
  char message[512];         /* "rank 1: yl failed with code 3", or "" */
  double time_s;             /* of the slowest rank; a first, rough time */
} cairn_exec_outcome;

/* One execution from a common start, untimed as to statistics; with verify it
 * is preceded by poison and followed by verify on all ranks (CAIRN_USAGE when
 * the plugin has none). */
CAIRN_API cairn_status cairn_exec_run(cairn_exec *exec, uint64_t id, int verify,
                                      cairn_exec_outcome *outcome_p);

/* The primitive of timing: one sample of each shot, in this order, on all
 * ranks: `warm` untimed executions, common start, k executions, join, stop.
 * Shots of several schedules can be mixed at will.  samples[i] belongs to
 * shots[i]. */
typedef struct cairn_exec_shot {
  uint64_t id;
  uint32_t k; /* >= 1 */
  uint32_t warm;
} cairn_exec_shot;

CAIRN_API cairn_status cairn_exec_take(cairn_exec *exec,
                                       const cairn_exec_shot *shots,
                                       size_t count, cairn_exec_sample *samples,
                                       cairn_exec_outcome *outcome_p);

/* ---- measuring one schedule ---- */

/* Start with cairn_exec_plan_default. */
typedef struct cairn_exec_plan {
  int verify;       /* 1: the first execution is verified (default: if the
                       plugin can) */
  unsigned samples; /* fixed number, 0: until the interval is small */
  unsigned min_samples, max_samples; /* 10, 1000 */
  double max_s;                      /* time limit of the series, default 2 */
  double half;       /* stop when the median's relative half width is
                        below this; default 0.01 */
  double confidence; /* 0.95 */
  double sample_s;   /* a sample lasts at least so long (default 100 us, and
                        never below 50 clock ticks); 0: k = 1 */
  uint32_t k;        /* fixed k; 0: calibrated */
  unsigned warm_min, warm_max; /* executions before sampling, 3 to 20: until
                          two successive ones differ by less than 10 % */
  double prune_above_s; /* stop early, outcome PRUNED, when the interval of the
                           median lies above this; 0: never */
} cairn_exec_plan;

CAIRN_API void cairn_exec_plan_default(const cairn_exec *exec,
                                       cairn_exec_plan *plan);

/* X(name, text): why sampling stopped */
#define CAIRN_EXEC_REASON_TABLE(X)                                             \
  X(NONE, "none")                                                              \
  X(CI, "ci")                                                                  \
  X(FIXED, "fixed")                                                            \
  X(MAX_N, "max_n")                                                            \
  X(MAX_TIME, "max_time")                                                      \
  X(INVALID, "invalid")                                                        \
  X(PRUNED, "pruned")                                                          \
  X(FAILED, "failed")                                                          \
  X(SIGNAL, "signal")

typedef enum cairn_exec_reason {
#define CAIRN_EXEC_REASON_ENUM(name, text) CAIRN_EXEC_REASON_##name,
  CAIRN_EXEC_REASON_TABLE(CAIRN_EXEC_REASON_ENUM)
#undef CAIRN_EXEC_REASON_ENUM
} cairn_exec_reason;

CAIRN_API const char *cairn_exec_reason_text(cairn_exec_reason reason);

typedef struct cairn_exec_measurement {
  cairn_dag_outcome outcome;  /* OK, FAILED, WRONG or PRUNED */
  char message[512];          /* why, or "" */
  cairn_exec_summary summary; /* valid when OK or PRUNED */
  cairn_exec_reason reason;
  uint32_t k;
  unsigned warm;          /* warm-up executions */
  cairn_exec_start start; /* barrier after a fall-back from deadline */
  unsigned restarts;      /* of the series, with more slack */
  double spent_s;         /* wall time of the whole measurement */
} cairn_exec_measurement;

/* Verifies, warms up, calibrates and samples one prepared schedule.  keep, if
 * not NULL, receives the raw samples (a copy to free with cairn_base_free) and
 * kept their number. */
CAIRN_API cairn_status cairn_exec_measure(cairn_exec *exec, uint64_t id,
                                          const cairn_exec_plan *plan,
                                          cairn_exec_measurement *measurement_p,
                                          cairn_exec_sample **keep,
                                          size_t *kept);

/* ---- tracing ---- */

/* When an item ran in one execution, seconds since the common start. */
typedef struct cairn_exec_event {
  int rank;
  uint32_t item;            /* position in the schedule */
  double issue_s, issued_s; /* the control thread: start and end */
  double start_s, stop_s;   /* on its stream (GPU ops); else as issued */
} cairn_exec_event;

/* One traced execution: the events of all ranks, by rank, then item; an array
 * to free with cairn_base_free. */
CAIRN_API cairn_status cairn_exec_trace(cairn_exec *exec, uint64_t id,
                                        cairn_exec_event **event_p,
                                        size_t *count_p,
                                        cairn_exec_outcome *outcome_p);

#ifdef __cplusplus
}
#endif
#include "exec-critical.h"
#include "exec-doctor.h"
#include "exec-emit.h"
#include "exec-trail.h"

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec.h, installed as <cairn/exec.h> - front door of exec: running
 * schedules on all ranks and timing them.
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
 * results of a schedule (cairn_base_outcome), not errors of the call.  A call
 * that returns an error other than CAIRN_USAGE or CAIRN_INPUT has left the
 * executor unusable: stop and close.
 *
 * Threads: all calls from the thread that opened the world.  GPU ops of
 * backend `host` run on threads of the executor.
 */
#ifndef CAIRN_EXEC_H
#define CAIRN_EXEC_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <cairn/dag.h>
#include <cairn/op.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * The ranks.
 *
 * A world is what stands between cairn and MPI.  It works on its own duplicate
 * of a communicator, returns errors instead of dying, and waits by polling, so
 * that ranks that share a core do not starve each other.
 *
 * Calls marked "collective" are made by all ranks, in the same order.  What
 * all ranks must know is agreed: they return the same status on all ranks.
 */

typedef struct cairn_exec_world cairn_exec_world;

/* Initialises MPI (FUNNELED) unless the application has done so.  comm points
 * to an MPI_Comm to work on (duplicated, not kept), or is NULL for
 * MPI_COMM_WORLD.  Sets the rank tag of the log when there are several.
 * Collective.  CAIRN_ENV with a message.  Close with cairn_exec_world_close. */
CAIRN_API cairn_status cairn_exec_world_open(const void *comm,
                                             cairn_base_diag *diag,
                                             cairn_exec_world **world_p);
/* Frees the world; finalises MPI if cairn_exec_world_open initialised it.
 * Collective.  NULL is fine. */
CAIRN_API void cairn_exec_world_close(cairn_exec_world *world);

CAIRN_API int cairn_exec_world_rank(const cairn_exec_world *world);
CAIRN_API int cairn_exec_world_size(const cairn_exec_world *world);

/* The worst status of all ranks (the highest value; 0 only if all are CAIRN_OK)
 * on all ranks.  When it is not CAIRN_OK and diag of rank 0 holds no error,
 * the first error in the diag of the lowest failing rank is added to it.
 * Collective. */
CAIRN_API cairn_status cairn_exec_world_agree(cairn_exec_world *world,
                                              cairn_status status,
                                              cairn_base_diag *diag);

/* ---- what a launcher says ---- */

/* CAIRN_ENV with a message that says what to do when the launcher says that it
 * has started more processes than this world, of all of MPI's, has: then each
 * process runs alone.  Collective. */
CAIRN_API cairn_status cairn_exec_world_whole(cairn_exec_world *world,
                                              cairn_base_diag *diag);
/* Before MPI is initialised: the number that a launcher gave this process, when
 * what connects to that launcher is there too, and 0 else: a number alone is
 * left in the environment of programs that are no MPI job. */
CAIRN_API int cairn_exec_rank_told(void);

/* ======================================================================
 * The executor.
 */

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

/* ---- the GPUs' clocks ---- */

/* What all ranks have seen of their GPUs' clocks since the last time: they
 * look between samples, at most five times a second.  looks == 0: nothing (no
 * GPU, no NVML, no samples). */
typedef struct cairn_exec_clocks {
  unsigned looks, throttled; /* how many; how many of them throttled */
  unsigned least_mhz, most_mhz;
  uint32_t reasons; /* NVML's bits, of all looks */
} cairn_exec_clocks;

/* ---- the processors ---- */

/* What disturbed the ranks since the last time: each sample tells whether it
 * was lost (CAIRN_BASE_LOST), and between samples the ranks look, at most five
 * times a second, at which CPUs they may use now, and the first rank of a host
 * once a second or less at who else is busy there. */
typedef struct cairn_exec_load {
  unsigned samples, lost, stopped; /* taken; lost; because of a stop */
  unsigned looks, shared; /* how many; in so many, ranks shared a core */
  char sharing[96];       /* the last time: "ranks 0 and 1 on CPU 0" */
  unsigned disturbed;     /* looks in which others used our processors */
  double stranger;        /* the most processors that they used */
  char strangest[64];     /* the busiest: "cairn (pid 4711)" */
} cairn_exec_load;

/* What all ranks have seen since the last time; rank 0; begins anew. */
CAIRN_API cairn_exec_load cairn_exec_load_report(cairn_exec *exec);

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
  cairn_base_outcome outcome; /* OK, FAILED, WRONG or PRUNED */
  char message[512];          /* why, or "" */
  cairn_base_summary summary; /* valid when OK or PRUNED */
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
                                          cairn_base_sample **keep,
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
                                        cairn_base_execution *outcome_p);

/* ======================================================================
 * A schedule to take away: as C, and as a timeline.
 */

/* Appends a C file with one function that makes the calls of a schedule, op by
 * op and sync by sync, each sync with a comment that says which edges it is
 * for; and, under CAIRN_EMIT_MAIN, a program around it that checks and times
 * it.  It needs <cairn/op.h>, the program's plugin, and CUDA or, with
 * -DCAIRN_EMIT_HOST, nothing instead.  The schedule must be legal.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_emit_c(const cairn_dag_program *program,
                                         const cairn_dag_item *items,
                                         size_t count, cairn_base_text *text);

/* Appends a trace in the JSON format of chrome://tracing and Perfetto: a
 * process a rank, in it a track for the control thread and one a stream;
 * arrows for launches, for the program's edges, and for messages (from each
 * post to the waits of all other ranks that it may match: who the peers are is
 * the plugin's affair).  `events` as from cairn_exec_trace.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_trace_json(
    const cairn_dag_program *program, const cairn_dag_item *items, size_t count,
    const cairn_exec_event *events, size_t events_count, cairn_base_text *text);

/* ======================================================================
 * Where the time of one traced execution went: the
 * chain of work and waiting that ends last, over ranks and streams, and what
 * the program's dependencies alone would have needed.
 */

/* X(name, text): why a step could not begin, or end, before the step before
 * it in the path was done */
#define CAIRN_EXEC_BECAUSE_TABLE(X)                                            \
  X(START, "the start")                                                        \
  X(HOST, "the host comes to it")                                              \
  X(LAUNCH, "launched")                                                        \
  X(STREAM, "its stream is free")                                              \
  X(SYNC, "the event is reached")                                              \
  X(MESSAGE, "the peer has posted")

typedef enum cairn_exec_because {
#define CAIRN_EXEC_BECAUSE_ENUM(name, text) CAIRN_EXEC_BECAUSE_##name,
  CAIRN_EXEC_BECAUSE_TABLE(CAIRN_EXEC_BECAUSE_ENUM)
#undef CAIRN_EXEC_BECAUSE_ENUM
} cairn_exec_because;

CAIRN_API const char *cairn_exec_because_text(cairn_exec_because because);

/* One step: from the end of the step before (or 0) to stop_s.  Steps follow
 * each other without holes, so their lengths add up to the span. */
typedef struct cairn_exec_step {
  int rank;
  uint32_t item;              /* position in the schedule */
  int on_stream;              /* 1: the GPU op runs; 0: the control thread */
  cairn_exec_because because; /* of the step before */
  double from_s;  /* end of the step before, seconds since the start */
  double start_s; /* from_s to start_s: delay (launch, wake-up, late start) */
  double stop_s;  /* start_s to stop_s: its work; for a wait that was let go
                     by the step before: the message's or signal's way */
} cairn_exec_step;

typedef struct cairn_exec_critical {
  cairn_exec_step *step; /* in the order of time */
  size_t steps;
  double span_s;                /* when the last rank was done */
  double gpu_s, host_s, wait_s; /* the path's work: ops on streams; calls of
                                   the control thread; ways of messages and
                                   signals, in waits */
  double delay_s;               /* the rest of the span */
  /* Lower bound: the longest chain of the program's own edges and messages,
   * each op as long as it took here without waiting.  No order and no streams
   * can be faster with ops of this length.  <= span_s. */
  double bound_s;
  uint32_t
      *bound_op; /* ids of the chain's ops, from the first that takes time */
  int *bound_rank;
  size_t bound_ops;
} cairn_exec_critical;

/* The path of a typical execution of a legal schedule that is prepared under
 * this id: `traces` executions are traced, for one is a chance event, and the
 * one with the median span is explained.  Who receives from whom is the
 * plugin's affair: a message is taken to come from that other rank which
 * posted last before the wait ended.  Rank 0.  Free with
 * cairn_exec_critical_free.  CAIRN_NOMEM; else as cairn_exec_trace. */
CAIRN_API cairn_status cairn_exec_critical_measure(
    cairn_exec *exec, uint64_t id, const cairn_dag_program *program,
    const cairn_dag_item *items, size_t count, unsigned traces,
    cairn_exec_critical *critical_p);
CAIRN_API void cairn_exec_critical_free(cairn_exec_critical *critical);

/* ======================================================================
 * Is this a place where measuring makes sense?  Looks at
 * launcher, MPI, GPUs, binding, clocks and shared memory, on all ranks.
 */

typedef enum cairn_exec_grade {
  CAIRN_EXEC_GOOD,
  CAIRN_EXEC_NOTE,   /* times may suffer, or something is not known */
  CAIRN_EXEC_PROBLEM /* wrong or worthless results, or none */
} cairn_exec_grade;

typedef struct cairn_exec_finding {
  cairn_exec_grade grade;
  const char *topic; /* "launcher", "MPI", "GPU", ... */
  char text[512];    /* what was found */
  char fix[512];     /* what to do, "" when nothing */
} cairn_exec_finding;

/* The findings of all ranks, on rank 0, in an array to free with
 * cairn_base_free; NULL and 0 elsewhere.  Collective.  CAIRN_NOMEM, CAIRN_ENV.
 */
CAIRN_API cairn_status cairn_exec_examine(cairn_exec_world *world,
                                          cairn_exec_finding **finding_p,
                                          size_t *count_p);

/* ======================================================================
 * Where each rank stands, for whoever outlives it.
 *
 * A supervisor makes an empty folder and names it in the environment of the
 * job (CAIRN_EXEC_BLACKBOX).  Executors of its host keep there what their
 * watchdogs look at, in memory that a file backs, so it is still there when
 * the ranks are not:
 *
 *   ranks-L    a part for each rank of the host whose lowest rank is L
 *   ops-L      the names of the operations, in the order of their ids
 *   alive-R    an empty file that rank R holds open for writing while it lives
 *
 * Where there is no such folder (other hosts) nothing is kept, and nobody
 * minds.  Nothing is written in timed code that would not be written anyway.
 */

/* For a handler of SIGSEGV and its kin, which must end the process afterwards;
 * async-signal-safe.  Notes the signal and prints one line on standard error
 * that says where this rank stands; further calls do nothing.
 *
 * For a handler of atexit, with CAIRN_EXEC_EXITED for the signal: does so when
 * the plugin's code has called exit, and else nothing.  Returns 1 if it has. */
#define CAIRN_EXEC_EXITED (-1)
CAIRN_API int cairn_exec_dying(struct cairn_exec *exec, int signal);

/* ======================================================================
 * A supervisor that outlives the job, as `cairn launch` is one.
 *
 * An MPI job ends when one of its ranks dies.  The supervisor starts it again
 * from its journal until that is finished, and puts into the journal how and
 * where ranks died.
 */

/* A schedule that a job died in so often is not run again. */
enum { CAIRN_EXEC_DEATHS = 3 };

typedef struct cairn_exec_launch_options {
  char *const *command; /* what starts the job, NULL at the end: "mpiexec",
                           "-n", "4", "cairn", "explore", ...; --resume is added
                           when it is started again */
  const char *journal;  /* that the job writes; NULL: the file after -o or
                           --output in the command */
  const char *folder;   /* to make a folder in for what ranks leave; NULL:
                           /dev/shm, else $TMPDIR, else /tmp */
  unsigned restarts;    /* give up after so many in a row without a new
                           measurement (usual: 3) */
  double stall_s; /* a job whose journal has not grown for so long is ended
                     and started again; 0: never (900) */
  double grace_s; /* for a job to stop by itself after a signal (60) */
} cairn_exec_launch_options;

typedef struct cairn_exec_launch_outcome {
  cairn_status status; /* the job's: CAIRN_OK: it has finished; CAIRN_RESUMABLE
                          also when the supervisor has given up, with a message
                          in diag */
  unsigned attempts;
  size_t results, measured; /* in the journal at the end */
} cairn_exec_launch_outcome;

/* Runs the job to its end, however often it has to be started.  For a process
 * that does nothing else: SIGINT, SIGTERM, SIGHUP, SIGUSR1 and SIGCHLD are
 * blocked and waited for from now on (the first four are passed on to the job),
 * the process adopts what the job leaves behind, and the environment variable
 * CAIRN_TRAIL is set meanwhile.  CAIRN_USAGE: no journal is named; CAIRN_ENV:
 * the command cannot be run; CAIRN_INPUT, CAIRN_IO: the journal cannot be read;
 * CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_exec_launch(const cairn_exec_launch_options *options,
                  cairn_base_diag *diag, cairn_exec_launch_outcome *outcome_p);

#ifdef __cplusplus
}
#endif
#endif

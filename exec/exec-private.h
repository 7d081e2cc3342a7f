/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-private.h - the executor's body; for the sources of exec only.
 *
 * Rank 0 sends a request, all ranks (rank 0 too) obey it, each answers with a
 * reply of fixed size, rank 0 gathers them:
 *
 *   drive.c (rank 0)   request --bcast--> serve.c (others)
 *        |                                   |
 *        +------------> obey (all) <---------+
 *        |                                   |
 *   replies <-------------gather-------------+
 *
 * A request that fails on one rank never changes what the other ranks do in
 * it, so nobody waits for somebody who has left.
 */
#ifndef CAIRN_EXEC_EXEC_PRIVATE_H
#define CAIRN_EXEC_EXEC_PRIVATE_H

#include <sched.h>
#include <time.h>

#include <cairn/exec.h>

#include "base/clock-private.h"
#include "dag/prove/prove-private.h"
#include "exec/comm-private.h"
#include "exec/drive-private.h"
#include "exec/platform-private.h"

#define CAIRN_EXEC_NO_ID UINT64_MAX

/* ---- progress: what the watchdog sees ---- */

/* X(name, text): what the control thread does */
#define CAIRN_EXEC_PHASE_TABLE(X)                                              \
  X(IDLE, "is idle")                                                           \
  X(OPEN, "opens the executor with the other ranks")                           \
  X(SETUP, "is in the plugin's setup")                                         \
  X(TEARDOWN, "is in the plugin's teardown")                                   \
  X(POISON, "is in the plugin's poison")                                       \
  X(VERIFY, "is in the plugin's verify")                                       \
  X(PREPARE, "prepares a schedule")                                            \
  X(START, "waits at the start for the other ranks")                           \
  X(ITEM, "stands at")                                                         \
  X(JOIN, "waits for its streams")                                             \
  X(REPLY, "has finished and waits for the other ranks")                       \
  X(COMMAND, "waits for the next command of rank 0")

typedef enum cairn_exec_phase {
#define CAIRN_EXEC_PHASE_ENUM(name, text) CAIRN_EXEC_PHASE_##name,
  CAIRN_EXEC_PHASE_TABLE(CAIRN_EXEC_PHASE_ENUM)
#undef CAIRN_EXEC_PHASE_ENUM
} cairn_exec_phase;

/* One a rank, on the board that the ranks of a host share.  Written by plain
 * (relaxed) stores of the control thread and the workers.  On the board it is
 * followed by the schedule's items, as many as there is room for. */
typedef struct cairn_exec_progress {
  uint32_t magic;  /* CAIRN_EXEC_MAGIC: for who reads the black box */
  uint32_t stride; /* bytes from one rank's to the next one's */
  uint32_t rank, ranks;
  uint32_t signal;  /* that this rank dies of; 0: none */
  uint32_t closed;  /* 1: the executor has been closed */
  uint32_t has_gpu; /* 1: `running` is what is not through */
  uint32_t pid;
  uint64_t id;        /* of the schedule */
  uint32_t phase;     /* cairn_exec_phase */
  uint32_t step;      /* grows with every change of phase */
  uint32_t iteration; /* of the executions asked for in one go */
  uint32_t item;      /* position in the schedule */
  uint32_t items;     /* in the schedule */
  uint32_t fired;     /* this rank's watchdog has found a hang */
  uint64_t limit_ns;  /* of this phase; 0: none */
  uint32_t running[CAIRN_DAG_MAX_STREAMS]; /* item + 1 on each stream */
} cairn_exec_progress;

/* "crn" and the format's number */
#define CAIRN_EXEC_MAGIC UINT32_C(0x63726e01)

/* Room for items after a progress, in a part of the board. */
static inline size_t cairn_exec__room(size_t stride) {
  return (stride - sizeof(cairn_exec_progress)) / sizeof(cairn_dag_item);
}

/* What names the items of a schedule. */
typedef struct cairn_exec_book {
  const cairn_dag_item *items;
  size_t count;
  const char *(*op)(const void *ops, unsigned id); /* NULL when unknown */
  const void *ops;                                 /* op's argument */
} cairn_exec_book;

/* ---- a schedule as commands ---- */

/* One item, everything looked up.  step returns 0 or the backend's error. */
typedef struct cairn_exec_command {
  int (*step)(const struct cairn_exec_command *command);
  const cairn_exec_backend *backend;
  cairn_exec_platform *platform;
  cairn_exec_fault *fault;
  cairn_exec_call call;
  uint32_t stream, event;
} cairn_exec_command;

typedef struct cairn_exec_schedule cairn_exec_schedule; /* store.c */

/* The schedule being executed, compiled into memory that all of them use in
 * turn, so that no schedule is better placed than another. */
typedef struct cairn_exec_flat {
  uint64_t id;
  cairn_exec_command *command;
  size_t count, capacity;
  const cairn_dag_item *items; /* the schedule's own */
  size_t item_count;
} cairn_exec_flat;

/* ---- the protocol ---- */

typedef enum cairn_exec_kind {
  CAIRN_EXEC_DO_STOP,
  CAIRN_EXEC_DO_PREPARE,
  CAIRN_EXEC_DO_FORGET,
  CAIRN_EXEC_DO_RUN,
  CAIRN_EXEC_DO_SAMPLE,
  CAIRN_EXEC_DO_TRACE
} cairn_exec_kind;

#define CAIRN_EXEC_INLINE                                                      \
  256 /* bytes of payload that travel with a request                           \
       */

typedef struct cairn_exec_request {
  uint32_t kind, flag; /* flag: verify, status to stop with,
                          take: ranks share cores */
  uint64_t id;
  uint64_t length, hash; /* of the payload */
  int64_t slack_ns;
  uint64_t limit_ns;  /* watchdog's for one execution */
  uint64_t verify_ns; /* and for verify */
  uint32_t start;     /* cairn_exec_start */
  uint32_t count;     /* shots */
  char payload[CAIRN_EXEC_INLINE];
} cairn_exec_request;

/* What a rank sees of its processors; looked is 0 if it has not looked. */
typedef struct cairn_exec_look {
  int32_t looked;
  int32_t strangers;  /* busy processes that are none of ours */
  double stranger;    /* processors that they used together */
  char strangest[64]; /* "cairn (pid 4711)", the busiest of them */
  cpu_set_t mask;     /* CPUs that the rank may use */
} cairn_exec_look;

typedef struct cairn_exec_reply {
  int32_t status;  /* cairn_status */
  int32_t outcome; /* cairn_base_outcome */
  int32_t signal;
  int32_t fatal;             /* the rank is unusable from now on */
  int64_t start_ns, stop_ns; /* of a run */
  int64_t verify_ns;         /* time spent in verify */
  uint32_t clock_mhz;        /* of the GPU, if it was looked at; else 0 */
  uint32_t clock_reasons;    /* NVML's bits */
  int32_t throttled;
  cairn_exec_look look; /* at the processors */
  char message[256];
} cairn_exec_reply;

/* A rank's part of a sample. */
typedef struct cairn_exec_mark {
  int64_t start_ns, stop_ns;
  int32_t late, faulty, lost;
  int32_t stopped; /* and that because it was stopped */
} cairn_exec_mark;

/* ---- the executor ---- */

typedef struct cairn_exec_inject cairn_exec_inject;     /* inject.c */
typedef struct cairn_exec_watchdog cairn_exec_watchdog; /* watchdog.c */
struct cairn_exec_clock;                                /* clocks.c */
struct cairn_exec_loss;                                 /* loss.c */
struct cairn_exec_looker;                               /* load.c */

struct cairn_exec {
  cairn_exec_world *world;
  const cairn_dag_program *program;
  cairn_exec_options options;
  unsigned streams;
  size_t max_items;
  cairn_exec_place place;
  int64_t opened_ns;

  const cairn_op_plugin *plugin;
  void *library; /* of dlopen, or NULL */
  char *library_path;
  void *state; /* the plugin's */
  int is_setup;
  cairn_exec_call *op; /* by op id; run is NULL for start and end */

  const cairn_exec_backend *backend;
  cairn_exec_platform *platform;
  cairn_exec_fault fault;
  int backend_error;     /* first error of the backend, 0 none */
  uint32_t backend_item; /* and where */
  int spare_cores;
  int gpu_aware; /* cairn_op_gpu */
  char backend_reason[128], gpu_aware_reason[128];

  cairn_dag_prover *prover;       /* rank 0 */
  cairn_exec_schedule *schedules; /* uthash by id */
  cairn_exec_flat flat;

  cairn_exec_progress *progress; /* this rank's */
  void **board;                  /* by local rank */
  int board_shared;
  size_t board_stride; /* bytes a rank */
  cairn_exec_watchdog *watchdog;
  cairn_exec_inject *inject;

  cairn_exec_start start; /* never AUTO */
  int64_t slack_ns;
  int late_chunks; /* in a row, with many late starts */
  int64_t best_ns; /* fastest execution so far, 0 none */
  int64_t longest_verify_ns;
  int signal; /* agreed */
  int broken; /* a call has failed for good */
  int stopped;

  cairn_exec_mark *mark, *all_marks; /* chunk, and chunk x ranks */
  cairn_exec_reply *replies;         /* rank 0: one a rank */
  size_t chunk;                      /* shots in one request */
  char *payload;                     /* of a request, if long */
  size_t payload_capacity;

  struct cairn_exec_tracing *tracing; /* trace.c; NULL: none */
  struct cairn_exec_clock *clock;     /* clocks.c */
  cairn_exec_clocks clocks;           /* rank 0: seen since last asked */
  struct cairn_exec_loss *loss;       /* NULL: nothing can be seen */
  struct cairn_exec_looker *looker;   /* NULL: nothing can be seen */
  cairn_exec_load load;               /* rank 0: seen since last asked */

  cairn_exec_info info;
  struct cairn_exec_facts *facts; /* info.c: what info points to */
};

/* progress.  Every change of phase is a step forward. */
static inline void cairn_exec__enter(cairn_exec *exec, cairn_exec_phase phase,
                                     uint64_t limit_ns) {
  cairn_exec_progress *p = exec->progress;
  __atomic_store_n(&p->limit_ns, limit_ns, __ATOMIC_RELAXED);
  __atomic_store_n(&p->phase, (uint32_t)phase, __ATOMIC_RELAXED);
  __atomic_store_n(&p->step, p->step + 1, __ATOMIC_RELEASE);
}

/* plugin.c: loads and checks the plugin, resolves ops.  Not collective. */
cairn_status cairn_exec__plugin_load(cairn_exec *exec, cairn_base_diag *diag);
cairn_status cairn_exec__plugin_resolve(cairn_exec *exec,
                                        cairn_base_diag *diag);
cairn_status cairn_exec__plugin_setup(cairn_exec *exec, int gpu_aware,
                                      cairn_base_diag *diag);
void cairn_exec__plugin_unload(cairn_exec *exec);
/* plugin-file.c: why a file cannot be loaded as a plugin, or NULL. */
const char *cairn_exec__plugin_problem(const char *path);
/* The same of bytes that `read` gives (1: all of them are there). */
typedef struct cairn_exec_image {
  int (*read)(void *from, void *data, size_t length, uint64_t offset);
  void *from;
  uint64_t size;
} cairn_exec_image;
/* own: an executable of this kind of machine, or NULL: any kind will do. */
const char *cairn_exec__plugin_image_problem(const cairn_exec_image *image,
                                             const cairn_exec_image *own);
/* Is this struct a plugin that fits?  Members beyond the size it names are not
 * looked at.  flavour: of cairn's MPI; path: for messages.  CAIRN_INPUT. */
cairn_status cairn_exec__plugin_check(const cairn_op_plugin *plugin,
                                      const char *flavour, const char *path,
                                      cairn_base_diag *diag);

/* store.c: schedules by id. */
struct cairn_exec_schedule *cairn_exec__store_find(const cairn_exec *exec,
                                                   uint64_t id);
cairn_status cairn_exec__store_put(cairn_exec *exec, uint64_t id,
                                   const cairn_dag_item *items, size_t count);
void cairn_exec__store_drop(cairn_exec *exec, uint64_t id);
void cairn_exec__store_clear(cairn_exec *exec);

/* run.c: compiling and executing. */
cairn_status cairn_exec__flat_reserve(cairn_exec *exec, size_t items,
                                      cairn_base_diag *diag);
/* Makes the schedule the current one; no allocation.  CAIRN_USAGE when the id
 * is unknown. */
cairn_status cairn_exec__flat_select(cairn_exec *exec, uint64_t id);
/* The current schedule, count times, and a final join. */
void cairn_exec__execute(cairn_exec *exec, uint32_t count, uint64_t limit_ns);
/* What has failed since the last clear, into the reply. */
void cairn_exec__fault_report(cairn_exec *exec, cairn_exec_reply *reply);
void cairn_exec__fault_clear(cairn_exec *exec);

/* whereabouts.c: names and places in words; async-signal-safe. */
cairn_exec_book cairn_exec__book_of(const cairn_exec *exec);
void cairn_exec__book_item(const cairn_exec_book *book, uint32_t item,
                           char *text, size_t size);
/* "yl@0 runs (item 4 of 9), the host stands at CES#0 (item 6 of 9, ...)" */
void cairn_exec__book_whereabouts(const cairn_exec_book *book,
                                  const cairn_exec_progress *p, char *text,
                                  size_t size);
/* Name of an item of the current schedule, "yl@0" or "CES#1". */
void cairn_exec__item_name(const cairn_exec *exec, uint32_t item, char *text,
                           size_t size);

/* blackbox.c: what is written into the folder of blackbox-private.h. */
/* The names of the operations, once. */
void cairn_exec__blackbox_ops(const cairn_exec *exec);
/* The items of the current schedule, beside this rank's progress. */
void cairn_exec__blackbox_show(const cairn_exec *exec);

/* sample.c: the start line and samples of this rank. */
void cairn_exec__start_line(cairn_exec *exec, const cairn_exec_request *request,
                            int64_t *start_ns, int32_t *late);
void cairn_exec__sample_marks(cairn_exec *exec,
                              const cairn_exec_request *request,
                              const cairn_base_shot *shots,
                              cairn_exec_reply *reply);

/* serve.c: obeys one request on this rank and sends the reply; the replies
 * are in exec->replies on rank 0. */
cairn_status cairn_exec__obey(cairn_exec *exec,
                              const cairn_exec_request *request,
                              const void *payload);
/* trace.c: this rank's part of a traced execution, and on rank 0 what all of
 * them have seen (see cairn_exec_trace). */
void cairn_exec__trace_mine(cairn_exec *exec, const cairn_exec_request *request,
                            cairn_exec_reply *reply);
cairn_status cairn_exec__trace_gather(cairn_exec *exec,
                                      const cairn_exec_request *request);
cairn_status cairn_exec__trace_events(cairn_exec *exec,
                                      cairn_exec_event **event_p,
                                      size_t *count_p);
void cairn_exec__trace_free(cairn_exec *exec);

/* clocks.c: this rank's GPU between samples, and what rank 0 makes of it. */
void cairn_exec__clock_open(cairn_exec *exec);
void cairn_exec__clock_close(cairn_exec *exec);
void cairn_exec__clock_look(cairn_exec *exec, cairn_exec_reply *reply);
void cairn_exec__clock_hear(cairn_exec *exec, const cairn_exec_reply *reply);

/* loss.c: did this rank lose the processor?  Before the start line, and after
 * the stop of the sample. */
void cairn_exec__loss_open(cairn_exec *exec);
void cairn_exec__loss_close(cairn_exec *exec);
void cairn_exec__loss_before(cairn_exec *exec);
void cairn_exec__loss_after(cairn_exec *exec, cairn_exec_mark *mark);

/* others.c: processes of this host that are busy on the CPUs of `ours` and
 * none of `pid` (count of them); since the last call.  `own`: how many
 * processors our ranks need: where there is room for all, nobody is in the
 * way.  The first call sees nothing. */
struct cairn_exec_census;
struct cairn_exec_census *cairn_exec__census_create(void); /* NULL: memory */
void cairn_exec__census_free(struct cairn_exec_census *census);
void cairn_exec__census_read(struct cairn_exec_census *census,
                             const int64_t *pid, size_t count,
                             const cpu_set_t *ours, double own,
                             cairn_exec_look *look);

/* load.c: this rank's processors between samples, and what rank 0 makes of
 * it.  Open is collective. */
cairn_status cairn_exec__load_open(cairn_exec *exec, cairn_base_diag *diag);
void cairn_exec__load_close(cairn_exec *exec);
void cairn_exec__load_look(cairn_exec *exec, cairn_exec_reply *reply);
void cairn_exec__load_hear(cairn_exec *exec);

/* info.c; both collective */
cairn_status cairn_exec__info_cores(cairn_exec *exec, cairn_base_diag *diag);
cairn_status cairn_exec__info_collect(cairn_exec *exec, cairn_base_diag *diag);
void cairn_exec__info_free(cairn_exec *exec);
/* The smallest step of the clock, seconds. */
double cairn_exec__clock_step_s(const cairn_exec *exec);

/* watchdog.c */
cairn_status cairn_exec__watchdog_start(cairn_exec *exec,
                                        cairn_base_diag *diag);
void cairn_exec__watchdog_stop(cairn_exec *exec);
/* How late the watchdog is, or came when it last woke after since_ns; 0: in
 * time, or there is none. */
int64_t cairn_exec__watchdog_overdue(const cairn_exec *exec, int64_t since_ns);

/* inject.c */
cairn_status cairn_exec__inject_create(cairn_exec *exec, const char *text,
                                       cairn_base_diag *diag);
void cairn_exec__inject_free(cairn_exec *exec);
/* Puts the rules for op `name` in front of its function. */
cairn_status cairn_exec__inject_wrap(cairn_exec *exec, const char *name,
                                     cairn_exec_call *call);
/* A place that is no op: "%setup", "%poison", "%verify", "%teardown". */
int cairn_exec__inject_at(cairn_exec *exec, const char *place);
/* 1 when this look at the clocks is to find a throttled GPU. */
int cairn_exec__inject_clock(cairn_exec *exec);
/* 1 when the last execution's outputs are to be spoilt. */
int cairn_exec__inject_wrong(cairn_exec *exec);

#endif

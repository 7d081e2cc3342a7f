/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/explore.h - front door of explore: the whole main job.  Reads a
 * program, opens the ranks (or a recorded table of times), and until the search
 * stops proposes a schedule, measures it and writes the journal; then measures
 * the best ones again side by side and finds classes and rules.
 *
 *   cairn_explore_options_default(&options);
 *   options.file = "PROGRAM.xml";
 *   options.budget = 200;
 *   status = cairn_explore_run(&options, diag, &result);
 *   ... result->best_schedule ...
 *   cairn_explore_result_free(result);
 *
 * Started by mpiexec every rank calls this; rank 0 drives and the others serve.
 */
#ifndef CAIRN_EXPLORE_H
#define CAIRN_EXPLORE_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

#include <cairn/classify.h>
#include <cairn/dag.h>
#include <cairn/exec.h>
#include <cairn/mcts.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- progress ---- */

typedef enum cairn_explore_phase {
  CAIRN_EXPLORE_STARTED,   /* nothing is measured yet */
  CAIRN_EXPLORE_SEARCHING, /* after each schedule */
  CAIRN_EXPLORE_SEARCHED,  /* after the last one */
  CAIRN_EXPLORE_REFINING,  /* before each round side by side */
  CAIRN_EXPLORE_REFINED
} cairn_explore_phase;

typedef struct cairn_explore_progress {
  cairn_explore_phase phase;
  double elapsed_s; /* since the start */
  /* While searching. */
  uint64_t evaluations, resumed; /* measured; of them, by an earlier run */
  uint64_t failures;
  int has_best;
  uint64_t best; /* id */
  double best_s;
  /* While refining. */
  size_t schedules; /* that take part */
  unsigned round;   /* from 1 */
  double spent_s, announced_s;
} cairn_explore_progress;

/* ---- options ---- */

typedef enum cairn_explore_plan {
  CAIRN_EXPLORE_PLAN_AUTO,  /* race, or series when the samples are fixed */
  CAIRN_EXPLORE_PLAN_RACE,  /* interleaved with anchors, few samples if slow */
  CAIRN_EXPLORE_PLAN_SERIES /* alone, until its interval is small */
} cairn_explore_plan;

typedef enum cairn_explore_refine {
  CAIRN_EXPLORE_REFINE_AUTO, /* yes, unless samples are fixed */
  CAIRN_EXPLORE_REFINE_NO,
  CAIRN_EXPLORE_REFINE_YES,
  CAIRN_EXPLORE_REFINE_BEST /* the finalists only */
} cairn_explore_refine;

/* What an executor is about to do, for handlers of crashes. */
typedef enum cairn_explore_moment {
  CAIRN_EXPLORE_OPENING, /* its options may be completed (self) */
  CAIRN_EXPLORE_OPENED,  /* setup is over */
  CAIRN_EXPLORE_CLOSED
} cairn_explore_moment;

struct cairn_explore_result;

/* What the application is told; all may be NULL.  Called from the thread of
 * cairn_explore_run. */
typedef struct cairn_explore_hooks {
  void *context;
  /* Rank 0; as often as something happens, so show it only now and then. */
  void (*progress)(void *context, const cairn_explore_progress *progress);
  /* Messages in diag are complete for now: once before the search begins, and
   * at the end, when the ranks still stand.  Shown messages may be cleared. */
  void (*say)(void *context, cairn_base_diag *diag, cairn_status status);
  /* Rank 0, at the end, when the ranks still stand: results are safe even when
   * the end of MPI goes wrong.  Another status than CAIRN_OK is that of the
   * run. */
  cairn_status (*report)(void *context,
                         const struct cairn_explore_result *result);
  /* exec: the options when opening, else NULL. */
  void (*guard)(void *context, cairn_explore_moment moment,
                cairn_exec_options *exec);
} cairn_explore_hooks;

/* Start with cairn_explore_options_default.  Texts, arrays, program and world
 * are pointed to; they must outlive the result. */
typedef struct cairn_explore_options {
  const char *file; /* the program file; plugins are looked for beside it */
  /* The same, read and with its parameters set; NULL: it is read.  Gets the
   * parameters that recorded times were recorded with. */
  cairn_dag_program *program;
  /* Parameters ("NAME=VALUE"), of what is read here; CAIRN_INPUT: times were
   * recorded with another value. */
  const char *const *define;
  size_t defines;
  unsigned streams; /* 0: the program's default */
  cairn_dag_sync sync;

  /* Where times come from: schedules run on the ranks of `world` (NULL: those
   * of MPI_COMM_WORLD), or a journal of this program. */
  const char *recorded; /* the journal; NULL: they run */
  unsigned noise;       /* samples drawn from the recorded ones; 0: none */
  cairn_exec_world *world;
  cairn_exec_options exec; /* backend, start, plugin, watchdog, ...; set here:
                              streams, program_path, on_hang, signal */
  unsigned samples;        /* of a schedule; 0: until the interval is small */
  double sample_s;         /* least length of a sample; 0: the default */
  double precision;        /* half width of the interval, a share; 0: default */
  int verify;              /* insist on it: CAIRN_ENV when the plugin cannot */
  cairn_explore_plan plan;
  cairn_explore_refine refine;
  double refine_s; /* 0: by the number of schedules */

  /* How schedules are chosen. */
  const char *strategy; /* NULL: the default one */
  const cairn_mcts_setting *setting;
  size_t settings;
  const char *const *prior; /* journals to learn from */
  size_t priors;
  uint64_t seed;
  uint64_t budget;       /* distinct schedules; 0: no limit */
  double time_s;         /* 0: no limit */
  const char *objective; /* "p01" ... "p99"; NULL: p50; of recorded times
                            theirs, or p10 */

  /* What is written. */
  const char *output;   /* the journal; NULL: run.jsonl, or run-2.jsonl, ...,
                           and none when times are recorded */
  int resume;           /* go on with it, if it exists */
  int accept_different; /* even with other parameters, ranks, devices, backend
                           or objective; another program is refused always */
  const char *report;   /* folder of reports; NULL: none */
  const char *dot;      /* file for the top of the search tree; NULL: none */
  int strict;           /* CAIRN_FAILED when some schedules failed */

  /* Not 0: the signal that the process has received (a handler sets it); the
   * search ends, and can be resumed.  NULL: none. */
  const volatile sig_atomic_t *signal;
  cairn_explore_hooks hooks;
} cairn_explore_options;

CAIRN_API void cairn_explore_options_default(cairn_explore_options *options);

/* ---- the result ---- */

/* How far the numbers of a run can be trusted; shares, NAN unknown. */
typedef struct cairn_explore_trust {
  double noise; /* deviation of a sample */
  double floor; /* medians that differ by less cannot be told apart */
  double drift; /* of the machine, divided out */
  int correlated, nonrandom, oversubscribed;
  size_t beyond;     /* samples left out: the level was too far off ... */
  double correction; /* ... by more than this factor */
  unsigned changes;  /* of the machine during the search, that lasted */
  double changed;    /* by this factor in all */
  int overtime;      /* measuring again was cut short */
  cairn_exec_clocks clocks;
  char clocks_text[160]; /* "1755 to 1980 MHz, power cap" */
  cairn_exec_load load;
} cairn_explore_trust;

/* The id of the program's own order when the search did not measure it. */
#define CAIRN_EXPLORE_PROGRAM_ORDER UINT64_MAX

typedef enum cairn_explore_verdict {
  CAIRN_EXPLORE_TIE, /* or too little to tell */
  CAIRN_EXPLORE_SLOWER,
  CAIRN_EXPLORE_FASTER,
  CAIRN_EXPLORE_BEST
} cairn_explore_verdict;

/* One of the schedules compared with the best. */
typedef struct cairn_explore_finalist {
  uint64_t id;
  cairn_base_times times;
  int class_of; /* it is typical of this class; -1: of none */
  int program_order, slowest;
  cairn_explore_verdict verdict;
  double ratio, p; /* to the best; of the difference */
} cairn_explore_finalist;

/* An operation, and how many messages of failed schedules name it. */
typedef struct cairn_explore_named {
  const char *op;
  unsigned count;
} cairn_explore_named;

enum { CAIRN_EXPLORE_OUTCOMES = 16 };

typedef struct cairn_explore_result {
  const cairn_dag_program *program;
  unsigned streams;
  const char *strategy, *objective;
  const char *recorded; /* NULL: schedules ran */
  /* Where they ran. */
  const char *backend;
  int ranks, verified;
  const char *const *device; /* names */
  size_t devices;

  uint64_t evaluations, failures; /* measured; of them, failed */
  cairn_mcts_stop stopped;
  unsigned outcome[CAIRN_EXPLORE_OUTCOMES]; /* results with each outcome */
  const cairn_explore_named *named;         /* in the program's order */
  size_t nameds;
  const cairn_mcts_point *curve; /* the best so far */
  size_t points;

  const char *best_schedule; /* text; NULL: none was measured well */
  uint64_t best;
  double best_s; /* by the objective */

  cairn_explore_trust trust; /* when schedules ran */
  /* Measured again side by side. */
  int refined;
  unsigned rounds, placements, final_rounds;
  unsigned throttled_rounds; /* with a GPU that was slowed down */
  double refined_drift;
  const cairn_explore_finalist *finalist; /* fastest first */
  size_t finalists;
  size_t classes;

  /* Classes and rules, for the writers of <cairn/classify.h>; NULL: see why in
   * explained (CAIRN_FINDINGS: nothing was measured well). */
  const cairn_classify_analysis *analysis;
  cairn_status explained;

  const char *journal; /* path; NULL: none was written */
} cairn_explore_result;

/* Does it all; on rank 0 *result_p (may be NULL) is what was found, also when
 * the status is CAIRN_FINDINGS (no schedule was measured well), CAIRN_FAILED
 * (see strict) or that of a signal after the search's end; NULL elsewhere.
 * Free with cairn_explore_result_free.  CAIRN_INTERRUPTED, CAIRN_TERMINATED,
 * CAIRN_RESUMABLE: ended by a signal, the journal can be resumed; CAIRN_USAGE,
 * CAIRN_INPUT, CAIRN_ENV, CAIRN_IO, CAIRN_NOMEM: with messages.  Collective
 * when schedules run. */
CAIRN_API cairn_status cairn_explore_run(const cairn_explore_options *options,
                                         cairn_base_diag *diag,
                                         cairn_explore_result **result_p);
/* NULL is fine. */
CAIRN_API void cairn_explore_result_free(cairn_explore_result *result);

/* Share of the space that was measured, 0 to 1, and the size it refers to.  May
 * take up to a second.  CAIRN_NOMEM, CAIRN_FINDINGS: unknown. */
CAIRN_API cairn_status cairn_explore_share(const cairn_explore_result *result,
                                           double *share_p,
                                           cairn_dag_size *size_p);
/* Of recorded times: evaluations until a schedule was measured whose recorded
 * time is at most `factor` times the best recorded one; 0: none was. */
CAIRN_API uint64_t
cairn_explore_evaluations_to(const cairn_explore_result *result, double factor);

#ifdef __cplusplus
}
#endif
#endif

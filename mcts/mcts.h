/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/mcts.h, installed as <cairn/mcts.h> - front door of mcts: the search
 * over a program's schedules.
 *
 * A search proposes schedules, is told their times, and proposes again.  It
 * never proposes a schedule twice: schedules equal in structure after tidying
 * (or minimizing) are one.  How it chooses is a strategy, picked by name.  It
 * knows nothing of how times are measured: the caller gives an evaluator to
 * cairn_mcts_run, or drives the search step by step:
 *
 *     cairn_mcts_create(program, &options, diag, &search);
 *     for each result of an old journal: cairn_mcts__resume(search, ...);
 *     while (cairn_mcts_propose(search, &proposal) == CAIRN_OK) {
 *       ... journal "begin", measure proposal.items, journal "result" ...
 *       cairn_mcts_report(search, proposal.id, &result);
 *     }
 *     cairn_mcts_best(search, &id); ...
 *     cairn_mcts_free(search);
 *
 * Everything is decided by the program, the options and the results reported:
 * the same ones give the same proposals, byte for byte.  Budget, time limit
 * and stop flag only end a search, they never change what it proposes; so a
 * search can be resumed with a larger budget.
 *
 * Errors: see base.h; messages for the user go to the diag, which may be NULL.
 * Ownership: pointers returned belong to the search and live until the next
 * call that changes it (propose, report, run, ...) unless said otherwise.
 */
#ifndef CAIRN_MCTS_H
#define CAIRN_MCTS_H

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- strategies ---- */

/* A number that tunes a strategy. */
typedef struct cairn_mcts_tunable {
  const char *name;
  double value;    /* default */
  double min, max; /* allowed, both inclusive */
  int whole;       /* 1: whole numbers only */
  const char *sentence;
} cairn_mcts_tunable;

typedef struct cairn_mcts_strategy {
  const char *name;
  const char *sentence; /* what it does, one sentence */
  const char *source;   /* paper or document it comes from */
  const cairn_mcts_tunable *tunable;
  size_t tunables;
  int needs_teacher; /* 1: options.teach must be set */
} cairn_mcts_strategy;

/* All strategies, in the order of `--strategy help`.  Static storage. */
CAIRN_API const cairn_mcts_strategy *const *
cairn_mcts_strategies(size_t *count_p);

/* The name used when options.strategy is NULL. */
CAIRN_API const char *cairn_mcts_strategy_default(void);

/* What to use instead of a strategy that earlier versions had, for instance
 * "ils" for "memetic"; NULL for all other names. */
CAIRN_API const char *cairn_mcts_strategy_instead(const char *name);

/* ---- results ---- */

/* What a measurement gave. */
typedef struct cairn_mcts_result {
  cairn_base_outcome outcome;
  double time_s;        /* the objective, seconds, > 0.  OK: finite.  PRUNED:
                           the estimate when it was cut short, or NAN.  All
                           others: NAN. */
  double low_s, high_s; /* interval of time_s, seconds; NAN: unknown */
  unsigned samples;     /* measured samples; 0: unknown */
} cairn_mcts_result;

/* A schedule with its time; the teacher gets arrays of them. */
typedef struct cairn_mcts_sample {
  const cairn_dag_item *items; /* canonical */
  size_t count;
  double time_s; /* NAN: failed, or not measured yet */
} cairn_mcts_sample;

/* The teacher of strategy "rules": scores each candidate schedule by how much
 * its measurement would teach (higher is chosen first; ties: the first), given
 * all measured ones.  Must depend on its arguments alone, or the search is not
 * repeatable.  A status other than CAIRN_OK ends the search with it. */
typedef cairn_status (*cairn_mcts_teach)(void *context,
                                         const cairn_mcts_sample *measured,
                                         size_t measured_count,
                                         const cairn_mcts_sample *candidate,
                                         size_t candidate_count, double *score);

/* The evaluator: measures one schedule and fills *result_p (its outcome is OK
 * and its numbers unknown on entry).  `id` counts proposals from 0: it is the
 * id of the result in the journal.  A schedule that fails is a result, not an
 * error: return CAIRN_OK with another outcome.  Any other status ends the run
 * and is returned by it; the proposal then stays open, unmeasured. */
typedef cairn_status (*cairn_mcts_evaluate)(void *context,
                                            const cairn_dag_item *items,
                                            size_t count, uint64_t id,
                                            cairn_mcts_result *result_p);

/* ---- a search ---- */

typedef struct cairn_mcts cairn_mcts;

/* A strategy's number set by the user, as text: "c", "1.41". */
typedef struct cairn_mcts_setting {
  const char *name, *value;
} cairn_mcts_setting;

/* Start with {0}: all defaults. */
typedef struct cairn_mcts_options {
  const char *strategy; /* NULL: cairn_mcts_strategy_default() */
  unsigned streams;     /* 1..32; 0: the program's default */
  cairn_dag_sync sync;  /* tidy or minimal */
  uint64_t seed;
  uint64_t budget; /* distinct schedules measured, failed ones included, those
                      given to cairn_mcts__resume too; 0: no limit */
  double time_s;   /* wall time of cairn_mcts_run or since the first propose,
                      seconds; <= 0: no limit */
  const cairn_mcts_setting *setting; /* tunables of the strategy */
  size_t settings;
  const volatile int *stop; /* a flag the caller (a signal handler) sets; looked
                               at before each proposal; NULL: none */
  cairn_mcts_teach teach;   /* strategy "rules" needs it; else ignored */
  void *teach_context;
} cairn_mcts_options;

/* Why a search proposes nothing more. */
typedef enum cairn_mcts_stop {
  CAIRN_MCTS_RUNNING,   /* it does */
  CAIRN_MCTS_BUDGET,    /* "budget" */
  CAIRN_MCTS_TIME,      /* "time" */
  CAIRN_MCTS_EXHAUSTED, /* "exhausted": every schedule of the space is known */
  CAIRN_MCTS_SIGNAL     /* "signal": the stop flag is set */
} cairn_mcts_stop;

/* A search at its beginning; the program must be sealed and outlive it.  The
 * options are copied (the stop flag and the teacher are pointed to).  Free
 * with cairn_mcts_free.  CAIRN_USAGE with a message (unknown strategy or
 * tunable, with "did you mean"; value out of range; teacher missing);
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_mcts_create(const cairn_dag_program *program,
                                         const cairn_mcts_options *options,
                                         cairn_base_diag *diag,
                                         cairn_mcts **search_p);
CAIRN_API void cairn_mcts_free(cairn_mcts *search);

/* ---- step by step ---- */

typedef struct cairn_mcts_proposal {
  uint64_t id;                 /* 0, 1, 2, ... */
  const cairn_dag_item *items; /* canonical: tidied or minimized, renumbered */
  size_t count;
} cairn_mcts_proposal;

/* The next schedule to measure.  As long as it is not reported, the same one
 * again.  CAIRN_EXHAUSTED: the search is over (after a signal it can go
 * on).  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_mcts_propose(cairn_mcts *search,
                                          cairn_mcts_proposal *proposal_p);
/* The result of the open proposal `id`.  CAIRN_USAGE when it is not open or
 * the result makes no sense (OK without a positive finite time). */
CAIRN_API cairn_status cairn_mcts_report(cairn_mcts *search, uint64_t id,
                                         const cairn_mcts_result *result);

/* ---- all at once ---- */

/* Proposes, evaluates and reports until the search stops.  CAIRN_OK however it
 * stopped; CAIRN_FINDINGS with a message when nothing was measured well (no
 * result with outcome OK): such a search is an error; else the status of the
 * evaluator or CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_mcts_run(cairn_mcts *search,
                                      cairn_mcts_evaluate evaluate,
                                      void *context, cairn_base_diag *diag);

/* ---- what it found ---- */

/* "running", "budget", "time", "exhausted", "signal": the journal's words. */
CAIRN_API const char *cairn_mcts_stop_text(cairn_mcts_stop stop);

/* Distinct schedules measured, failed ones included; of them, failed. */
CAIRN_API uint64_t cairn_mcts_evaluations(const cairn_mcts *search);

/* The fastest with outcome OK (of equal ones the first).  CAIRN_FINDINGS when
 * there is none. */
CAIRN_API cairn_status cairn_mcts_best(const cairn_mcts *search,
                                       uint64_t *id_p);

/* Best time so far: a point for each improvement, the first at the first good
 * result. */
typedef struct cairn_mcts_point {
  uint64_t evaluations; /* measured when it was found, itself included */
  double time_s;
} cairn_mcts_point;

#ifdef __cplusplus
}
#endif
#endif

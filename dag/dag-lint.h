/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-lint.h - what is wrong with a schedule or a program, and the
 * cheapest repair: races, needless syncs, deadlocks.
 *
 * A sequence to be linted is an array of items as in dag-schedule.h, with a
 * few kinds more: what applications issue beside ops, records and waits.  Ops
 * may be missing or repeated: that is a finding, not an error.  The sequence
 * is taken to be run over and over, so two iterations in a row are checked.
 */
#ifndef CAIRN_DAG_LINT_H
#define CAIRN_DAG_LINT_H

#include "dag-schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds beyond cairn_dag_item_kind.  The text of the first two is
 * "CSS-b4-B@stream" and "CDS-b4-B" ("-b4-B" may be left out). */
typedef enum cairn_dag_step_kind {
  CAIRN_DAG_STEP_STREAM_SYNC = CAIRN_DAG_ITEM_CSW + 1, /* host waits: stream */
  CAIRN_DAG_STEP_DEVICE_SYNC, /* the host waits for all streams */
  CAIRN_DAG_STEP_FOLLOW,      /* stream waits for what stream `id` holds now:
                                 the legacy default stream's implicit order */
  CAIRN_DAG_STEP_NONE         /* taken out: no effect */
} cairn_dag_step_kind;

/* X(name, text in JSON, 1 = wrong results or a hang, 0 = waste or doubt) */
#define CAIRN_DAG_FINDING_TABLE(X)                                             \
  X(RACE, "race", 1)                                                           \
  X(ORDER, "order", 1)                                                         \
  X(DATA_RACE, "data-race", 1)                                                 \
  X(ITERATION_RACE, "iteration-race", 1)                                       \
  X(FORGOTTEN_EDGE, "forgotten-edge", 0)                                       \
  X(UNRECORDED_WAIT, "unrecorded-wait", 1)                                     \
  X(REPEATED_RECORD, "repeated-record", 1)                                     \
  X(MISSING_OP, "missing-op", 1)                                               \
  X(REPEATED_OP, "repeated-op", 1)                                             \
  X(DEADLOCK, "deadlock", 1)                                                   \
  X(RANKS_DIFFER, "ranks-differ", 1)                                           \
  X(REDUNDANT_RECORD, "redundant-record", 0)                                   \
  X(REDUNDANT_STREAM_WAIT, "redundant-stream-wait", 0)                         \
  X(REDUNDANT_HOST_SYNC, "redundant-host-sync", 0)                             \
  X(REPLACEABLE_HOST_SYNC, "replaceable-host-sync", 0)                         \
  X(NEEDLESS_DEVICE_SYNC, "needless-device-sync", 0)

typedef enum cairn_dag_finding_kind {
#define CAIRN_DAG_FINDING_ENUM(name, text, wrong) CAIRN_DAG_FINDING_##name,
  CAIRN_DAG_FINDING_TABLE(CAIRN_DAG_FINDING_ENUM)
#undef CAIRN_DAG_FINDING_ENUM
} cairn_dag_finding_kind;

/* "race", "deadlock", ...; "unknown" outside the table. */
CAIRN_API const char *cairn_dag_finding_text(cairn_dag_finding_kind kind);
/* 1: wrong results or a hang; 0: waste, or a doubt about the program. */
CAIRN_API int cairn_dag_finding_wrong(cairn_dag_finding_kind kind);

#define CAIRN_DAG_NO_POSITION ((size_t)-1)
#define CAIRN_DAG_NO_OP ((unsigned)-1)

typedef struct cairn_dag_finding {
  cairn_dag_finding_kind kind;
  size_t position;    /* index of the item, from 0, or CAIRN_DAG_NO_POSITION */
  unsigned from, to;  /* the edge concerned, or CAIRN_DAG_NO_OP twice */
  int next_iteration; /* 1: `to` belongs to the iteration after `from`'s */
  char *text;         /* what is wrong: one sentence */
  char *repair;       /* the cheapest repair: one sentence */
} cairn_dag_finding;

/* Findings sorted by position; those of the program itself come last. */
typedef struct cairn_dag_report {
  cairn_dag_finding *finding;
  size_t count, capacity;
  int legal; /* 1: no finding that means wrong results or a hang */
} cairn_dag_report;

CAIRN_API void cairn_dag_report_free(cairn_dag_report *report);

typedef enum cairn_dag_lint_flags {
  CAIRN_DAG_LINT_DEFAULT = 0,
  /* Iterations overlap: the sequence has neither start nor end, and nothing
   * need be complete when the next iteration begins, apart from what reads and
   * writes demand.  Waits for the event of the former iteration are allowed. */
  CAIRN_DAG_LINT_OPEN = 1,
  /* Only what is wrong, not what is needless. */
  CAIRN_DAG_LINT_WRONG_ONLY = 2
} cairn_dag_lint_flags;

/* Lints a sequence.  Findings are a result, not an error; CAIRN_NOMEM.  Free
 * with cairn_dag_report_free. */
CAIRN_API cairn_status cairn_dag_lint(const cairn_dag_program *program,
                                      const cairn_dag_item *items, size_t count,
                                      unsigned flags,
                                      cairn_dag_report **report_p);

/* Lints the program itself: deadlocks that some schedule has, and pairs of ops
 * that touch one buffer with no edge between them. */
CAIRN_API cairn_status
cairn_dag_lint_program(const cairn_dag_program *program,
                       cairn_dag_report **report_p);

/* Reads the text of a sequence: schedule text, and the kinds above.  An event
 * recorded again is a new event; waits mean the newest record of their event.
 * Missing and repeated ops are accepted.  CAIRN_INPUT with a message that
 * names the item and its position. */
CAIRN_API cairn_status cairn_dag_lint_parse(const cairn_dag_program *program,
                                            const char *text,
                                            cairn_base_diag *diag,
                                            cairn_dag_schedule *sequence);

/* Appends the text of one item: "Pack@0", "CES #2", "CSW@1 #0", "CDS". */
CAIRN_API void cairn_dag_lint_item(const cairn_dag_program *program,
                                   cairn_dag_item item, cairn_base_text *text);

/* Turns a sequence into a plain schedule (cairn_dag_schedule_format can print
 * it, tidy makes it canonical): stream and device syncs become records and
 * waits of the host; start and end are added where they are missing.
 * CAIRN_INPUT when an op is missing or repeated. */
CAIRN_API cairn_status cairn_dag_lint_plain(const cairn_dag_program *program,
                                            const cairn_dag_item *items,
                                            size_t count, cairn_base_diag *diag,
                                            cairn_dag_schedule *schedule);

/* ---- deadlocks ---- */

/* Op `wait` completes a message that needs op `post` to have been issued (here
 * when own, on the peers, which run the same order, when not), and no path of
 * the program leads from `post` to `wait`: some schedule can hang. */
typedef struct cairn_dag_deadlock {
  unsigned wait, post;
  int own;             /* the post of the message itself, not of its match */
  const char *message; /* the message that `wait` completes; the program's */
} cairn_dag_deadlock;

/* All of them, sorted by wait and post; free *list_p with cairn_base_free.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_dag_program_deadlocks(const cairn_dag_program *program,
                            cairn_dag_deadlock **list_p, size_t *count_p);
/* A schedule (one stream, legal) that issues the wait before the post. */
CAIRN_API cairn_status
cairn_dag_deadlock_show(const cairn_dag_program *program,
                        const cairn_dag_deadlock *deadlock,
                        cairn_dag_schedule *schedule);
/* Searches call this first: CAIRN_INPUT, with messages that name the edges to
 * add, when some schedule of the program can deadlock. */
CAIRN_API cairn_status
cairn_dag_program_deadlock_free(const cairn_dag_program *program,
                                cairn_base_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/lint.h, installed as <cairn/lint.h> - front door of lint: what is wrong
 * with a schedule, a program or the log of a running application.
 */
#ifndef CAIRN_LINT_H
#define CAIRN_LINT_H

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * What is wrong with a schedule or a program, and the
 * cheapest repair: races, needless syncs, deadlocks.
 *
 * A sequence to be linted is an array of items as in dag-schedule.h, with a
 * few kinds more: what applications issue beside ops, records and waits.  Ops
 * may be missing or repeated: that is a finding, not an error.  The sequence
 * is taken to be run over and over, so two iterations in a row are checked.
 */

/* X(name, text in JSON, 1 = wrong results or a hang, 0 = waste or doubt) */
#define CAIRN_LINT_FINDING_TABLE(X)                                            \
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

typedef enum cairn_lint_finding_kind {
#define CAIRN_LINT_FINDING_ENUM(name, text, wrong) CAIRN_LINT_FINDING_##name,
  CAIRN_LINT_FINDING_TABLE(CAIRN_LINT_FINDING_ENUM)
#undef CAIRN_LINT_FINDING_ENUM
} cairn_lint_finding_kind;

/* "race", "deadlock", ...; "unknown" outside the table. */
CAIRN_API const char *cairn_lint_finding_text(cairn_lint_finding_kind kind);
/* 1: wrong results or a hang; 0: waste, or a doubt about the program. */
CAIRN_API int cairn_lint_finding_wrong(cairn_lint_finding_kind kind);

#define CAIRN_DAG_NO_POSITION ((size_t)-1)

typedef struct cairn_lint_finding {
  cairn_lint_finding_kind kind;
  size_t position;    /* index of the item, from 0, or CAIRN_DAG_NO_POSITION */
  unsigned from, to;  /* the edge concerned, or CAIRN_DAG_NO_OP twice */
  int next_iteration; /* 1: `to` belongs to the iteration after `from`'s */
  char *text;         /* what is wrong: one sentence */
  char *repair;       /* the cheapest repair: one sentence */
} cairn_lint_finding;

/* Findings sorted by position; those of the program itself come last. */
typedef struct cairn_lint_report {
  cairn_lint_finding *finding;
  size_t count, capacity;
  int legal; /* 1: no finding that means wrong results or a hang */
} cairn_lint_report;

CAIRN_API void cairn_lint_report_free(cairn_lint_report *report);

typedef enum cairn_lint_flags {
  CAIRN_LINT_DEFAULT = 0,
  /* Iterations overlap: the sequence has neither start nor end, and nothing
   * need be complete when the next iteration begins, apart from what reads and
   * writes demand.  Waits for the event of the former iteration are allowed. */
  CAIRN_LINT_OPEN = 1,
  /* Only what is wrong, not what is needless. */
  CAIRN_LINT_WRONG_ONLY = 2
} cairn_lint_flags;

/* What a text calls the streams and events of its items: by our number, its.
 * All zero: as the items do.  Free `event` with cairn_base_free. */
typedef struct cairn_lint_numbers {
  unsigned long stream[CAIRN_DAG_MAX_STREAMS];
  unsigned streams;
  unsigned long *event;
  size_t events, capacity;
} cairn_lint_numbers;

/* Lints a sequence.  The findings name streams and events by `numbers`; NULL:
 * as the items do.  Findings are a result, not an error; CAIRN_NOMEM.  Free
 * with cairn_lint_report_free. */
CAIRN_API cairn_status cairn_lint(const cairn_dag_program *program,
                                  const cairn_dag_item *items, size_t count,
                                  unsigned flags,
                                  const cairn_lint_numbers *numbers,
                                  cairn_lint_report **report_p);

/* Lints the program itself: deadlocks that some schedule has, and pairs of ops
 * that touch one buffer with no edge between them. */
CAIRN_API cairn_status cairn_lint_program(const cairn_dag_program *program,
                                          cairn_lint_report **report_p);

/* Reads the text of a sequence: schedule text, and the kinds above.  An event
 * recorded again is a new event; waits mean the newest record of their event.
 * Missing and repeated ops are accepted.  *numbers, unless NULL, gets what the
 * text calls its streams and events; it may be of an earlier text.  CAIRN_INPUT
 * with a message that names the item and its position. */
CAIRN_API cairn_status cairn_lint_parse(const cairn_dag_program *program,
                                        const char *text, cairn_base_diag *diag,
                                        cairn_dag_schedule *sequence,
                                        cairn_lint_numbers *numbers);

/* Appends the text of one item: "Pack@0", "CES#2", "CSW@1#0", "CDS"; numbers
 * as for cairn_lint. */
CAIRN_API void cairn_lint_item(const cairn_dag_program *program,
                               cairn_dag_item item,
                               const cairn_lint_numbers *numbers,
                               cairn_base_text *text);

/* Turns a sequence into a plain schedule (cairn_dag_schedule_format can print
 * it, tidy makes it canonical): stream and device syncs become records and
 * waits of the host; start and end are added where they are missing.
 * CAIRN_INPUT when an op is missing or repeated. */
CAIRN_API cairn_status cairn_lint_plain(const cairn_dag_program *program,
                                        const cairn_dag_item *items,
                                        size_t count, cairn_base_diag *diag,
                                        cairn_dag_schedule *schedule);

/* ======================================================================
 * The log of a running application, as written by
 * libcairn-capture.so, turned into a sequence that the linter can judge.
 *
 * The log is text, one call a line, the first line "cairn-capture 1 ...".
 * Calls become ops of a program: a kernel or MPI call by its name, by a map
 * NAME=OP or NAME#K=OP (the K-th such call of an iteration, from 1).  Without
 * a map a call means the op of the same name; MPI_Irecv and its like mean the
 * only op that posts a receive, MPI_Isend the only one that posts a send; and
 * a wait means the op that waits for the message of the request.  Calls one
 * after another that mean the same op are one op.
 */

#define CAIRN_LINT_CAPTURE_NO_ITERATION ((size_t)-1)

/* What a log has for one string of the map. */
typedef struct cairn_lint_mapped {
  int used;            /* 1: some call took it (or an earlier one like it) */
  unsigned long calls; /* of its name, most in one iteration */
  char
      *nearest; /* of a name that no call has: a call's much like it, or NULL */
} cairn_lint_mapped;

typedef struct cairn_lint_capture {
  cairn_dag_item *items; /* one iteration, kinds as in dag-lint.h */
  size_t *line;          /* by item: line in the log; 0: added by the reader */
  size_t count;
  int open;          /* 1: does not end with a full join; no start, end */
  size_t iteration;  /* which one, from 0 */
  size_t iterations; /* how many the log holds */
  size_t different;  /* of these, how many issue other items */
  unsigned rank;
  cairn_lint_mapped *mapped; /* by string of the map */
  size_t maps;
} cairn_lint_capture;

/* 1 when the text is such a log. */
CAIRN_API int cairn_lint_capture_is(const char *text);

/* Reads one iteration of a log: `iteration`, from 0, or
 * CAIRN_LINT_CAPTURE_NO_ITERATION for one in the middle.  map: "NAME=OP"
 * strings.  Calls that mean no op are ignored, with a note for each name;
 * a map that no call took is for the caller to judge (`mapped`): another
 * rank's log may have the call.
 * CAIRN_INPUT with messages; CAIRN_USAGE for a map that names no op.  Free
 * with cairn_lint_capture_free. */
CAIRN_API cairn_status cairn_lint_capture_read(
    const cairn_dag_program *program, const char *path, const char *text,
    const char *const *map, size_t maps, size_t iteration,
    cairn_base_diag *diag, cairn_lint_capture **capture_p);
CAIRN_API void cairn_lint_capture_free(cairn_lint_capture *capture);

#ifdef __cplusplus
}
#endif
#endif

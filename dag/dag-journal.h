/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-journal.h - the journal, run.jsonl: JSON Lines, one record a line,
 * its last member "x" the XXH3-64 in hex of the bytes before it.
 *
 * The checksum of a line is the XXH3-64 (seed 0), in 16 lower-case hex digits,
 * of its bytes from the opening brace up to, not including, the comma before
 * "x".  Members have a fixed order, numbers the fewest digits (15 to 17) that
 * read back the same, whole numbers above 2^53 are strings.  Further facts
 * stand in one member "facts".  The reader checks types and refuses a member
 * or an id that comes twice; members it does not know are ignored.
 *
 * Written by one process, one write and fdatasync a record, never rewritten.
 * Numbers that are unknown are NAN here and null in the file; unknown strings
 * are NULL here and null in the file.
 */
#ifndef CAIRN_DAG_JOURNAL_H
#define CAIRN_DAG_JOURNAL_H

#include <stdint.h>

#include <cairn/base.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_DAG_JOURNAL_FORMAT 1

/* X(name, text in the file) */
#define CAIRN_DAG_OUTCOME_TABLE(X)                                             \
  X(OK, "ok")                                                                  \
  X(FAILED, "failed")                                                          \
  X(WRONG, "wrong")                                                            \
  X(TIMEOUT, "timeout")                                                        \
  X(CRASHED, "crashed")                                                        \
  X(QUARANTINED, "quarantined")                                                \
  X(PRUNED, "pruned")

typedef enum cairn_dag_outcome {
#define CAIRN_DAG_OUTCOME_ENUM(name, text) CAIRN_DAG_OUTCOME_##name,
  CAIRN_DAG_OUTCOME_TABLE(CAIRN_DAG_OUTCOME_ENUM)
#undef CAIRN_DAG_OUTCOME_ENUM
} cairn_dag_outcome;

/* "ok", "failed", ... */
CAIRN_API const char *cairn_dag_outcome_text(cairn_dag_outcome outcome);

/* A further fact of the header: a string, or a number when text is NULL. */
typedef struct cairn_dag_fact {
  const char *name, *text;
  double number;
} cairn_dag_fact;

/* The header.  As argument of create the strings are the caller's and only
 * read; in a run they belong to the run. */
typedef struct cairn_dag_header {
  const char *cairn; /* version */
  const char *program_name, *program_digest;
  const char *program_graph; /* NULL and not in the file: not known */
  const char *const *param_name, *const *param_value;
  size_t params;
  unsigned ranks, streams;
  const char *const *host; /* distinct host names; 0 on replay */
  size_t hosts;
  const char *backend;       /* "host", "cuda", "replay" or "import" */
  const char *const *device; /* names of the devices */
  size_t devices;
  const char *driver, *mpi;
  int gpu_aware;    /* 0, 1, -1 unknown */
  const char *sync; /* "tidy" or "minimal" */
  const char *strategy;
  uint64_t seed;
  const char *objective;      /* "p10", "p50", ... */
  const cairn_dag_fact *fact; /* clock, binding and other facts */
  size_t facts;
} cairn_dag_header;

typedef struct cairn_dag_result {
  uint64_t id;          /* from 0, in the order of measuring */
  const char *schedule; /* text */
  cairn_dag_outcome outcome;
  unsigned samples; /* 0 with outcome OK: unknown, null in the file */
  double p01, p10, p50, p90, p99, stddev, skew; /* seconds */
  double at;                  /* seconds since the start; 0 on replay */
  const char *message;        /* why it failed, or NULL */
  const cairn_dag_fact *fact; /* further facts (stop reason, flags, ...) */
  size_t facts;
  size_t line; /* line in the file, when read */
} cairn_dag_result;

/* The fact of this name, or NULL. */
CAIRN_API const cairn_dag_fact *
cairn_dag_fact_find(const cairn_dag_fact *fact, size_t facts, const char *name);
/* A result whose numbers are not known (NAN): its schedule did not get so far.
 * The schedule's text is not copied. */
CAIRN_API cairn_dag_result cairn_dag_result_blank(uint64_t id,
                                                  const char *schedule,
                                                  cairn_dag_outcome outcome);

/* ---- writing ---- */
typedef struct cairn_dag_journal cairn_dag_journal;

typedef enum cairn_dag_journal_mode {
  CAIRN_DAG_JOURNAL_NEW, /* an existing file is refused (CAIRN_USAGE) */
  /* append; a torn last line is cut off first, and an `end` before the next
   * record, so that it is the last one and the only one.  CAIRN_INPUT,
   * untouched: no regular file, or no journal of cairn */
  CAIRN_DAG_JOURNAL_RESUME
} cairn_dag_journal_mode;

/* Opens and locks the file (a second writer is refused, CAIRN_USAGE, with the
 * pid of the first) and, when new, writes the header; RESUME writes it too
 * when the file is missing or its writer died before the header was complete.
 * Close with cairn_dag_journal_close.  One journal may be written from several
 * threads.  CAIRN_IO: a record that cannot be written whole is taken back; the
 * message names the file and the cause.  A journal that is no longer where it
 * was is noticed at the next record (CAIRN_IO). */
CAIRN_API cairn_status cairn_dag_journal_open(const char *path,
                                              cairn_dag_journal_mode mode,
                                              const cairn_dag_header *header,
                                              cairn_base_diag *diag,
                                              cairn_dag_journal **journal_p);
/* Before a schedule's first execution.  When its result then finds no room, the
 * `begin` is taken back too: the schedule is none that killed the job. */
CAIRN_API cairn_status cairn_dag_journal_begin(cairn_dag_journal *journal,
                                               uint64_t id,
                                               const char *schedule,
                                               cairn_base_diag *diag);
CAIRN_API cairn_status cairn_dag_journal_result(cairn_dag_journal *journal,
                                                const cairn_dag_result *result,
                                                cairn_base_diag *diag);
/* Better numbers for results that are there already (same ids and schedules),
 * from measuring them again side by side: all in one write and one flush.
 * Readers use them instead of the first ones, unless told otherwise. */
CAIRN_API cairn_status cairn_dag_journal_refined(cairn_dag_journal *journal,
                                                 const cairn_dag_result *result,
                                                 size_t count,
                                                 cairn_base_diag *diag);
/* How the job died that ran this schedule; it has no result yet. */
CAIRN_API cairn_status cairn_dag_journal_death(cairn_dag_journal *journal,
                                               uint64_t id, const char *message,
                                               cairn_base_diag *diag);
/* reason: "budget", "time", "exhausted", "signal".  Nothing is written when the
 * journal ends with this very record. */
CAIRN_API cairn_status cairn_dag_journal_end(cairn_dag_journal *journal,
                                             uint64_t count, const char *reason,
                                             cairn_base_diag *diag);
/* Test hook: the n-th write from now (1: the next) puts down half of the
 * record, then fails with this errno; n = 0 switches it off. */
CAIRN_API void cairn_dag_journal_inject(cairn_dag_journal *journal, size_t n,
                                        int error);
/* Closes and frees; NULL is fine. */
CAIRN_API void cairn_dag_journal_close(cairn_dag_journal *journal);

/* ---- reading ---- */
typedef struct cairn_dag_run {
  const char *path;
  cairn_dag_header header;
  cairn_dag_result *result; /* in the order of the file */
  size_t results;
  /* schedules begun but without a result, in order */
  struct cairn_dag_begun {
    uint64_t id;
    const char *schedule;
    size_t line;
    unsigned times; /* how often, since it last had a result */
  } * begun;
  size_t begun_count;
  const char *end_reason; /* NULL: the run did not end properly */
  uint64_t end_count;
  int torn;        /* a torn last line was dropped */
  size_t salvaged; /* damaged lines skipped */
} cairn_dag_run;

typedef enum cairn_dag_run_flags {
  CAIRN_DAG_RUN_STRICT = 0,
  CAIRN_DAG_RUN_SALVAGE = 1, /* skip damaged inner lines, a warning each */
  /* an empty file, and one whose writer died before the header was complete,
   * is an empty run (header.cairn NULL, header.objective NULL), no error */
  CAIRN_DAG_RUN_UNBORN = 2,
  /* results as first measured: refined ones are not put in their place */
  CAIRN_DAG_RUN_AS_MEASURED = 4,
  /* what is no regular file is refused: reading never waits */
  CAIRN_DAG_RUN_REGULAR = 8
} cairn_dag_run_flags;

/* Reads a whole journal (.gz and .xz too).  A torn last line is dropped with a
 * note; a damaged inner line is CAIRN_INPUT with its number and offset.  Free
 * with cairn_dag_run_free. */
CAIRN_API cairn_status cairn_dag_run_read(const char *path, unsigned flags,
                                          cairn_base_diag *diag,
                                          cairn_dag_run **run_p);
CAIRN_API void cairn_dag_run_free(cairn_dag_run *run);

/* The objective's value of a result ("p10", ...): seconds, NAN if unknown. */
CAIRN_API double cairn_dag_result_time(const cairn_dag_result *result,
                                       const char *objective);

/* Imports a '|'-separated table (index|p01|p10|p50|p90|p99|stddev|op|op...,
 * each op a JSON object) into a new journal.  rename: pairs OLD=NEW applied to
 * op names, also inside sync names.  CAIRN_INPUT with file:line. */
CAIRN_API cairn_status cairn_dag_table_import(
    const char *table_path, const char *journal_path, const char *const *rename,
    size_t renames, const char *version, cairn_base_diag *diag, size_t *rows_p);

#ifdef __cplusplus
}
#endif
#endif

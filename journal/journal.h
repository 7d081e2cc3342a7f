/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/journal.h, installed as <cairn/journal.h> - front door of journal:
 * run.jsonl, JSON Lines, one record a line, its last member "x" the XXH3-64 in
 * hex of the bytes before it.
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
#ifndef CAIRN_JOURNAL_H
#define CAIRN_JOURNAL_H

#include <stdint.h>

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * The journal, run.jsonl: JSON Lines, one record a line,
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

/* Of a result's facts in the file those that something depends on (the interval
 * "low" and "high", "uncorrected", "finalist") are members here, and not among
 * the facts. */

/* The header.  As argument of create the strings are the caller's and only
 * read; in a run they belong to the run. */
typedef struct cairn_journal_header {
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
  const char *objective;       /* "p10", "p50", ... */
  const cairn_base_fact *fact; /* clock, binding and other facts */
  size_t facts;
} cairn_journal_header;

typedef struct cairn_journal_result {
  uint64_t id;          /* from 0, in the order of measuring */
  const char *schedule; /* text */
  cairn_base_outcome outcome;
  cairn_base_times times; /* samples 0 with outcome OK: null in the file */
  double at;              /* seconds since the start; 0 on replay */
  int corrected;       /* measured again side by side with others and corrected
                          for drift, so that its interval can be believed */
  double uncorrected;  /* then: the median before that */
  int finalist;        /* it stayed to the end; the best is one of these */
  const char *message; /* why it failed, or NULL */
  const cairn_base_fact *fact; /* further facts (stop reason, flags, ...) */
  size_t facts;
  size_t line; /* line in the file, when read */
} cairn_journal_result;

/* ---- reading ---- */
typedef struct cairn_journal_run {
  const char *path;
  cairn_journal_header header;
  cairn_journal_result *result; /* in the order of the file */
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
  int refined;     /* measured again side by side to the end, nothing since */
  int torn;        /* a torn last line was dropped */
  size_t salvaged; /* damaged lines skipped */
} cairn_journal_run;

typedef enum cairn_journal_run_flags {
  CAIRN_JOURNAL_RUN_STRICT = 0,
  CAIRN_JOURNAL_RUN_SALVAGE = 1, /* skip damaged inner lines, a warning each */
  /* an empty file, and one whose writer died before the header was complete,
   * is an empty run (header.cairn NULL, header.objective NULL), no error */
  CAIRN_JOURNAL_RUN_UNBORN = 2,
  /* results as first measured: refined ones are not put in their place */
  CAIRN_JOURNAL_RUN_AS_MEASURED = 4,
  /* what is no regular file is refused: reading never waits */
  CAIRN_JOURNAL_RUN_REGULAR = 8
} cairn_journal_run_flags;

/* Reads a whole journal (.gz and .xz too).  A torn last line is dropped with a
 * note; a damaged inner line is CAIRN_INPUT with its number and offset.  Free
 * with cairn_journal_run_free. */
CAIRN_API cairn_status cairn_journal_run_read(const char *path, unsigned flags,
                                              cairn_base_diag *diag,
                                              cairn_journal_run **run_p);
CAIRN_API void cairn_journal_run_free(cairn_journal_run *run);

/* Imports a table (index|p01|p10|p50|p90|p99|stddev|op|op..., each op a JSON
 * object; or its older form with commas) into a new journal.  rename: pairs
 * OLD=NEW applied to op names, also inside sync names; CAIRN_USAGE when one
 * makes two ops one.  CAIRN_INPUT with file:line. */
CAIRN_API cairn_status cairn_journal_table_import(
    const char *table_path, const char *journal_path, const char *const *rename,
    size_t renames, const char *version, cairn_base_diag *diag, size_t *rows_p);

/* ======================================================================
 * Do two runs come from the same thing?
 *
 * Results may be taken together when they are of one program (its operations,
 * their kinds and its edges; not its name, calls or arguments), with the same
 * parameters, ranks, devices, backend and objective.  What a header does not
 * tell (an imported table names no program, ranks or parameters) equals
 * anything; operations and kinds are then those of the schedules.
 */

typedef enum cairn_journal_origin {
  CAIRN_JOURNAL_ORIGIN_SAME,
  CAIRN_JOURNAL_ORIGIN_CONDITIONS, /* parameters, ranks, devices, backend or
                                  objective differ */
  CAIRN_JOURNAL_ORIGIN_PROGRAM     /* operations, kinds or edges differ */
} cairn_journal_origin;

/* Compares two runs.  objective: the one asked for, which then counts for both;
 * NULL: each run's own.  When they differ, what does is appended to words as
 * in "parameter rows is 400 and 9000, ranks is 1 and 2": first a's, then b's.
 * CAIRN_NOMEM; CAIRN_INPUT: a schedule cannot be read (in diag). */
CAIRN_API cairn_status cairn_journal_origin_compare(
    const cairn_journal_run *a, const cairn_journal_run *b,
    const char *objective, cairn_base_diag *diag,
    cairn_journal_origin *origin_p, cairn_base_text *words);

/* Is a run of this program?  Parameters and the rest do not count. */
CAIRN_API cairn_status cairn_journal_origin_of_program(
    const cairn_journal_run *run, const cairn_dag_program *program,
    cairn_base_diag *diag, cairn_journal_origin *origin_p,
    cairn_base_text *words);

#ifdef __cplusplus
}
#endif
#endif

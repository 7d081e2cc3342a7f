/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base.h, installed as <cairn/base.h> - front door of base: what every
 * other folder stands on.
 *
 * Status codes with texts, checked memory, text buffers, diagnostics, the log,
 * whole files in and out, and what measuring a schedule gave.
 *
 * Errors: a function that can fail returns a cairn_status; out-arguments come
 * last and are written only on success.  A function that takes a
 * cairn_base_diag writes there what went wrong, in words for the user; the
 * first function that knows the cause writes it, callers only pass it on.
 * Ownership: each function that returns memory names its freeing function.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ======================================================================
 * One table of status codes: name, exit code, text.
 */

#if defined __GNUC__
#define CAIRN_API __attribute__((visibility("default")))
#define CAIRN_PRINTF(f, a) __attribute__((format(printf, f, a)))
#define CAIRN_MUST_USE __attribute__((warn_unused_result))
#else
#define CAIRN_API
#define CAIRN_PRINTF(f, a)
#define CAIRN_MUST_USE
#endif

/* X(name, exit code of the command, text).  The exit codes are documented in
 * cairn(1). */
#define CAIRN_BASE_STATUS_TABLE(X)                                             \
  X(OK, 0, "success")                                                          \
  X(FINDINGS, 1, "findings, or finished with nothing usable")                  \
  X(USAGE, 2, "wrong usage")                                                   \
  X(INPUT, 3, "bad input")                                                     \
  X(ENV, 4, "the environment (MPI, GPU, plugin) does not allow it")            \
  X(NOMEM, 4, "out of memory")                                                 \
  X(IO, 4, "input or output error")                                            \
  X(INTERNAL, 4, "internal error, please report it")                           \
  X(FAILED, 5, "some schedules failed")                                        \
  X(RESUMABLE, 75, "stopped, resumable")                                       \
  X(INTERRUPTED, 130, "interrupted")                                           \
  X(TERMINATED, 143, "terminated")                                             \
  X(EXHAUSTED, 0, "nothing is left to do")

typedef enum cairn_status {
#define CAIRN_BASE_STATUS_ENUM(name, exit_code, text) CAIRN_##name,
  CAIRN_BASE_STATUS_TABLE(CAIRN_BASE_STATUS_ENUM)
#undef CAIRN_BASE_STATUS_ENUM
} cairn_status;

/* Text of a status; "unknown status" for a value outside the table. */
CAIRN_API const char *cairn_base_status_text(cairn_status status);

/* Exit code of the command for a status (0..143). */
CAIRN_API int cairn_base_status_exit_code(cairn_status status);

/* What a command that a signal has stopped returns: 0 is CAIRN_OK, SIGINT
 * CAIRN_INTERRUPTED, SIGTERM and SIGHUP CAIRN_TERMINATED, any other (SIGUSR1)
 * CAIRN_RESUMABLE. */
CAIRN_API cairn_status cairn_base_status_of_signal(int number);

/* ======================================================================
 * All memory of the library comes from here, so that a test
 * can make the n-th allocation fail (once, or from then on).
 */

/* As malloc, calloc, realloc, strdup, free; NULL when memory is short or when
 * the hook says so.  count * size is checked for overflow.  A request of 0
 * bytes returns a pointer that can be freed.  Free with cairn_base_free. */
CAIRN_API void *cairn_base_alloc(size_t count, size_t size);
CAIRN_API void *cairn_base_zalloc(size_t count, size_t size);

CAIRN_API char *cairn_base_strdup(const char *text);
CAIRN_API char *cairn_base_strndup(const char *text, size_t length);
CAIRN_API void cairn_base_free(void *memory);

/* Makes sure that *memory_p, an array of items of `size` bytes, has room for
 * `needed` items; grows by doubling; *capacity_p is kept up to date.  On
 * CAIRN_NOMEM the array is as it was. */
CAIRN_API CAIRN_MUST_USE cairn_status cairn_base_reserve(void *memory_p,
                                                         size_t *capacity_p,
                                                         size_t needed,
                                                         size_t size);

/* ======================================================================
 * A growable text buffer, and spelling help.
 */

/* A buffer that is always NUL-terminated once something was added.  Start with
 * {0}; free with cairn_base_text_free.  When memory runs out the buffer
 * remembers it (failed = 1), ignores further adds, and the caller checks once
 * at the end. */
typedef struct cairn_base_text {
  char *data; /* NULL while empty */
  size_t length, capacity;
  int failed;
} cairn_base_text;

CAIRN_API void cairn_base_text_add(cairn_base_text *text, const char *string);

CAIRN_API void cairn_base_text_addf(cairn_base_text *text, const char *format,
                                    ...) CAIRN_PRINTF(2, 3);

/* What a terminal must not be given as it is: controls (C0, DEL, C1), spaces
 * and signs that cannot be seen, marks that turn the direction of writing,
 * bytes that are no UTF-8.  Appends the text with each of them spelled out:
 * \n, \t, \r, \x1b, \u202e, \U000e0001.  `lines`: 1 leaves line feeds and
 * tabs as they are, for texts of several lines that we made. */
CAIRN_API void cairn_base_text_add_shown(cairn_base_text *text,
                                         const char *string, int lines);

/* A copy of the string that is UTF-8 (bytes that are none become U+FFFD): what
 * JSON may hold.  NULL when memory is short.  Free with cairn_base_free. */
CAIRN_API char *cairn_base_utf8(const char *string);
CAIRN_API void cairn_base_text_free(cairn_base_text *text);

/* The candidate nearest to `word`, if near enough to be a likely misspelling
 * (distance at most 2 and less than half the word), else NULL.  Ties: first. */
CAIRN_API const char *cairn_base_text_nearest(const char *word,
                                              const char *const *candidates,
                                              size_t count);

/* ======================================================================
 * Printing and reading numbers, the same whatever locale
 * an application has set.  What prints or reads a double goes through here;
 * the thread's locale is "C" meanwhile, no other thread sees it.
 */

/* As snprintf, vsnprintf and fprintf. */
CAIRN_API int cairn_base_format(char *buffer, size_t size, const char *format,
                                ...) CAIRN_PRINTF(3, 4);
CAIRN_API int cairn_base_vformat(char *buffer, size_t size, const char *format,
                                 va_list list) CAIRN_PRINTF(3, 0);
CAIRN_API int cairn_base_print(FILE *out, const char *format, ...)
    CAIRN_PRINTF(2, 3);

/* As strtod. */
CAIRN_API double cairn_base_to_double(const char *text, char **end_p);

/* As isdigit and kin, of ASCII alone and for any char. */
static inline int cairn_base_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline int cairn_base_is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline int cairn_base_is_alnum(char c) {
  return cairn_base_is_alpha(c) || cairn_base_is_digit(c);
}
static inline int cairn_base_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

/* ======================================================================
 * Diagnostics: messages for the user, collected, then
 * printed by whoever owns the terminal.  Every function accepts a NULL diag
 * and then says nothing.
 */

typedef enum cairn_base_severity {
  CAIRN_BASE_ERROR,
  CAIRN_BASE_WARNING,
  CAIRN_BASE_NOTE
} cairn_base_severity;

typedef struct cairn_base_message {
  cairn_base_severity severity;
  const char *file; /* NULL: no place */
  size_t line;      /* 1-based; 0: no line */
  const char *text;
} cairn_base_message;

typedef struct cairn_base_diag cairn_base_diag;

/* A new, empty collection; free with cairn_base_diag_free.  Keeps at most
 * `limit` errors (0: 20); more are counted, not kept.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_base_diag_create(size_t limit,
                                              cairn_base_diag **diag_p);
CAIRN_API void cairn_base_diag_free(cairn_base_diag *diag);

/* Adds one message; file may be NULL and line 0.  Never fails visibly: when
 * memory is short the message is dropped and still counted. */
CAIRN_API void cairn_base_diag_add(cairn_base_diag *diag,
                                   cairn_base_severity severity,
                                   const char *file, size_t line,
                                   const char *format, ...) CAIRN_PRINTF(5, 6);

/* An error without a place. */
#define cairn_base_diag_error(diag, ...)                                       \
  cairn_base_diag_add((diag), CAIRN_BASE_ERROR, NULL, 0, __VA_ARGS__)

/* Messages kept, and errors seen (kept or not). */
CAIRN_API size_t cairn_base_diag_count(const cairn_base_diag *diag);
CAIRN_API size_t cairn_base_diag_errors(const cairn_base_diag *diag);
/* The i-th message in the order of adding, valid until the next add. */
CAIRN_API const cairn_base_message *
cairn_base_diag_get(const cairn_base_diag *diag, size_t i);

/* Prints all as "file:line: error: text" (or "cairn: error: text" without a
 * place), each on one line: whatever the text holds reaches the terminal
 * spelled out (cairn_base_text_add_shown).  Then "N more errors" if some were
 * not kept; then forgets them. */
CAIRN_API void cairn_base_diag_print(cairn_base_diag *diag, FILE *out);

/* ======================================================================
 * The log: lines on standard error, by level, with the rank
 * when there are several.  Results never go here.  The level and the rank tag
 * are the library's only globals.
 */

typedef enum cairn_base_log_level {
  CAIRN_BASE_LOG_ERROR,
  CAIRN_BASE_LOG_WARNING,
  CAIRN_BASE_LOG_INFO,
  CAIRN_BASE_LOG_DEBUG
} cairn_base_log_level;

/* Default: CAIRN_BASE_LOG_INFO. */
CAIRN_API void cairn_base_log_set_level(cairn_base_log_level level);
CAIRN_API cairn_base_log_level cairn_base_log_get_level(void);

/* One line, newline added, written with one write(2); what a terminal must not
 * be given is spelled out (cairn_base_text_add_shown). */
CAIRN_API void cairn_base_log(cairn_base_log_level level, const char *format,
                              ...) CAIRN_PRINTF(2, 3);

/* ======================================================================
 * Whole files in (plain, .gz, .xz) and out (atomically).
 */

/* Reads a whole file that the user has named into memory, NUL-terminated (the
 * NUL not counted): a regular file, or a pipe, socket or terminal to its end.
 * .gz or .xz, known by the first bytes, is unpacked.  At most `limit` bytes
 * after unpacking.  CAIRN_INPUT (missing, a folder or device, too large,
 * damaged compression: said in diag with the file's name), CAIRN_INTERRUPTED
 * (a signal came while a pipe was waited for), CAIRN_IO, CAIRN_NOMEM.  Free
 * *data_p with cairn_base_free. */
CAIRN_API cairn_status cairn_base_file_read(const char *path, size_t limit,
                                            cairn_base_diag *diag,
                                            char **data_p, size_t *length_p);

/* Writes a whole file.  Regular, or new: temporary in the same folder, fsync,
 * rename, fsync of the folder, so that either the old content or the whole new
 * one is there afterwards; a symbolic link stays, and what it leads to is
 * replaced.  A new file has the rights that umask leaves, a replaced one keeps
 * its own.  A pipe, a character device, /dev/stdout or /dev/fd/N is written to
 * as it is.  CAIRN_IO with a message: also for a folder, a block device, a link
 * that leads nowhere and a file that may not be written to. */
CAIRN_API cairn_status cairn_base_file_write(const char *path, const char *data,
                                             size_t length,
                                             cairn_base_diag *diag);

/* 1: a file that is written as it is (a pipe, a character device, /dev/fd/N),
 * not replaced; it can be read once only. */
CAIRN_API int cairn_base_file_is_stream(const char *path);

/* To be asked before the work: can the file that this option names be written,
 * and is it none of the inputs (NULL: not given)?  A path of NULL is fine.
 * CAIRN_USAGE, CAIRN_IO, with a message. */
CAIRN_API cairn_status cairn_base_file_check_output(const char *option,
                                                    const char *path,
                                                    const char *const *input,
                                                    size_t inputs,
                                                    cairn_base_diag *diag);

/* ======================================================================
 * What measuring a schedule gave: how it went, samples, and what they say.
 */

/* X(name, text in the file) */
#define CAIRN_BASE_OUTCOME_TABLE(X)                                            \
  X(OK, "ok")                                                                  \
  X(FAILED, "failed")                                                          \
  X(WRONG, "wrong")                                                            \
  X(TIMEOUT, "timeout")                                                        \
  X(CRASHED, "crashed")                                                        \
  X(QUARANTINED, "quarantined")                                                \
  X(PRUNED, "pruned")

typedef enum cairn_base_outcome {
#define CAIRN_BASE_OUTCOME_ENUM(name, text) CAIRN_BASE_OUTCOME_##name,
  CAIRN_BASE_OUTCOME_TABLE(CAIRN_BASE_OUTCOME_ENUM)
#undef CAIRN_BASE_OUTCOME_ENUM
} cairn_base_outcome;

/* "ok", "failed", ... */
CAIRN_API const char *cairn_base_outcome_text(cairn_base_outcome outcome);

/* A further fact of the header: a string, or a number when text is NULL. */
typedef struct cairn_base_fact {
  const char *name, *text;
  double number;
} cairn_base_fact;

/* How an execution went, agreed by all ranks. */
typedef struct cairn_base_execution {
  cairn_base_outcome outcome; /* OK, FAILED or WRONG */
  char message[512];          /* "rank 1: yl failed with code 3", or "" */
  double time_s;              /* of the slowest rank; a first, rough time */
} cairn_base_execution;

/* The primitive of timing: one sample of each shot, in this order, on all
 * ranks: `warm` untimed executions, common start, k executions, join, stop.
 * Shots of several schedules can be mixed at will.  samples[i] belongs to
 * shots[i]. */
typedef struct cairn_base_shot {
  uint64_t id;
  uint32_t k; /* >= 1 */
  uint32_t warm;
} cairn_base_shot;

/* Flags of a sample. */
#define CAIRN_BASE_LATE 1u   /* a rank missed the start: not in statistics */
#define CAIRN_BASE_FAULTY 2u /* an op failed: not in statistics */
#define CAIRN_BASE_LOST 4u   /* a rank lost the processor: not in statistics */

/* One sample: a common start, k back-to-back executions, all joined, stop. */
typedef struct cairn_base_sample {
  uint64_t id;   /* of the schedule */
  double time_s; /* one execution: the sample's time / k */
  double skew_s; /* (slowest - fastest rank) / k */
  double at_s;   /* when it started, seconds since cairn_exec_open */
  uint32_t k;
  uint16_t last_rank; /* the slowest rank */
  uint16_t flags;
} cairn_base_sample;

/* X(name, text, percent): what is kept of the distribution of a schedule's
 * times; each can be the objective of a search. */
#define CAIRN_BASE_PERCENTILE_TABLE(X)                                         \
  X(P01, "p01", 1)                                                             \
  X(P10, "p10", 10)                                                            \
  X(P50, "p50", 50)                                                            \
  X(P90, "p90", 90)                                                            \
  X(P99, "p99", 99)

typedef enum cairn_base_percentile {
#define CAIRN_BASE_PERCENTILE_ENUM(name, text, percent) CAIRN_BASE_##name,
  CAIRN_BASE_PERCENTILE_TABLE(CAIRN_BASE_PERCENTILE_ENUM)
#undef CAIRN_BASE_PERCENTILE_ENUM
      CAIRN_BASE_PERCENTILES /* how many there are */
} cairn_base_percentile;

/* A schedule's times: of one execution, in seconds; NAN: unknown. */
typedef struct cairn_base_times {
  unsigned samples;                 /* in the statistic; 0: none, or unknown */
  double p[CAIRN_BASE_PERCENTILES]; /* p[CAIRN_BASE_P50] is the median */
  double stddev;
  double skew;      /* median over samples of: slowest - fastest rank */
  double low, high; /* 95 % interval of the median, unless said otherwise */
} cairn_base_times;

/* Nothing is known, as an initializer (needs math.h). */
#define CAIRN_BASE_TIMES_UNKNOWN                                               \
  { 0, {NAN, NAN, NAN, NAN, NAN}, NAN, NAN, NAN, NAN }

/* The value of the objective with this name ("p10", ...; also "median",
 * "stddev", "skew"): seconds; NAN: unknown, as for any other name and NULL. */
CAIRN_API double cairn_base_times_objective(const cairn_base_times *times,
                                            const char *objective);

/* What a series of samples of one schedule says.  Times in seconds of one
 * execution; NAN where there are too few samples.  Late, faulty and lost
 * samples are counted and left out; no sample is left out for being slow. */
typedef struct cairn_base_summary {
  cairn_base_times times;    /* interval: by order statistics, at the confidence
                                asked */
  size_t late, faulty, lost; /* left out */
  double min, max, mean;
  double mad;        /* median of |time - median| */
  double half;       /* (high - low) / 2 / p50: the relative half width */
  int last_rank;     /* the rank that was last most often, -1 unknown */
  double last_share; /* in this share of the samples */
  double runs_z;     /* runs test about the median; NAN below 20 samples */
  double lag1;       /* autocorrelation of neighbours; NAN below 20 */
  int correlated;    /* |runs_z| > 2.58: the interval is from the medians of
                        blocks of 10 when there are 60 samples or more */
} cairn_base_summary;

#ifdef __cplusplus
}
#endif
#endif

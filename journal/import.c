/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/import.c - reads a foreign table of measured schedules into a
 * journal.
 *
 * A row is index|p01|p10|p50|p90|p99|stddev|op|op|..., times in seconds, each
 * op a JSON object {"name":..} with "stream" for a GPU op, and "kind" and
 * "event" for a sync.  The row becomes the result whose id is its number,
 * counted from 0; its index is checked and not kept.  How many samples, the
 * skew and the time of measuring are unknown (null).
 * Invariant: the journal is written whole or not at all.
 */
#include "base/file-private.h"
#include "base/text-private.h"
#include "dag/schedule/sequence-private.h"
#include "journal/format-private.h"
#include "journal/journal-private.h"
#include "journal/json-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { MOST_EVENTS = 65535, FIELDS = 7 };

typedef struct pair {
  const char *old; /* not NUL-terminated */
  size_t old_length;
  const char *to;
  int used;
} pair;

typedef struct import {
  const char *path;
  cairn_base_diag *diag;
  pair *renames;
  size_t rename_count;
  size_t line;
  size_t field; /* 1-based, of the row */
  char *start;  /* of the row */
  cairn_dag__json json;
  cairn_base_text schedule; /* of the row */
  cairn_base_text out;      /* the journal */
  cairn_dag_intern *intern;
  cairn_dag_sequence sequence;
  unsigned streams; /* highest seen, plus one */
} import;

/* One op of a row as read. */
typedef struct foreign {
  const char *name, *kind;
  uint64_t stream, event;
  int has_stream, has_event;
} foreign;

static int is_name(const char *name) {
  if (!cairn_base_is_alpha(*name) && *name != '_')
    return 0;
  for (; *name; name++)
    if (!cairn_base_is_alnum(*name) && *name != '_' && *name != '.')
      return 0;
  return 1;
}

static int is_sync_name(const char *name) {
  return strncmp(name, "CER", 3) == 0 || strncmp(name, "CES", 3) == 0 ||
         strncmp(name, "CSW", 3) == 0;
}

/* ---- renaming ---- */

static void add_renamed(import *x, const char *name, size_t length) {
  for (size_t i = 0; i < x->rename_count; i++) {
    pair *const p = &x->renames[i];
    if (p->old_length == length && memcmp(p->old, name, length) == 0) {
      p->used = 1;
      cairn_base_text_add(&x->schedule, p->to);
      return;
    }
  }
  cairn_base__text_add_bytes(&x->schedule, name, length);
}

/* In CER-after-A, CSW-after-A-b4-B, ... the third and the fifth part are names
 * of ops. */
static void add_sync_renamed(import *x, const char *name) {
  for (size_t part = 0; *name; part++) {
    const size_t length = strcspn(name, "-");
    if (part >= 2 && part % 2 == 0)
      add_renamed(x, name, length);
    else
      cairn_base__text_add_bytes(&x->schedule, name, length);
    name += length;
    if (*name)
      cairn_base__text_add_bytes(&x->schedule, name++, 1);
  }
}

static cairn_status bad_rename(import *x, const char *text, const char *why) {
  cairn_base_diag_error(
      x->diag, "--rename %s: %s (expected OLD=NEW, names of ops)", text, why);
  return CAIRN_USAGE;
}

static cairn_status take_renames(import *x, const char *const *rename,
                                 size_t renames) {
  x->renames = cairn_base_zalloc(renames, sizeof *x->renames);
  if (!x->renames)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < renames; i++) {
    const char *const equals = strchr(rename[i], '=');
    if (!equals || equals == rename[i])
      return bad_rename(x, rename[i], equals ? "no old name" : "no '='");
    if (!is_name(equals + 1) || is_sync_name(equals + 1) ||
        strcmp(equals + 1, "start") == 0 || strcmp(equals + 1, "end") == 0)
      return bad_rename(x, rename[i], "the new name cannot be one of an op");
    x->renames[i] =
        (pair){rename[i], (size_t)(equals - rename[i]), equals + 1, 0};
    x->rename_count = i + 1;
  }
  return CAIRN_OK;
}

/* A rename that found nothing is a mistake. */
static cairn_status check_renames(import *x) {
  for (size_t i = 0; i < x->rename_count; i++) {
    const pair *const p = &x->renames[i];
    if (p->used)
      continue;
    cairn_base_diag_error(x->diag, "--rename %.*s=%s: no op has that name",
                          (int)p->old_length, p->old, p->to);
    return CAIRN_USAGE;
  }
  return CAIRN_OK;
}

/* ---- a row ---- */

static int wrong(import *x) {
  cairn_base_diag_add(
      x->diag, CAIRN_BASE_ERROR, x->path, x->line, "column %zu (field %zu): %s",
      (size_t)(x->json.at - x->start) + 1, x->field, x->json.wrong);
  return 0;
}

static int read_foreign_member(import *x, const char *member, foreign *f) {
  char *string;
  size_t length;
  if (strcmp(member, "stream") == 0) {
    f->has_stream = 1;
    return cairn_journal__json_whole(&x->json, CAIRN_DAG_MAX_STREAMS - 1,
                                     &f->stream);
  }
  if (strcmp(member, "event") == 0) {
    f->has_event = 1;
    return cairn_journal__json_whole(&x->json, MOST_EVENTS, &f->event);
  }
  if (strcmp(member, "name") != 0 && strcmp(member, "kind") != 0)
    return cairn_journal__json_skip(&x->json);
  if (!cairn_journal__json_string(&x->json, &string, &length))
    return 0;
  *(*member == 'n' ? &f->name : &f->kind) = string;
  return 1;
}

static int read_foreign(import *x, foreign *f) {
  char *member;
  int first = 1, more;
  if (!cairn_journal__json_take(&x->json, '{'))
    return cairn_journal__json_expected(&x->json, "an op as a JSON object");
  while ((more = cairn_journal__json_member(&x->json, &first, &member)) > 0)
    if (!read_foreign_member(x, member, f))
      return 0;
  if (more == 0 && !f->name)
    return cairn_journal__json_fail(&x->json, "an op without \"name\"");
  return more == 0;
}

/* The three letters that stand for a recorded kind, or NULL. */
static const char *kind_letters(const char *kind) {
  return strcmp(kind, "CudaEventRecord") == 0       ? "CER"
         : strcmp(kind, "CudaEventSync") == 0       ? "CES"
         : strcmp(kind, "CudaStreamWaitEvent") == 0 ? "CSW"
                                                    : NULL;
}

static int check_sync(import *x, const foreign *f) {
  const char *const letters = kind_letters(f->kind);
  if (!letters)
    return cairn_journal__json_fail(
        &x->json,
        "unknown kind \"%.24s\" (CudaEventRecord, -Sync or "
        "CudaStreamWaitEvent)",
        f->kind);
  if (strncmp(f->name, letters, 3) != 0 || f->name[strcspn(f->name, " @#|")])
    return cairn_journal__json_fail(
        &x->json, "expected a name that starts with %s, found \"%.30s\"",
        letters, f->name);
  if (!f->has_event)
    return cairn_journal__json_fail(&x->json, "%.40s has no \"event\"",
                                    f->name);
  if (strcmp(letters, "CES") != 0 && !f->has_stream)
    return cairn_journal__json_fail(&x->json, "%.40s has no \"stream\"",
                                    f->name);
  return 1;
}

static int check_op(import *x, const foreign *f) {
  if (!is_name(f->name))
    return cairn_journal__json_fail(&x->json, "\"%.40s\" is no name of an op",
                                    f->name);
  if (is_sync_name(f->name))
    return cairn_journal__json_fail(&x->json, "%.40s has no \"kind\"", f->name);
  if (f->has_event)
    return cairn_journal__json_fail(
        &x->json, "%.40s is no sync, but has \"event\"", f->name);
  return 1;
}

static int take_op(import *x) {
  foreign f = {0};
  if (!read_foreign(x, &f) || !(f.kind ? check_sync(x, &f) : check_op(x, &f)))
    return 0;
  if (x->schedule.length)
    cairn_base_text_add(&x->schedule, " ");
  if (f.kind)
    add_sync_renamed(x, f.name);
  else
    add_renamed(x, f.name, strlen(f.name));
  if (f.has_stream && !(f.kind && strncmp(f.name, "CES", 3) == 0)) {
    cairn_base_text_addf(&x->schedule, "@%u", (unsigned)f.stream);
    if (f.stream >= x->streams)
      x->streams = (unsigned)f.stream + 1;
  }
  if (f.has_event)
    cairn_base_text_addf(&x->schedule, "#%u", (unsigned)f.event);
  return 1;
}

/* The index and the six times, each with the '|' after it. */
static int take_numbers(import *x, double seconds[6]) {
  uint64_t index;
  for (x->field = 1; x->field <= FIELDS; x->field++) {
    if (x->field == 1
            ? !cairn_journal__json_whole(&x->json, UINT64_C(1) << 53, &index)
            : !cairn_journal__json_number(&x->json, &seconds[x->field - 2]))
      return 0;
    if (x->field > 1 && seconds[x->field - 2] < 0)
      return cairn_journal__json_fail(&x->json, "a negative time");
    if (!cairn_journal__json_take(&x->json, '|'))
      return cairn_journal__json_expected(&x->json, "'|'");
  }
  return 1;
}

static int take_ops(import *x) {
  cairn_base_text_clear(&x->schedule);
  for (;; x->field++) {
    if (!take_op(x))
      return 0;
    if (cairn_journal__json_peek(&x->json) == '\0' && x->json.at >= x->json.end)
      return 1;
    if (!cairn_journal__json_take(&x->json, '|'))
      return cairn_journal__json_expected(&x->json,
                                          "'|' or the end of the row");
  }
}

static cairn_status take_row(import *x, char *start, size_t length,
                             uint64_t id) {
  double seconds[CAIRN_BASE_PERCENTILES + 1] = {0}; /* and stddev */
  cairn_status status;
  x->start = start;
  cairn_journal__json_start(&x->json, start, length);
  if (!take_numbers(x, seconds) || !take_ops(x)) {
    wrong(x);
    return CAIRN_INPUT;
  }
  if (x->schedule.failed)
    return CAIRN_NOMEM;
  status =
      cairn_dag__sequence_parse(x->schedule.data, x->schedule.length, x->intern,
                                x->path, x->line, x->diag, &x->sequence);
  if (status != CAIRN_OK)
    return status;
  cairn_journal_result result =
      cairn_journal__result_blank(id, x->schedule.data, CAIRN_BASE_OUTCOME_OK);
  memcpy(result.times.p, seconds, sizeof result.times.p);
  result.times.stddev = seconds[CAIRN_BASE_PERCENTILES];
  result.at = (double)NAN;
  cairn_journal__result_format(&x->out, "result", &result);
  return x->out.failed ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status take_rows(import *x, char *data, size_t length,
                              uint64_t *rows_p) {
  char *at = data;
  char *const end = data + length;
  cairn_status status = CAIRN_OK;
  while (at < end && status != CAIRN_NOMEM &&
         cairn_base_diag_errors(x->diag) < 20) {
    char *const newline = memchr(at, '\n', (size_t)(end - at));
    char *const stop = newline ? newline : end;
    x->line++;
    const cairn_status row = take_row(x, at, (size_t)(stop - at), *rows_p);
    *rows_p += row == CAIRN_OK;
    if (status == CAIRN_OK || row == CAIRN_NOMEM)
      status = row;
    at = stop + 1;
  }
  if (x->line == 0) {
    cairn_base_diag_add(
        x->diag, CAIRN_BASE_ERROR, x->path, 0,
        "expected rows index|p01|p10|p50|p90|p99|stddev|op|..., "
        "found an empty file");
    status = CAIRN_INPUT;
  }
  return status;
}

/* ---- the journal ---- */

static cairn_status write_journal(import *x, const char *path,
                                  const char *version, uint64_t rows) {
  const char *const slash = strrchr(x->path, '/');
  const cairn_base_fact fact = {"table", slash ? slash + 1 : x->path, 0};
  const cairn_journal_header header = {.cairn = version,
                                       .backend = "import",
                                       .gpu_aware = -1,
                                       .streams = x->streams,
                                       .objective = "p10",
                                       .fact = &fact,
                                       .facts = 1};
  cairn_base_text whole = {0};
  cairn_status status = CAIRN_NOMEM;
  cairn_journal__end_format(&x->out, rows, "import");
  cairn_journal__header_format(&whole, &header);
  cairn_base__text_add_bytes(&whole, x->out.data ? x->out.data : "",
                             x->out.length);
  if (!whole.failed && !x->out.failed)
    status = cairn_base_file_write(path, whole.data, whole.length, x->diag);
  cairn_base_text_free(&whole);
  return status;
}

static cairn_status run(import *x, const char *journal_path,
                        const char *version, size_t *rows_p) {
  char *data = NULL;
  size_t length = 0;
  uint64_t rows = 0;
  cairn_status status = cairn_dag__intern_create(&x->intern);
  if (status == CAIRN_OK)
    status = cairn_base_file_read(x->path, CAIRN_DAG__JOURNAL_LARGEST, x->diag,
                                  &data, &length);
  if (status == CAIRN_OK)
    status = take_rows(x, data, length, &rows);
  if (status == CAIRN_OK)
    status = check_renames(x);
  if (status == CAIRN_OK)
    status = write_journal(x, journal_path, version, rows);
  cairn_base_free(data);
  if (status == CAIRN_OK)
    *rows_p = (size_t)rows;
  return status;
}

cairn_status cairn_journal_table_import(const char *table_path,
                                        const char *journal_path,
                                        const char *const *rename,
                                        size_t renames, const char *version,
                                        cairn_base_diag *diag, size_t *rows_p) {
import x = {.path = table_path, .diag = diag };
  cairn_status status;
  if (access(journal_path, F_OK) == 0 &&
      !cairn_base__file_is_stream(journal_path)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal_path, 0,
                        "exists already: -o names another file");
    return CAIRN_USAGE;
  }
  status = cairn_base__file_can_write(journal_path, diag);
  if (status == CAIRN_OK)
    status = take_renames(&x, rename, renames);
  if (status == CAIRN_OK)
    status = run(&x, journal_path, version, rows_p);
  cairn_base_free(x.renames);
  cairn_base_text_free(&x.schedule);
  cairn_base_text_free(&x.out);
  cairn_dag__sequence_free(&x.sequence);
  cairn_dag__intern_free(x.intern);
  return status;
}

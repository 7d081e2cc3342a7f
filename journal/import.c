/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/import.c - reads a foreign table of measured schedules into a
 * journal.
 *
 * A row is index|p01|p10|p50|p90|p99|stddev|op|op|..., times in seconds, each
 * op a JSON object {"name":..} with "stream" for a GPU op, and "kind" and
 * "event" for a sync.  An older form has commas instead and plain text for ops
 * (import-row.c), the index after the times or none, and a row of titles.  The
 * row becomes the result whose id is its number, counted from 0; its index is
 * checked and not kept.  How many samples, the skew and the time of measuring
 * are unknown (null).
 * Invariant: the journal is written whole or not at all.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

#include "base/file-private.h"
#include "journal/format-private.h"
#include "journal/import-private.h"
#include "journal/journal-private.h"
#include "journal/sound-private.h"

typedef cairn_journal__import importing;
typedef cairn_journal__rename pair;

/* ---- renaming ---- */

static cairn_status bad_rename(importing *x, const char *text,
                               const char *why) {
  cairn_base_diag_error(
      x->diag, "--rename %s: %s (expected OLD=NEW, names of ops)", text, why);
  return CAIRN_USAGE;
}

static cairn_status take_renames(importing *x, const char *const *rename,
                                 size_t renames) {
  x->renames = cairn_base_zalloc(renames, sizeof *x->renames);
  if (!x->renames)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < renames; i++) {
    const char *const equals = strchr(rename[i], '=');
    if (!equals || equals == rename[i])
      return bad_rename(x, rename[i], equals ? "no old name" : "no '='");
    if (!cairn_journal__import_is_name(equals + 1) ||
        cairn_journal__import_is_sync_name(equals + 1) ||
        strcmp(equals + 1, "start") == 0 || strcmp(equals + 1, "end") == 0)
      return bad_rename(x, rename[i], "the new name cannot be one of an op");
    x->renames[i] =
        (pair){rename[i], (size_t)(equals - rename[i]), equals + 1, 0};
    x->rename_count = i + 1;
  }
  return CAIRN_OK;
}

/* Does the table have an op of this name that keeps it? */
static int is_taken(const importing *x, const char *name) {
  for (size_t i = 0; i < x->rename_count; i++)
    if (strlen(name) == x->renames[i].old_length &&
        memcmp(name, x->renames[i].old, x->renames[i].old_length) == 0)
      return 0;
  for (uint32_t i = 0; i < cairn_dag__intern_count(x->names); i++)
    if (strcmp(name, cairn_dag__intern_name(x->names, i)) == 0)
      return 1;
  return 0;
}

/* A rename that found nothing is a mistake, and so is one that makes two ops
 * one. */
static cairn_status check_renames(importing *x) {
  for (size_t i = 0; i < x->rename_count; i++) {
    const pair *const p = &x->renames[i];
    size_t same = 0;
    while (same < i && strcmp(x->renames[same].to, p->to) != 0)
      same++;
    if (p->used && same == i && !is_taken(x, p->to))
      continue;
    cairn_base_diag_error(x->diag, "--rename %.*s=%s: %s", (int)p->old_length,
                          p->old, p->to,
                          !p->used   ? "no op has that name"
                          : same < i ? "another op gets that name too"
                                     : "another op of the table has that name");
    return CAIRN_USAGE;
  }
  return CAIRN_OK;
}

/* ---- a row ---- */

static cairn_status wrong(importing *x) {
  if (x->no_memory)
    return CAIRN_NOMEM;
  cairn_base_diag_add(
      x->diag, CAIRN_BASE_ERROR, x->path, x->line, "column %zu (field %zu): %s",
      (size_t)(x->json.at - x->start) + 1, x->field, x->json.wrong);
  return CAIRN_INPUT;
}

static cairn_status take_row(importing *x, char *start, size_t length,
                             uint64_t id) {
  double seconds[CAIRN_BASE_PERCENTILES + 1] = {0}; /* and stddev */
  cairn_status status;
  x->start = start;
  cairn_journal__json_start(&x->json, start, length);
  if (!cairn_journal__import_row(x, seconds))
    return wrong(x);
  if (x->schedule.failed ||
      cairn_base_reserve(&x->key, &x->key_capacity, x->keys + 1,
                         sizeof *x->key) != CAIRN_OK)
    return CAIRN_NOMEM;
  status =
      cairn_dag__sequence_parse(x->schedule.data, x->schedule.length, x->intern,
                                x->path, x->line, x->diag, &x->sequence);
  if (status != CAIRN_OK)
    return status;
  x->key[x->keys++] = cairn_journal__text_key(x->schedule.data);
  cairn_journal_result result =
      cairn_journal__result_blank(id, x->schedule.data, CAIRN_BASE_OUTCOME_OK);
  memcpy(result.times.p, seconds, sizeof result.times.p);
  result.times.stddev = seconds[CAIRN_BASE_PERCENTILES];
  result.at = (double)NAN;
  cairn_journal__result_format(&x->out, "result", &result);
  return x->out.failed ? CAIRN_NOMEM : CAIRN_OK;
}

/* ---- the table ---- */

/* A table with commas: its first line has no '|', but six commas before the
 * first op.  Titles may be there; without them the first row tells whether the
 * index stands first. */
static int look_at_first(importing *x, const char *line, size_t length) {
  size_t commas = 0;
  x->comma = '|';
  for (size_t i = 0; i < length && line[i] != '{'; i++) {
    commas += line[i] == ',';
    if (line[i] == '|')
      return 0;
  }
  if (commas < 6)
    return 0;
  x->comma = ',';
  const size_t first = strcspn(line, ",");
  x->times_first = strspn(line, "0123456789") < first;
  for (size_t i = 0; i < first; i++)
    if (cairn_base_is_alpha(line[i]) && line[i] != 'e' && line[i] != 'E') {
      x->times_first = strncmp(line, "index", 5) != 0;
      return 1;
    }
  return 0;
}

static cairn_status check_keys(importing *x) {
  size_t *const first = cairn_base_alloc(x->keys + 1, sizeof *first);
  cairn_status status =
      first ? cairn_journal__find_first(x->key, x->keys, first) : CAIRN_NOMEM;
  for (size_t i = 0; status != CAIRN_NOMEM && i < x->keys; i++)
    if (first[i] != i) {
      if (cairn_base_diag_errors(x->diag) < 20)
        cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, x->path,
                            x->first_row + i, "the schedule of line %zu again",
                            x->first_row + first[i]);
      status = CAIRN_INPUT;
    }
  cairn_base_free(first);
  return status;
}

static cairn_status no_rows(importing *x) {
  cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, x->path, 0,
                      "expected rows index|p01|p10|p50|p90|p99|stddev|op|..., "
                      "found %s",
                      x->line ? "titles only" : "an empty file");
  return CAIRN_INPUT;
}

static cairn_status take_rows(importing *x, char *data, size_t length) {
  char *at = data;
  char *const end = data + length;
  cairn_status status = CAIRN_OK;
  x->first_row = 1;
  while (at < end && status != CAIRN_NOMEM && !x->hopeless &&
         cairn_base_diag_errors(x->diag) < 20) {
    char *const newline = memchr(at, '\n', (size_t)(end - at));
    char *const stop = newline ? newline : end;
    const size_t row_length = (size_t)(stop - at);
    if (++x->line == 1 && look_at_first(x, at, row_length)) {
      x->first_row = 2;
    } else {
      const cairn_status row = take_row(x, at, row_length, x->keys);
      if (status == CAIRN_OK || row == CAIRN_NOMEM)
        status = row;
    }
    at = stop + 1;
  }
  if (status == CAIRN_OK && x->keys == 0)
    return no_rows(x);
  return status;
}

/* ---- the journal ---- */

static cairn_status write_journal(importing *x, const char *path,
                                  const char *version) {
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
  cairn_journal__end_format(&x->out, x->keys, "import");
  cairn_journal__header_format(&whole, &header);
  cairn_base__text_add_bytes(&whole, x->out.data ? x->out.data : "",
                             x->out.length);
  if (!whole.failed && !x->out.failed)
    status = cairn_base_file_write(path, whole.data, whole.length, x->diag);
  cairn_base_text_free(&whole);
  return status;
}

static cairn_status run(importing *x, const char *journal_path,
                        const char *version, size_t *rows_p) {
  char *data = NULL;
  size_t length = 0;
  cairn_status status = cairn_dag__intern_create(&x->intern);
  if (status == CAIRN_OK)
    status = cairn_dag__intern_create(&x->names);
  if (status == CAIRN_OK)
    status = cairn_base_file_read(x->path, CAIRN_DAG__JOURNAL_LARGEST, x->diag,
                                  &data, &length);
  if (status == CAIRN_OK)
    status = take_rows(x, data, length);
  if (status == CAIRN_OK)
    status = check_renames(x);
  if (status == CAIRN_OK)
    status = check_keys(x);
  if (status == CAIRN_OK)
    status = write_journal(x, journal_path, version);
  cairn_base_free(data);
  if (status == CAIRN_OK)
    *rows_p = x->keys;
  return status;
}

cairn_status cairn_journal_table_import(const char *table_path,
                                        const char *journal_path,
                                        const char *const *rename,
                                        size_t renames, const char *version,
                                        cairn_base_diag *diag, size_t *rows_p) {
  importing x = {.path = table_path, .diag = diag};
  cairn_status status;
  if (access(journal_path, F_OK) == 0 &&
      !cairn_base_file_is_stream(journal_path)) {
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
  cairn_base_free(x.op);
  cairn_base_free(x.stream);
  cairn_base_free(x.key);
  cairn_base_text_free(&x.schedule);
  cairn_base_text_free(&x.out);
  cairn_dag__sequence_free(&x.sequence);
  cairn_dag__intern_free(x.intern);
  cairn_dag__intern_free(x.names);
  return status;
}

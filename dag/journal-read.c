/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/journal-read.c - reads a whole journal.
 *
 * The file stays in memory and its strings stay where they are: a line is
 * checked against its checksum first, then its strings are unescaped in place.
 * Invariant: a string of the run points into reader->data, an array of facts
 * into reader->facts (as an offset until everything is read, because the array
 * moves while it grows).
 */
#include "journal-private.h"
#include "json-private.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST ((size_t)1 << 30) /* bytes of a journal, unpacked */

enum { MOST_WARNINGS = 20 }; /* about damaged lines, one by one */

typedef struct cairn_dag_begun begun;

/* The run, and what it owns. */
typedef struct reader {
  cairn_dag_run run; /* first: the caller holds a pointer to it */
  char *data;
  cairn_dag_fact *facts;
  size_t fact_count, fact_capacity;
  size_t *result_fact; /* offset of each result's facts */
  size_t result_capacity, result_fact_capacity, begun_capacity;
  struct result_line *refined; /* in the order of the file */
  size_t refined_count, refined_capacity;
  size_t header_fact;
  int has_header;
  const char **list; /* arrays of strings of the header */
  size_t list_count, list_capacity;
} reader;

/* One line while it is read. */
typedef struct line {
  reader *r;
  cairn_dag__json json;
  size_t number;
  uint64_t seen; /* members of its table already read */
  int no_memory;
} line;

/* ---- values ---- */

/* A string or null. */
static int read_text(line *l, const char **text_p) {
  char *string;
  size_t length;
  if (cairn_dag__json_word(&l->json, "null")) {
    *text_p = NULL;
    return 1;
  }
  if (!cairn_dag__json_string(&l->json, &string, &length))
    return 0;
  *text_p = string;
  return 1;
}

/* Seconds, from 0; null is NAN. */
static int read_seconds(line *l, double *number_p) {
  if (cairn_dag__json_word(&l->json, "null")) {
    *number_p = (double)NAN;
    return 1;
  }
  if (!cairn_dag__json_number(&l->json, number_p))
    return 0;
  return *number_p >= 0 ||
         cairn_dag__json_fail(&l->json, "expected no negative number");
}

/* A whole number up to UINT_MAX; null is 0. */
static int read_count(line *l, unsigned *count_p) {
  uint64_t value = 0;
  if (!cairn_dag__json_word(&l->json, "null") &&
      !cairn_dag__json_whole(&l->json, UINT32_MAX, &value))
    return 0;
  *count_p = (unsigned)value;
  return 1;
}

static int read_id(line *l, uint64_t *id_p) {
  return cairn_dag__json_whole(&l->json, UINT64_C(1) << 53, id_p);
}

/* A whole number, as a string when above 2^53; null is 0. */
static int read_seed(line *l, uint64_t *seed_p) {
  const char *text = NULL;
  uint64_t value = 0;
  const char c = cairn_dag__json_peek(&l->json);
  if (c != '"' && c != 'n')
    return read_id(l, seed_p);
  if (!read_text(l, &text))
    return 0;
  for (const char *at = text ? text : "0"; *at; at++) {
    if (*at < '0' || *at > '9' || __builtin_mul_overflow(value, 10, &value) ||
        __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value))
      return cairn_dag__json_fail(&l->json, "expected a seed below 2^64");
  }
  *seed_p = value;
  return 1;
}

static int out_of_memory(line *l) {
  l->no_memory = 1;
  return cairn_dag__json_fail(&l->json, "out of memory");
}

/* Members with strings or numbers, added to the facts of the run. */
static int read_facts(line *l, size_t *count_p) {
  reader *const r = l->r;
  char *name;
  int first = 1, more;
  *count_p = 0;
  if (!cairn_dag__json_take(&l->json, '{'))
    return cairn_dag__json_expected(&l->json, "an object");
  while ((more = cairn_dag__json_member(&l->json, &first, &name)) > 0) {
    const char c = cairn_dag__json_peek(&l->json);
    cairn_dag_fact fact = {name, NULL, (double)NAN};
    if (c == '"' ? !read_text(l, &fact.text)
                 : !cairn_dag__json_word(&l->json, "null") &&
                       !cairn_dag__json_number(&l->json, &fact.number))
      return 0;
    if (cairn_base_reserve(&r->facts, &r->fact_capacity, r->fact_count + 1,
                           sizeof *r->facts) != CAIRN_OK)
      return out_of_memory(l);
    r->facts[r->fact_count++] = fact;
    (*count_p)++;
  }
  return more == 0;
}

static int list_add(line *l, const char *string) {
  reader *const r = l->r;
  if (cairn_base_reserve(&r->list, &r->list_capacity, r->list_count + 1,
                         sizeof *r->list) != CAIRN_OK)
    return out_of_memory(l);
  r->list[r->list_count++] = string;
  return 1;
}

/* An array of strings, added to the list of the run. */
static int read_list(line *l, size_t *count_p) {
  const size_t before = l->r->list_count;
  int first = 1, more;
  if (!cairn_dag__json_take(&l->json, '['))
    return cairn_dag__json_expected(&l->json, "an array");
  while ((more = cairn_dag__json_item(&l->json, &first)) > 0) {
    char *string;
    size_t length;
    if (!cairn_dag__json_string(&l->json, &string, &length) ||
        !list_add(l, string))
      return 0;
  }
  *count_p = l->r->list_count - before;
  return more == 0;
}

/* An object of strings: names and values by turns in the list of the run. */
static int read_params(line *l, size_t *count_p) {
  char *name;
  int first = 1, more;
  size_t count = 0;
  if (!cairn_dag__json_take(&l->json, '{'))
    return cairn_dag__json_expected(&l->json, "an object");
  while ((more = cairn_dag__json_member(&l->json, &first, &name)) > 0) {
    char *value;
    size_t length;
    if (!cairn_dag__json_string(&l->json, &value, &length) ||
        !list_add(l, name) || !list_add(l, value))
      return 0;
    count++;
  }
  *count_p = count;
  return more == 0;
}

/* ---- records: a table of members each ---- */

/* Reads the value of the member `which` of a record into `out`. */
typedef int (*read_member)(line *l, size_t which, void *out);

typedef struct record {
  const char *const *member;
  size_t members;
  uint64_t needed; /* bit i: member i must be there */
  read_member read;
} record;

static size_t find_member(const record *rec, const char *name) {
  size_t i = 0;
  while (i < rec->members && strcmp(name, rec->member[i]) != 0)
    i++;
  return i;
}

static int read_record(line *l, const record *rec, void *out) {
  char *name;
  int first = 0, more; /* "k" was read */
  size_t i = 0;        /* members mostly come in the order of the table */
  while ((more = cairn_dag__json_member(&l->json, &first, &name)) > 0) {
    if (i >= rec->members || strcmp(name, rec->member[i]) != 0)
      i = find_member(rec, name);
    if (i == rec->members) {
      if (!cairn_dag__json_skip(&l->json))
        return 0;
      continue;
    }
    if (l->seen >> i & 1)
      return cairn_dag__json_fail(&l->json, "\"%s\" comes twice", name);
    l->seen |= UINT64_C(1) << i;
    if (!rec->read(l, i, out))
      return 0;
    i++;
  }
  for (i = 0; more == 0 && i < rec->members; i++)
    if (rec->needed >> i & 1 && !(l->seen >> i & 1))
      return cairn_dag__json_fail(&l->json, "expected \"%s\", found none",
                                  rec->member[i]);
  return more == 0 && cairn_dag__json_finish(&l->json);
}

/* ---- result ---- */

typedef struct result_line {
  cairn_dag_result result;
  size_t fact; /* offset */
} result_line;

static int read_outcome(line *l, cairn_dag_outcome *outcome_p) {
  const char *text = NULL;
  if (!read_text(l, &text))
    return 0;
  for (int i = 0; text && i <= CAIRN_DAG_OUTCOME_PRUNED; i++)
    if (strcmp(text, cairn_dag_outcome_text((cairn_dag_outcome)i)) == 0) {
      *outcome_p = (cairn_dag_outcome)i;
      return 1;
    }
  return cairn_dag__json_fail(&l->json, "unknown status \"%.40s\"",
                              text ? text : "null");
}

static int read_schedule(line *l, const char **schedule_p) {
  if (!read_text(l, schedule_p))
    return 0;
  return *schedule_p ||
         cairn_dag__json_fail(&l->json, "expected a schedule, found null");
}

static int read_result_member(line *l, size_t which, void *out) {
  result_line *const x = out;
  cairn_dag_result *const r = &x->result;
  switch (which) {
  case 0:
    return read_id(l, &r->id);
  case 1:
    return read_schedule(l, &r->schedule);
  case 2:
    return read_outcome(l, &r->outcome);
  case 3:
    return read_count(l, &r->samples);
  case 4:
    return read_seconds(l, &r->p01);
  case 5:
    return read_seconds(l, &r->p10);
  case 6:
    return read_seconds(l, &r->p50);
  case 7:
    return read_seconds(l, &r->p90);
  case 8:
    return read_seconds(l, &r->p99);
  case 9:
    return read_seconds(l, &r->stddev);
  case 10:
    return read_seconds(l, &r->skew);
  case 11:
    return read_seconds(l, &r->at);
  case 12:
    return read_text(l, &r->message);
  default:
    return read_facts(l, &r->facts);
  }
}

/* A result or a refined one. */
static int read_result_line(line *l, result_line *x) {
  static const char *const members[] = {
      "id",  "schedule", "status", "samples", "p01", "p10",     "p50",
      "p90", "p99",      "stddev", "skew",    "at",  "message", "facts"};
  static const record result_record = {members, 14, 7, read_result_member};
  cairn_dag_result *const r = &x->result;
  *x = (result_line){.fact = l->r->fact_count};
  r->p01 = r->p10 = r->p50 = r->p90 = (double)NAN;
  r->p99 = r->stddev = r->skew = r->at = (double)NAN;
  r->line = l->number;
  return read_record(l, &result_record, x);
}

static int read_refined(line *l) {
  reader *const r = l->r;
  result_line x;
  if (!read_result_line(l, &x))
    return 0;
  if (cairn_base_reserve(&r->refined, &r->refined_capacity,
                         r->refined_count + 1, sizeof *r->refined) != CAIRN_OK)
    return out_of_memory(l);
  r->refined[r->refined_count++] = x;
  r->run.end_reason = NULL;
  return 1;
}

static int read_result(line *l) {
  reader *const r = l->r;
  result_line x;
  if (!read_result_line(l, &x))
    return 0;
  if (cairn_base_reserve(&r->run.result, &r->result_capacity,
                         r->run.results + 1,
                         sizeof *r->run.result) != CAIRN_OK ||
      cairn_base_reserve(&r->result_fact, &r->result_fact_capacity,
                         r->run.results + 1,
                         sizeof *r->result_fact) != CAIRN_OK)
    return out_of_memory(l);
  r->run.result[r->run.results] = x.result;
  r->result_fact[r->run.results++] = x.fact;
  r->run.end_reason = NULL;
  return 1;
}

/* ---- begin, end ---- */

static int read_begin_member(line *l, size_t which, void *out) {
  begun *const b = out;
  return which == 0 ? read_id(l, &b->id) : read_schedule(l, &b->schedule);
}

static int read_begin(line *l) {
  static const char *const members[] = {"id", "schedule"};
  static const record begin_record = {members, 2, 3, read_begin_member};
  reader *const r = l->r;
  begun b = {.line = l->number};
  if (!read_record(l, &begin_record, &b))
    return 0;
  if (cairn_base_reserve(&r->run.begun, &r->begun_capacity,
                         r->run.begun_count + 1,
                         sizeof *r->run.begun) != CAIRN_OK)
    return out_of_memory(l);
  r->run.begun[r->run.begun_count++] = b;
  r->run.end_reason = NULL;
  return 1;
}

static int read_end_member(line *l, size_t which, void *out) {
  cairn_dag_run *const run = out;
  return which == 0 ? read_id(l, &run->end_count)
                    : read_text(l, &run->end_reason);
}

static int read_end(line *l) {
  static const char *const members[] = {"count", "reason"};
  static const record end_record = {members, 2, 3, read_end_member};
  cairn_dag_run end = {0};
  if (!read_record(l, &end_record, &end))
    return 0;
  if (!end.end_reason)
    return cairn_dag__json_fail(&l->json, "expected a reason, found null");
  l->r->run.end_reason = end.end_reason;
  l->r->run.end_count = end.end_count;
  return 1;
}

/* ---- header ---- */

/* Lists are counted while they are read; arrays are pointed at afterwards. */
typedef struct header_line {
  cairn_dag_header header;
  size_t params_at, hosts_at, devices_at;
} header_line;

static int read_program_member(line *l, size_t which, void *out) {
  cairn_dag_header *const h = out;
  return read_text(l, which == 0 ? &h->program_name : &h->program_digest);
}

static int read_program(line *l, cairn_dag_header *header) {
  char *name;
  int first = 1, more;
  if (!cairn_dag__json_take(&l->json, '{'))
    return cairn_dag__json_expected(&l->json, "an object");
  while ((more = cairn_dag__json_member(&l->json, &first, &name)) > 0) {
    const int known = strcmp(name, "name") == 0     ? 0
                      : strcmp(name, "digest") == 0 ? 1
                                                    : -1;
    if (known < 0 ? !cairn_dag__json_skip(&l->json)
                  : !read_program_member(l, (size_t)known, header))
      return 0;
  }
  return more == 0;
}

static int read_format(line *l) {
  uint64_t format;
  if (!cairn_dag__json_whole(&l->json, UINT32_MAX, &format))
    return 0;
  if (format == CAIRN_DAG_JOURNAL_FORMAT)
    return 1;
  return cairn_dag__json_fail(&l->json,
                              "expected format %d, found format %" PRIu64,
                              CAIRN_DAG_JOURNAL_FORMAT, format);
}

static int read_gpu_aware(line *l, int *aware_p) {
  *aware_p = cairn_dag__json_word(&l->json, "true")    ? 1
             : cairn_dag__json_word(&l->json, "false") ? 0
             : cairn_dag__json_word(&l->json, "null")  ? -1
                                                       : -2;
  return *aware_p > -2 ||
         cairn_dag__json_expected(&l->json, "true, false or null");
}

static int read_header_member(line *l, size_t which, void *out) {
  header_line *const x = out;
  cairn_dag_header *const h = &x->header;
  switch (which) {
  case 0:
    return read_format(l);
  case 1:
    return read_text(l, &h->cairn);
  case 2:
    return read_program(l, h);
  case 3:
    x->params_at = l->r->list_count;
    return read_params(l, &h->params);
  case 4:
    return read_count(l, &h->ranks);
  case 5:
    x->hosts_at = l->r->list_count;
    return read_list(l, &h->hosts);
  case 6:
    return read_text(l, &h->backend);
  case 7:
    x->devices_at = l->r->list_count;
    return read_list(l, &h->devices);
  case 8:
    return read_text(l, &h->driver);
  case 9:
    return read_text(l, &h->mpi);
  case 10:
    return read_gpu_aware(l, &h->gpu_aware);
  case 11:
    return read_count(l, &h->streams);
  case 12:
    return read_text(l, &h->sync);
  case 13:
    return read_text(l, &h->strategy);
  case 14:
    return read_seed(l, &h->seed);
  case 15:
    return read_text(l, &h->objective);
  default:
    return read_facts(l, &h->facts);
  }
}

/* Turns the lists that were gathered into the arrays of the header. */
static int header_arrays(line *l, header_line *x) {
  reader *const r = l->r;
  cairn_dag_header *const h = &x->header;
  const size_t before = r->list_count, params = h->params;
  /* names and values of parameters apart */
  for (size_t part = 0; part < 2; part++)
    for (size_t i = 0; i < params; i++)
      if (!list_add(l, r->list[x->params_at + 2 * i + part]))
        return 0;
  h->param_name = params ? r->list + before : NULL;
  h->param_value = params ? r->list + before + params : NULL;
  h->host = h->hosts ? r->list + x->hosts_at : NULL;
  h->device = h->devices ? r->list + x->devices_at : NULL;
  return 1;
}

static int read_header(line *l) {
  static const char *const members[] = {
      "format",  "cairn",    "program", "params",    "ranks",     "hosts",
      "backend", "devices",  "driver",  "mpi",       "gpu_aware", "streams",
      "sync",    "strategy", "seed",    "objective", "facts"};
  static const record header_record = {members, 17, 1, read_header_member};
  header_line x = {.header.gpu_aware = -1};
  l->r->header_fact = l->r->fact_count;
  if (!read_record(l, &header_record, &x) || !header_arrays(l, &x))
    return 0;
  if (!x.header.objective)
    x.header.objective = "p10";
  if (!x.header.cairn)
    x.header.cairn = "unknown";
  l->r->run.header = x.header;
  l->r->has_header = 1;
  return 1;
}

/* ---- lines ---- */

static int read_line(line *l) {
  const char *kind = NULL;
  char *name;
  int first = 1;
  if (!cairn_dag__json_take(&l->json, '{'))
    return cairn_dag__json_expected(&l->json, "'{'");
  if (cairn_dag__json_member(&l->json, &first, &name) <= 0 ||
      strcmp(name, "k") != 0 || !read_text(l, &kind) || !kind)
    return cairn_dag__json_fail(&l->json,
                                "expected \"k\" with a string as first member");
  if (strcmp(kind, "header") == 0)
    return l->r->has_header ? cairn_dag__json_fail(&l->json, "a second header")
                            : read_header(l);
  if (!l->r->has_header)
    return cairn_dag__json_fail(
        &l->json, "expected the header first, found a %.20s", kind);
  if (strcmp(kind, "result") == 0)
    return read_result(l);
  if (strcmp(kind, "refined") == 0)
    return read_refined(l);
  if (strcmp(kind, "begin") == 0)
    return read_begin(l);
  if (strcmp(kind, "end") == 0)
    return read_end(l);
  /* kinds that a newer writer may add */
  return 1;
}

/* What is wrong with a damaged line, for the message. */
static const char *damage_text(cairn_dag__damage damage, const char *text,
                               size_t length) {
  if (memchr(text, '\0', length))
    return "holds NUL bytes";
  if (damage == CAIRN_DAG__MISMATCH)
    return "its checksum does not fit";
  return "expected a checksum \"x\" as its last member, found none";
}

typedef struct reading {
  reader *r;
  unsigned flags;
  cairn_base_diag *diag;
  size_t number; /* of the line */
} reading;

/* An inner line that cannot be used: an error, or skipped. */
static cairn_status unusable(reading *x, size_t offset, const char *what) {
  const char *const path = x->r->run.path;
  if (x->flags & CAIRN_DAG_RUN_SALVAGE) {
    if (x->r->run.salvaged++ < MOST_WARNINGS)
      cairn_base_diag_add(x->diag, CAIRN_BASE_WARNING, path, x->number,
                          "skipped a damaged line at byte %zu: %s", offset,
                          what);
    return CAIRN_OK;
  }
  cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, path, x->number,
                      "damaged at byte %zu: %s (--salvage skips such lines)",
                      offset, what);
  return CAIRN_INPUT;
}

/* A line whose checksum is right but whose content is wrong. */
static cairn_status wrong(reading *x, const line *l, const char *start) {
  const char *const path = x->r->run.path;
  if (l->no_memory)
    return CAIRN_NOMEM;
  if (x->flags & CAIRN_DAG_RUN_SALVAGE)
    return unusable(x, (size_t)(l->json.at - x->r->data), l->json.wrong);
  cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, path, x->number,
                      "column %zu (byte %zu): %s",
                      (size_t)(l->json.at - start) + 1,
                      (size_t)(l->json.at - x->r->data), l->json.wrong);
  return CAIRN_INPUT;
}

/* Reads one line; `last`: nothing follows it. */
static cairn_status take_line(reading *x, char *start, size_t length,
                              int last) {
  reader *const r = x->r;
  size_t body = 0;
  const cairn_dag__damage damage = cairn_dag__line_check(start, length, &body);
  line l = {.r = r, .number = x->number};
  if (damage != CAIRN_DAG__WHOLE && last) {
    r->run.torn = 1;
    cairn_base_diag_add(x->diag, CAIRN_BASE_NOTE, r->run.path, x->number,
                        "dropped a torn last line (%zu bytes)", length);
    return CAIRN_OK;
  }
  if (damage != CAIRN_DAG__WHOLE)
    return unusable(x, (size_t)(start - r->data),
                    damage_text(damage, start, length));
  cairn_dag__json_start(&l.json, start, length);
  return read_line(&l) ? CAIRN_OK : wrong(x, &l, start);
}

static cairn_status take_lines(reading *x, size_t length) {
  char *at = x->r->data;
  char *const end = at + length;
  cairn_status status = CAIRN_OK;
  while (at < end && status == CAIRN_OK) {
    char *const newline = memchr(at, '\n', (size_t)(end - at));
    char *const stop = newline ? newline : end;
    x->number++;
    status = take_line(x, at, (size_t)(stop - at), stop + 1 >= end);
    at = stop + 1;
  }
  return status;
}

/* ---- the whole ---- */

typedef struct key {
  uint64_t id;
  size_t index;
} key;

static int compare_keys(const void *a, const void *b) {
  const key *const x = a, *const y = b;
  if (x->id != y->id)
    return x->id < y->id ? -1 : 1;
  return x->index < y->index ? -1 : x->index > y->index;
}

/* The ids of the results, sorted; NULL when memory is short. */
static key *sorted_ids(const cairn_dag_run *run) {
  int sorted = 1;
  key *const keys = cairn_base_alloc(run->results, sizeof *keys);
  for (size_t i = 0; keys && i < run->results; i++) {
    keys[i] = (key){run->result[i].id, i};
    sorted &= i == 0 || keys[i - 1].id < keys[i].id;
  }
  if (keys && !sorted)
    qsort(keys, run->results, sizeof *keys, compare_keys);
  return keys;
}

static cairn_status refuse_repeated(const cairn_dag_run *run, const key *keys,
                                    cairn_base_diag *diag) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 1; i < run->results; i++)
    if (keys[i - 1].id == keys[i].id) {
      cairn_base_diag_add(
          diag, CAIRN_BASE_ERROR, run->path, run->result[keys[i].index].line,
          "a second result with id %" PRIu64 ", the first is on line %zu",
          keys[i].id, run->result[keys[i - 1].index].line);
      status = CAIRN_INPUT;
    }
  return status;
}

/* The result with this id, or NULL. */
static cairn_dag_result *find_result(const cairn_dag_run *run, const key *keys,
                                     uint64_t id) {
  size_t low = 0, high = run->results;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (keys[middle].id < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < run->results && keys[low].id == id
             ? &run->result[keys[low].index]
             : NULL;
}

/* Puts refined numbers in the place of the first ones; the outcome, the
 * moment and the line stay those of the first measuring. */
static cairn_status apply_refined(reading *x, const key *keys) {
  reader *const r = x->r;
  for (size_t i = 0; i < r->refined_count; i++) {
    const cairn_dag_result *const from = &r->refined[i].result;
    cairn_dag_result *const to = find_result(&r->run, keys, from->id);
    if (!to && x->flags & CAIRN_DAG_RUN_SALVAGE)
      continue; /* its result was on a damaged line */
    if (!to || strcmp(to->schedule, from->schedule) != 0) {
      cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, r->run.path, from->line,
                          "refines id %" PRIu64 ", which has no result of this "
                          "schedule",
                          from->id);
      return CAIRN_INPUT;
    }
    if (x->flags & CAIRN_DAG_RUN_AS_MEASURED)
      continue;
    const cairn_dag_result first = *to;
    *to = *from;
    to->outcome = first.outcome;
    to->at = first.at;
    to->line = first.line;
    to->fact = from->facts ? r->facts + r->refined[i].fact : NULL;
  }
  return CAIRN_OK;
}

/* Keeps the schedules begun that have no result, each once. */
static void keep_unfinished(cairn_dag_run *run, const key *keys) {
  size_t kept = 0;
  for (size_t i = 0; i < run->begun_count; i++) {
    const begun b = run->begun[i];
    if (find_result(run, keys, b.id))
      continue;
    if (kept > 0 && run->begun[kept - 1].id == b.id)
      kept--; /* begun again: the later one stands */
    run->begun[kept++] = b;
  }
  run->begun_count = kept;
}

static cairn_status finish(reading *x) {
  reader *const r = x->r;
  cairn_dag_run *const run = &r->run;
  key *keys;
  cairn_status status;
  if (!r->has_header && !(x->flags & CAIRN_DAG_RUN_UNBORN)) {
    cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, run->path, 0,
                        "not a journal: expected a complete header line, "
                        "found %s",
                        x->number ? "none" : "an empty file");
    return CAIRN_INPUT;
  }
  if (run->salvaged > MOST_WARNINGS)
    cairn_base_diag_add(x->diag, CAIRN_BASE_WARNING, run->path, 0,
                        "skipped %zu damaged lines in all", run->salvaged);
  run->header.fact = run->header.facts ? r->facts + r->header_fact : NULL;
  for (size_t i = 0; i < run->results; i++)
    run->result[i].fact =
        run->result[i].facts ? r->facts + r->result_fact[i] : NULL;
  keys = sorted_ids(run);
  if (!keys)
    return CAIRN_NOMEM;
  status = refuse_repeated(run, keys, x->diag);
  if (status == CAIRN_OK)
    status = apply_refined(x, keys);
  keep_unfinished(run, keys);
  cairn_base_free(keys);
  return status;
}

cairn_status cairn_dag_run_read(const char *path, unsigned flags,
                                cairn_base_diag *diag, cairn_dag_run **run_p) {
  reader *const r = cairn_base_zalloc(1, sizeof *r);
  reading x = {r, flags, diag, 0};
  size_t length = 0;
  cairn_status status = CAIRN_OK;
  if (!r)
    return CAIRN_NOMEM;
  r->run.path = cairn_base_strdup(path);
  if (!r->run.path)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = cairn_base_file_read(path, LARGEST, diag, &r->data, &length);
  if (status == CAIRN_OK)
    status = take_lines(&x, length);
  if (status == CAIRN_OK)
    status = finish(&x);
  if (status != CAIRN_OK) {
    cairn_dag_run_free(&r->run);
    return status;
  }
  *run_p = &r->run;
  return CAIRN_OK;
}

void cairn_dag_run_free(cairn_dag_run *run) {
  reader *const r = (reader *)run;
  if (!r)
    return;
  cairn_base_free((char *)r->run.path);
  cairn_base_free(r->data);
  cairn_base_free(r->facts);
  cairn_base_free(r->result_fact);
  cairn_base_free(r->refined);
  cairn_base_free(r->run.result);
  cairn_base_free(r->run.begun);
  cairn_base_free(r->list);
  cairn_base_free(r);
}

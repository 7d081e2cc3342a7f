/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/read.c - reads a whole journal.
 *
 * The file stays in memory and its strings stay where they are: a line is
 * checked against its checksum first, then its strings are unescaped in place.
 * Invariant: a string of the run points into reader->data, an array of facts
 * into reader->facts (as an offset until everything is read, because the array
 * moves while it grows).
 */
#include "base/file-private.h"
#include "journal/read-private.h"
#include "journal/sound-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WARNINGS = 20 }; /* about damaged lines, one by one */
typedef struct cairn_dag_begun begun;

/* ---- result ---- */

typedef struct cairn_dag__result_line {
  cairn_journal_result result;
  size_t fact; /* offset */
} cairn_dag__result_line;

static int read_outcome(cairn_dag__line *l, cairn_base_outcome *outcome_p) {
  const char *text = NULL;
  if (!cairn_journal__read_text(l, &text))
    return 0;
  for (int i = 0; text && i <= CAIRN_BASE_OUTCOME_PRUNED; i++)
    if (strcmp(text, cairn_base_outcome_text((cairn_base_outcome)i)) == 0) {
      *outcome_p = (cairn_base_outcome)i;
      return 1;
    }
  return cairn_journal__json_fail(&l->json, "unknown status \"%.40s\"",
                                  text ? text : "null");
}

static int read_schedule(cairn_dag__line *l, const char **schedule_p) {
  if (!cairn_journal__read_text(l, schedule_p))
    return 0;
  return *schedule_p ||
         cairn_journal__json_fail(&l->json, "expected a schedule, found null");
}

static int read_result_member(cairn_dag__line *l, size_t which, void *out) {
  cairn_dag__result_line *const x = out;
  cairn_journal_result *const r = &x->result;
  switch (which) {
  case 0:
    return cairn_journal__read_id(l, &r->id);
  case 1:
    return read_schedule(l, &r->schedule);
  case 2:
    return read_outcome(l, &r->outcome);
  case 3:
    return cairn_journal__read_count(l, &r->times.samples);
  case 4:
  case 5:
  case 6:
  case 7:
  case 8:
    return cairn_journal__read_seconds(l, &r->times.p[which - 4]);
  case 9:
    return cairn_journal__read_seconds(l, &r->times.stddev);
  case 10:
    return cairn_journal__read_seconds(l, &r->times.skew);
  case 11:
    return cairn_journal__read_seconds(l, &r->at);
  case 12:
    return cairn_journal__read_text(l, &r->message);
  default:
    return cairn_journal__read_facts(l, &r->facts);
  }
}

/* Is the fact one that is a member of a result?  Then it becomes that. */
static int take_fact(cairn_journal_result *r, const cairn_base_fact *fact) {
  const struct {
    const char *name;
    double *value;
    int *flag;
  } member[] = {{"low", &r->times.low, NULL},
                {"high", &r->times.high, NULL},
                {"uncorrected", &r->uncorrected, &r->corrected},
                {"finalist", NULL, &r->finalist}};
  for (size_t i = 0; !fact->text && i < sizeof member / sizeof *member; i++) {
    if (strcmp(fact->name, member[i].name) != 0)
      continue;
    if (member[i].value)
      *member[i].value = fact->number;
    if (member[i].flag)
      *member[i].flag = 1;
    return 1;
  }
  return 0;
}

/* The facts of this result are the last that were read. */
static void take_facts(cairn_dag__line *l, cairn_dag__result_line *x) {
  if (x->result.facts == 0)
    return; /* there may be no array yet */
  cairn_base_fact *const fact = l->r->facts + x->fact;
  size_t kept = 0;
  for (size_t i = 0; i < x->result.facts; i++)
    if (!take_fact(&x->result, &fact[i]))
      fact[kept++] = fact[i];
  l->r->fact_count = x->fact + kept;
  x->result.facts = kept;
}

/* A result or a refined one. */
static int read_result_line(cairn_dag__line *l, cairn_dag__result_line *x) {
  static const char *const members[] = {
      "id",  "schedule", "status", "samples", "p01", "p10",     "p50",
      "p90", "p99",      "stddev", "skew",    "at",  "message", "facts"};
  static const cairn_dag__record result_record = {members, 14, 7,
                                                  read_result_member};
  cairn_journal_result *const r = &x->result;
  *x = (cairn_dag__result_line){.fact = l->r->fact_count};
  r->times = (cairn_base_times)CAIRN_BASE_TIMES_UNKNOWN;
  r->at = (double)NAN;
  r->line = l->number;
  if (!cairn_journal__read_record(l, &result_record, x))
    return 0;
  take_facts(l, x);
  return cairn_journal__percentiles_check(&l->json, r->times.p);
}

static int read_refined(cairn_dag__line *l) {
  cairn_dag__reader *const r = l->r;
  cairn_dag__result_line x;
  if (!read_result_line(l, &x))
    return 0;
  if (cairn_base_reserve(&r->refined, &r->refined_capacity,
                         r->refined_count + 1, sizeof *r->refined) != CAIRN_OK)
    return cairn_journal__out_of_memory(l);
  r->refined[r->refined_count++] = x;
  r->run.refined |= x.result.finalist;
  r->run.end_reason = NULL;
  return 1;
}

static int read_result(cairn_dag__line *l) {
  cairn_dag__reader *const r = l->r;
  cairn_dag__result_line x;
  if (!read_result_line(l, &x))
    return 0;
  if (cairn_base_reserve(&r->run.result, &r->result_capacity,
                         r->run.results + 1,
                         sizeof *r->run.result) != CAIRN_OK ||
      cairn_base_reserve(&r->result_fact, &r->result_fact_capacity,
                         r->run.results + 1,
                         sizeof *r->result_fact) != CAIRN_OK)
    return cairn_journal__out_of_memory(l);
  r->run.result[r->run.results] = x.result;
  r->result_fact[r->run.results++] = x.fact;
  r->run.end_reason = NULL;
  r->run.refined = 0;
  return 1;
}

/* ---- begin, end ---- */

static int read_begin_member(cairn_dag__line *l, size_t which, void *out) {
  begun *const b = out;
  return which == 0 ? cairn_journal__read_id(l, &b->id)
                    : read_schedule(l, &b->schedule);
}

static int read_begin(cairn_dag__line *l) {
  static const char *const members[] = {"id", "schedule"};
  static const cairn_dag__record begin_record = {members, 2, 3,
                                                 read_begin_member};
  cairn_dag__reader *const r = l->r;
  begun b = {.line = l->number, .times = 1};
  if (!cairn_journal__read_record(l, &begin_record, &b))
    return 0;
  if (cairn_base_reserve(&r->run.begun, &r->begun_capacity,
                         r->run.begun_count + 1,
                         sizeof *r->run.begun) != CAIRN_OK)
    return cairn_journal__out_of_memory(l);
  r->run.begun[r->run.begun_count++] = b;
  r->run.end_reason = NULL;
  r->run.refined = 0;
  return 1;
}

static int read_end_member(cairn_dag__line *l, size_t which, void *out) {
  cairn_journal_run *const run = out;
  return which == 0 ? cairn_journal__read_id(l, &run->end_count)
                    : cairn_journal__read_text(l, &run->end_reason);
}

static int read_end(cairn_dag__line *l) {
  static const char *const members[] = {"count", "reason"};
  static const cairn_dag__record end_record = {members, 2, 3, read_end_member};
  cairn_journal_run end = {0};
  if (!cairn_journal__read_record(l, &end_record, &end))
    return 0;
  if (!end.end_reason)
    return cairn_journal__json_fail(&l->json, "expected a reason, found null");
  l->r->run.end_reason = end.end_reason;
  l->r->run.end_count = end.end_count;
  return 1;
}

/* ---- lines ---- */

static int read_line(cairn_dag__line *l) {
  const char *kind = NULL;
  char *name;
  int first = 1;
  if (!cairn_journal__json_take(&l->json, '{'))
    return cairn_journal__json_expected(&l->json, "'{'");
  if (cairn_journal__json_member(&l->json, &first, &name) <= 0 ||
      strcmp(name, "k") != 0 || !cairn_journal__read_text(l, &kind) || !kind)
    return cairn_journal__json_fail(
        &l->json, "expected \"k\" with a string as first member");
  if (strcmp(kind, "header") == 0)
    return l->r->has_header
               ? cairn_journal__json_fail(&l->json, "a second header")
               : cairn_journal__read_header(l);
  if (!l->r->has_header)
    return cairn_journal__json_fail(
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
  cairn_dag__reader *r;
  unsigned flags;
  cairn_base_diag *diag;
  size_t number; /* of the line */
  size_t length; /* of the file */
} reading;

/* An inner line that cannot be used: an error, or skipped. */
static cairn_status unusable(reading *x, size_t offset, const char *what) {
  const char *const path = x->r->run.path;
  if (x->flags & CAIRN_JOURNAL_RUN_SALVAGE) {
    if (x->r->run.salvaged++ < MOST_WARNINGS)
      cairn_base_diag_add(x->diag, CAIRN_BASE_WARNING, path, x->number,
                          "skipped a damaged line at byte %zu: %s", offset,
                          what);
    return CAIRN_OK;
  }
  cairn_base_diag_add(
      x->diag, CAIRN_BASE_ERROR, path, x->number,
      "damaged at byte %zu: %s (cairn classify --salvage skips such lines)",
      offset, what);
  return CAIRN_INPUT;
}

/* A line whose checksum is right but whose content is wrong. */
static cairn_status wrong(reading *x, const cairn_dag__line *l,
                          const char *start) {
  const char *const path = x->r->run.path;
  if (l->no_memory)
    return CAIRN_NOMEM;
  if (x->flags & CAIRN_JOURNAL_RUN_SALVAGE)
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
  cairn_dag__reader *const r = x->r;
  size_t body = 0;
  const cairn_dag__damage damage =
      cairn_journal__line_check(start, length, &body);
  cairn_dag__line l = {.r = r, .number = x->number};
  if (damage != CAIRN_DAG__WHOLE && last) {
    r->run.torn = 1;
    cairn_base_diag_add(x->diag, CAIRN_BASE_NOTE, r->run.path, x->number,
                        "dropped a torn last line (%zu bytes)", length);
    return CAIRN_OK;
  }
  if (damage != CAIRN_DAG__WHOLE)
    return unusable(x, (size_t)(start - r->data),
                    damage_text(damage, start, length));
  cairn_journal__json_start(&l.json, start, length);
  return read_line(&l) ? CAIRN_OK : wrong(x, &l, start);
}

static cairn_status take_lines(reading *x) {
  char *at = x->r->data;
  char *const end = at + x->length;
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
static key *sorted_ids(const cairn_journal_run *run) {
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

static cairn_status refuse_repeated(const cairn_journal_run *run,
                                    const key *keys, cairn_base_diag *diag) {
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

/* Takes out the results without a schedule. */
static void drop_marked(cairn_journal_run *run) {
  size_t kept = 0;
  for (size_t i = 0; i < run->results; i++)
    if (run->result[i].schedule)
      run->result[kept++] = run->result[i];
  run->results = kept;
}

/* Of several results with one id the first stays; returns how many go. */
static size_t drop_repeated(cairn_journal_run *run, const key *keys,
                            cairn_base_diag *diag) {
  size_t dropped = 0;
  for (size_t i = 1; i < run->results; i++)
    if (keys[i - 1].id == keys[i].id) {
      cairn_journal_result *const again = &run->result[keys[i].index];
      cairn_base_diag_add(diag, CAIRN_BASE_WARNING, run->path, again->line,
                          "skipped a second result with id %" PRIu64,
                          again->id);
      again->schedule = NULL; /* the mark */
      dropped++;
    }
  if (dropped > 0)
    drop_marked(run);
  return dropped;
}

/* One schedule under two ids: refused, or the first stays. */
static cairn_status settle_twins(reading *x, const size_t *first) {
  cairn_journal_run *const run = &x->r->run;
  const int salvage = (x->flags & CAIRN_JOURNAL_RUN_SALVAGE) != 0;
  size_t found = 0;
  for (size_t i = 0; i < run->results; i++) {
    if (first[i] == i)
      continue;
    if (found++ < MOST_WARNINGS)
      cairn_base_diag_add(
          x->diag, salvage ? CAIRN_BASE_WARNING : CAIRN_BASE_ERROR, run->path,
          run->result[i].line,
          "%sthe schedule of line %zu again, with another id",
          salvage ? "skipped " : "", run->result[first[i]].line);
    run->result[i].schedule = NULL; /* the mark */
  }
  if (found == 0)
    return CAIRN_OK;
  drop_marked(run);
  return salvage ? CAIRN_OK : CAIRN_INPUT;
}

static cairn_status check_schedules(reading *x) {
  const cairn_journal_run *const run = &x->r->run;
  cairn_dag_key *const text_key =
      cairn_base_alloc(run->results + 1, sizeof *text_key);
  size_t *const first = cairn_base_alloc(run->results + 1, sizeof *first);
  cairn_status status = text_key && first ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < run->results; i++)
    text_key[i] = cairn_journal__text_key(run->result[i].schedule);
  if (status == CAIRN_OK)
    status = cairn_journal__find_first(text_key, run->results, first);
  if (status == CAIRN_OK)
    status = settle_twins(x, first);
  cairn_base_free(text_key);
  cairn_base_free(first);
  return status;
}

/* The result with this id, or NULL. */
static cairn_journal_result *find_result(const cairn_journal_run *run,
                                         const key *keys, uint64_t id) {
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

static int usable(const cairn_journal_result *r) {
  int known = 0;
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    known |= !isnan(r->times.p[i]);
  return known && (r->outcome == CAIRN_BASE_OUTCOME_OK ||
                   r->outcome == CAIRN_BASE_OUTCOME_PRUNED);
}

/* Puts the last usable refined numbers in the place of the first ones; the
 * outcome, the moment and the line stay those of the first measuring, but for
 * an outcome that was of no use. */
static cairn_status apply_refined(reading *x, const key *keys) {
  cairn_dag__reader *const r = x->r;
  for (size_t i = 0; i < r->refined_count; i++) {
    const cairn_journal_result *const from = &r->refined[i].result;
    cairn_journal_result *const to = find_result(&r->run, keys, from->id);
    if (!to && x->flags & CAIRN_JOURNAL_RUN_SALVAGE)
      continue; /* its result was on a damaged line */
    if (!to || strcmp(to->schedule, from->schedule) != 0) {
      cairn_base_diag_add(x->diag, CAIRN_BASE_ERROR, r->run.path, from->line,
                          "refines id %" PRIu64 ", which has no result of this "
                          "schedule",
                          from->id);
      return CAIRN_INPUT;
    }
    if (x->flags & CAIRN_JOURNAL_RUN_AS_MEASURED || !usable(from))
      continue;
    const cairn_journal_result first = *to;
    *to = *from;
    if (usable(&first))
      to->outcome = first.outcome;
    to->at = first.at;
    to->line = first.line;
    to->fact = from->facts ? r->facts + r->refined[i].fact : NULL;
  }
  return CAIRN_OK;
}

/* Keeps the schedules begun that have no result, each once. */
static void keep_unfinished(cairn_journal_run *run, const key *keys) {
  size_t kept = 0;
  for (size_t i = 0; i < run->begun_count; i++) {
    const begun b = run->begun[i];
    if (find_result(run, keys, b.id))
      continue;
    const int again = kept > 0 && run->begun[kept - 1].id == b.id;
    const unsigned before =
        again && strcmp(run->begun[kept - 1].schedule, b.schedule) == 0
            ? run->begun[kept - 1].times
            : 0;
    kept -= again ? 1 : 0; /* the later one stands */
    run->begun[kept] = b;
    run->begun[kept++].times += before;
  }
  run->begun_count = kept;
}

static cairn_status finish(reading *x) {
  cairn_dag__reader *const r = x->r;
  cairn_journal_run *const run = &r->run;
  key *keys;
  cairn_status status;
  if (!r->has_header && !(x->flags & CAIRN_JOURNAL_RUN_UNBORN &&
                          cairn_dag__is_unborn(r->data, x->length))) {
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
  if (x->flags & CAIRN_JOURNAL_RUN_SALVAGE &&
      drop_repeated(run, keys, x->diag) > 0) {
    cairn_base_free(keys);
    keys = sorted_ids(run);
    if (!keys)
      return CAIRN_NOMEM;
  }
  status = refuse_repeated(run, keys, x->diag);
  if (status == CAIRN_OK)
    status = apply_refined(x, keys);
  keep_unfinished(run, keys);
  cairn_base_free(keys);
  return status == CAIRN_OK ? check_schedules(x) : status;
}

cairn_status cairn_journal_run_read(const char *path, unsigned flags,
                                    cairn_base_diag *diag,
                                    cairn_journal_run **run_p) {
  cairn_dag__reader *const r = cairn_base_zalloc(1, sizeof *r);
  reading x = {.r = r, .flags = flags, .diag = diag};
  cairn_status status = CAIRN_OK;
  if (!r)
    return CAIRN_NOMEM;
  r->run.path = cairn_base_strdup(path);
  if (!r->run.path)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    status = (flags & CAIRN_JOURNAL_RUN_REGULAR ? cairn_base__file_read_regular
                                                : cairn_base_file_read)(
        path, CAIRN_DAG__JOURNAL_LARGEST, diag, &r->data, &x.length);
  if (status == CAIRN_OK)
    status = take_lines(&x);
  if (status == CAIRN_OK)
    status = finish(&x);
  if (status != CAIRN_OK) {
    cairn_journal_run_free(&r->run);
    return status;
  }
  *run_p = &r->run;
  return CAIRN_OK;
}

void cairn_journal_run_free(cairn_journal_run *run) {
  cairn_dag__reader *const r = (cairn_dag__reader *)run;
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

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/space.c - a recorded space: distinct schedules with their times.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dag/schedule/schedule-private.h"
#include "study/study-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

/* The public part, and what it points to. */
typedef struct owner {
  cairn_study_space space; /* first */
  char *path, *name, *objective;
  cairn_dag_program *own; /* NULL: the caller's */
} owner;

void cairn_study__space_free(cairn_study_space *space) {
  owner *const o = (owner *)(void *)space;
  if (!o)
    return;
  for (size_t i = 0; space->schedule && i < space->count; i++)
    cairn_dag_schedule_free(&space->schedule[i]);
  cairn_base_free(space->schedule);
  cairn_base_free(space->time_s);
  cairn_base_free(space->id);
  cairn_dag_program_free(o->own);
  cairn_base_free(o->path);
  cairn_base_free(o->name);
  cairn_base_free(o->objective);
  cairn_base_free(o);
}

/* "runs/spmv-1.jsonl.xz" -> "spmv-1". */
static char *short_name(const char *path) {
  static const char *const ending[] = {".xz", ".gz", ".jsonl"};
  const char *const slash = strrchr(path, '/');
  const char *const from = slash && slash[1] ? slash + 1 : path;
  size_t length = strlen(from);
  for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
    const size_t n = strlen(ending[i]);
    if (length > n && strncmp(from + length - n, ending[i], n) == 0)
      length -= n;
  }
  return cairn_base_strndup(from, length);
}

/* A result's time; INFINITY unless it is usable.  What a race has cut short has
 * been seen to be slow: its estimate counts. */
static double time_of(const cairn_journal_result *result,
                      const char *objective) {
  const double time_s = cairn_base_times_objective(&result->times, objective);
  return (result->outcome == CAIRN_BASE_OUTCOME_OK ||
          result->outcome == CAIRN_BASE_OUTCOME_PRUNED) &&
                 isfinite(time_s) && time_s > 0
             ? time_s
             : (double)INFINITY;
}

typedef struct keyed {
  cairn_dag_key key;
  size_t result;
} keyed;

static int by_key(const void *a, const void *b) {
  const keyed *const x = a, *const y = b;
  if (x->key.lo != y->key.lo)
    return x->key.lo < y->key.lo ? -1 : 1;
  if (x->key.hi != y->key.hi)
    return x->key.hi < y->key.hi ? -1 : 1;
  return x->result < y->result ? -1 : x->result > y->result;
}

static int by_result(const void *a, const void *b) {
  const keyed *const x = a, *const y = b;
  return x->result < y->result ? -1 : x->result > y->result;
}

/* Canonical schedules and their keys. */
static cairn_status read_schedules(owner *o, const cairn_journal_run *run,
                                   cairn_base_diag *diag, keyed *key,
                                   cairn_dag_schedule *schedule) {
  for (size_t i = 0; i < run->results; i++) {
    cairn_dag_schedule *const s = schedule + i;
    const cairn_status status = cairn_dag_schedule_parse(
        o->space.program, run->result[i].schedule, diag, s);
    if (status == CAIRN_INPUT)
      cairn_base_diag_add(diag, CAIRN_BASE_ERROR, run->path,
                          run->result[i].line,
                          "not a schedule of program \"%s\"",
                          cairn_dag_program_name(o->space.program));
    if (status)
      return status;
    s->count = cairn_dag__schedule_tidy(s->items, s->count);
    key[i] = (keyed){cairn_dag__schedule_key(s->items, s->count), i};
  }
  return CAIRN_OK;
}

/* Of equal schedules the first usable one counts, else the first. */
static size_t drop_repeated(const cairn_journal_run *run, const char *objective,
                            keyed *key, size_t count) {
  size_t kept = 0;
  qsort(key, count, sizeof *key, by_key);
  for (size_t i = 0; i < count; i++) {
    const int same = kept && key[kept - 1].key.lo == key[i].key.lo &&
                     key[kept - 1].key.hi == key[i].key.hi;
    if (!same)
      key[kept++] = key[i];
    else if (isinf(time_of(&run->result[key[kept - 1].result], objective)))
      key[kept - 1].result = key[i].result;
  }
  qsort(key, kept, sizeof *key, by_result);
  return kept;
}

static cairn_status fill(owner *o, const cairn_journal_run *run, keyed *key,
                         cairn_dag_schedule *all) {
  cairn_study_space *const s = &o->space;
  const size_t kept = drop_repeated(run, s->objective, key, run->results);
  s->repeated = run->results - kept;
  s->schedule = cairn_base_zalloc(kept, sizeof *s->schedule);
  s->time_s = cairn_base_alloc(kept, sizeof *s->time_s);
  s->id = cairn_base_alloc(kept, sizeof *s->id);
  if (!s->schedule || !s->time_s || !s->id)
    return CAIRN_NOMEM;
  s->count = kept;
  for (size_t i = 0; i < kept; i++) {
    const cairn_journal_result *const r = &run->result[key[i].result];
    s->schedule[i] = all[key[i].result];
    all[key[i].result] = (cairn_dag_schedule){0};
    s->time_s[i] = time_of(r, s->objective);
    s->id[i] = r->id;
    s->failed += isinf(s->time_s[i]) != 0;
  }
  return CAIRN_OK;
}

static cairn_status read_points(owner *o, const cairn_journal_run *run,
                                cairn_base_diag *diag) {
  keyed *const key = cairn_base_alloc(run->results, sizeof *key);
  cairn_dag_schedule *const all = cairn_base_zalloc(run->results, sizeof *all);
  cairn_status status = key && all ? CAIRN_OK : CAIRN_NOMEM;
  if (!status)
    status = read_schedules(o, run, diag, key, all);
  if (!status)
    status = fill(o, run, key, all);
  for (size_t i = 0; all && i < run->results; i++)
    cairn_dag_schedule_free(&all[i]);
  cairn_base_free(all);
  cairn_base_free(key);
  return status;
}

static cairn_status nothing_usable(const char *path, cairn_base_diag *diag) {
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                      "no schedule has a usable time");
  return CAIRN_FINDINGS;
}

static cairn_status read_space(owner *o, const cairn_journal_run *run,
                               const cairn_study_reading *how,
                               cairn_base_diag *diag) {
  cairn_study_space *const s = &o->space;
  const char *const objective =
      how->objective ? how->objective : run->header.objective;
  cairn_status status = CAIRN_OK;
  s->path = o->path = cairn_base_strdup(run->path);
  s->name = o->name = short_name(run->path);
  s->objective = o->objective =
      cairn_base_strdup(objective ? objective : "p10");
  if (!s->path || !s->name || !s->objective)
    return CAIRN_NOMEM;
  if (run->results == 0)
    return nothing_usable(run->path, diag);
  s->sync = run->header.sync && strcmp(run->header.sync, "minimal") == 0
                ? CAIRN_DAG_SYNC_MINIMAL
                : CAIRN_DAG_SYNC_TIDY;
  s->inferred = how->program == NULL;
  if (s->inferred)
    status = cairn_study__infer(run, diag, &o->own);
  if (!status) {
    /* Nothing below changes it. */
    s->program = s->inferred ? o->own : (cairn_dag_program *)how->program;
    status = read_points(o, run, diag);
  }
  if (!status && s->failed == s->count)
    status = nothing_usable(run->path, diag);
  return status;
}

static cairn_status read_one(const char *path, const cairn_study_reading *how,
                             cairn_base_diag *diag,
                             cairn_study_space **space_p) {
  owner *const o = cairn_base_zalloc(1, sizeof *o);
  cairn_journal_run *run = NULL;
  cairn_status status = o ? CAIRN_OK : CAIRN_NOMEM;
  if (!status)
    status = cairn_journal_run_read(path,
                                    how->salvage ? CAIRN_JOURNAL_RUN_SALVAGE
                                                 : CAIRN_JOURNAL_RUN_STRICT,
                                    diag, &run);
  if (!status)
    status = read_space(o, run, how, diag);
  cairn_journal_run_free(run);
  if (status)
    cairn_study__space_free(o ? &o->space : NULL);
  else
    *space_p = &o->space;
  return status;
}

/* "spmv", "spmv (2)", ... */
static cairn_status tell_apart(cairn_study_space *const *space, size_t which) {
  owner *const o = (owner *)(void *)space[which];
  size_t same = 1;
  char *const plain = short_name(o->path);
  if (!plain)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < which; i++) {
    char *const other = short_name(space[i]->path);
    if (!other) {
      cairn_base_free(plain);
      return CAIRN_NOMEM;
    }
    same += strcmp(other, plain) == 0;
    cairn_base_free(other);
  }
  if (same > 1) {
    cairn_base_text text = {0};
    cairn_base_text_addf(&text, "%s (%zu)", plain, same);
    if (!text.failed) {
      cairn_base_free(o->name);
      o->space.name = o->name = text.data;
    }
    cairn_base_free(plain);
    return text.failed ? CAIRN_NOMEM : CAIRN_OK;
  }
  cairn_base_free(plain);
  return CAIRN_OK;
}

cairn_status cairn_study__spaces_read(const char *const *path, size_t count,
                                      const cairn_study_reading *how,
                                      cairn_base_diag *diag,
                                      cairn_study_space **space) {
  cairn_status status = CAIRN_OK;
  size_t done = 0;
  while (done < count && !status) {
    status = read_one(path[done], how, diag, &space[done]);
    if (!status)
      status = tell_apart(space, done++);
  }
  while (status && done > 0) {
    cairn_study__space_free(space[--done]);
    space[done] = NULL;
  }
  return status;
}

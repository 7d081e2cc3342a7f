/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/recorded.c - times from a recorded table: a hash table from the
 * structure of a schedule to its recorded result.  Of equal schedules, if both
 * or none can be used, the one recorded in the search's own form (minimal, when
 * the search minimizes) counts, else the one with more samples, else the first.
 */
#include <math.h>
#include <string.h>

#define uthash_malloc(size) cairn_base_alloc(1, size)
#define uthash_free(memory, size) cairn_base_free(memory)
#define HASH_NONFATAL_OOM 1

#include <uthash.h>

#include "base/rng-private.h"
#include "base/times-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "explore/recorded-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

typedef struct entry {
  cairn_dag_key key;
  const cairn_journal_result *result;
  int exact; /* recorded in the search's own form */
  UT_hash_handle hh;
} entry;

struct cairn_explore_table {
  cairn_journal_run *run;
  entry *entries; /* one a result, in a block */
  entry *head;    /* the hash table */
};

void cairn_explore__table_free(cairn_explore_table *table) {
  if (table == NULL)
    return;
  HASH_CLEAR(hh, table->head);
  cairn_base_free(table->entries);
  cairn_journal_run_free(table->run);
  cairn_base_free(table);
}

const cairn_journal_run *
cairn_explore__table_run(const cairn_explore_table *table) {
  return table->run;
}

static cairn_status canonical(const cairn_dag_program *program,
                              cairn_dag_sync sync, cairn_dag_schedule *schedule,
                              int *changed_p) {
  schedule->count = cairn_dag__schedule_tidy(schedule->items, schedule->count);
  size_t tidy = schedule->count;
  if (sync == CAIRN_DAG_SYNC_MINIMAL) {
    cairn_status status = cairn_dag__schedule_minimize(
        program, schedule->items, schedule->count, &schedule->count);
    if (status != CAIRN_OK)
      return status;
  }
  *changed_p = schedule->count != tidy;
  return CAIRN_OK;
}

static int usable(const entry *e) {
  return e->result->outcome == CAIRN_BASE_OUTCOME_OK ||
         e->result->outcome == CAIRN_BASE_OUTCOME_PRUNED;
}

/* Of two results of one schedule a usable one counts, then one in the search's
 * own form, then the one with more samples, then the first. */
static int is_better(const entry *a, const entry *b) {
  if (usable(a) != usable(b))
    return usable(a);
  if (a->exact != b->exact)
    return a->exact;
  return a->result->times.samples > b->result->times.samples;
}

static cairn_status insert(cairn_explore_table *table, entry *fresh) {
  entry *old = NULL;
  HASH_FIND(hh, table->head, &fresh->key, sizeof fresh->key, old);
  if (old != NULL) {
    if (is_better(fresh, old)) {
      old->result = fresh->result;
      old->exact = fresh->exact;
    }
    return CAIRN_OK;
  }
  HASH_ADD(hh, table->head, key, sizeof fresh->key, fresh);
  return fresh->hh.tbl == NULL ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status add_result(cairn_explore_table *table, size_t i,
                               const cairn_dag_program *program,
                               cairn_dag_sync sync, cairn_base_diag *diag,
                               cairn_dag_schedule *schedule) {
  const cairn_journal_result *result = &table->run->result[i];
  entry *fresh = &table->entries[i];
  int changed;
  cairn_status status =
      cairn_dag_schedule_parse(program, result->schedule, diag, schedule);
  if (status == CAIRN_INPUT)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, table->run->path, result->line,
                        "not a schedule of program \"%s\"",
                        cairn_dag_program_name(program));
  if (status == CAIRN_OK)
    status = canonical(program, sync, schedule, &changed);
  if (status != CAIRN_OK)
    return status;
  fresh->key = cairn_dag__schedule_key(schedule->items, schedule->count);
  fresh->result = result;
  fresh->exact = !changed;
  return insert(table, fresh);
}

static cairn_status check_program(const cairn_journal_run *run,
                                  const cairn_dag_program *program,
                                  cairn_base_diag *diag) {
  cairn_journal_origin origin = CAIRN_JOURNAL_ORIGIN_SAME;
  cairn_base_text words = {0};
  cairn_status status =
      cairn_journal_origin_of_program(run, program, diag, &origin, &words);
  if (status == CAIRN_OK && origin != CAIRN_JOURNAL_ORIGIN_SAME) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, run->path, 0,
                        "this (the first) is a recording of another program "
                        "than \"%s\" (the second): %s",
                        cairn_dag_program_name(program), words.data);
    status = CAIRN_INPUT;
  }
  cairn_base_text_free(&words);
  return status;
}

static cairn_status fill(cairn_explore_table *table, const char *path,
                         const cairn_dag_program *program, cairn_dag_sync sync,
                         cairn_base_diag *diag) {
  cairn_status status =
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, diag, &table->run);
  if (status == CAIRN_OK)
    status = check_program(table->run, program, diag);
  if (status != CAIRN_OK)
    return status;
  table->entries = cairn_base_zalloc(table->run->results + 1, sizeof(entry));
  if (table->entries == NULL)
    return CAIRN_NOMEM;
  cairn_dag_schedule schedule = {0};
  for (size_t i = 0; i < table->run->results && status == CAIRN_OK; i++)
    status = add_result(table, i, program, sync, diag, &schedule);
  cairn_dag_schedule_free(&schedule);
  return status;
}

cairn_status cairn_explore__table_read(const char *path,
                                       const cairn_dag_program *program,
                                       cairn_dag_sync sync,
                                       cairn_base_diag *diag,
                                       cairn_explore_table **table_p) {
  cairn_explore_table *table = cairn_base_zalloc(1, sizeof *table);
  if (table == NULL)
    return CAIRN_NOMEM;
  cairn_status status = fill(table, path, program, sync, diag);
  if (status != CAIRN_OK) {
    cairn_explore__table_free(table);
    return status;
  }
  *table_p = table;
  return CAIRN_OK;
}

const cairn_journal_result *
cairn_explore__table_find(const cairn_explore_table *table,
                          const cairn_dag_item *items, size_t count) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  entry *found = NULL;
  HASH_FIND(hh, table->head, &key, sizeof key, found);
  return found == NULL ? NULL : found->result;
}

cairn_status cairn_explore__table_apply(const cairn_explore_table *table,
                                        const char *const *define,
                                        size_t defines,
                                        cairn_dag_program *program,
                                        cairn_base_diag *diag) {
  const cairn_journal_header *const h = &table->run->header;
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < h->params && status == CAIRN_OK; i++) {
    const char *const name = h->param_name[i], *const value = h->param_value[i];
    const size_t length = strlen(name);
    for (size_t d = 0; d < defines; d++)
      if (strncmp(define[d], name, length) == 0 && define[d][length] == '=' &&
          strcmp(define[d] + length + 1, value) != 0) {
        cairn_base_diag_add(diag, CAIRN_BASE_ERROR, table->run->path, 1,
                            "parameter %s was \"%s\" when this was recorded, "
                            "-D says \"%s\": leave it out",
                            name, value, define[d] + length + 1);
        status = CAIRN_INPUT;
      }
    if (status == CAIRN_OK)
      status = cairn_dag_program_set_param(program, name, value, diag);
  }
  return status;
}

/* ---- noise ---- */

cairn_status cairn_explore__table_draw(unsigned samples, uint64_t seed,
                                       const cairn_dag_item *items,
                                       size_t count,
                                       cairn_journal_result *result) {
  const cairn_base_times recorded = result->times;
  cairn_base_rng rng;
  double *draw;
  if (!cairn_base__times_known(&recorded))
    return CAIRN_OK;
  draw = cairn_base_alloc(samples, sizeof *draw);
  if (draw == NULL)
    return CAIRN_NOMEM;
  cairn_base__rng_seed(&rng, seed ^ cairn_dag__schedule_key(items, count).lo);
  for (unsigned i = 0; i < samples; i++)
    draw[i] =
        cairn_base__times_quantile(recorded.p, cairn_base__rng_uniform(&rng));
  result->times = cairn_base__times_of_samples(draw, samples);
  result->times.skew = recorded.skew;
  cairn_base_free(draw);
  return CAIRN_OK;
}

double cairn_explore__table_best(const cairn_explore_table *table,
                                 const char *objective) {
  double best = NAN;
  for (const entry *e = table->head; e != NULL; e = e->hh.next)
    if (e->result->outcome == CAIRN_BASE_OUTCOME_OK)
      best =
          fmin(best, cairn_base_times_objective(&e->result->times, objective));
  return best;
}

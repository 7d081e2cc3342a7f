/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/search-table.h - a recorded space as an evaluator, for benches and
 * tests of the search: a journal, or one of the '|'-separated tables, looked
 * up by the key of the canonical schedule.
 */
#ifndef CAIRN_BENCH_SEARCH_TABLE_H
#define CAIRN_BENCH_SEARCH_TABLE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include <cairn/journal.h>
#include <cairn/mcts.h>

typedef struct table_entry {
  cairn_dag_key key;
  double time_s;
} table_entry;

typedef struct table {
  table_entry *entry; /* sorted by key */
  size_t entries;
  double best_s;
  size_t missing; /* lookups that found nothing */
} table;

/* The SpMV program of the recorded spaces. */
static inline cairn_dag_program *table_spmv(void) {
  static const char *const name[] = {
      "Pack", "yl", "PostRecv", "PostSend", "WaitRecv", "WaitSend", "yr", "y"};
  static const char gpu[] = {1, 1, 0, 0, 0, 0, 1, 1};
  static const char edge[][2] = {{0, 3}, {3, 4}, {2, 4}, {3, 5},
                                 {2, 5}, {4, 6}, {1, 7}, {6, 7}};
  cairn_dag_program *program = NULL;
  unsigned id[8];
  if (cairn_dag_program_create("spmv", &program))
    return NULL;
  for (int i = 0; i < 8; i++) {
    const cairn_dag_op op = {.name = name[i],
                             .kind = gpu[i] ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
    if (cairn_dag_program_add_op(program, &op, NULL, &id[i]))
      return NULL;
  }
  for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
    if (cairn_dag_program_add_edge(program, id[(int)edge[i][0]],
                                   id[(int)edge[i][1]], NULL))
      return NULL;
  if (cairn_dag_program_set_streams(program, 2) ||
      cairn_dag_program_seal(program, NULL))
    return NULL;
  return program;
}

static inline int table_compare(const void *a, const void *b) {
  const cairn_dag_key *const x = a, *const y = b;
  if (x->lo != y->lo)
    return x->lo < y->lo ? -1 : 1;
  return x->hi < y->hi ? -1 : x->hi > y->hi;
}

static inline cairn_status table_fill(table *t, const cairn_journal_run *run,
                                      const cairn_dag_program *program,
                                      cairn_base_diag *diag) {
  cairn_dag_schedule s = {0};
  cairn_status status = CAIRN_OK;
  t->entry = calloc(run->results + 1, sizeof *t->entry);
  for (size_t i = 0; i < run->results && !status; i++) {
    const double time_s =
        cairn_base_times_objective(&run->result[i].times, "p10");
    if ((status = cairn_dag_schedule_parse(program, run->result[i].schedule,
                                           diag, &s)))
      break;
    s.count = cairn_dag__schedule_tidy(s.items, s.count);
    t->entry[t->entries++] =
        (table_entry){cairn_dag__schedule_key(s.items, s.count), time_s};
    if (t->entries == 1 || time_s < t->best_s)
      t->best_s = time_s;
  }
  cairn_dag_schedule_free(&s);
  qsort(t->entry, t->entries, sizeof *t->entry, table_compare);
  return status;
}

/* Reads a journal or a table (by its first byte). */
static inline cairn_status table_load(const char *path, cairn_base_diag *diag,
                                      cairn_journal_run **run_p) {
  const char *const rename[] = {"Scatter=Pack"};
  char copy[] = "/tmp/cairn-table-XXXXXX", journal[64];
  FILE *const file = fopen(path, "r");
  const int first = file ? fgetc(file) : EOF;
  size_t rows;
  if (file)
    fclose(file);
  /* 0xfd, 0x1f: a compressed journal */
  if (first == '{' || first == 0xfd || first == 0x1f || first == EOF)
    return cairn_journal_run_read(path, 0, diag, run_p);
  if (!mkdtemp(copy))
    return CAIRN_IO;
  snprintf(journal, sizeof journal, "%s/t.jsonl", copy);
  cairn_status status = cairn_journal_table_import(path, journal, rename, 1,
                                                   "bench", diag, &rows);
  if (!status)
    status = cairn_journal_run_read(journal, 0, diag, run_p);
  unlink(journal);
  rmdir(copy);
  return status;
}

static inline cairn_status table_read(table *t, const char *path,
                                      const cairn_dag_program *program,
                                      cairn_base_diag *diag) {
  cairn_journal_run *run = NULL;
  memset(t, 0, sizeof *t);
  cairn_status status = table_load(path, diag, &run);
  if (!status)
    status = table_fill(t, run, program, diag);
  cairn_journal_run_free(run);
  return status;
}

static inline void table_free(table *t) { free(t->entry); }

/* Evaluator; context: the table. */
static inline cairn_status table_evaluate(void *context,
                                          const cairn_dag_item *items,
                                          size_t count, uint64_t id,
                                          cairn_mcts_result *result_p) {
  table *const t = context;
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  const table_entry *const e =
      bsearch(&key, t->entry, t->entries, sizeof *t->entry, table_compare);
  (void)id;
  t->missing += !e;
  *result_p = cairn_mcts__result_of(e ? e->time_s : (double)NAN);
  return CAIRN_OK;
}

#endif

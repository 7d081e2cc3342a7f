/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/neighbour-rows.c - words sorted and looked up, pairs gathered into
 * rows.
 */
#include "dag/schedule/schedule-private.h"
#include "dag/space/neighbour-private.h"
#include "dag/space/neighbours-private.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

cairn_status cairn_dag__finder_create(cairn_dag__finder *f,
                                      const cairn_dag_program *program,
                                      const cairn_dag_schedule *schedule,
                                      size_t count) {
  size_t most = 0;
  *f = (cairn_dag__finder){
      .program = program, .schedule = schedule, .count = count};
  for (size_t i = 0; i < count; i++)
    most = schedule[i].count > most ? schedule[i].count : most;
  return cairn_dag__opened_create(&f->opened, program, most);
}

void cairn_dag__finder_free(cairn_dag__finder *f) {
  cairn_dag__opened_free(&f->opened);
  cairn_base_free(f->entry);
  cairn_base_free(f->pair);
}

cairn_status cairn_dag__finder_add(cairn_dag__finder *f, uint32_t from,
                                   uint32_t to, unsigned kind) {
  if (cairn_base_reserve(&f->pair, &f->pair_capacity, f->pairs + 1,
                         sizeof *f->pair))
    return CAIRN_NOMEM;
  f->pair[f->pairs++] = (cairn_dag__pair){from, to, (uint8_t)kind};
  return CAIRN_OK;
}

/* ---- words ---- */

static int compare_words(const cairn_dag_key *a, const cairn_dag_key *b) {
  if (a->lo != b->lo)
    return a->lo < b->lo ? -1 : 1;
  return a->hi < b->hi ? -1 : a->hi > b->hi;
}

int cairn_dag__entry_compare(const void *a, const void *b) {
  const cairn_dag__entry *const x = a, *const y = b;
  const int words = compare_words(&x->at.word, &y->at.word);
  if (words)
    return words;
  if (x->at.side != y->at.side)
    return x->at.side < y->at.side ? -1 : 1;
  return x->vertex < y->vertex ? -1 : x->vertex > y->vertex;
}

const cairn_dag__entry *cairn_dag__entry_find(const cairn_dag__entry *entry,
                                              size_t entries,
                                              cairn_dag_key word,
                                              size_t *count_p) {
  size_t low = 0, high = entries, end;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_words(&entry[middle].at.word, &word) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (end = low; end < entries && !compare_words(&entry[end].at.word, &word);
       end++)
    ;
  *count_p = end - low;
  return end > low ? entry + low : NULL;
}

/* ---- syncs ---- */

/* May these two items be exchanged?  Not two ops, and no wait before its
 * record. */
static int may_exchange(const cairn_dag_item *item) {
  if (item[0].kind <= CAIRN_DAG_ITEM_GPU && item[1].kind <= CAIRN_DAG_ITEM_GPU)
    return 0;
  return item[0].kind != CAIRN_DAG_ITEM_CER ||
         item[1].kind <= CAIRN_DAG_ITEM_CER || item[0].id != item[1].id;
}

int cairn_dag__exchange(cairn_dag__finder *f, size_t vertex, size_t k,
                        cairn_dag_key *key_p) {
  const cairn_dag_schedule *const s = f->schedule + vertex;
  cairn_dag_item *const copy = f->opened.rest;
  if (!may_exchange(s->items + k))
    return 0;
  memcpy(copy, s->items, s->count * sizeof *copy);
  copy[k] = s->items[k + 1];
  copy[k + 1] = s->items[k];
  cairn_dag__schedule_renumber(copy, s->count);
  *key_p = cairn_dag__schedule_key(copy, s->count);
  return 1;
}

/* ---- rows ---- */

static int compare_pairs(const void *a, const void *b) {
  const cairn_dag__pair *const x = a, *const y = b;
  return x->to < y->to ? -1 : x->to > y->to;
}

/* Counts, then puts each pair at its row's place: row[v + 1] is then the end of
 * row v. */
static cairn_status sort_by_row(cairn_dag__finder *f, size_t rows,
                                size_t *row) {
  cairn_dag__pair *const sorted = cairn_base_alloc(f->pairs, sizeof *sorted);
  if (!sorted)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < f->pairs; i++)
    row[f->pair[i].from + 2]++;
  for (size_t v = 1; v <= rows; v++)
    row[v + 1] += row[v];
  for (size_t i = 0; i < f->pairs; i++)
    sorted[row[f->pair[i].from + 1]++] = f->pair[i];
  cairn_base_free(f->pair);
  f->pair = sorted;
  return CAIRN_OK;
}

/* Sorts each row and drops doubles; returns the number of pairs left. */
static size_t sort_rows(cairn_dag__pair *pair, size_t rows, size_t *row) {
  size_t kept = 0;
  for (size_t v = 0, i = 0; v < rows; v++) {
    const size_t end = row[v + 1];
    row[v] = kept;
    if (end > i)
      qsort(pair + i, end - i, sizeof *pair, compare_pairs);
    for (; i < end; i++)
      if (kept == row[v] || pair[kept - 1].to != pair[i].to)
        pair[kept++] = pair[i];
  }
  return row[rows] = kept;
}

cairn_status cairn_dag__finder_rows(cairn_dag__finder *f, size_t rows,
                                    cairn_dag_neighbours *n) {
  n->vertices = rows;
  n->row = cairn_base_zalloc(rows + 2, sizeof *n->row);
  if (!n->row || sort_by_row(f, rows, n->row))
    return CAIRN_NOMEM;
  const size_t kept = sort_rows(f->pair, rows, n->row);
  n->to = cairn_base_alloc(kept, sizeof *n->to);
  n->kind = cairn_base_alloc(kept, 1);
  if (!n->to || !n->kind)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < kept; i++) {
    n->to[i] = f->pair[i].to;
    n->kind[i] = f->pair[i].kind;
  }
  return CAIRN_OK;
}

void cairn_dag__neighbours_free(cairn_dag_neighbours *neighbours) {
  cairn_base_free(neighbours->row);
  cairn_base_free(neighbours->to);
  cairn_base_free(neighbours->kind);
  *neighbours = (cairn_dag_neighbours){0};
}

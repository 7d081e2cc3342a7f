/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/neighbour-find.c - all neighbours among many schedules, or of a
 * few.
 *
 * For each place where a move can be made every schedule has a word; schedules
 * with equal words on different sides are neighbours.  Words are sorted, so
 * that equal ones lie together: no pair is looked at that is none.  Places are
 * taken in groups, as many as fit into a bounded table.  Syncs: the schedule
 * that an exchange gives is looked up.  For a few schedules only their words
 * are kept, and those of all others are looked up in one pass.
 */
#include "dag/schedule/schedule-private.h"
#include "dag/space/neighbour-private.h"
#include "dag/space/neighbours-private.h"
#include <cairn/dag.h>

#include <stdlib.h>

enum { TABLE = 4 << 20 }; /* words kept at a time, or one place's, if more */

static const unsigned move_kinds[] = {CAIRN_DAG_NEIGHBOUR_SWAP,
                                      CAIRN_DAG_NEIGHBOUR_STREAM};

static size_t places_of(const cairn_dag_program *program, unsigned kind) {
  return kind == CAIRN_DAG_NEIGHBOUR_SWAP ? cairn_dag__swap_places(program)
                                          : cairn_dag__stream_places(program);
}

static cairn_status side_at(cairn_dag__finder *f, unsigned kind, size_t place,
                            cairn_dag__side *side_p) {
  return kind == CAIRN_DAG_NEIGHBOUR_SWAP
             ? cairn_dag__opened_swap(&f->opened, place, side_p)
             : cairn_dag__opened_stream(&f->opened, place, side_p);
}

static cairn_status open_vertex(cairn_dag__finder *f, size_t vertex) {
  return cairn_dag__opened_set(&f->opened, f->schedule[vertex].items,
                               f->schedule[vertex].count);
}

/* ---- among all ---- */

static cairn_status add_both(cairn_dag__finder *f, uint32_t a, uint32_t b,
                             unsigned kind) {
  const cairn_status status = cairn_dag__finder_add(f, a, b, kind);
  return status ? status : cairn_dag__finder_add(f, b, a, kind);
}

/* Entries of one word, sorted by side: each with all of later sides. */
static cairn_status join_word(cairn_dag__finder *f, const cairn_dag__entry *e,
                              size_t count, unsigned kind) {
  size_t next = 0;
  for (size_t i = 0; i < count; i++) {
    if (i == next)
      while (next < count && e[next].at.side == e[i].at.side)
        next++;
    for (size_t j = next; j < count; j++)
      if (add_both(f, e[i].vertex, e[j].vertex, kind))
        return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

static cairn_status join(cairn_dag__finder *f, size_t entries, unsigned kind) {
  size_t count;
  if (entries)
    qsort(f->entry, entries, sizeof *f->entry, cairn_dag__entry_compare);
  for (size_t i = 0; i < entries; i += count) {
    const cairn_dag_key word = f->entry[i].at.word;
    for (count = 1; i + count < entries; count++)
      if (f->entry[i + count].at.word.lo != word.lo ||
          f->entry[i + count].at.word.hi != word.hi)
        break;
    if (join_word(f, f->entry + i, count, kind))
      return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

static cairn_status find_moves(cairn_dag__finder *f, unsigned kind) {
  const size_t places = places_of(f->program, kind);
  const size_t group = f->count && TABLE / f->count > 1 ? TABLE / f->count : 1;
  for (size_t first = 0; first < places; first += group) {
    const size_t end = places - first < group ? places : first + group;
    size_t entries = 0;
    for (size_t i = 0; i < f->count; i++) {
      if (open_vertex(f, i))
        return CAIRN_NOMEM;
      for (size_t place = first; place < end; place++) {
        cairn_dag__entry *const e = f->entry + entries++;
        e->vertex = (uint32_t)i;
        if (side_at(f, kind, place, &e->at))
          return CAIRN_NOMEM;
      }
    }
    if (join(f, entries, kind))
      return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

static void key_all(cairn_dag__finder *f) {
  for (size_t i = 0; i < f->count; i++) {
    const cairn_dag_schedule *const s = f->schedule + i;
    f->entry[i] = (cairn_dag__entry){
        {cairn_dag__schedule_key(s->items, s->count), 0}, 0, (uint32_t)i};
  }
  if (f->count)
    qsort(f->entry, f->count, sizeof *f->entry, cairn_dag__entry_compare);
}

static cairn_status find_syncs(cairn_dag__finder *f) {
  cairn_dag_key key;
  size_t count;
  key_all(f);
  for (size_t i = 0; i < f->count; i++)
    for (size_t k = 1; k + 2 < f->schedule[i].count; k++) {
      if (!cairn_dag__exchange(f, i, k, &key))
        continue;
      const cairn_dag__entry *const e =
          cairn_dag__entry_find(f->entry, f->count, key, &count);
      if (e && e->vertex != i &&
          add_both(f, (uint32_t)i, e->vertex, CAIRN_DAG_NEIGHBOUR_SYNC))
        return CAIRN_NOMEM;
    }
  return CAIRN_OK;
}

static cairn_status find_all(cairn_dag__finder *f, unsigned kinds,
                             cairn_dag_neighbours *n) {
  const size_t most = f->count < TABLE ? TABLE : f->count;
  const size_t all = f->count * cairn_dag_program_ops(f->program);
  cairn_status status = CAIRN_OK;
  f->entry = cairn_base_alloc(all < most ? all : most, sizeof *f->entry);
  if (!f->entry)
    return CAIRN_NOMEM;
  for (size_t k = 0; k < 2 && !status; k++)
    if (kinds & move_kinds[k])
      status = find_moves(f, move_kinds[k]);
  if (!status && kinds & CAIRN_DAG_NEIGHBOUR_SYNC)
    status = find_syncs(f);
  return status ? status : cairn_dag__finder_rows(f, f->count, n);
}

/* ---- of a few ---- */

typedef struct few {
  const uint32_t *which;
  size_t rows, entries, capacity;
} few;

static cairn_status keep(cairn_dag__finder *f, few *w, size_t row,
                         const cairn_dag__side *side) {
  if (cairn_base_reserve(&f->entry, &w->capacity, w->entries + 1,
                         sizeof *f->entry))
    return CAIRN_NOMEM;
  f->entry[w->entries++] = (cairn_dag__entry){*side, 0, (uint32_t)row};
  return CAIRN_OK;
}

static cairn_status keep_moves(cairn_dag__finder *f, few *w, unsigned kind) {
  const size_t places = places_of(f->program, kind);
  cairn_dag__side side;
  w->entries = 0;
  for (size_t r = 0; r < w->rows; r++) {
    if (open_vertex(f, w->which[r]))
      return CAIRN_NOMEM;
    for (size_t place = 0; place < places; place++)
      if (side_at(f, kind, place, &side) || keep(f, w, r, &side))
        return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

/* The exchanged schedules are the words; side 1, for they are none of the
 * set's own. */
static cairn_status keep_syncs(cairn_dag__finder *f, few *w) {
  cairn_dag__side side = {.side = 1};
  w->entries = 0;
  for (size_t r = 0; r < w->rows; r++)
    for (size_t k = 1; k + 2 < f->schedule[w->which[r]].count; k++)
      if (cairn_dag__exchange(f, w->which[r], k, &side.word) &&
          keep(f, w, r, &side))
        return CAIRN_NOMEM;
  return CAIRN_OK;
}

static cairn_status look_up(cairn_dag__finder *f, const few *w, size_t vertex,
                            const cairn_dag__side *side, unsigned kind) {
  size_t count;
  const cairn_dag__entry *const e =
      cairn_dag__entry_find(f->entry, w->entries, side->word, &count);
  for (size_t i = 0; i < count; i++)
    if (e[i].at.side != side->side && w->which[e[i].vertex] != vertex &&
        cairn_dag__finder_add(f, e[i].vertex, (uint32_t)vertex, kind))
      return CAIRN_NOMEM;
  return CAIRN_OK;
}

static cairn_status find_few(cairn_dag__finder *f, few *w, unsigned kind) {
  const size_t places =
      kind == CAIRN_DAG_NEIGHBOUR_SYNC ? 0 : places_of(f->program, kind);
  cairn_status status = places ? keep_moves(f, w, kind) : CAIRN_OK;
  cairn_dag__side side = {0};
  if (kind == CAIRN_DAG_NEIGHBOUR_SYNC)
    status = keep_syncs(f, w);
  else if (!places)
    return CAIRN_OK;
  if (!status && w->entries)
    qsort(f->entry, w->entries, sizeof *f->entry, cairn_dag__entry_compare);
  for (size_t i = 0; i < f->count && !status; i++) {
    if (places)
      status = open_vertex(f, i);
    for (size_t place = 0; place < places && !status; place++)
      if (!(status = side_at(f, kind, place, &side)))
        status = look_up(f, w, i, &side, kind);
    if (!places) {
      side.word =
          cairn_dag__schedule_key(f->schedule[i].items, f->schedule[i].count);
      status = look_up(f, w, i, &side, kind);
    }
  }
  return status;
}

/* ---- the door ---- */

cairn_status cairn_dag__neighbours_find(const cairn_dag_program *program,
                                        const cairn_dag_schedule *schedule,
                                        size_t count, unsigned kinds,
                                        cairn_dag_neighbours *neighbours_p) {
  cairn_dag__finder f;
  cairn_dag_neighbours n = {0};
  cairn_status status = cairn_dag__finder_create(&f, program, schedule, count);
  if (!status)
    status = find_all(&f, kinds, &n);
  cairn_dag__finder_free(&f);
  if (status)
    cairn_dag__neighbours_free(&n);
  else
    *neighbours_p = n;
  return status;
}

cairn_status cairn_dag__neighbours_of(const cairn_dag_program *program,
                                      const cairn_dag_schedule *schedule,
                                      size_t count, unsigned kinds,
                                      const uint32_t *which, size_t rows,
                                      cairn_dag_neighbours *neighbours_p) {
  static const unsigned each[] = {CAIRN_DAG_NEIGHBOUR_SWAP,
                                  CAIRN_DAG_NEIGHBOUR_STREAM,
                                  CAIRN_DAG_NEIGHBOUR_SYNC};
  cairn_dag__finder f;
  cairn_dag_neighbours n = {0};
  few w = {.which = which, .rows = rows};
  cairn_status status = cairn_dag__finder_create(&f, program, schedule, count);
  for (size_t k = 0; k < 3 && !status; k++)
    if (kinds & each[k])
      status = find_few(&f, &w, each[k]);
  if (!status)
    status = cairn_dag__finder_rows(&f, rows, &n);
  cairn_dag__finder_free(&f);
  if (status)
    cairn_dag__neighbours_free(&n);
  else
    *neighbours_p = n;
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/data.c - the data set: schedules, their measurements, and which
 * rows of two data sets are the same schedule.
 *
 * A picked data set borrows texts and tokens from its source; `owner` says who
 * frees them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>
#include <cairn/journal.h>

#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/schedule/sequence-private.h"

cairn_status cairn_classify_data_create(cairn_classify_data **data_p) {
  cairn_classify_data *data = cairn_base_zalloc(1, sizeof *data);
  if (!data)
    return CAIRN_NOMEM;
  data->owner = 1;
  const cairn_status status = cairn_dag__intern_create(&data->names);
  if (status != CAIRN_OK) {
    cairn_base_free(data);
    return status;
  }
  *data_p = data;
  return CAIRN_OK;
}

void cairn_classify_data_free(cairn_classify_data *data) {
  if (!data)
    return;
  for (size_t i = 0; data->owner && i < data->count; i++) {
    cairn_base_free(data->text[i]);
    cairn_dag__sequence_free(&data->sequence[i]);
  }
  if (data->owner)
    cairn_dag__intern_free(data->names);
  cairn_base_free(data->text);
  cairn_base_free(data->sequence);
  cairn_base_free(data->measure);
  cairn_base_free(data);
}

static cairn_status grow(cairn_classify_data *data, size_t count) {
  cairn_status status = CAIRN_OK;
  if (count >= UINT32_MAX)
    return CAIRN_INPUT;
  status = cairn_base_reserve(&data->text, &data->text_room, count,
                              sizeof *data->text);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&data->sequence, &data->sequence_room, count,
                                sizeof *data->sequence);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&data->measure, &data->measure_room, count,
                                sizeof *data->measure);
  return status;
}

cairn_status cairn_classify__data_add(cairn_classify_data *data,
                                      const char *text, size_t length,
                                      const cairn_classify_measure *measure,
                                      const char *file, size_t line,
                                      cairn_base_diag *diag) {
  if (!(measure->time > 0) || !isfinite(measure->time)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, file, line,
                        "the time of a schedule is %g s; it must be positive",
                        measure->time);
    return CAIRN_INPUT;
  }
  const size_t at = data->count;
  cairn_status status = grow(data, at + 1);
  if (status != CAIRN_OK)
    return status;
  data->sequence[at] = (cairn_dag_sequence){0};
  status = cairn_dag__sequence_parse(text, length, data->names, file, line,
                                     diag, &data->sequence[at]);
  data->text[at] = status == CAIRN_OK ? cairn_base_strndup(text, length) : NULL;
  if (!data->text[at]) {
    cairn_dag__sequence_free(&data->sequence[at]);
    return status == CAIRN_OK ? CAIRN_NOMEM : status;
  }
  data->measure[at] = *measure;
  data->count++;
  return CAIRN_OK;
}

/* The interval can be believed, so the times are taken to lie as it says. */
static void narrow(cairn_classify_measure *m) {
  const double low = m->times.low, high = m->times.high;
  static const double normal[CAIRN_BASE_PERCENTILES] = {-2.326348, -1.281552, 0,
                                                        1.281552, 2.326348};
  if (!isfinite(low) || !isfinite(high))
    return;
  const double error = (high - low) / (2 * 1.959964);
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    m->times.p[i] = m->time + normal[i] * error;
}

cairn_classify_measure
cairn_classify__measure_of(const cairn_journal_result *result,
                           const char *objective) {
  cairn_classify_measure m = {
      result->id, cairn_base_times_objective(&result->times, objective),
      result->times};
  if (result->corrected)
    narrow(&m);
  return m;
}

/* ---- keys of what schedules do ---- */

typedef struct keyed {
  cairn_dag_key key;
  uint32_t row;
} keyed;

static int compare_keyed(const void *a, const void *b) {
  const keyed *x = a, *y = b;
  if (x->key.hi != y->key.hi)
    return x->key.hi < y->key.hi ? -1 : 1;
  if (x->key.lo != y->key.lo)
    return x->key.lo < y->key.lo ? -1 : 1;
  return (x->row > y->row) - (x->row < y->row);
}

/* The key of a row's structure; name ids of ops go through `map`. */
static cairn_status structure(const cairn_classify_data *data, size_t row,
                              const uint32_t *map, cairn_dag_key *key_p) {
  const cairn_dag_sequence *s = &data->sequence[row];
  cairn_dag_item *item = cairn_base_zalloc(s->count, sizeof *item);
  if (!item)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < s->count; i++) {
    const cairn_dag_token *t = &s->tokens[i];
    const int op =
        t->kind == CAIRN_DAG_ITEM_CPU || t->kind == CAIRN_DAG_ITEM_GPU;
    item[i].kind = t->kind;
    item[i].stream =
        t->kind == CAIRN_DAG_ITEM_CPU || t->kind == CAIRN_DAG_ITEM_CES
            ? 0
            : t->stream;
    item[i].id = op ? (uint16_t)(map ? map[t->name] : t->name) : t->event;
  }
  *key_p =
      cairn_dag__schedule_key(item, cairn_dag__schedule_tidy(item, s->count));
  cairn_base_free(item);
  return CAIRN_OK;
}

static cairn_status keys(const cairn_classify_data *data, const uint32_t *map,
                         keyed **keys_p) {
  keyed *k = cairn_base_alloc(data->count, sizeof *k);
  if (!k)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < data->count; i++) {
    const cairn_status status = structure(data, i, map, &k[i].key);
    if (status != CAIRN_OK) {
      cairn_base_free(k);
      return status;
    }
    k[i].row = (uint32_t)i;
  }
  *keys_p = k;
  return CAIRN_OK;
}

/* ---- runs ---- */

/* The rows that were there before a run is added, by key. */
typedef struct earlier {
  keyed *row;
  size_t count;
} earlier;

static int same_measure(const cairn_classify_measure *a,
                        const cairn_classify_measure *b) {
  if (a->time != b->time)
    return 0;
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++) {
    const double x = a->times.p[i], y = b->times.p[i];
    if (x != y && !(isnan(x) && isnan(y)))
      return 0;
  }
  return 1;
}

/* Is the last row a result that an earlier run has brought: the same schedule
 * with the same numbers? */
static cairn_status is_known(const cairn_classify_data *data,
                             const earlier *known, int *again_p) {
  keyed last = {.row = 0};
  size_t low = 0, high = known->count;
  if (known->count == 0)
    return CAIRN_OK;
  const cairn_status status = structure(data, data->count - 1, NULL, &last.key);
  if (status != CAIRN_OK)
    return status;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_keyed(&known->row[middle], &last) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  for (; low < known->count && known->row[low].key.hi == last.key.hi &&
         known->row[low].key.lo == last.key.lo;
       low++)
    *again_p |= same_measure(&data->measure[known->row[low].row],
                             &data->measure[data->count - 1]);
  return CAIRN_OK;
}

static void drop_last(cairn_classify_data *data) {
  data->count--;
  cairn_base_free(data->text[data->count]);
  cairn_dag__sequence_free(&data->sequence[data->count]);
}

static cairn_status add_results(cairn_classify_data *data,
                                const cairn_journal_run *run,
                                const char *objective, size_t limit,
                                const earlier *known, cairn_base_diag *diag) {
  const char *by = objective ? objective : run->header.objective;
  if (!by)
    by = "p10";
  size_t added = 0;
  for (size_t i = 0; i < run->results && (limit == 0 || added < limit); i++) {
    const cairn_journal_result *r = &run->result[i];
    const cairn_classify_measure m = cairn_classify__measure_of(r, by);
    const int timed = r->outcome == CAIRN_BASE_OUTCOME_OK ||
                      r->outcome == CAIRN_BASE_OUTCOME_PRUNED;
    if (!timed || !isfinite(m.time))
      continue;
    const cairn_status status = cairn_classify__data_add(
        data, r->schedule, strlen(r->schedule), &m, run->path, r->line, diag);
    if (status != CAIRN_OK)
      return status;
    int again = 0;
    const cairn_status looked = is_known(data, known, &again);
    if (looked != CAIRN_OK)
      return looked;
    if (again)
      drop_last(data);
    else
      added++;
  }
  return CAIRN_OK;
}

cairn_status cairn_classify_data_add_run(cairn_classify_data *data,
                                         const cairn_journal_run *run,
                                         const char *objective, size_t limit,
                                         cairn_base_diag *diag) {
  earlier known = {.count = data->count};
  cairn_status status = CAIRN_OK;
  if (known.count > 0)
    status = keys(data, NULL, &known.row);
  if (status == CAIRN_OK && known.count > 0)
    qsort(known.row, known.count, sizeof *known.row, compare_keyed);
  if (status == CAIRN_OK)
    status = add_results(data, run, objective, limit, &known, diag);
  cairn_base_free(known.row);
  return status;
}

cairn_status cairn_classify__data_pick(const cairn_classify_data *data,
                                       const uint32_t *row, size_t count,
                                       cairn_classify_data **pick_p) {
  cairn_classify_data *pick = cairn_base_zalloc(1, sizeof *pick);
  if (!pick)
    return CAIRN_NOMEM;
  const cairn_status status = grow(pick, count);
  if (status != CAIRN_OK) {
    cairn_classify_data_free(pick);
    return status;
  }
  pick->names = data->names;
  pick->count = count;
  for (size_t i = 0; i < count; i++) {
    pick->text[i] = data->text[row[i]];
    pick->sequence[i] = data->sequence[row[i]];
    pick->measure[i] = data->measure[row[i]];
  }
  *pick_p = pick;
  return CAIRN_OK;
}

size_t cairn_classify_data_count(const cairn_classify_data *data) {
  return data->count;
}
const cairn_classify_measure *
cairn_classify__data_measure(const cairn_classify_data *data, size_t row) {
  return &data->measure[row];
}
const char *cairn_classify__data_text(const cairn_classify_data *data,
                                      size_t row) {
  return data->text[row];
}
const cairn_dag_token *
cairn_classify__data_tokens(const cairn_classify_data *data, size_t row,
                            size_t *count_p) {
  *count_p = data->sequence[row].count;
  return data->sequence[row].tokens;
}
const cairn_dag_intern *
cairn_classify__data_names(const cairn_classify_data *data) {
  return data->names;
}

/* ---- which rows are the same schedule ---- */

/* Names of `b` as ids of `a`; names unknown there get ids of their own. */
cairn_status cairn_classify__map_names(const cairn_dag_intern *a,
                                       const cairn_dag_intern *b,
                                       uint32_t **map_p) {
  const size_t count = cairn_dag__intern_count(b);
  const size_t known = cairn_dag__intern_count(a);
  uint32_t *map = cairn_base_alloc(count, sizeof *map);
  if (!map)
    return CAIRN_NOMEM;
  for (uint32_t i = 0; i < count; i++) {
    map[i] = (uint32_t)known + i;
    for (uint32_t j = 0; j < known; j++)
      if (strcmp(cairn_dag__intern_name(a, j), cairn_dag__intern_name(b, i)) ==
          0) {
        map[i] = j;
        break;
      }
  }
  *map_p = map;
  return CAIRN_OK;
}

static void look_up(const keyed *a, size_t a_count, const keyed *b,
                    size_t b_count, uint32_t *match) {
  size_t j = 0;
  for (size_t i = 0; i < a_count; i++) {
    keyed wanted = a[i];
    wanted.row = 0;
    while (j < b_count && compare_keyed(&b[j], &wanted) < 0)
      j++;
    const int same = j < b_count && b[j].key.lo == wanted.key.lo &&
                     b[j].key.hi == wanted.key.hi;
    match[a[i].row] = same ? b[j].row : UINT32_MAX;
  }
}

cairn_status cairn_classify__data_match(const cairn_classify_data *a,
                                        const cairn_classify_data *b,
                                        uint32_t *match) {
  uint32_t *map = NULL;
  keyed *ka = NULL, *kb = NULL;
  cairn_status status = cairn_classify__map_names(a->names, b->names, &map);
  if (status == CAIRN_OK)
    status = keys(a, NULL, &ka);
  if (status == CAIRN_OK)
    status = keys(b, map, &kb);
  if (status == CAIRN_OK) {
    qsort(ka, a->count, sizeof *ka, compare_keyed);
    qsort(kb, b->count, sizeof *kb, compare_keyed);
    look_up(ka, a->count, kb, b->count, match);
  }
  cairn_base_free(map);
  cairn_base_free(ka);
  cairn_base_free(kb);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/feature.c - building the bit columns.
 *
 * For each name and schedule the first and the last position are kept (name
 * after name, so that a column is one sweep over two arrays).  Every candidate
 * column is made once, hashed with its first bit flipped to 0, and compared
 * with the kept columns of that hash: equal and complementary columns meet in
 * one slot.  Only kept columns are stored.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/data-state-private.h"
#include "classify/data/feature-private.h"
#include "classify/data/positions-private.h"
#include "dag/schedule/sequence-private.h"

static int compare_names(const void *a, const void *b) {
  const cairn_classify__named *x = a, *y = b;
  return strcmp(x->name, y->name);
}

void cairn_classify__positions_free(cairn_classify__positions *p) {
  cairn_base_free(p->named);
  cairn_base_free(p->rank);
  cairn_base_free(p->first);
  cairn_base_free(p->last);
  cairn_base_free(p->stream);
  memset(p, 0, sizeof *p);
}

/* Names in use, sorted bytewise; which are GPU ops, which are syncs. */
static cairn_status collect_names(const cairn_classify_data *data,
                                  cairn_classify__positions *p) {
  const size_t known = cairn_dag__intern_count(data->names);
  p->named = cairn_base_zalloc(known, sizeof *p->named);
  p->rank = cairn_base_alloc(known, sizeof *p->rank);
  if (!p->named || !p->rank)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < data->count; i++)
    for (size_t k = 0; k < data->sequence[i].count; k++) {
      const cairn_dag_token *t = &data->sequence[i].tokens[k];
      p->named[t->name].used = 1;
      p->named[t->name].gpu |= t->kind == CAIRN_DAG_ITEM_GPU;
      p->named[t->name].sync |=
          t->kind != CAIRN_DAG_ITEM_GPU && t->kind != CAIRN_DAG_ITEM_CPU;
    }
  for (uint32_t id = 0; id < known; id++)
    if (p->named[id].used) {
      p->named[p->names] = p->named[id];
      p->named[p->names].id = id;
      p->named[p->names++].name = cairn_dag__intern_name(data->names, id);
    }
  qsort(p->named, p->names, sizeof *p->named, compare_names);
  for (uint32_t r = 0; r < p->names; r++) {
    p->rank[p->named[r].id] = r;
    p->gpus += p->named[r].gpu;
  }
  return CAIRN_OK;
}

cairn_status cairn_classify__positions_find(const cairn_classify_data *data,
                                            cairn_classify__positions *p) {
  memset(p, 0, sizeof *p);
  cairn_status status = collect_names(data, p);
  p->rows = data->count;
  if (status == CAIRN_OK) {
    p->first = cairn_base_alloc(p->names * p->rows, sizeof *p->first);
    p->last = cairn_base_zalloc(p->names * p->rows, sizeof *p->last);
    p->stream = cairn_base_alloc(p->names * p->rows, sizeof *p->stream);
    if (!p->first || !p->last || !p->stream)
      status = CAIRN_NOMEM;
  }
  if (status != CAIRN_OK) {
    cairn_classify__positions_free(p);
    return status;
  }
  memset(p->first, 0xff, p->names * p->rows * sizeof *p->first);
  memset(p->stream, 0xff, p->names * p->rows);
  for (size_t i = 0; i < p->rows; i++)
    for (size_t k = data->sequence[i].count; k-- > 0;) {
      const cairn_dag_token *t = &data->sequence[i].tokens[k];
      const size_t at = p->rank[t->name] * p->rows + i;
      p->first[at] = (uint16_t)(k + 1);
      if (p->last[at] == 0)
        p->last[at] = (uint16_t)(k + 1);
      else
        p->named[p->rank[t->name]].many = 1;
      if (t->kind == CAIRN_DAG_ITEM_GPU)
        p->stream[at] = t->stream;
    }
  return CAIRN_OK;
}

/* 64 rows at a time; a name that is absent has first = 65535, last = 0. */
void cairn_classify__column(const cairn_classify__positions *p, int kind,
                            size_t u, size_t v, uint64_t *column) {
  const uint16_t *first = p->first + u * p->rows, *last = p->last + v * p->rows;
  const uint8_t *su = p->stream + u * p->rows, *sv = p->stream + v * p->rows;
  for (size_t from = 0; from < p->rows; from += 64) {
    const size_t to = from + 64 < p->rows ? from + 64 : p->rows;
    uint64_t word = 0;
    if (kind == CAIRN_CLASSIFY_BEFORE)
      for (size_t i = from; i < to; i++)
        word |= (uint64_t)(first[i] < last[i]) << (i - from);
    else
      for (size_t i = from; i < to; i++)
        word |= (uint64_t)(su[i] == sv[i] && su[i] != 0xff) << (i - from);
    column[from / 64] = word;
  }
}

/* ---- keeping distinct columns ---- */

typedef struct builder {
  cairn_classify__positions p;
  cairn_classify_features *f;
  uint64_t *column, *present; /* scratch; a presence column for each name */
  uint8_t *polarity;          /* kept column seen as is (1), flipped (2) */
  uint32_t *slot;             /* hash table of kept columns + 1 */
  size_t slots, varied_room, columns_room, polarity_room;
} builder;

static uint64_t last_word_mask(size_t rows) {
  return rows % 64 ? (UINT64_C(1) << rows % 64) - 1 : UINT64_MAX;
}

static void flip(uint64_t *column, size_t words, size_t rows) {
  for (size_t w = 0; w < words; w++)
    column[w] = ~column[w];
  column[words - 1] &= last_word_mask(rows);
}

static int constant(const uint64_t *column, size_t words, size_t rows) {
  const uint64_t want = column[0] & 1 ? UINT64_MAX : 0;
  for (size_t w = 0; w + 1 < words; w++)
    if (column[w] != want)
      return 0;
  return column[words - 1] == (want & last_word_mask(rows));
}

static cairn_status rehash(builder *b) {
  const size_t slots = b->slots ? b->slots * 2 : 256;
  uint32_t *slot = cairn_base_zalloc(slots, sizeof *slot);
  if (!slot)
    return CAIRN_NOMEM;
  const size_t words = b->f->words;
  for (size_t c = 0; c < b->f->kept; c++) {
    const uint64_t *column = b->f->columns + c * words;
    memcpy(b->column, column, words * sizeof *column);
    if (column[0] & 1)
      flip(b->column, words, b->f->rows);
    size_t at = XXH3_64bits(b->column, words * 8) & (slots - 1);
    while (slot[at])
      at = (at + 1) & (slots - 1);
    slot[at] = (uint32_t)c + 1;
  }
  cairn_base_free(b->slot);
  b->slot = slot;
  b->slots = slots;
  return CAIRN_OK;
}

/* The slot that holds this normalised column, or the empty one where it
 * belongs.  flipped: the column was flipped to normalise it. */
static size_t find_slot(const builder *b, int flipped, int *same_polarity_p) {
  const size_t words = b->f->words;
  size_t at = XXH3_64bits(b->column, words * 8) & (b->slots - 1);
  for (; b->slot[at]; at = (at + 1) & (b->slots - 1)) {
    const uint64_t *kept = b->f->columns + (b->slot[at] - 1) * words;
    const int kept_flipped = (int)(kept[0] & 1);
    uint64_t differ = 0;
    const uint64_t invert = kept_flipped ? UINT64_MAX : 0;
    for (size_t w = 0; w + 1 < words && !differ; w++)
      differ = (kept[w] ^ invert) ^ b->column[w];
    differ |= ((kept[words - 1] ^ invert) & last_word_mask(b->f->rows)) ^
              b->column[words - 1];
    if (!differ) {
      *same_polarity_p = kept_flipped == flipped;
      break;
    }
  }
  return at;
}

static uint8_t negation(const builder *b, int kind, size_t u, size_t v) {
  const size_t words = b->f->words;
  const uint64_t *pu = b->present + u * words, *pv = b->present + v * words;
  if (constant(pu, words, b->f->rows) && constant(pv, words, b->f->rows))
    return CAIRN_CLASSIFY_NOT_REVERSED;
  if (kind == CAIRN_CLASSIFY_SAME || u == v)
    return CAIRN_CLASSIFY_NOT_OTHER;
  if (memcmp(b->column, pu, words * sizeof *pu) == 0)
    return CAIRN_CLASSIFY_NOT_U;
  if (memcmp(b->column, pv, words * sizeof *pv) == 0)
    return CAIRN_CLASSIFY_NOT_V;
  return CAIRN_CLASSIFY_NOT_OTHER;
}

static cairn_status keep(builder *b, int flipped, size_t slot) {
  cairn_classify_features *f = b->f;
  cairn_status status =
      cairn_base_reserve(&f->columns, &b->columns_room,
                         (f->kept + 1) * f->words, sizeof *f->columns);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&b->polarity, &b->polarity_room, f->kept + 1,
                                sizeof *b->polarity);
  if (status != CAIRN_OK)
    return status;
  uint64_t *column = f->columns + f->kept * f->words;
  memcpy(column, b->column, f->words * sizeof *column);
  if (flipped)
    flip(column, f->words, f->rows);
  b->polarity[f->kept] = 0;
  b->slot[slot] = (uint32_t)++f->kept;
  return CAIRN_OK;
}

/* The column in b->column is a feature: count it, keep or merge it. */
static cairn_status offer(builder *b, int kind, size_t u, size_t v) {
  cairn_classify_features *f = b->f;
  cairn_classify__column(&b->p, kind, u, v, b->column);
  f->all++;
  if (constant(b->column, f->words, f->rows))
    return CAIRN_OK;
  cairn_classify_feature feature = {
      .u = b->p.named[u].id,
      .v = b->p.named[v].id,
      .kind = (uint8_t)kind,
      .many = (uint8_t)(b->p.named[u].many | b->p.named[v].many << 1),
      .negation = negation(b, kind, u, v)};
  cairn_status status = CAIRN_OK;
  if (2 * (f->kept + 1) > b->slots) {
    status = rehash(b); /* uses the scratch column */
    cairn_classify__column(&b->p, kind, u, v, b->column);
  }
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&f->varied, &b->varied_room, f->varying + 1,
                                sizeof *f->varied);
  if (status != CAIRN_OK)
    return status;
  const int flipped = (int)(b->column[0] & 1);
  if (flipped)
    flip(b->column, f->words, f->rows);
  int same = 1;
  const size_t slot = find_slot(b, flipped, &same);
  if (!b->slot[slot]) {
    status = keep(b, flipped, slot);
    if (status != CAIRN_OK)
      return status;
  }
  feature.column = b->slot[slot] - 1;
  feature.complement = (uint8_t)!same;
  const uint8_t bit = same ? 1 : 2;
  f->distinct += !(b->polarity[feature.column] & bit);
  b->polarity[feature.column] |= bit;
  f->varied[f->varying++] = feature;
  return CAIRN_OK;
}

static cairn_status offer_all(builder *b) {
  const size_t n = b->p.names;
  cairn_status status = CAIRN_OK;
  for (size_t u = 0; u < n && status == CAIRN_OK; u++)
    for (size_t v = 0; v < n && status == CAIRN_OK; v++)
      status = offer(b, CAIRN_CLASSIFY_BEFORE, u, v);
  for (size_t u = 0; u < n && status == CAIRN_OK; u++)
    for (size_t v = u + 1; v < n && status == CAIRN_OK; v++)
      if (b->p.named[u].gpu && b->p.named[v].gpu)
        status = offer(b, CAIRN_CLASSIFY_SAME, u, v);
  return status;
}

/* Lower reads better: ops rather than syncs, plain orders rather than "no". */
static unsigned clumsiness(const builder *b, const cairn_classify_feature *x,
                           int value) {
  unsigned score = 0;
  score += b->p.named[b->p.rank[x->u]].sync;
  score += b->p.named[b->p.rank[x->v]].sync;
  if (!value && x->negation != CAIRN_CLASSIFY_NOT_REVERSED)
    score += 3;
  return score;
}

static cairn_status choose_words(builder *b) {
  cairn_classify_features *f = b->f;
  f->first = cairn_base_alloc(f->kept, sizeof *f->first);
  f->worded = cairn_base_alloc(2 * f->kept, sizeof *f->worded);
  if (!f->first || !f->worded)
    return CAIRN_NOMEM;
  for (size_t i = f->varying; i-- > 0;)
    f->first[f->varied[i].column] = (uint32_t)i;
  for (size_t k = 0; k < 2 * f->kept; k++)
    f->worded[k] = f->first[k / 2];
  for (size_t i = 0; i < f->varying; i++)
    for (int value = 0; value < 2; value++) {
      uint32_t *best = &f->worded[2 * f->varied[i].column + (size_t)value];
      const cairn_classify_feature *old = &f->varied[*best];
      const cairn_classify_feature *new = &f->varied[i];
      if (clumsiness(b, new, value ^ new->complement) <
          clumsiness(b, old, value ^ old->complement))
        *best = (uint32_t)i;
    }
  return CAIRN_OK;
}

static cairn_status prepare(builder *b, const cairn_classify_data *data) {
  cairn_classify_features *f = b->f;
  f->names = data->names;
  f->rows = data->count;
  f->words = cairn_base__bits_words(data->count);
  cairn_status status = cairn_classify__positions_find(data, &b->p);
  if (status != CAIRN_OK)
    return status;
  b->column = cairn_base_alloc(f->words, sizeof *b->column);
  b->present = cairn_base_zalloc(b->p.names * f->words, sizeof *b->present);
  if (!b->column || !b->present)
    return CAIRN_NOMEM;
  for (size_t u = 0; u < b->p.names; u++)
    for (size_t i = 0; i < f->rows; i++)
      if (b->p.last[u * f->rows + i])
        cairn_base__bits_set(b->present + u * f->words, i);
  return rehash(b);
}

cairn_status
cairn_classify__features_build(const cairn_classify_data *data,
                               cairn_classify_features **features_p) {
  builder b = {.f = cairn_base_zalloc(1, sizeof *b.f)};
  cairn_status status = b.f ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK && data->count == 0)
    status = CAIRN_INPUT;
  if (status == CAIRN_OK)
    status = prepare(&b, data);
  if (status == CAIRN_OK)
    status = offer_all(&b);
  if (status == CAIRN_OK)
    status = choose_words(&b);
  cairn_classify__positions_free(&b.p);
  cairn_base_free(b.column);
  cairn_base_free(b.present);
  cairn_base_free(b.polarity);
  cairn_base_free(b.slot);
  if (status == CAIRN_OK)
    *features_p = b.f;
  else
    cairn_classify__features_free(b.f);
  return status;
}

void cairn_classify__features_free(cairn_classify_features *features) {
  if (!features)
    return;
  cairn_base_free(features->varied);
  cairn_base_free(features->first);
  cairn_base_free(features->worded);
  cairn_base_free(features->columns);
  cairn_base_free(features);
}

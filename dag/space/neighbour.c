/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/neighbour.c - residuals of a schedule and the words made of them.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/bits-private.h"
#include "base/text-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/neighbour-private.h"
#include <cairn/dag.h>

#include <string.h>

cairn_status cairn_dag__opened_create(cairn_dag__opened *o,
                                      const cairn_dag_program *program,
                                      size_t most) {
  const size_t ops = program->count;
  *o = (cairn_dag__opened){.program = program, .gpu_ops = program->gpu_ops};
  o->order = cairn_base_alloc(ops, sizeof *o->order);
  o->place = cairn_base_alloc(ops, sizeof *o->place);
  o->stream = cairn_base_zalloc(ops, 1);
  o->partition = cairn_base_zalloc(o->gpu_ops, 1);
  o->served_from = cairn_base_alloc(most + 1, sizeof *o->served_from);
  o->record = cairn_base_alloc(UINT16_MAX + 1, sizeof *o->record);
  o->waited = cairn_base_alloc(UINT16_MAX + 1, 1);
  o->drop = cairn_base_alloc(most, 1);
  o->rest = cairn_base_alloc(most, sizeof *o->rest);
  if (o->order && o->place && o->stream && o->partition && o->served_from &&
      o->record && o->waited && o->drop && o->rest)
    return CAIRN_OK;
  cairn_dag__opened_free(o);
  return CAIRN_NOMEM;
}

void cairn_dag__opened_free(cairn_dag__opened *o) {
  cairn_base_free(o->order);
  cairn_base_free(o->place);
  cairn_base_free(o->stream);
  cairn_base_free(o->partition);
  cairn_base_free(o->served);
  cairn_base_free(o->served_from);
  cairn_base_free(o->record);
  cairn_base_free(o->waited);
  cairn_base_free(o->drop);
  cairn_base_free(o->rest);
  cairn_base_text_free(&o->word);
  *o = (cairn_dag__opened){0};
}

/* Blocks numbered by the first of their ops, by id: renaming streams changes
 * nothing, nor does the order of the ops. */
static void find_partition(cairn_dag__opened *o) {
  uint8_t block[256];
  unsigned blocks = 0, k = 0;
  uint64_t known[256 / 64] = {0};
  for (unsigned id = 0; id < o->program->count; id++) {
    if (o->program->ops[id].kind != CAIRN_DAG_GPU)
      continue;
    const unsigned s = o->stream[id];
    if (!cairn_base__bits_test(known, s)) {
      cairn_base__bits_set(known, s);
      block[s] = (uint8_t)blocks++;
    }
    o->partition[k++] = block[s];
  }
}

static int is_wait(const cairn_dag_item *item) {
  return item->kind == CAIRN_DAG_ITEM_CES || item->kind == CAIRN_DAG_ITEM_CSW;
}

/* The edges that the wait at i serves: from GPU ops on the record's stream
 * issued before the record to ops issued after the wait, by the host or on the
 * waiting stream. */
static cairn_status find_served(cairn_dag__opened *o, size_t i,
                                size_t *count_p) {
  const cairn_dag_program *const p = o->program;
  const cairn_dag_item wait = o->item[i];
  const uint32_t record = o->record[wait.id];
  const unsigned from = o->item[record].stream;
  for (size_t j = i + 1; j < o->items; j++) {
    const cairn_dag_item item = o->item[j];
    if (wait.kind == CAIRN_DAG_ITEM_CES
            ? item.kind != CAIRN_DAG_ITEM_CPU
            : item.kind != CAIRN_DAG_ITEM_GPU || item.stream != wait.stream)
      continue;
    for (uint32_t k = p->gpu_pred.row[item.id];
         k < p->gpu_pred.row[item.id + 1]; k++) {
      const unsigned a = p->gpu_pred.to[k];
      if (o->stream[a] != from || o->place[a] >= record)
        continue;
      if (cairn_base_reserve(&o->served, &o->served_capacity, *count_p + 1,
                             sizeof *o->served))
        return CAIRN_NOMEM;
      o->served[*count_p].before = a;
      o->served[(*count_p)++].after = item.id;
    }
  }
  return CAIRN_OK;
}

cairn_status cairn_dag__opened_set(cairn_dag__opened *o,
                                   const cairn_dag_item *item, size_t items) {
  size_t served = 0;
  o->item = item;
  o->items = items;
  o->ops = 0;
  for (size_t i = 0; i < items; i++)
    if (item[i].kind <= CAIRN_DAG_ITEM_GPU) {
      o->place[item[i].id] = (uint32_t)i;
      o->stream[item[i].id] = item[i].stream;
      o->order[o->ops++] = item[i].id;
    } else if (item[i].kind == CAIRN_DAG_ITEM_CER) {
      o->record[item[i].id] = (uint32_t)i;
    }
  find_partition(o);
  for (size_t i = 0; i < items; i++) {
    o->served_from[i] = served;
    if (is_wait(&item[i]) && find_served(o, i, &served))
      return CAIRN_NOMEM;
  }
  o->served_from[items] = served;
  return CAIRN_OK;
}

static int all_touch(const cairn_dag__opened *o, size_t i, unsigned a,
                     unsigned b) {
  for (size_t k = o->served_from[i]; k < o->served_from[i + 1]; k++) {
    const unsigned x = o->served[k].before, y = o->served[k].after;
    if (x != a && x != b && y != a && y != b)
      return 0;
  }
  return 1;
}

/* The residual without ops a and b (equal: without one), into o->rest; returns
 * its length. */
static size_t residual(cairn_dag__opened *o, unsigned a, unsigned b) {
  size_t rest = 0;
  for (size_t i = 0; i < o->items; i++)
    if (o->item[i].kind >= CAIRN_DAG_ITEM_CER)
      o->waited[o->item[i].id] = 0;
  for (size_t i = 0; i < o->items; i++) {
    const cairn_dag_item item = o->item[i];
    o->drop[i] = is_wait(&item) ? (uint8_t)all_touch(o, i, a, b)
                                : item.kind <= CAIRN_DAG_ITEM_GPU &&
                                      (item.id == a || item.id == b);
    if (is_wait(&item) && !o->drop[i])
      o->waited[item.id] = 1;
  }
  for (size_t i = 0; i < o->items; i++) {
    const cairn_dag_item item = o->item[i];
    if (!o->drop[i] && (item.kind != CAIRN_DAG_ITEM_CER || o->waited[item.id]))
      o->rest[rest++] = item;
  }
  cairn_dag__schedule_renumber(o->rest, rest);
  return rest;
}

/* place, order, what else must be equal, residual. */
static cairn_status make_word(cairn_dag__opened *o, uint32_t place,
                              const void *more, size_t more_bytes, size_t rest,
                              cairn_dag_key *key_p) {
  cairn_base_text *const t = &o->word;
  cairn_base__text_clear(t);
  cairn_base__text_add_bytes(t, (const char *)&place, sizeof place);
  cairn_base__text_add_bytes(t, (const char *)o->order,
                             o->ops * sizeof *o->order);
  cairn_base__text_add_bytes(t, more, more_bytes);
  cairn_base__text_add_bytes(t, (const char *)o->rest, rest * sizeof *o->rest);
  if (t->failed)
    return CAIRN_NOMEM;
  const XXH128_hash_t hash = XXH3_128bits(t->data, t->length);
  *key_p = (cairn_dag_key){hash.low64, hash.high64};
  return CAIRN_OK;
}

size_t cairn_dag__swap_places(const cairn_dag_program *program) {
  return program->count > 3 ? program->count - 3 : 0;
}

size_t cairn_dag__stream_places(const cairn_dag_program *program) {
  return program->gpu_ops;
}

cairn_status cairn_dag__opened_swap(cairn_dag__opened *o, size_t place,
                                    cairn_dag__side *side_p) {
  unsigned *const pair = o->order + 1 + place;
  const unsigned a = pair[0], b = pair[1];
  const size_t rest = residual(o, a, b);
  pair[0] = a < b ? a : b;
  pair[1] = a < b ? b : a;
  const cairn_status status = make_word(o, (uint32_t)place, o->partition,
                                        o->gpu_ops, rest, &side_p->word);
  pair[0] = a;
  pair[1] = b;
  side_p->side = a < b;
  return status;
}

cairn_status cairn_dag__opened_stream(cairn_dag__opened *o, size_t place,
                                      cairn_dag__side *side_p) {
  unsigned id = 0;
  for (size_t k = 0;; id++)
    if (o->program->ops[id].kind == CAIRN_DAG_GPU && k++ == place)
      break;
  const size_t rest = residual(o, id, id);
  side_p->side = XXH3_64bits(o->partition, o->gpu_ops);
  return make_word(o, UINT32_MAX - id, "", 0, rest, &side_p->word);
}

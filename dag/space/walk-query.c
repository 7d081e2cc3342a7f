/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/walk-query.c - making walks, and asking them for their extensions.
 */
#include "base/bits-private.h"
#include "dag/program/program-private.h"
#include "dag/space/walk-private.h"
#include "dag/space/walk-state-private.h"
#include <cairn/dag.h>

#include <string.h>

/* Takes `count` items of `size` bytes from a block that is being laid out (or
 * only measured, while block is NULL); 8-byte aligned. */
static void *take(char *block, size_t *used, size_t count, size_t size) {
  void *const at = block ? block + *used : NULL;
  *used += (count * size + 7) / 8 * 8;
  return at;
}

/* Lays the state out in `block`, first what reset restores; sets the sizes of
 * that part and of all. */
static void lay_out(cairn_dag_walk *w, char *block) {
  const size_t n = w->streams, ops = w->ops;
  size_t used = 0;
  w->ready = take(block, &used, w->op_words, 8);
  w->cpu_ok = take(block, &used, w->op_words, 8);
  w->gpu_free = take(block, &used, w->op_words, 8);
  w->gpu_ok = take(block, &used, w->op_words, 8);
  w->want_ces = take(block, &used, w->event_words, 8);
  w->want_csw = take(block, &used, w->event_words, 8);
  w->open_cpu = take(block, &used, n, sizeof *w->open_cpu);
  w->open_gpu = take(block, &used, n, sizeof *w->open_gpu);
  w->length = take(block, &used, n, sizeof *w->length);
  w->last = take(block, &used, n, sizeof *w->last);
  w->covered = take(block, &used, n * (n + 1), sizeof *w->covered);
  w->indegree = take(block, &used, ops, sizeof *w->indegree);
  w->reset_bytes = used;
  w->list = take(block, &used, n * ops, sizeof *w->list);
  w->index = take(block, &used, ops, sizeof *w->index);
  w->own = take(block, &used, ops, sizeof *w->own);
  w->stream = take(block, &used, ops, sizeof *w->stream);
  w->missing = take(block, &used, ops * n, sizeof *w->missing);
  w->ok = take(block, &used, ops, sizeof *w->ok);
  w->records = take(block, &used, w->program->gpu_ops + 1, sizeof *w->records);
  w->state_bytes = used;
}

static cairn_status allocate(cairn_dag_walk *w) {
  const size_t gpu = w->program->gpu_ops, ops = w->ops, n = w->streams;
  const size_t items = cairn_dag__program_max_items(w->program, w->streams);
  const size_t extensions = ops * n + n + gpu + gpu * n;
  lay_out(w, NULL);
  w->state = cairn_base_zalloc(w->state_bytes, 1);
  w->fresh = cairn_base_alloc(w->reset_bytes, 1);
  w->items = cairn_base_alloc(items, sizeof *w->items);
  w->undo = cairn_base_alloc(items, sizeof *w->undo);
  w->extensions = cairn_base_alloc(extensions, sizeof *w->extensions);
  w->ready_list = cairn_base_alloc(ops, sizeof *w->ready_list);
  if (!w->state || !w->fresh || !w->items || !w->undo || !w->extensions ||
      !w->ready_list)
    return CAIRN_NOMEM;
  lay_out(w, w->state);
  return CAIRN_OK;
}

/* The prefix that is just start. */
static void begin(cairn_dag_walk *w) {
  const cairn_dag__rows *const pred = &w->program->pred;
  for (unsigned s = 0; s < w->streams; s++)
    w->last[s] = CAIRN_DAG__NONE;
  for (unsigned id = 0; id < w->ops; id++)
    w->indegree[id] = (uint16_t)(pred->row[id + 1] - pred->row[id]);
  w->now.candidates = 1;
  w->now.candidate_mask = 1;
  w->now.cpu = 1;
  cairn_base__bits_set(w->ready, 0);
  cairn_base__bits_set(w->cpu_ok, 0);
  cairn_dag__walk_push_op(w, 0, 0);
  memcpy(w->fresh, w->state, w->reset_bytes);
  w->fresh_counts = w->now;
}

cairn_status cairn_dag__walk_create(const cairn_dag_program *program,
                                    unsigned streams, cairn_dag_walk **walk_p) {
  cairn_dag_walk *w;
  if (!program->sealed || streams < 1 || streams > CAIRN_DAG_MAX_STREAMS)
    return CAIRN_INTERNAL;
  w = cairn_base_zalloc(1, sizeof *w);
  if (!w)
    return CAIRN_NOMEM;
  w->program = program;
  w->streams = streams;
  w->ops = (unsigned)program->count;
  w->op_words = cairn_base__bits_words(program->count);
  w->event_words = cairn_base__bits_words(program->gpu_ops + 1);
  if (allocate(w) != CAIRN_OK) {
    cairn_dag__walk_free(w);
    return CAIRN_NOMEM;
  }
  begin(w);
  *walk_p = w;
  return CAIRN_OK;
}

void cairn_dag__walk_free(cairn_dag_walk *w) {
  if (!w)
    return;
  cairn_base_free(w->state);
  cairn_base_free(w->fresh);
  cairn_base_free(w->items);
  cairn_base_free(w->undo);
  cairn_base_free(w->extensions);
  cairn_base_free(w->ready_list);
  cairn_base_free(w);
}

void cairn_dag__walk_reset(cairn_dag_walk *walk) {
  memcpy(walk->state, walk->fresh, walk->reset_bytes);
  walk->now = walk->fresh_counts;
}

const cairn_dag_item *cairn_dag__walk_items(const cairn_dag_walk *walk,
                                            size_t *count_p) {
  *count_p = walk->now.items;
  return walk->items;
}

unsigned cairn_dag__walk_used_streams(const cairn_dag_walk *walk) {
  return walk->now.used;
}

const unsigned *cairn_dag__walk_ready(cairn_dag_walk *walk, size_t *count_p) {
  size_t count = 0;
  for (size_t i = 0; i < walk->op_words; i++)
    for (uint64_t word = walk->ready[i]; word; word &= word - 1)
      walk->ready_list[count++] =
          (unsigned)(64 * i) + cairn_base__bits_lowest(word);
  *count_p = count;
  return walk->ready_list;
}

/* ---- extensions ---- */

static cairn_dag_item *offer(cairn_dag_item *out, cairn_dag_item_kind kind,
                             size_t id, unsigned stream) {
  *out = (cairn_dag_item){(uint8_t)kind, (uint8_t)stream, (uint16_t)id};
  return out + 1;
}

/* One item for each stream in the mask. */
static cairn_dag_item *offer_mask(cairn_dag_item *out, cairn_dag_item_kind kind,
                                  size_t id, uint32_t mask) {
  for (; mask; mask &= mask - 1)
    out = offer(out, kind, id, cairn_base__bits_lowest(mask));
  return out;
}

static cairn_dag_item *offer_ops(const cairn_dag_walk *w, cairn_dag_item *out) {
  for (size_t i = 0; i < w->op_words; i++)
    for (uint64_t word = w->cpu_ok[i]; word; word &= word - 1)
      out = offer(out, CAIRN_DAG_ITEM_CPU,
                  64 * i + cairn_base__bits_lowest(word), 0);
  for (size_t i = 0; i < w->op_words; i++)
    for (uint64_t word = w->gpu_free[i] | w->gpu_ok[i]; word;
         word &= word - 1) {
      const size_t id = 64 * i + cairn_base__bits_lowest(word);
      const int free = cairn_base__bits_test(w->gpu_free, id);
      out = offer_mask(out, CAIRN_DAG_ITEM_GPU, id,
                       free ? w->now.candidate_mask : w->ok[id]);
    }
  return out;
}

const cairn_dag_item *cairn_dag__walk_extensions(cairn_dag_walk *walk,
                                                 size_t *count_p) {
  cairn_dag_item *out = offer_ops(walk, walk->extensions);
  out =
      offer_mask(out, CAIRN_DAG_ITEM_CER, walk->now.events, walk->now.cer_mask);
  for (size_t i = 0; i < walk->event_words; i++)
    for (uint64_t word = walk->want_ces[i]; word; word &= word - 1)
      out = offer(out, CAIRN_DAG_ITEM_CES,
                  64 * i + cairn_base__bits_lowest(word), 0);
  for (size_t i = 0; i < walk->event_words; i++)
    for (uint64_t word = walk->want_csw[i]; word; word &= word - 1) {
      const size_t e = 64 * i + cairn_base__bits_lowest(word);
      out = offer_mask(out, CAIRN_DAG_ITEM_CSW, e,
                       walk->now.candidate_mask & ~walk->records[e].waiting);
    }
  *count_p = (size_t)(out - walk->extensions);
  return walk->extensions;
}

static int legal_op(const cairn_dag_walk *w, cairn_dag_item item) {
  if (item.id >= w->ops || !cairn_base__bits_test(w->ready, item.id))
    return 0;
  if (item.kind == CAIRN_DAG_ITEM_CPU)
    return item.stream == 0 && cairn_base__bits_test(w->cpu_ok, item.id);
  if (w->program->ops[item.id].kind != CAIRN_DAG_GPU ||
      item.stream >= w->now.candidates)
    return 0;
  return cairn_base__bits_test(w->gpu_free, item.id) ||
         (w->ok[item.id] >> item.stream & 1);
}

int cairn_dag__walk_legal(cairn_dag_walk *walk, cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CPU:
  case CAIRN_DAG_ITEM_GPU:
    return legal_op(walk, item);
  case CAIRN_DAG_ITEM_CER:
    return item.id == walk->now.events && item.stream < walk->streams &&
           (walk->now.cer_mask >> item.stream & 1);
  case CAIRN_DAG_ITEM_CES:
    return item.id < walk->now.events && item.stream == 0 &&
           cairn_base__bits_test(walk->want_ces, item.id);
  case CAIRN_DAG_ITEM_CSW:
    return item.id < walk->now.events && item.stream < walk->now.candidates &&
           cairn_base__bits_test(walk->want_csw, item.id) &&
           !(walk->records[item.id].waiting >> item.stream & 1);
  default:
    return 0;
  }
}

/* ---- issuing an op with the syncs it misses ---- */

/* Syncs target (a stream, or the host) with op a. */
static void sync_with(cairn_dag_walk *w, unsigned a, unsigned target) {
  if (w->own[a] == CAIRN_DAG__NONE)
    cairn_dag__walk_push_record(w, w->stream[a]);
  if (target == w->streams)
    cairn_dag__walk_push_ces(w, w->own[a]);
  else
    cairn_dag__walk_push_csw(w, w->own[a], target);
}

size_t cairn_dag__walk_issue(cairn_dag_walk *walk, unsigned id,
                             unsigned stream) {
  const cairn_dag__rows *const pred = &walk->program->gpu_pred;
  const unsigned before = walk->now.items;
  uint32_t streams = 0;
  unsigned latest[CAIRN_DAG_MAX_STREAMS]; /* unsynced predecessor, by stream */
  unsigned target = walk->streams;
  if (id >= walk->ops || !cairn_base__bits_test(walk->ready, id))
    return 0;
  if (walk->program->ops[id].kind == CAIRN_DAG_GPU) {
    if (stream >= walk->now.candidates)
      return 0;
    target = stream;
  }
  for (uint32_t k = pred->row[id]; k < pred->row[id + 1]; k++) {
    const unsigned a = pred->to[k], s = walk->stream[a];
    if (s == target ||
        walk->index[a] < *cairn_dag__walk_covered(walk, s, target))
      continue;
    if (!(streams >> s & 1) || walk->index[a] > walk->index[latest[s]])
      latest[s] = a;
    streams |= UINT32_C(1) << s;
  }
  for (; streams; streams &= streams - 1)
    sync_with(walk, latest[cairn_base__bits_lowest(streams)], target);
  cairn_dag__walk_push_op(walk, id, stream);
  return walk->now.items - before;
}

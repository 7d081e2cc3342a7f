/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/tidy.c - walks towards tidy schedules; the key of what is left of
 * one is in dag/space/tidy-key.c.
 */
#include "base/bits-private.h"
#include "dag/program/program-private.h"
#include "dag/space/tidy-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

#include <string.h>

/* ---- classes of interchangeable ops ---- */

static int same_row(const cairn_dag__rows *rows, unsigned a, unsigned b) {
  const uint32_t n = rows->row[a + 1] - rows->row[a];
  return n == rows->row[b + 1] - rows->row[b] &&
         memcmp(rows->to + rows->row[a], rows->to + rows->row[b],
                n * sizeof *rows->to) == 0;
}

static int twins(const cairn_dag_program *p, unsigned a, unsigned b) {
  return p->ops[a].kind == p->ops[b].kind && same_row(&p->pred, a, b) &&
         same_row(&p->succ, a, b);
}

/* An op before id that is interchangeable with it, or id itself.  Twins share
 * their first predecessor, so its successors are looked at; not all of very
 * many: a twin missed costs time only. */
static unsigned twin_of(const cairn_dag_program *p, unsigned id) {
  enum { TRIES = 256 };
  if (p->pred.row[id] == p->pred.row[id + 1])
    return id;
  const unsigned first = p->pred.to[p->pred.row[id]];
  uint32_t k = p->succ.row[first];
  for (unsigned tries = 0; tries < TRIES && p->succ.to[k] < id; k++, tries++)
    if (twins(p, p->succ.to[k], id))
      return p->succ.to[k];
  return id;
}

static cairn_status find_classes(cairn_dag__tidy *x) {
  const cairn_dag_program *const p = x->walk->program;
  uint16_t *const last = cairn_base_alloc(p->count, sizeof *last);
  if (!last)
    return CAIRN_NOMEM;
  for (unsigned id = 0; id < p->count; id++) {
    const unsigned twin = twin_of(p, id);
    const unsigned c = twin == id ? x->classes++ : x->class_of[twin];
    x->class_of[id] = (uint16_t)c;
    x->twin_before[id] = twin == id ? CAIRN_DAG__NONE : last[c];
    last[c] = (uint16_t)id;
    x->class_size[c]++;
  }
  cairn_base_free(last);
  return CAIRN_OK;
}

/* ---- making ---- */

static void *take(char *block, size_t *used, size_t count, size_t size) {
  void *const at = block ? block + *used : NULL;
  *used += (count * size + 7) / 8 * 8;
  return at;
}

static void lay_out(cairn_dag__tidy *x, char *block) {
  const size_t ops = x->walk->ops, events = x->walk->program->gpu_ops + 1;
  size_t used = 0;
  x->unwaited = take(block, &used, x->walk->event_words, 8);
  x->waits = take(block, &used, events, sizeof *x->waits);
  x->issued = take(block, &used, ops, sizeof *x->issued);
  x->left_cpu = take(block, &used, ops, sizeof *x->left_cpu);
  x->left_gpu = take(block, &used, ops, sizeof *x->left_gpu);
  x->state_bytes = used;
}

void cairn_dag__tidy_free(cairn_dag__tidy *x) {
  if (!x)
    return;
  cairn_dag__walk_free(x->walk);
  cairn_base_free(x->class_of);
  cairn_base_free(x->class_size);
  cairn_base_free(x->twin_before);
  cairn_base_free(x->before);
  cairn_base_free(x->state);
  cairn_dag__tidy_key_free(x);
  cairn_base_free(x);
}

cairn_status cairn_dag__tidy_create(const cairn_dag_program *program,
                                    unsigned streams,
                                    cairn_dag__tidy **tidy_p) {
  const size_t ops = program->count;
  cairn_dag__tidy *x = cairn_base_zalloc(1, sizeof *x);
  if (!x || cairn_dag__walk_create(program, streams, &x->walk) != CAIRN_OK) {
    cairn_base_free(x);
    return CAIRN_NOMEM;
  }
  lay_out(x, NULL);
  x->class_of = cairn_base_zalloc(ops, sizeof *x->class_of);
  x->class_size = cairn_base_zalloc(ops, sizeof *x->class_size);
  x->twin_before = cairn_base_zalloc(ops, sizeof *x->twin_before);
  x->before = cairn_base_zalloc(cairn_dag__program_max_items(program, streams),
                                sizeof *x->before);
  x->state = cairn_base_zalloc(x->state_bytes, 1);
  if (!x->class_of || !x->class_size || !x->twin_before || !x->before ||
      !x->state || find_classes(x) != CAIRN_OK ||
      cairn_dag__tidy_key_create(x) != CAIRN_OK) {
    cairn_dag__tidy_free(x);
    return CAIRN_NOMEM;
  }
  lay_out(x, x->state);
  cairn_dag__tidy_reset(x);
  *tidy_p = x;
  return CAIRN_OK;
}

void cairn_dag__tidy_reset(cairn_dag__tidy *x) {
  const cairn_dag_program *const p = x->walk->program;
  cairn_dag__walk_reset(x->walk);
  memset(x->state, 0, x->state_bytes);
  x->issued[x->class_of[0]] = 1;
  for (unsigned a = 0; a < p->count; a++) {
    x->left_cpu[a] = (uint16_t)(p->cpu_succ.row[a + 1] - p->cpu_succ.row[a]);
    x->left_gpu[a] = (uint16_t)(p->gpu_succ.row[a + 1] - p->gpu_succ.row[a]);
  }
  x->pending = x->placed = 0;
  x->ops_issued = 1;
}

size_t cairn_dag__tidy_bytes(const cairn_dag__tidy *x) {
  return x->walk->state_bytes + sizeof x->walk->now + x->state_bytes + 12;
}

void cairn_dag__tidy_save(const cairn_dag__tidy *x, void *copy) {
  char *to = copy;
  memcpy(to, x->walk->state, x->walk->state_bytes);
  to += x->walk->state_bytes;
  memcpy(to, &x->walk->now, sizeof x->walk->now);
  to += sizeof x->walk->now;
  memcpy(to, x->state, x->state_bytes);
  to += x->state_bytes;
  memcpy(to, &x->pending, 4);
  memcpy(to + 4, &x->placed, 4);
  memcpy(to + 8, &x->ops_issued, 4);
}

void cairn_dag__tidy_load(cairn_dag__tidy *x, const void *copy) {
  const char *from = copy;
  memcpy(x->walk->state, from, x->walk->state_bytes);
  from += x->walk->state_bytes;
  memcpy(&x->walk->now, from, sizeof x->walk->now);
  from += sizeof x->walk->now;
  memcpy(x->state, from, x->state_bytes);
  from += x->state_bytes;
  memcpy(&x->pending, from, 4);
  memcpy(&x->placed, from + 4, 4);
  memcpy(&x->ops_issued, from + 8, 4);
}

/* ---- pushing ---- */

/* GPU predecessors of op b have one successor more or less that is not
 * issued. */
static void left_change(cairn_dag__tidy *x, unsigned b, int by) {
  const cairn_dag_program *const p = x->walk->program;
  uint16_t *const left =
      p->ops[b].kind == CAIRN_DAG_GPU ? x->left_gpu : x->left_cpu;
  for (uint32_t k = p->gpu_pred.row[b]; k < p->gpu_pred.row[b + 1]; k++)
    left[p->gpu_pred.to[k]] = (uint16_t)(left[p->gpu_pred.to[k]] + by);
}

/* May a wait for record e still be offered?  (No: surely not.) */
static int can_be_waited_for(const cairn_dag__tidy *x, unsigned e) {
  const cairn_dag_walk *const w = x->walk;
  const cairn_dag__record *const record = &w->records[e];
  const uint32_t all = (uint32_t)((UINT64_C(1) << w->streams) - 1);
  const int streams = (all & ~record->waiting) != 0, host = !record->host;
  const uint16_t *const list = w->list + (size_t)record->stream * w->ops;
  unsigned i = record->previous == CAIRN_DAG__NONE
                   ? 0
                   : w->records[record->previous].end;
  for (; i < record->end; i++)
    if ((host && x->left_cpu[list[i]]) || (streams && x->left_gpu[list[i]]))
      return 1;
  return 0;
}

static int hopeful(const cairn_dag__tidy *x) {
  if (cairn_dag__popcount(x->pending) + x->placed > x->walk->program->gpu_ops)
    return 0;
  for (size_t i = 0; i < x->walk->event_words; i++)
    for (uint64_t word = x->unwaited[i]; word; word &= word - 1)
      if (!can_be_waited_for(x, (unsigned)(64 * i) +
                                    cairn_base__bits_lowest(word)))
        return 0;
  return 1;
}

/* What the item just pushed changes; as cairn_dag__tidy_push. */
static int follow(cairn_dag__tidy *x, cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    x->waits[item.id] = 0;
    cairn_base__bits_set(x->unwaited, item.id);
    return 1;
  case CAIRN_DAG_ITEM_GPU:
    x->placed++;
    x->pending &= ~(UINT32_C(1) << item.stream);
    /* fall through */
  case CAIRN_DAG_ITEM_CPU:
    x->issued[x->class_of[item.id]]++;
    x->ops_issued++;
    left_change(x, item.id, -1);
    break;
  case CAIRN_DAG_ITEM_CSW:
    x->pending |= UINT32_C(1) << item.stream;
    /* fall through */
  default:
    x->waits[item.id]++;
    cairn_base__bits_clear(x->unwaited, item.id);
  }
  return hopeful(x);
}

int cairn_dag__tidy_push(cairn_dag__tidy *x, cairn_dag_item item) {
  x->before[x->walk->now.items] = x->pending;
  cairn_dag__walk_push(x->walk, item);
  return follow(x, item);
}

int cairn_dag__tidy_push_nth(cairn_dag__tidy *x, uint32_t k) {
  const unsigned at = x->walk->now.items;
  x->before[at] = x->pending;
  cairn_dag__walk_push_nth(x->walk, k);
  return follow(x, x->walk->items[at]);
}

void cairn_dag__tidy_pop(cairn_dag__tidy *x) {
  const unsigned last = x->walk->now.items - 1;
  const cairn_dag_item item = x->walk->items[last];
  cairn_dag__walk_pop(x->walk);
  x->pending = x->before[last];
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    cairn_base__bits_clear(x->unwaited, item.id);
    break;
  case CAIRN_DAG_ITEM_GPU:
    x->placed--;
    /* fall through */
  case CAIRN_DAG_ITEM_CPU:
    x->issued[x->class_of[item.id]]--;
    x->ops_issued--;
    left_change(x, item.id, 1);
    break;
  default:
    if (--x->waits[item.id] == 0)
      cairn_base__bits_set(x->unwaited, item.id);
  }
}

int cairn_dag__tidy_complete(const cairn_dag__tidy *x) {
  if (!cairn_dag__walk_complete(x->walk))
    return 0;
  return x->pending ? -1 : 1;
}

size_t cairn_dag__tidy_most_choices(const cairn_dag__tidy *x) {
  const size_t n = x->walk->streams, gpu = x->walk->program->gpu_ops;
  return x->walk->ops * n + n + gpu + gpu * n;
}

size_t cairn_dag__tidy_choices(cairn_dag__tidy *x, cairn_dag_item *out) {
  size_t count, kept = 0;
  const cairn_dag_item *const items =
      cairn_dag__walk_extensions(x->walk, &count);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU) {
      const unsigned twin = x->twin_before[items[i].id];
      if (twin != CAIRN_DAG__NONE && !cairn_dag__walk_issued(x->walk, twin))
        continue;
    }
    out[kept++] = items[i];
  }
  return kept;
}

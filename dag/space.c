/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space.c - visiting every schedule of a space.
 *
 * Dropping what tidying drops takes no item's reason to be offered away (see
 * the proof below), so a tidy schedule is itself a legal walk, and the tidy
 * space is exactly the set of complete walks in which nothing is to be tidied:
 * every record is waited for, and every stream wait is followed by a GPU op on
 * its stream.  A depth-first walk visits them, each once, and turns back where
 * a record can no longer be waited for.
 *
 * Proof.  An item is offered because some ready op b lacks a sync with some
 * predecessor a.  Dropping syncs leaves b ready and unsynced.  A record is
 * offered when none follows a: dropping records keeps that.  A wait is offered
 * for the first record after a: it is kept, and stays the first.  Candidates:
 * a stream that is no longer used counts as new.  And an op needs syncs with
 * its predecessors: dropped waits by a stream come after its last op, and
 * dropped records have no wait left.
 */
#include "dag/keyset-private.h"
#include "dag/walk-private.h"

#include <string.h>

typedef struct frame {
  size_t next, end; /* extensions not tried yet, in the stack */
  uint32_t pending; /* streams with a wait after their last GPU op */
  uint32_t placed;  /* GPU ops so far */
} frame;

typedef struct explorer {
  cairn_dag_walk *walk;
  cairn_dag_item *stack; /* extensions of all prefixes on the path */
  size_t stack_count, stack_capacity;
  frame *frames;
  size_t depth, frame_capacity;
  uint32_t *waits;    /* record -> waits for it */
  uint64_t *unwaited; /* records without */
  size_t event_words;
} explorer;

int dag__record_can_be_waited_for(const cairn_dag_walk *w, unsigned e) {
  const dag__record *const record = &w->records[e];
  const dag__rows *const cpu = &w->program->cpu_succ;
  const dag__rows *const gpu = &w->program->gpu_succ;
  const uint32_t all = (uint32_t)((UINT64_C(1) << w->streams) - 1);
  const int streams = (all & ~record->waiting) != 0;
  const unsigned s = record->stream;
  unsigned i =
      record->previous == DAG__NONE ? 0 : w->records[record->previous].end;
  for (; i < record->end; i++) {
    const unsigned a = w->list[s * w->ops + i];
    for (uint32_t k = cpu->row[a]; k < cpu->row[a + 1] && !record->host; k++)
      if (!dag__walk_issued(w, cpu->to[k]))
        return 1;
    for (uint32_t k = gpu->row[a]; k < gpu->row[a + 1] && streams; k++)
      if (!dag__walk_issued(w, gpu->to[k]))
        return 1;
  }
  return 0;
}

/* Can the prefix still become a tidy schedule?  (No: surely not.) */
static int hopeful(const explorer *x, const frame *f) {
  if (dag__popcount(f->pending) + f->placed > x->walk->program->gpu_ops)
    return 0;
  for (size_t i = 0; i < x->event_words; i++)
    for (uint64_t word = x->unwaited[i]; word; word &= word - 1)
      if (!dag__record_can_be_waited_for(
              x->walk, (unsigned)(64 * i) + cairn_base_bits_lowest(word)))
        return 0;
  return 1;
}

static void account(explorer *x, cairn_dag_item item, frame *f) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_GPU:
    f->placed++;
    f->pending &= ~(UINT32_C(1) << item.stream);
    break;
  case CAIRN_DAG_ITEM_CER:
    x->waits[item.id] = 0;
    cairn_base_bits_set(x->unwaited, item.id);
    break;
  case CAIRN_DAG_ITEM_CSW:
    f->pending |= UINT32_C(1) << item.stream;
    /* fall through */
  case CAIRN_DAG_ITEM_CES:
    x->waits[item.id]++;
    cairn_base_bits_clear(x->unwaited, item.id);
    break;
  default:
    break;
  }
}

static void unaccount(explorer *x, cairn_dag_item item) {
  switch (item.kind) {
  case CAIRN_DAG_ITEM_CER:
    cairn_base_bits_clear(x->unwaited, item.id);
    break;
  case CAIRN_DAG_ITEM_CES:
  case CAIRN_DAG_ITEM_CSW:
    if (--x->waits[item.id] == 0)
      cairn_base_bits_set(x->unwaited, item.id);
    break;
  default:
    break;
  }
}

/* Puts the extensions of the present prefix on the stack, as frame `depth`. */
static cairn_status open_frame(explorer *x, frame f) {
  size_t count;
  const cairn_dag_item *const items =
      cairn_dag_walk_extensions(x->walk, &count);
  if (cairn_base_reserve(&x->stack, &x->stack_capacity, x->stack_count + count,
                         sizeof *items) != CAIRN_OK ||
      cairn_base_reserve(&x->frames, &x->frame_capacity, x->depth + 1,
                         sizeof *x->frames) != CAIRN_OK)
    return CAIRN_NOMEM;
  memcpy(x->stack + x->stack_count, items, count * sizeof *items);
  f.next = x->stack_count;
  f.end = x->stack_count += count;
  x->frames[x->depth++] = f;
  return CAIRN_OK;
}

static void take_back(explorer *x) {
  size_t count;
  const cairn_dag_item *const items = cairn_dag_walk_items(x->walk, &count);
  unaccount(x, items[count - 1]);
  cairn_dag_walk_pop(x->walk);
}

/* Pushes the top frame's next extension.  Returns 1 with *f, its accounts,
 * when it leads on; 0 when it was taken back. */
static int advance(explorer *x, frame *f) {
  const cairn_dag_item item = x->stack[x->frames[x->depth - 1].next++];
  *f = x->frames[x->depth - 1];
  cairn_dag_walk_push(x->walk, item);
  account(x, item, f);
  if (item.kind == CAIRN_DAG_ITEM_CER || hopeful(x, f))
    return 1;
  take_back(x);
  return 0;
}

static cairn_status explore(explorer *x, cairn_dag_visit visit, void *context) {
  const frame first = {0};
  cairn_status status = open_frame(x, first);
  while (status == CAIRN_OK && x->depth > 0) {
    frame *const top = &x->frames[x->depth - 1];
    frame f;
    if (top->next == top->end) {
      x->stack_count = x->depth > 1 ? x->frames[x->depth - 2].end : 0;
      if (--x->depth > 0)
        take_back(x);
      continue;
    }
    if (!advance(x, &f))
      continue;
    if (!cairn_dag_walk_complete(x->walk)) {
      status = open_frame(x, f);
      continue;
    }
    size_t count;
    const cairn_dag_item *const items = cairn_dag_walk_items(x->walk, &count);
    if (f.pending == 0 && visit(context, items, count))
      return CAIRN_OK;
    take_back(x);
  }
  return status;
}

static cairn_status enumerate_tidy(const cairn_dag_program *program,
                                   unsigned streams, cairn_dag_visit visit,
                                   void *context) {
  explorer x = {0};
  cairn_status status = cairn_dag_walk_create(program, streams, &x.walk);
  if (status != CAIRN_OK)
    return status;
  x.event_words = x.walk->event_words;
  x.waits = cairn_base_zalloc(program->gpu_ops + 1, sizeof *x.waits);
  x.unwaited = cairn_base_zalloc(x.event_words, sizeof *x.unwaited);
  status = x.waits && x.unwaited ? explore(&x, visit, context) : CAIRN_NOMEM;
  cairn_dag_walk_free(x.walk);
  cairn_base_free(x.stack);
  cairn_base_free(x.frames);
  cairn_base_free(x.waits);
  cairn_base_free(x.unwaited);
  return status;
}

/* ---- minimal ---- */

typedef struct minimizer {
  const cairn_dag_program *program;
  cairn_dag_visit visit;
  void *context;
  cairn_dag_schedule work;
  dag__keyset seen;
  cairn_status status;
} minimizer;

static int visit_minimal(void *context, const cairn_dag_item *items,
                         size_t count) {
  minimizer *const m = context;
  int fresh = 0;
  m->status = cairn_dag_schedule_set(&m->work, items, count);
  if (m->status == CAIRN_OK)
    m->status = cairn_dag_schedule_minimize(m->program, m->work.items, count,
                                            &m->work.count);
  if (m->status == CAIRN_OK)
    m->status = dag__keyset_add(
        &m->seen, cairn_dag_schedule_key(m->work.items, m->work.count), &fresh);
  if (m->status != CAIRN_OK)
    return 1;
  return fresh && m->visit(m->context, m->work.items, m->work.count);
}

cairn_status cairn_dag_space_enumerate(const cairn_dag_program *program,
                                       unsigned streams, cairn_dag_sync sync,
                                       cairn_dag_visit visit, void *context) {
  minimizer m = {.program = program, .visit = visit, .context = context};
  cairn_status status;
  if (sync == CAIRN_DAG_SYNC_TIDY)
    return enumerate_tidy(program, streams, visit, context);
  status = enumerate_tidy(program, streams, visit_minimal, &m);
  cairn_dag_schedule_free(&m.work);
  dag__keyset_free(&m.seen);
  return status == CAIRN_OK ? m.status : status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/space.c - visiting every schedule of a space.
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
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/keyset-private.h"
#include "dag/space/tidy-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

#include <string.h>

typedef struct frame {
  size_t next, end; /* extensions not tried yet, in the stack */
} frame;

typedef struct explorer {
  cairn_dag__tidy *tidy;
  cairn_dag_item *stack; /* extensions of all prefixes on the path */
  size_t stack_count, stack_capacity;
  frame *frames;
  size_t depth, frame_capacity;
} explorer;

/* Puts the extensions of the present prefix on the stack, as a new frame. */
static cairn_status open_frame(explorer *x) {
  size_t count;
  const cairn_dag_item *const items =
      cairn_dag__walk_extensions(x->tidy->walk, &count);
  if (cairn_base_reserve(&x->stack, &x->stack_capacity, x->stack_count + count,
                         sizeof *items) != CAIRN_OK ||
      cairn_base_reserve(&x->frames, &x->frame_capacity, x->depth + 1,
                         sizeof *x->frames) != CAIRN_OK)
    return CAIRN_NOMEM;
  memcpy(x->stack + x->stack_count, items, count * sizeof *items);
  x->frames[x->depth].next = x->stack_count;
  x->frames[x->depth++].end = x->stack_count += count;
  return CAIRN_OK;
}

static cairn_status explore(explorer *x, cairn_dag_visit visit, void *context) {
  cairn_status status = open_frame(x);
  while (status == CAIRN_OK && x->depth > 0) {
    frame *const top = &x->frames[x->depth - 1];
    if (top->next == top->end) {
      x->stack_count = x->depth > 1 ? x->frames[x->depth - 2].end : 0;
      if (--x->depth > 0)
        cairn_dag__tidy_pop(x->tidy);
      continue;
    }
    if (!cairn_dag__tidy_push(x->tidy, x->stack[top->next++])) {
      cairn_dag__tidy_pop(x->tidy);
      continue;
    }
    const int complete = cairn_dag__tidy_complete(x->tidy);
    if (complete == 0) {
      status = open_frame(x);
      continue;
    }
    size_t count;
    const cairn_dag_item *const items =
        cairn_dag__walk_items(x->tidy->walk, &count);
    if (complete == 1 && visit(context, items, count))
      return CAIRN_OK;
    cairn_dag__tidy_pop(x->tidy);
  }
  return status;
}

static cairn_status enumerate_tidy(const cairn_dag_program *program,
                                   unsigned streams, cairn_dag_visit visit,
                                   void *context) {
  explorer x = {0};
  cairn_status status = cairn_dag__tidy_create(program, streams, &x.tidy);
  if (status != CAIRN_OK)
    return status;
  status = explore(&x, visit, context);
  cairn_dag__tidy_free(x.tidy);
  cairn_base_free(x.stack);
  cairn_base_free(x.frames);
  return status;
}

/* ---- minimal ---- */

typedef struct minimizer {
  const cairn_dag_program *program;
  cairn_dag_visit visit;
  void *context;
  cairn_dag_schedule work;
  cairn_dag__keyset seen;
  cairn_status status;
} minimizer;

static int visit_minimal(void *context, const cairn_dag_item *items,
                         size_t count) {
  minimizer *const m = context;
  int fresh = 0;
  m->status = cairn_dag_schedule_set(&m->work, items, count);
  if (m->status == CAIRN_OK)
    m->status = cairn_dag__schedule_minimize(m->program, m->work.items, count,
                                             &m->work.count);
  if (m->status == CAIRN_OK)
    m->status = cairn_dag__keyset_add(
        &m->seen, cairn_dag__schedule_key(m->work.items, m->work.count),
        &fresh);
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
  cairn_dag__keyset_free(&m.seen);
  return status == CAIRN_OK ? m.status : status;
}

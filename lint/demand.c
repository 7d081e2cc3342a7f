/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/demand.c - which pairs of ops must be ordered: the edges of the
 * program, and, where buffers are declared, ops that touch one buffer, at
 * least one writing it.
 *
 * What an op that posts messages reads and writes is in use until they are
 * completed, so the op that waits for them counts as touching it too, and an op
 * that the program puts after the post, or before the wait, must not stand
 * between them.
 */
#include "dag/program/program-private.h"
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <stdlib.h>
#include <string.h>

/* ---- accesses to buffers ---- */

typedef struct touch {
  const char *buffer;
  uint16_t op;
  uint8_t write;
} touch;

typedef struct accesses {
  touch *list;
  size_t count, capacity;
} accesses;

static cairn_status add_names(accesses *all, cairn_dag_names names, unsigned op,
                              int write) {
  const cairn_status status = cairn_base_reserve(
      &all->list, &all->capacity, all->count + names.count, sizeof *all->list);
  if (status != CAIRN_OK)
    return status;
  for (size_t k = 0; k < names.count; k++)
    all->list[all->count++] =
        (touch){names.name[k], (uint16_t)op, (uint8_t)(write != 0)};
  return CAIRN_OK;
}

static cairn_status add_op(accesses *all, const cairn_dag_op *of, unsigned op) {
  const cairn_status status = add_names(all, of->reads, op, 0);
  return status == CAIRN_OK ? add_names(all, of->writes, op, 1) : status;
}

static int has_name(cairn_dag_names names, const char *name) {
  for (size_t k = 0; k < names.count; k++)
    if (strcmp(names.name[k], name) == 0)
      return 1;
  return 0;
}

/* Does op `wait` complete all messages of op `post`? */
static int completes(const cairn_dag_op *wait, const cairn_dag_op *post) {
  for (size_t k = 0; k < post->posts.count; k++)
    if (!has_name(wait->waits, post->posts.name[k]))
      return 0;
  return post->posts.count > 0;
}

static int touches(const cairn_dag_op *op) {
  return op->reads.count + op->writes.count > 0;
}

static cairn_status collect(const cairn_dag_program *program, accesses *all) {
  const unsigned ops = cairn_dag_program_ops(program);
  cairn_status status = CAIRN_OK;
  for (unsigned i = 0; status == CAIRN_OK && i < ops; i++) {
    const cairn_dag_op *const op = cairn_dag_program_op(program, i);
    status = add_op(all, op, i);
    if (op->posts.count == 0 || !touches(op))
      continue;
    for (unsigned w = 0; status == CAIRN_OK && w < ops; w++)
      if (w != i && completes(cairn_dag_program_op(program, w), op))
        status = add_op(all, op, w);
  }
  return status;
}

static int by_buffer(const void *left, const void *right) {
  const touch *const a = left, *const b = right;
  const int order = strcmp(a->buffer, b->buffer);
  if (order)
    return order;
  if (a->op != b->op)
    return a->op < b->op ? -1 : 1;
  return b->write - a->write; /* the write first: it is kept */
}

/* One touch for each buffer and op, a write if there is one. */
static void unique(accesses *all) {
  if (all->count)
    qsort(all->list, all->count, sizeof *all->list, by_buffer);
  size_t kept = 0;
  for (size_t i = 0; i < all->count; i++)
    if (kept == 0 || all->list[kept - 1].op != all->list[i].op ||
        strcmp(all->list[kept - 1].buffer, all->list[i].buffer) != 0)
      all->list[kept++] = all->list[i];
  all->count = kept;
}

/* ---- demands ---- */

static cairn_status add(cairn_dag_demands *d, cairn_dag_demand demand) {
  const cairn_status status = cairn_base_reserve(
      &d->demand, &d->capacity, d->count + 1, sizeof *d->demand);
  if (status == CAIRN_OK)
    d->demand[d->count++] = demand;
  return status;
}

static cairn_status add_edges(const cairn_dag_program *program, int closed,
                              cairn_dag_demands *d) {
  cairn_status status = CAIRN_OK;
  const unsigned ops = cairn_dag_program_ops(program);
  for (unsigned b = 1; status == CAIRN_OK && b < ops; b++) {
    size_t count;
    const unsigned *const preds = cairn_dag__program_preds(program, b, &count);
    for (size_t k = 0; status == CAIRN_OK && k < count; k++)
      if (closed || (preds[k] != 0 && b != ops - 1))
        status = add(
            d, (cairn_dag_demand){(uint16_t)preds[k], (uint16_t)b, 0, 0, NULL});
  }
  return status;
}

static cairn_status add_conflict(const touch *x, const touch *y,
                                 const cairn_dag_reach *reach, int closed,
                                 cairn_dag_demands *d) {
  cairn_dag_demand demand = {x->op, y->op, 0, 1, x->buffer};
  cairn_status status = CAIRN_OK;
  if (!x->write && !y->write)
    return CAIRN_OK;
  if (x->op != y->op && !cairn_dag__reaches(reach, x->op, y->op) &&
      !cairn_dag__reaches(reach, y->op, x->op))
    status = add(d, demand);
  if (closed)
    return status;
  demand.next = 1;
  demand.either = 0;
  if (status == CAIRN_OK)
    status = add(d, demand);
  if (status == CAIRN_OK && x->op != y->op) {
    demand.a = y->op;
    demand.b = x->op;
    status = add(d, demand);
  }
  return status;
}

static cairn_status add_conflicts(const accesses *all,
                                  const cairn_dag_reach *reach, int closed,
                                  cairn_dag_demands *d) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = i; status == CAIRN_OK && k < all->count &&
                       !strcmp(all->list[i].buffer, all->list[k].buffer);
         k++)
      status = add_conflict(&all->list[i], &all->list[k], reach, closed, d);
  return status;
}

/* Op `x` touches what the messages that `post` posts and `wait` completes use:
 * it belongs before the one or after the other. */
static cairn_status keep_out(const cairn_dag_reach *reach, unsigned post,
                             unsigned wait, const touch *x,
                             cairn_dag_demands *d) {
  const int before = cairn_dag__reaches(reach, x->op, post);
  const int after = cairn_dag__reaches(reach, wait, x->op);
  cairn_dag_demand demand = {(uint16_t)wait, x->op, 0, 0, x->buffer};
  if (x->op == post || x->op == wait || before || after)
    return CAIRN_OK;
  if (cairn_dag__reaches(reach, post, x->op))
    return add(d, demand);
  if (!cairn_dag__reaches(reach, x->op, wait))
    return CAIRN_OK; /* in no order with either: told by add_conflict */
  demand.a = x->op;
  demand.b = (uint16_t)post;
  return add(d, demand);
}

static cairn_status add_in_flight(const cairn_dag_program *program,
                                  const accesses *all,
                                  const cairn_dag_reach *reach,
                                  cairn_dag_demands *d) {
  cairn_status status = CAIRN_OK;
  for (size_t i = 0; i < all->count; i++) {
    const touch *const p = &all->list[i];
    const cairn_dag_op *const post = cairn_dag_program_op(program, p->op);
    if (post->posts.count == 0)
      continue;
    for (unsigned w = 0; w < reach->ops; w++) {
      if (w == p->op || !completes(cairn_dag_program_op(program, w), post))
        continue;
      for (size_t k = 0; status == CAIRN_OK && k < all->count; k++)
        if ((p->write || all->list[k].write) &&
            strcmp(all->list[k].buffer, p->buffer) == 0)
          status = keep_out(reach, p->op, w, &all->list[k], d);
    }
  }
  return status;
}

static int by_pair(const void *left, const void *right) {
  const cairn_dag_demand *const x = left, *const y = right;
  if (x->next != y->next)
    return x->next - y->next;
  if (x->b != y->b)
    return x->b < y->b ? -1 : 1;
  if (x->a != y->a)
    return x->a < y->a ? -1 : 1;
  if (!x->what || !y->what)
    return (x->what != NULL) - (y->what != NULL);
  return strcmp(x->what, y->what);
}

/* Two buffers of the same pair are one demand. */
static void once(cairn_dag_demands *d) {
  if (d->count)
    qsort(d->demand, d->count, sizeof *d->demand, by_pair);
  size_t kept = 0;
  for (size_t i = 0; i < d->count; i++)
    if (kept == 0 || d->demand[kept - 1].next != d->demand[i].next ||
        d->demand[kept - 1].a != d->demand[i].a ||
        d->demand[kept - 1].b != d->demand[i].b)
      d->demand[kept++] = d->demand[i];
  d->count = kept;
}

cairn_status cairn_lint__demands_create(const cairn_dag_program *program,
                                        const cairn_dag_reach *reach,
                                        int closed,
                                        cairn_dag_demands *demands) {
  accesses all = {0};
  cairn_status status = add_edges(program, closed, demands);
  if (status == CAIRN_OK)
    status = collect(program, &all);
  unique(&all);
  if (status == CAIRN_OK)
    status = add_conflicts(&all, reach, closed, demands);
  if (status == CAIRN_OK)
    status = add_in_flight(program, &all, reach, demands);
  cairn_base_free(all.list);
  once(demands);
  return status;
}

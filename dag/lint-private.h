/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/lint-private.h - the linter's inside, for lint*.c and deadlock.c only.
 *
 *   items ──► order: who is complete before whom starts, two iterations
 *   program ─► demands: pairs of ops that must be ordered
 *   both ────► findings: demands not met, and syncs whose loss costs none
 */
#ifndef CAIRN_DAG_LINT_PRIVATE_H
#define CAIRN_DAG_LINT_PRIVATE_H

#include <cairn/dag.h>

/* ---- reachability of a program's ops (reach.c part of lint-demand.c) ---- */
typedef struct cairn_dag_reach {
  unsigned ops;
  size_t words;   /* 64-bit words a row */
  uint64_t *bits; /* row b, bit a: a path leads from a to b; a = b included */
} cairn_dag_reach;

cairn_status cairn_dag__reach_create(const cairn_dag_program *program,
                                     cairn_dag_reach *reach);
void cairn_dag__reach_free(cairn_dag_reach *reach);
static inline int cairn_dag__reaches(const cairn_dag_reach *reach, unsigned a,
                                     unsigned b) {
  return (int)(reach->bits[(size_t)b * reach->words + a / 64] >> (a % 64) & 1);
}

/* ---- messages ---- */
/* Op `wait` completes `message`, which needs op `post`. */
typedef cairn_dag_deadlock cairn_dag_need;
cairn_status cairn_dag__needs_create(const cairn_dag_program *program,
                                     cairn_dag_need **list_p, size_t *count_p);

/* ---- demands ---- */
typedef struct cairn_dag_demand {
  uint16_t a, b;    /* a must be complete before b starts */
  uint8_t next;     /* b of the next iteration */
  uint8_t either;   /* no path either way: any order will do, but some order */
  const char *what; /* the buffer; NULL: an edge of the program */
} cairn_dag_demand;

typedef struct cairn_dag_demands {
  cairn_dag_demand *demand;
  size_t count, capacity;
} cairn_dag_demands;

/* Edges (those to end only when `closed`), then conflicts of buffers: between
 * ops with no path, and across iterations unless `closed`. */
cairn_status cairn_dag__demands_create(const cairn_dag_program *program,
                                       const cairn_dag_reach *reach, int closed,
                                       cairn_dag_demands *demands);

/* ---- order ---- */
typedef struct cairn_dag_spot {
  size_t position; /* global: iteration * count + index; SIZE_MAX: missing */
  uint16_t index;  /* in its stream, from 1; 0 for CPU ops */
  uint8_t stream;
} cairn_dag_spot;

typedef struct cairn_dag_order {
  unsigned ops;
  size_t count;
  cairn_dag_spot *spot; /* [iteration * ops + op]; repeated ops: the first */
  uint16_t *start;      /* what is complete when it starts, by stream */
  uint8_t *recorded;    /* by event */
  uint16_t *event;      /* clocks */
  size_t events;
} cairn_dag_order;

/* Workspace for sequences of these items (ids in range, streams < 32). */
cairn_status cairn_dag__order_create(const cairn_dag_program *program,
                                     const cairn_dag_item *items, size_t count,
                                     cairn_dag_order *order);
void cairn_dag__order_free(cairn_dag_order *order);
/* Computes the order of `count` items (as many as at creation). */
void cairn_dag__order_run(cairn_dag_order *order, const cairn_dag_item *items);
/* 1 when the demand is met; also when an op concerned is missing. */
int cairn_dag__order_meets(const cairn_dag_order *order,
                           const cairn_dag_demand *demand);

/* ---- findings ---- */
typedef struct cairn_dag_linter {
  const cairn_dag_program *program;
  const cairn_dag_item *items; /* as given */
  size_t count;
  cairn_dag_item *left; /* the same with needless syncs taken out */
  unsigned flags;
  cairn_dag_reach reach;
  cairn_dag_demands demands;
  cairn_dag_order order;
  cairn_dag_report *report;
  cairn_status status; /* sticks at CAIRN_NOMEM */
} cairn_dag_linter;

/* Adds a finding; takes over the texts. */
void cairn_dag__lint_add(cairn_dag_linter *linter, cairn_dag_finding_kind kind,
                         size_t position, const cairn_dag_demand *edge,
                         cairn_base_text *text, cairn_base_text *repair);
const char *cairn_dag__lint_name(const cairn_dag_linter *linter, unsigned op);
/* What is needless (lint-waste.c). */
void cairn_dag__lint_waste(cairn_dag_linter *linter);
/* How to meet an unmet demand (lint-repair.c). */
void cairn_dag__lint_repair(const cairn_dag_linter *linter,
                            const cairn_dag_demand *demand,
                            cairn_base_text *repair);
/* Pairs of ops that touch one buffer with no path between them. */
void cairn_dag__lint_forgotten(cairn_dag_linter *linter);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/linter-private.h - the linter's inside, for lint/ only.
 *
 *   items ──► order: who is complete before whom starts, two iterations
 *   program ─► demands: pairs of ops that must be ordered
 *   both ────► findings: demands not met, and syncs whose loss costs none
 */
#ifndef CAIRN_LINT_LINTER_PRIVATE_H
#define CAIRN_LINT_LINTER_PRIVATE_H

#include "dag/program/reach-private.h"
#include "dag/prove/needs-private.h"
#include <cairn/dag.h>
#include <cairn/lint.h>

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
cairn_status cairn_lint__demands_create(const cairn_dag_program *program,
                                        const cairn_dag_reach *reach,
                                        int closed, cairn_dag_demands *demands);

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
cairn_status cairn_lint__order_create(const cairn_dag_program *program,
                                      const cairn_dag_item *items, size_t count,
                                      cairn_dag_order *order);
void cairn_lint__order_free(cairn_dag_order *order);
/* Computes the order of `count` items (as many as at creation). */
void cairn_lint__order_run(cairn_dag_order *order, const cairn_dag_item *items);
/* 1 when the demand is met; also when an op concerned is missing. */
int cairn_lint__order_meets(const cairn_dag_order *order,
                            const cairn_dag_demand *demand);

/* ---- findings ---- */
typedef struct cairn_dag_linter {
  const cairn_dag_program *program;
  const cairn_dag_item *items; /* as given */
  size_t count;
  cairn_dag_item *left; /* the same with needless syncs taken out */
  unsigned flags;
  const cairn_lint_numbers *numbers; /* or NULL */
  cairn_dag_reach reach;
  cairn_dag_demands demands;
  cairn_dag_order order;
  cairn_lint_report *report;
  cairn_status status; /* sticks at CAIRN_NOMEM */
} cairn_dag_linter;

/* Adds a finding; takes over the texts. */
void cairn_lint__add(cairn_dag_linter *linter, cairn_lint_finding_kind kind,
                     size_t position, const cairn_dag_demand *edge,
                     cairn_base_text *text, cairn_base_text *repair);
/* What the text calls a stream or an event of the items. */
unsigned long cairn_lint__stream(const cairn_lint_numbers *numbers,
                                 unsigned stream);
unsigned long cairn_lint__event(const cairn_lint_numbers *numbers,
                                unsigned event);
const char *cairn_lint__name(const cairn_dag_linter *linter, unsigned op);
/* What is needless (lint-waste.c). */
void cairn_lint__waste(cairn_dag_linter *linter);
/* How to meet an unmet demand (lint-repair.c). */
void cairn_lint__repair(const cairn_dag_linter *linter,
                        const cairn_dag_demand *demand,
                        cairn_base_text *repair);
/* Pairs of ops that touch one buffer with no path between them. */
void cairn_lint__forgotten(cairn_dag_linter *linter);

#endif

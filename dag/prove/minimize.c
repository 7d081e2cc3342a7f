/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/minimize.c - drops every sync that the others already imply.
 *
 * Waits are visited last to first; one is taken out for good when the prover
 * still finds every edge covered without it.  The order matters and is part of
 * the definition: of two waits of which either would do, the first stays.
 *
 * Invariant: the items with those taken out passed over are legal, if they
 * were so at the start.
 */
#include "dag/prove/prove-private.h"
#include "dag/prove/prover-private.h"
#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

/* Moves the items kept together; returns how many there are. */
static size_t compact(cairn_dag_item *items, size_t count) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind != CAIRN_DAG_STEP_NONE)
      items[kept++] = items[i];
  return kept;
}

/* Takes out (take) or puts back the stream waits after which their stream runs
 * nothing.  They keep stream and event while they are out. */
static void relays(cairn_dag_item *items, size_t count, int take) {
  uint64_t running[4] = {0}; /* by stream */
  for (size_t i = count; i-- > 0;) {
    cairn_dag_item *const item = &items[i];
    if (item->kind == CAIRN_DAG_ITEM_GPU)
      running[item->stream / 64] |= UINT64_C(1) << (item->stream % 64);
    else if (!take && item->kind == CAIRN_DAG_STEP_NONE)
      item->kind = CAIRN_DAG_ITEM_CSW;
    else if (take && item->kind == CAIRN_DAG_ITEM_CSW &&
             !(running[item->stream / 64] >> (item->stream % 64) & 1))
      item->kind = CAIRN_DAG_STEP_NONE;
  }
}

size_t cairn_dag__prover_minimize(cairn_dag_prover *prover,
                                  cairn_dag_item *items, size_t count) {
  count = cairn_dag_schedule_tidy_relays(items, count);
  const int legal = cairn_dag__prover_legal(prover, items, count);
  relays(items, count, 1);
  const int needed = legal && !cairn_dag__prover_pass(prover, items, count);
  relays(items, count, 0);
  if (!needed)
    count = cairn_dag__schedule_tidy(items, count);
  if (!legal)
    return count;
  for (size_t i = count; i-- > 0;) {
    const cairn_dag_item wait = items[i];
    if (wait.kind != CAIRN_DAG_ITEM_CES && wait.kind != CAIRN_DAG_ITEM_CSW)
      continue;
    items[i] = (cairn_dag_item){CAIRN_DAG_STEP_NONE, 0, 0};
    if (!cairn_dag__prover_pass(prover, items, count))
      items[i] = wait;
  }
  count = compact(items, count);
  return needed ? cairn_dag_schedule_tidy_relays(items, count)
                : cairn_dag__schedule_tidy(items, count);
}

cairn_status cairn_dag__schedule_minimize(const cairn_dag_program *program,
                                          cairn_dag_item *items, size_t count,
                                          size_t *count_p) {
  cairn_dag_prover *prover;
  const cairn_status status = cairn_dag__prover_create(program, &prover);
  if (status != CAIRN_OK)
    return status;
  *count_p = cairn_dag__prover_minimize(prover, items, count);
  cairn_dag__prover_free(prover);
  return CAIRN_OK;
}

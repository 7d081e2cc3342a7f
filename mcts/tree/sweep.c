/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/tree/sweep.c - the next unmeasured schedule in depth-first order.
 *
 * The sweep has its own walk and remembers the index of the extension taken at
 * each level; a step goes back to the last level with a further extension and
 * from there down the first ones.  It passes each complete prefix once, so it
 * ends, and when it ends every schedule of the space is measured.
 */
#include "dag/space/walk-private.h"
#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

void cairn_mcts__sweep_free(cairn_mcts_sweep *sweep) {
  cairn_dag__walk_free(sweep->walk);
  cairn_base_free(sweep->choice);
  *sweep = (cairn_mcts_sweep){0};
}

static cairn_status start(cairn_mcts *search) {
  cairn_mcts_sweep *const sweep = &search->sweep;
  cairn_status status;
  if (!sweep->choice && !(sweep->choice = cairn_base_zalloc(
                              search->max_items, sizeof *sweep->choice)))
    return CAIRN_NOMEM;
  if (!sweep->walk && (status = cairn_dag__walk_create(
                           search->program, search->streams, &sweep->walk)))
    return status;
  sweep->started = 1;
  return CAIRN_OK;
}

/* Down the first extensions to the end, from a level whose choice is set. */
static void down(cairn_mcts_sweep *sweep) {
  while (!cairn_dag__walk_complete(sweep->walk)) {
    size_t count;
    const cairn_dag_item *const item =
        cairn_dag__walk_extensions(sweep->walk, &count);
    cairn_dag__walk_push(sweep->walk, item[sweep->choice[sweep->depth]]);
    sweep->choice[++sweep->depth] = 0;
  }
}

/* Back to a level with a further extension and takes it; 0: there is none. */
static int back(cairn_mcts_sweep *sweep) {
  while (sweep->depth) {
    size_t count;
    cairn_dag__walk_pop(sweep->walk);
    sweep->depth--;
    cairn_dag__walk_extensions(sweep->walk, &count);
    if (++sweep->choice[sweep->depth] < count)
      return 1;
  }
  return 0;
}

cairn_status cairn_mcts__sweep(cairn_mcts *search) {
  cairn_mcts_sweep *const sweep = &search->sweep;
  cairn_status status;
  int more = 1;
  if (sweep->started)
    more = back(sweep);
  else if ((status = start(search)))
    return status;
  while (more) {
    size_t count;
    uint32_t record;
    down(sweep);
    const cairn_dag_item *const items =
        cairn_dag__walk_items(sweep->walk, &count);
    if ((status = cairn_mcts__canonical(search, items, count, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    if (cairn_mcts__tick(search))
      return CAIRN_EXHAUSTED;
    more = back(sweep);
  }
  return CAIRN_EXHAUSTED;
}

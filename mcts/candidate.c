/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/candidate.c - what a strategy may use of its search: the schedule at
 * hand in canonical form, and whether to go on.
 */
#include "base/clock-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include "mcts/mcts-private.h"

#include <string.h>

cairn_status cairn_mcts__canonical(cairn_mcts *search,
                                   const cairn_dag_item *items, size_t count,
                                   uint32_t *record_p) {
  cairn_status status = CAIRN_OK;
  memmove(search->candidate, items, count * sizeof *items);
  if (search->sync == CAIRN_DAG_SYNC_MINIMAL)
    status = cairn_dag__schedule_minimize(search->program, search->candidate,
                                          count, &count);
  else
    count = cairn_dag__schedule_tidy(search->candidate, count);
  if (status)
    return status;
  search->candidate_count = count;
  search->candidate_key = cairn_dag__schedule_key(search->candidate, count);
  *record_p = cairn_mcts__cache_find(&search->cache, search->candidate_key);
  search->stats.iterations++;
  search->stats.repeats += *record_p != CAIRN_MCTS_NONE;
  return CAIRN_OK;
}

cairn_status cairn_mcts__canonical_walk(cairn_mcts *search,
                                        uint32_t *record_p) {
  size_t count;
  const cairn_dag_item *const items =
      cairn_dag__walk_items(search->walk, &count);
  return cairn_mcts__canonical(search, items, count, record_p);
}

int cairn_mcts__tick(cairn_mcts *search) {
  if (search->stop_flag && *search->stop_flag) {
    search->reason = CAIRN_MCTS_SIGNAL;
    return 1;
  }
  if (search->deadline > 0 && !(++search->ticks & 255) &&
      cairn_base__now_s() >= search->deadline) {
    search->reason = CAIRN_MCTS_TIME;
    return 1;
  }
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/local.c - first-improvement local search: tries the
 * neighbours of a schedule in random order and goes to the first one that is
 * faster.
 */
#include "mcts/strategies/local-private.h"
#include <cairn/mcts.h>

cairn_status cairn_mcts__local_begin(cairn_mcts *search,
                                     cairn_mcts_local *local, uint32_t record) {
  local->at = record;
  local->vain = 0;
  return cairn_mcts__moves_begin(
      search, &local->moves, cairn_mcts__cache_items(&search->cache, record),
      search->cache.record[record].count);
}

/* Faster, or timed where the other is not. */
static int faster(const cairn_mcts *search, uint32_t a, uint32_t b) {
  const double x = cairn_mcts__time(search, a), y = cairn_mcts__time(search, b);
  return x < y || (x > 0 && !(y > 0));
}

cairn_status cairn_mcts__local_next(cairn_mcts *search,
                                    cairn_mcts_local *local) {
  for (;;) {
    uint32_t record;
    cairn_status status;
    if (local->vain >= local->patience)
      return CAIRN_EXHAUSTED;
    if ((status = cairn_mcts__moves_next(search, &local->moves, &record)) ||
        record == CAIRN_MCTS_NONE)
      return status;
    if (faster(search, record, local->at) &&
        (status = cairn_mcts__local_begin(search, local, record)))
      return status;
  }
}

cairn_status cairn_mcts__local_told(cairn_mcts *search, cairn_mcts_local *local,
                                    uint32_t record) {
  local->vain++;
  return faster(search, record, local->at)
             ? cairn_mcts__local_begin(search, local, record)
             : CAIRN_OK;
}

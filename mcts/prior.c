/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/prior.c - results of an earlier run, taken in before the start.
 *
 * Only schedules of this search's space are kept: complete, legal, on no more
 * streams than allowed, in the search's own form, each once (the first time
 * counts).
 */
#include <math.h>
#include <string.h>

#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "mcts/mcts-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

/* Right shape: complete, every op once and of its kind, syncs of known events
 * and streams.  (The prover checks the rest.) */
static int fits(const cairn_mcts *search, const cairn_dag_item *items,
                size_t count) {
  if (!count || count >= search->max_items)
    return 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].stream >= search->streams)
      return 0;
  return 1;
}

static cairn_status legal(const cairn_mcts *search, const cairn_dag_item *items,
                          size_t count, int *legal_p) {
  cairn_dag_prover *prover;
  const cairn_status status =
      cairn_dag__prover_create(search->program, &prover);
  if (status)
    return status;
  *legal_p = cairn_dag__prover_legal(prover, items, count);
  cairn_dag__prover_free(prover);
  return CAIRN_OK;
}

cairn_status cairn_mcts__add_prior(cairn_mcts *search,
                                   const cairn_dag_item *items, size_t count,
                                   double time_s, int *used_p) {
  const cairn_mcts_result result = cairn_mcts__result_of(time_s);
  const cairn_mcts_stats stats = search->stats;
  cairn_dag_schedule copy = {0};
  uint32_t record;
  int ok = 0;
  cairn_status status = CAIRN_OK;
  if (used_p)
    *used_p = 0;
  if (search->open || search->cache.records)
    return CAIRN_USAGE;
  if (!(time_s > 0) || !isfinite(time_s))
    return CAIRN_OK;
  if ((status = cairn_dag_schedule_set(&copy, items, count)))
    return status;
  cairn_dag__schedule_renumber(copy.items, copy.count);
  if (fits(search, copy.items, copy.count) &&
      !(status = legal(search, copy.items, copy.count, &ok)) && ok &&
      !(status =
            cairn_mcts__canonical(search, copy.items, copy.count, &record)) &&
      cairn_mcts__cache_find(&search->prior, search->candidate_key) ==
          CAIRN_MCTS_NONE) {
    status = cairn_mcts__cache_add(&search->prior, search->candidate_key,
                                   search->candidate, search->candidate_count,
                                   &result);
    if (!status && used_p)
      *used_p = 1;
  }
  search->stats = stats;
  cairn_dag_schedule_free(&copy);
  return status;
}

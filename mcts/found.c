/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/found.c - what a search found: plain questions to it.
 */
#include <math.h>
#include <string.h>

#include "mcts/mcts-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

cairn_mcts_result cairn_mcts__result_of(double time_s) {
  const cairn_mcts_result result = {isnan(time_s) ? CAIRN_BASE_OUTCOME_FAILED
                                                  : CAIRN_BASE_OUTCOME_OK,
                                    time_s, NAN, NAN, 0};
  return result;
}

cairn_mcts_stop cairn_mcts__stop_reason(const cairn_mcts *search) {
  return search->reason;
}

const char *cairn_mcts_stop_text(cairn_mcts_stop stop) {
  static const char *const text[] = {"running", "budget", "time", "exhausted",
                                     "signal"};
  return stop <= CAIRN_MCTS_SIGNAL ? text[stop] : "unknown";
}

const char *cairn_mcts__strategy_name(const cairn_mcts *search) {
  return search->policy->about.name;
}

uint64_t cairn_mcts_evaluations(const cairn_mcts *search) {
  return search->cache.records;
}

uint64_t cairn_mcts__failures(const cairn_mcts *search) {
  return search->failures;
}

void cairn_mcts__get(const cairn_mcts *search, uint64_t id,
                     const cairn_dag_item **items_p, size_t *count_p,
                     cairn_mcts_result *result_p) {
  const cairn_mcts_record *const record = search->cache.record + id;
  if (items_p)
    *items_p = cairn_mcts__cache_items(&search->cache, (uint32_t)id);
  if (count_p)
    *count_p = record->count;
  if (result_p)
    *result_p = record->result;
}

cairn_status cairn_mcts_best(const cairn_mcts *search, uint64_t *id_p) {
  if (search->best == CAIRN_MCTS_NONE)
    return CAIRN_FINDINGS;
  *id_p = search->best;
  return CAIRN_OK;
}

const cairn_mcts_point *cairn_mcts__curve(const cairn_mcts *search,
                                          size_t *count_p) {
  *count_p = search->points;
  return search->curve;
}

uint64_t cairn_mcts__evaluations_to(const cairn_mcts *search, double target_s) {
  for (size_t i = 0; i < search->points; i++)
    if (search->curve[i].time_s <= target_s)
      return search->curve[i].evaluations;
  return 0;
}

cairn_status cairn_mcts__share(cairn_mcts *search, double *share_p,
                               cairn_dag_size *size_p) {
  cairn_dag_size size;
  double share;
  const cairn_status status = cairn_dag_space_size(
      search->program, search->streams, search->sync, search->seed, &size);
  if (status)
    return status;
  share = size.count > 0 ? (double)search->cache.records / size.count : 0;
  if (search->reason == CAIRN_MCTS_EXHAUSTED)
    share = 1;
  *share_p = share < 1 ? share : 1;
  if (size_p)
    *size_p = size;
  return CAIRN_OK;
}

cairn_mcts_stats cairn_mcts__get_stats(const cairn_mcts *search) {
  return search->stats;
}

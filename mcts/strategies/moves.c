/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/moves.c - random schedules and neighbours for strategies.
 *
 * All of them end in search->candidate, canonical, with the record if they
 * were measured before: a strategy goes on at once from a known time and
 * proposes only what is unknown.
 */
#include <string.h>

#include "base/rng-private.h"
#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

enum { DRAWS = 300 /* of measured schedules before the sweep helps */ };

cairn_status cairn_mcts__moves_create(cairn_mcts_moves *m, cairn_mcts *search) {
  m->out = cairn_base_zalloc(search->max_items, sizeof *m->out);
  if (!m->out)
    return CAIRN_NOMEM;
  return cairn_dag__moves_create(search->program, search->streams, &m->moves);
}

void cairn_mcts__moves_free(cairn_mcts_moves *m) {
  cairn_dag__moves_free(m->moves);
  cairn_dag__sampler_free(m->sampler);
  cairn_base_free(m->out);
  cairn_base_free(m->order);
  *m = (cairn_mcts_moves){0};
}

cairn_status cairn_mcts__moves_draw(cairn_mcts *search, cairn_mcts_moves *m,
                                    uint32_t *record_p) {
  size_t count;
  if (!m->sampler) { /* counting a large space takes its time */
    const cairn_status status = cairn_dag__sampler_create(
        search->program, search->streams, search->seed, &m->sampler);
    if (status)
      return status;
  }
  count = cairn_dag__sampler_draw(m->sampler, &search->rng, m->out);
  return cairn_mcts__canonical(search, m->out, count, record_p);
}

cairn_status cairn_mcts__moves_fresh(cairn_mcts *search, cairn_mcts_moves *m) {
  for (int i = 0; i < DRAWS; i++) {
    uint32_t record;
    const cairn_status status = cairn_mcts__moves_draw(search, m, &record);
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  return cairn_mcts__sweep(search);
}

cairn_status cairn_mcts__moves_first(cairn_mcts *search, cairn_mcts_moves *m) {
  cairn_dag_schedule schedule = {0};
  uint32_t record = CAIRN_MCTS_NONE, fastest = 0;
  cairn_status status = CAIRN_OK;
  for (uint32_t r = 1; r < search->prior.records; r++)
    if (search->prior.record[r].result.time_s <
        search->prior.record[fastest].result.time_s)
      fastest = r;
  if (search->prior.records)
    status = cairn_dag_schedule_set(
        &schedule, cairn_mcts__cache_items(&search->prior, fastest),
        search->prior.record[fastest].count);
  else
    status = cairn_dag_schedule_program_order(search->program, &schedule);
  if (!status)
    status =
        cairn_mcts__canonical(search, schedule.items, schedule.count, &record);
  cairn_dag_schedule_free(&schedule);
  return status || record == CAIRN_MCTS_NONE
             ? status
             : cairn_mcts__moves_fresh(search, m);
}

cairn_status cairn_mcts__moves_random(cairn_mcts *search, cairn_mcts_moves *m,
                                      const cairn_dag_item *items, size_t count,
                                      uint32_t *record_p) {
  size_t n;
  cairn_dag__moves_begin(m->moves, items, count);
  n = cairn_dag__moves_random(m->moves, CAIRN_DAG_MOVE_ANY, &search->rng,
                              m->out);
  return n ? cairn_mcts__canonical(search, m->out, n, record_p)
           : CAIRN_FINDINGS;
}

cairn_status cairn_mcts__moves_begin(cairn_mcts *search, cairn_mcts_moves *m,
                                     const cairn_dag_item *items,
                                     size_t count) {
  const size_t all = cairn_dag__moves_begin(m->moves, items, count);
  const cairn_status status = cairn_base_reserve(&m->order, &m->order_capacity,
                                                 all + 1, sizeof *m->order);
  m->next = m->orders = 0;
  if (status)
    return status;
  for (size_t i = 0; i < all; i++)
    m->order[i] = (uint32_t)i;
  m->orders = all;
  cairn_base__rng_shuffle(&search->rng, m->order, all, sizeof *m->order);
  return CAIRN_OK;
}

cairn_status cairn_mcts__moves_next(cairn_mcts *search, cairn_mcts_moves *m,
                                    uint32_t *record_p) {
  while (m->next < m->orders) {
    const size_t n =
        cairn_dag__moves_neighbour(m->moves, m->order[m->next++], m->out);
    if (n)
      return cairn_mcts__canonical(search, m->out, n, record_p);
  }
  return CAIRN_EXHAUSTED;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/rules.c - measures what teaches most about the
 * classes: of a pool of unmeasured schedules the one the caller's teacher
 * scores highest (for instance, the one a committee of trees disagrees on
 * most).  Begins with schedules that differ as much as possible.
 *
 * Seung, Opper and Sompolinsky: Query by committee (1992).
 */
#include <math.h>
#include <string.h>

#include "mcts/model/model-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

typedef struct rules {
  cairn_mcts_moves moves;
  cairn_mcts_model *model; /* for distances alone */
  cairn_mcts_cache pool;   /* unmeasured candidates; results unused */
  cairn_mcts_sample *sample, *candidate;
  size_t sample_capacity, candidate_capacity;
  double *score;
} rules;

enum { SPREAD, POOL };

static cairn_status create(cairn_mcts *search) {
  rules *const s = cairn_base_zalloc(1, sizeof *s);
  cairn_status status;
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->score = cairn_base_zalloc((size_t)search->tune[POOL], sizeof *s->score);
  if (!s->score)
    return CAIRN_NOMEM;
  if ((status = cairn_mcts__moves_create(&s->moves, search)))
    return status;
  return cairn_mcts__model_create(search, 2, 0, &s->model);
}

static void destroy(cairn_mcts *search) {
  rules *const s = search->state;
  if (!s)
    return;
  cairn_mcts__moves_free(&s->moves);
  cairn_mcts__model_free(s->model);
  cairn_mcts__cache_free(&s->pool);
  cairn_base_free(s->sample);
  cairn_base_free(s->candidate);
  cairn_base_free(s->score);
  cairn_base_free(s);
}

/* Distinct unmeasured random schedules, at most `wanted`. */
static cairn_status fill_pool(cairn_mcts *search, rules *s, size_t wanted) {
  const cairn_mcts_result none = {CAIRN_BASE_OUTCOME_OK, NAN, NAN, NAN, 0};
  cairn_status status = CAIRN_OK;
  cairn_mcts__cache_free(&s->pool);
  for (size_t i = 0; i < 2 * wanted && s->pool.records < wanted && !status;
       i++) {
    uint32_t record;
    status = cairn_mcts__moves_draw(search, &s->moves, &record);
    if (!status && record == CAIRN_MCTS_NONE &&
        cairn_mcts__cache_find(&s->pool, search->candidate_key) ==
            CAIRN_MCTS_NONE)
      status = cairn_mcts__cache_add(&s->pool, search->candidate_key,
                                     search->candidate, search->candidate_count,
                                     &none);
  }
  return status;
}

static cairn_status list_samples(const cairn_mcts_cache *cache,
                                 cairn_mcts_sample **sample_p,
                                 size_t *capacity_p) {
  const cairn_status status = cairn_base_reserve(
      sample_p, capacity_p, cache->records + 1, sizeof **sample_p);
  for (uint32_t r = 0; !status && r < cache->records; r++)
    (*sample_p)[r] = (cairn_mcts_sample){cairn_mcts__cache_items(cache, r),
                                         cache->record[r].count,
                                         cache->record[r].result.time_s};
  return status;
}

static cairn_status ask_teacher(cairn_mcts *search, rules *s) {
  cairn_status status =
      list_samples(&search->cache, &s->sample, &s->sample_capacity);
  if (!status)
    status = list_samples(&s->pool, &s->candidate, &s->candidate_capacity);
  return status ? status
                : search->teach(search->teach_context, s->sample,
                                search->cache.records, s->candidate,
                                s->pool.records, s->score);
}

static cairn_status ask_distance(cairn_mcts *search, rules *s) {
  const cairn_status status = cairn_mcts__model_update(search, s->model);
  for (uint32_t r = 0; !status && r < s->pool.records; r++)
    s->score[r] =
        cairn_mcts__model_apart(s->model, cairn_mcts__cache_items(&s->pool, r),
                                s->pool.record[r].count);
  return status;
}

static cairn_status next(cairn_mcts *search) {
  rules *const s = search->state;
  uint32_t best = 0, record;
  cairn_status status = fill_pool(search, s, (size_t)search->tune[POOL]);
  if (status)
    return status;
  if (!s->pool.records)
    return cairn_mcts__moves_fresh(search, &s->moves);
  status = (double)search->cache.records < search->tune[SPREAD] ||
                   search->best == CAIRN_MCTS_NONE
               ? ask_distance(search, s)
               : ask_teacher(search, s);
  if (status)
    return status;
  for (uint32_t r = 1; r < s->pool.records; r++)
    if (s->score[r] > s->score[best])
      best = r;
  return cairn_mcts__canonical(search, cairn_mcts__cache_items(&s->pool, best),
                               s->pool.record[best].count, &record);
}

static const cairn_mcts_tunable tunable[] = {
    {"spread", 30, 1, 1e6, 1, "schedules of the first, spread-out sample"},
    {"pool", 64, 1, 1e5, 1, "random schedules shown to the teacher"}};

const cairn_mcts_policy cairn_mcts__rules = {
    {"rules", "measures what teaches most about the classes of schedules",
     "Seung, Opper and Sompolinsky, Query by committee, 1992", tunable, 2, 1},
    create,
    destroy,
    next,
    NULL};

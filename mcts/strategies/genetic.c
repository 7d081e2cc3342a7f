/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/genetic.c - a small population; a child takes the
 * order of one parent up to a random op and the other's order after it, each
 * op's stream from the parent that placed it, syncs as late as possible, then a
 * random move or two.  It replaces the slowest when it is faster.
 *
 * Goldberg: Genetic algorithms (1989); one-point order crossover as in Davis
 * (1985), which keeps a legal order legal.
 */
#include <string.h>

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/strategies/moves-private.h"
#include <cairn/mcts.h>

typedef struct genetic {
  cairn_mcts_moves moves;
  uint32_t *member; /* records */
  size_t members, size;
  uint8_t *issued;
  cairn_dag_item *child;
} genetic;

enum { SIZE, MUTATIONS };

static cairn_status create(cairn_mcts *search) {
  genetic *const s = cairn_base_zalloc(1, sizeof *s);
  search->state = s;
  if (!s)
    return CAIRN_NOMEM;
  s->size = (size_t)search->tune[SIZE];
  s->member = cairn_base_zalloc(s->size, sizeof *s->member);
  s->issued = cairn_base_zalloc(cairn_dag_program_ops(search->program), 1);
  s->child = cairn_base_zalloc(search->max_items, sizeof *s->child);
  if (!s->member || !s->issued || !s->child)
    return CAIRN_NOMEM;
  return cairn_mcts__moves_create(&s->moves, search);
}

static void destroy(cairn_mcts *search) {
  genetic *const s = search->state;
  if (!s)
    return;
  cairn_mcts__moves_free(&s->moves);
  cairn_base_free(s->member);
  cairn_base_free(s->issued);
  cairn_base_free(s->child);
  cairn_base_free(s);
}

static int is_op(cairn_dag_item item) {
  return item.kind == CAIRN_DAG_ITEM_CPU || item.kind == CAIRN_DAG_ITEM_GPU;
}

/* Issues the ops of a parent not issued yet, `limit` at most. */
static void follow(cairn_mcts *search, genetic *s, uint32_t record,
                   size_t limit) {
  const cairn_dag_item *const item =
      cairn_mcts__cache_items(&search->cache, record);
  for (size_t i = 1; i < search->cache.record[record].count && limit; i++) {
    const unsigned used = cairn_dag__walk_used_streams(search->walk);
    const unsigned most = used < search->streams ? used : search->streams - 1;
    if (!is_op(item[i]) || s->issued[item[i].id])
      continue;
    cairn_dag__walk_issue(search->walk, item[i].id,
                          item[i].stream < most ? item[i].stream : most);
    s->issued[item[i].id] = 1;
    limit--;
  }
}

static uint32_t tournament(cairn_mcts *search, const genetic *s) {
  const uint32_t n = (uint32_t)s->members;
  const uint32_t a = s->member[cairn_base__rng_below(&search->rng, n)];
  const uint32_t b = s->member[cairn_base__rng_below(&search->rng, n)];
  return cairn_mcts__time(search, b) < cairn_mcts__time(search, a) ? b : a;
}

static cairn_status make_child(cairn_mcts *search, genetic *s,
                               uint32_t *record_p) {
  const unsigned ops = cairn_dag_program_ops(search->program);
  const uint32_t mother = tournament(search, s), father = tournament(search, s);
  uint32_t mutations = cairn_base__rng_below(
      &search->rng, (uint32_t)search->tune[MUTATIONS] + 1);
  cairn_status status;
  memset(s->issued, 0, ops);
  cairn_dag__walk_reset(search->walk);
  follow(search, s, mother, cairn_base__rng_below(&search->rng, ops));
  follow(search, s, father, ops);
  status = cairn_mcts__canonical_walk(search, record_p);
  mutations += mother == father;
  while (mutations-- && !status) {
    status = cairn_mcts__moves_random(search, &s->moves, search->candidate,
                                      search->candidate_count, record_p);
    if (status == CAIRN_FINDINGS)
      status = CAIRN_OK;
  }
  return status;
}

static cairn_status next(cairn_mcts *search) {
  genetic *const s = search->state;
  for (int tries = 0; tries < 100 && s->members == s->size; tries++) {
    uint32_t record;
    const cairn_status status = make_child(search, s, &record);
    if (status || record == CAIRN_MCTS_NONE)
      return status;
  }
  return cairn_mcts__moves_fresh(search, &s->moves);
}

static cairn_status told(cairn_mcts *search, uint32_t record) {
  genetic *const s = search->state;
  const double time_s = cairn_mcts__time(search, record);
  size_t worst = 0;
  if (!(time_s > 0))
    return CAIRN_OK;
  if (s->members < s->size) {
    s->member[s->members++] = record;
    return CAIRN_OK;
  }
  for (size_t i = 1; i < s->members; i++)
    if (cairn_mcts__time(search, s->member[i]) >
        cairn_mcts__time(search, s->member[worst]))
      worst = i;
  if (time_s < cairn_mcts__time(search, s->member[worst]))
    s->member[worst] = record;
  return CAIRN_OK;
}

static const cairn_mcts_tunable tunable[] = {
    {"size", 12, 2, 10000, 1, "members of the population"},
    {"mutations", 2, 0, 100, 1, "most random moves of a child"}};

const cairn_mcts_policy cairn_mcts__genetic = {
    {"genetic", "a population of schedules, crossed in order and streams",
     "Goldberg, Genetic algorithms, 1989; Davis, 1985", tunable, 2, 0},
    create,
    destroy,
    next,
    told};

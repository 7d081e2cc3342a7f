/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/mcts-private.h - inside of mcts, for mcts/ and tests/mcts only.
 *
 *     search.c ── propose/report ──► strategy (one of a table)
 *        │                              │ draws, descends, models
 *        │                              ▼
 *        └── cache.c: all schedules measured, by key of the canonical form
 *
 * A strategy leaves its choice in search->candidate (canonical, not yet
 * measured) and is told the result.  It may use everything in the search but
 * budget, time and stop flag.
 */
#ifndef CAIRN_MCTS_MCTS_PRIVATE_H
#define CAIRN_MCTS_MCTS_PRIVATE_H

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

#define CAIRN_MCTS_NONE UINT32_MAX

/* A schedule known by its result: measured, or a prior. */
typedef struct cairn_mcts_record {
  cairn_dag_key key;
  size_t first; /* of its items in cache.items */
  uint32_t count;
  cairn_mcts_result result;
} cairn_mcts_record;

/* Records in the order of adding, found by key: open addressing over a table
 * of record numbers, a power of two, at most half full. */
typedef struct cairn_mcts_cache {
  cairn_mcts_record *record;
  size_t records, record_capacity;
  cairn_dag_item *items;
  size_t item_count, item_capacity;
  uint32_t *slot; /* record + 1; 0: free */
  size_t slots;
} cairn_mcts_cache;

void cairn_mcts__cache_free(cairn_mcts_cache *cache);
/* Number of the record with this key, or CAIRN_MCTS_NONE. */
uint32_t cairn_mcts__cache_find(const cairn_mcts_cache *cache,
                                cairn_dag_key key);
/* Adds one that is not there.  On CAIRN_NOMEM the cache is as it was. */
cairn_status cairn_mcts__cache_add(cairn_mcts_cache *cache, cairn_dag_key key,
                                   const cairn_dag_item *items, size_t count,
                                   const cairn_mcts_result *result);

static inline const cairn_dag_item *
cairn_mcts__cache_items(const cairn_mcts_cache *cache, uint32_t record) {
  return cache->items + cache->record[record].first;
}

/* Depth-first through all complete prefixes: the fallback of every strategy
 * when the space is nearly used up, and the whole of "exhaustive". */
typedef struct cairn_mcts_sweep {
  cairn_dag_walk *walk;
  uint32_t *choice; /* index of the extension taken, a level each */
  size_t depth;
  int started;
} cairn_mcts_sweep;

typedef struct cairn_mcts_policy cairn_mcts_policy;

struct cairn_mcts {
  const cairn_dag_program *program;
  unsigned streams;
  cairn_dag_sync sync;
  uint64_t seed, budget;
  double time_s, deadline; /* deadline: monotonic clock; 0: not started */
  const volatile int *stop_flag;
  cairn_mcts_teach teach;
  void *teach_context;

  const cairn_mcts_policy *policy;
  double *tune; /* values of the policy's tunables, in their order */
  void *state;  /* the strategy's own */

  cairn_base_rng rng;
  cairn_dag_walk *walk; /* scratch, for anyone between calls */
  size_t max_items;

  /* The schedule last canonicalized; the open proposal while `open`. */
  cairn_dag_item *candidate;
  size_t candidate_count;
  cairn_dag_key candidate_key;
  int open;

  cairn_mcts_cache cache; /* measured; number of a record = proposal id */
  cairn_mcts_cache prior; /* results of an earlier run */
  uint64_t failures;
  uint32_t best; /* record, or NONE */
  double slowest_s;
  cairn_mcts_point *curve;
  size_t points, point_capacity;
  cairn_mcts_stop reason;
  cairn_mcts_stats stats;
  unsigned ticks; /* iterations since the clock was last read */
  cairn_mcts_sweep sweep;
};

/* A strategy: what the public table says of it, and its hooks.  A hook's
 * status other than the ones named ends the search with it. */
struct cairn_mcts_policy {
  cairn_mcts_strategy about;
  /* Sets search->state; the search is complete but for it.  May be NULL. */
  cairn_status (*create)(cairn_mcts *search);
  /* Frees search->state, which may be NULL or half made.  May be NULL. */
  void (*destroy)(cairn_mcts *search);
  /* Leaves an unmeasured schedule in search->candidate (by
   * cairn_mcts__canonical).  CAIRN_EXHAUSTED: there is none, or
   * cairn_mcts__tick said to leave. */
  cairn_status (*next)(cairn_mcts *search);
  /* The result of the candidate has just become record `record`.  May be
   * NULL. */
  cairn_status (*told)(cairn_mcts *search, uint32_t record);
};

/* Canonicalizes items (raw, of a complete legal schedule) into
 * search->candidate; *record_p is its record, or NONE when not measured. */
cairn_status cairn_mcts__canonical(cairn_mcts *search,
                                   const cairn_dag_item *items, size_t count,
                                   uint32_t *record_p);
/* The same for what search->walk holds; counts as one iteration. */
cairn_status cairn_mcts__canonical_walk(cairn_mcts *search, uint32_t *record_p);
/* To be called once an iteration: 1 when time is up or the flag is set; the
 * strategy then returns CAIRN_EXHAUSTED, ready to go on later. */
int cairn_mcts__tick(cairn_mcts *search);
/* The next unmeasured schedule in a fixed order, left in search->candidate;
 * CAIRN_EXHAUSTED when all are measured, or after a tick. */
cairn_status cairn_mcts__sweep(cairn_mcts *search);
void cairn_mcts__sweep_free(cairn_mcts_sweep *sweep);

/* A result's time, or NAN when it must not guide the search. */
static inline double cairn_mcts__time(const cairn_mcts *search,
                                      uint32_t record) {
  return search->cache.record[record].result.time_s;
}

/* strategy.c */
const cairn_mcts_policy *cairn_mcts__policy_find(const char *name);
extern const cairn_mcts_policy cairn_mcts__guided, cairn_mcts__planned,
    cairn_mcts__coverage, cairn_mcts__min_time, cairn_mcts__ils,
    cairn_mcts__anneal, cairn_mcts__genetic, cairn_mcts__gp, cairn_mcts__rules,
    cairn_mcts__random, cairn_mcts__rollout, cairn_mcts__exhaustive;

#endif

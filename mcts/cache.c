/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/cache.c - every schedule with a known result, found by its key.
 *
 * Open addressing with linear probing over record numbers; keys are XXH3-128,
 * so their low words serve as hash.  The table is at most half full, so a
 * search ends at a free slot.
 */
#include <string.h>

#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

void cairn_mcts__cache_free(cairn_mcts_cache *cache) {
  cairn_base_free(cache->record);
  cairn_base_free(cache->items);
  cairn_base_free(cache->slot);
  *cache = (cairn_mcts_cache){0};
}

/* The slot of a key: where it is, or where it would go. */
static size_t slot_of(const cairn_mcts_cache *cache, cairn_dag_key key) {
  size_t i = (size_t)key.lo & (cache->slots - 1);
  while (cache->slot[i]) {
    const cairn_dag_key other = cache->record[cache->slot[i] - 1].key;
    if (other.lo == key.lo && other.hi == key.hi)
      break;
    i = (i + 1) & (cache->slots - 1);
  }
  return i;
}

uint32_t cairn_mcts__cache_find(const cairn_mcts_cache *cache,
                                cairn_dag_key key) {
  if (!cache->slots)
    return CAIRN_MCTS_NONE;
  return cache->slot[slot_of(cache, key)] - 1;
}

static cairn_status grow_slots(cairn_mcts_cache *cache) {
  const size_t slots = cache->slots ? cache->slots * 2 : 1024;
  uint32_t *const slot = cairn_base_zalloc(slots, sizeof *slot);
  if (!slot)
    return CAIRN_NOMEM;
  cairn_base_free(cache->slot);
  cache->slot = slot;
  cache->slots = slots;
  for (size_t i = 0; i < cache->records; i++)
    slot[slot_of(cache, cache->record[i].key)] = (uint32_t)i + 1;
  return CAIRN_OK;
}

cairn_status cairn_mcts__cache_add(cairn_mcts_cache *cache, cairn_dag_key key,
                                   const cairn_dag_item *items, size_t count,
                                   const cairn_mcts_result *result) {
  cairn_status status =
      cairn_base_reserve(&cache->record, &cache->record_capacity,
                         cache->records + 1, sizeof *cache->record);
  if (!status)
    status =
        cairn_base_reserve(&cache->items, &cache->item_capacity,
                           cache->item_count + count, sizeof *cache->items);
  if (!status && (cache->records + 1) * 2 > cache->slots)
    status = grow_slots(cache);
  if (status)
    return status;
  memcpy(cache->items + cache->item_count, items, count * sizeof *items);
  cache->slot[slot_of(cache, key)] = (uint32_t)cache->records + 1;
  cache->record[cache->records++] =
      (cairn_mcts_record){key, cache->item_count, (uint32_t)count, *result};
  cache->item_count += count;
  return CAIRN_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/keyset.c - a set of schedules' keys: open addressing, at most half
 * full. Invariant: an all-zero key marks an empty slot (a schedule with that
 * key, one in 2^128, would be taken as seen never).
 */
#include "dag/space/keyset-private.h"
#include <cairn/dag.h>

#include <string.h>

enum { FIRST = 1024 };

void cairn_dag__keyset_free(cairn_dag__keyset *set) {
  cairn_base_free(set->slots);
  memset(set, 0, sizeof *set);
}

static int same(cairn_dag_key a, cairn_dag_key b) {
  return a.lo == b.lo && a.hi == b.hi;
}

static cairn_dag_key *slot_of(cairn_dag_key *slots, size_t count,
                              cairn_dag_key key) {
  const cairn_dag_key empty = {0, 0};
  size_t i = (size_t)key.lo & (count - 1);
  while (!same(slots[i], key) && !same(slots[i], empty))
    i = (i + 1) & (count - 1);
  return &slots[i];
}

static cairn_status grow(cairn_dag__keyset *set) {
  const size_t count = set->slot_count ? 2 * set->slot_count : FIRST;
  cairn_dag_key *const slots = cairn_base_zalloc(count, sizeof *slots);
  if (!slots)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < set->slot_count; i++)
    if (set->slots[i].lo || set->slots[i].hi)
      *slot_of(slots, count, set->slots[i]) = set->slots[i];
  cairn_base_free(set->slots);
  set->slots = slots;
  set->slot_count = count;
  return CAIRN_OK;
}

cairn_status cairn_dag__keyset_add(cairn_dag__keyset *set, cairn_dag_key key,
                                   int *new_p) {
  cairn_dag_key *slot;
  if (2 * (set->count + 1) > set->slot_count && grow(set) != CAIRN_OK)
    return CAIRN_NOMEM;
  slot = slot_of(set->slots, set->slot_count, key);
  *new_p = !same(*slot, key);
  set->count += (size_t)*new_p;
  *slot = key;
  return CAIRN_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/intern.c - a table of names: name -> small id, in the order of
 * adding.
 *
 * Open addressing with linear probing over a power of two of slots, at most
 * half full; a slot holds id + 1, 0 is empty.  Invariant: every name is in
 * `names` once and reachable from its hash without meeting an empty slot.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "dag/program/intern-private.h"
#include "dag/program/program-state-private.h"
#include <cairn/dag.h>

#include <string.h>

struct cairn_dag_intern {
  char **names;
  size_t count, capacity;
  uint32_t *slots;
  size_t slot_count;
};

cairn_status cairn_dag__intern_create(cairn_dag_intern **intern_p) {
  cairn_dag_intern *intern = cairn_base_zalloc(1, sizeof *intern);
  if (!intern)
    return CAIRN_NOMEM;
  intern->slot_count = 64;
  intern->slots = cairn_base_zalloc(intern->slot_count, sizeof *intern->slots);
  if (!intern->slots) {
    cairn_base_free(intern);
    return CAIRN_NOMEM;
  }
  *intern_p = intern;
  return CAIRN_OK;
}

void cairn_dag__intern_free(cairn_dag_intern *intern) {
  if (!intern)
    return;
  for (size_t i = 0; i < intern->count; i++)
    cairn_base_free(intern->names[i]);
  cairn_base_free(intern->names);
  cairn_base_free(intern->slots);
  cairn_base_free(intern);
}

size_t cairn_dag__intern_count(const cairn_dag_intern *intern) {
  return intern->count;
}

const char *cairn_dag__intern_name(const cairn_dag_intern *intern,
                                   uint32_t id) {
  return id < intern->count ? intern->names[id] : NULL;
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t slot_of(const cairn_dag_intern *intern, const char *name,
                      size_t length) {
  const size_t mask = intern->slot_count - 1;
  size_t i = (size_t)XXH3_64bits(name, length) & mask;
  for (; intern->slots[i]; i = (i + 1) & mask) {
    const char *const other = intern->names[intern->slots[i] - 1];
    if (strlen(other) == length && memcmp(other, name, length) == 0)
      break;
  }
  return i;
}

static cairn_status grow(cairn_dag_intern *intern) {
  const size_t count = intern->slot_count * 2;
  uint32_t *const slots = cairn_base_zalloc(count, sizeof *slots);
  if (!slots)
    return CAIRN_NOMEM;
  cairn_base_free(intern->slots);
  intern->slots = slots;
  intern->slot_count = count;
  for (size_t id = 0; id < intern->count; id++) {
    const char *const name = intern->names[id];
    slots[slot_of(intern, name, strlen(name))] = (uint32_t)id + 1;
  }
  return CAIRN_OK;
}

uint32_t cairn_dag__intern_find(const cairn_dag_intern *intern,
                                const char *name, size_t length) {
  const uint32_t slot = intern->slots[slot_of(intern, name, length)];
  return slot ? slot - 1 : UINT32_MAX;
}

cairn_status cairn_dag__intern_add(cairn_dag_intern *intern, const char *name,
                                   size_t length, uint32_t *id_p) {
  const uint32_t found = cairn_dag__intern_find(intern, name, length);
  if (found != UINT32_MAX) {
    *id_p = found;
    return CAIRN_OK;
  }
  if (intern->count >= UINT32_MAX / 4)
    return CAIRN_NOMEM;
  if (2 * (intern->count + 1) > intern->slot_count && grow(intern) != CAIRN_OK)
    return CAIRN_NOMEM;
  if (cairn_base_reserve(&intern->names, &intern->capacity, intern->count + 1,
                         sizeof *intern->names) != CAIRN_OK)
    return CAIRN_NOMEM;
  char *const copy = cairn_base_strndup(name, length);
  if (!copy)
    return CAIRN_NOMEM;
  intern->slots[slot_of(intern, name, length)] = (uint32_t)intern->count + 1;
  intern->names[intern->count] = copy;
  *id_p = (uint32_t)intern->count++;
  return CAIRN_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/mem.c - checked allocation with a hook that makes the n-th one fail.
 * Invariant: every allocation passes allowed() exactly once.
 */
#include "base/mem-private.h"
#include <cairn/base.h>

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t asked;   /* allocations since the hook was set */
static atomic_size_t fail_at; /* 0: off */
static atomic_int fail_forever;

void cairn_base__mem_fail(size_t n, int forever) {
  atomic_store(&asked, 0);
  atomic_store(&fail_forever, forever);
  atomic_store(&fail_at, n);
}

size_t cairn_base__mem_count(void) { return atomic_load(&asked); }

static int allowed(void) {
  const size_t n =
      atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed) + 1;
  const size_t at = atomic_load_explicit(&fail_at, memory_order_relaxed);
  if (at == 0)
    return 1;
  return atomic_load(&fail_forever) ? n < at : n != at;
}

/* Bytes of count items, at least 1; 0 on overflow. */
static size_t bytes_of(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > PTRDIFF_MAX)
    return 0;
  return bytes ? bytes : 1;
}

void *cairn_base_alloc(size_t count, size_t size) {
  const size_t bytes = bytes_of(count, size);
  return allowed() && bytes ? malloc(bytes) : NULL;
}

void *cairn_base_zalloc(size_t count, size_t size) {
  const size_t bytes = bytes_of(count, size);
  return allowed() && bytes ? calloc(1, bytes) : NULL;
}

void *cairn_base__resize(void *memory, size_t count, size_t size) {
  const size_t bytes = bytes_of(count, size);
  return allowed() && bytes ? realloc(memory, bytes) : NULL;
}

char *cairn_base_strndup(const char *text, size_t length) {
  char *copy = cairn_base_alloc(length + 1, 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = '\0';
  return copy;
}

char *cairn_base_strdup(const char *text) {
  return cairn_base_strndup(text, strlen(text));
}

void cairn_base_free(void *memory) { free(memory); }

cairn_status cairn_base_reserve(void *memory_p, size_t *capacity_p,
                                size_t needed, size_t size) {
  void *memory;
  size_t capacity = *capacity_p;
  if (needed <= capacity)
    return CAIRN_OK;
  memcpy(&memory, memory_p, sizeof memory);
  capacity = capacity > SIZE_MAX / 2 ? needed : capacity * 2;
  if (capacity < needed)
    capacity = needed;
  if (capacity < 8)
    capacity = 8;
  memory = cairn_base__resize(memory, capacity, size);
  if (!memory)
    return CAIRN_NOMEM;
  memcpy(memory_p, &memory, sizeof memory);
  *capacity_p = capacity;
  return CAIRN_OK;
}

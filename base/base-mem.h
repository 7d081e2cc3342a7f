/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-mem.h - all memory of the library comes from here, so that a test
 * can make the n-th allocation fail (once, or from then on).
 */
#ifndef CAIRN_BASE_MEM_H
#define CAIRN_BASE_MEM_H

#include <stddef.h>

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As malloc, calloc, realloc, strdup, free; NULL when memory is short or when
 * the hook says so.  count * size is checked for overflow.  A request of 0
 * bytes returns a pointer that can be freed.  Free with cairn_base_free. */
CAIRN_API void *cairn_base_alloc(size_t count, size_t size);
CAIRN_API void *cairn_base_zalloc(size_t count, size_t size);
CAIRN_API void *cairn_base_resize(void *memory, size_t count, size_t size);
CAIRN_API char *cairn_base_strdup(const char *text);
CAIRN_API char *cairn_base_strndup(const char *text, size_t length);
CAIRN_API void cairn_base_free(void *memory);

/* Makes sure that *memory_p, an array of items of `size` bytes, has room for
 * `needed` items; grows by doubling; *capacity_p is kept up to date.  On
 * CAIRN_NOMEM the array is as it was. */
CAIRN_API CAIRN_MUST_USE cairn_status cairn_base_reserve(void *memory_p,
                                                         size_t *capacity_p,
                                                         size_t needed,
                                                         size_t size);

/* Test hook: the n-th allocation from now fails (1: the next one); forever:
 * all later ones too.  n = 0 switches it off.  Thread-safe. */
CAIRN_API void cairn_base_mem_fail(size_t n, int forever);
/* Allocations asked for since the last cairn_base_mem_fail. */
CAIRN_API size_t cairn_base_mem_count(void);

#ifdef __cplusplus
}
#endif
#endif

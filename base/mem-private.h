/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/mem-private.h - all memory of the library comes from here, so that a
 * test can make the n-th allocation fail (once, or from then on).
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_MEM_PRIVATE_H
#define CAIRN_BASE_MEM_PRIVATE_H

#include <stddef.h>

#include <cairn/base.h>

void *cairn_base__resize(void *memory, size_t count, size_t size);

/* Test hook: the n-th allocation from now fails (1: the next one); forever:
 * all later ones too.  n = 0 switches it off.  Thread-safe. */
void cairn_base__mem_fail(size_t n, int forever);
/* Allocations asked for since the last cairn_base__mem_fail. */
size_t cairn_base__mem_count(void);

#endif

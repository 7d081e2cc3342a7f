/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/clock-private.h - the one clock that durations are taken from.
 */
#ifndef CAIRN_BASE_CLOCK_PRIVATE_H
#define CAIRN_BASE_CLOCK_PRIVATE_H

#include <stdint.h>
#include <time.h>

/* CLOCK_MONOTONIC: from an arbitrary zero that is the same for all processes
 * of a host. */
static inline int64_t cairn_base__now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static inline double cairn_base__now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/faults.h - makes every allocation of a scenario fail in turn, once and
 * from then on: nothing crashes or leaks (that is the sanitizers' to say), the
 * scenario says that memory is short or manages without, and the next
 * undisturbed run gives what the first one gave.
 */
#ifndef TESTS_FAULTS_H
#define TESTS_FAULTS_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem-private.h"
#include <cairn/base.h>

typedef struct faults_scenario {
  const char *name;
  /* Does all of it, from creating to freeing; *digest_p stands for what came
   * out. */
  cairn_status (*run)(const char *name, uint64_t *digest_p);
} faults_scenario;

static int faults_failed;

static inline uint64_t faults_digest(uint64_t seed, const void *data,
                                     size_t length) {
  const unsigned char *const bytes = data;
  for (size_t i = 0; i < length; i++)
    seed = (seed ^ bytes[i]) * UINT64_C(1099511628211);
  return seed;
}

static inline void faults_wrong(const char *name, size_t n, int forever,
                                const char *what, int status) {
  printf("FAIL: %s, allocation %zu, %s: %s (status %d)\n", name, n,
         forever ? "for ever" : "once", what, status);
  faults_failed++;
}

/* One point. */
static inline void faults_at(const faults_scenario *s, size_t n, int forever,
                             uint64_t expected) {
  uint64_t digest = 0;
  cairn_base__mem_fail(n, forever);
  const cairn_status status = s->run(s->name, &digest);
  cairn_base__mem_fail(0, 0);
  if (status == CAIRN_OK && digest != expected)
    faults_wrong(s->name, n, forever, "another result", (int)status);
  if (status != CAIRN_OK && status != CAIRN_NOMEM && status != CAIRN_IO)
    faults_wrong(s->name, n, forever, "not said to be short of memory",
                 (int)status);
}

/* All points, or every `step`-th: how many there were. */
static inline size_t faults_loop(const faults_scenario *s, size_t step) {
  uint64_t first = 0, last = 0;
  size_t points = 0;
  if (s->run(s->name, &first) != CAIRN_OK)
    faults_wrong(s->name, 0, 0, "fails undisturbed", 0);
  cairn_base__mem_fail(0, 0);
  (void)s->run(s->name, &first);
  const size_t count = cairn_base__mem_count();
  for (size_t n = 1; n <= count; n += step, points += 2) {
    faults_at(s, n, 0, first);
    faults_at(s, n, 1, first);
  }
  if (s->run(s->name, &last) != CAIRN_OK || last != first)
    faults_wrong(s->name, count, 0, "afterwards it does not work", 0);
  printf("%s: %zu allocations, %zu points\n", s->name, count, points);
  return points;
}

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/rng.c - seeding and derived distributions of the xoshiro256**
 * generator (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2018).
 */
#include "base/rng-private.h"
#include <cairn/base.h>

#include <math.h>
#include <string.h>

/* splitmix64 (Steele, Lea, Flood 2014), used for seeding only. */
static uint64_t splitmix64(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

void cairn_base__rng_seed(cairn_base_rng *rng, uint64_t seed) {
  for (int i = 0; i < 4; i++)
    rng->s[i] = splitmix64(&seed);
}

void cairn_base__rng_fork(cairn_base_rng *rng, cairn_base_rng *child) {
  cairn_base__rng_seed(child, cairn_base__rng_next(rng));
}

double cairn_base__rng_normal(cairn_base_rng *rng) {
  double u, v, s;
  do {
    u = 2 * cairn_base__rng_uniform(rng) - 1;
    v = 2 * cairn_base__rng_uniform(rng) - 1;
    s = u * u + v * v;
  } while (s >= 1 || s == 0);
  return u * sqrt(-2 * log(s) / s);
}

static void swap_bytes(unsigned char *a, unsigned char *b, size_t size) {
  for (size_t k = 0; k < size; k++) {
    const unsigned char c = a[k];
    a[k] = b[k];
    b[k] = c;
  }
}

void cairn_base__rng_shuffle(cairn_base_rng *rng, void *items, size_t count,
                             size_t size) {
  unsigned char *bytes = items;
  for (size_t i = count; i > 1; i--) {
    const size_t j = cairn_base__rng_below(rng, (uint32_t)i);
    if (j != i - 1)
      swap_bytes(bytes + j * size, bytes + (i - 1) * size, size);
  }
}

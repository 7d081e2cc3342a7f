/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/rng-private.h - seeded random numbers: xoshiro256** (Blackman and Vigna,
 * 2018), seeded by splitmix64.  The state is a plain value: copy it to save
 * it, copy it back to go on from there.
 */
#ifndef CAIRN_BASE_RNG_PRIVATE_H
#define CAIRN_BASE_RNG_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

typedef struct cairn_base_rng {
  uint64_t s[4];
} cairn_base_rng;

void cairn_base__rng_seed(cairn_base_rng *rng, uint64_t seed);
/* An independent generator, seeded from the next output of `rng`. */
void cairn_base__rng_fork(cairn_base_rng *rng, cairn_base_rng *child);

static inline uint64_t cairn_base__rng_rotl(uint64_t x, int k) {
  return (x << k) | (x >> (64 - k));
}

/* 64 random bits. */
static inline uint64_t cairn_base__rng_next(cairn_base_rng *rng) {
  uint64_t *s = rng->s;
  const uint64_t result = cairn_base__rng_rotl(s[1] * 5, 7) * 9;
  const uint64_t t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = cairn_base__rng_rotl(s[3], 45);
  return result;
}

/* Uniform in 0..n-1 without bias (n >= 1; Lemire 2019). */
static inline uint32_t cairn_base__rng_below(cairn_base_rng *rng, uint32_t n) {
  uint64_t m = (cairn_base__rng_next(rng) >> 32) * n;
  if ((uint32_t)m < n) {
    const uint32_t least = (uint32_t)(-n) % n;
    while ((uint32_t)m < least)
      m = (cairn_base__rng_next(rng) >> 32) * n;
  }
  return (uint32_t)(m >> 32);
}

/* Uniform in [0, 1). */
static inline double cairn_base__rng_uniform(cairn_base_rng *rng) {
  return (double)(cairn_base__rng_next(rng) >> 11) * 0x1.0p-53;
}

/* Standard normal (polar method; no state is kept between calls). */
double cairn_base__rng_normal(cairn_base_rng *rng);
/* Shuffles `count` items of `size` bytes (Fisher-Yates). */
void cairn_base__rng_shuffle(cairn_base_rng *rng, void *items, size_t count,
                             size_t size);

#endif

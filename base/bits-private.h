/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/bits-private.h - bit sets over caller-owned arrays of 64-bit words.
 */
#ifndef CAIRN_BASE_BITS_PRIVATE_H
#define CAIRN_BASE_BITS_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/base.h>

/* Words needed for `count` bits. */
static inline size_t cairn_base__bits_words(size_t count) {
  return (count + 63) / 64;
}
static inline void cairn_base__bits_set(uint64_t *words, size_t i) {
  words[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline void cairn_base__bits_clear(uint64_t *words, size_t i) {
  words[i / 64] &= ~(UINT64_C(1) << (i % 64));
}
static inline int cairn_base__bits_test(const uint64_t *words, size_t i) {
  return (int)(words[i / 64] >> (i % 64) & 1);
}
static inline unsigned cairn_base__bits_popcount(uint64_t word) {
  return (unsigned)__builtin_popcountll(word);
}
/* Index of the lowest bit set; word must not be 0. */
static inline unsigned cairn_base__bits_lowest(uint64_t word) {
  return (unsigned)__builtin_ctzll(word);
}

#endif

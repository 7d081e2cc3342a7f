/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/count.c - counting bits of columns under class masks.
 *
 * The words are taken in blocks small enough that the masks of a block stay in
 * the nearest cache while all features pass by.  Three kernels: portable C,
 * the popcnt instruction, and AVX-512's vector popcount; the processor is
 * asked once a tree.  Distances between rows are counted here too.
 */
#include <cairn/classify.h>

#include "base/bits-private.h"
#include "classify/data/count-private.h"

enum { BLOCK = 512 }; /* words: 4 KiB a mask */

#if defined __x86_64__ && defined __GNUC__
#define HAVE_X86 1
#include <immintrin.h>
#else
#define HAVE_X86 0
#endif

/* The loops of a kernel around COUNT(column, mask, words). */
#define KERNEL_BODY(COUNT)                                                     \
  for (size_t from = 0; from < words; from += BLOCK) {                         \
    const size_t n = words - from < BLOCK ? words - from : BLOCK;              \
    for (size_t f = 0; f < features; f++) {                                    \
      const uint64_t *column = columns + f * words + from;                     \
      for (unsigned c = 0; c < classes; c++)                                   \
        count[f * classes + c] += COUNT(column, masks + c * words + from, n);  \
    }                                                                          \
  }

static inline uint32_t portable_block(const uint64_t *a, const uint64_t *b,
                                      size_t n) {
  uint32_t sum = 0;
  for (size_t w = 0; w < n; w++) {
    uint64_t x = a[w] & b[w];
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) +
        (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    sum += (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
  }
  return sum;
}

/* The loop of a search for the nearest row. */
#define NEAREST_BODY(POPCOUNT)                                                 \
  uint32_t best = UINT32_MAX;                                                  \
  for (size_t j = 0; j < count && best > enough; j += step) {                  \
    const uint64_t *a = rows + from * words,                                   \
                   *b = rows + (list ? list[j] : j) * words;                   \
    uint32_t differ = 0;                                                       \
    for (size_t w = 0; w < words; w++)                                         \
      differ += (uint32_t)POPCOUNT(a[w] ^ b[w]);                               \
    if (differ < best) {                                                       \
      best = differ;                                                           \
      *index_p = j;                                                            \
    }                                                                          \
  }                                                                            \
  return best;

static uint32_t portable_nearest(const uint64_t *rows, size_t words,
                                 size_t from, const uint32_t *list,
                                 size_t count, size_t step, uint32_t enough,
                                 size_t *index_p) {
  NEAREST_BODY(cairn_base__bits_popcount)
}

static void portable(const uint64_t *columns, size_t features, size_t words,
                     const uint64_t *masks, unsigned classes, uint32_t *count) {
  KERNEL_BODY(portable_block)
}

#if HAVE_X86
__attribute__((target("popcnt"))) static inline uint32_t
popcnt_block(const uint64_t *a, const uint64_t *b, size_t n) {
  uint64_t s0 = 0, s1 = 0, s2 = 0, s3 = 0;
  size_t w = 0;
  for (; w + 4 <= n; w += 4) {
    s0 += (uint64_t)_mm_popcnt_u64(a[w] & b[w]);
    s1 += (uint64_t)_mm_popcnt_u64(a[w + 1] & b[w + 1]);
    s2 += (uint64_t)_mm_popcnt_u64(a[w + 2] & b[w + 2]);
    s3 += (uint64_t)_mm_popcnt_u64(a[w + 3] & b[w + 3]);
  }
  for (; w < n; w++)
    s0 += (uint64_t)_mm_popcnt_u64(a[w] & b[w]);
  return (uint32_t)(s0 + s1 + s2 + s3);
}

__attribute__((target("popcnt"))) static void
popcnt(const uint64_t *columns, size_t features, size_t words,
       const uint64_t *masks, unsigned classes, uint32_t *count) {
  KERNEL_BODY(popcnt_block)
}

__attribute__((target("popcnt"))) static uint32_t
popcnt_nearest(const uint64_t *rows, size_t words, size_t from,
               const uint32_t *list, size_t count, size_t step, uint32_t enough,
               size_t *index_p) {
  NEAREST_BODY(_mm_popcnt_u64)
}

#define WIDE "avx512f,avx512vpopcntdq,popcnt"
__attribute__((target(WIDE))) static inline uint32_t
avx512_block(const uint64_t *a, const uint64_t *b, size_t n) {
  __m512i s = _mm512_setzero_si512();
  for (size_t w = 0; w < n; w += 8) {
    const __mmask8 tail = (__mmask8)(n - w >= 8 ? 0xff : (1u << (n - w)) - 1);
    const __m512i x = _mm512_and_si512(_mm512_maskz_loadu_epi64(tail, a + w),
                                       _mm512_maskz_loadu_epi64(tail, b + w));
    s = _mm512_add_epi64(s, _mm512_popcnt_epi64(x));
  }
  return (uint32_t)_mm512_reduce_add_epi64(s);
}

__attribute__((target(WIDE))) static void
avx512(const uint64_t *columns, size_t features, size_t words,
       const uint64_t *masks, unsigned classes,
       uint32_t *count){KERNEL_BODY(avx512_block)}
#endif

cairn_classify__kernel *cairn_classify__kernel_get(unsigned i,
                                                   const char **name_p) {
  static const char *const name[] = {"portable", "popcnt", "avx512"};
  cairn_classify__kernel *kernel[3] = {portable};
  unsigned known = 1;
#if HAVE_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("popcnt")) {
    kernel[known++] = popcnt;
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512vpopcntdq"))
      kernel[known++] = avx512;
  }
#endif
  if (i >= known)
    return NULL;
  *name_p = name[i];
  return kernel[i];
}

cairn_classify__kernel *cairn_classify__kernel_choose(const char **name_p) {
  cairn_classify__kernel *best = NULL, *next;
  const char *name;
  for (unsigned i = 0; (next = cairn_classify__kernel_get(i, &name)); i++) {
    best = next;
    *name_p = name;
  }
  return best;
}

uint32_t cairn_classify__nearest(const uint64_t *rows, size_t words,
                                 size_t from, const uint32_t *list,
                                 size_t count, size_t step, uint32_t enough,
                                 size_t *index_p) {
#if HAVE_X86
  __builtin_cpu_init();
  if (__builtin_cpu_supports("popcnt"))
    return popcnt_nearest(rows, words, from, list, count, step, enough,
                          index_p);
#endif
  return portable_nearest(rows, words, from, list, count, step, enough,
                          index_p);
}

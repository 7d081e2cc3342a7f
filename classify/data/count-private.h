/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/count-private.h - counting bits of columns under class masks.
 */
#ifndef CAIRN_CLASSIFY_DATA_COUNT_PRIVATE_H
#define CAIRN_CLASSIFY_DATA_COUNT_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/classify.h>

/* For each feature f and class c adds popcount(columns[f] & masks[c]) to
 * count[f * classes + c].  columns: features * words; masks: classes * words.
 * A kernel is a pure function: all give the same counts. */
typedef void cairn_classify__kernel(const uint64_t *columns, size_t features,
                                    size_t words, const uint64_t *masks,
                                    unsigned classes, uint32_t *count);

/* The fastest kernel of this processor, and its name. */
cairn_classify__kernel *cairn_classify__kernel_choose(const char **name_p);

/* The i-th kernel that this processor can run, the portable one first; NULL
 * past the last.  For tests. */
cairn_classify__kernel *cairn_classify__kernel_get(unsigned i,
                                                   const char **name_p);

/* Rows of `words` words each: how many bits differ between rows[from] and the
 * nearest of rows[list[0]], rows[list[step]], ... (`count` entries, > 0), and
 * the index in `list` of the first such.  Ends early at `enough` or less.
 * list NULL: 0, 1, 2, ... */
uint32_t cairn_classify__nearest(const uint64_t *rows, size_t words,
                                 size_t from, const uint32_t *list,
                                 size_t count, size_t step, uint32_t enough,
                                 size_t *index_p);

#endif

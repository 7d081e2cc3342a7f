/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-text.h - a growable text buffer, and spelling help.
 */
#ifndef CAIRN_BASE_TEXT_H
#define CAIRN_BASE_TEXT_H

#include <stddef.h>

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A buffer that is always NUL-terminated once something was added.  Start with
 * {0}; free with cairn_base_text_free.  When memory runs out the buffer
 * remembers it (failed = 1), ignores further adds, and the caller checks once
 * at the end. */
typedef struct cairn_base_text {
  char *data; /* NULL while empty */
  size_t length, capacity;
  int failed;
} cairn_base_text;

CAIRN_API void cairn_base_text_add(cairn_base_text *text, const char *string);
CAIRN_API void cairn_base_text_add_bytes(cairn_base_text *text,
                                         const char *bytes, size_t length);
CAIRN_API void cairn_base_text_addf(cairn_base_text *text, const char *format,
                                    ...) CAIRN_PRINTF(2, 3);
/* Empties it, keeping the memory. */
CAIRN_API void cairn_base_text_clear(cairn_base_text *text);
CAIRN_API void cairn_base_text_free(cairn_base_text *text);

/* Edit distance (Damerau-Levenshtein, adjacent transpositions) of two short
 * strings; strings over 64 bytes count as infinitely far (SIZE_MAX). */
CAIRN_API size_t cairn_base_text_distance(const char *a, const char *b);
/* The candidate nearest to `word`, if near enough to be a likely misspelling
 * (distance at most 2 and less than half the word), else NULL.  Ties: first. */
CAIRN_API const char *cairn_base_text_nearest(const char *word,
                                              const char *const *candidates,
                                              size_t count);

#ifdef __cplusplus
}
#endif
#endif

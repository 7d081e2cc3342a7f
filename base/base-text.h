/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-text.h - a growable text buffer, and spelling help.
 */
#ifndef CAIRN_BASE_TEXT_H
#define CAIRN_BASE_TEXT_H

#include <stdarg.h>
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
CAIRN_API void cairn_base_text_addv(cairn_base_text *text, const char *format,
                                    va_list list) CAIRN_PRINTF(2, 0);
/* Empties it, keeping the memory. */
CAIRN_API void cairn_base_text_clear(cairn_base_text *text);
CAIRN_API void cairn_base_text_free(cairn_base_text *text);

/* ---- bytes from outside ---- */

/* Length of the UTF-8 character at `at` (1 to 4), 0 if it is none. */
CAIRN_API size_t cairn_base_utf8_length(const char *at, const char *end);
/* Appends the character at `at`, which is before `end`; a byte that is no
 * UTF-8 becomes U+FFFD.  Returns the bytes taken, 1 to 4. */
CAIRN_API size_t cairn_base_text_add_utf8(cairn_base_text *text, const char *at,
                                          const char *end);
/* A copy of the string that is UTF-8 (as above): what JSON may hold.  NULL when
 * memory is short.  Free with cairn_base_free. */
CAIRN_API char *cairn_base_utf8(const char *string);
/* Do the strings read the same in JSON, that is as UTF-8? */
CAIRN_API int cairn_base_utf8_equal(const char *a, const char *b);

/* What a terminal must not be given as it is: controls (C0, DEL, C1), spaces
 * and signs that cannot be seen, marks that turn the direction of writing,
 * bytes that are no UTF-8.  Appends the text with each of them spelled out:
 * \n, \t, \r, \x1b, \u202e, \U000e0001.  `lines`: 1 leaves line feeds and
 * tabs as they are, for texts of several lines that we made. */
CAIRN_API void cairn_base_text_add_shown(cairn_base_text *text,
                                         const char *string, int lines);

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

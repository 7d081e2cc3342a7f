/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/text-private.h - a growable text buffer, and spelling help.
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_TEXT_PRIVATE_H
#define CAIRN_BASE_TEXT_PRIVATE_H

#include <stdarg.h>
#include <stddef.h>

#include <cairn/base.h>

void cairn_base__text_add_bytes(cairn_base_text *text, const char *bytes,
                                size_t length);

void cairn_base__text_addv(cairn_base_text *text, const char *format,
                           va_list list) CAIRN_PRINTF(2, 0);

/* ---- bytes from outside ---- */

/* Length of the UTF-8 character at `at` (1 to 4), 0 if it is none. */
size_t cairn_base__utf8_length(const char *at, const char *end);
/* Appends the character at `at`, which is before `end`; a byte that is no
 * UTF-8 becomes U+FFFD.  Returns the bytes taken, 1 to 4. */
size_t cairn_base__text_add_utf8(cairn_base_text *text, const char *at,
                                 const char *end);
/* Do the strings read the same in JSON, that is as UTF-8? */
int cairn_base__utf8_equal(const char *a, const char *b);

/* Edit distance (Damerau-Levenshtein, adjacent transpositions) of two short
 * strings; strings over 64 bytes count as infinitely far (SIZE_MAX). */
size_t cairn_base__text_distance(const char *a, const char *b);

/* Empties it, keeping the memory. */
void cairn_base__text_clear(cairn_base_text *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/text.c - growable text, and edit distance for "did you mean".
 */
#include "base/text-private.h"
#include <cairn/base.h>

#include <stdarg.h>
#include <stdint.h>
#include <string.h>

enum { LONGEST = 64 }; /* bytes; longer words are not compared */

void cairn_base__text_add_bytes(cairn_base_text *text, const char *bytes,
                                size_t length) {
  if (text->failed)
    return;
  if (cairn_base_reserve(&text->data, &text->capacity,
                         text->length + length + 1, 1) != CAIRN_OK) {
    text->failed = 1;
    return;
  }
  memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void cairn_base_text_add(cairn_base_text *text, const char *string) {
  cairn_base__text_add_bytes(text, string, strlen(string));
}

void cairn_base__text_addv(cairn_base_text *text, const char *format,
                           va_list list) {
  va_list again;
  va_copy(again, list);
  const int length = cairn_base_vformat(NULL, 0, format, again);
  va_end(again);
  if (text->failed)
    return;
  if (length < 0 ||
      cairn_base_reserve(&text->data, &text->capacity,
                         text->length + (size_t)length + 1, 1) != CAIRN_OK) {
    text->failed = 1;
    return;
  }
  cairn_base_vformat(text->data + text->length, (size_t)length + 1, format,
                     list);
  text->length += (size_t)length;
}

void cairn_base_text_addf(cairn_base_text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  cairn_base__text_addv(text, format, list);
  va_end(list);
}

void cairn_base__text_clear(cairn_base_text *text) {
  text->length = 0;
  text->failed = 0;
  if (text->data)
    text->data[0] = '\0';
}

void cairn_base_text_free(cairn_base_text *text) {
  cairn_base_free(text->data);
  memset(text, 0, sizeof *text);
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

size_t cairn_base__text_distance(const char *a, const char *b) {
  const size_t n = strlen(a), m = strlen(b);
  size_t rows[3][LONGEST + 1];
  size_t *before = rows[0], *above = rows[1], *row = rows[2];
  if (n > LONGEST || m > LONGEST)
    return SIZE_MAX;
  for (size_t j = 0; j <= m; j++)
    above[j] = j;
  for (size_t i = 1; i <= n; i++) {
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = least(above[j] + 1, row[j - 1] + 1);
      row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = least(row[j], before[j - 2] + 1);
    }
    size_t *const spare = before;
    before = above;
    above = row;
    row = spare;
  }
  return above[m];
}

const char *cairn_base_text_nearest(const char *word,
                                    const char *const *candidates,
                                    size_t count) {
  const char *best = NULL;
  size_t best_distance = 3;
  for (size_t i = 0; i < count; i++) {
    const size_t distance = cairn_base__text_distance(word, candidates[i]);
    if (distance < best_distance && 2 * distance < strlen(word)) {
      best = candidates[i];
      best_distance = distance;
    }
  }
  return best;
}

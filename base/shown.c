/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/shown.c - bytes from outside, made fit for JSON and for terminals.
 */
#include "base/text-private.h"
#include <cairn/base.h>

#include <stdint.h>
#include <string.h>

static int continues(const unsigned char *at, size_t count) {
  for (size_t i = 0; i < count; i++)
    if ((at[i] & 0xc0) != 0x80)
      return 0;
  return 1;
}

size_t cairn_base__utf8_length(const char *start, const char *end) {
  const unsigned char *at = (const unsigned char *)start;
  const size_t left = (size_t)(end - start);
  if (left == 0)
    return 0;
  if (at[0] < 0x80)
    return 1;
  if (at[0] >= 0xc2 && at[0] <= 0xdf && left > 1 && continues(at + 1, 1))
    return 2;
  if ((at[0] & 0xf0) == 0xe0 && left > 2 && continues(at + 1, 2) &&
      !(at[0] == 0xe0 && at[1] < 0xa0) && !(at[0] == 0xed && at[1] > 0x9f))
    return 3;
  if (at[0] >= 0xf0 && at[0] <= 0xf4 && left > 3 && continues(at + 1, 3) &&
      !(at[0] == 0xf0 && at[1] < 0x90) && !(at[0] == 0xf4 && at[1] > 0x8f))
    return 4;
  return 0;
}

size_t cairn_base__text_add_utf8(cairn_base_text *text, const char *at,
                                 const char *end) {
  const size_t length = cairn_base__utf8_length(at, end);
  if (length == 0) {
    cairn_base_text_add(text, "\xef\xbf\xbd"); /* U+FFFD */
    return 1;
  }
  cairn_base__text_add_bytes(text, at, length);
  return length;
}

char *cairn_base_utf8(const char *string) {
  const char *const end = string + strlen(string);
  cairn_base_text text = {0};
  cairn_base_text_add(&text, "");
  while (string < end)
    string += cairn_base__text_add_utf8(&text, string, end);
  if (text.failed)
    cairn_base_text_free(&text);
  return text.data;
}

/* The next character's bytes in JSON; moves past it. */
static const char *next(const char **at, const char *end, size_t *length_p) {
  const char *const start = *at;
  *length_p = cairn_base__utf8_length(start, end);
  *at += *length_p ? *length_p : 1;
  if (*length_p)
    return start;
  *length_p = 3;
  return "\xef\xbf\xbd";
}

int cairn_base__utf8_equal(const char *a, const char *b) {
  const char *const a_end = a + strlen(a), *const b_end = b + strlen(b);
  while (a < a_end && b < b_end) {
    size_t n, m;
    const char *const x = next(&a, a_end, &n), *const y = next(&b, b_end, &m);
    if (n != m || memcmp(x, y, n) != 0)
      return 0;
  }
  return a == a_end && b == b_end;
}

/* The code point of a character of `length` bytes. */
static uint32_t decode(const char *at, size_t length) {
  static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
  uint32_t code = (unsigned char)*at & mask[length];
  for (size_t i = 1; i < length; i++)
    code = code << 6 | ((unsigned char)at[i] & 0x3f);
  return code;
}

/* Beyond ASCII: controls, what cannot be seen, what changes the direction. */
static int is_hidden(uint32_t code) {
  static const uint32_t ranges[][2] = {
      {0x80, 0xa0},       {0xad, 0xad},     {0x34f, 0x34f},
      {0x61c, 0x61c},     {0x115f, 0x1160}, {0x1680, 0x1680},
      {0x17b4, 0x17b5},   {0x180b, 0x180f}, {0x2000, 0x200f},
      {0x2028, 0x202f},   {0x205f, 0x206f}, {0x2800, 0x2800},
      {0x3000, 0x3000},   {0x3164, 0x3164}, {0xe000, 0xf8ff},
      {0xfe00, 0xfe0f},   {0xfeff, 0xfeff}, {0xffa0, 0xffa0},
      {0xfff0, 0xfffb},   {0xfffe, 0xffff}, {0x1d173, 0x1d17a},
      {0xe0000, 0x10ffff}};
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
    if (code >= ranges[i][0] && code <= ranges[i][1])
      return 1;
  return 0;
}

static void add_control(cairn_base_text *text, char c) {
  if (c == '\n' || c == '\t' || c == '\r')
    cairn_base_text_add(text, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
  else
    cairn_base_text_addf(text, "\\x%02x", (unsigned)(unsigned char)c);
}

static int is_plain(char c, int lines) {
  return (c >= ' ' && c < 0x7f) || (lines && (c == '\n' || c == '\t'));
}

void cairn_base_text_add_shown(cairn_base_text *text, const char *string,
                               int lines) {
  const char *const end = string + strlen(string);
  while (string < end) {
    const char *run = string;
    while (run < end && is_plain(*run, lines))
      run++;
    cairn_base__text_add_bytes(text, string, (size_t)(run - string));
    string = run;
    if (string == end)
      break;
    const size_t length = cairn_base__utf8_length(string, end);
    const uint32_t code = length > 1 ? decode(string, length) : 0;
    if (length < 2)
      add_control(text, *string);
    else if (!is_hidden(code))
      cairn_base__text_add_bytes(text, string, length);
    else
      cairn_base_text_addf(text, code < 0x10000 ? "\\u%04x" : "\\U%08x",
                           (unsigned)code);
    string += length ? length : 1;
  }
}

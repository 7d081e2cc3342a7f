/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/json-read.c - a pull reader of JSON that stays in place.
 *
 * Invariant: at <= end; the byte at end may be read and is never part of the
 * text, so looking one byte ahead needs no test of its own.  Numbers take
 * Clinger's exact path (at most 2^53 as digits, a power of ten up to 10^22),
 * the rest goes through cairn_base_to_double.
 */
#include "base/text-private.h"
#include "journal/json-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NUMBER = 63, DEEPEST = 32 };

void cairn_journal__json_start(cairn_dag__json *json, char *data,
                               size_t length) {
  json->at = data;
  json->end = data + length;
  json->wrong[0] = '\0';
}

int cairn_journal__json_fail(cairn_dag__json *json, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(json->wrong, sizeof json->wrong, format, list);
  va_end(list);
  return 0;
}

int cairn_journal__json_expected(cairn_dag__json *json, const char *what) {
  const unsigned char c = (unsigned char)*json->at;
  if (json->at >= json->end)
    return cairn_journal__json_fail(json, "expected %s, found the end", what);
  if (c > ' ' && c < 0x7f)
    return cairn_journal__json_fail(json, "expected %s, found '%c'", what, c);
  return cairn_journal__json_fail(json, "expected %s, found byte 0x%02x", what,
                                  c);
}

static void skip_spaces(cairn_dag__json *json) {
  while (json->at < json->end && (*json->at == ' ' || *json->at == '\t' ||
                                  *json->at == '\r' || *json->at == '\n'))
    json->at++;
}

char cairn_journal__json_peek(cairn_dag__json *json) {
  skip_spaces(json);
  return (char)(json->at < json->end ? *json->at : '\0');
}

int cairn_journal__json_take(cairn_dag__json *json, char c) {
  if (cairn_journal__json_peek(json) != c || json->at >= json->end)
    return 0;
  json->at++;
  return 1;
}

/* ---- strings ---- */

/* The value of four hex digits, or -1. */
static int hex4(const char *at, const char *end) {
  int value = 0;
  if (end - at < 4)
    return -1;
  for (int i = 0; i < 4; i++) {
    const char c = at[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0)
      return -1;
    value = value * 16 + digit;
  }
  return value;
}

static char *put_utf8(char *out, unsigned c) {
  if (c < 0x80) {
    *out++ = (char)c;
  } else if (c < 0x800) {
    *out++ = (char)(0xc0 | c >> 6);
    *out++ = (char)(0x80 | (c & 0x3f));
  } else if (c < 0x10000) {
    *out++ = (char)(0xe0 | c >> 12);
    *out++ = (char)(0x80 | (c >> 6 & 0x3f));
    *out++ = (char)(0x80 | (c & 0x3f));
  } else {
    *out++ = (char)(0xf0 | c >> 18);
    *out++ = (char)(0x80 | (c >> 12 & 0x3f));
    *out++ = (char)(0x80 | (c >> 6 & 0x3f));
    *out++ = (char)(0x80 | (c & 0x3f));
  }
  return out;
}

/* Reads the \u escape whose 'u' was read; appends it to *out. */
static int unicode(cairn_dag__json *json, char **out) {
  const int high = hex4(json->at, json->end);
  unsigned c = (unsigned)high;
  if (high < 0)
    return cairn_journal__json_fail(json, "expected four hex digits after \\u");
  if (high == 0)
    return cairn_journal__json_fail(json,
                                    "expected no NUL in a string, found one");
  json->at += 4;
  if (high >= 0xd800 && high <= 0xdfff) {
    const int low =
        json->end - json->at >= 6 && json->at[0] == '\\' && json->at[1] == 'u'
            ? hex4(json->at + 2, json->end)
            : -1;
    if (high > 0xdbff || low < 0xdc00 || low > 0xdfff)
      return cairn_journal__json_fail(json,
                                      "half of a surrogate pair in a string");
    c = 0x10000 + (((unsigned)high & 0x3ff) << 10) + ((unsigned)low & 0x3ff);
    json->at += 6;
  }
  *out = put_utf8(*out, c);
  return 1;
}

/* Reads the escape whose backslash was read; appends it to *out. */
static int escape(cairn_dag__json *json, char **out) {
  static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
  const char c = *json->at;
  const char *const known = c ? strchr(from, c) : NULL;
  if (json->at >= json->end)
    return cairn_journal__json_expected(json, "an escape");
  if (c == 'u') {
    json->at++;
    return unicode(json, out);
  }
  if (!known)
    return cairn_journal__json_expected(json, "one of \"\\/bfnrtu after \\");
  json->at++;
  *(*out)++ = to[known - from];
  return 1;
}

/* The rest of a string from its first escape or non-ASCII byte on. */
static int string_rest(cairn_dag__json *json, char *out, char **stop_p) {
  while (json->at < json->end && *json->at != '"') {
    const size_t length = cairn_base__utf8_length(json->at, json->end);
    if (*json->at == '\\') {
      json->at++;
      if (!escape(json, &out))
        return 0;
      continue;
    }
    if (length == 0)
      return cairn_journal__json_expected(json, "UTF-8");
    if ((unsigned char)*json->at < ' ')
      return cairn_journal__json_expected(json, "an escape for a control byte");
    memmove(out, json->at, length);
    out += length;
    json->at += length;
  }
  *stop_p = out;
  return 1;
}

/* Past the bytes that a string can hold as they are and that need no look:
 * ASCII from space on, but no quote, backslash or DEL.  Eight at a time: a
 * byte of `odd` has its high bit set when it is none of them (Mycroft's test
 * for a byte that is 0 or small; it may also flag a byte above one that is
 * flagged rightly, which only ends the run a little early). */
static char *skip_plain_bytes(char *at, const char *end) {
  const uint64_t ones = UINT64_MAX / 255, highs = ones * 128;
  while (end - at >= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    const uint64_t quote = word ^ ones * '"', backslash = word ^ ones * '\\';
    const uint64_t odd = (word | (word - ones * 0x20) | (word + ones) |
                          (quote - ones) | (backslash - ones)) &
                         highs;
    if (odd)
      break;
    at += 8;
  }
  while (at < end && *at != '"' && *at != '\\' && *at >= ' ' && *at < 0x7f)
    at++;
  return at;
}

int cairn_journal__json_string(cairn_dag__json *json, char **string_p,
                               size_t *length_p) {
  char *start, *stop;
  if (!cairn_journal__json_take(json, '"'))
    return cairn_journal__json_expected(json, "a string");
  start = json->at;
  json->at = stop = skip_plain_bytes(start, json->end);
  if ((stop >= json->end || *stop != '"') && !string_rest(json, stop, &stop))
    return 0;
  if (json->at >= json->end)
    return cairn_journal__json_expected(json, "'\"' at the end of a string");
  json->at++;
  *stop = '\0';
  *string_p = start;
  *length_p = (size_t)(stop - start);
  return 1;
}

/* ---- numbers ---- */

/* Digits from *at on, gathered in *value while they fit in 19 digits. */
static size_t digits(const char **at, const char *end, uint64_t *value,
                     size_t *gathered) {
  const char *const start = *at;
  while (*at < end && **at >= '0' && **at <= '9') {
    if (*gathered < 19)
      *value = *value * 10 + (uint64_t)(**at - '0');
    *gathered += *value > 0 || *gathered > 0;
    (*at)++;
  }
  return (size_t)(*at - start);
}

static int slow_number(cairn_dag__json *json, const char *stop,
                       double *number_p) {
  char copy[LONGEST_NUMBER + 1];
  const size_t length = (size_t)(stop - json->at);
  if (length > LONGEST_NUMBER)
    return cairn_journal__json_fail(json, "a number of over %d characters",
                                    LONGEST_NUMBER);
  memcpy(copy, json->at, length);
  copy[length] = '\0';
  *number_p = cairn_base_to_double(copy, NULL);
  if (!isfinite(*number_p))
    return cairn_journal__json_fail(json, "a number too large for a double");
  json->at += length;
  return 1;
}

/* Clinger's exact path: 1 when it applied. */
static int fast_number(uint64_t value, long exponent, double *number_p) {
  static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                               1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                               1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (FLT_EVAL_METHOD != 0 || value > UINT64_C(1) << 53 || exponent < -22 ||
      exponent > 22)
    return 0;
  *number_p = exponent < 0 ? (double)value / ten[-exponent]
                           : (double)value * ten[exponent];
  return 1;
}

/* Reads the exponent at *at, if there is one. */
static int exponent_part(const char **at, const char *end, long *exponent_p) {
  uint64_t value = 0;
  size_t gathered = 0;
  int minus = 0;
  if (*at >= end || (**at != 'e' && **at != 'E'))
    return 1;
  (*at)++;
  if (*at < end && (**at == '+' || **at == '-'))
    minus = *(*at)++ == '-';
  if (digits(at, end, &value, &gathered) == 0)
    return 0;
  if (value > 9999)
    value = 9999;
  *exponent_p = minus ? -(long)value : (long)value;
  return 1;
}

int cairn_journal__json_number(cairn_dag__json *json, double *number_p) {
  const char c = cairn_journal__json_peek(json);
  const char *at = json->at + (c == '-');
  const char *const start = at;
  uint64_t value = 0;
  size_t gathered = 0, fraction = 0;
  long exponent = 0;
  const size_t whole = digits(&at, json->end, &value, &gathered);
  if (whole == 0)
    return cairn_journal__json_expected(json, "a number");
  if (whole > 1 && *start == '0')
    return cairn_journal__json_fail(json, "a number that starts with 0");
  if (at < json->end && *at == '.') {
    at++;
    fraction = digits(&at, json->end, &value, &gathered);
    if (fraction == 0)
      return cairn_journal__json_fail(json, "expected digits after the point");
  }
  if (!exponent_part(&at, json->end, &exponent))
    return cairn_journal__json_fail(json, "expected digits in the exponent");
  if (gathered > 19 || !fast_number(value, exponent - (long)fraction, number_p))
    return slow_number(json, at, number_p);
  if (c == '-')
    *number_p = -*number_p;
  json->at = (char *)at;
  return 1;
}

int cairn_journal__json_whole(cairn_dag__json *json, uint64_t most,
                              uint64_t *number_p) {
  const char *at;
  uint64_t value = 0;
  size_t gathered = 0;
  (void)cairn_journal__json_peek(json);
  at = json->at;
  if (digits(&at, json->end, &value, &gathered) == 0)
    return cairn_journal__json_expected(json, "a whole number");
  if (at - json->at > 1 && *json->at == '0')
    return cairn_journal__json_fail(json, "a number that starts with 0");
  if (at < json->end && (*at == '.' || *at == 'e' || *at == 'E'))
    return cairn_journal__json_fail(json, "expected a whole number");
  if (gathered > 19 || value > most)
    return cairn_journal__json_fail(json, "expected a number up to %llu",
                                    (unsigned long long)most);
  json->at = (char *)at;
  *number_p = value;
  return 1;
}

/* ---- the rest ---- */

int cairn_journal__json_word(cairn_dag__json *json, const char *word) {
  const size_t length = strlen(word);
  (void)cairn_journal__json_peek(json);
  if ((size_t)(json->end - json->at) < length ||
      memcmp(json->at, word, length) != 0)
    return 0;
  json->at += length;
  return 1;
}

/* Reads past one value that is neither object nor array. */
static int skip_plain(cairn_dag__json *json) {
  char *string;
  size_t length;
  double number;
  const char c = cairn_journal__json_peek(json);
  if (c == '"')
    return cairn_journal__json_string(json, &string, &length);
  if (c == '-' || (c >= '0' && c <= '9'))
    return cairn_journal__json_number(json, &number);
  return cairn_journal__json_word(json, "null") ||
         cairn_journal__json_word(json, "true") ||
         cairn_journal__json_word(json, "false") ||
         cairn_journal__json_expected(json, "a value");
}

static int skip_value(cairn_dag__json *json, int depth);

static int skip_members(cairn_dag__json *json, int depth) {
  char *name;
  int first = 1, more;
  while ((more = cairn_journal__json_member(json, &first, &name)) > 0)
    if (!skip_value(json, depth + 1))
      return 0;
  return more == 0;
}

static int skip_items(cairn_dag__json *json, int depth) {
  int first = 1, more;
  while ((more = cairn_journal__json_item(json, &first)) > 0)
    if (!skip_value(json, depth + 1))
      return 0;
  return more == 0;
}

static int skip_value(cairn_dag__json *json, int depth) {
  if (depth > DEEPEST)
    return cairn_journal__json_fail(json, "nested deeper than %d", DEEPEST);
  if (cairn_journal__json_take(json, '{'))
    return skip_members(json, depth);
  if (cairn_journal__json_take(json, '['))
    return skip_items(json, depth);
  return skip_plain(json);
}

int cairn_journal__json_skip(cairn_dag__json *json) {
  return skip_value(json, 0);
}

/* Steps to the next part of an object or array that `close` ends. */
static int step(cairn_dag__json *json, int *first, char close,
                const char *expected) {
  if (cairn_journal__json_take(json, close)) {
    return 0;
  }
  if (!*first && !cairn_journal__json_take(json, ',')) {
    cairn_journal__json_expected(json, expected);
    return -1;
  }
  *first = 0;
  return 1;
}

int cairn_journal__json_member(cairn_dag__json *json, int *first,
                               char **name_p) {
  size_t length;
  const int more = step(json, first, '}', "',' or '}'");
  if (more <= 0)
    return more;
  if (!cairn_journal__json_string(json, name_p, &length))
    return -1;
  if (!cairn_journal__json_take(json, ':')) {
    cairn_journal__json_expected(json, "':'");
    return -1;
  }
  return 1;
}

int cairn_journal__json_item(cairn_dag__json *json, int *first) {
  return step(json, first, ']', "',' or ']'");
}

int cairn_journal__json_finish(cairn_dag__json *json) {
  (void)cairn_journal__json_peek(json);
  return json->at >= json->end ||
         cairn_journal__json_expected(json, "nothing after the object");
}

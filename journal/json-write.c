/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/json-write.c - compact JSON, appended to a text.
 * Invariant: what is written here, journal/json-read.c reads back equal.
 */
#include "base/text-private.h"
#include "journal/json-private.h"
#include <cairn/journal.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Appends the character at `at`, escaped where it must be; its length. */
static size_t add_character(cairn_base_text *text, const char *at,
                            const char *end) {
  if (*at == '"' || *at == '\\') {
    cairn_base__text_add_bytes(text, "\\", 1);
    cairn_base__text_add_bytes(text, at, 1);
  } else if (*at == '\n') {
    cairn_base_text_add(text, "\\n");
  } else if (*at == '\t') {
    cairn_base_text_add(text, "\\t");
  } else if ((unsigned char)*at < ' ') {
    cairn_base_text_addf(text, "\\u%04x", (unsigned)*at);
  } else {
    return cairn_base__text_add_utf8(text, at, end);
  }
  return 1;
}

static int plain(char c) {
  return c >= ' ' && c < 0x7f && c != '"' && c != '\\';
}

void cairn_journal__json_add_string(cairn_base_text *text, const char *string) {
  if (!string) {
    cairn_base_text_add(text, "null");
    return;
  }
  const char *const end = string + strlen(string);
  cairn_base__text_add_bytes(text, "\"", 1);
  while (string < end) {
    const char *run = string;
    while (run < end && plain(*run))
      run++;
    cairn_base__text_add_bytes(text, string, (size_t)(run - string));
    string = run;
    if (string < end)
      string += add_character(text, string, end);
  }
  cairn_base__text_add_bytes(text, "\"", 1);
}

void cairn_journal__json_add_number(cairn_base_text *text, double number) {
  char digits[40];
  if (!isfinite(number)) {
    cairn_base_text_add(text, "null");
    return;
  }
  for (int precision = 15; precision <= 17; precision++) {
    cairn_base_format(digits, sizeof digits, "%.*g", precision, number);
    const double back = cairn_base_to_double(digits, NULL);
    if (memcmp(&back, &number, sizeof back) == 0)
      break;
  }
  cairn_base_text_add(text, digits);
}

void cairn_journal__json_add_whole(cairn_base_text *text, uint64_t number) {
  const char *const quote = number > UINT64_C(1) << 53 ? "\"" : "";
  cairn_base_text_addf(text, "%s%" PRIu64 "%s", quote, number, quote);
}

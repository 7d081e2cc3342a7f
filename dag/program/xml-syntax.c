/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/xml-syntax.c - the bytes of a program file, before any parser
 * sees them: no NUL, UTF-8 and nothing else, a bounded size.
 */
#include "base/text-private.h"
#include "dag/program/xml-private.h"
#include <cairn/dag.h>

#include <string.h>
#include <strings.h>

static size_t line_of(const char *data, const char *at) {
  size_t line = 1;
  for (; data < at; data++)
    line += *data == '\n';
  return line;
}

static int is_utf16(const char *data, size_t length) {
  return length >= 2 &&
         (memcmp(data, "\xff\xfe", 2) == 0 || memcmp(data, "\xfe\xff", 2) == 0);
}

static int check_bytes(cairn_dag__xml *x, const char *data, size_t length) {
  const char *at = data, *const end = data + length;
  while (at < end) {
    const size_t step = cairn_base__utf8_length(at, end);
    if (step == 0) {
      cairn_dag__xml_complain(x, line_of(data, at),
                              "expected UTF-8, found byte 0x%02x at offset %zu",
                              (unsigned)(unsigned char)*at,
                              (size_t)(at - data));
      return 0;
    }
    if (*at == '\0') {
      cairn_dag__xml_complain(x, line_of(data, at),
                              "expected text, found a NUL byte at offset %zu",
                              (size_t)(at - data));
      return 0;
    }
    at += step;
  }
  return 1;
}

/* The declaration <?xml ... encoding="..."?>, if there is one. */
static int check_encoding(cairn_dag__xml *x, const char *data, size_t length) {
  const size_t mark = length >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0;
  const char *at = data + 3 * mark;
  const char *const stop = strstr(at, "?>");
  if (strncmp(at, "<?xml", 5) != 0 || !stop)
    return 1;
  at = strstr(at, "encoding");
  if (!at || at >= stop)
    return 1;
  at += strcspn(at, "\"'");
  if (at >= stop)
    return 1;
  const size_t name = strcspn(at + 1, "\"'");
  if ((name == 5 && strncasecmp(at + 1, "UTF-8", 5) == 0) ||
      (name == 8 && strncasecmp(at + 1, "US-ASCII", 8) == 0))
    return 1;
  cairn_dag__xml_complain(x, line_of(data, at),
                          "expected encoding \"UTF-8\", found \"%.*s\"",
                          (int)(name < 40 ? name : 40), at + 1);
  return 0;
}

/* Past a comment, CDATA section or processing instruction that starts at `at`;
 * `at` itself when none does; NULL when it has no end. */
static const char *skip_special(const char *at) {
  static const char *const pairs[][2] = {
      {"<!--", "-->"}, {"<![CDATA[", "]]>"}, {"<?", "?>"}};
  for (size_t i = 0; i < 3; i++)
    if (strncmp(at, pairs[i][0], strlen(pairs[i][0])) == 0) {
      const char *const stop = strstr(at + strlen(pairs[i][0]), pairs[i][1]);
      return stop ? stop + strlen(pairs[i][1]) : NULL;
    }
  return at;
}

/* Counts the values in quotes of the tag that starts at *at, which moves past
 * it. */
static size_t count_values(const char **at) {
  size_t values = 0;
  const char *p = *at + 1;
  while (*p && *p != '>' && *p != '<') {
    const char quote = *p++;
    if (quote != '"' && quote != '\'')
      continue;
    values++;
    while (*p && *p != quote)
      p++;
    p += *p != '\0';
  }
  *at = p;
  return values;
}

/* libxml2 compares each attribute of a tag with all others: with hundreds of
 * thousands of them that takes minutes. */
static int check_attributes(cairn_dag__xml *x, const char *data) {
  const char *at = strchr(data, '<');
  while (at && *at) {
    const char *const after = skip_special(at);
    const char *const tag = at;
    if (!after)
      return 1; /* not well-formed: said later */
    at = after;
    if (at == tag && count_values(&at) > CAIRN_DAG__XML_MAX_ATTRIBUTES) {
      cairn_dag__xml_complain(x, line_of(data, tag),
                              "expected at most %d attributes in an element",
                              CAIRN_DAG__XML_MAX_ATTRIBUTES);
      return 0;
    }
    at = strchr(at, '<');
  }
  return 1;
}

int cairn_dag__xml_plain(cairn_dag__xml *x, const char *data, size_t length) {
  if (length > CAIRN_DAG__XML_MAX_FILE) {
    cairn_dag__xml_complain(
        x, 0, "a program file may hold %d bytes, this one has %zu",
        CAIRN_DAG__XML_MAX_FILE, length);
    return 0;
  }
  if (length == 0) {
    cairn_dag__xml_complain(x, 1, "expected <program>, found an empty file");
    return 0;
  }
  if (is_utf16(data, length)) {
    cairn_dag__xml_complain(x, 1, "expected UTF-8, found UTF-16");
    return 0;
  }
  return check_bytes(x, data, length) && check_encoding(x, data, length) &&
         check_attributes(x, data);
}

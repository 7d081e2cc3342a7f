/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/corpus.c - see corpus.h.
 */
#include "tests/dag/corpus.h"
#include "base/text-private.h"

#include <stdlib.h>
#include <string.h>

static void stop(const char *what, const char *name) {
  fprintf(stderr, "corpus: %s: %s\n", name, what);
  exit(99);
}

const char *corpus_path(const char *name) {
  static char path[4096];
  snprintf(path, sizeof path, "%s/tests/data/%s", SRCDIR, name);
  return path;
}

static char *after_prefix(char *text, const char *prefix) {
  const size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

/* ---- escapes ---- */

static void repeat(cairn_base_text *out, size_t count, const char *text,
                   size_t length) {
  for (size_t n = 0; n < count; n++)
    for (size_t i = 0; i < length; i++)
      if (text[i] == '\\' && i + 1 < length && text[i + 1] == '#') {
        cairn_base_text_addf(out, "%zu", n);
        i++;
      } else {
        cairn_base__text_add_bytes(out, text + i, 1);
      }
}

static void unescape(corpus_case *c) {
  cairn_base_text out = {0};
  const char *at = c->input, *const end = at + c->length;
  while (at < end) {
    if (end - at >= 4 && at[0] == '\\' && at[1] == 'x') {
      const char hex[3] = {at[2], at[3], '\0'};
      const char byte = (char)strtoul(hex, NULL, 16);
      cairn_base__text_add_bytes(&out, &byte, 1);
      at += 4;
    } else if (end - at >= 2 && at[0] == '\\' && at[1] == '{') {
      char *text;
      const size_t count = strtoul(at + 2, &text, 10);
      const char *const close = strchr(text, '}');
      if (*text != ':' || !close)
        stop("bad \\{COUNT:TEXT}", c->name);
      repeat(&out, count, text + 1, (size_t)(close - text) - 1);
      at = close + 1;
    } else {
      cairn_base__text_add_bytes(&out, at++, 1);
    }
  }
  cairn_base__text_add_bytes(&out, "", 0);
  free(c->input);
  c->length = out.length;
  c->input = malloc(out.length + 1);
  memcpy(c->input, out.data, out.length + 1);
  cairn_base_text_free(&out);
}

/* ---- reading ---- */

static char *copy(const char *text, size_t length) {
  char *const made = malloc(length + 1);
  memcpy(made, text, length);
  made[length] = '\0';
  return made;
}

/* Splits "NAME [flag] [flag]". */
static void read_head(corpus_case *c, char *head) {
  char *flag = strchr(head, '[');
  c->name = copy(head, flag ? (size_t)(flag - head) - 1 : strlen(head));
  for (; flag; flag = strchr(flag + 1, '[')) {
    char *const why = after_prefix(flag, "[schema accepts: ");
    if (after_prefix(flag, "[escaped]"))
      c->escaped = 1;
    else if (why)
      c->why_accepted = copy(why, strcspn(why, "]"));
    else
      stop("unknown flag", head);
  }
}

/* Reads the case whose head starts at `at`; where the next one starts. */
static char *read_case(corpus_case *c, char *at, char *end) {
  char *line = strchr(at, '\n'), *input, *next;
  *line = '\0';
  read_head(c, at + 3);
  at = line + 1;
  input = strncmp(at, "--\n", 3) == 0 ? at : strstr(at, "\n--\n");
  if (!input)
    stop("no -- line", c->name);
  input += *input == '\n';
  c->expected = copy(at, (size_t)(input - at));
  input += 3;
  next = strncmp(input, "== ", 3) == 0 ? input - 1 : strstr(input, "\n== ");
  next = next ? next : end - 1;
  c->length = next > input ? (size_t)(next - input) : 0;
  c->input = copy(input, c->length);
  if (c->escaped)
    unescape(c);
  return next + 1;
}

corpus corpus_read(const char *name) {
  corpus c = {0};
  char *data, *at, *end;
  size_t length, room = 0;
  cairn_base_diag *diag;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    exit(99);
  if (cairn_base_file_read(corpus_path(name), (size_t)1 << 26, diag, &data,
                           &length) != CAIRN_OK) {
    cairn_base_diag_print(diag, stderr);
    exit(99);
  }
  cairn_base_diag_free(diag);
  end = data + length;
  at = strncmp(data, "== ", 3) == 0 ? data : strstr(data, "\n== ");
  at += at && *at == '\n';
  while (at && at < end) {
    if (c.count == room) {
      room = room ? 2 * room : 64;
      c.cases = realloc(c.cases, room * sizeof *c.cases);
    }
    memset(&c.cases[c.count], 0, sizeof *c.cases);
    at = read_case(&c.cases[c.count++], at, end);
  }
  cairn_base_free(data);
  return c;
}

void corpus_free(corpus *c) {
  for (size_t i = 0; i < c->count; i++) {
    free(c->cases[i].name);
    free(c->cases[i].why_accepted);
    free(c->cases[i].expected);
    free(c->cases[i].input);
  }
  free(c->cases);
}

/* ---- checking ---- */

void corpus_messages(const cairn_base_diag *diag, cairn_base_text *found) {
  static const char *const words[] = {"", "warning: ", "note: "};
  for (size_t i = 0; i < cairn_base_diag_count(diag); i++) {
    const cairn_base_message *const m = cairn_base_diag_get(diag, i);
    cairn_base_text_addf(found, "%zu: %s%s\n", m->line, words[m->severity],
                         m->text);
  }
}

void corpus_write(const char *path, const char *data, size_t length) {
  FILE *const file = fopen(path, "wb");
  if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0)
    stop("cannot be written", path);
}

int corpus_check(const char *name, corpus_run run) {
  corpus c = corpus_read(name);
  int bad = 0;
  for (size_t i = 0; i < c.count; i++) {
    cairn_base_text found = {0};
    cairn_base_text_add(&found, "");
    run(&c.cases[i], &found);
    if (strcmp(found.data, c.cases[i].expected) != 0) {
      printf("%s: %s\nexpected:\n%sfound:\n%s\n", name, c.cases[i].name,
             c.cases[i].expected, found.data);
      bad++;
    }
    cairn_base_text_free(&found);
  }
  printf("%s: %zu cases, %d differ\n", name, c.count, bad);
  corpus_free(&c);
  return bad;
}

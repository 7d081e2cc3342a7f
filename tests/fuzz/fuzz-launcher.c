/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-launcher.c - the environment that a launcher made, lines of
 * NAME=VALUE: how many processes there are, and which this is.  The order of
 * lines says nothing, and both answers are the value of some variable.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exec/world-private.h"
#include <cairn/exec.h>

typedef struct lines {
  char *line[64];
  size_t count;
  int backwards;
} lines;

/* The first of this name, or the last when read backwards. */
static const char *variable(void *from, const char *name) {
  const lines *const all = from;
  const size_t length = strlen(name);
  for (size_t i = 0; i < all->count; i++) {
    const char *const line = all->line[all->backwards ? all->count - 1 - i : i];
    if (strncmp(line, name, length) == 0 && line[length] == '=')
      return line + length + 1;
  }
  return NULL;
}

static int is_repeated(const lines *all) {
  for (size_t i = 0; i < all->count; i++)
    for (size_t k = 0; k < i; k++) {
      const size_t length = strcspn(all->line[i], "=");
      if (strncmp(all->line[i], all->line[k], length + 1) == 0)
        return 1;
    }
  return 0;
}

/* Is it the value of a variable, leading zeros aside? */
static int is_value(const lines *all, int n) {
  char text[16];
  snprintf(text, sizeof text, "%d", n);
  for (size_t i = 0; i < all->count; i++) {
    const char *value = strchr(all->line[i], '=');
    if (!value)
      continue;
    value++;
    while (value[0] == '0' && value[1])
      value++;
    if (strcmp(value, text) == 0)
      return 1;
  }
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  lines all = {.count = 0};
  char *const text = malloc(size + 1), *at = text;
  if (!text)
    abort();
  if (size > 0)
    memcpy(text, data, size);
  text[size] = '\0';
  while (at && all.count < sizeof all.line / sizeof *all.line) {
    char *const end = strchr(at, '\n');
    all.line[all.count++] = at;
    if (end)
      *end = '\0';
    at = end ? end + 1 : NULL;
  }
  const int ranks = cairn_exec__launched_in(variable, &all);
  const int rank = cairn_exec__rank_in(variable, &all);
  fuzz_promise(ranks >= 0 && rank >= 0, "a negative number");
  fuzz_promise(ranks == 0 || is_value(&all, ranks), "ranks out of nothing");
  fuzz_promise(rank == 0 || is_value(&all, rank), "a rank out of nothing");
  if (!is_repeated(&all)) {
    all.backwards = 1;
    fuzz_promise(ranks == cairn_exec__launched_in(variable, &all) &&
                     rank == cairn_exec__rank_in(variable, &all),
                 "the order of variables matters");
  }
  free(text);
  return 0;
}

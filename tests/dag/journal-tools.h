/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/journal-tools.h - what the tests of journals share: a temporary
 * folder, sealing lines by hand, checks that print both values.
 */
#ifndef TESTS_DAG_JOURNAL_TOOLS_H
#define TESTS_DAG_JOURNAL_TOOLS_H

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static int tools_fails;

#define CHECK(condition, ...)                                                  \
  do {                                                                         \
    if (!(condition)) {                                                        \
      printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);                   \
      printf(__VA_ARGS__);                                                     \
      printf("\n");                                                            \
      tools_fails++;                                                           \
    }                                                                          \
  } while (0)

/* Makes a temporary folder and goes there. */
static inline void tools_enter(char folder[64]) {
  /* in memory when there is room: the tests flush files thousands of times */
  strcpy(folder, access("/dev/shm", W_OK) == 0 ? "/dev/shm/cairn-test-XXXXXX"
                                               : "/tmp/cairn-test-XXXXXX");
  if (!mkdtemp(folder) || chdir(folder) != 0) {
    perror(folder);
    exit(99);
  }
}

static inline void tools_leave(const char *folder) {
  if (chdir("/") != 0 || rmdir(folder) != 0)
    printf("%s is not empty: a file was left\n", folder), tools_fails++;
}

/* A record whose checksum is the word * gets the right one; appended to out. */
static inline void tools_seal(cairn_base_text *out, const char *line,
                              size_t length) {
  static const char open[] = ",\"x\":\"*\"}";
  const size_t mark = sizeof open - 1;
  if (length > mark && memcmp(line + length - mark, open, mark) == 0) {
    cairn_base__text_add_bytes(out, line, length - mark);
    cairn_base_text_addf(out, ",\"x\":\"%016" PRIx64 "\"}",
                         (uint64_t)XXH3_64bits(line, length - mark));
  } else {
    cairn_base__text_add_bytes(out, line, length);
  }
}

/* All lines of a text, sealed. */
static inline void tools_seal_all(cairn_base_text *out, const char *data,
                                  size_t length) {
  const char *const end = data + length;
  while (data < end) {
    const char *const newline = memchr(data, '\n', (size_t)(end - data));
    const char *const stop = newline ? newline : end;
    tools_seal(out, data, (size_t)(stop - data));
    if (newline)
      cairn_base_text_add(out, "\n");
    data = stop + 1;
  }
}

static inline void tools_write(const char *path, const char *data,
                               size_t length) {
  FILE *const file = fopen(path, "wb");
  if (!file || fwrite(data, 1, length, file) != length || fclose(file) != 0) {
    perror(path);
    exit(99);
  }
}

static inline cairn_base_diag *tools_diag(void) {
  cairn_base_diag *diag;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    exit(99);
  return diag;
}

/* The text of the first message, "" without one. */
static inline const char *tools_first(const cairn_base_diag *diag) {
  return cairn_base_diag_count(diag) ? cairn_base_diag_get(diag, 0)->text : "";
}

/* The smallest header. */
static inline cairn_journal_header tools_header(void) {
  cairn_journal_header header = {
      .cairn = "test", .backend = "host", .gpu_aware = -1, .objective = "p10"};
  return header;
}

/* One schedule an id, "start a<id> end"; the text lives until the next call. */
static inline const char *tools_schedule(uint64_t id) {
  static char text[40];
  snprintf(text, sizeof text, "start a%" PRIu64 " end", id);
  return text;
}

static inline cairn_journal_result tools_result(uint64_t id,
                                                const char *schedule) {
  cairn_journal_result result = {
      .id = id,
      .schedule = schedule,
      .times = {.samples = 5,
                .p = {1e-5, 1.5e-5, 2e-5, 3e-5, 4e-5},
                .stddev = 1e-7,
                .low = NAN,
                .high = NAN},
      .at = (double)id};
  return result;
}

#endif

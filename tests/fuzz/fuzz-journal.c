/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-journal.c - journals, as they come and with all checksums
 * made right (or the fuzzer would never get past them).  What is read can be
 * written; that is read again, and written again the same.
 */
#include "base/text-private.h"
#include "journal/journal-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/journal.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void use(const cairn_journal_run *run) {
  size_t bytes = 0;
  for (size_t i = 0; i < run->results; i++) {
    bytes += strlen(run->result[i].schedule);
    for (size_t k = 0; k < run->result[i].facts; k++)
      bytes += strlen(run->result[i].fact[k].name);
  }
  for (size_t i = 0; i < run->begun_count; i++)
    bytes += strlen(run->begun[i].schedule);
  for (size_t i = 0; i < run->header.params; i++)
    bytes +=
        strlen(run->header.param_name[i]) + strlen(run->header.param_value[i]);
  for (size_t i = 0; i < run->header.hosts; i++)
    bytes += strlen(run->header.host[i]);
  fuzz_promise(bytes < SIZE_MAX, "never");
}

/* ---- there and back ---- */

static void must(cairn_status status, const char *what) {
  fuzz_promise(status == CAIRN_OK, what);
}

static void write_run(const cairn_journal_run *run, const char *path) {
  static const char refused[] = "what was read cannot be written";
  cairn_journal *journal = NULL;
  must(cairn_journal__open(path, CAIRN_JOURNAL_NEW, &run->header, NULL,
                           &journal),
       refused);
  for (size_t i = 0; i < run->results; i++)
    must(cairn_journal__append_result(journal, &run->result[i], NULL), refused);
  for (size_t i = 0; i < run->begun_count; i++)
    must(cairn_journal__append_begin(journal, run->begun[i].id,
                                     run->begun[i].schedule, NULL),
         refused);
  if (run->end_reason)
    must(cairn_journal__append_end(journal, run->end_count, run->end_reason,
                                   NULL),
         refused);
  cairn_journal__close(journal);
}

static void there_and_back(const cairn_journal_run *run) {
  const char *const path = fuzz_output();
  char *bytes[2] = {NULL, NULL};
  size_t length[2] = {0, 0};
  const cairn_journal_run *from = run;
  cairn_journal_run *again = NULL;
  for (int i = 0; i < 2; i++) {
    write_run(from, path);
    must(cairn_base_file_read(path, SIZE_MAX / 2, NULL, &bytes[i], &length[i]),
         "no file");
    if (i == 0)
      must(cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, NULL, &again),
           "what was written cannot be read");
    from = again;
    unlink(path);
  }
  fuzz_promise(length[0] == length[1] &&
                   memcmp(bytes[0], bytes[1], length[0]) == 0,
               "other bytes the second time");
  cairn_journal_run_free(again);
  cairn_base_free(bytes[0]);
  cairn_base_free(bytes[1]);
}

static void read_it(const uint8_t *data, size_t size, unsigned flags) {
  cairn_journal_run *run = NULL;
  cairn_base_diag *diag = NULL;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    abort();
  const cairn_status status =
      cairn_journal_run_read(fuzz_file(data, size), flags, diag, &run);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT, "a wrong status");
  fuzz_promise((status == CAIRN_OK) == (cairn_base_diag_errors(diag) == 0),
               "refused without a message, or read with one");
  if (status == CAIRN_OK)
    use(run);
  if (status == CAIRN_OK && flags == CAIRN_JOURNAL_RUN_STRICT)
    there_and_back(run);
  cairn_journal_run_free(run);
  cairn_base_diag_free(diag);
}

/* A line that ends with '}' gets its checksum. */
static void seal_line(cairn_base_text *out, const char *line, size_t length) {
  if (length > 1 && line[length - 1] == '}') {
    cairn_base__text_add_bytes(out, line, length - 1);
    cairn_base_text_addf(out, ",\"x\":\"%016" PRIx64 "\"}",
                         (uint64_t)XXH3_64bits(line, length - 1));
  } else {
    cairn_base__text_add_bytes(out, line, length);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const char *at = (const char *)data, *const end = at + size;
  cairn_base_text sealed = {0};
  read_it(data, size, CAIRN_JOURNAL_RUN_SALVAGE | CAIRN_JOURNAL_RUN_UNBORN);
  cairn_base_text_add(&sealed, "");
  while (at < end) {
    const char *const newline = memchr(at, '\n', (size_t)(end - at));
    const char *const stop = newline ? newline : end;
    seal_line(&sealed, at, (size_t)(stop - at));
    cairn_base_text_add(&sealed, newline ? "\n" : "");
    at = stop + 1;
  }
  read_it((const uint8_t *)sealed.data, sealed.length,
          CAIRN_JOURNAL_RUN_STRICT);
  cairn_base_text_free(&sealed);
  return 0;
}

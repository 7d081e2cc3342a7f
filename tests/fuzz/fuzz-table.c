/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-table.c - foreign tables; what is imported must be a journal
 * with as many results, each with a schedule that can be read, and the same
 * bytes the next time.
 */
#include "dag/schedule/sequence-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <string.h>
#include <unistd.h>

static void use(const cairn_journal_run *run) {
  cairn_dag_intern *intern = NULL;
  cairn_dag_sequence sequence = {0};
  if (cairn_dag__intern_create(&intern) != CAIRN_OK)
    return;
  for (size_t i = 0; i < run->results; i++) {
    const char *const text = run->result[i].schedule;
    fuzz_promise(cairn_dag__sequence_parse(text, strlen(text), intern, NULL, 0,
                                           NULL, &sequence) == CAIRN_OK,
                 "a schedule that cannot be read");
  }
  cairn_dag__sequence_free(&sequence);
  cairn_dag__intern_free(intern);
}

/* The journal, or NULL when the table is refused. */
static char *import(const uint8_t *data, size_t size, size_t *length_p,
                    size_t *rows_p) {
  static const char *const rename[] = {"a=b"};
  const char *const out = fuzz_output();
  char *bytes = NULL;
  const cairn_status status = cairn_journal_table_import(
      fuzz_file(data, size), out, rename, size > 0 && data[size - 1] == '\n',
      "t", NULL, rows_p);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT ||
                   status == CAIRN_USAGE,
               "a wrong status");
  fuzz_promise((access(out, F_OK) == 0) == (status == CAIRN_OK),
               "a refused table left a journal, or a good one none");
  if (status == CAIRN_OK)
    fuzz_promise(cairn_base_file_read(out, SIZE_MAX / 2, NULL, &bytes,
                                      length_p) == CAIRN_OK,
                 "no journal");
  return bytes;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t length = 0, length_again = 0, rows = 0, rows_again = 0;
  cairn_journal_run *run = NULL;
  char *const journal = import(data, size, &length, &rows);
  if (!journal)
    return 0;
  fuzz_promise(cairn_journal_run_read(fuzz_output(), CAIRN_JOURNAL_RUN_STRICT,
                                      NULL, &run) == CAIRN_OK,
               "its journal is refused");
  fuzz_promise(run->results == rows, "rows are lost");
  use(run);
  cairn_journal_run_free(run);
  unlink(fuzz_output());
  char *const again = import(data, size, &length_again, &rows_again);
  fuzz_promise(again && length == length_again && rows == rows_again &&
                   memcmp(journal, again, length) == 0,
               "another journal the second time");
  cairn_base_free(journal);
  cairn_base_free(again);
  unlink(fuzz_output());
  return 0;
}

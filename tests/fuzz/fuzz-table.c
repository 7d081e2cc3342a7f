/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-table.c - foreign tables; what is imported must be a journal
 * with as many results.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include <cairn/dag.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const rename[] = {"a=b"};
  static char out[64];
  size_t rows = 0;
  cairn_dag_run *run = NULL;
  if (!out[0])
    snprintf(out, sizeof out, "%s/cairn-fuzz-%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
  const cairn_status status = cairn_dag_table_import(
      fuzz_file(data, size), out, rename, size > 0 && data[size - 1] == '\n',
      "t", NULL, &rows);
  if (status == CAIRN_OK) {
    fuzz_promise(cairn_dag_run_read(out, 0, NULL, &run) == CAIRN_OK,
                 "its journal is refused");
    fuzz_promise(run->results == rows, "rows are lost");
    cairn_dag_run_free(run);
    unlink(out);
  }
  fuzz_promise(access(out, F_OK) != 0, "a refused table left a journal");
  return 0;
}

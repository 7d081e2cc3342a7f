/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-matrix.c - Matrix Market files, read as one part and as the
 * middle one of three.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/spmv/matrix-market.h"

static void read_part(const uint8_t *data, size_t size, int part, int parts) {
  char message[256] = "";
  spmv_matrix matrix = {0};
  FILE *const file = fmemopen((void *)data, size, "r");
  if (!file)
    return;
  if (spmv_market_parse(file, "fuzz", part, parts, &matrix, message,
                        sizeof message) == 0) {
    const spmv_csr *const csr = &matrix.csr;
    for (int64_t i = 0; i < csr->start[csr->rows]; i++)
      fuzz_promise(csr->column[i] >= 0 && csr->column[i] < matrix.total,
                   "a column outside");
    spmv_matrix_free(&matrix);
  } else {
    fuzz_promise(message[0] != '\0', "refused without a message");
  }
  fclose(file);
}

/* Rows that the file promises: they alone take time and memory. */
static long promised_rows(const uint8_t *data, size_t size) {
  const char *at = (const char *)data, *const end = at + size;
  while (at < end && *at == '%') {
    const char *const newline = memchr(at, '\n', (size_t)(end - at));
    at = newline ? newline + 1 : end;
  }
  char text[32] = "";
  memcpy(text, at, (size_t)(end - at) < 31 ? (size_t)(end - at) : 31);
  return strtol(text, NULL, 10);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || promised_rows(data, size) > 100000)
    return 0;
  read_part(data, size, 0, 1);
  read_part(data, size, 1, 3);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-matrix.c - Matrix Market files, read as one part and as
 * three, which together are the one.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/spmv/matrix-market.h"

/* 1: read. */
static int read_part(const uint8_t *data, size_t size, int part, int parts,
                     spmv_matrix *matrix) {
  char message[256] = "";
  FILE *const file = fmemopen((void *)data, size, "r");
  if (!file)
    abort();
  const int ok = spmv_market_parse(file, "fuzz", part, parts, matrix, message,
                                   sizeof message) == 0;
  fuzz_promise(ok || message[0] != '\0', "refused without a message");
  if (ok) {
    const spmv_csr *const csr = &matrix->csr;
    fuzz_promise(csr->rows == matrix->last - matrix->first &&
                     csr->start[0] == 0,
                 "rows that do not fit");
    for (int64_t i = 0; i < csr->start[csr->rows]; i++)
      fuzz_promise(csr->column[i] >= 0 && csr->column[i] < matrix->total,
                   "a column outside");
  }
  fclose(file);
  return ok;
}

/* The part is the whole's rows from `first` on. */
static void compare(const spmv_matrix *whole, const spmv_matrix *part) {
  const spmv_csr *const w = &whole->csr, *const p = &part->csr;
  const int64_t from = w->start[part->first];
  const size_t count = (size_t)p->start[p->rows];
  fuzz_promise(w->start[part->last] - from == (int64_t)count,
               "another number of entries in a part");
  if (count == 0)
    return;
  fuzz_promise(
      memcmp(w->column + from, p->column, count * sizeof *p->column) == 0 &&
          memcmp(w->value + from, p->value, count * sizeof *p->value) == 0,
      "other entries in a part");
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
  enum { PARTS = 3 };
  spmv_matrix whole = {0};
  int all = 1;
  const int ok = read_part(data, size, 0, 1, &whole);
  for (int part = 0; part < PARTS; part++) {
    spmv_matrix matrix = {0};
    const int read = read_part(data, size, part, PARTS, &matrix);
    all &= read;
    if (read && ok)
      compare(&whole, &matrix);
    if (read)
      spmv_matrix_free(&matrix);
  }
  /* some faults are seen by who keeps the row alone */
  fuzz_promise(all == ok,
               "the parts are read and the whole is not, or reverse");
  if (ok)
    spmv_matrix_free(&whole);
  return 0;
}

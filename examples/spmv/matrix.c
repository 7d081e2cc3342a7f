/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix.c - generates, multiplies and splits a rank's rows.
 */
#include "matrix.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int64_t spmv_first_row(int64_t rows, int part, int parts) {
  return rows * part / parts;
}

int spmv_owner(int64_t rows, int64_t row, int parts) {
  int low = 0, high = parts - 1; /* the last part that starts at or before */
  while (low < high) {
    int middle = low + (high - low + 1) / 2;
    if (spmv_first_row(rows, middle, parts) <= row)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

int spmv_csr_alloc(spmv_csr *csr, int32_t rows, int64_t entries) {
  size_t n = (size_t)entries + 1; /* never 0 bytes */
  csr->rows = rows;
  csr->start = calloc((size_t)rows + 1, sizeof *csr->start);
  csr->column = calloc(n, sizeof *csr->column);
  csr->value = calloc(n, sizeof *csr->value);
  if (csr->start != NULL && csr->column != NULL && csr->value != NULL)
    return 0;
  spmv_csr_free(csr);
  return 1;
}

void spmv_csr_free(spmv_csr *csr) {
  free(csr->start);
  free(csr->column);
  free(csr->value);
  *csr = (spmv_csr){0};
}

void spmv_matrix_free(spmv_matrix *matrix) { spmv_csr_free(&matrix->csr); }

/* Splitmix64: a step of the sequence, mixed. */
static uint64_t next(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static float small_number(uint64_t random) { /* -8..-1, 1..8 */
  int v = (int)(random % 16) - 8;
  return (float)(v < 0 ? v : v + 1);
}

float spmv_x(int64_t column) {
  uint64_t state = (uint64_t)column;
  return small_number(next(&state));
}

/* Puts a column into an ascending list, if it is new. */
static int insert(int32_t *list, int count, int32_t column) {
  int at = count;
  while (at > 0 && list[at - 1] > column)
    at--;
  if (at > 0 && list[at - 1] == column)
    return 0;
  for (int i = count; i > at; i--)
    list[i] = list[i - 1];
  list[at] = column;
  return 1;
}

/* Floyd's sampling: `count` distinct columns of [low, low + width). */
static void sample(uint64_t *random, int64_t low, int64_t width, int count,
                   int32_t *list) {
  int have = 0;
  for (int64_t top = width - count; top < width; top++) {
    int64_t pick = (int64_t)(next(random) % (uint64_t)(top + 1));
    if (!insert(list, have, (int32_t)(low + pick)))
      insert(list, have, (int32_t)(low + top));
    have++;
  }
}

static int row_window(const spmv_band *band, int64_t row, int64_t *low_p,
                      int64_t *width_p) {
  int64_t low = row > band->band ? row - band->band : 0;
  int64_t high =
      row < band->rows - band->band ? row + band->band : band->rows - 1;
  *low_p = low;
  *width_p = (high < band->rows ? high : band->rows - 1) - low + 1;
  return *width_p < band->nonzeros ? (int)*width_p : band->nonzeros;
}

static void fill_row(const spmv_band *band, int64_t row, spmv_csr *csr,
                     int32_t local) {
  int64_t low, width, at = csr->start[local];
  int count = row_window(band, row, &low, &width);
  uint64_t random = band->seed;
  random = next(&random) ^ (uint64_t)row;
  sample(&random, low, width, count, csr->column + at);
  for (int i = 0; i < count; i++)
    csr->value[at + i] = small_number(next(&random));
  csr->start[local + 1] = at + count;
}

int spmv_matrix_band(const spmv_band *band, int part, int parts,
                     spmv_matrix *matrix_p, char *message, size_t size) {
  spmv_matrix m = {.total = band->rows, .exact = 1};
  m.first = spmv_first_row(band->rows, part, parts);
  m.last = spmv_first_row(band->rows, part + 1, parts);
  int32_t rows = (int32_t)(m.last - m.first);
  if (spmv_csr_alloc(&m.csr, rows, (int64_t)rows * band->nonzeros) != 0) {
    snprintf(message, size, "no memory for %d rows", (int)rows);
    return 1;
  }
  for (int32_t i = 0; i < rows; i++)
    fill_row(band, m.first + i, &m.csr, i);
  *matrix_p = m;
  return 0;
}

int spmv_product(const spmv_matrix *matrix, double **y_p, double **error_p) {
  const spmv_csr *csr = &matrix->csr;
  double *y = calloc((size_t)csr->rows + 1, sizeof *y);
  double *error = calloc((size_t)csr->rows + 1, sizeof *error);
  if (y == NULL || error == NULL) {
    free(y);
    free(error);
    return 1;
  }
  for (int32_t i = 0; i < csr->rows; i++) {
    double absolute = 0;
    for (int64_t k = csr->start[i]; k < csr->start[i + 1]; k++) {
      double term = (double)csr->value[k] * (double)spmv_x(csr->column[k]);
      y[i] += term;
      absolute += fabs(term);
    }
    if (!matrix->exact) /* n products and n sums, each off by 2^-24 */
      error[i] =
          absolute * 0x1p-23 * (double)(csr->start[i + 1] - csr->start[i] + 2);
  }
  *y_p = y;
  *error_p = error;
  return 0;
}

static int is_local(const spmv_matrix *matrix, int32_t column) {
  return column >= matrix->first && column < matrix->last;
}

static int compare(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

/* Collects the foreign columns, sorted, each once. */
static void collect_remote(const spmv_matrix *matrix, int32_t *remote,
                           int32_t *count_p) {
  const spmv_csr *csr = &matrix->csr;
  size_t all = 0, kept = 0;
  for (int64_t k = 0; k < csr->start[csr->rows]; k++)
    if (!is_local(matrix, csr->column[k]))
      remote[all++] = csr->column[k];
  qsort(remote, all, sizeof *remote, compare);
  for (size_t i = 0; i < all; i++)
    if (kept == 0 || remote[kept - 1] != remote[i])
      remote[kept++] = remote[i];
  *count_p = (int32_t)kept;
}

static void push(spmv_csr *csr, int32_t row, int32_t column, float value) {
  int64_t at = csr->start[row + 1]++;
  csr->column[at] = column;
  csr->value[at] = value;
}

static void fill_parts(const spmv_matrix *matrix, spmv_parts *parts) {
  const spmv_csr *csr = &matrix->csr;
  for (int32_t i = 0; i < csr->rows; i++) {
    parts->left.start[i + 1] = parts->left.start[i];
    parts->right.start[i + 1] = parts->right.start[i];
    for (int64_t k = csr->start[i]; k < csr->start[i + 1]; k++) {
      int32_t column = csr->column[k];
      if (is_local(matrix, column)) {
        push(&parts->left, i, (int32_t)(column - matrix->first), csr->value[k]);
        continue;
      }
      int32_t *found =
          bsearch(&column, parts->remote, (size_t)parts->remote_count,
                  sizeof column, compare);
      push(&parts->right, i, (int32_t)(found - parts->remote), csr->value[k]);
    }
  }
}

int spmv_split(const spmv_matrix *matrix, spmv_parts *parts_p) {
  const spmv_csr *csr = &matrix->csr;
  int64_t foreign = 0, all = csr->start[csr->rows];
  spmv_parts parts = {0};
  for (int64_t k = 0; k < all; k++)
    foreign += !is_local(matrix, csr->column[k]);
  parts.remote = calloc((size_t)foreign + 1, sizeof *parts.remote);
  if (parts.remote == NULL || foreign > INT32_MAX ||
      spmv_csr_alloc(&parts.left, csr->rows, all - foreign) != 0 ||
      spmv_csr_alloc(&parts.right, csr->rows, foreign) != 0) {
    spmv_parts_free(&parts);
    return 1;
  }
  collect_remote(matrix, parts.remote, &parts.remote_count);
  fill_parts(matrix, &parts);
  *parts_p = parts;
  return 0;
}

void spmv_parts_free(spmv_parts *parts) {
  spmv_csr_free(&parts->left);
  spmv_csr_free(&parts->right);
  free(parts->remote);
  *parts = (spmv_parts){0};
}

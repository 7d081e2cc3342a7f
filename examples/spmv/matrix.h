/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix.h - the rows of a sparse matrix that one rank owns.  No MPI, no CUDA.
 *
 * Rows (and the entries of x and y) are dealt in blocks: part p of n owns
 * rows * p / n up to, not including, rows * (p + 1) / n.  Functions return 0,
 * or 1 with a reason in message (size bytes).  Indices are 0-based.
 */
#ifndef SPMV_MATRIX_H
#define SPMV_MATRIX_H

#include <stddef.h>
#include <stdint.h>

#define SPMV_MAX_ROWS 200000000
#define SPMV_MAX_NONZEROS 4096 /* in a generated row */

/* Compressed rows; columns ascend inside a row. */
typedef struct spmv_csr {
  int32_t rows;
  int64_t *start; /* rows + 1 */
  int32_t *column;
  float *value;
} spmv_csr;

/* One rank's rows, with global columns. */
typedef struct spmv_matrix {
  int64_t total;       /* rows and columns of the whole matrix */
  int64_t first, last; /* rows [first, last) are here */
  int exact;           /* sums are exact in float: compare bit by bit */
  spmv_csr csr;
} spmv_matrix;

/* A = A_L + A_R: `left` counts columns from the rank's first row, `right`
 * counts them in `remote`, the ascending list of foreign columns in use. */
typedef struct spmv_parts {
  spmv_csr left, right;
  int32_t *remote;
  int32_t remote_count;
} spmv_parts;

typedef struct spmv_band {
  int64_t rows, band; /* columns within +-band of the diagonal */
  int nonzeros;       /* distinct ones in each row, fewer when none are left */
  uint64_t seed;
} spmv_band;

/* First row of a part (of `parts`); part = parts gives rows. */
int64_t spmv_first_row(int64_t rows, int part, int parts);
/* The part that owns a row. */
int spmv_owner(int64_t rows, int64_t row, int parts);

/* A row depends on the seed and its number alone, not on the parts.  Values
 * are whole numbers from -8 to 8, so that sums in any order are exact. */
int spmv_matrix_band(const spmv_band *band, int part, int parts,
                     spmv_matrix *matrix_p, char *message, size_t size);
void spmv_matrix_free(spmv_matrix *matrix);
void spmv_csr_free(spmv_csr *csr);

/* The entry of x for a column: a whole number from -8 to 8, not 0. */
float spmv_x(int64_t column);

/* The serial product: y of the rank's rows in double, and the error that
 * float sums may make, both allocated (free with free). */
int spmv_product(const spmv_matrix *matrix, double **y_p, double **error_p);

int spmv_split(const spmv_matrix *matrix, spmv_parts *parts_p);
void spmv_parts_free(spmv_parts *parts);

/* An empty block of `rows` rows with room for `entries`; 0 or 1. */
int spmv_csr_alloc(spmv_csr *csr, int32_t rows, int64_t entries);

#endif

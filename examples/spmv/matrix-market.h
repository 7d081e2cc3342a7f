/* SPDX-License-Identifier: BSD-3-Clause
 *
 * matrix-market.h - reads a square sparse matrix in Matrix Market form:
 * coordinate; real, integer or pattern (all values 1); general, symmetric or
 * skew-symmetric.  (R. Boisvert, R. Pozo, K. Remington: The Matrix Market
 * Exchange Formats: Initial Design, NISTIR 5935, 1996.)
 */
#ifndef SPMV_MATRIX_MARKET_H
#define SPMV_MATRIX_MARKET_H

#include <stdio.h>

#include "matrix.h"

/* A file that promises more rows than it can fill, and so many more, is
 * refused: a few bytes must not cost gigabytes. */
#define SPMV_MAX_EMPTY_ROWS 1000000

/* Keeps the rows of part `part` of `parts`; memory grows with what is kept,
 * and with the rows only after all promised entries were read.  0, or 1 with
 * "file:line: reason" in message.  Free with spmv_matrix_free. */
int spmv_market_read(const char *path, int part, int parts,
                     spmv_matrix *matrix_p, char *message, size_t size);
/* The same from an open stream; name is used in messages only. */
int spmv_market_parse(FILE *file, const char *name, int part, int parts,
                      spmv_matrix *matrix_p, char *message, size_t size);

#endif

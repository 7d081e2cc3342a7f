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

/* Keeps the rows of part `part` of `parts`; memory grows with what is kept,
 * not with what the file promises.  0, or 1 with "file:line: reason" in
 * message.  Free with spmv_matrix_free. */
int spmv_market_read(const char *path, int part, int parts,
                     spmv_matrix *matrix_p, char *message, size_t size);
/* The same from an open stream; name is used in messages only. */
int spmv_market_parse(FILE *file, const char *name, int part, int parts,
                      spmv_matrix *matrix_p, char *message, size_t size);

#endif

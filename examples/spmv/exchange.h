/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.h - which entries of x go to whom, and the messages that carry
 * them: one persistent request a neighbour and direction, reused by every
 * execution.  Functions return an MPI error code (MPI_SUCCESS is 0).
 */
#ifndef SPMV_EXCHANGE_H
#define SPMV_EXCHANGE_H

#include <mpi.h>

#include "matrix.h"

typedef struct spmv_exchange {
  MPI_Comm comm;
  int ranks;
  int *send_count, *recv_count; /* entries to and from each rank */
  int32_t *send_index;          /* local entries of x, by destination */
  int32_t send_total, recv_total;
  MPI_Request *sends, *recvs; /* those with entries only */
  int sends_count, recvs_count;
  MPI_Status *statuses; /* room for one a rank */
} spmv_exchange;

/* Collective.  remote: ascending global columns this rank needs. */
int spmv_exchange_create(MPI_Comm comm, const spmv_matrix *matrix,
                         const int32_t *remote, int32_t remote_count,
                         spmv_exchange *exchange);
/* Makes the requests; the buffers hold send_total and recv_total floats. */
int spmv_exchange_bind(spmv_exchange *exchange, float *send, float *recv);
void spmv_exchange_free(spmv_exchange *exchange);

#endif

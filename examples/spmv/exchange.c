/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exchange.c - each rank tells the owners which entries of x it needs; the
 * answers, sorted by destination, are the gather list of Pack.
 */
#include "exchange.h"

#include <stdlib.h>

#define TAG 1 /* the communicator is ours alone */

static int32_t total(const int *counts, int *offsets, int ranks) {
  int32_t sum = 0;
  for (int r = 0; r < ranks; r++) {
    offsets[r] = sum;
    sum += counts[r];
  }
  return sum;
}

/* All ranks learn whether one of them has run out of memory. */
static int agree(MPI_Comm comm, int failed) {
  int any = 1;
  int error = MPI_Allreduce(&failed, &any, 1, MPI_INT, MPI_MAX, comm);
  return error != MPI_SUCCESS ? error : any ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

static int swap_lists(spmv_exchange *x, const int32_t *remote, int *offsets) {
  int *from = offsets, *to = offsets + x->ranks;
  int error = MPI_Alltoall(x->recv_count, 1, MPI_INT, x->send_count, 1, MPI_INT,
                           x->comm);
  if (error != MPI_SUCCESS)
    return error;
  x->recv_total = total(x->recv_count, from, x->ranks);
  x->send_total = total(x->send_count, to, x->ranks);
  x->send_index = calloc((size_t)x->send_total + 1, sizeof *x->send_index);
  error = agree(x->comm, x->send_index == NULL);
  if (error != MPI_SUCCESS)
    return error;
  return MPI_Alltoallv(remote, x->recv_count, from, MPI_INT32_T, x->send_index,
                       x->send_count, to, MPI_INT32_T, x->comm);
}

int spmv_exchange_create(MPI_Comm comm, const spmv_matrix *matrix,
                         const int32_t *remote, int32_t remote_count,
                         spmv_exchange *x) {
  *x = (spmv_exchange){.comm = comm};
  int error = MPI_Comm_size(comm, &x->ranks);
  if (error != MPI_SUCCESS)
    return error;
  size_t n = (size_t)x->ranks;
  int *offsets = calloc(2 * n, sizeof *offsets);
  x->send_count = calloc(n, sizeof *x->send_count);
  x->recv_count = calloc(n, sizeof *x->recv_count);
  x->sends = calloc(n, sizeof(MPI_Request));
  x->recvs = calloc(n, sizeof(MPI_Request));
  x->statuses = calloc(n, sizeof(MPI_Status));
  error = agree(comm, offsets == NULL || x->send_count == NULL ||
                          x->recv_count == NULL || x->sends == NULL ||
                          x->recvs == NULL || x->statuses == NULL);
  if (error == MPI_SUCCESS) {
    for (int32_t i = 0; i < remote_count; i++)
      x->recv_count[spmv_owner(matrix->total, remote[i], x->ranks)]++;
    error = swap_lists(x, remote, offsets);
  }
  free(offsets);
  for (int32_t i = 0; error == MPI_SUCCESS && i < x->send_total; i++)
    x->send_index[i] -= (int32_t)matrix->first;
  return error;
}

int spmv_exchange_bind(spmv_exchange *x, float *send, float *recv) {
  int error = MPI_SUCCESS;
  for (int r = 0; r < x->ranks && error == MPI_SUCCESS; r++) {
    if (x->recv_count[r] > 0) {
      error = MPI_Recv_init(recv, x->recv_count[r], MPI_FLOAT, r, TAG, x->comm,
                            x->recvs + x->recvs_count);
      x->recvs_count += error == MPI_SUCCESS;
      recv += x->recv_count[r];
    }
    if (error == MPI_SUCCESS && x->send_count[r] > 0) {
      error = MPI_Send_init(send, x->send_count[r], MPI_FLOAT, r, TAG, x->comm,
                            x->sends + x->sends_count);
      x->sends_count += error == MPI_SUCCESS;
      send += x->send_count[r];
    }
  }
  return error;
}

void spmv_exchange_free(spmv_exchange *x) {
  for (int i = 0; i < x->sends_count; i++)
    MPI_Request_free(x->sends + i);
  for (int i = 0; i < x->recvs_count; i++)
    MPI_Request_free(x->recvs + i);
  free(x->send_count);
  free(x->recv_count);
  free(x->send_index);
  free(x->sends);
  free(x->recvs);
  free(x->statuses);
  *x = (spmv_exchange){0};
}

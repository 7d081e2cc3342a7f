/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h - the arrays of one rank in GPU memory and the kernels on them.
 * Seen by the C compiler and by nvcc; without nvcc, device-none.c stands in.
 *
 * Where the exchange buffers live (the DAG stays the same):
 *   MPI takes device pointers: device memory;
 *   it does not: host memory, pinned and mapped, that the kernels use too;
 *   staged: both, with copies between them as operations of the DAG.
 */
#ifndef SPMV_DEVICE_H
#define SPMV_DEVICE_H

#include "matrix.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spmv_device spmv_device;

typedef enum spmv_buffers {
  SPMV_DEVICE_BUFFERS,
  SPMV_MAPPED_BUFFERS,
  SPMV_STAGED_BUFFERS
} spmv_buffers;

/* What lies on the host and is copied at creation. */
typedef struct spmv_host_arrays {
  const spmv_csr *left, *right;
  const float *x;
  const int32_t *send_index;
  int32_t rows, send_total, recv_total;
  unsigned delay_us; /* at most, before each kernel, to bring races out */
  uint64_t hang_at, fault_at; /* the launch of the local product, from 1, that
                                 never ends or writes to a bad address; 0:
                                 none; to test what happens then */
} spmv_host_arrays;

/* On the current device.  0, or 1 with the call and its error in message. */
int spmv_device_create(const spmv_host_arrays *host, spmv_buffers buffers,
                       spmv_device **device_p, char *message, size_t size);
void spmv_device_free(spmv_device *device);
/* The addresses to give to MPI. */
void spmv_device_mpi(const spmv_device *device, float **send_p, float **recv_p);

/* Enqueue on a cudaStream_t; 0 or a cudaError_t. */
int spmv_device_pack(spmv_device *device, void *stream);
int spmv_device_left(spmv_device *device, void *stream);
int spmv_device_right(spmv_device *device, void *stream);
int spmv_device_add(spmv_device *device, void *stream);
int spmv_device_to_host(spmv_device *device, void *stream); /* staged only */
int spmv_device_to_device(spmv_device *device, void *stream);

/* Synchronous.  All bytes 0xff (NaN) into every output; y of all rows out. */
int spmv_device_poison(spmv_device *device);
int spmv_device_fetch(const spmv_device *device, float *y);
const char *spmv_device_error(int error);

#ifdef __cplusplus
}
#endif
#endif

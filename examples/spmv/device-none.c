/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device-none.c - stands in for spmv.cu where nvcc is missing.
 */
#include "device.h"

#include <stdio.h>

int spmv_device_create(const spmv_host_arrays *host, spmv_buffers buffers,
                       spmv_device **device_p, char *message, size_t size) {
  (void)host, (void)buffers, (void)device_p;
  snprintf(message, size,
           "spmv was built without nvcc, so it has no GPU code: install the "
           "CUDA toolkit and build again, or use --backend host");
  return 1;
}

void spmv_device_free(spmv_device *device) { (void)device; }

void spmv_device_mpi(const spmv_device *device, float **send_p,
                     float **recv_p) {
  (void)device, (void)send_p, (void)recv_p;
}

#define NOTHING(name)                                                          \
  int name(spmv_device *device, void *stream) {                                \
    (void)device, (void)stream;                                                \
    return 1;                                                                  \
  }
NOTHING(spmv_device_pack)
NOTHING(spmv_device_left)
NOTHING(spmv_device_right)
NOTHING(spmv_device_add)
NOTHING(spmv_device_to_host)
NOTHING(spmv_device_to_device)

int spmv_device_poison(spmv_device *device) {
  (void)device;
  return 1;
}

int spmv_device_fetch(const spmv_device *device, float *y) {
  (void)device, (void)y;
  return 1;
}

const char *spmv_device_error(int error) {
  (void)error;
  return "no GPU code";
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device-none.c - stands in for halo.cu where nvcc is missing.
 */
#include "device.h"

#include <stdio.h>

int halo_device_create(const halo_grid *grid, const float *padded,
                       const size_t offset[HALO_DIRECTIONS + 1], int mapped,
                       halo_device **device_p, char *message, size_t size) {
  (void)grid, (void)padded, (void)offset, (void)mapped, (void)device_p;
  snprintf(message, size,
           "halo was built without nvcc, so it has no GPU code: install the "
           "CUDA toolkit and build again, or use --backend host");
  return 1;
}

void halo_device_free(halo_device *device) { (void)device; }

float *halo_device_mpi(const halo_device *device, int direction, int sent) {
  (void)device, (void)direction, (void)sent;
  return NULL;
}

int halo_device_pack(halo_device *device, int direction, void *stream) {
  (void)device, (void)direction, (void)stream;
  return 1;
}

int halo_device_unpack(halo_device *device, int direction, void *stream) {
  (void)device, (void)direction, (void)stream;
  return 1;
}

int halo_device_interior(halo_device *device, void *stream) {
  (void)device, (void)stream;
  return 1;
}

int halo_device_boundary(halo_device *device, void *stream) {
  (void)device, (void)stream;
  return 1;
}

int halo_device_poison(halo_device *device, const float *poisoned) {
  (void)device, (void)poisoned;
  return 1;
}

int halo_device_fetch(const halo_device *device, float *padded, float *inside) {
  (void)device, (void)padded, (void)inside;
  return 1;
}

const char *halo_device_error(int error) {
  (void)error;
  return "no GPU code";
}

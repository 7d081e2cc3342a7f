/* SPDX-License-Identifier: BSD-3-Clause
 *
 * device.h - one rank's block on a GPU; halo.cu, or device-none.c without
 * nvcc.  Functions return 0 or a cudaError_t; those with a stream enqueue.
 */
#ifndef HALO_DEVICE_H
#define HALO_DEVICE_H

#include "grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct halo_device halo_device;

/* padded: what the block and its halo hold.  offset[d], and offset[27] as the
 * end: where direction d's message starts among all, in floats.  mapped: the
 * buffers are pinned host memory.  0, or 1 with a reason in message. */
int halo_device_create(const halo_grid *grid, const float *padded,
                       const size_t offset[HALO_DIRECTIONS + 1], int mapped,
                       halo_device **device_p, char *message, size_t size);
void halo_device_free(halo_device *device);
/* The address of a direction's buffer for MPI: of the message to it (sent), or
 * of the one from it. */
float *halo_device_mpi(const halo_device *device, int direction, int sent);

int halo_device_pack(halo_device *device, int direction, void *stream);
int halo_device_unpack(halo_device *device, int direction, void *stream);
int halo_device_interior(halo_device *device, void *stream);
int halo_device_boundary(halo_device *device, void *stream);

/* Synchronous: NaN into halo, buffers and results; halo and results out. */
int halo_device_poison(halo_device *device, const float *poisoned);
int halo_device_fetch(const halo_device *device, float *padded, float *inside);
const char *halo_device_error(int error);

#ifdef __cplusplus
}
#endif
#endif

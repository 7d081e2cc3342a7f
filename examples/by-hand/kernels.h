/* SPDX-License-Identifier: BSD-3-Clause
 *
 * examples/by-hand/kernels.h - the four kernels of by-hand.c.
 *
 * The matrix has ones within `width` of the diagonal, so a rank's part of A x
 * is a sum over a window of x, of which its neighbours hold the ends.
 */
#ifndef BY_HAND_KERNELS_H
#define BY_HAND_KERNELS_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ends = the first and the last `width` entries of x */
void launch_pack(double *ends, const double *x, int rows, int width,
                 cudaStream_t stream);
/* y = the sum over the part of the window that is ours */
void launch_local(double *y, const double *x, int rows, int width,
                  cudaStream_t stream);
/* y = the sum over the rest: near = width entries before x and after it */
void launch_remote(double *y, const double *near, int rows, int width,
                   cudaStream_t stream);
/* y = a + b */
void launch_add(double *y, const double *a, const double *b, int rows,
                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif

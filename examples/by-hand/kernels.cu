/* SPDX-License-Identifier: BSD-3-Clause
 *
 * examples/by-hand/kernels.cu - one thread a row.
 */
#include "kernels.h"

#define THREADS 256
#define BLOCKS(n) (unsigned)(((n) + THREADS - 1) / THREADS)

__global__ void Pack(double *ends, const double *x, int rows, int width) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < width) {
    ends[i] = x[i];
    ends[width + i] = x[rows - width + i];
  }
}

__global__ void local_part(double *y, const double *x, int rows, int width) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= rows)
    return;
  double sum = 0;
  for (int k = i - width; k <= i + width; k++)
    if (k >= 0 && k < rows)
      sum += x[k];
  y[i] = sum;
}

__global__ void remote_part(double *y, const double *near, int rows,
                            int width) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i >= rows)
    return;
  double sum = 0;
  for (int k = i - width; k < 0; k++)
    sum += near[width + k];
  for (int k = rows; k <= i + width; k++)
    sum += near[width + k - rows];
  y[i] = sum;
}

__global__ void add(double *y, const double *a, const double *b, int rows) {
  const int i = blockIdx.x * THREADS + threadIdx.x;
  if (i < rows)
    y[i] = a[i] + b[i];
}

void launch_pack(double *ends, const double *x, int rows, int width,
                 cudaStream_t stream) {
  Pack<<<BLOCKS(width), THREADS, 0, stream>>>(ends, x, rows, width);
}
void launch_local(double *y, const double *x, int rows, int width,
                  cudaStream_t stream) {
  local_part<<<BLOCKS(rows), THREADS, 0, stream>>>(y, x, rows, width);
}
void launch_remote(double *y, const double *near, int rows, int width,
                   cudaStream_t stream) {
  remote_part<<<BLOCKS(rows), THREADS, 0, stream>>>(y, near, rows, width);
}
void launch_add(double *y, const double *a, const double *b, int rows,
                cudaStream_t stream) {
  add<<<BLOCKS(rows), THREADS, 0, stream>>>(y, a, b, rows);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/capture/kernels-fake.c - the kernels of examples/by-hand as host
 * functions, registered under the names that nvcc would give them; one is not
 * registered, and is found as a symbol.  Some are launched by a handle, as code
 * from nvcc 13 on does it, the others by the function.
 */
#include "kernels.h"

extern void __cudaRegisterFunction(void **module, const char *host,
                                   char *device, const char *name, int limit,
                                   void *tid, void *bid, void *block,
                                   void *grid, int *warp);

extern cudaError_t __cudaGetKernel(void **kernel, const void *function);
extern cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block,
                                      void **args, size_t shared_bytes,
                                      cudaStream_t stream);

typedef struct arguments {
  double *y;
  const double *a, *b;
  int rows, width;
} arguments;

static void pack(void **args) {
  const arguments *const p = args[0];
  for (int i = 0; i < p->width; i++) {
    p->y[i] = p->a[i];
    p->y[p->width + i] = p->a[p->rows - p->width + i];
  }
}

static void local_part(void **args) {
  const arguments *const p = args[0];
  for (int i = 0; i < p->rows; i++) {
    p->y[i] = 0;
    for (int k = i - p->width; k <= i + p->width; k++)
      if (k >= 0 && k < p->rows)
        p->y[i] += p->a[k];
  }
}

static void remote_part(void **args) {
  const arguments *const p = args[0];
  for (int i = 0; i < p->rows; i++) {
    p->y[i] = 0;
    for (int k = i - p->width; k < 0; k++)
      p->y[i] += p->a[p->width + k];
    for (int k = p->rows; k <= i + p->width; k++)
      p->y[i] += p->a[p->width + k - p->rows];
  }
}

void add(void **args); /* not static: found by its symbol */
void add(void **args) {
  const arguments *const p = args[0];
  for (int i = 0; i < p->rows; i++)
    p->y[i] = p->a[i] + p->b[i];
}

static void launch(void (*kernel)(void **), arguments with,
                   cudaStream_t stream) {
  const dim3 one = {1, 1, 1};
  void *args[] = {&with};
  cudaLaunchKernel((const void *)kernel, one, one, args, 0, stream);
}

static void launch_handle(void (*kernel)(void **), arguments with,
                          cudaStream_t stream) {
  const dim3 one = {1, 1, 1};
  void *args[] = {&with}, *handle;
  if (__cudaGetKernel(&handle, (const void *)kernel) == cudaSuccess)
    __cudaLaunchKernel(handle, one, one, args, 0, stream);
}

__attribute__((constructor)) static void register_kernels(void) {
  static char pack_name[] = "_Z4PackPdPKdii";
  static char local_name[] = "_Z10local_partPdPKdii";
  static char remote_name[] = "_ZN7by_hand11remote_partEPdPKdii";
  __cudaRegisterFunction(NULL, (const char *)pack, pack_name, pack_name, -1,
                         NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(NULL, (const char *)local_part, local_name, local_name,
                         -1, NULL, NULL, NULL, NULL, NULL);
  __cudaRegisterFunction(NULL, (const char *)remote_part, remote_name,
                         remote_name, -1, NULL, NULL, NULL, NULL, NULL);
}

void launch_pack(double *ends, const double *x, int rows, int width,
                 cudaStream_t stream) {
  launch_handle(pack, (arguments){ends, x, NULL, rows, width}, stream);
}
void launch_local(double *y, const double *x, int rows, int width,
                  cudaStream_t stream) {
  launch(local_part, (arguments){y, x, NULL, rows, width}, stream);
}
void launch_remote(double *y, const double *near, int rows, int width,
                   cudaStream_t stream) {
  launch_handle(remote_part, (arguments){y, near, NULL, rows, width}, stream);
}
void launch_add(double *y, const double *a, const double *b, int rows,
                cudaStream_t stream) {
  launch(add, (arguments){y, a, b, rows, 0}, stream);
}

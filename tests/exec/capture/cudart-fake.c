/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/capture/cudart-fake.c - a CUDA runtime without a GPU: a launch
 * runs the kernel, a host function, at once, so streams and events have
 * nothing to do.
 */
#include <cuda_runtime_api.h>

#include <stdlib.h>
#include <string.h>

void __cudaRegisterFunction(void **module, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp);

static cudaError_t allocate(void **memory, size_t bytes) {
  *memory = malloc(bytes);
  return *memory ? cudaSuccess : cudaErrorMemoryAllocation;
}

static cudaError_t release(void *memory) {
  free(memory);
  return cudaSuccess;
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
  return allocate(memory, bytes);
}
cudaError_t cudaMallocHost(void **memory, size_t bytes) {
  return allocate(memory, bytes);
}
cudaError_t cudaFree(void *memory) { return release(memory); }
cudaError_t cudaFreeHost(void *memory) { return release(memory); }
cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes,
                       enum cudaMemcpyKind kind) {
  (void)kind;
  memcpy(to, from, bytes);
  return cudaSuccess;
}

cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block,
                             void **args, size_t shared_bytes,
                             cudaStream_t stream) {
  void (*kernel)(void **);
  (void)grid;
  (void)block;
  (void)shared_bytes;
  (void)stream;
  memcpy(&kernel, &function, sizeof kernel);
  kernel(args);
  return cudaSuccess;
}

/* A handle is the place of its function in a table. */
cudaError_t __cudaGetKernel(void **kernel, const void *function);
cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared_bytes, cudaStream_t stream);
static const void *known[16];

cudaError_t __cudaGetKernel(void **kernel, const void *function) {
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (!known[i] || known[i] == function) {
      known[i] = function;
      *kernel = known + i;
      return cudaSuccess;
    }
  return cudaErrorMemoryAllocation;
}

cudaError_t __cudaLaunchKernel(void *kernel, dim3 grid, dim3 block, void **args,
                               size_t shared_bytes, cudaStream_t stream) {
  return cudaLaunchKernel(*(const void **)kernel, grid, block, args,
                          shared_bytes, stream);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  (void)flags;
  return allocate((void **)stream, 1);
}
cudaError_t cudaStreamDestroy(cudaStream_t stream) { return release(stream); }
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  (void)stream;
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags) {
  (void)stream;
  (void)event;
  (void)flags;
  return cudaSuccess;
}
cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  (void)flags;
  return allocate((void **)event, 1);
}
cudaError_t cudaEventDestroy(cudaEvent_t event) { return release(event); }
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  (void)event;
  (void)stream;
  return cudaSuccess;
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  (void)event;
  return cudaSuccess;
}
cudaError_t cudaDeviceSynchronize(void) { return cudaSuccess; }

void __cudaRegisterFunction(void **module, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp) {
  (void)module;
  (void)host;
  (void)device;
  (void)name;
  (void)limit;
  (void)tid;
  (void)bid;
  (void)block;
  (void)grid;
  (void)warp;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halo.cu - the kernels of the halo exchange.  A thread copies or updates one
 * cell of one quantity; neighbouring threads take neighbouring x.  Launches go
 * to the caller's stream; nothing here synchronises or allocates between
 * create and free, save poison and fetch, which have a stream of their own.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device.h"

namespace {

constexpr int kBlock = 256;

struct Shape { /* of the block in memory */
  int n[3], padded[3], width, quantities;
};

struct Box {
  int low[3], size[3];
  int cells;
};

struct Boxes {
  Box box[6];
  int count, cells; /* cells of all */
};

__device__ int place(const Shape &s, int x, int y, int z, int q) {
  return ((q * s.padded[2] + z + s.width) * s.padded[1] + y + s.width) *
             s.padded[0] +
         x + s.width;
}

/* Thread i of a box with all quantities: its cell. */
__device__ int cell_of(const Shape &s, const Box &b, int i) {
  int q = i / b.cells, cell = i % b.cells;
  int row = cell / b.size[0];
  return place(s, b.low[0] + cell % b.size[0], b.low[1] + row % b.size[1],
               b.low[2] + row / b.size[1], q);
}

__global__ void __launch_bounds__(kBlock)
    pack(Shape s, Box b, const float *__restrict__ block,
         float *__restrict__ buffer) {
  int i = (int)(blockIdx.x * kBlock + threadIdx.x);
  if (i < b.cells * s.quantities)
    buffer[i] = block[cell_of(s, b, i)];
}

__global__ void __launch_bounds__(kBlock)
    unpack(Shape s, Box b, const float *__restrict__ buffer,
           float *__restrict__ block) {
  int i = (int)(blockIdx.x * kBlock + threadIdx.x);
  if (i < b.cells * s.quantities)
    block[cell_of(s, b, i)] = buffer[i];
}

__global__ void __launch_bounds__(kBlock)
    stencil(Shape s, Boxes boxes, const float *__restrict__ block,
            float *__restrict__ result) {
  int i = (int)(blockIdx.x * kBlock + threadIdx.x);
  if (i >= boxes.cells * s.quantities)
    return;
  int q = i / boxes.cells, cell = i % boxes.cells, k = 0;
  while (cell >= boxes.box[k].cells)
    cell -= boxes.box[k++].cells;
  const Box &b = boxes.box[k];
  int row = cell / b.size[0];
  int x = b.low[0] + cell % b.size[0], y = b.low[1] + row % b.size[1],
      z = b.low[2] + row / b.size[1];
  const float *at = block + place(s, x, y, z, q);
  int up = s.padded[0] * s.width, over = up * s.padded[1];
  float sum = 0;
#pragma unroll
  for (int c = -1; c <= 1; c++)
#pragma unroll
    for (int e = -1; e <= 1; e++)
#pragma unroll
      for (int a = -1; a <= 1; a++)
        sum += (float)((c + 1) * 9 + (e + 1) * 3 + a + 2) *
               at[c * over + e * up + a * s.width];
  result[((q * s.n[2] + z) * s.n[1] + y) * s.n[0] + x] = sum;
}

Box device_box(halo_box box) {
  Box b;
  memcpy(b.low, box.low, sizeof b.low);
  memcpy(b.size, box.size, sizeof b.size);
  b.cells = b.size[0] * b.size[1] * b.size[2];
  return b;
}

Boxes device_boxes(halo_boxes boxes) {
  Boxes all = {};
  for (int i = 0; i < boxes.count; i++) {
    all.box[i] = device_box(boxes.box[i]);
    all.cells += all.box[i].cells;
  }
  all.count = boxes.count;
  return all;
}

} // namespace

/* One message's memory.  Each has an allocation of its own: MPICH 4.0 passes
 * an allocation's handle to the peer only with the first message from it, and
 * hangs when another one of the same allocation is received before that. */
struct halo_buffer {
  float *seen;   /* by the kernels */
  float *pinned; /* host memory, when mapped, else NULL */
};

struct halo_device {
  Shape shape;
  Box send_box[HALO_DIRECTIONS], ghost_box[HALO_DIRECTIONS];
  Boxes interior, boundary;
  size_t offset[HALO_DIRECTIONS + 1], padded, inside;
  float *block, *result;
  halo_buffer send[HALO_DIRECTIONS], recv[HALO_DIRECTIONS];
  cudaStream_t stream; /* for set-up and checks */
};

namespace {

struct Failure { /* the first call that failed */
  const char *what;
  cudaError_t error;
};

void check(Failure *f, const char *what, cudaError_t error) {
  if (f->error == cudaSuccess && error != cudaSuccess)
    f->what = what, f->error = error;
}

void reserve(Failure *f, float **p, size_t floats) {
  void *memory = nullptr;
  check(f, "cudaMalloc", cudaMalloc(&memory, floats * sizeof(float)));
  *p = static_cast<float *>(memory);
}

void reserve_mapped(Failure *f, halo_buffer *b, size_t floats) {
  void *memory = nullptr, *seen = nullptr;
  check(f, "cudaHostAlloc",
        cudaHostAlloc(&memory, floats * sizeof(float),
                      cudaHostAllocMapped | cudaHostAllocPortable));
  if (f->error == cudaSuccess)
    check(f, "cudaHostGetDevicePointer",
          cudaHostGetDevicePointer(&seen, memory, 0));
  b->pinned = static_cast<float *>(memory);
  b->seen = static_cast<float *>(seen);
}

size_t length(const halo_device *d, int direction) {
  return d->offset[direction + 1] - d->offset[direction];
}

void make_buffer(Failure *f, halo_buffer *b, int mapped, size_t floats) {
  if (floats == 0 || f->error != cudaSuccess)
    return;
  if (mapped)
    reserve_mapped(f, b, floats);
  else
    reserve(f, &b->seen, floats);
}

void free_buffer(halo_buffer *b) {
  if (b->pinned == nullptr)
    cudaFree(b->seen);
  else
    cudaFreeHost(b->pinned);
}

void make(Failure *f, halo_device *d, int mapped) {
  check(f, "cudaStreamCreate",
        cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
  reserve(f, &d->block, d->padded);
  reserve(f, &d->result, d->inside);
  for (int i = 0; i < HALO_DIRECTIONS; i++) {
    make_buffer(f, &d->send[i], mapped, length(d, i));
    make_buffer(f, &d->recv[i], mapped, length(d, i));
  }
}

int run_stencil(halo_device *d, const Boxes &boxes, void *stream) {
  int threads = boxes.cells * d->shape.quantities;
  if (threads == 0)
    return cudaSuccess;
  stencil<<<(threads + kBlock - 1) / kBlock, kBlock, 0,
            static_cast<cudaStream_t>(stream)>>>(d->shape, boxes, d->block,
                                                 d->result);
  return cudaGetLastError();
}

unsigned copy_blocks(const halo_device *d, const Box &box) {
  return (unsigned)((box.cells * d->shape.quantities + kBlock - 1) / kBlock);
}

void describe(halo_device *d, const halo_grid *grid) {
  for (int i = 0; i < 3; i++) {
    d->shape.n[i] = grid->n[i];
    d->shape.padded[i] = grid->n[i] + 2 * grid->width;
  }
  d->shape.width = grid->width;
  d->shape.quantities = grid->quantities;
  d->padded = halo_padded(grid);
  d->inside = halo_inside(grid);
  d->interior = device_boxes(halo_interior(grid));
  d->boundary = device_boxes(halo_boundary(grid));
  for (int i = 0; i < HALO_DIRECTIONS; i++) {
    d->send_box[i] = device_box(halo_send_box(grid, i));
    d->ghost_box[i] = device_box(halo_ghost_box(grid, i));
  }
}

} // namespace

int halo_device_create(const halo_grid *grid, const float *padded,
                       const size_t offset[HALO_DIRECTIONS + 1], int mapped,
                       halo_device **device_p, char *message, size_t size) {
  Failure f = {nullptr, cudaSuccess};
  halo_device *d = static_cast<halo_device *>(calloc(1, sizeof *d));
  if (d == nullptr) {
    snprintf(message, size, "no memory");
    return 1;
  }
  memcpy(d->offset, offset, sizeof d->offset);
  describe(d, grid);
  make(&f, d, mapped);
  if (f.error == cudaSuccess)
    check(&f, "copying the block",
          static_cast<cudaError_t>(halo_device_poison(d, padded)));
  if (f.error != cudaSuccess) {
    snprintf(message, size, "%s: %s", f.what, halo_device_error(f.error));
    halo_device_free(d);
    return 1;
  }
  *device_p = d;
  return 0;
}

void halo_device_free(halo_device *d) {
  if (d == nullptr)
    return;
  cudaFree(d->block);
  cudaFree(d->result);
  for (int i = 0; i < HALO_DIRECTIONS; i++) {
    free_buffer(&d->send[i]);
    free_buffer(&d->recv[i]);
  }
  if (d->stream != nullptr)
    cudaStreamDestroy(d->stream);
  free(d);
}

float *halo_device_mpi(const halo_device *d, int direction, int sent) {
  const halo_buffer *b = sent ? &d->send[direction] : &d->recv[direction];
  return b->pinned != nullptr ? b->pinned : b->seen;
}

int halo_device_pack(halo_device *d, int direction, void *stream) {
  const Box &box = d->send_box[direction];
  pack<<<copy_blocks(d, box), kBlock, 0, static_cast<cudaStream_t>(stream)>>>(
      d->shape, box, d->block, d->send[direction].seen);
  return cudaGetLastError();
}

int halo_device_unpack(halo_device *d, int direction, void *stream) {
  const Box &box = d->ghost_box[direction];
  unpack<<<copy_blocks(d, box), kBlock, 0, static_cast<cudaStream_t>(stream)>>>(
      d->shape, box, d->recv[direction].seen, d->block);
  return cudaGetLastError();
}

int halo_device_interior(halo_device *d, void *stream) {
  return run_stencil(d, d->interior, stream);
}

int halo_device_boundary(halo_device *d, void *stream) {
  return run_stencil(d, d->boundary, stream);
}

int halo_device_poison(halo_device *d, const float *poisoned) {
  Failure f = {nullptr, cudaSuccess};
  check(&f, "block",
        cudaMemcpyAsync(d->block, poisoned, d->padded * sizeof(float),
                        cudaMemcpyHostToDevice, d->stream));
  check(&f, "result",
        cudaMemsetAsync(d->result, 0xff, d->inside * sizeof(float), d->stream));
  for (int i = 0; i < HALO_DIRECTIONS; i++) {
    size_t size = length(d, i) * sizeof(float);
    if (size == 0)
      continue;
    check(&f, "send", cudaMemsetAsync(d->send[i].seen, 0xff, size, d->stream));
    check(&f, "recv", cudaMemsetAsync(d->recv[i].seen, 0xff, size, d->stream));
  }
  check(&f, "end", cudaStreamSynchronize(d->stream));
  return f.error;
}

int halo_device_fetch(const halo_device *d, float *padded, float *inside) {
  Failure f = {nullptr, cudaSuccess};
  check(&f, "block",
        cudaMemcpyAsync(padded, d->block, d->padded * sizeof(float),
                        cudaMemcpyDeviceToHost, d->stream));
  check(&f, "result",
        cudaMemcpyAsync(inside, d->result, d->inside * sizeof(float),
                        cudaMemcpyDeviceToHost, d->stream));
  check(&f, "end", cudaStreamSynchronize(d->stream));
  return f.error;
}

const char *halo_device_error(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spmv.cu - the kernels of SpMV and the arrays they work on.
 *
 * A row is summed by a team of 1 to 32 neighbouring threads, as many as its
 * mean length asks for (N. Bell, M. Garland: Implementing Sparse Matrix-Vector
 * Multiplication on Throughput-Oriented Processors, SC 2009), each team its
 * own row, so that neighbouring threads read neighbouring entries.  Launches
 * go to the caller's stream; nothing here synchronises or allocates between
 * create and free.
 */
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "device.h"

namespace {

constexpr int kBlock = 256;

struct Rows { /* one part of A, on the device */
  int rows, team;
  int *start, *column;
  float *value;
};

__global__ void __launch_bounds__(kBlock)
    gather(int count, const int *__restrict__ index,
           const float *__restrict__ x, float *__restrict__ out) {
  int i = (int)(blockIdx.x * kBlock + threadIdx.x);
  if (i < count)
    out[i] = x[index[i]];
}

template <int TEAM>
__global__ void __launch_bounds__(kBlock)
    multiply(int rows, const int *__restrict__ start,
             const int *__restrict__ column, const float *__restrict__ value,
             const float *__restrict__ x, float *__restrict__ y) {
  unsigned thread = blockIdx.x * kBlock + threadIdx.x;
  int row = (int)(thread / TEAM), lane = (int)(thread % TEAM);
  float sum = 0;
  if (row < rows) {
    int end = start[row + 1];
    for (int k = start[row] + lane; k < end; k += TEAM)
      sum += value[k] * x[column[k]];
  }
  for (int step = TEAM / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, step, TEAM);
  if (row < rows && lane == 0)
    y[row] = sum;
}

__global__ void __launch_bounds__(kBlock)
    add(int rows, const float *__restrict__ a, const float *__restrict__ b,
        float *__restrict__ y) {
  int i = (int)(blockIdx.x * kBlock + threadIdx.x);
  if (i < rows)
    y[i] = a[i] + b[i];
}

/* Keeps the stream busy for a while. */
__global__ void pause(unsigned us) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  do
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  while (now - start < 1000ull * us);
}

/* Kernels that go wrong on purpose. */
__global__ void hang(volatile int *never) {
  while (*never == 0)
    ;
}

__global__ void fault(int *nowhere) { *nowhere = 1; }

unsigned blocks(long long threads) {
  return (unsigned)((threads + kBlock - 1) / kBlock);
}

} // namespace

struct spmv_device {
  Rows left, right;
  int rows, send_total, recv_total;
  int *send_index;
  float *x, *yl, *yr, *y;
  float *send, *recv;           /* what the kernels see */
  float *send_host, *recv_host; /* pinned, or NULL */
  spmv_buffers buffers;
  cudaStream_t stream; /* for set-up and checks, never in timed code */
  unsigned delay_us, random;
  uint64_t lefts, hang_at, fault_at;
};

namespace {

struct Failure { /* the first call that failed */
  const char *what;
  cudaError_t error;
  cudaStream_t stream; /* for copies outside the timed calls */
};

bool ok(Failure *f, const char *what, cudaError_t error) {
  if (error == cudaSuccess)
    return f->error == cudaSuccess;
  if (f->error == cudaSuccess)
    f->what = what, f->error = error;
  return false;
}

template <typename T> void reserve(Failure *f, T **p, size_t count) {
  void *memory = nullptr;
  if (f->error == cudaSuccess &&
      ok(f, "cudaMalloc", cudaMalloc(&memory, (count + 1) * sizeof(T))))
    *p = static_cast<T *>(memory);
}

template <typename T>
void upload(Failure *f, T **p, const T *host, size_t count) {
  reserve(f, p, count);
  if (f->error == cudaSuccess)
    ok(f, "cudaMemcpyAsync",
       cudaMemcpyAsync(*p, host, count * sizeof(T), cudaMemcpyHostToDevice,
                       f->stream));
  ok(f, "cudaStreamSynchronize", cudaStreamSynchronize(f->stream));
}

void upload_rows(Failure *f, Rows *rows, const spmv_csr *csr) {
  size_t entries = (size_t)csr->start[csr->rows];
  int *start =
      static_cast<int *>(malloc(((size_t)csr->rows + 1) * sizeof(int)));
  if (start == nullptr) {
    ok(f, "malloc", cudaErrorMemoryAllocation);
    return;
  }
  for (int i = 0; i <= csr->rows; i++)
    start[i] = (int)csr->start[i];
  upload(f, &rows->start, start, (size_t)csr->rows + 1);
  upload(f, &rows->column, csr->column, entries);
  upload(f, &rows->value, csr->value, entries);
  free(start);
  rows->rows = csr->rows;
  double mean = csr->rows > 0 ? (double)entries / csr->rows : 0;
  rows->team = 1;
  while (rows->team < 32 && rows->team * 2 <= mean + 1)
    rows->team *= 2;
}

void pinned(Failure *f, float **host, size_t count) {
  void *memory = nullptr;
  if (f->error == cudaSuccess &&
      ok(f, "cudaHostAlloc",
         cudaHostAlloc(&memory, (count + 1) * sizeof(float),
                       cudaHostAllocMapped | cudaHostAllocPortable)))
    *host = static_cast<float *>(memory);
}

void map(Failure *f, float **device, float *host) {
  void *memory = nullptr;
  if (f->error == cudaSuccess && ok(f, "cudaHostGetDevicePointer",
                                    cudaHostGetDevicePointer(&memory, host, 0)))
    *device = static_cast<float *>(memory);
}

void make_buffers(Failure *f, spmv_device *d) {
  if (d->buffers != SPMV_DEVICE_BUFFERS) {
    pinned(f, &d->send_host, (size_t)d->send_total);
    pinned(f, &d->recv_host, (size_t)d->recv_total);
  }
  if (d->buffers == SPMV_MAPPED_BUFFERS) {
    map(f, &d->send, d->send_host);
    map(f, &d->recv, d->recv_host);
  } else {
    reserve(f, &d->send, (size_t)d->send_total);
    reserve(f, &d->recv, (size_t)d->recv_total);
  }
}

template <int TEAM>
void launch(const Rows *a, const float *x, float *y, cudaStream_t stream) {
  multiply<TEAM><<<blocks((long long)a->rows * TEAM), kBlock, 0, stream>>>(
      a->rows, a->start, a->column, a->value, x, y);
}

int product(const Rows *a, const float *x, float *y, void *stream) {
  cudaStream_t s = static_cast<cudaStream_t>(stream);
  if (a->rows == 0)
    return cudaSuccess;
  switch (a->team) {
  case 1:
    launch<1>(a, x, y, s);
    break;
  case 2:
    launch<2>(a, x, y, s);
    break;
  case 4:
    launch<4>(a, x, y, s);
    break;
  case 8:
    launch<8>(a, x, y, s);
    break;
  case 16:
    launch<16>(a, x, y, s);
    break;
  default:
    launch<32>(a, x, y, s);
    break;
  }
  return cudaGetLastError();
}

void spoil(Failure *f, float *array, size_t bytes) {
  if (bytes > 0)
    ok(f, "cudaMemsetAsync", cudaMemsetAsync(array, 0xff, bytes, f->stream));
}

/* A random pause before a kernel, when asked for. */
void delay(spmv_device *d, void *stream) {
  if (d->delay_us == 0)
    return;
  d->random = d->random * 1664525u + 1013904223u;
  pause<<<1, 1, 0, static_cast<cudaStream_t>(stream)>>>((d->random >> 8) %
                                                        (d->delay_us + 1));
}

/* The failures asked for, in front of the local product. */
void go_wrong(spmv_device *d, void *stream) {
  cudaStream_t s = static_cast<cudaStream_t>(stream);
  d->lefts++;
  if (d->lefts == d->hang_at && cudaMemsetAsync(d->yl, 0, sizeof(int), s) == 0)
    hang<<<1, 1, 0, s>>>(reinterpret_cast<volatile int *>(d->yl));
  if (d->lefts == d->fault_at)
    fault<<<1, 1, 0, s>>>(reinterpret_cast<int *>(16));
}

void release(Rows *rows) {
  cudaFree(rows->start);
  cudaFree(rows->column);
  cudaFree(rows->value);
}

} // namespace

int spmv_device_create(const spmv_host_arrays *host, spmv_buffers buffers,
                       spmv_device **device_p, char *message, size_t size) {
  Failure f = {nullptr, cudaSuccess, nullptr};
  if (host->left->start[host->rows] > INT32_MAX ||
      host->right->start[host->rows] > INT32_MAX) {
    snprintf(message, size, "over 2^31 entries on one GPU: use more ranks");
    return 1;
  }
  spmv_device *d = static_cast<spmv_device *>(calloc(1, sizeof *d));
  if (d == nullptr) {
    snprintf(message, size, "no memory");
    return 1;
  }
  d->buffers = buffers;
  d->rows = host->rows;
  d->delay_us = host->delay_us;
  d->hang_at = host->hang_at;
  d->fault_at = host->fault_at;
  d->random = (unsigned)host->rows + 1;
  d->send_total = host->send_total;
  d->recv_total = host->recv_total;
  ok(&f, "cudaStreamCreate",
     cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking));
  f.stream = d->stream;
  upload_rows(&f, &d->left, host->left);
  upload_rows(&f, &d->right, host->right);
  upload(&f, &d->x, host->x, (size_t)host->rows);
  upload(&f, &d->send_index, host->send_index, (size_t)host->send_total);
  reserve(&f, &d->yl, (size_t)host->rows);
  reserve(&f, &d->yr, (size_t)host->rows);
  reserve(&f, &d->y, (size_t)host->rows);
  make_buffers(&f, d);
  if (f.error == cudaSuccess)
    ok(&f, "clearing the outputs",
       static_cast<cudaError_t>(spmv_device_poison(d)));
  if (f.error != cudaSuccess) {
    snprintf(message, size, "%s: %s", f.what, spmv_device_error((int)f.error));
    spmv_device_free(d);
    return 1;
  }
  *device_p = d;
  return 0;
}

void spmv_device_free(spmv_device *d) {
  if (d == nullptr)
    return;
  release(&d->left);
  release(&d->right);
  float *arrays[] = {d->x, d->yl, d->yr, d->y};
  for (float *array : arrays)
    cudaFree(array);
  cudaFree(d->send_index);
  if (d->buffers != SPMV_MAPPED_BUFFERS) {
    cudaFree(d->send);
    cudaFree(d->recv);
  }
  if (d->send_host != nullptr)
    cudaFreeHost(d->send_host);
  if (d->recv_host != nullptr)
    cudaFreeHost(d->recv_host);
  if (d->stream != nullptr)
    cudaStreamDestroy(d->stream);
  free(d);
}

void spmv_device_mpi(const spmv_device *d, float **send_p, float **recv_p) {
  bool on_host = d->buffers != SPMV_DEVICE_BUFFERS;
  *send_p = on_host ? d->send_host : d->send;
  *recv_p = on_host ? d->recv_host : d->recv;
}

int spmv_device_pack(spmv_device *d, void *stream) {
  delay(d, stream);
  if (d->send_total == 0)
    return cudaSuccess;
  gather<<<blocks(d->send_total), kBlock, 0,
           static_cast<cudaStream_t>(stream)>>>(d->send_total, d->send_index,
                                                d->x, d->send);
  return cudaGetLastError();
}

int spmv_device_left(spmv_device *d, void *stream) {
  delay(d, stream);
  go_wrong(d, stream);
  return product(&d->left, d->x, d->yl, stream);
}

int spmv_device_right(spmv_device *d, void *stream) {
  delay(d, stream);
  return product(&d->right, d->recv, d->yr, stream);
}

int spmv_device_add(spmv_device *d, void *stream) {
  delay(d, stream);
  if (d->rows == 0)
    return cudaSuccess;
  add<<<blocks(d->rows), kBlock, 0, static_cast<cudaStream_t>(stream)>>>(
      d->rows, d->yl, d->yr, d->y);
  return cudaGetLastError();
}

int spmv_device_to_host(spmv_device *d, void *stream) {
  return cudaMemcpyAsync(
      d->send_host, d->send, (size_t)d->send_total * sizeof(float),
      cudaMemcpyDeviceToHost, static_cast<cudaStream_t>(stream));
}

int spmv_device_to_device(spmv_device *d, void *stream) {
  return cudaMemcpyAsync(
      d->recv, d->recv_host, (size_t)d->recv_total * sizeof(float),
      cudaMemcpyHostToDevice, static_cast<cudaStream_t>(stream));
}

int spmv_device_poison(spmv_device *d) {
  Failure f = {nullptr, cudaSuccess, d->stream};
  size_t rows = (size_t)d->rows * sizeof(float);
  size_t sent = (size_t)d->send_total * sizeof(float);
  size_t received = (size_t)d->recv_total * sizeof(float);
  spoil(&f, d->yl, rows);
  spoil(&f, d->yr, rows);
  spoil(&f, d->y, rows);
  spoil(&f, d->send, sent);
  spoil(&f, d->recv, received);
  ok(&f, "cudaStreamSynchronize", cudaStreamSynchronize(d->stream));
  if (d->send_host != nullptr)
    memset(d->send_host, 0xff, sent);
  if (d->recv_host != nullptr)
    memset(d->recv_host, 0xff, received);
  return f.error;
}

int spmv_device_fetch(const spmv_device *d, float *y) {
  cudaError_t error = cudaMemcpyAsync(y, d->y, (size_t)d->rows * sizeof(float),
                                      cudaMemcpyDeviceToHost, d->stream);
  return error != cudaSuccess ? error : cudaStreamSynchronize(d->stream);
}

const char *spmv_device_error(int error) {
  return cudaGetErrorString(static_cast<cudaError_t>(error));
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/capture/cuda.c - wrappers of the CUDA runtime: streams, events,
 * launches, copies, syncs.
 *
 * Types are declared here, as far as their layout matters, so that the library
 * is built without a CUDA toolkit.  Names that end in _ptsz are what programs
 * call that were compiled with --default-stream per-thread.
 */
#include "capture.h"

#include <stddef.h>

typedef int cuda_error;
typedef struct dim3_s {
  unsigned x, y, z;
} dim3_s;
typedef struct launch_config {
  dim3_s grid, block;
  size_t shared_bytes;
  void *stream;
  void *attributes;
  unsigned attributes_count;
} launch_config;

/* The log's number of a stream; NULL and 1: the legacy default stream. */
static unsigned long stream_of(const void *stream, int per_thread) {
  const uintptr_t handle = (uintptr_t)stream;
  if (handle == 1 || (handle == 0 && !per_thread))
    return 0;
  return capture_number(CAPTURE_STREAM, handle ? handle : 2);
}

static unsigned long event_of(const void *event) {
  return capture_number(CAPTURE_EVENT, (uintptr_t)event);
}

/* A wrapper: the result type is cuda_error; `line` is logged before the call,
 * `after` is done after it (the result is `error`). */
#define WRAP_AFTER(f, parameters, arguments, line, after)                      \
  CAPTURE_EXPORT cuda_error f parameters;                                      \
  cuda_error f parameters {                                                    \
    CAPTURE_REAL(f);                                                           \
    capture_saw_cuda();                                                        \
    capture_enter();                                                           \
    line;                                                                      \
    const cuda_error error = real arguments;                                   \
    after;                                                                     \
    capture_leave();                                                           \
    return error;                                                              \
  }
#define WRAP(f, parameters, arguments, line)                                   \
  WRAP_AFTER(f, parameters, arguments, line, (void)0)

/* ---- names of kernels ---- */

typedef void register_function(void **, const char *, char *, const char *, int,
                               void *, void *, void *, void *, int *);
CAPTURE_EXPORT register_function __cudaRegisterFunction;

void __cudaRegisterFunction(void **module, const char *host, char *device,
                            const char *name, int limit, void *tid, void *bid,
                            void *block, void *grid, int *warp) {
  CAPTURE_REAL(__cudaRegisterFunction);
  capture_kernel_add(host, name);
  real(module, host, device, name, limit, tid, bid, block, grid, warp);
}

/* Code from nvcc 13 on asks once for a kernel's handle and launches that. */
#define GET_KERNEL(f)                                                          \
  WRAP_AFTER(f, (void **kernel, const void *function), (kernel, function),     \
             (void)0,                                                          \
             if (error == 0)                                                   \
                 capture_kernel_add(*kernel, capture_kernel_name(function)))
GET_KERNEL(__cudaGetKernel)
GET_KERNEL(cudaGetKernel)

/* ---- launches and copies ---- */

#define LAUNCH(f, per_thread)                                                  \
  WRAP(f,                                                                      \
       (const void *function, dim3_s grid, dim3_s block, void **args,          \
        size_t bytes, void *stream),                                           \
       (function, grid, block, args, bytes, stream),                           \
       capture_line("launch %lu %s", stream_of(stream, per_thread),            \
                    capture_kernel_name(function)))
LAUNCH(cudaLaunchKernel, 0)
LAUNCH(cudaLaunchKernel_ptsz, 1)
LAUNCH(__cudaLaunchKernel, 0)
LAUNCH(__cudaLaunchKernel_ptsz, 1)

#define LAUNCH_EX(f, per_thread)                                               \
  WRAP(f, (const launch_config *config, const void *function, void **args),    \
       (config, function, args),                                               \
       capture_line("launch %lu %s", stream_of(config->stream, per_thread),    \
                    capture_kernel_name(function)))
LAUNCH_EX(cudaLaunchKernelExC, 0)
LAUNCH_EX(cudaLaunchKernelExC_ptsz, 1)

#define GRAPH(f, per_thread)                                                   \
  WRAP(f, (void *graph, void *stream), (graph, stream),                        \
       capture_line("launch %lu graph", stream_of(stream, per_thread)))
GRAPH(cudaGraphLaunch, 0)
GRAPH(cudaGraphLaunch_ptsz, 1)

#define HOST_FUNCTION(f, per_thread)                                           \
  WRAP(f, (void *stream, void (*function)(void *), void *data),                \
       (stream, function, data),                                               \
       capture_line("launch %lu hostfunc", stream_of(stream, per_thread)))
HOST_FUNCTION(cudaLaunchHostFunc, 0)
HOST_FUNCTION(cudaLaunchHostFunc_ptsz, 1)

#define COPY_ASYNC(f, per_thread)                                              \
  WRAP(f, (void *to, const void *from, size_t bytes, int kind, void *stream),  \
       (to, from, bytes, kind, stream),                                        \
       capture_line("copy %lu memcpy", stream_of(stream, per_thread)))
COPY_ASYNC(cudaMemcpyAsync, 0)
COPY_ASYNC(cudaMemcpyAsync_ptsz, 1)

#define COPY_2D(f, per_thread)                                                 \
  WRAP(f,                                                                      \
       (void *to, size_t to_pitch, const void *from, size_t from_pitch,        \
        size_t width, size_t height, int kind, void *stream),                  \
       (to, to_pitch, from, from_pitch, width, height, kind, stream),          \
       capture_line("copy %lu memcpy2d", stream_of(stream, per_thread)))
COPY_2D(cudaMemcpy2DAsync, 0)
COPY_2D(cudaMemcpy2DAsync_ptsz, 1)

WRAP(cudaMemcpyPeerAsync,
     (void *to, int to_device, const void *from, int from_device, size_t bytes,
      void *stream),
     (to, to_device, from, from_device, bytes, stream),
     capture_line("copy %lu memcpypeer", stream_of(stream, 0)))

#define SET_ASYNC(f, per_thread)                                               \
  WRAP(f, (void *to, int value, size_t bytes, void *stream),                   \
       (to, value, bytes, stream),                                             \
       capture_line("copy %lu memset", stream_of(stream, per_thread)))
SET_ASYNC(cudaMemsetAsync, 0)
SET_ASYNC(cudaMemsetAsync_ptsz, 1)

/* Blocking copies wait for the legacy stream; memset of device memory does
 * not hold up the host. */
WRAP_AFTER(cudaMemcpy, (void *to, const void *from, size_t bytes, int kind),
           (to, from, bytes, kind), capture_line("copy 0 memcpy"),
           capture_line("streamsync 0"))
WRAP(cudaMemset, (void *to, int value, size_t bytes), (to, value, bytes),
     capture_line("copy 0 memset"))

/* ---- streams ---- */

static void created(void **stream, cuda_error error, unsigned flags) {
  if (error == 0)
    capture_line("stream %lu %s",
                 capture_new(CAPTURE_STREAM, (uintptr_t)*stream),
                 flags & 1 ? "nonblocking" : "blocking");
}
WRAP_AFTER(cudaStreamCreate, (void **stream), (stream), (void)0,
           created(stream, error, 0))
WRAP_AFTER(cudaStreamCreateWithFlags, (void **stream, unsigned flags),
           (stream, flags), (void)0, created(stream, error, flags))
WRAP_AFTER(cudaStreamCreateWithPriority,
           (void **stream, unsigned flags, int priority),
           (stream, flags, priority), (void)0, created(stream, error, flags))

#define STREAM_SYNC(f, per_thread)                                             \
  WRAP(f, (void *stream), (stream),                                            \
       capture_line("streamsync %lu", stream_of(stream, per_thread)))
STREAM_SYNC(cudaStreamSynchronize, 0)
STREAM_SYNC(cudaStreamSynchronize_ptsz, 1)

/* A query that says "complete" is as good as a wait. */
#define STREAM_QUERY(f, per_thread)                                            \
  WRAP_AFTER(f, (void *stream), (stream), (void)0,                             \
             if (error == 0) capture_line("streamsync %lu",                    \
                                          stream_of(stream, per_thread)))
STREAM_QUERY(cudaStreamQuery, 0)
STREAM_QUERY(cudaStreamQuery_ptsz, 1)

WRAP(cudaDeviceSynchronize, (void), (), capture_line("devicesync"))

/* ---- events ---- */

#define RECORD(f, per_thread)                                                  \
  WRAP(f, (void *event, void *stream), (event, stream),                        \
       capture_line("record %lu %lu", event_of(event),                         \
                    stream_of(stream, per_thread)))
RECORD(cudaEventRecord, 0)
RECORD(cudaEventRecord_ptsz, 1)

#define RECORD_FLAGS(f, per_thread)                                            \
  WRAP(f, (void *event, void *stream, unsigned flags), (event, stream, flags), \
       capture_line("record %lu %lu", event_of(event),                         \
                    stream_of(stream, per_thread)))
RECORD_FLAGS(cudaEventRecordWithFlags, 0)
RECORD_FLAGS(cudaEventRecordWithFlags_ptsz, 1)

#define STREAM_WAIT(f, per_thread)                                             \
  WRAP(f, (void *stream, void *event, unsigned flags), (stream, event, flags), \
       capture_line("streamwait %lu %lu", stream_of(stream, per_thread),       \
                    event_of(event)))
STREAM_WAIT(cudaStreamWaitEvent, 0)
STREAM_WAIT(cudaStreamWaitEvent_ptsz, 1)

WRAP(cudaEventSynchronize, (void *event), (event),
     capture_line("hostwait %lu", event_of(event)))
WRAP_AFTER(cudaEventQuery, (void *event), (event), (void)0,
           if (error == 0) capture_line("hostwait %lu", event_of(event)))
WRAP(cudaEventDestroy, (void *event), (event),
     capture_forget(CAPTURE_EVENT, (uintptr_t)event))

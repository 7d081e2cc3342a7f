/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/stubs/cuda-fake.c - see cuda-fake.h.  Streams and events are numbered
 * in the order of creation; the clock of timed events counts records.
 */
#include "cuda-fake.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"

enum { MAX = 512, LOG_SIZE = 8192 };

struct CUstream_st {
  int alive;
};
struct CUevent_st {
  int alive;
  unsigned flags;
  long recorded; /* tick, 0 never */
};

static struct {
  struct CUstream_st stream[MAX];
  struct CUevent_st event[MAX];
  int streams, events, devices, device, wrong, fail_at, sticky, calls;
  long tick;
  cudaError_t last;
  char log[LOG_SIZE];
} fake;

void cuda_fake_reset(int devices) {
  memset(&fake, 0, sizeof fake);
  fake.devices = devices;
}

void cuda_fake_fail(int n, int sticky) {
  fake.fail_at = n;
  fake.sticky = sticky;
  fake.calls = 0;
}

int cuda_fake_calls(void) { return fake.calls; }
int cuda_fake_wrong(void) { return fake.wrong; }
int cuda_fake_device(void) { return fake.device; }
const char *cuda_fake_log(void) { return fake.log; }
void cuda_fake_clear_log(void) { fake.log[0] = 0; }

int cuda_fake_alive(void) {
  int alive = 0;
  for (int i = 0; i < MAX; i++)
    alive += fake.stream[i].alive + fake.event[i].alive;
  return alive;
}

static cudaError_t call(void) {
  fake.calls++;
  if (fake.fail_at > 0 && (fake.calls == fake.fail_at ||
                           (fake.sticky && fake.calls > fake.fail_at)))
    return fake.last = cudaErrorIllegalAddress;
  return cudaSuccess;
}

static void note(const char *format, ...) {
  size_t used = strlen(fake.log);
  va_list args;
  va_start(args, format);
  vsnprintf(fake.log + used, LOG_SIZE - used, format, args);
  va_end(args);
}

static int check_stream(cudaStream_t stream) {
  if (stream == NULL || !stream->alive)
    fake.wrong++;
  return stream == NULL ? -1 : (int)(stream - fake.stream);
}

static int check_event(cudaEvent_t event) {
  if (event == NULL || !event->alive)
    fake.wrong++;
  return event == NULL ? -1 : (int)(event - fake.event);
}

cudaError_t cudaGetDeviceCount(int *count) {
  *count = fake.devices;
  return fake.devices == 0 ? cudaErrorNoDevice : call();
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties,
                                    int device) {
  snprintf(properties->name, sizeof properties->name, "Fake %d", device);
  return call();
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute,
                                   int device) {
  (void)attribute, (void)device;
  *value = 0xff; /* no such PCI device here */
  return call();
}

cudaError_t cudaSetDevice(int device) {
  fake.wrong += device < 0 || device >= fake.devices;
  fake.device = device;
  return call();
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  (void)flags;
  return call();
}

cudaError_t cudaDriverGetVersion(int *version) {
  *version = 13000;
  return call();
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = 12080;
  return call();
}

cudaError_t cudaFree(void *memory) {
  fake.wrong += memory != NULL;
  return call();
}

cudaError_t cudaGetLastError(void) {
  cudaError_t last = fake.last;
  fake.last = cudaSuccess;
  return last;
}

const char *cudaGetErrorName(cudaError_t error) {
  return error == cudaErrorIllegalAddress ? "cudaErrorIllegalAddress"
                                          : "cudaErrorOther";
}

const char *cudaGetErrorString(cudaError_t error) {
  return error == cudaErrorNoDevice ? "no CUDA-capable device is detected"
                                    : "an illegal memory access";
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
  cudaError_t error = call();
  fake.wrong += flags != cudaStreamNonBlocking;
  if (error != cudaSuccess || fake.streams == MAX)
    return error != cudaSuccess ? error : cudaErrorMemoryAllocation;
  *stream = fake.stream + fake.streams++;
  (*stream)->alive = 1;
  return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  check_stream(stream);
  stream->alive = 0;
  return call();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  note("join(s%d) ", check_stream(stream));
  return call();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  check_stream(stream);
  return call();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                unsigned flags) {
  (void)flags;
  note("wait(s%d,e%d) ", check_stream(stream), check_event(event));
  return call();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
  cudaError_t error = call();
  if (error != cudaSuccess || fake.events == MAX)
    return error != cudaSuccess ? error : cudaErrorMemoryAllocation;
  *event = fake.event + fake.events++;
  **event = (struct CUevent_st){.alive = 1, .flags = flags};
  return cudaSuccess;
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  check_event(event);
  event->alive = 0;
  return call();
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  note("record(e%d,s%d) ", check_event(event), check_stream(stream));
  event->recorded = ++fake.tick;
  return call();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  note("sync(e%d) ", check_event(event));
  return call();
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t start,
                                 cudaEvent_t stop) {
  check_event(start);
  check_event(stop);
  fake.wrong += ((start->flags | stop->flags) & cudaEventDisableTiming) != 0 ||
                start->recorded == 0 || stop->recorded == 0;
  *ms = (float)(stop->recorded - start->recorded);
  return call();
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  *can = device != peer;
  return call();
}

cudaError_t cudaDeviceGetPCIBusId(char *text, int size, int device) {
  snprintf(text, (size_t)size, "0000:%02x:00.0", device);
  return call();
}

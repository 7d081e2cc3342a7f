/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/platform-cuda.c - streams and events of the CUDA runtime.  The only
 * file of cairn that sees it; no nvcc is needed.
 *
 * Streams are non-blocking and the legacy default stream is never used, so
 * nothing orders the streams but what the schedule says.  Events keep no time,
 * which makes them cheap; tracing has its own, timed ones.  Everything is made
 * in create and reserve.  A wait spins when cores are free and sleeps when
 * they are not.
 *
 * An error is kept with the call that returned it.  One that is still there
 * after it was read is sticky: the process is of no more use.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>
#include <hwloc.h>

#include <cairn/dag.h>
#include <cairn/exec.h>

#include "base/clock-private.h"
#include "exec/devices-private.h"
#include "exec/platform-private.h"
#include "exec/survey-private.h"

enum { NAME_SIZE = 256, CALIBRATIONS = 20 };

struct cairn_exec_platform {
  cairn_exec_platform_config config;
  int device;
  cudaStream_t stream[CAIRN_DAG_MAX_STREAMS];
  unsigned streams; /* made so far */
  uint32_t used;    /* bit s: stream s got work since the last join */
  cudaEvent_t *event;
  size_t events, event_capacity;

  /* Tracing: two timed events an item, made when tracing is switched on. */
  cairn_exec_span *spans;
  cudaEvent_t *timed; /* 2 * item, 2 * item + 1 */
  size_t timed_count, timed_capacity;
  uint8_t *launched; /* this item was, since the last join */
  size_t items, launched_capacity;
  cudaEvent_t base; /* recorded at base_s on CLOCK_MONOTONIC */
  double base_s;

  const char *failed_call; /* of the last error returned */
  char device_name[NAME_SIZE], driver_name[NAME_SIZE], bus_name[32];
};

/* Keeps the name of a call that fails. */
#define TRY(platform, call, ...) keep((platform), #call, (int)call(__VA_ARGS__))

static int keep(cairn_exec_platform *platform, const char *call, int error) {
  if (error != cudaSuccess)
    platform->failed_call = call;
  return error;
}

/* ---- choosing the device ---- */

/* The CPUs near a device, or NULL when the topology does not say. */
static hwloc_const_cpuset_t near_cpus(hwloc_topology_t topology, int device) {
  int domain = 0, bus = 0, slot = 0;
  if (cudaDeviceGetAttribute(&domain, cudaDevAttrPciDomainId, device) != 0 ||
      cudaDeviceGetAttribute(&bus, cudaDevAttrPciBusId, device) != 0 ||
      cudaDeviceGetAttribute(&slot, cudaDevAttrPciDeviceId, device) != 0)
    return NULL;
  hwloc_obj_t obj = hwloc_get_pcidev_by_busid(topology, (unsigned)domain,
                                              (unsigned)bus, (unsigned)slot, 0);
  if (obj == NULL)
    return NULL;
  obj = hwloc_get_non_io_ancestor_obj(topology, obj);
  return obj == NULL ? NULL : obj->cpuset;
}

/* Fills near[device] with 1 where the device is near the CPUs of a rank. */
static void find_near(hwloc_topology_t topology, const unsigned long *cpus,
                      unsigned words, int devices, uint8_t *near) {
  hwloc_cpuset_t bound = hwloc_bitmap_alloc();
  if (bound == NULL || hwloc_bitmap_from_ulongs(bound, words, cpus) != 0) {
    hwloc_bitmap_free(bound);
    return;
  }
  for (int d = 0; d < devices; d++) {
    hwloc_const_cpuset_t around = near_cpus(topology, d);
    near[d] = around != NULL && hwloc_bitmap_intersects(bound, around);
  }
  hwloc_bitmap_free(bound);
}

static int load_topology(hwloc_topology_t *topology_p) {
  if (hwloc_topology_init(topology_p) != 0)
    return 0;
  if (hwloc_topology_set_io_types_filter(
          *topology_p, HWLOC_TYPE_FILTER_KEEP_IMPORTANT) == 0 &&
      hwloc_topology_load(*topology_p) == 0)
    return 1;
  hwloc_topology_destroy(*topology_p);
  return 0;
}

/* All ranks of the host are placed, each near its CPUs where that is known;
 * ours is returned. */
static int nearest_device(const cairn_exec_place *place, int devices) {
  const size_t ranks = (size_t)place->local_ranks;
  int chosen = place->local_rank % devices;
  hwloc_topology_t topology;
  uint8_t *near = cairn_base_zalloc(ranks, (size_t)devices);
  int *device = cairn_base_zalloc(ranks + (size_t)devices, sizeof *device);
  if (near != NULL && device != NULL && place->cpus != NULL &&
      load_topology(&topology)) {
    for (size_t r = 0; r < ranks; r++)
      find_near(topology, place->cpus + r * place->cpu_words, place->cpu_words,
                devices, near + r * (size_t)devices);
    cairn_exec__assign_devices(near, place->local_ranks, devices, device,
                               device + ranks);
    chosen = device[place->local_rank];
    hwloc_topology_destroy(topology);
  }
  cairn_base_free(device);
  cairn_base_free(near);
  return chosen;
}

/* CAIRN_CUDA_DEVICE: one number, or one for each local rank, with commas.
 * 1 and *device_p when it is set and good, 0 when it is not set, -1 bad. */
static int device_from_environment(const cairn_exec_place *place, int devices,
                                   int *device_p) {
  const char *text = getenv("CAIRN_CUDA_DEVICE");
  long value = -1;
  if (text == NULL || *text == 0)
    return 0;
  for (int r = 0; r <= place->local_rank && *text != 0; r++) {
    char *end;
    value = strtol(text, &end, 10);
    if (end == text || value < 0 || value >= devices ||
        (*end != ',' && *end != 0))
      return -1;
    text = *end == ',' ? end + 1 : end;
  }
  *device_p = (int)value;
  return 1;
}

static cairn_status choose_device(const cairn_exec_place *place, int *device_p,
                                  cairn_base_diag *diag) {
  int devices = 0;
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess || devices == 0) {
    cairn_base_diag_error(diag, "rank %d sees no CUDA device: %s", place->rank,
                          cudaGetErrorString(error));
    return CAIRN_ENV;
  }
  int told = device_from_environment(place, devices, device_p);
  if (told < 0) {
    cairn_base_diag_error(
        diag,
        "CAIRN_CUDA_DEVICE=%s: expected device numbers from 0 to %d, one or "
        "one for each rank of a host, separated by commas",
        getenv("CAIRN_CUDA_DEVICE"), devices - 1);
    return CAIRN_ENV;
  }
  if (told == 0)
    *device_p = nearest_device(place, devices);
  return CAIRN_OK;
}

static int cuda_available(const cairn_exec_place *place, char *reason,
                          size_t size) {
  int devices = 0;
  (void)place;
  /* All kernels are loaded at the start, none in timed code. */
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  cudaError_t error = cudaGetDeviceCount(&devices);
  if (error != cudaSuccess)
    snprintf(reason, size, "no CUDA device: %s", cudaGetErrorString(error));
  else
    snprintf(reason, size,
             devices == 0   ? "no CUDA device"
             : devices == 1 ? "%d CUDA device"
                            : "%d CUDA devices",
             devices);
  (void)cudaGetLastError();
  return error == cudaSuccess && devices > 0;
}

/* ---- making and freeing ---- */

static unsigned event_flags(const cairn_exec_platform *platform) {
  return cudaEventDisableTiming |
         (platform->config.spare_cores ? 0 : cudaEventBlockingSync);
}

static void destroy_events(cudaEvent_t *event, size_t count) {
  for (size_t i = 0; i < count; i++)
    cudaEventDestroy(event[i]);
  cairn_base_free(event);
}

static void cuda_destroy(cairn_exec_platform *platform) {
  if (platform == NULL)
    return;
  for (unsigned s = 0; s < platform->streams; s++)
    cudaStreamDestroy(platform->stream[s]);
  destroy_events(platform->event, platform->events);
  destroy_events(platform->timed, platform->timed_count);
  if (platform->base != NULL)
    cudaEventDestroy(platform->base);
  cairn_base_free(platform->launched);
  cairn_base_free(platform);
}

static void cuda_error_text(cairn_exec_platform *platform, int code, char *text,
                            size_t size) {
  snprintf(text, size, "%s: %s: %s",
           platform->failed_call != NULL ? platform->failed_call : "CUDA",
           cudaGetErrorName((cudaError_t)code),
           cudaGetErrorString((cudaError_t)code));
}

static cairn_status complain(cairn_exec_platform *platform, int error,
                             cairn_base_diag *diag) {
  char text[NAME_SIZE];
  cuda_error_text(platform, error, text, sizeof text);
  cairn_base_diag_error(diag, "rank %d, CUDA device %d: %s",
                        platform->config.place.rank, platform->device, text);
  return CAIRN_ENV;
}

/* Adds events up to `needed`; 0 or an error; CAIRN_NOMEM through *status_p. */
static int grow_events(cairn_exec_platform *platform, cudaEvent_t **event_p,
                       size_t *count_p, size_t *capacity_p, size_t needed,
                       unsigned flags, cairn_status *status_p) {
  *status_p =
      cairn_base_reserve(event_p, capacity_p, needed, sizeof(cudaEvent_t));
  int error = 0;
  while (*status_p == CAIRN_OK && error == 0 && *count_p < needed) {
    error = TRY(platform, cudaEventCreateWithFlags, *event_p + *count_p, flags);
    *count_p += error == 0;
  }
  return error;
}

static cairn_status cuda_reserve(cairn_exec_platform *platform, size_t events,
                                 size_t items, cairn_base_diag *diag) {
  cairn_status status;
  if (items > platform->items)
    platform->items = items;
  int error = grow_events(platform, &platform->event, &platform->events,
                          &platform->event_capacity, events,
                          event_flags(platform), &status);
  return error != 0 ? complain(platform, error, diag) : status;
}

static int open_device(cairn_exec_platform *platform) {
  int error = TRY(platform, cudaSetDevice, platform->device);
  /* Refused when MPI made the context already: then its way stays. */
  if (error == 0 &&
      cudaSetDeviceFlags(platform->config.spare_cores
                             ? cudaDeviceScheduleSpin
                             : cudaDeviceScheduleBlockingSync) != cudaSuccess)
    (void)cudaGetLastError();
  if (error == 0)
    error = TRY(platform, cudaFree, NULL); /* makes the context */
  while (error == 0 && platform->streams < platform->config.streams) {
    error = TRY(platform, cudaStreamCreateWithFlags,
                platform->stream + platform->streams, cudaStreamNonBlocking);
    platform->streams += error == 0;
  }
  return error;
}

static int name_device(cairn_exec_platform *platform) {
  struct cudaDeviceProp properties;
  int driver = 0, runtime = 0;
  int error =
      TRY(platform, cudaGetDeviceProperties, &properties, platform->device);
  if (error == 0)
    error = TRY(platform, cudaDriverGetVersion, &driver);
  if (error == 0)
    error = TRY(platform, cudaRuntimeGetVersion, &runtime);
  if (error != 0)
    return error;
  snprintf(platform->device_name, sizeof platform->device_name, "%s",
           properties.name);
  snprintf(platform->driver_name, sizeof platform->driver_name,
           "CUDA driver %d.%d, runtime %d.%d", driver / 1000, driver / 10 % 100,
           runtime / 1000, runtime / 10 % 100);
  return 0;
}

static cairn_status cuda_create(const cairn_exec_platform_config *config,
                                cairn_base_diag *diag,
                                cairn_exec_platform **platform_p) {
  int device = 0;
  cairn_status status = choose_device(&config->place, &device, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_exec_platform *platform = cairn_base_zalloc(1, sizeof *platform);
  if (platform == NULL)
    return CAIRN_NOMEM;
  platform->config = *config;
  platform->device = device;
  int error = open_device(platform);
  if (error == 0)
    error = name_device(platform);
  status = error != 0
               ? complain(platform, error, diag)
               : cuda_reserve(platform, config->events, config->items, diag);
  if (status != CAIRN_OK) {
    cuda_destroy(platform);
    return status;
  }
  *platform_p = platform;
  return CAIRN_OK;
}

/* ---- tracing ---- */

/* The base event's place on CLOCK_MONOTONIC: the middle of the shortest of
 * several record-and-wait round trips. */
static int set_base(cairn_exec_platform *platform) {
  double best = 1e9;
  for (int i = 0; i < CALIBRATIONS; i++) {
    double before = cairn_base__now_s();
    int error =
        TRY(platform, cudaEventRecord, platform->base, platform->stream[0]);
    if (error == 0)
      error = TRY(platform, cudaEventSynchronize, platform->base);
    double after = cairn_base__now_s();
    if (error != 0)
      return error;
    /* Only the last record counts, so stop at a good one. */
    platform->base_s = before + (after - before) / 2;
    if (i > CALIBRATIONS / 2 && after - before <= best * 1.1)
      break;
    if (after - before < best)
      best = after - before;
  }
  return 0;
}

static int cuda_trace(cairn_exec_platform *platform, cairn_exec_span *spans) {
  cairn_status status = CAIRN_OK;
  int error = 0;
  platform->spans = NULL;
  if (spans == NULL)
    return 0;
  if (cairn_base_reserve(&platform->launched, &platform->launched_capacity,
                         platform->items, 1) != CAIRN_OK)
    return cudaErrorMemoryAllocation;
  memset(platform->launched, 0, platform->items);
  if (platform->base == NULL)
    error = TRY(platform, cudaEventCreateWithFlags, &platform->base,
                cudaEventDefault);
  if (error == 0)
    error = grow_events(platform, &platform->timed, &platform->timed_count,
                        &platform->timed_capacity, 2 * platform->items,
                        cudaEventDefault, &status);
  if (error == 0 && status != CAIRN_OK)
    return cudaErrorMemoryAllocation;
  if (error == 0)
    error = set_base(platform);
  if (error == 0)
    platform->spans = spans;
  return error;
}

static int read_span(cairn_exec_platform *platform, size_t item) {
  float start_ms = 0, stop_ms = 0;
  int error = TRY(platform, cudaEventElapsedTime, &start_ms, platform->base,
                  platform->timed[2 * item]);
  if (error == 0)
    error = TRY(platform, cudaEventElapsedTime, &stop_ms, platform->base,
                platform->timed[2 * item + 1]);
  if (error != 0)
    return error;
  platform->spans[item].start_s = platform->base_s + 1e-3 * (double)start_ms;
  platform->spans[item].stop_s = platform->base_s + 1e-3 * (double)stop_ms;
  platform->launched[item] = 0;
  return 0;
}

static int read_spans(cairn_exec_platform *platform) {
  int error = 0;
  for (size_t i = 0; i < platform->items && error == 0; i++)
    if (platform->launched[i])
      error = read_span(platform, i);
  return error;
}

/* ---- the calls in timed code ---- */

static void run_call(cairn_exec_platform *platform, unsigned stream,
                     const cairn_exec_call *call) {
  int code = call->run(call->state, call->arg, platform->stream[stream]);
  if (code != 0)
    cairn_exec_fault_note(platform->config.fault, call->item, code);
}

static int launch_timed(cairn_exec_platform *platform, unsigned stream,
                        const cairn_exec_call *call) {
  cudaStream_t s = platform->stream[stream];
  cudaEvent_t *timed = platform->timed + 2 * (size_t)call->item;
  int error = TRY(platform, cudaEventRecord, timed[0], s);
  if (error != 0)
    return error;
  run_call(platform, stream, call);
  platform->launched[call->item] = 1;
  return TRY(platform, cudaEventRecord, timed[1], s);
}

static int cuda_launch(cairn_exec_platform *platform, unsigned stream,
                       const cairn_exec_call *call) {
  platform->used |= UINT32_C(1) << stream;
  if (platform->spans != NULL)
    return launch_timed(platform, stream, call);
  run_call(platform, stream, call);
  return 0;
}

static int cuda_record(cairn_exec_platform *platform, unsigned event,
                       unsigned stream) {
  return TRY(platform, cudaEventRecord, platform->event[event],
             platform->stream[stream]);
}

static int cuda_sync_event(cairn_exec_platform *platform, unsigned event) {
  return TRY(platform, cudaEventSynchronize, platform->event[event]);
}

static int cuda_wait_event(cairn_exec_platform *platform, unsigned stream,
                           unsigned event) {
  return TRY(platform, cudaStreamWaitEvent, platform->stream[stream],
             platform->event[event], 0);
}

static int cuda_join(cairn_exec_platform *platform) {
  int error = 0;
  for (unsigned s = 0; s < platform->streams && error == 0; s++)
    if (platform->used >> s & 1)
      error = TRY(platform, cudaStreamSynchronize, platform->stream[s]);
  platform->used = 0;
  if (error == 0 && platform->spans != NULL)
    error = read_spans(platform);
  return error;
}

/* ---- errors, facts ---- */

static int cuda_error_fatal(cairn_exec_platform *platform, int code) {
  (void)code;
  (void)cudaGetLastError();
  cudaError_t still = cudaStreamQuery(platform->stream[0]);
  return still != cudaSuccess && still != cudaErrorNotReady;
}

static int cuda_busy(cairn_exec_platform *platform, unsigned stream) {
  return cudaStreamQuery(platform->stream[stream]) == cudaErrorNotReady;
}

static const char *cuda_device(cairn_exec_platform *platform) {
  return platform->device_name;
}

static const char *cuda_driver(cairn_exec_platform *platform) {
  return platform->driver_name;
}

static const char *cuda_bus(cairn_exec_platform *platform) {
  if (cudaDeviceGetPCIBusId(platform->bus_name, sizeof platform->bus_name,
                            platform->device) != cudaSuccess)
    platform->bus_name[0] = '\0';
  return platform->bus_name;
}

/* ---- for the doctor ---- */

void cairn_exec__cuda_survey(const cairn_exec_place *place,
                             cairn_exec_gpu_survey *survey) {
  int told, reach = 0, driver = 0, runtime = 0;
  struct cudaDeviceProp properties;
  survey->device = -1;
  if (!cuda_available(place, survey->why, sizeof survey->why) ||
      cudaGetDeviceCount(&survey->devices) != cudaSuccess)
    return;
  told = device_from_environment(place, survey->devices, &survey->device);
  if (told < 0) {
    snprintf(survey->why, sizeof survey->why,
             "CAIRN_CUDA_DEVICE=%s does not fit %d devices",
             getenv("CAIRN_CUDA_DEVICE"), survey->devices);
    return;
  }
  if (told == 0)
    survey->device = nearest_device(place, survey->devices);
  for (int d = 0; d < survey->devices; d++)
    if (d != survey->device &&
        cudaDeviceCanAccessPeer(&reach, survey->device, d) == cudaSuccess)
      survey->peers += reach;
  if (cudaGetDeviceProperties(&properties, survey->device) == cudaSuccess)
    snprintf(survey->name, sizeof survey->name, "%s", properties.name);
  (void)cudaDeviceGetPCIBusId(survey->bus, sizeof survey->bus, survey->device);
  (void)cudaDriverGetVersion(&driver);
  (void)cudaRuntimeGetVersion(&runtime);
  snprintf(survey->driver, sizeof survey->driver,
           "CUDA driver %d.%d, runtime %d.%d", driver / 1000, driver / 10 % 100,
           runtime / 1000, runtime / 10 % 100);
  survey->why[0] = 0;
}

const cairn_exec_backend cairn_exec__backend_cuda = {
    .name = "cuda",
    .description = "streams and events of an NVIDIA GPU",
    .has_gpu = 1,
    .available = cuda_available,
    .create = cuda_create,
    .destroy = cuda_destroy,
    .reserve = cuda_reserve,
    .launch = cuda_launch,
    .record = cuda_record,
    .sync_event = cuda_sync_event,
    .wait_event = cuda_wait_event,
    .join = cuda_join,
    .error_text = cuda_error_text,
    .error_fatal = cuda_error_fatal,
    .trace = cuda_trace,
    .busy = cuda_busy,
    .device = cuda_device,
    .driver = cuda_driver,
    .bus = cuda_bus,
};

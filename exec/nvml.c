/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/nvml.c - clocks of a GPU, read through NVIDIA's management library.  It
 * is opened at run time, so nothing depends on it; clocks are never changed.
 */
#include <dlfcn.h>

#include "card.h"

enum { CLOCK_SM = 1 }; /* nvmlClockType_t */

typedef struct nvml {
  void *library;
  int (*init)(void);
  int (*shutdown)(void);
  int (*by_bus)(const char *bus, void **device_p);
  int (*clock)(void *device, int type, unsigned *mhz_p);
  int (*max_clock)(void *device, int type, unsigned *mhz_p);
} nvml;

/* A function pointer from dlsym without a cast that ISO C forbids. */
static int find(void *library, const char *name, void *function_p) {
  *(void **)function_p = dlsym(library, name);
  return *(void **)function_p != NULL;
}

static int load(nvml *n) {
  n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  return n->library != NULL && find(n->library, "nvmlInit_v2", &n->init) &&
         find(n->library, "nvmlShutdown", &n->shutdown) &&
         find(n->library, "nvmlDeviceGetHandleByPciBusId_v2", &n->by_bus) &&
         find(n->library, "nvmlDeviceGetClockInfo", &n->clock) &&
         find(n->library, "nvmlDeviceGetMaxClockInfo", &n->max_clock);
}

void cairn_exec_nvml_clocks(const char *bus, unsigned *now_mhz_p,
                            unsigned *max_mhz_p) {
  nvml n = {0};
  void *device;
  *now_mhz_p = *max_mhz_p = 0;
  if (load(&n) && n.init() == 0) {
    if (n.by_bus(bus, &device) == 0 &&
        (n.clock(device, CLOCK_SM, now_mhz_p) != 0 ||
         n.max_clock(device, CLOCK_SM, max_mhz_p) != 0))
      *now_mhz_p = *max_mhz_p = 0;
    n.shutdown();
  }
  if (n.library != NULL)
    dlclose(n.library);
}

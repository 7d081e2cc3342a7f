/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/nvml.c - see nvml-private.h.  The library is opened at run time, so
 * nothing depends on it; clocks are never changed.
 */
#include "exec/nvml-private.h"

#include <dlfcn.h>

#include <cairn/base.h>
#include <cairn/exec.h>

enum { CLOCK_SM = 1 }; /* nvmlClockType_t */

struct cairn_exec_nvml {
  void *library, *device;
  int initialised;
  int (*init)(void);
  int (*shutdown)(void);
  int (*by_bus)(const char *bus, void **device_p);
  int (*clock)(void *device, int type, unsigned *mhz_p);
  int (*max_clock)(void *device, int type, unsigned *mhz_p);
  int (*reasons)(void *device, unsigned long long *reasons_p); /* or NULL */
};

/* A function pointer from dlsym without a cast that ISO C forbids. */
static int find(void *library, const char *name, void *function_p) {
  *(void **)function_p = dlsym(library, name);
  return *(void **)function_p != NULL;
}

static int load(cairn_exec_nvml *n) {
  n->library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (n->library == NULL || !find(n->library, "nvmlInit_v2", &n->init) ||
      !find(n->library, "nvmlShutdown", &n->shutdown) ||
      !find(n->library, "nvmlDeviceGetHandleByPciBusId_v2", &n->by_bus) ||
      !find(n->library, "nvmlDeviceGetClockInfo", &n->clock) ||
      !find(n->library, "nvmlDeviceGetMaxClockInfo", &n->max_clock))
    return 0;
  /* the newer name first; old drivers have neither */
  if (!find(n->library, "nvmlDeviceGetCurrentClocksEventReasons", &n->reasons))
    find(n->library, "nvmlDeviceGetCurrentClocksThrottleReasons", &n->reasons);
  return 1;
}

cairn_exec_nvml *cairn_exec__nvml_open(const char *bus) {
  cairn_exec_nvml *n = cairn_base_zalloc(1, sizeof *n);
  if (n == NULL)
    return NULL;
  n->initialised = load(n) && n->init() == 0;
  if (n->initialised && n->by_bus(bus, &n->device) == 0)
    return n;
  cairn_exec__nvml_close(n);
  return NULL;
}

void cairn_exec__nvml_close(cairn_exec_nvml *n) {
  if (n == NULL)
    return;
  if (n->initialised)
    n->shutdown();
  if (n->library != NULL)
    dlclose(n->library);
  cairn_base_free(n);
}

int cairn_exec__nvml_read(const cairn_exec_nvml *n,
                          cairn_exec_nvml_state *state_p) {
  cairn_exec_nvml_state state = {0};
  unsigned long long reasons = 0;
  if (n->clock(n->device, CLOCK_SM, &state.mhz) != 0 ||
      n->max_clock(n->device, CLOCK_SM, &state.max_mhz) != 0)
    return 0;
  if (n->reasons != NULL && n->reasons(n->device, &reasons) == 0)
    state.reasons = reasons;
  *state_p = state;
  return 1;
}

int cairn_exec__nvml_throttled(unsigned *top_mhz, unsigned mhz,
                               uint64_t reasons) {
  if (mhz > *top_mhz)
    *top_mhz = mhz;
  return (reasons & CAIRN_EXEC_NVML_BAD) != 0 || 4 * mhz < 3 * *top_mhz;
}

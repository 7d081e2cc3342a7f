/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/stubs/nvml-fake.c - NVIDIA's management library with one GPU, whose
 * clocks are what the test says.  Its name is the real one's, so that dlopen
 * finds it once the test has loaded it by path.
 */
#include <string.h>

typedef struct fake_state {
  int init_error, clock_error, reasons_error;
  unsigned mhz, max_mhz;
  unsigned long long reasons;
  int open; /* inits less shutdowns */
} fake_state;

int nvmlInit_v2(void);
int nvmlShutdown(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device_p);
int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz_p);
int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz_p);
int nvmlDeviceGetCurrentClocksThrottleReasons(void *device,
                                              unsigned long long *reasons_p);
fake_state *fake_nvml(void);

static fake_state state;

fake_state *fake_nvml(void) { return &state; }

int nvmlInit_v2(void) {
  state.open += state.init_error == 0;
  return state.init_error;
}

int nvmlShutdown(void) {
  state.open--;
  return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **device_p) {
  if (strcmp(bus, "0000:18:00.0") != 0)
    return 6; /* NVML_ERROR_NOT_FOUND */
  *device_p = &state;
  return 0;
}

static int is_ours(const void *device, int type) {
  return device == &state && type == 1; /* NVML_CLOCK_SM */
}

int nvmlDeviceGetClockInfo(void *device, int type, unsigned *mhz_p) {
  if (!is_ours(device, type) || state.clock_error != 0)
    return 3; /* NVML_ERROR_NOT_SUPPORTED */
  *mhz_p = state.mhz;
  return 0;
}

int nvmlDeviceGetMaxClockInfo(void *device, int type, unsigned *mhz_p) {
  if (!is_ours(device, type))
    return 3;
  *mhz_p = state.max_mhz;
  return 0;
}

int nvmlDeviceGetCurrentClocksThrottleReasons(void *device,
                                              unsigned long long *reasons_p) {
  if (device != &state || state.reasons_error != 0)
    return 3;
  *reasons_p = state.reasons;
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/devices.c - which rank of a host drives which device: all ranks of a
 * host are placed at once, so that none takes the device of another by chance.
 */
#include "exec/devices-private.h"
#include <cairn/exec.h>

static int count_near(const uint8_t *near, int devices) {
  int count = 0;
  for (int d = 0; d < devices; d++)
    count += near[d] != 0;
  return count == 0 ? devices : count; /* unknown: all alike */
}

static int least_loaded(const uint8_t *near, int all, int devices,
                        const int *load) {
  int best = -1;
  for (int d = 0; d < devices; d++)
    if ((all || near[d]) && (best < 0 || load[d] < load[best]))
      best = d;
  return best;
}

void cairn_exec__assign_devices(const uint8_t *near, int ranks, int devices,
                                int *device, int *load) {
  for (int d = 0; d < devices; d++)
    load[d] = 0;
  for (int choices = 1; choices <= devices; choices++)
    for (int r = 0; r < ranks; r++) {
      const uint8_t *const row = near + (long)r * devices;
      if (count_near(row, devices) != choices)
        continue;
      device[r] = least_loaded(row, choices == devices, devices, load);
      load[device[r]]++;
    }
}

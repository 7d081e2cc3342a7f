/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/devices-private.h - which rank of a host drives which device.  Internal
 * to exec.
 */
#ifndef CAIRN_EXEC_DEVICES_PRIVATE_H
#define CAIRN_EXEC_DEVICES_PRIVATE_H

#include <stdint.h>

#include <cairn/exec.h>

/* Gives each of `ranks` ranks one of `devices` devices: device[rank].  near:
 * ranks rows of `devices`, 1 where the device is near the rank's CPUs; a row
 * without any 1 means that nothing is known.  load: room for `devices` numbers.
 *
 * Ranks with the fewest near devices choose first, each the near one that has
 * the fewest ranks, the lowest number on ties.  So ranks that are bound to
 * nested sets of CPUs (cores, sockets, all) share a device only when there are
 * too few, and ranks that are not bound get rank % devices.  A function of its
 * arguments: every rank computes the same. */
void cairn_exec__assign_devices(const uint8_t *near, int ranks, int devices,
                                int *device, int *load);

#endif

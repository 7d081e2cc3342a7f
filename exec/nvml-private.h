/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/nvml-private.h - a GPU's clocks and why they are low, through NVIDIA's
 * management library, if there is one.  Internal to exec.
 */
#ifndef CAIRN_EXEC_NVML_PRIVATE_H
#define CAIRN_EXEC_NVML_PRIVATE_H

#include <stdint.h>

#include <cairn/exec.h>

typedef struct cairn_exec_nvml cairn_exec_nvml;

/* What a GPU does now. */
typedef struct cairn_exec_nvml_state {
  unsigned mhz, max_mhz; /* of the SMs: now, and at most */
  uint64_t reasons;      /* NVML's bits; 0 also when they cannot be read */
} cairn_exec_nvml_state;

/* Bits of `reasons` that mean: slower than it could be, against our will.
 * Being idle, and clocks that somebody has set, are not among them. */
#define CAIRN_EXEC_NVML_POWER_CAP 0x04u
#define CAIRN_EXEC_NVML_SLOWDOWN 0x08u
#define CAIRN_EXEC_NVML_SW_THERMAL 0x20u
#define CAIRN_EXEC_NVML_HW_THERMAL 0x40u
#define CAIRN_EXEC_NVML_POWER_BRAKE 0x80u
#define CAIRN_EXEC_NVML_BAD 0xecu

/* The GPU at this PCI address.  NULL: no library, no such GPU, no memory.
 * Close with cairn_exec__nvml_close. */
cairn_exec_nvml *cairn_exec__nvml_open(const char *bus);
void cairn_exec__nvml_close(cairn_exec_nvml *nvml);
/* 1 if *state_p was filled; tens of microseconds. */
int cairn_exec__nvml_read(const cairn_exec_nvml *nvml,
                          cairn_exec_nvml_state *state_p);
/* Is this reading a throttled one: a bad reason, or below 75 % of the highest
 * clock so far, which is kept in *top_mhz? */
int cairn_exec__nvml_throttled(unsigned *top_mhz, unsigned mhz,
                               uint64_t reasons);

#endif

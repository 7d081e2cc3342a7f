/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/clocks.c - are the GPUs as fast as they can be while we measure?
 *
 * Each rank looks at its GPU between samples, never in one, and at most a few
 * times a second; what it sees travels with its reply.  Throttled: the driver
 * says so (power or heat), or the clock is below 75 % of the highest that this
 * rank has seen.  Nothing is left out or taken again for it: it is told.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>

#include "exec/drive-private.h"
#include "exec/nvml-private.h"

#define EVERY_NS 200000000 /* between two looks */

struct cairn_exec_clock {
  cairn_exec_nvml *nvml; /* NULL: no GPU, or nobody to ask */
  int64_t next_ns;
  unsigned top_mhz; /* highest seen */
};

void cairn_exec__clock_open(cairn_exec *exec) {
  const char *bus =
      exec->backend->bus != NULL ? exec->backend->bus(exec->platform) : NULL;
  exec->clock = cairn_base_zalloc(1, sizeof *exec->clock);
  if (exec->clock != NULL && bus != NULL && bus[0] != '\0')
    exec->clock->nvml = cairn_exec__nvml_open(bus);
}

void cairn_exec__clock_close(cairn_exec *exec) {
  if (exec->clock != NULL)
    cairn_exec__nvml_close(exec->clock->nvml);
  cairn_base_free(exec->clock);
  exec->clock = NULL;
}

/* Looks if it is time; tests may pretend. */
static int look(cairn_exec *exec, cairn_exec_nvml_state *state) {
  struct cairn_exec_clock *c = exec->clock;
  if (cairn_exec__inject_clock(exec)) {
    *state = (cairn_exec_nvml_state){900, 1980, CAIRN_EXEC_NVML_HW_THERMAL};
    return 1;
  }
  const int64_t now = cairn_base__now_ns();
  if (c == NULL || c->nvml == NULL || now < c->next_ns)
    return 0;
  c->next_ns = now + EVERY_NS;
  return cairn_exec__nvml_read(c->nvml, state);
}

void cairn_exec__clock_look(cairn_exec *exec, cairn_exec_reply *reply) {
  cairn_exec_nvml_state state;
  if (exec->clock == NULL || !look(exec, &state))
    return;
  reply->clock_mhz = state.mhz;
  reply->clock_reasons = (uint32_t)state.reasons;
  reply->throttled = cairn_exec__nvml_throttled(&exec->clock->top_mhz,
                                                state.mhz, state.reasons);
}

/* ---- rank 0 ---- */

void cairn_exec__clock_hear(cairn_exec *exec, const cairn_exec_reply *reply) {
  cairn_exec_clocks *seen = &exec->clocks;
  if (reply->clock_mhz == 0)
    return;
  if (seen->looks == 0 || reply->clock_mhz < seen->least_mhz)
    seen->least_mhz = reply->clock_mhz;
  if (reply->clock_mhz > seen->most_mhz)
    seen->most_mhz = reply->clock_mhz;
  seen->reasons |= reply->clock_reasons;
  seen->throttled += reply->throttled != 0;
  seen->looks++;
}

cairn_exec_clocks cairn_exec__clocks_report(cairn_exec *exec) {
  const cairn_exec_clocks seen = exec->clocks;
  exec->clocks = (cairn_exec_clocks){0};
  return seen;
}

void cairn_exec__clocks_add(cairn_exec_clocks *sum,
                            const cairn_exec_clocks *more) {
  if (more->looks == 0)
    return;
  if (sum->looks == 0 || more->least_mhz < sum->least_mhz)
    sum->least_mhz = more->least_mhz;
  if (more->most_mhz > sum->most_mhz)
    sum->most_mhz = more->most_mhz;
  sum->reasons |= more->reasons;
  sum->throttled += more->throttled;
  sum->looks += more->looks;
}

void cairn_exec__clocks_text(const cairn_exec_clocks *clocks, char *text,
                             size_t size) {
  static const struct {
    uint32_t bit;
    const char *name;
  } reason[] = {{CAIRN_EXEC_NVML_POWER_CAP, "power cap"},
                {CAIRN_EXEC_NVML_SLOWDOWN, "hardware slowdown"},
                {CAIRN_EXEC_NVML_SW_THERMAL, "heat (driver)"},
                {CAIRN_EXEC_NVML_HW_THERMAL, "heat (hardware)"},
                {CAIRN_EXEC_NVML_POWER_BRAKE, "power brake"}};
  int n =
      snprintf(text, size, "%u to %u MHz", clocks->least_mhz, clocks->most_mhz);
  for (size_t i = 0; i < sizeof reason / sizeof *reason; i++)
    if (clocks->reasons & reason[i].bit && n > 0 && (size_t)n < size)
      n += snprintf(text + n, size - (size_t)n, ", %s", reason[i].name);
}

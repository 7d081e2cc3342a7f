/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/drive-private.h - front door of exec: running schedules on all ranks and
 * timing them.
 *
 * What the library itself needs beyond <cairn/exec.h>.
 */
#ifndef CAIRN_EXEC_DRIVE_PRIVATE_H
#define CAIRN_EXEC_DRIVE_PRIVATE_H

#include <signal.h>

#include "exec/blackbox-private.h"
#include "exec/world-private.h"
#include "timing/campaign-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

/* Which write to the journal is to fail, and with which errno; 0: none.  The
 * journal is the application's, so it is for the application to arrange. */
size_t cairn_exec__inject_write(const cairn_exec *exec, int *error_p);

/* Facts for the journal's header; the strings belong to the executor. */
typedef struct cairn_exec_info {
  const char *backend;
  const char *backend_reason; /* why this one */
  const char *const *device;  /* distinct device names over all ranks */
  size_t devices;
  const char *driver; /* NULL: none */
  int gpu_aware;      /* 1 device, 0 host, -1 no GPU */
  const char *gpu_aware_reason;
  cairn_exec_start start;      /* never AUTO; as it is now: late starts in a row
                                  lead from deadline to barrier */
  int can_verify;              /* the plugin has poison and verify */
  int oversubscribed;          /* more ranks than cores on some host, now */
  const cairn_base_fact *fact; /* clock, cores, binding, plugin, ... */
  size_t facts;
} cairn_exec_info;

const cairn_exec_info *cairn_exec__info_get(const cairn_exec *exec);

/* ---- the GPUs' clocks ---- */

/* Rank 0; begins anew. */
cairn_exec_clocks cairn_exec__clocks_report(cairn_exec *exec);
void cairn_exec__clocks_add(cairn_exec_clocks *sum,
                            const cairn_exec_clocks *more);
/* "1755 to 1980 MHz, power cap" */
void cairn_exec__clocks_text(const cairn_exec_clocks *clocks, char *text,
                             size_t size);

void cairn_exec__load_add(cairn_exec_load *sum, const cairn_exec_load *more);

cairn_status cairn_exec__forget(cairn_exec *exec, uint64_t id);

/* One execution from a common start, untimed as to statistics; with verify it
 * is preceded by poison and followed by verify on all ranks (CAIRN_USAGE when
 * the plugin has none). */
cairn_status cairn_exec__run(cairn_exec *exec, uint64_t id, int verify,
                             cairn_base_execution *outcome_p);

cairn_status cairn_exec__sample(cairn_exec *exec, const cairn_base_shot *shots,
                                size_t count, cairn_base_sample *samples,
                                cairn_base_execution *outcome_p);

/* The sampler that runs the schedules prepared in an executor. */
cairn_timing_sampler cairn_exec__sampler_of(cairn_exec *exec);

#endif

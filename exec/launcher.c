/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/launcher.c - did the launcher start what MPI sees?  A launcher of
 * another make than the MPI library leaves each process alone in a world of
 * its own, and each believes that it is the whole job.
 */
#include <stdio.h>

#include "exec/comm-private.h"
#include "exec/survey-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

int cairn_exec__launched(void) {
  return cairn_exec__launched_in(cairn_exec__getenv, NULL);
}

void cairn_exec__launcher_text(int launched, int ranks, const char *library,
                               char *text, size_t text_size, char *fix,
                               size_t fix_size) {
  snprintf(text, text_size,
           "the launcher started %d processes, but MPI sees %d in this job",
           launched, ranks);
  snprintf(fix, fix_size,
           "launcher and MPI library are of different makes, so each process "
           "runs alone: use the mpiexec (or srun --mpi=...) that belongs to: "
           "%s",
           library);
}

cairn_status cairn_exec_world_whole(cairn_exec_world *world,
                                    cairn_base_diag *diag) {
  const int launched = cairn_exec__launched();
  const int ranks = cairn_exec_world_size(world);
  cairn_status status = CAIRN_OK;
  if (launched > ranks) {
    char text[256], fix[512];
    cairn_exec__launcher_text(launched, ranks, cairn_exec__world_library(world),
                              text, sizeof text, fix, sizeof fix);
    cairn_base_diag_error(diag, "%s: %s", text, fix);
    status = CAIRN_ENV;
  }
  return cairn_exec_world_agree(world, status, diag);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/doctor.c - from the surveys of all ranks to findings.  One function a
 * topic; each adds at least one finding, so that silence is never a good sign.
 */
#include <cairn/exec.h>

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text-private.h"
#include "exec/comm-private.h"
#include "exec/survey-private.h"
#include "exec/world-private.h"

enum { MOST = 64, NEEDED_SHM_MIB = 64, SHOWN = 8 };

typedef struct report {
  const cairn_exec_survey *survey; /* of each rank */
  int ranks;
  const char *library;
  cairn_exec_finding *finding;
  size_t count;
} report;

static cairn_exec_finding *add(report *r, cairn_exec_grade grade,
                               const char *topic, const char *format, ...)
    CAIRN_PRINTF(4, 5);
static cairn_exec_finding *add(report *r, cairn_exec_grade grade,
                               const char *topic, const char *format, ...) {
  /* The last place is overwritten: more than MOST - 1 say no more. */
  cairn_exec_finding *f = r->finding + r->count;
  va_list args;
  if (r->count < MOST - 1)
    r->count++;
  f->grade = grade;
  f->topic = topic;
  f->fix[0] = 0;
  va_start(args, format);
  vsnprintf(f->text, sizeof f->text, format, args);
  va_end(args);
  return f;
}

static void fix(cairn_exec_finding *f, const char *format, ...)
    CAIRN_PRINTF(2, 3);
static void fix(cairn_exec_finding *f, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(f->fix, sizeof f->fix, format, args);
  va_end(args);
}

static int same_host(const report *r, int a, int b) {
  return strcmp(r->survey[a].host, r->survey[b].host) == 0;
}

static int first_on_host(const report *r, int rank) {
  for (int i = 0; i < rank; i++)
    if (same_host(r, i, rank))
      return 0;
  return 1;
}

/* ---- launcher and MPI ---- */

static void look_at_launcher(report *r) {
  int launched = r->survey[0].launched;
  if (launched > 0 && launched != r->ranks) {
    cairn_exec_finding *f = add(r, CAIRN_EXEC_PROBLEM, "launcher", " ");
    cairn_exec__launcher_text(launched, r->ranks, r->library, f->text,
                              sizeof f->text, f->fix, sizeof f->fix);
  } else if (launched == 0)
    fix(add(r, CAIRN_EXEC_NOTE, "launcher",
            "started without a launcher, as a single rank"),
        "start it as the job will be started: mpiexec -n N cairn doctor");
  else
    add(r, CAIRN_EXEC_GOOD, "launcher", "%d ranks, as the launcher says",
        r->ranks);
}

static void look_at_mpi(report *r) {
  int hosts = 0;
  for (int i = 0; i < r->ranks; i++)
    hosts += first_on_host(r, i);
  add(r, CAIRN_EXEC_GOOD, "MPI", "%s; %d rank%s on %d host%s", r->library,
      r->ranks, r->ranks == 1 ? "" : "s", hosts, hosts == 1 ? "" : "s");
  const cairn_exec_survey *survey = r->survey;
  int gpus = 0;
  for (int i = 0; i < r->ranks; i++)
    gpus += survey[i].gpu.device >= 0;
  cairn_exec_finding *f = add(
      r, survey->gpu_aware || gpus == 0 ? CAIRN_EXEC_GOOD : CAIRN_EXEC_NOTE,
      "MPI", "%s device pointers: %s",
      survey->gpu_aware ? "takes" : "does not take", survey->gpu_aware_reason);
  if (!survey->gpu_aware && gpus > 0)
    fix(f, "messages go through host memory, which is slower: use an MPI "
           "built for CUDA");
  /* It passes the allocation's handle with the first message from it only, and
   * the request of one that is received before that never completes. */
  if (survey->gpu_aware && r->ranks > 1 &&
      strstr(r->library, "MPICH") != NULL && strstr(r->library, " 4.0") != NULL)
    fix(add(r, CAIRN_EXEC_NOTE, "MPI",
            "MPICH 4.0 can hang when messages from one device allocation are "
            "received in another order than they were sent"),
        "send each message from an allocation of its own, as examples/halo "
        "does, or set MPIR_CVAR_CH4_IPC_GPU_P2P_THRESHOLD=1000000000");
}

/* ---- GPUs ---- */

static void look_at_devices(report *r) {
  for (int i = 0; i < r->ranks; i++) {
    const cairn_exec_gpu_survey *gpu = &r->survey[i].gpu;
    if (gpu->device < 0) {
      fix(add(r, CAIRN_EXEC_NOTE, "GPU", "rank %d: %s", i, gpu->why),
          "backend host (threads as streams) will be used; for GPUs, see that "
          "nvidia-smi lists them and CUDA_VISIBLE_DEVICES does not hide them");
      if (r->ranks > 1 && i == 0)
        return; /* once is enough */
      continue;
    }
    add(r, CAIRN_EXEC_GOOD, "GPU",
        "rank %d: device %d of %d, %s at %s, reaches %d of the others directly",
        i, gpu->device, gpu->devices, gpu->name, gpu->bus, gpu->peers);
    if (gpu->peers < gpu->devices - 1)
      fix(add(r, CAIRN_EXEC_NOTE, "GPU",
              "rank %d: no direct access from device %d to %d of the others", i,
              gpu->device, gpu->devices - 1 - gpu->peers),
          "messages between them go through host memory: see nvidia-smi topo "
          "-m");
  }
}

static void look_at_sharing(report *r) {
  for (int i = 0; i < r->ranks; i++)
    for (int j = 0; j < i; j++)
      if (r->survey[i].gpu.device >= 0 && same_host(r, i, j) &&
          strcmp(r->survey[i].gpu.bus, r->survey[j].gpu.bus) == 0) {
        fix(add(r, CAIRN_EXEC_PROBLEM, "GPU", "ranks %d and %d share one GPU",
                j, i),
            "start one rank a GPU, or say which is whose with "
            "CAIRN_CUDA_DEVICE=0,1,...");
        return;
      }
}

static void look_at_gpu_clocks(report *r) {
  const cairn_exec_gpu_survey *gpu = &r->survey[0].gpu;
  if (r->survey[0].blocking)
    fix(add(r, CAIRN_EXEC_PROBLEM, "GPU", "CUDA_LAUNCH_BLOCKING is set"),
        "unset it: it makes every launch wait, so nothing overlaps");
  if (gpu->device < 0)
    return;
  add(r, CAIRN_EXEC_GOOD, "GPU", "%s", gpu->driver);
  if (gpu->clock_max_mhz == 0)
    add(r, CAIRN_EXEC_NOTE, "GPU", "clocks unknown: NVML is not there");
  else
    add(r, CAIRN_EXEC_GOOD, "GPU",
        "clock of the SMs %u MHz now, %u MHz at most (idle GPUs clock down; "
        "cairn warms up)",
        gpu->clock_mhz, gpu->clock_max_mhz);
}

/* ---- cores ---- */

/* Where each rank of a host may run; of many, the first ones. */
static void show_binding(report *r, int rank) {
  int shown = 0;
  for (int i = rank; i < r->ranks && shown < SHOWN; i++)
    if (same_host(r, i, rank) && ++shown)
      add(r, CAIRN_EXEC_GOOD, "binding", "rank %d: %s", i, r->survey[i].cpus);
}

/* Neither way is always the better one: what a GPU's rank does on the CPU -
 * issuing, polling, MPI's progress - wants a core at once, wherever it is.  On
 * a host with four H200, unbound ranks were faster (50 against 60 us) and more
 * repeatable than ranks bound to 8 cores each. */
static void advise_both(cairn_exec_finding *f, int bound, int share) {
  if (bound)
    fix(f, "ranks that drive a GPU can be faster and steadier unbound: try "
           "mpiexec -bind-to none (MPICH), --bind-to none (Open MPI), "
           "srun --cpu-bind=none (Slurm), and keep what gives explore the "
           "lower noise and the faster best");
  else
    fix(f,
        "try both and keep what gives explore the lower noise and the "
        "faster best; bound: mpiexec -bind-to core:%d (MPICH), --map-by "
        "slot:PE=%d --bind-to core (Open MPI), srun --cpu-bind=cores "
        "(Slurm)",
        share, share);
}

static void look_at_host(report *r, int rank) {
  const cairn_exec_survey *survey = r->survey + rank;
  cpu_set_t all;
  int here = 0, widest = 0, taken = 0, gpus = 0;
  CPU_ZERO(&all);
  for (int i = rank; i < r->ranks; i++)
    if (same_host(r, i, rank)) {
      int cores = CPU_COUNT(&r->survey[i].mask);
      here++;
      taken += cores;
      gpus += r->survey[i].gpu.device >= 0;
      widest = cores > widest ? cores : widest;
      CPU_OR(&all, &all, &r->survey[i].mask);
    }
  int cores = CPU_COUNT(&all);
  show_binding(r, rank);
  if (here > cores)
    fix(add(r, CAIRN_EXEC_PROBLEM, "binding",
            "%s: %d ranks on %d cores: times will mean nothing", survey->host,
            here, cores),
        "fewer ranks, or a host with more cores; results stay right");
  else if (taken > cores)
    advise_both(add(r, CAIRN_EXEC_NOTE, "binding",
                    "%s: %d ranks on %d cores, not bound apart", survey->host,
                    here, cores),
                0, cores / here);
  else {
    cairn_exec_finding *f =
        add(r, CAIRN_EXEC_GOOD, "binding",
            "%s: %d rank%s, up to %d of %d cores each, none shared",
            survey->host, here, here == 1 ? "" : "s", widest, survey->online);
    if (gpus > 0 && here > 1)
      advise_both(f, 1, widest);
  }
}

/* ---- clocks and memory ---- */

static void look_at_clocks(report *r) {
  double step = 0, cost = 0;
  for (int i = 0; i < r->ranks; i++) {
    step = r->survey[i].clock_step_s > step ? r->survey[i].clock_step_s : step;
    cost = r->survey[i].clock_cost_s > cost ? r->survey[i].clock_cost_s : cost;
  }
  cairn_exec_finding *f = add(
      r, cost > 1e-6 || step > 1e-6 ? CAIRN_EXEC_NOTE : CAIRN_EXEC_GOOD,
      "clock", "CLOCK_MONOTONIC steps by %.0f ns, a reading costs %.0f ns (%s)",
      1e9 * step, 1e9 * cost,
      r->survey[0].clock_source[0] != 0 ? r->survey[0].clock_source
                                        : "source "
                                          "unknown");
  if (f->grade != CAIRN_EXEC_GOOD)
    fix(f, "a clock source other than tsc is slow: see dmesg for why tsc was "
           "given up");
  const char *governor = r->survey[0].governor;
  if (governor[0] != 0 && strcmp(governor, "performance") != 0)
    fix(add(r, CAIRN_EXEC_NOTE, "clock", "CPU frequency governor: %s",
            governor),
        "times vary less with: cpupower frequency-set -g performance (root)");
}

static void look_at_shm(report *r, int rank) {
  const cairn_exec_survey *survey = r->survey + rank;
  double mib = survey->shm_free_bytes / 1048576;
  int here = 0;
  for (int i = 0; i < r->ranks; i++)
    here += same_host(r, i, rank);
  if (survey->shm_bytes < 0)
    fix(add(r, CAIRN_EXEC_NOTE, "memory", "%s: no /dev/shm", survey->host),
        "MPI needs it for messages inside a host: mount a tmpfs there");
  else if (mib < NEEDED_SHM_MIB * here)
    fix(add(r, CAIRN_EXEC_PROBLEM, "memory",
            "%s: %.0f MiB are free in /dev/shm, for %d ranks", survey->host,
            mib, here),
        "make it larger (containers: --shm-size=1g) or remove what old jobs "
        "left there: MPI may end with SIGBUS without it");
  else
    add(r, CAIRN_EXEC_GOOD, "memory", "%s: %.0f MiB free in /dev/shm",
        survey->host, mib);
}

static void examine(report *r) {
  look_at_launcher(r);
  look_at_mpi(r);
  look_at_devices(r);
  look_at_sharing(r);
  look_at_gpu_clocks(r);
  for (int i = 0; i < r->ranks; i++)
    if (first_on_host(r, i)) {
      look_at_host(r, i);
      look_at_shm(r, i);
    }
  look_at_clocks(r);
}

cairn_status cairn_exec_examine(cairn_exec_world *world,
                                cairn_exec_finding **finding_p,
                                size_t *count_p) {
  cairn_exec_place place = cairn_exec__comm_place(world);
  int root = place.rank == 0;
  cairn_exec_survey mine,
      *all = root ? cairn_base_zalloc((size_t)place.ranks, sizeof *all) : NULL;
  cairn_exec_finding *finding =
      root ? cairn_base_zalloc(MOST, sizeof *finding) : NULL;
  cairn_status status = cairn_exec_world_agree(
      world, root && (all == NULL || finding == NULL) ? CAIRN_NOMEM : CAIRN_OK,
      NULL);
  if (status == CAIRN_OK) {
    cairn_exec__survey_fill(&place, &mine);
    status = cairn_exec__comm_gather(world, &mine, sizeof mine, all);
  }
  report r = {all, place.ranks, cairn_exec__world_library(world), finding, 0};
  if (status == CAIRN_OK && root)
    examine(&r);
  cairn_base_free(all);
  if (status != CAIRN_OK) {
    cairn_base_free(finding);
    return status;
  }
  *finding_p = finding;
  *count_p = r.count;
  return CAIRN_OK;
}

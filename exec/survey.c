/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/survey.c - a rank looks around.
 */
#include "exec/survey-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include "exec/comm-private.h"
#include "exec/nvml-private.h"

enum { CLOCK_ROUNDS = 1000 };

static void read_line(const char *path, char *line, size_t size) {
  FILE *file = fopen(path, "r");
  line[0] = 0;
  if (file == NULL)
    return;
  if (fgets(line, (int)size, file) != NULL)
    line[strcspn(line, "\n")] = 0;
  fclose(file);
}

static double seconds(const struct timespec *t) {
  return (double)t->tv_sec + 1e-9 * (double)t->tv_nsec;
}

/* Smallest step seen, and the mean cost of a reading. */
static void look_at_clock(cairn_exec_survey *survey) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  double first = seconds(&t), last = first, step = 1;
  for (int i = 0; i < CLOCK_ROUNDS; i++) {
    clock_gettime(CLOCK_MONOTONIC, &t);
    double now = seconds(&t);
    if (now > last && now - last < step)
      step = now - last;
    last = now;
  }
  survey->clock_step_s = step;
  survey->clock_cost_s = (last - first) / CLOCK_ROUNDS;
}

static void look_at_shm(cairn_exec_survey *survey) {
  struct statvfs fs;
  survey->shm_bytes = survey->shm_free_bytes = -1;
  if (statvfs("/dev/shm", &fs) != 0)
    return;
  survey->shm_bytes = (double)fs.f_blocks * (double)fs.f_frsize;
  survey->shm_free_bytes = (double)fs.f_bavail * (double)fs.f_frsize;
}

#ifdef CAIRN_HAVE_CUDA
static void look_at_gpu_clock(cairn_exec_gpu_survey *gpu) {
  cairn_exec_nvml *nvml =
      gpu->device >= 0 ? cairn_exec__nvml_open(gpu->bus) : NULL;
  cairn_exec_nvml_state state;
  if (nvml != NULL && cairn_exec__nvml_read(nvml, &state)) {
    gpu->clock_mhz = state.mhz;
    gpu->clock_max_mhz = state.max_mhz;
    gpu->clock_reasons = state.reasons;
  }
  cairn_exec__nvml_close(nvml);
}
#endif

void cairn_exec__survey_fill(const cairn_exec_place *place,
                             cairn_exec_survey *survey) {
  const char *blocking = getenv("CUDA_LAUNCH_BLOCKING");
  memset(survey, 0, sizeof *survey);
  gethostname(survey->host, sizeof survey->host - 1);
  if (sched_getaffinity(0, sizeof survey->mask, &survey->mask) != 0)
    CPU_ZERO(&survey->mask);
  cairn_exec__binding_text(survey->cpus, sizeof survey->cpus);
  survey->online = (int)sysconf(_SC_NPROCESSORS_ONLN);
  survey->launched = cairn_exec__launched();
  survey->blocking = blocking != NULL && strcmp(blocking, "0") != 0;
  survey->gpu_aware = cairn_exec__comm_gpu_aware(
      survey->gpu_aware_reason, sizeof survey->gpu_aware_reason);
  survey->gpu.device = -1;
#ifdef CAIRN_HAVE_CUDA
  cairn_exec__cuda_survey(place, &survey->gpu);
  look_at_gpu_clock(&survey->gpu);
#else
  (void)place;
  snprintf(survey->gpu.why, sizeof survey->gpu.why,
           "cairn was built without CUDA");
#endif
  look_at_clock(survey);
  look_at_shm(survey);
  read_line("/sys/devices/system/clocksource/clocksource0/current_clocksource",
            survey->clock_source, sizeof survey->clock_source);
  read_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
            survey->governor, sizeof survey->governor);
}

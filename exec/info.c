/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/info.c - facts about the machine and the run, for the journal's header
 * and for decisions: are there cores to spin on, is a host oversubscribed?
 */
#include "exec/drive-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define FACTS_MOST 24
#define TEXT_BYTES 128
#define CLOCK_ROUNDS 1001

/* What a rank tells rank 0. */
typedef struct rank_facts {
  char host[64];
  cpu_set_t mask;
  char device[TEXT_BYTES], driver[TEXT_BYTES];
} rank_facts;

struct cairn_exec_facts {
  cairn_base_fact fact[FACTS_MOST];
  size_t count;
  char text[FACTS_MOST][TEXT_BYTES];
  const char **device;
  char *devices; /* TEXT_BYTES a rank */
  char driver[TEXT_BYTES];
  int cores_allowed, cores_online;
  double clock_step_s, clock_cost_s;
};

/* ---- cores ---- */

/* Ranks that share no core with each other count their own cores; the union
 * of the masks is what the host gives us. */
static cairn_status count_cores(cairn_exec *exec, rank_facts *all) {
  const size_t ranks = (size_t)exec->place.ranks;
  int over = 0;
  for (size_t i = 0; i < ranks; i++) {
    cpu_set_t both;
    int here = 0;
    CPU_ZERO(&both);
    for (size_t j = 0; j < ranks; j++)
      if (strcmp(all[i].host, all[j].host) == 0) {
        CPU_OR(&both, &both, &all[j].mask);
        here++;
      }
    over |= here > CPU_COUNT(&both);
  }
  exec->info.oversubscribed = over;
  return CAIRN_OK;
}

static cairn_status gather_masks(cairn_exec *exec, rank_facts *all) {
  rank_facts mine = {0};
  gethostname(mine.host, sizeof mine.host - 1);
  if (sched_getaffinity(0, sizeof mine.mask, &mine.mask))
    CPU_ZERO(&mine.mask);
  exec->facts->cores_allowed = CPU_COUNT(&mine.mask);
  const cairn_status status =
      cairn_exec__comm_gather(exec->world, &mine, sizeof mine, all);
  if (status == CAIRN_OK && all)
    return count_cores(exec, all);
  return status;
}

cairn_status cairn_exec__info_cores(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  const int root = exec->place.rank == 0;
  const size_t ranks = (size_t)exec->place.ranks;
  rank_facts *all = root ? cairn_base_zalloc(ranks, sizeof *all) : NULL;
  exec->facts = cairn_base_zalloc(1, sizeof *exec->facts);
  const int ready = exec->facts && (all || !root);
  cairn_status status =
      cairn_exec_world_agree(exec->world, ready ? CAIRN_OK : CAIRN_NOMEM, NULL);
  if (status == CAIRN_OK)
    status = gather_masks(exec, all);
  cairn_base_free(all);
  if (status)
    return status;
  int64_t over = exec->info.oversubscribed;
  status = cairn_exec__comm_max(exec->world, &over, 1);
  exec->info.oversubscribed = (int)over;
  exec->facts->cores_online = (int)sysconf(_SC_NPROCESSORS_ONLN);
  const int own = 1 + (exec->backend->has_gpu ? 0 : (int)exec->streams);
  exec->spare_cores =
      exec->facts->cores_allowed >= own &&
      exec->facts->cores_online >= own * exec->place.local_ranks;
  return status;
}

/* ---- facts ---- */

static void add_text(struct cairn_exec_facts *f, const char *name,
                     const char *text) {
  if (f->count == FACTS_MOST)
    return;
  snprintf(f->text[f->count], TEXT_BYTES, "%s", text);
  f->fact[f->count] = (cairn_base_fact){name, f->text[f->count], 0};
  f->count++;
}

static void add_number(struct cairn_exec_facts *f, const char *name,
                       double number) {
  if (f->count < FACTS_MOST)
    f->fact[f->count++] = (cairn_base_fact){name, NULL, number};
}

static void first_line_after(const char *path, const char *key, char *text,
                             size_t size) {
  char line[256];
  FILE *file = fopen(path, "re");
  snprintf(text, size, "unknown");
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, key, strlen(key)) != 0)
      continue;
    const char *value = line + strlen(key);
    value += strspn(value, " \t:");
    snprintf(text, size, "%.*s", (int)strcspn(value, "\n"), value);
    break;
  }
  if (file)
    fclose(file);
}

static void measure_clock(struct cairn_exec_facts *f) {
  int64_t last = cairn_base__now_ns(), least = INT64_MAX;
  const int64_t start = last;
  for (int i = 0; i < CLOCK_ROUNDS; i++) {
    const int64_t now = cairn_base__now_ns();
    if (now > last && now - last < least)
      least = now - last;
    last = now;
  }
  f->clock_step_s = 1e-9 * (double)(least == INT64_MAX ? 1 : least);
  f->clock_cost_s = 1e-9 * (double)(last - start) / CLOCK_ROUNDS;
}

double cairn_exec__clock_step_s(const cairn_exec *exec) {
  return exec->facts->clock_step_s;
}

static void add_facts(cairn_exec *exec) {
  struct cairn_exec_facts *f = exec->facts;
  char text[TEXT_BYTES];
  struct utsname name;
  first_line_after("/proc/cpuinfo", "model name", text, sizeof text);
  add_text(f, "cpu", text);
  if (uname(&name) == 0) {
    snprintf(text, sizeof text, "%.30s %.90s", name.sysname, name.release);
    add_text(f, "kernel", text);
  }
  first_line_after("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "",
                   text, sizeof text);
  add_text(f, "governor", text);
  add_number(f, "cores", f->cores_online);
  add_number(f, "cores_of_rank", f->cores_allowed);
  add_text(f, "binding",
           f->cores_allowed < f->cores_online ? "bound" : "unbound");
  add_number(f, "oversubscribed", exec->info.oversubscribed);
  add_number(f, "clock_step", f->clock_step_s);
  add_number(f, "clock_cost", f->clock_cost_s);
  add_text(f, "start",
           exec->start == CAIRN_EXEC_START_DEADLINE ? "deadline" : "barrier");
  add_number(f, "slack", 1e-9 * (double)exec->slack_ns);
  snprintf(text, sizeof text, "%.60s %.60s",
           exec->plugin->name ? exec->plugin->name : "",
           exec->plugin->version ? exec->plugin->version : "");
  add_text(f, "plugin", text);
  add_text(f, "backend_reason", exec->backend_reason);
  add_text(f, "gpu_aware_reason", exec->gpu_aware_reason);
}

/* Distinct names of devices, by rank. */
static void list_devices(cairn_exec *exec) {
  struct cairn_exec_facts *f = exec->facts;
  for (int r = 0; r < exec->place.ranks; r++) {
    const char *name = f->devices + (size_t)r * TEXT_BYTES;
    size_t i = 0;
    while (i < exec->info.devices && strcmp(f->device[i], name) != 0)
      i++;
    if (i == exec->info.devices)
      f->device[exec->info.devices++] = name;
  }
  exec->info.device = f->device;
}

static cairn_status collect_devices(cairn_exec *exec) {
  struct cairn_exec_facts *f = exec->facts;
  const int root = exec->place.rank == 0;
  const size_t ranks = (size_t)exec->place.ranks;
  char mine[TEXT_BYTES] = "";
  snprintf(mine, sizeof mine, "%s", exec->backend->device(exec->platform));
  snprintf(f->driver, sizeof f->driver, "%s",
           exec->backend->driver(exec->platform));
  if (root) {
    f->devices = cairn_base_zalloc(ranks, TEXT_BYTES);
    f->device = cairn_base_zalloc(ranks, sizeof *f->device);
  }
  const int ready = !root || (f->devices && f->device);
  cairn_status status =
      cairn_exec_world_agree(exec->world, ready ? CAIRN_OK : CAIRN_NOMEM, NULL);
  if (status == CAIRN_OK)
    status =
        cairn_exec__comm_gather(exec->world, mine, sizeof mine, f->devices);
  if (status == CAIRN_OK && root)
    list_devices(exec);
  return status;
}

cairn_status cairn_exec__info_collect(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  struct cairn_exec_facts *f = exec->facts;
  cairn_exec_info *info = &exec->info;
  const cairn_status status = collect_devices(exec);
  if (status)
    return status;
  measure_clock(f);
  info->backend = exec->backend->name;
  info->backend_reason = exec->backend_reason;
  info->driver = f->driver[0] ? f->driver : NULL;
  info->gpu_aware = exec->gpu_aware;
  info->gpu_aware_reason = exec->gpu_aware_reason;
  info->start = exec->start;
  info->can_verify = exec->plugin->poison && exec->plugin->verify;
  add_facts(exec);
  info->fact = f->fact;
  info->facts = f->count;
  return CAIRN_OK;
}

const cairn_exec_info *cairn_exec__info_get(const cairn_exec *exec) {
  return &exec->info;
}

void cairn_exec__info_free(cairn_exec *exec) {
  if (exec->facts == NULL)
    return;
  cairn_base_free(exec->facts->devices);
  cairn_base_free(exec->facts->device);
  cairn_base_free(exec->facts);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/pass.c - raw samples of the whole space of a program, in shuffled
 * rounds, for studying plans and statistics off line.
 *
 *   mpiexec -n 4 bench/pass PROGRAM.xml OUT SECONDS SAMPLE_US SEED
 *           [REOPEN] [NAME=VALUE...]
 *
 * OUT receives one line a sample, in the order of time: id (position in the
 * order of enumeration), seconds an execution, skew, start, k, last rank,
 * flags; and with ".schedules" added, the schedules' texts in that order.
 * REOPEN > 0: the plugin, streams and events are made anew every so many
 * rounds, so that their placement in memory is sampled too.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock-private.h"
#include "base/stats-private.h"
#include "base/text-private.h"
#include "exec/drive-private.h"
#include "timing/campaign-private.h"
#include <cairn/exec.h>

typedef struct pass {
  cairn_base_diag *diag;
  cairn_dag_program *program;
  cairn_exec_world *world;
  cairn_exec_options options;
  cairn_exec *exec;
  cairn_dag_schedule *schedule;
  size_t count, capacity;
  cairn_timing_campaign *campaign;
  double seconds, sample_s;
  long reopen;
  uint64_t seed;
  uint32_t k;
} pass;

static int die(pass *p, const char *what, cairn_status status) {
  cairn_base_diag_print(p->diag, stderr);
  fprintf(stderr, "pass: %s: %s\n", what, cairn_base_status_text(status));
  exit(cairn_base_status_exit_code(status));
}

static int keep(void *context, const cairn_dag_item *items, size_t count) {
  pass *p = context;
  if (cairn_base_reserve(&p->schedule, &p->capacity, p->count + 1,
                         sizeof *p->schedule) != CAIRN_OK)
    return 1;
  memset(&p->schedule[p->count], 0, sizeof *p->schedule);
  return cairn_dag_schedule_set(&p->schedule[p->count++], items, count) !=
         CAIRN_OK;
}

static void open_all(pass *p) {
  cairn_status status =
      cairn_exec_open(p->world, p->program, &p->options, p->diag, &p->exec);
  if (status != CAIRN_OK)
    die(p, "open", status);
}

static void prepare_all(pass *p) {
  for (size_t i = 0; i < p->count; i++) {
    const cairn_status status = cairn_exec_prepare(
        p->exec, i, p->schedule[i].items, p->schedule[i].count, p->diag);
    if (status != CAIRN_OK)
      die(p, "prepare", status);
  }
}

/* k so that a typical schedule's sample lasts sample_s. */
static void calibrate(pass *p) {
  double times[200];
  size_t n = 0;
  const size_t step = p->count / 100 + 1;
  cairn_base_execution outcome;
  for (int again = 0; again < 2; again++) /* the first time is a warm-up */
    for (size_t i = n = 0; i < p->count && n < 200; i += step) {
      const cairn_base_shot shot = {i, 20, 2};
      cairn_base_sample sample;
      const cairn_status status =
          cairn_exec__sample(p->exec, &shot, 1, &sample, &outcome);
      if (status != CAIRN_OK)
        die(p, outcome.message, status);
      times[n++] = sample.time_s;
    }
  p->k = (uint32_t)ceil(p->sample_s / cairn_base__stats_median(times, n));
}

static void drive(pass *p) {
  const double begin_s = cairn_base__now_s();
  const cairn_timing_sampler sampler = cairn_exec__sampler_of(p->exec);
  cairn_base_execution outcome;
  uint64_t bad;
  for (long round = 0; cairn_base__now_s() - begin_s < p->seconds &&
                       (p->reopen == 0 || round < p->reopen);
       round++) {
    const cairn_status status =
        cairn_timing__campaign_round(p->campaign, &sampler, &bad, &outcome);
    if (status != CAIRN_OK || bad != UINT64_MAX)
      die(p, outcome.message, status);
  }
  p->seconds -= cairn_base__now_s() - begin_s;
}

static void write_out(pass *p, const char *path) {
  char name[4096];
  size_t n;
  const cairn_base_sample *s = cairn_timing__campaign_samples(p->campaign, &n);
  FILE *out = fopen(path, "w");
  snprintf(name, sizeof name, "%s.schedules", path);
  FILE *texts = fopen(name, "w");
  cairn_base_text text = {0};
  if (!out || !texts)
    die(p, path, CAIRN_IO);
  for (size_t i = 0; i < n; i++)
    fprintf(out, "%llu %.6g %.3g %.6f %u %u %u\n", (unsigned long long)s[i].id,
            s[i].time_s, s[i].skew_s, s[i].at_s, s[i].k, s[i].last_rank,
            s[i].flags);
  for (size_t i = 0; i < p->count; i++) {
    cairn_base__text_clear(&text);
    cairn_dag_schedule_format(p->program, p->schedule[i].items,
                              p->schedule[i].count, &text);
    fprintf(texts, "%s\n", text.data);
  }
  cairn_base_text_free(&text);
  if (fclose(out) != 0 || fclose(texts) != 0)
    die(p, path, CAIRN_IO);
}

/* Rank 0 of one opening; returns 1 when the time is used up. */
static int lead(pass *p) {
  prepare_all(p);
  if (!p->campaign) {
    calibrate(p);
    cairn_timing__campaign_create(p->seed, &p->campaign);
    for (size_t i = 0; i < p->count; i++)
      cairn_timing__campaign_add(p->campaign, i, p->k, 1);
    fprintf(stderr, "pass: %zu schedules, k = %u\n", p->count, p->k);
  } else {
    calibrate(p); /* warms up; k stays */
  }
  drive(p);
  return p->seconds <= 0;
}

int main(int argc, char **argv) {
  pass p = {0};
  cairn_status status;
  int done = 0;
  if (argc < 6)
    return fprintf(stderr, "usage: pass PROGRAM.xml OUT SECONDS SAMPLE_US SEED "
                           "[REOPEN] [NAME=VALUE...]\n"),
           2;
  cairn_base_diag_create(0, &p.diag);
  if ((status = cairn_exec_world_open(NULL, p.diag, &p.world)) != CAIRN_OK)
    die(&p, "world", status);
  if ((status = cairn_dag_program_read(argv[1], p.diag, &p.program)) !=
      CAIRN_OK)
    die(&p, argv[1], status);
  p.seconds = atof(argv[3]);
  p.sample_s = atof(argv[4]) * 1e-6;
  p.seed = strtoull(argv[5], NULL, 10);
  p.reopen = argc > 6 ? atol(argv[6]) : 0;
  for (int i = 7; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (equals)
      *equals = '\0';
    if (!equals || cairn_dag_program_set_param(p.program, argv[i], equals + 1,
                                               p.diag) != CAIRN_OK)
      die(&p, argv[i], CAIRN_USAGE);
  }
  cairn_exec_options_default(&p.options);
  p.options.program_path = argv[1];
  cairn_dag_space_enumerate(p.program, cairn_dag_program_streams(p.program),
                            CAIRN_DAG_SYNC_TIDY, keep, &p);
  while (!done) {
    open_all(&p);
    if (cairn_exec_world_rank(p.world) == 0) {
      done = lead(&p);
      cairn_exec_stop(p.exec, done ? CAIRN_EXHAUSTED : CAIRN_OK);
    } else {
      done = cairn_exec_serve(p.exec) == CAIRN_EXHAUSTED;
    }
    cairn_exec_close(p.exec);
  }
  if (cairn_exec_world_rank(p.world) == 0)
    write_out(&p, argv[2]);
  cairn_exec_world_close(p.world);
  return 0;
}

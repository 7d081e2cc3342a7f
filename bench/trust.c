/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/trust.c - how far measuring can be trusted on this machine: what the
 * methods of `cairn explore` say of things whose answer is known.
 *
 *   mpiexec -n 2 bench/trust PROGRAM.xml [TRIALS [SECONDS [SCHEDULES
 *           [NAME=VALUE...]]]]
 *
 * On backend host:
 *   same      one schedule entered as two: how often are they called different?
 *   slower    the same, and one of them computes 2 % longer: how often found?
 *             (both: 30 samples each, more until 1 % can be told, at most 300)
 *   drift     everything becomes 10 % slower half-way: how often flagged?
 *   passes    SCHEDULES of the space, measured twice, by executors made anew:
 *             Spearman correlation after more and more seconds of measuring a
 *             pass, corrected for drift, and as the samples were
 * TRIALS (200) of the first two, a tenth of drift; SECONDS (60) a pass; by
 * default 300 SCHEDULES.  The load of the machine is printed: beside other work
 * the figures are those of that work.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock-private.h"
#include "exec/drive-private.h"
#include "exec/world-private.h"
#include "timing/campaign-private.h"
#include <cairn/exec.h>

enum { WINDOW = 101, ROUNDS = 30, MOST = 10, STEPS = 6 };

static const double SAMPLE_S = 600e-6;

typedef struct trust {
  cairn_base_diag *diag;
  cairn_dag_program *program;
  const char *path;
  cairn_exec_world *world;
  cairn_exec *exec;
  cairn_dag_schedule own;       /* the program's order */
  cairn_dag_schedule *schedule; /* of the space */
  size_t count, capacity, seen, wanted;
  int trials;
  double seconds, once_s;
} trust;

static void need(trust *t, cairn_status status, const char *what) {
  if (status == CAIRN_OK)
    return;
  cairn_base_diag_print(t->diag, stderr);
  fprintf(stderr, "trust: %s: %s\n", what, cairn_base_status_text(status));
  exit(cairn_base_status_exit_code(status));
}

static int is_root(const trust *t) {
  return cairn_exec_world_rank(t->world) == 0;
}

/* ---- one opening of the executor ---- */

/* Opens with injected failures; rank 0 does the work, the others serve. */
static void with_executor(trust *t, const char *inject,
                          void (*work)(trust *, void *), void *context) {
  cairn_exec_options options;
  cairn_exec_options_default(&options);
  options.backend = "host";
  options.program_path = t->path;
  options.inject = inject;
  need(t, cairn_exec_open(t->world, t->program, &options, t->diag, &t->exec),
       "open");
  if (is_root(t)) {
    work(t, context);
    cairn_exec_stop(t->exec, CAIRN_OK);
  } else {
    cairn_exec_serve(t->exec);
  }
  cairn_exec_close(t->exec);
}

static uint32_t executions(const trust *t) {
  const double k = ceil(SAMPLE_S / t->once_s);
  return k < 1 ? 1 : (uint32_t)k;
}

static void prepare(trust *t, uint64_t id, const cairn_dag_schedule *s) {
  need(t, cairn_exec_prepare(t->exec, id, s->items, s->count, t->diag),
       "prepare");
}

static void rounds(trust *t, cairn_timing_campaign *c, int count) {
  const cairn_timing_sampler sampler = cairn_exec__sampler_of(t->exec);
  cairn_base_execution outcome;
  uint64_t bad = UINT64_MAX;
  for (int i = 0; i < count && bad == UINT64_MAX; i++)
    need(t, cairn_timing__campaign_round(c, &sampler, &bad, &outcome), "round");
  if (bad != UINT64_MAX)
    need(t, CAIRN_FAILED, outcome.message);
}

/* ---- how long one execution is ---- */

static void time_once(trust *t, void *context) {
  cairn_timing_campaign *c;
  cairn_timing_estimate *e;
  size_t n;
  (void)context;
  t->once_s = 1e-5;
  prepare(t, 0, &t->own);
  for (int again = 0; again < 2; again++) {
    need(t, cairn_timing__campaign_create(1, &c), "campaign");
    need(t, cairn_timing__campaign_add(c, 0, executions(t), 1), "campaign");
    rounds(t, c, 200);
    need(t, cairn_timing__campaign_solve(c, WINDOW, &e, &n, NULL), "solve");
    t->once_s = e->times.p[CAIRN_BASE_P50];
    cairn_base_free(e);
    cairn_timing__campaign_free(c);
  }
}

/* ---- same and slower ---- */

/* Rounds until 1 % can be told, or there are too many. */
static unsigned enough_rounds(trust *t, cairn_timing_campaign *c) {
  cairn_timing_quality q = {.floor = INFINITY};
  cairn_timing_estimate *e;
  unsigned done = 0;
  size_t n;
  while (!(q.floor <= 0.01) && done < MOST * ROUNDS) {
    rounds(t, c, ROUNDS);
    done += ROUNDS;
    need(t, cairn_timing__campaign_solve(c, WINDOW, &e, &n, &q), "solve");
    cairn_base_free(e);
  }
  return done;
}

/* Ids 0 and 1 are the same; 2 computes longer (injected). */
static void compare_same(trust *t, void *context) {
  int different = 0, found = 0;
  double samples = 0;
  (void)context;
  for (uint64_t id = 0; id < 3; id++)
    prepare(t, id, &t->own);
  for (int trial = 0; trial < t->trials; trial++) {
    cairn_timing_campaign *c;
    cairn_timing_comparison same, more;
    need(t, cairn_timing__campaign_create((uint64_t)trial, &c), "campaign");
    for (uint64_t id = 0; id < 3; id++)
      need(t, cairn_timing__campaign_add(c, id, executions(t), 1), "campaign");
    samples += enough_rounds(t, c);
    need(t, cairn_timing__campaign_compare(c, WINDOW, 0, 1, 0.01, &same), "");
    need(t, cairn_timing__campaign_compare(c, WINDOW, 0, 2, 0.01, &more), "");
    different += same.verdict != CAIRN_EXEC_TIE;
    found += more.verdict == CAIRN_EXEC_FASTER;
    cairn_timing__campaign_free(c);
  }
  printf(
      "same    called different in %d of %d trials (%.1f %%; at most 5 %%)\n"
      "slower  2 %% found in %d of %d trials (%.1f %%; at least 95 %%), %.0f "
      "samples each\n",
      different, t->trials, 100.0 * different / t->trials, found, t->trials,
      100.0 * found / t->trials, samples / t->trials);
}

/* ---- drift ---- */

static void see_drift(trust *t, void *context) {
  cairn_timing_campaign *c;
  cairn_timing_estimate *e;
  cairn_timing_quality q;
  size_t n;
  need(t, cairn_timing__campaign_create(1, &c), "campaign");
  for (uint64_t id = 0; id < 8; id++) {
    prepare(t, id, &t->own);
    need(t, cairn_timing__campaign_add(c, id, executions(t), 1), "campaign");
  }
  rounds(t, c, 2 * ROUNDS);
  need(t, cairn_timing__campaign_solve(c, WINDOW, &e, &n, &q), "solve");
  *(int *)context += q.drift > 0.03;
  cairn_base_free(e);
  cairn_timing__campaign_free(c);
}

static void drift(trust *t, const char *op) {
  const int trials = t->trials >= 10 ? t->trials / 10 : 1;
  int flagged = 0, still = 0;
  char inject[400];
  /* half of the executions: 8 schedules, each with one to warm up */
  snprintf(inject, sizeof inject, "busy@%s:time=%.9f:after=%u", op,
           0.10 * t->once_s, 8 * ROUNDS * (executions(t) + 1));
  for (int i = 0; i < trials; i++) {
    with_executor(t, inject, see_drift, &flagged);
    with_executor(t, NULL, see_drift, &still);
  }
  if (is_root(t))
    printf("drift   10 %% flagged in %d of %d trials (all); without it in %d\n",
           flagged, trials, still);
}

/* ---- passes ---- */

typedef struct passes {
  double *p50[2][STEPS], *raw[2][STEPS], at_s[STEPS];
  unsigned rounds[2][STEPS];
  int pass;
} passes;

/* Keeps `wanted` of the space, evenly spread. */
static int keep(void *context, const cairn_dag_item *items, size_t count) {
  trust *t = context;
  const size_t step = t->seen / t->wanted + 1;
  if (t->count * step > t->seen++ && t->count >= t->wanted)
    return 0;
  if (t->count == t->wanted)
    return 0;
  if (cairn_base_reserve(&t->schedule, &t->capacity, t->count + 1,
                         sizeof *t->schedule) != CAIRN_OK)
    return 1;
  memset(&t->schedule[t->count], 0, sizeof *t->schedule);
  return cairn_dag_schedule_set(&t->schedule[t->count++], items, count) !=
         CAIRN_OK;
}

static void write_down(trust *t, const cairn_timing_campaign *c, passes *p,
                       int step, unsigned done) {
  cairn_timing_estimate *e;
  size_t n;
  need(t, cairn_timing__campaign_solve(c, WINDOW, &e, &n, NULL), "solve");
  p->p50[p->pass][step] = calloc(n, sizeof(double));
  p->raw[p->pass][step] = calloc(n, sizeof(double));
  for (size_t i = 0; i < n; i++) {
    p->p50[p->pass][step][i] = e[i].times.p[CAIRN_BASE_P50];
    p->raw[p->pass][step][i] = e[i].uncorrected;
  }
  p->rounds[p->pass][step] = done;
  cairn_base_free(e);
}

static void one_pass(trust *t, void *context) {
  passes *p = context;
  cairn_timing_campaign *c;
  unsigned done = 0;
  need(t, cairn_timing__campaign_create((uint64_t)p->pass + 7, &c), "campaign");
  for (size_t i = 0; i < t->count; i++) {
    prepare(t, i, &t->schedule[i]);
    need(t, cairn_timing__campaign_add(c, i, executions(t), 1), "campaign");
  }
  const double begin_s = cairn_base__now_s();
  for (int step = 0; step < STEPS; step++) {
    do {
      rounds(t, c, 1);
      done++;
    } while (done < 2 || cairn_base__now_s() - begin_s < p->at_s[step]);
    write_down(t, c, p, step, done);
  }
  cairn_timing__campaign_free(c);
}

static int by_value(const void *a, const void *b) {
  const double *const x = *(const double *const *)a, *const y = *(
                                                         const double *const *)
                                                                    b;
  return *x < *y ? -1 : *x > *y;
}

/* Ranks of values (no ties to speak of) in their place. */
static void rank_them(double *values, size_t n) {
  double **order = malloc(n * sizeof *order), *rank = malloc(n * sizeof *rank);
  for (size_t i = 0; i < n; i++)
    order[i] = &values[i];
  qsort(order, n, sizeof *order, by_value);
  for (size_t i = 0; i < n; i++)
    rank[order[i] - values] = (double)i;
  memcpy(values, rank, n * sizeof *rank);
  free(order);
  free(rank);
}

static double spearman(double *a, double *b, size_t n) {
  double sum = 0;
  rank_them(a, n);
  rank_them(b, n);
  for (size_t i = 0; i < n; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return 1 - 6 * sum / ((double)n * ((double)n * (double)n - 1));
}

static void two_passes(trust *t) {
  passes p = {.pass = 0};
  for (int s = 0; s < STEPS; s++)
    p.at_s[s] = t->seconds / (double)(1 << (STEPS - 1 - s));
  for (; p.pass < 2; p.pass++)
    with_executor(t, NULL, one_pass, &p);
  if (!is_root(t))
    return;
  double *last = p.p50[0][STEPS - 1], low = INFINITY, high = 0;
  for (size_t i = 0; i < t->count; i++) {
    low = fmin(low, last[i]);
    high = fmax(high, last[i]);
  }
  printf("passes  %zu schedules, slowest/fastest %.3f\n"
         "        seconds a pass  rounds  Spearman corrected  uncorrected\n",
         t->count, high / low);
  for (int s = 0; s < STEPS; s++) {
    printf("        %14.1f  %6u  %18.3f  %11.3f\n", p.at_s[s], p.rounds[0][s],
           spearman(p.p50[0][s], p.p50[1][s], t->count),
           spearman(p.raw[0][s], p.raw[1][s], t->count));
    for (int pass = 0; pass < 2; pass++) {
      free(p.p50[pass][s]);
      free(p.raw[pass][s]);
    }
  }
}

/* ---- all of it ---- */

static void print_load(const trust *t, const char *when) {
  double load[3] = {0};
  if (is_root(t) && getloadavg(load, 3) > 0)
    printf("load    %.1f %.1f %.1f %s\n", load[0], load[1], load[2], when);
}

static void read_arguments(trust *t, int argc, char **argv) {
  t->path = argv[1];
  t->trials = argc > 2 ? atoi(argv[2]) : 200;
  t->seconds = argc > 3 ? atof(argv[3]) : 60;
  t->wanted = argc > 4 ? (size_t)atol(argv[4]) : 300;
  need(t, cairn_dag_program_read(t->path, t->diag, &t->program), t->path);
  for (int i = 5; i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (equals)
      *equals = '\0';
    need(t,
         equals ? cairn_dag_program_set_param(t->program, argv[i], equals + 1,
                                              t->diag)
                : CAIRN_USAGE,
         argv[i]);
  }
}

int main(int argc, char **argv) {
  trust t = {0};
  char inject[400];
  if (argc < 2 || (argc > 4 && atol(argv[4]) < 2))
    return fprintf(stderr, "usage: trust PROGRAM.xml [TRIALS [SECONDS "
                           "[SCHEDULES [NAME=VALUE...]]]]\n"),
           2;
  need(&t, cairn_base_diag_create(0, &t.diag), "diag");
  need(&t, cairn_exec_world_open(NULL, t.diag, &t.world), "world");
  read_arguments(&t, argc, argv);
  need(&t, cairn_dag_schedule_program_order(t.program, &t.own), "order");
  cairn_dag_space_enumerate(t.program, cairn_dag_program_streams(t.program),
                            CAIRN_DAG_SYNC_TIDY, keep, &t);
  const char *first = cairn_dag_program_op(t.program, 1)->name;
  setvbuf(stdout, NULL, _IOLBF, 0);
  print_load(&t, "before");
  with_executor(&t, NULL, time_once, NULL);
  if (is_root(&t))
    printf("once    %.2f us, program order; samples of %u executions\n",
           t.once_s * 1e6, executions(&t));
  /* every rank must inject the same */
  char text[40], *shared = text;
  size_t length = (size_t)snprintf(text, sizeof text, "%.9g", t.once_s);
  need(&t, cairn_exec__world_share(t.world, &shared, &length), "share");
  t.once_s = atof(shared);
  snprintf(inject, sizeof inject, "busy@%s:schedule=2:time=%.9f", first,
           0.02 * t.once_s);
  with_executor(&t, inject, compare_same, NULL);
  drift(&t, first);
  two_passes(&t);
  print_load(&t, "after");
  for (size_t i = 0; i < t.count; i++)
    cairn_dag_schedule_free(&t.schedule[i]);
  cairn_base_free(t.schedule);
  cairn_dag_schedule_free(&t.own);
  cairn_dag_program_free(t.program);
  cairn_exec_world_close(t.world);
  cairn_base_diag_free(t.diag);
  return 0;
}

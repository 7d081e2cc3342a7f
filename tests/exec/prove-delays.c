/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/prove-delays.c - what the checker says comes true on the host
 * backend: a schedule with one sync taken out gives wrong numbers once the op
 * that is not waited for is slow; schedules that it accepts never do, whatever
 * the delays.
 *
 * Each op computes a number from its predecessors' numbers, after a delay;
 * before each execution all numbers are overwritten.
 */
#include "base/rng-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include "exec/drive-private.h"
#include <cairn/exec.h>
#include <cairn/lint.h>

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(ok)                                                              \
  do {                                                                         \
    if (!(ok)) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok);                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

#define OPS 10 /* with start and end */

static const struct {
  const char *name;
  cairn_dag_op_kind kind;
} ops[OPS] = {{"start", CAIRN_DAG_CPU},    {"Pack", CAIRN_DAG_GPU},
              {"yl", CAIRN_DAG_GPU},       {"PostRecv", CAIRN_DAG_CPU},
              {"PostSend", CAIRN_DAG_CPU}, {"WaitRecv", CAIRN_DAG_CPU},
              {"WaitSend", CAIRN_DAG_CPU}, {"yr", CAIRN_DAG_GPU},
              {"y", CAIRN_DAG_GPU},        {"end", CAIRN_DAG_CPU}};
static const unsigned edges[][2] = {{1, 4}, {4, 5}, {3, 5}, {4, 6},
                                    {3, 6}, {5, 7}, {2, 8}, {7, 8}};
#define EDGES (sizeof edges / sizeof *edges)

/* ---- the plugin ---- */

static struct {
  _Atomic uint64_t number[OPS];
  atomic_long delay_ns[OPS]; /* before an op reads and after it */
  atomic_long most_ns;       /* further random delays */
  _Atomic uint64_t random;
} state;

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 31);
}

static void wait_ns(long ns) {
  const struct timespec time = {ns / 1000000000, ns % 1000000000};
  if (ns > 0)
    nanosleep(&time, NULL);
}

static void wait_random(void) {
  const long most = atomic_load(&state.most_ns);
  if (most)
    wait_ns((long)(mix(atomic_fetch_add(&state.random, 1)) % (uint64_t)most));
}

static uint64_t value_of(unsigned op, const uint64_t *number) {
  uint64_t value = op;
  for (size_t i = 0; i < EDGES; i++)
    if (edges[i][1] == op)
      value = mix(value + number[edges[i][0]]);
  return mix(value);
}

static int work(void *unused, const char *arg, void *stream) {
  const unsigned op = (unsigned)atoi(arg);
  uint64_t number[OPS];
  (void)unused;
  (void)stream;
  wait_random();
  for (unsigned i = 0; i < OPS; i++)
    number[i] = atomic_load(&state.number[i]);
  wait_random();
  wait_ns(atomic_load(&state.delay_ns[op]));
  atomic_store(&state.number[op], value_of(op, number));
  return 0;
}

static void poison(void *unused) {
  (void)unused;
  for (unsigned i = 0; i < OPS; i++)
    atomic_store(&state.number[i], mix(atomic_fetch_add(&state.random, 1)));
}

static int verify(void *unused, char *message, size_t size) {
  uint64_t number[OPS];
  (void)unused;
  for (unsigned i = 1; i + 1 < OPS; i++) { /* in topological order */
    number[i] = value_of(i, number);
    if (number[i] == atomic_load(&state.number[i]))
      continue;
    snprintf(message, size, "%s is wrong", ops[i].name);
    return 1;
  }
  return 0;
}

static int setup(const cairn_op_params *params, const void *comm, int gpu_aware,
                 void **state_p, char *message, size_t size) {
  (void)params;
  (void)comm;
  (void)gpu_aware;
  (void)message;
  (void)size;
  *state_p = &state;
  return 0;
}

static void teardown(void *unused) { (void)unused; }

static const cairn_op_function functions[] = {{"cpu_work", CAIRN_OP_CPU, work},
                                              {"gpu_work", CAIRN_OP_GPU, work}};
static const cairn_op_plugin plugin = {CAIRN_OP_PLUGIN_HEAD,
                                       "delays",
                                       "1",
                                       NULL,
                                       setup,
                                       teardown,
                                       functions,
                                       2,
                                       poison,
                                       verify};

/* ---- the program ---- */

static cairn_dag_program *make_program(void) {
  cairn_dag_program *p;
  CHECK(cairn_dag_program_create("delays", &p) == CAIRN_OK);
  for (unsigned i = 1; i + 1 < OPS; i++) {
    char arg[4];
    unsigned id;
    const int gpu = ops[i].kind == CAIRN_DAG_GPU;
    const cairn_dag_op op = {.name = ops[i].name,
                             .kind = ops[i].kind,
                             .call = gpu ? "gpu_work" : "cpu_work",
                             .arg = arg};
    snprintf(arg, sizeof arg, "%u", i);
    CHECK(cairn_dag_program_add_op(p, &op, NULL, &id) == CAIRN_OK && id == i);
  }
  for (size_t i = 0; i < EDGES; i++)
    CHECK(cairn_dag_program_add_edge(p, edges[i][0], edges[i][1], NULL) ==
          CAIRN_OK);
  CHECK(cairn_dag_program_seal(p, NULL) == CAIRN_OK);
  return p;
}

/* ---- the test ---- */

typedef struct test {
  cairn_dag_program *program;
  cairn_dag_prover *prover;
  cairn_exec *exec;
  cairn_dag_walk *walk;
  cairn_base_rng rng;
  cairn_base_diag *diag;
} test;

/* A random schedule, minimal or tidy. */
static size_t draw(test *t, int minimal, cairn_dag_item *items) {
  size_t count;
  cairn_dag__walk_reset(t->walk);
  cairn_dag__walk_rollout(t->walk, &t->rng);
  const cairn_dag_item *const made = cairn_dag__walk_items(t->walk, &count);
  memcpy(items, made, count * sizeof *items);
  count = minimal ? cairn_dag__prover_minimize(t->prover, items, count)
                  : cairn_dag__schedule_tidy(items, count);
  CHECK(cairn_dag__prover_legal(t->prover, items, count));
  return count;
}

static cairn_base_outcome run(test *t, const cairn_dag_item *items,
                              size_t count) {
  cairn_base_execution outcome;
  cairn_status status = cairn_exec_prepare(t->exec, 0, items, count, t->diag);
  if (status == CAIRN_OK)
    status = cairn_exec__run(t->exec, 0, 1, &outcome);
  cairn_base_diag_print(t->diag, stderr);
  CHECK(status == CAIRN_OK);
  return outcome.outcome;
}

/* The first race on an op that computes something, or NULL. */
static const cairn_lint_finding *race_of(const cairn_lint_report *report) {
  for (size_t i = 0; i < report->count; i++)
    if (report->finding[i].kind == CAIRN_LINT_FINDING_RACE &&
        report->finding[i].to != OPS - 1)
      return &report->finding[i];
  return NULL;
}

/* 1 when the schedule without its wait `at` gave wrong numbers; 0 when that
 * wait only served `end`, which computes nothing. */
static int show_race(test *t, const cairn_dag_item *items, size_t count,
                     size_t at) {
  cairn_dag_item left[64];
  cairn_lint_report *report;
  int wrong = 0;
  memcpy(left, items, at * sizeof *left);
  memcpy(left + at, items + at + 1, (count - at - 1) * sizeof *left);
  CHECK(!cairn_dag__prover_legal(t->prover, left, count - 1));
  CHECK(cairn_lint(t->program, left, count - 1, CAIRN_LINT_WRONG_ONLY, NULL,
                   &report) == CAIRN_OK);
  const cairn_lint_finding *const race = race_of(report);
  /* slower and slower: on a busy machine the other op may be late as well */
  for (long ns = 2000000; race && !wrong && ns < 300000000; ns *= 2) {
    atomic_store(&state.delay_ns[race->from], ns);
    wrong = run(t, left, count - 1) == CAIRN_BASE_OUTCOME_WRONG;
    atomic_store(&state.delay_ns[race->from], 0);
  }
  CHECK(!race || wrong);
  cairn_lint_report_free(report);
  return wrong;
}

static int show_races(test *t, int wanted) {
  int shown = 0;
  atomic_store(&state.most_ns, 0);
  while (shown < wanted) {
    cairn_dag_item items[64];
    const size_t count = draw(t, 1, items);
    for (size_t i = 0; i < count && shown < wanted; i++)
      if (items[i].kind == CAIRN_DAG_ITEM_CES ||
          items[i].kind == CAIRN_DAG_ITEM_CSW)
        shown += show_race(t, items, count, i);
  }
  return shown;
}

static void never_wrong(test *t, int runs) {
  atomic_store(&state.most_ns, 150000);
  for (int i = 0; i < runs; i++) {
    cairn_dag_item items[64];
    const size_t count = draw(t, i & 1, items);
    CHECK(run(t, items, count) == CAIRN_BASE_OUTCOME_OK);
  }
}

int main(void) {
  test t = {.program = make_program()};
  cairn_exec_world *world;
  cairn_exec_options options;
  const char *const lengthy = getenv("CAIRN_LONG");
  const int full = lengthy && *lengthy && *lengthy != '0';
  const int races = full ? 100 : 20, runs = full ? 10000 : 150;
  CHECK(cairn_base_diag_create(0, &t.diag) == CAIRN_OK);
  CHECK(cairn_dag__prover_create(t.program, &t.prover) == CAIRN_OK);
  CHECK(cairn_dag__walk_create(t.program, 2, &t.walk) == CAIRN_OK);
  CHECK(cairn_exec_world_open(NULL, t.diag, &world) == CAIRN_OK);
  cairn_exec_options_default(&options);
  options.backend = "host";
  options.streams = 2;
  options.plugin = &plugin;
  options.allow_illegal = 1;
  const cairn_status status =
      cairn_exec_open(world, t.program, &options, t.diag, &t.exec);
  cairn_base_diag_print(t.diag, stderr);
  CHECK(status == CAIRN_OK);
  cairn_base__rng_seed(&t.rng, 7);
  const int shown = show_races(&t, races);
  never_wrong(&t, runs);
  printf("%d racy schedules gave wrong numbers; %d runs of accepted ones with "
         "random delays did not\n",
         shown, runs);
  cairn_exec_stop(t.exec, CAIRN_OK);
  cairn_exec_close(t.exec);
  cairn_exec_world_close(world);
  cairn_dag__walk_free(t.walk);
  cairn_dag__prover_free(t.prover);
  cairn_dag_program_free(t.program);
  cairn_base_diag_free(t.diag);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/run-ring.c - under mpiexec: runs every schedule of the ring
 * program, verified, then takes samples; checks what comes back.  Arguments:
 *   run-ring all           every schedule, verified
 *   run-ring sample        samples of two schedules, mixed; a measurement
 *   run-ring embed         MPI initialised by the application, twice in a row
 *   run-ring trace         one traced execution
 *   run-ring errors        what must be refused
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/exec.h>

#include "exec/drive-private.h"
#include "ring.h"

static int failures;

#define CHECK(condition)                                                       \
  do {                                                                         \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s:%d: %s is false\n", __FILE__, __LINE__, #condition); \
      failures++;                                                              \
    }                                                                          \
  } while (0)

typedef struct job {
  cairn_exec_world *world;
  cairn_dag_program *program;
  cairn_base_diag *diag;
  cairn_exec *exec;
  uint64_t next;
} job;

static int open_job(job *j, const cairn_exec_options *options) {
  *j = (job){0};
  cairn_base_diag_create(0, &j->diag);
  CHECK(cairn_exec_world_open(NULL, j->diag, &j->world) == CAIRN_OK);
  j->program = ring_program(options->streams ? options->streams : 2);
  CHECK(j->program != NULL);
  const cairn_status status =
      cairn_exec_open(j->world, j->program, options, j->diag, &j->exec);
  cairn_base_diag_print(j->diag, stderr);
  CHECK(status == CAIRN_OK);
  return status == CAIRN_OK;
}

static void close_job(job *j) {
  cairn_exec_close(j->exec);
  cairn_dag_program_free(j->program);
  cairn_base_diag_free(j->diag);
  cairn_exec_world_close(j->world);
}

static cairn_exec_options options_for_tests(void) {
  cairn_exec_options options;
  cairn_exec_options_default(&options);
  options.backend = "host";
  options.plugin = ring_plugin();
  return options;
}

/* ---- all schedules ---- */

static int run_one(void *context, const cairn_dag_item *items, size_t count) {
  job *j = context;
  cairn_base_execution outcome;
  const uint64_t id = j->next++;
  CHECK(cairn_exec_prepare(j->exec, id, items, count, j->diag) == CAIRN_OK);
  CHECK(cairn_exec__run(j->exec, id, 1, &outcome) == CAIRN_OK);
  if (outcome.outcome != CAIRN_BASE_OUTCOME_OK)
    fprintf(stderr, "schedule %llu: %s\n", (unsigned long long)id,
            outcome.message);
  CHECK(outcome.outcome == CAIRN_BASE_OUTCOME_OK);
  CHECK(outcome.time_s > 0);
  CHECK(cairn_exec__forget(j->exec, id) == CAIRN_OK);
  return failures > 0;
}

static void test_all(unsigned streams) {
  job j;
  cairn_exec_options options = options_for_tests();
  options.streams = streams;
  if (!open_job(&j, &options))
    return;
  if (cairn_exec_world_rank(j.world) != 0) {
    CHECK(cairn_exec_serve(j.exec) == CAIRN_FINDINGS);
  } else {
    CHECK(cairn_dag_space_enumerate(j.program, streams, CAIRN_DAG_SYNC_TIDY,
                                    run_one, &j) == CAIRN_OK);
    CHECK(cairn_exec_stop(j.exec, CAIRN_FINDINGS) == CAIRN_OK);
    printf("%llu schedules verified\n", (unsigned long long)j.next);
    CHECK(j.next > 20);
  }
  close_job(&j);
}

/* ---- samples ---- */

static int prepare_two(void *context, const cairn_dag_item *items,
                       size_t count) {
  job *j = context;
  CHECK(cairn_exec_prepare(j->exec, j->next++, items, count, j->diag) ==
        CAIRN_OK);
  return j->next == 2;
}

static void sample_mixed(job *j) {
  cairn_base_shot shots[40];
  cairn_base_sample samples[40];
  cairn_base_execution outcome;
  for (unsigned i = 0; i < 40; i++)
    shots[i] = (cairn_base_shot){.id = i % 2, .k = 3, .warm = i < 2};
  CHECK(cairn_exec__sample(j->exec, shots, 40, samples, &outcome) == CAIRN_OK);
  CHECK(outcome.outcome == CAIRN_BASE_OUTCOME_OK);
  for (unsigned i = 0; i < 40; i++) {
    CHECK(samples[i].id == i % 2 && samples[i].k == 3);
    CHECK(samples[i].time_s > 1e-7 && samples[i].time_s < 1);
    CHECK(samples[i].skew_s >= 0 && samples[i].skew_s <= samples[i].time_s);
    CHECK(i == 0 || samples[i].at_s > samples[i - 1].at_s);
    CHECK(samples[i].last_rank < cairn_exec_world_size(j->world));
  }
  shots[3].id = 77;
  CHECK(cairn_exec__sample(j->exec, shots, 40, samples, &outcome) ==
        CAIRN_USAGE);
}

static void measure(job *j, unsigned fixed) {
  cairn_exec_plan plan;
  cairn_exec_measurement m;
  cairn_base_sample *raw = NULL;
  size_t count = 0;
  cairn_exec_plan_default(j->exec, &plan);
  plan.samples = fixed;
  plan.max_s = 0.5;
  CHECK(plan.verify == 1);
  CHECK(cairn_exec_measure(j->exec, 1, &plan, &m, &raw, &count) == CAIRN_OK);
  CHECK(m.outcome == CAIRN_BASE_OUTCOME_OK);
  CHECK(count == m.summary.times.samples + m.summary.late + m.summary.faulty);
  CHECK(fixed == 0 || m.summary.times.samples == fixed);
  CHECK(
      m.summary.times.p[CAIRN_BASE_P01] <= m.summary.times.p[CAIRN_BASE_P10] &&
      m.summary.times.p[CAIRN_BASE_P10] <= m.summary.times.p[CAIRN_BASE_P50] &&
      m.summary.times.p[CAIRN_BASE_P50] <= m.summary.times.p[CAIRN_BASE_P90] &&
      m.summary.times.p[CAIRN_BASE_P90] <= m.summary.times.p[CAIRN_BASE_P99]);
  CHECK(m.warm >= plan.warm_min && m.k >= 1);
  printf("n %u late %zu k %u p50 %.3g us [%.3g, %.3g] half %.3g skew %.3g "
         "reason %s warm %u start %d spent %.3g z %.2g lag %.2g\n",
         m.summary.times.samples, m.summary.late, m.k,
         1e6 * m.summary.times.p[CAIRN_BASE_P50], 1e6 * m.summary.times.low,
         1e6 * m.summary.times.high, m.summary.half, 1e6 * m.summary.times.skew,
         cairn_exec_reason_text(m.reason), m.warm, (int)m.start, m.spent_s,
         m.summary.runs_z, m.summary.lag1);
  cairn_base_free(raw);
}

static void test_sample(cairn_exec_start start) {
  job j;
  cairn_exec_options options = options_for_tests();
  options.start = start;
  if (!open_job(&j, &options))
    return;
  const cairn_exec_info *info = cairn_exec__info_get(j.exec);
  CHECK(info->start != CAIRN_EXEC_START_AUTO);
  if (cairn_exec_world_rank(j.world) != 0) {
    CHECK(cairn_exec_serve(j.exec) == CAIRN_OK);
  } else {
    cairn_dag_space_enumerate(j.program, 2, CAIRN_DAG_SYNC_TIDY, prepare_two,
                              &j);
    sample_mixed(&j);
    measure(&j, 1);
    measure(&j, 25);
    measure(&j, 0);
    CHECK(cairn_exec_stop(j.exec, CAIRN_OK) == CAIRN_OK);
  }
  close_job(&j);
}

/* ---- embedding ---- */

static void test_embed(void) {
  int level, done;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  test_all(1);
  test_all(3);
  MPI_Finalized(&done);
  CHECK(!done);
  MPI_Finalize();
}

/* ---- tracing ---- */

static void test_trace(void) {
  job j;
  cairn_exec_options options = options_for_tests();
  if (!open_job(&j, &options))
    return;
  if (cairn_exec_world_rank(j.world) != 0) {
    CHECK(cairn_exec_serve(j.exec) == CAIRN_OK);
    close_job(&j);
    return;
  }
  cairn_exec_event *event = NULL;
  cairn_base_execution outcome;
  size_t count = 0;
  cairn_dag_schedule order = {0};
  CHECK(cairn_dag_schedule_program_order(j.program, &order) == CAIRN_OK);
  CHECK(cairn_exec_prepare(j.exec, 5, order.items, order.count, j.diag) ==
        CAIRN_OK);
  CHECK(cairn_exec_trace(j.exec, 5, &event, &count, &outcome) == CAIRN_OK);
  CHECK(count == order.count * (size_t)cairn_exec_world_size(j.world));
  for (size_t i = 0; i < count; i++) {
    CHECK(event[i].issue_s >= 0 && event[i].issued_s >= event[i].issue_s);
    CHECK(event[i].stop_s >= event[i].start_s);
    CHECK(event[i].item == i % order.count);
    if (order.items[event[i].item].kind == CAIRN_DAG_ITEM_GPU)
      CHECK(event[i].start_s >= event[i].issue_s);
  }
  cairn_base_free(event);
  cairn_dag_schedule_free(&order);
  CHECK(cairn_exec_stop(j.exec, CAIRN_OK) == CAIRN_OK);
  close_job(&j);
}

/* ---- errors ---- */

/* Opening must fail on all ranks alike, and say why on rank 0. */
static void refuse(cairn_exec_options options, const char *param,
                   const char *value, cairn_status expected,
                   const char *words) {
  job j = {0};
  cairn_base_diag_create(0, &j.diag);
  CHECK(cairn_exec_world_open(NULL, j.diag, &j.world) == CAIRN_OK);
  j.program = ring_program(2);
  if (param)
    CHECK(cairn_dag_program_set_param(j.program, param, value, NULL) ==
          CAIRN_OK);
  const cairn_status status =
      cairn_exec_open(j.world, j.program, &options, j.diag, &j.exec);
  CHECK(status == expected);
  if (cairn_exec_world_rank(j.world) == 0) {
    const int said = cairn_base_diag_count(j.diag) > 0;
    CHECK(said);
    const char *text = said ? cairn_base_diag_get(j.diag, 0)->text : "";
    if (!strstr(text, words))
      fprintf(stderr, "said: %s\n", text);
    CHECK(strstr(text, words) != NULL);
  }
  if (status == CAIRN_OK && cairn_exec_world_rank(j.world) == 0)
    cairn_exec_stop(j.exec, CAIRN_OK);
  close_job(&j);
}

static const cairn_op_function wrong_kind[] = {{"fill", CAIRN_OP_CPU, NULL}};

/* A plugin whose setup failed on some rank is not torn down on the others
 * (teardown is collective): what they allocated stays. */
#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/lsan_interface.h>
#else
static void __lsan_disable(void) {}
static void __lsan_enable(void) {}
#endif

static void test_errors(void) {
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  cairn_exec_options o = options_for_tests();
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  char last[16], told[64];
  snprintf(last, sizeof last, "%d", size - 1);
  snprintf(told, sizeof told, "told to fail on rank %d", size - 1);
  __lsan_disable();
  refuse(o, "fail", last, CAIRN_ENV, told);
  __lsan_enable();
  if (size > 1)
    refuse(o, "delay", rank ? "1" : "2", CAIRN_INPUT, "different");
  o.backend = "quantum";
  refuse(o, NULL, NULL, CAIRN_ENV, "quantum");
  o = options_for_tests();
  o.streams = 40;
  refuse(o, NULL, NULL, CAIRN_USAGE, "40 streams");
  o = options_for_tests();
  o.inject = "explode@fill";
  refuse(o, NULL, NULL, CAIRN_USAGE, "unknown kind");
  o.inject = "hang@fil";
  refuse(o, NULL, NULL, CAIRN_USAGE, "no such op");
  o.inject = NULL;
  cairn_op_plugin p = *ring_plugin();
  o.plugin = &p;
  p.magic = 1;
  refuse(o, NULL, NULL, CAIRN_INPUT, "magic");
  p = *ring_plugin();
  p.abi_major = 9;
  refuse(o, NULL, NULL, CAIRN_INPUT, "ABI 9.");
  p = *ring_plugin();
  p.size = 8;
  refuse(o, NULL, NULL, CAIRN_INPUT, "8 and");
  p = *ring_plugin();
  p.mpi = "lampi";
  refuse(o, NULL, NULL, CAIRN_INPUT, "compiled for lampi");
  p = *ring_plugin();
  p.verify = NULL;
  refuse(o, NULL, NULL, CAIRN_INPUT, "only one of");
  p = *ring_plugin();
  p.ops_count--;
  refuse(o, NULL, NULL, CAIRN_INPUT, "op add calls add");
  cairn_op_function mixed[6];
  memcpy(mixed, ring_plugin()->ops, sizeof mixed);
  mixed[0].kind = wrong_kind[0].kind;
  p = *ring_plugin();
  p.ops = mixed;
  refuse(o, NULL, NULL, CAIRN_INPUT, "gpu op here and a cpu op");
  o.plugin = NULL;
  refuse(o, NULL, NULL, CAIRN_INPUT, "names no plugin");
  MPI_Finalize();
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "all";
  if (strcmp(what, "all") == 0)
    test_all(2);
  else if (strcmp(what, "sample") == 0)
    test_sample(argc > 2 && strcmp(argv[2], "barrier") == 0
                    ? CAIRN_EXEC_START_BARRIER
                    : CAIRN_EXEC_START_AUTO);
  else if (strcmp(what, "embed") == 0)
    test_embed();
  else if (strcmp(what, "trace") == 0)
    test_trace();
  else if (strcmp(what, "errors") == 0)
    test_errors();
  return failures > 0;
}

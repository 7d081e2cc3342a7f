/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/faults.c - opening the executor, running, sampling, tracing and
 * closing, on one rank, while each allocation fails in turn.
 */
#include <mpi.h>

#include "tests/faults.h"

#include <cairn/exec.h>

#include "exec/drive-private.h"
#include "ring.h"

static cairn_dag_program *program;

static cairn_status use(cairn_exec *exec, cairn_base_diag *diag) {
  cairn_dag_schedule order = {0};
  cairn_base_execution outcome;
  cairn_exec_event *event = NULL;
  size_t events = 0;
  cairn_status status = cairn_dag_schedule_program_order(program, &order);
  if (status == CAIRN_OK)
    status = cairn_exec_prepare(exec, 3, order.items, order.count, diag);
  if (status == CAIRN_OK)
    status = cairn_exec__run(exec, 3, 1, &outcome);
  if (status == CAIRN_OK && outcome.outcome != CAIRN_BASE_OUTCOME_OK)
    status = CAIRN_FAILED;
  cairn_exec_plan plan;
  cairn_exec_measurement measured;
  cairn_exec_plan_default(exec, &plan);
  plan.samples = 2;
  if (status == CAIRN_OK)
    status = cairn_exec_measure(exec, 3, &plan, &measured, NULL, NULL);
  if (status == CAIRN_OK)
    status = cairn_exec_trace(exec, 3, &event, &events, &outcome);
  if (status == CAIRN_OK)
    status = cairn_exec__forget(exec, 3);
  cairn_base_free(event);
  cairn_dag_schedule_free(&order);
  return status;
}

static cairn_status execute(const char *name, uint64_t *digest_p) {
  cairn_exec_world *world = NULL;
  cairn_exec *exec = NULL;
  cairn_base_diag *diag = NULL;
  cairn_exec_options options;
  (void)name;
  cairn_exec_options_default(&options);
  options.backend = "host";
  options.plugin = ring_plugin();
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK)
    status = cairn_exec_world_open(NULL, diag, &world);
  if (status == CAIRN_OK)
    status = cairn_exec_open(world, program, &options, diag, &exec);
  if (status == CAIRN_OK) {
    status = use(exec, diag);
    const cairn_status stopped = cairn_exec_stop(exec, status);
    status = status == CAIRN_OK ? stopped : status;
    cairn_exec_close(exec);
  }
  cairn_exec_world_close(world);
  cairn_base_diag_free(diag);
  *digest_p = 1;
  return status;
}

int main(void) {
  static const faults_scenario all = {"executor", execute};
  int level;
  MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level);
  program = ring_program(2);
  if (!program)
    return 99;
  const size_t points = faults_loop(&all, 1);
  cairn_dag_program_free(program);
  MPI_Finalize();
  printf("%zu points, %d wrong\n", points, faults_failed);
  return faults_failed > 0;
}

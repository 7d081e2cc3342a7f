/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/open.c - making an executor, step by step; after each step all ranks
 * agree, so that either all go on or all leave, with the same status.
 */
#include "base/stats-private.h"
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define CHUNK_MOST 1024 /* shots in one request */
#define CHUNK_ALL 65536 /* marks that rank 0 gathers at a time */
#define EVENTS_FIRST 64
#define SLACK_ROUNDS 31

void cairn_exec_options_default(cairn_exec_options *options) {
  *options = (cairn_exec_options){.gpu_mpi = CAIRN_EXEC_GPU_MPI_AUTO,
                                  .start = CAIRN_EXEC_START_AUTO,
                                  .hang_s = 5.0,
                                  .setup_s = 600.0,
                                  .teardown_s = 60.0};
}

/* ---- the steps; each on this rank alone unless it says collective ---- */

static cairn_status same_program(cairn_exec *exec, cairn_base_diag *diag) {
  size_t count;
  const cairn_dag_param *param =
      cairn_dag__program_params(exec->program, &count);
  const char *digest = cairn_dag__program_digest(exec->program);
  uint64_t hash = XXH3_64bits(digest, strlen(digest));
  for (size_t i = 0; i < count; i++)
    hash = XXH3_64bits_withSeed(param[i].value, strlen(param[i].value), hash);
  int same = 0;
  const cairn_status status = cairn_exec__comm_same(exec->world, hash, &same);
  if (status == CAIRN_OK && !same) {
    if (exec->place.rank == 0)
      cairn_base_diag_error(diag, "the ranks have read different programs or "
                                  "parameters");
    return CAIRN_INPUT;
  }
  return status;
}

static cairn_status check_options(cairn_exec *exec, cairn_base_diag *diag) {
  if (exec->streams < 1 || exec->streams > CAIRN_DAG_MAX_STREAMS) {
    cairn_base_diag_error(diag, "%u streams: 1 to %d are possible",
                          exec->streams, CAIRN_DAG_MAX_STREAMS);
    return CAIRN_USAGE;
  }
  return CAIRN_OK;
}

static cairn_status make_board(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  size_t length =
      sizeof *exec->progress + exec->max_items * sizeof(cairn_dag_item);
  length = (length + 7) / 8 * 8; /* parts are side by side */
  const cairn_status status = cairn_exec__comm_board(
      exec->world, &length, &exec->board, &exec->board_shared);
  if (status)
    return status;
  exec->board_stride = length;
  exec->progress = exec->board[exec->place.local_rank];
  *exec->progress = (cairn_exec_progress){.magic = CAIRN_EXEC_MAGIC,
                                          .stride = (uint32_t)length,
                                          .rank = (uint32_t)exec->place.rank,
                                          .ranks = (uint32_t)exec->place.ranks,
                                          .pid = (uint32_t)getpid(),
                                          .id = CAIRN_EXEC_NO_ID};
  cairn_exec__blackbox_ops(exec);
  return CAIRN_OK;
}

static cairn_status load(cairn_exec *exec, cairn_base_diag *diag) {
  cairn_status status =
      cairn_exec__inject_create(exec, exec->options.inject, diag);
  if (status == CAIRN_OK)
    status = cairn_exec__plugin_load(exec, diag);
  if (status == CAIRN_OK)
    status = cairn_exec__plugin_resolve(exec, diag);
  return status;
}

/* Collective.  The first backend that all ranks can use. */
static cairn_status choose_backend(cairn_exec *exec, cairn_base_diag *diag) {
  const char *name = exec->options.backend;
  const int any = name == NULL || strcmp(name, "auto") == 0;
  const cairn_exec_backend *const *list = cairn_exec__backends();
  char *reason = exec->backend_reason;
  for (; *list; list++) {
    if (!any && strcmp((*list)->name, name) != 0)
      continue;
    reason[0] = '\0';
    int64_t missing =
        !(*list)->available(&exec->place, reason, sizeof exec->backend_reason);
    const cairn_status status = cairn_exec__comm_max(exec->world, &missing, 1);
    if (status)
      return status;
    if (!missing) {
      exec->backend = *list;
      exec->progress->has_gpu = (uint32_t)exec->backend->has_gpu;
      return CAIRN_OK;
    }
    if (!any) {
      cairn_base_diag_error(diag, "backend %s: %s", name,
                            reason[0] ? reason : "not on all ranks");
      return CAIRN_ENV;
    }
  }
  cairn_base_diag_error(diag,
                        "backend %s is not built in (see cairn --version "
                        "--verbose)",
                        name ? name : "auto");
  return CAIRN_ENV;
}

static cairn_status make_platform(cairn_exec *exec, cairn_base_diag *diag) {
  const cairn_exec_platform_config config = {.place = exec->place,
                                             .streams = exec->streams,
                                             .events = EVENTS_FIRST,
                                             .items = EVENTS_FIRST,
                                             .spare_cores = exec->spare_cores,
                                             .fault = &exec->fault,
                                             .running =
                                                 exec->progress->running};
  return exec->backend->create(&config, diag, &exec->platform);
}

static cairn_status make_buffers(cairn_exec *exec, cairn_base_diag *diag) {
  const size_t ranks = (size_t)exec->place.ranks;
  exec->chunk = CHUNK_ALL / ranks;
  if (exec->chunk > CHUNK_MOST)
    exec->chunk = CHUNK_MOST;
  if (exec->chunk < 16)
    exec->chunk = 16;
  exec->mark = cairn_base_zalloc(exec->chunk, sizeof *exec->mark);
  if (exec->mark == NULL)
    return CAIRN_NOMEM;
  if (exec->place.rank == 0) {
    exec->all_marks =
        cairn_base_zalloc(exec->chunk * ranks, sizeof *exec->all_marks);
    exec->replies = cairn_base_zalloc(ranks, sizeof *exec->replies);
    if (exec->all_marks == NULL || exec->replies == NULL)
      return CAIRN_NOMEM;
    const cairn_status status =
        cairn_dag__prover_create(exec->program, &exec->prover);
    if (status)
      return status;
  }
  return cairn_exec__flat_reserve(exec, EVENTS_FIRST, diag);
}

static int wants_device(cairn_exec *exec) {
  char *reason = exec->gpu_aware_reason;
  const size_t size = sizeof exec->gpu_aware_reason;
  switch (exec->options.gpu_mpi) {
  case CAIRN_EXEC_GPU_MPI_DEVICE:
    snprintf(reason, size, "asked for");
    return 1;
  case CAIRN_EXEC_GPU_MPI_HOST:
    snprintf(reason, size, "asked for");
    return 0;
  default:
    return cairn_exec__comm_gpu_aware(reason, size);
  }
}

/* Collective: device pointers only if all ranks say so. */
static cairn_status setup(cairn_exec *exec, cairn_base_diag *diag) {
  int gpu_aware = CAIRN_OP_NO_GPU;
  if (exec->backend->has_gpu) {
    int64_t host = !wants_device(exec);
    const cairn_status status = cairn_exec__comm_max(exec->world, &host, 1);
    if (status)
      return status;
    gpu_aware = host ? CAIRN_OP_MPI_HOST : CAIRN_OP_MPI_DEVICE;
  } else {
    snprintf(exec->gpu_aware_reason, sizeof exec->gpu_aware_reason,
             "no GPU is used");
  }
  exec->gpu_aware = gpu_aware;
  return cairn_exec__plugin_setup(exec, gpu_aware, diag);
}

static cairn_status inject_ops(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  const unsigned ops = cairn_dag_program_ops(exec->program);
  for (unsigned id = 1; id + 1 < ops; id++) {
    const cairn_status status = cairn_exec__inject_wrap(
        exec, cairn_dag_program_op(exec->program, id)->name, exec->op + id);
    if (status)
      return status;
  }
  return CAIRN_OK;
}

/* Collective: how the start is made, and the first slack: a few times what an
 * agreement of all ranks takes. */
static cairn_status choose_start(cairn_exec *exec, cairn_base_diag *diag) {
  (void)diag;
  const int one_host = exec->place.local_ranks == exec->place.ranks;
  exec->start = exec->options.start;
  if (exec->start == CAIRN_EXEC_START_AUTO)
    exec->start =
        one_host ? CAIRN_EXEC_START_DEADLINE : CAIRN_EXEC_START_BARRIER;
  double took[SLACK_ROUNDS];
  for (int i = 0; i < SLACK_ROUNDS; i++) {
    int64_t value = 0;
    const int64_t start = cairn_base__now_ns();
    const cairn_status status = cairn_exec__comm_max(exec->world, &value, 1);
    if (status)
      return status;
    took[i] = (double)(cairn_base__now_ns() - start);
  }
  const double slack = 4.0 * cairn_base__stats_median(took, SLACK_ROUNDS);
  exec->slack_ns = slack < 10000.0 ? 10000 : (int64_t)slack;
  return CAIRN_OK;
}

/* ---- all of it ---- */

typedef cairn_status step(cairn_exec *exec, cairn_base_diag *diag);

static cairn_status all_steps(cairn_exec *exec, cairn_base_diag *diag) {
  /* the board comes first: it is what progress is written to */
  static step *const steps[] = {check_options,
                                make_board,
                                same_program,
                                cairn_exec__watchdog_start,
                                load,
                                choose_backend,
                                cairn_exec__info_cores,
                                cairn_exec__load_open,
                                make_platform,
                                make_buffers,
                                setup,
                                inject_ops,
                                choose_start,
                                cairn_exec__info_collect};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    if (exec->progress)
      cairn_exec__enter(exec, CAIRN_EXEC_PHASE_OPEN,
                        (uint64_t)(exec->options.setup_s * 1e9));
    cairn_status status = steps[i](exec, diag);
    status = cairn_exec_world_agree(exec->world, status, diag);
    if (status)
      return status;
    exec->is_setup |= steps[i] == setup;
  }
  cairn_exec__clock_open(exec); /* no clocks: no loss */
  cairn_exec__loss_open(exec);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
  return CAIRN_OK;
}

static void free_all(cairn_exec *exec) {
  cairn_exec__store_clear(exec);
  if (exec->platform)
    exec->backend->join(exec->platform);
  /* after a setup that failed on some rank, teardown, being collective, can
   * be called on none */
  cairn_exec__plugin_unload(exec);
  cairn_exec__clock_close(exec);
  cairn_exec__loss_close(exec);
  cairn_exec__load_close(exec);
  if (exec->platform)
    exec->backend->destroy(exec->platform);
  cairn_exec__watchdog_stop(exec);
  cairn_exec__inject_free(exec);
  cairn_exec__info_free(exec);
  cairn_dag__prover_free(exec->prover);
  cairn_base_free(exec->flat.command);
  cairn_base_free(exec->mark);
  cairn_base_free(exec->all_marks);
  cairn_base_free(exec->replies);
  cairn_base_free(exec->payload);
  if (exec->options.self)
    *exec->options.self = NULL;
  if (exec->progress)
    exec->progress->closed = 1;
  cairn_base_free(exec);
}

cairn_status cairn_exec_open(cairn_exec_world *world,
                             const cairn_dag_program *program,
                             const cairn_exec_options *options,
                             cairn_base_diag *diag, cairn_exec **exec_p) {
  cairn_exec *exec = cairn_base_zalloc(1, sizeof *exec);
  cairn_status status =
      cairn_exec_world_agree(world, exec ? CAIRN_OK : CAIRN_NOMEM, diag);
  if (status) {
    cairn_base_free(exec);
    return status;
  }
  exec->world = world;
  exec->program = program;
  exec->options = *options;
  exec->place = cairn_exec__comm_place(world);
  exec->streams =
      options->streams ? options->streams : cairn_dag_program_streams(program);
  exec->max_items = cairn_dag__program_max_items(program, exec->streams);
  exec->opened_ns = cairn_base__now_ns();
  exec->flat.id = CAIRN_EXEC_NO_ID;
  if (options->self)
    *options->self = exec;
  status = all_steps(exec, diag);
  if (status) {
    free_all(exec);
    return status;
  }
  *exec_p = exec;
  return CAIRN_OK;
}

void cairn_exec_close(cairn_exec *exec) {
  if (exec == NULL)
    return;
  if (!exec->stopped && exec->place.rank == 0 && !exec->broken)
    cairn_exec_stop(exec, CAIRN_OK);
  free_all(exec);
}

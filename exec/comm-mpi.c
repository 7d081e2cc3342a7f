/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/comm-mpi.c - the ranks on MPI; the only file that includes mpi.h.
 *
 * Two duplicates of the given communicator: one for control, one for user
 * ops, so that their messages can never meet.  Control collectives are
 * non-blocking ones that are tested in a loop: a blocking collective spins
 * inside MPI, and with more ranks than cores the spinning rank keeps the one
 * that it waits for off the core until the scheduler's tick (4 ms).  The loop
 * spins for a few microseconds, then yields, then (idle waits only) sleeps.
 *
 * Invariant: control is used by the control thread alone (MPI is initialised
 * FUNNELED); only abort may be called from another thread.
 */
#include "base/clock-private.h"
#include "base/log-private.h"
#include "exec/comm-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <mpi.h>
#ifdef HAVE_MPI_EXT_H
#include <mpi-ext.h>
#endif

#define SPIN_NS 5000     /* then yield */
#define YIELD_NS 2000000 /* then, idle waits only, sleep */
#define SLEEP_NS 100000
#define HOST_BYTES 256
#define PAGE ((size_t)4096) /* parts of the black box begin at pages */
enum { CPUS = 8192, CPU_WORDS = CPUS / 8 / sizeof(unsigned long) };

struct cairn_exec_world {
  MPI_Comm control, user, node;
  int rank, size, local_rank, local_size;
  int own_mpi;         /* we initialised it, so we finalise it */
  int *local;          /* rank in the world of each local rank */
  unsigned long *cpus; /* CPU_WORDS a local rank: where it may run */
  char *names;         /* HOST_BYTES a rank */
  const char **host;   /* distinct ones, into names */
  size_t hosts;
  char library[256];
  MPI_Win window; /* the board, when shared */
  void **board;
  void *board_private;
  int board_shared;
  size_t board_length; /* bytes a rank */
  void *blackbox;      /* the board, when a file backs it */
  size_t blackbox_size;
  int alive; /* of the black box; -1: none */
};

/* ---- errors ---- */

static cairn_status failed(const cairn_exec_world *world, const char *call,
                           int code) {
  char text[MPI_MAX_ERROR_STRING] = "unknown error";
  int length;
  MPI_Error_string(code, text, &length);
  cairn_base_log(CAIRN_BASE_LOG_ERROR, "rank %d: %s: %s", world->rank, call,
                 text);
  if (world->size > 1)
    MPI_Abort(MPI_COMM_WORLD, cairn_base_status_exit_code(CAIRN_ENV));
  return CAIRN_ENV;
}

/* Makes an MPI call; on error names it and leaves the function. */
#define TRY(world, function, ...)                                              \
  do {                                                                         \
    const int code_ = function(__VA_ARGS__);                                   \
    if (code_ != MPI_SUCCESS)                                                  \
      return failed((world), #function, code_);                                \
  } while (0)

/* ---- waiting ---- */

static cairn_status wait_for(const cairn_exec_world *world,
                             MPI_Request *request, const char *call, int idle) {
  int64_t start = 0;
  for (unsigned turn = 0;; turn++) {
    int done = 0;
    const int code = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (code != MPI_SUCCESS)
      return failed(world, call, code);
    if (done)
      return CAIRN_OK;
    if (turn < 4)
      continue;
    const int64_t now = cairn_base__now_ns();
    if (start == 0)
      start = now;
    if (idle && now - start > YIELD_NS) {
      const struct timespec nap = {0, SLEEP_NS};
      nanosleep(&nap, NULL);
    } else if (now - start > SPIN_NS) {
      sched_yield();
    }
  }
}

/* ---- collectives ---- */

static cairn_status bcast(cairn_exec_world *world, void *data, size_t length,
                          int root, int idle) {
  char *bytes = data;
  while (length > 0) {
    const int part = length > INT_MAX / 2 ? INT_MAX / 2 : (int)length;
    MPI_Request request;
    TRY(world, MPI_Ibcast, bytes, part, MPI_BYTE, root, world->control,
        &request);
    const cairn_status status = wait_for(world, &request, "MPI_Ibcast", idle);
    if (status)
      return status;
    bytes += part;
    length -= (size_t)part;
  }
  return CAIRN_OK;
}

cairn_status cairn_exec__comm_bcast(cairn_exec_world *world, void *data,
                                    size_t length, int root) {
  return bcast(world, data, length, root, 0);
}

cairn_status cairn_exec__comm_bcast_idle(cairn_exec_world *world, void *data,
                                         size_t length, int root) {
  return bcast(world, data, length, root, 1);
}

cairn_status cairn_exec__comm_max(cairn_exec_world *world, int64_t *values,
                                  size_t count) {
  MPI_Request request;
  TRY(world, MPI_Iallreduce, MPI_IN_PLACE, values, (int)count, MPI_INT64_T,
      MPI_MAX, world->control, &request);
  return wait_for(world, &request, "MPI_Iallreduce", 0);
}

cairn_status cairn_exec__comm_gather(cairn_exec_world *world, const void *mine,
                                     size_t length, void *all) {
  if (length > INT_MAX)
    return CAIRN_INTERNAL;
  MPI_Request request;
  TRY(world, MPI_Igather, mine, (int)length, MPI_BYTE, all, (int)length,
      MPI_BYTE, 0, world->control, &request);
  return wait_for(world, &request, "MPI_Igather", 0);
}

cairn_status cairn_exec__comm_barrier(cairn_exec_world *world) {
  MPI_Request request;
  TRY(world, MPI_Ibarrier, world->control, &request);
  return wait_for(world, &request, "MPI_Ibarrier", 0);
}

cairn_status cairn_exec__comm_worst(cairn_exec_world *world,
                                    cairn_status status) {
  int64_t worst = (int64_t)status;
  const cairn_status sent =
      world->size > 1 ? cairn_exec__comm_max(world, &worst, 1) : CAIRN_OK;
  return sent ? sent : (cairn_status)worst;
}

cairn_status cairn_exec__comm_same(cairn_exec_world *world, uint64_t value,
                                   int *same_p) {
  const int64_t v = (int64_t)(value >> 1); /* so that -v exists */
  int64_t ends[2] = {v, -v};
  const cairn_status status = cairn_exec__comm_max(world, ends, 2);
  if (status == CAIRN_OK)
    *same_p = ends[0] == -ends[1];
  return status;
}

/* ---- facts ---- */

const void *cairn_exec__comm_user(const cairn_exec_world *world) {
  return &world->user;
}

cairn_exec_place cairn_exec__comm_place(const cairn_exec_world *world) {
  return (cairn_exec_place){.rank = world->rank,
                            .ranks = world->size,
                            .local_rank = world->local_rank,
                            .local_ranks = world->local_size,
                            .cpus = world->cpus,
                            .cpu_words = CPU_WORDS};
}

int cairn_exec__comm_local(const cairn_exec_world *world, int local_rank) {
  return world->local[local_rank];
}

int cairn_exec_world_rank(const cairn_exec_world *world) { return world->rank; }
int cairn_exec_world_size(const cairn_exec_world *world) { return world->size; }
int cairn_exec__world_local_rank(const cairn_exec_world *world) {
  return world->local_rank;
}
int cairn_exec__world_local_size(const cairn_exec_world *world) {
  return world->local_size;
}

size_t cairn_exec__world_hosts(const cairn_exec_world *world,
                               const char *const **host_p) {
  *host_p = world->host;
  return world->hosts;
}

const char *cairn_exec__world_library(const cairn_exec_world *world) {
  return world->library;
}

const char *cairn_exec__world_flavour(void) { return CAIRN_MPI_FLAVOUR; }

/* Cray's MPICH has no query: its GTL library must be linked and switched on. */
static int cray_gpu_aware(void) {
  const char *on = getenv("MPICH_GPU_SUPPORT_ENABLED");
  if (on == NULL || strcmp(on, "1") != 0)
    return 0;
  FILE *maps = fopen("/proc/self/maps", "re");
  if (maps == NULL)
    return 0;
  char line[4096];
  int found = 0;
  while (!found && fgets(line, sizeof line, maps))
    found = strstr(line, "libmpi_gtl_cuda") != NULL;
  fclose(maps);
  return found;
}

int cairn_exec__comm_gpu_aware(char *reason, size_t size) {
  if (cray_gpu_aware()) {
    snprintf(reason, size,
             "Cray MPICH with libmpi_gtl_cuda, "
             "MPICH_GPU_SUPPORT_ENABLED=1");
    return 1;
  }
#if defined HAVE_MPIX_GPU_QUERY_SUPPORT && defined MPIX_GPU_SUPPORT_CUDA
  int yes = 0;
  const int code = MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &yes);
  yes = code == MPI_SUCCESS && yes;
  snprintf(reason, size, "MPIX_GPU_query_support says %s", yes ? "yes" : "no");
  return yes;
#elif defined HAVE_MPIX_QUERY_CUDA_SUPPORT
  const int yes = MPIX_Query_cuda_support();
  snprintf(reason, size, "MPIX_Query_cuda_support says %s", yes ? "yes" : "no");
  return yes != 0;
#else
  snprintf(reason, size, "the MPI library cannot be asked");
  return 0;
#endif
}

void cairn_exec__comm_deadlock(cairn_exec_world *world) {
  char byte;
  MPI_Recv(&byte, 1, MPI_BYTE, MPI_ANY_SOURCE, 32000, world->node,
           MPI_STATUS_IGNORE);
}

/* ---- the board ---- */

static cairn_status board_private(cairn_exec_world *world, size_t length) {
  world->board_private = cairn_base_zalloc(1, length);
  if (world->board_private == NULL)
    return CAIRN_NOMEM;
  world->board[world->local_rank] = world->board_private;
  return CAIRN_OK;
}

static int board_share(cairn_exec_world *world, size_t length) {
  void *mine = NULL;
  if (MPI_Win_allocate_shared((MPI_Aint)length, 1, MPI_INFO_NULL, world->node,
                              &mine, &world->window) != MPI_SUCCESS) {
    world->window = MPI_WIN_NULL;
    return 0;
  }
  memset(mine, 0, length);
  MPI_Barrier(world->node);
  for (int i = 0; i < world->local_size; i++) {
    MPI_Aint size;
    int unit;
    if (MPI_Win_shared_query(world->window, i, &size, &unit,
                             &world->board[i]) != MPI_SUCCESS)
      world->board[i] = NULL;
  }
  return 1;
}

/* All ranks of the host, or none. */
static int board_blackbox(cairn_exec_world *world, size_t length) {
  const size_t part = (length + PAGE - 1) / PAGE * PAGE;
  const size_t size = part * (size_t)world->local_size;
  void *all = NULL;
  if (world->local_rank == 0)
    all = cairn_exec__blackbox_map(world->local[0], size, 1);
  MPI_Barrier(world->node);
  if (world->local_rank != 0)
    all = cairn_exec__blackbox_map(world->local[0], size, 0);
  int mapped = all != NULL;
  MPI_Allreduce(MPI_IN_PLACE, &mapped, 1, MPI_INT, MPI_MIN, world->node);
  if (!mapped) {
    if (all != NULL)
      munmap(all, size);
    return 0;
  }
  for (int i = 0; i < world->local_size; i++)
    world->board[i] = (char *)all + (size_t)i * part;
  world->blackbox = all;
  world->blackbox_size = size;
  world->board_length = part;
  world->alive = cairn_exec__blackbox_live(world->rank);
  return 1;
}

cairn_status cairn_exec__comm_board(cairn_exec_world *world, size_t *length,
                                    void ***base_p, int *shared_p) {
  cairn_status status = CAIRN_OK;
  if (world->board == NULL) {
    world->board = cairn_base_zalloc((size_t)world->local_size, sizeof(void *));
    status =
        cairn_exec__comm_worst(world, world->board ? CAIRN_OK : CAIRN_NOMEM);
    if (status)
      return status;
    world->board_length = *length;
    world->board_shared =
        board_blackbox(world, *length) ||
        (world->local_size > 1 && board_share(world, *length));
    if (!world->board_shared)
      status = board_private(world, *length);
    status = cairn_exec__comm_worst(world, status);
  }
  if (status == CAIRN_OK) {
    *length = world->board_length;
    *base_p = world->board;
    *shared_p = world->board_shared;
  }
  return status;
}

/* ---- opening and closing ---- */

static cairn_status start_mpi(cairn_exec_world *world, cairn_base_diag *diag) {
  int up = 0, down = 0, level = MPI_THREAD_SINGLE;
  MPI_Finalized(&down);
  MPI_Initialized(&up);
  if (down) {
    cairn_base_diag_error(diag, "MPI has been finalised already");
    return CAIRN_ENV;
  }
  if (!up) {
    /* Read when CUDA starts, which MPI may do: kernels are loaded at the
     * start, none in timed code. */
    setenv("CUDA_MODULE_LOADING", "EAGER", 0);
    if (MPI_Init_thread(NULL, NULL, MPI_THREAD_FUNNELED, &level) !=
        MPI_SUCCESS) {
      cairn_base_diag_error(diag, "MPI_Init_thread failed");
      return CAIRN_ENV;
    }
    world->own_mpi = 1;
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  } else {
    MPI_Query_thread(&level);
  }
  if (level < MPI_THREAD_FUNNELED) {
    cairn_base_diag_error(diag, "MPI must be initialised with at least "
                                "MPI_THREAD_FUNNELED");
    return CAIRN_ENV;
  }
  return CAIRN_OK;
}

static cairn_status own_communicators(cairn_exec_world *world, MPI_Comm comm) {
  TRY(world, MPI_Comm_rank, comm, &world->rank);
  TRY(world, MPI_Comm_size, comm, &world->size);
  TRY(world, MPI_Comm_dup, comm, &world->control);
  TRY(world, MPI_Comm_set_errhandler, world->control, MPI_ERRORS_RETURN);
  TRY(world, MPI_Comm_dup, comm, &world->user);
  TRY(world, MPI_Comm_set_errhandler, world->user, MPI_ERRORS_RETURN);
  TRY(world, MPI_Comm_split_type, world->control, MPI_COMM_TYPE_SHARED,
      world->rank, MPI_INFO_NULL, &world->node);
  TRY(world, MPI_Comm_set_errhandler, world->node, MPI_ERRORS_RETURN);
  TRY(world, MPI_Comm_rank, world->node, &world->local_rank);
  TRY(world, MPI_Comm_size, world->node, &world->local_size);
  return CAIRN_OK;
}

static void collect_hosts(cairn_exec_world *world) {
  for (int i = 0; i < world->size; i++) {
    const char *name = world->names + (size_t)i * HOST_BYTES;
    size_t j = 0;
    while (j < world->hosts && strcmp(world->host[j], name) != 0)
      j++;
    if (j == world->hosts)
      world->host[world->hosts++] = name;
  }
}

static cairn_status learn_cpus(cairn_exec_world *world) {
  unsigned long mine[CPU_WORDS] = {0};
  if (sched_getaffinity(0, sizeof mine, (cpu_set_t *)(void *)mine) != 0)
    memset(mine, 0, sizeof mine);
  TRY(world, MPI_Allgather, mine, CPU_WORDS, MPI_UNSIGNED_LONG, world->cpus,
      CPU_WORDS, MPI_UNSIGNED_LONG, world->node);
  return CAIRN_OK;
}

static cairn_status learn(cairn_exec_world *world) {
  const size_t size = (size_t)world->size;
  char mine[HOST_BYTES] = "";
  world->local = cairn_base_alloc((size_t)world->local_size, sizeof(int));
  world->cpus = cairn_base_alloc((size_t)world->local_size,
                                 CPU_WORDS * sizeof(unsigned long));
  world->names = cairn_base_zalloc(size, HOST_BYTES);
  world->host = cairn_base_alloc(size, sizeof *world->host);
  const int ready = world->local && world->cpus && world->names && world->host;
  const cairn_status status =
      cairn_exec__comm_worst(world, ready ? CAIRN_OK : CAIRN_NOMEM);
  if (status)
    return status;
  TRY(world, MPI_Allgather, &world->rank, 1, MPI_INT, world->local, 1, MPI_INT,
      world->node);
  gethostname(mine, sizeof mine - 1);
  TRY(world, MPI_Allgather, mine, HOST_BYTES, MPI_BYTE, world->names,
      HOST_BYTES, MPI_BYTE, world->control);
  collect_hosts(world);
  return learn_cpus(world);
}

static void learn_library(cairn_exec_world *world) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length;
  MPI_Get_library_version(text, &length);
  for (char *c = text; *c; c++)
    if (*c == '\t')
      *c = ' ';
  text[strcspn(text, "\r\n")] = '\0';
  snprintf(world->library, sizeof world->library, "%.255s", text);
}

cairn_status cairn_exec_world_open(const void *comm, cairn_base_diag *diag,
                                   cairn_exec_world **world_p) {
  cairn_exec_world *world = cairn_base_zalloc(1, sizeof *world);
  if (world == NULL)
    return CAIRN_NOMEM;
  world->control = world->user = world->node = MPI_COMM_NULL;
  world->window = MPI_WIN_NULL;
  world->alive = -1;
  cairn_status status = start_mpi(world, diag);
  if (status == CAIRN_OK)
    status = own_communicators(world,
                               comm ? *(const MPI_Comm *)comm : MPI_COMM_WORLD);
  if (status == CAIRN_OK)
    status = learn(world);
  if (status) {
    cairn_exec_world_close(world);
    return status;
  }
  learn_library(world);
  if (world->size > 1)
    cairn_base__log_set_rank(world->rank);
  *world_p = world;
  return CAIRN_OK;
}

void cairn_exec_world_close(cairn_exec_world *world) {
  if (world == NULL)
    return;
  if (world->window != MPI_WIN_NULL)
    MPI_Win_free(&world->window);
  if (world->node != MPI_COMM_NULL)
    MPI_Comm_free(&world->node);
  if (world->user != MPI_COMM_NULL)
    MPI_Comm_free(&world->user);
  if (world->control != MPI_COMM_NULL)
    MPI_Comm_free(&world->control);
  if (world->own_mpi)
    MPI_Finalize();
  if (world->alive >= 0)
    close(world->alive);
  if (world->blackbox != NULL)
    munmap(world->blackbox, world->blackbox_size);
  cairn_base_free(world->board_private);
  cairn_base_free(world->board);
  cairn_base_free(world->local);
  cairn_base_free(world->cpus);
  cairn_base_free(world->names);
  cairn_base_free(world->host);
  cairn_base_free(world);
}

void cairn_exec__world_abort(cairn_exec_world *world, int code) {
  MPI_Abort(world->control, code);
  _exit(code);
}

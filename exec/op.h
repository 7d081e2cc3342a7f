/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/op.h, installed as <cairn/op.h> - operations as code: the one header a
 * plugin includes.  C99 and C++.
 *
 * A plugin is a shared object that exports one data symbol, `cairn_plugin`.
 * cairn reads magic, ABI and sizes before it calls anything.  An application
 * that embeds cairn registers the same struct without a shared object.
 *
 * Each rank calls setup once, then run for the ops of many schedules, many
 * times over, then teardown.  CPU ops run on the control thread.  GPU ops are
 * issued in stream order: on backend `cuda` the function is called on the
 * control thread with a cudaStream_t and must only enqueue work there (no
 * synchronisation, no legacy default stream, no allocation); on backend
 * `host` it is called on the emulated stream's worker thread, does the work
 * itself, and may run at the same time as ops of other streams and as the
 * control thread.
 */
#ifndef CAIRN_OP_H
#define CAIRN_OP_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_OP_MAGIC UINT32_C(0x4e524943) /* "CIRN" in memory */
#define CAIRN_OP_ABI_MAJOR 1 /* changes when old plugins cannot run */
#define CAIRN_OP_ABI_MINOR 0 /* changes when members are added at the end */

typedef enum cairn_op_kind { CAIRN_OP_CPU = 0, CAIRN_OP_GPU = 1 } cairn_op_kind;

/* The `gpu_aware` argument of setup: where buffers live and what MPI takes. */
typedef enum cairn_op_gpu {
  CAIRN_OP_NO_GPU = -1,   /* backend host: plain memory, no device */
  CAIRN_OP_MPI_HOST = 0,  /* backend cuda: MPI takes host memory only */
  CAIRN_OP_MPI_DEVICE = 1 /* backend cuda: MPI takes device pointers */
} cairn_op_gpu;

/* What setup returns when a parameter, or a file that one names, is at fault:
 * the command then leaves with code 3 (bad input), else with 4. */
#define CAIRN_OP_BAD_INPUT 3

/* The program's parameters, defaults overridden by -D. */
typedef struct cairn_op_params {
  const char *const *name;
  const char *const *value;
  size_t count;
} cairn_op_params;

/* Value of a parameter, or NULL. */
static inline const char *cairn_op_param(const cairn_op_params *params,
                                         const char *name) {
  for (size_t i = 0; i < params->count; i++)
    if (strcmp(params->name[i], name) == 0)
      return params->value[i];
  return NULL;
}

typedef struct cairn_op_function {
  const char *name;   /* the op's `call` (or name) in the program file */
  cairn_op_kind kind; /* must equal the program's */
  /* Runs the op; arg as in the program file or NULL; stream: see above, NULL
   * for CPU ops and on backend host.  0 on success, else an error number of
   * the plugin's own (it is shown). */
  int (*run)(void *state, const char *arg, void *stream);
} cairn_op_function;

typedef struct cairn_op_plugin {
  uint32_t magic;     /* CAIRN_OP_MAGIC */
  uint16_t abi_major; /* CAIRN_OP_ABI_MAJOR */
  uint16_t abi_minor; /* CAIRN_OP_ABI_MINOR */
  uint32_t size;      /* sizeof (cairn_op_plugin) */
  uint32_t op_size;   /* sizeof (cairn_op_function) */
  const char *name, *version;
  const char *mpi; /* CAIRN_OP_MPI: the MPI library compiled against;
                      NULL when the plugin uses none */
  /* Collective over comm.  comm points to an MPI_Comm that is the plugin's
   * own (a duplicate); gpu_aware is a cairn_op_gpu.  0 and *state_p on
   * success; else non-zero (see CAIRN_OP_BAD_INPUT), with a reason in message
   * (size bytes). */
  int (*setup)(const cairn_op_params *params, const void *comm, int gpu_aware,
               void **state_p, char *message, size_t size);
  void (*teardown)(void *state); /* collective; nothing is in flight */
  const cairn_op_function *ops;
  size_t ops_count;
  /* Optional (both or neither).  Collective.  poison overwrites all outputs
   * before an execution; verify returns 0 when the outputs on this rank are
   * right, else non-zero with a reason in message (size bytes). */
  void (*poison)(void *state);
  int (*verify)(void *state, char *message, size_t size);
} cairn_op_plugin;

/* "mpich" or "openmpi", from the mpi.h included before this header. */
#if defined OPEN_MPI
#define CAIRN_OP_MPI "openmpi"
#elif defined MPICH_VERSION || defined MPI_VERSION
#define CAIRN_OP_MPI "mpich"
#else
#define CAIRN_OP_MPI NULL
#endif

/* The first members, always the same. */
#define CAIRN_OP_PLUGIN_HEAD                                                   \
  CAIRN_OP_MAGIC, CAIRN_OP_ABI_MAJOR, CAIRN_OP_ABI_MINOR,                      \
      (uint32_t)sizeof(cairn_op_plugin), (uint32_t)sizeof(cairn_op_function)

/* Before the definition of cairn_plugin.  In C++ a const at namespace scope is
 * local to its file, and cairn would not find it: hence extern "C". */
#if defined __GNUC__
#define CAIRN_OP_VISIBLE __attribute__((visibility("default")))
#else
#define CAIRN_OP_VISIBLE
#endif
#ifdef __cplusplus
#define CAIRN_OP_EXPORT extern "C" CAIRN_OP_VISIBLE
#else
#define CAIRN_OP_EXPORT CAIRN_OP_VISIBLE
#endif

#ifdef __cplusplus
}
#endif
#endif

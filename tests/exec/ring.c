/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/ring.c - see ring.h.  Built into the tests and, alone, as the
 * plugin ring.so.
 *
 *    fill ── PostSend ──┐
 *    PostRecv ──────────┴─ Wait ──┐
 *    other ───────────────────────┴─ add
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cairn/op.h>

#define COUNT 4096 /* 32 KiB: more than MPI sends eagerly */

typedef struct ring {
  MPI_Comm comm;
  int rank, size;
  MPI_Request request[2];
  int delay_us;
  double out[COUNT], in[COUNT], other[COUNT], sum[COUNT];
} ring;

static int setup(const cairn_op_params *params, const void *comm, int gpu_aware,
                 void **state_p, char *message, size_t size) {
  const char *delay = cairn_op_param(params, "delay");
  const char *fail = cairn_op_param(params, "fail");
  ring *r = calloc(1, sizeof *r);
  (void)gpu_aware;
  if (r == NULL)
    return 1;
  r->comm = *(const MPI_Comm *)comm;
  MPI_Comm_rank(r->comm, &r->rank);
  MPI_Comm_size(r->comm, &r->size);
  r->delay_us = delay ? atoi(delay) : 0;
  if (fail && atoi(fail) == r->rank) {
    snprintf(message, size, "told to fail on rank %d", r->rank);
    free(r);
    return 7;
  }
  *state_p = r;
  return 0;
}

static void teardown(void *state) { free(state); }

static void linger(const ring *r) {
  if (r->delay_us > 0)
    usleep((useconds_t)r->delay_us);
}

static int fill(void *state, const char *arg, void *stream) {
  ring *r = state;
  (void)arg, (void)stream;
  linger(r);
  for (int i = 0; i < COUNT; i++)
    r->out[i] = 1000.0 * r->rank + i;
  return 0;
}

static int other(void *state, const char *arg, void *stream) {
  ring *r = state;
  (void)arg, (void)stream;
  linger(r);
  for (int i = 0; i < COUNT; i++)
    r->other[i] = 2.0 * i;
  return 0;
}

static int post_recv(void *state, const char *arg, void *stream) {
  ring *r = state;
  (void)arg, (void)stream;
  return MPI_Irecv(r->in, COUNT, MPI_DOUBLE, (r->rank + r->size - 1) % r->size,
                   0, r->comm, &r->request[0]);
}

static int post_send(void *state, const char *arg, void *stream) {
  ring *r = state;
  (void)arg, (void)stream;
  return MPI_Isend(r->out, COUNT, MPI_DOUBLE, (r->rank + 1) % r->size, 0,
                   r->comm, &r->request[1]);
}

static int wait_all(void *state, const char *arg, void *stream) {
  ring *r = state;
  MPI_Status ended[2];
  (void)arg, (void)stream;
  return MPI_Waitall(2, r->request, ended);
}

static int add(void *state, const char *arg, void *stream) {
  ring *r = state;
  (void)arg, (void)stream;
  for (int i = 0; i < COUNT; i++)
    r->sum[i] = r->in[i] + r->other[i];
  return 0;
}

static void poison(void *state) {
  ring *r = state;
  for (int i = 0; i < COUNT; i++)
    r->out[i] = r->in[i] = r->other[i] = r->sum[i] = -1.0;
}

static int verify(void *state, char *message, size_t size) {
  const ring *r = state;
  const int from = (r->rank + r->size - 1) % r->size;
  for (int i = 0; i < COUNT; i++)
    if (r->sum[i] != 1000.0 * from + 3.0 * i) {
      snprintf(message, size, "sum[%d] is %g, expected %g", i, r->sum[i],
               1000.0 * from + 3.0 * i);
      return 1;
    }
  return 0;
}

static const cairn_op_function ops[] = {{"fill", CAIRN_OP_GPU, fill},
                                        {"other", CAIRN_OP_GPU, other},
                                        {"PostRecv", CAIRN_OP_CPU, post_recv},
                                        {"PostSend", CAIRN_OP_CPU, post_send},
                                        {"Wait", CAIRN_OP_CPU, wait_all},
                                        {"add", CAIRN_OP_GPU, add}};

extern const cairn_op_plugin cairn_plugin;
CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {
    CAIRN_OP_PLUGIN_HEAD,     "ring", "1",   CAIRN_OP_MPI, setup, teardown, ops,
    sizeof ops / sizeof *ops, poison, verify};

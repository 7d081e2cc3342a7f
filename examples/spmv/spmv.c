/* SPDX-License-Identifier: BSD-3-Clause
 *
 * spmv.c - y = A x over MPI ranks, as operations for cairn.
 *
 * Pack gathers the entries of x that other ranks need, PostSend and PostRecv
 * start the messages, WaitSend and WaitRecv complete them, yl = A_L x,
 * yr = A_R x_received, y = yl + yr; to_host and to_device copy the exchange
 * buffers where a program wants that done by hand.  Every execution writes
 * yl, yr, y and the buffers anew; the requests are persistent.  verify
 * compares y with a serial product made at the start from the unsplit rows.
 */
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <cairn/op.h>

#include "device.h"
#include "exchange.h"
#include "matrix-market.h"

typedef struct spmv {
  spmv_matrix matrix;
  spmv_parts parts;
  spmv_exchange exchange;
  spmv_device *device; /* NULL on backend host */
  int staged;
  unsigned delay_us, random; /* see the parameter "delay" */
  int64_t hang_at, fault_at; /* on GPUs, see device.h; of the last rank */
  float *x, *send, *recv, *yl, *yr, *y;
  float *send_staged, *recv_staged; /* what MPI sees, when staged */
  double *expected, *error;
} spmv;

/* --- operations ------------------------------------------------------- */

/* A pause before the work of a GPU op, when asked for: brings races out.  The
 * length differs from call to call; the counter is shared by the streams'
 * threads. */
static void delay(spmv *s) {
  if (s->delay_us == 0)
    return;
  unsigned random =
      __atomic_add_fetch(&s->random, 0x9e3779b9u, __ATOMIC_RELAXED);
  random = (random ^ (random >> 15)) * 0x2c1b3c6du;
  struct timespec pause = {0, (long)((random >> 8) % (s->delay_us + 1)) * 1000};
  nanosleep(&pause, NULL);
}

static void multiply(const spmv_csr *a, const float *x, float *y) {
  for (int32_t i = 0; i < a->rows; i++) {
    float sum = 0;
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++)
      sum += a->value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

static int pack(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_pack(s->device, stream);
  delay(s);
  for (int32_t i = 0; i < s->exchange.send_total; i++)
    s->send[i] = s->x[s->exchange.send_index[i]];
  return 0;
}

static int left(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_left(s->device, stream);
  delay(s);
  multiply(&s->parts.left, s->x, s->yl);
  return 0;
}

static int right(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_right(s->device, stream);
  delay(s);
  multiply(&s->parts.right, s->recv, s->yr);
  return 0;
}

static int add(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_add(s->device, stream);
  delay(s);
  for (int32_t i = 0; i < s->matrix.csr.rows; i++)
    s->y[i] = s->yl[i] + s->yr[i];
  return 0;
}

static int to_host(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_to_host(s->device, stream);
  memcpy(s->send_staged, s->send,
         (size_t)s->exchange.send_total * sizeof(float));
  return 0;
}

static int to_device(void *state, const char *arg, void *stream) {
  spmv *s = state;
  (void)arg;
  if (s->device != NULL)
    return spmv_device_to_device(s->device, stream);
  memcpy(s->recv, s->recv_staged,
         (size_t)s->exchange.recv_total * sizeof(float));
  return 0;
}

static int post_recv(void *state, const char *arg, void *stream) {
  spmv_exchange *x = &((spmv *)state)->exchange;
  (void)arg, (void)stream;
  return MPI_Startall(x->recvs_count, x->recvs);
}

static int post_send(void *state, const char *arg, void *stream) {
  spmv_exchange *x = &((spmv *)state)->exchange;
  (void)arg, (void)stream;
  return MPI_Startall(x->sends_count, x->sends);
}

static int wait_recv(void *state, const char *arg, void *stream) {
  spmv_exchange *x = &((spmv *)state)->exchange;
  (void)arg, (void)stream;
  return MPI_Waitall(x->recvs_count, x->recvs, x->statuses);
}

static int wait_send(void *state, const char *arg, void *stream) {
  spmv_exchange *x = &((spmv *)state)->exchange;
  (void)arg, (void)stream;
  return MPI_Waitall(x->sends_count, x->sends, x->statuses);
}

/* --- setup ------------------------------------------------------------ */

/* A whole number among the parameters; 0, or CAIRN_OP_BAD_INPUT with a
 * message. */
static int number(const cairn_op_params *params, const char *name, int64_t low,
                  int64_t high, int64_t *value_p, char *message, size_t size) {
  const char *text = cairn_op_param(params, name);
  char *end;
  if (text == NULL) /* not declared by this program: the lowest will do */
    return *value_p = low, 0;
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (text[0] < '0' || text[0] > '9' || *end != 0 || errno != 0 ||
      value < low || value > high) {
    snprintf(
        message, size,
        "parameter %s is \"%s\": expected a whole number from %lld to %lld",
        name, text, (long long)low, (long long)high);
    return CAIRN_OP_BAD_INPUT;
  }
  *value_p = value;
  return 0;
}

static int make_matrix(const cairn_op_params *params, int rank, int ranks,
                       spmv_matrix *matrix_p, char *message, size_t size) {
  const char *path = cairn_op_param(params, "matrix");
  if (path != NULL && path[0] != 0)
    return spmv_market_read(path, rank, ranks, matrix_p, message, size)
               ? CAIRN_OP_BAD_INPUT
               : 0;
  int64_t rows, band, nonzeros, seed;
  if (number(params, "rows", 1, SPMV_MAX_ROWS, &rows, message, size) ||
      number(params, "band", 0, SPMV_MAX_ROWS, &band, message, size) ||
      number(params, "nonzeros", 1, SPMV_MAX_NONZEROS, &nonzeros, message,
             size) ||
      number(params, "seed", 0, INT64_MAX, &seed, message, size))
    return CAIRN_OP_BAD_INPUT;
  if (band == 0)
    band = rows / ranks > 0 ? rows / ranks : 1;
  spmv_band spec = {rows, band, (int)nonzeros, (uint64_t)seed};
  return spmv_matrix_band(&spec, rank, ranks, matrix_p, message, size);
}

static float *floats(int32_t count) { /* never 0 bytes */
  return calloc((size_t)count + 1, sizeof(float));
}

static int make_arrays(spmv *s) {
  int32_t rows = s->matrix.csr.rows, sent = s->exchange.send_total,
          received = s->exchange.recv_total;
  s->x = floats(rows);
  s->yl = floats(rows);
  s->yr = floats(rows);
  s->y = floats(rows);
  s->send = floats(sent);
  s->recv = floats(received);
  s->send_staged = floats(sent);
  s->recv_staged = floats(received);
  if (s->x == NULL || s->yl == NULL || s->yr == NULL || s->y == NULL ||
      s->send == NULL || s->recv == NULL || s->send_staged == NULL ||
      s->recv_staged == NULL)
    return 1;
  for (int32_t i = 0; i < rows; i++)
    s->x[i] = spmv_x(s->matrix.first + i);
  return 0;
}

static int make_device(spmv *s, int gpu_aware, char *message, size_t size) {
  spmv_host_arrays host = {
      .left = &s->parts.left,
      .right = &s->parts.right,
      .x = s->x,
      .send_index = s->exchange.send_index,
      .rows = s->matrix.csr.rows,
      .send_total = s->exchange.send_total,
      .recv_total = s->exchange.recv_total,
      .delay_us = s->delay_us,
      .hang_at = (uint64_t)s->hang_at,
      .fault_at = (uint64_t)s->fault_at,
  };
  return spmv_device_create(&host,
                            s->staged ? SPMV_STAGED_BUFFERS
                            : gpu_aware == CAIRN_OP_MPI_DEVICE
                                ? SPMV_DEVICE_BUFFERS
                                : SPMV_MAPPED_BUFFERS,
                            &s->device, message, size);
}

static int local_setup(spmv *s, const cairn_op_params *params, int rank,
                       int ranks, char *message, size_t size) {
  int64_t staged, delay_us;
  if (number(params, "staged", 0, 1, &staged, message, size) != 0 ||
      number(params, "delay", 0, 100000, &delay_us, message, size) != 0 ||
      number(params, "hang_at", 0, INT64_MAX, &s->hang_at, message, size) !=
          0 ||
      number(params, "fault_at", 0, INT64_MAX, &s->fault_at, message, size) !=
          0)
    return CAIRN_OP_BAD_INPUT;
  const int code = make_matrix(params, rank, ranks, &s->matrix, message, size);
  if (code != 0)
    return code;
  s->staged = (int)staged;
  s->delay_us = (unsigned)delay_us;
  if (rank != ranks - 1)
    s->hang_at = s->fault_at = 0;
  if (spmv_product(&s->matrix, &s->expected, &s->error) == 0 &&
      spmv_split(&s->matrix, &s->parts) == 0)
    return 0;
  snprintf(message, size, "no memory for the matrix");
  return 1;
}

/* One rank's failure is everyone's, with its reason: later steps are
 * collective. */
static int any_failed(MPI_Comm comm, int failed, char *message, size_t size) {
  struct {
    int code, rank;
  } mine = {failed, 0}, worst = {1, 0};
  if (MPI_Comm_rank(comm, &mine.rank) != MPI_SUCCESS ||
      MPI_Allreduce(&mine, &worst, 1, MPI_2INT, MPI_MAXLOC, comm) !=
          MPI_SUCCESS ||
      (worst.code && MPI_Bcast(message, (int)size, MPI_CHAR, worst.rank,
                               comm) != MPI_SUCCESS))
    snprintf(message, size, "the set-up failed on another rank");
  return worst.code;
}

static void bind_buffers(const spmv *s, float **send_p, float **recv_p) {
  *send_p = s->staged ? s->send_staged : s->send;
  *recv_p = s->staged ? s->recv_staged : s->recv;
  if (s->device != NULL)
    spmv_device_mpi(s->device, send_p, recv_p);
}

static void teardown(void *state) {
  spmv *s = state;
  spmv_exchange_free(&s->exchange);
  spmv_device_free(s->device);
  spmv_parts_free(&s->parts);
  spmv_matrix_free(&s->matrix);
  float *arrays[] = {s->x,  s->send, s->recv,        s->yl,
                     s->yr, s->y,    s->send_staged, s->recv_staged};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  free(s->expected);
  free(s->error);
  free(s);
}

static int connect_ranks(spmv *s, MPI_Comm comm, int gpu_aware, char *message,
                         size_t size) {
  float *send, *recv;
  int error = spmv_exchange_create(comm, &s->matrix, s->parts.remote,
                                   s->parts.remote_count, &s->exchange);
  if (error != MPI_SUCCESS) {
    snprintf(message, size, "the exchange of index lists failed (MPI error %d)",
             error);
    return 1;
  }
  int failed = make_arrays(s);
  if (failed)
    snprintf(message, size, "no memory for the vectors");
  else if (gpu_aware != CAIRN_OP_NO_GPU)
    failed = make_device(s, gpu_aware, message, size);
  if (any_failed(comm, failed, message, size))
    return 1;
  bind_buffers(s, &send, &recv);
  error = spmv_exchange_bind(&s->exchange, send, recv);
  if (error != MPI_SUCCESS)
    snprintf(message, size, "making the requests failed (MPI error %d)", error);
  return error != MPI_SUCCESS;
}

static int setup(const cairn_op_params *params, const void *comm_p,
                 int gpu_aware, void **state_p, char *message, size_t size) {
  MPI_Comm comm = *(const MPI_Comm *)comm_p;
  int rank = 0, ranks = 1;
  spmv *s = calloc(1, sizeof *s);
  int failed = 1;
  if (s == NULL)
    snprintf(message, size, "no memory");
  else if (MPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
           MPI_Comm_size(comm, &ranks) != MPI_SUCCESS)
    snprintf(message, size, "the communicator is not usable");
  else
    failed = local_setup(s, params, rank, ranks, message, size);
  failed = any_failed(comm, failed, message, size);
  if (failed == 0)
    failed = connect_ranks(s, comm, gpu_aware, message, size);
  if (failed != 0) {
    if (s != NULL)
      teardown(s);
    return failed;
  }
  *state_p = s;
  return 0;
}

/* --- checking --------------------------------------------------------- */

static void spoil(float *array, int32_t count) {
  for (int32_t i = 0; i < count; i++)
    array[i] = NAN;
}

static void poison(void *state) {
  spmv *s = state;
  spoil(s->send, s->exchange.send_total);
  spoil(s->recv, s->exchange.recv_total);
  spoil(s->send_staged, s->exchange.send_total);
  spoil(s->recv_staged, s->exchange.recv_total);
  spoil(s->yl, s->matrix.csr.rows);
  spoil(s->yr, s->matrix.csr.rows);
  spoil(s->y, s->matrix.csr.rows);
  if (s->device != NULL)
    spmv_device_poison(s->device);
}

static int verify(void *state, char *message, size_t size) {
  spmv *s = state;
  int32_t wrong = 0, first = 0;
  if (s->device != NULL) {
    int error = spmv_device_fetch(s->device, s->y);
    if (error != 0) {
      snprintf(message, size, "copying y: %s", spmv_device_error(error));
      return 1;
    }
  }
  for (int32_t i = 0; i < s->matrix.csr.rows; i++) {
    if (fabs((double)s->y[i] - s->expected[i]) <= s->error[i])
      continue; /* a NaN does not come here */
    if (wrong++ == 0)
      first = i;
  }
  if (wrong > 0)
    snprintf(message, size,
             "%d of %d rows are wrong; the first, row %lld, is %g, not %g",
             (int)wrong, (int)s->matrix.csr.rows,
             (long long)(s->matrix.first + first), (double)s->y[first],
             s->expected[first]);
  return wrong > 0;
}

static const cairn_op_function ops[] = {
    {"Pack", CAIRN_OP_GPU, pack},
    {"yl", CAIRN_OP_GPU, left},
    {"yr", CAIRN_OP_GPU, right},
    {"y", CAIRN_OP_GPU, add},
    {"to_host", CAIRN_OP_GPU, to_host},
    {"to_device", CAIRN_OP_GPU, to_device},
    {"PostRecv", CAIRN_OP_CPU, post_recv},
    {"PostSend", CAIRN_OP_CPU, post_send},
    {"WaitRecv", CAIRN_OP_CPU, wait_recv},
    {"WaitSend", CAIRN_OP_CPU, wait_send},
};

CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {
    CAIRN_OP_PLUGIN_HEAD, .name = "spmv",
    .version = "1",       .mpi = CAIRN_OP_MPI,
    .setup = setup,       .teardown = teardown,
    .ops = ops,           .ops_count = sizeof ops / sizeof *ops,
    .poison = poison,     .verify = verify,
};

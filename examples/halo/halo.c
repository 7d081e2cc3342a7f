/* SPDX-License-Identifier: BSD-3-Clause
 *
 * halo.c - exchange of a 3-D block's halo with 26 neighbours and a stencil, as
 * operations for cairn.
 *
 * Each operation takes its direction from its `arg`: Pack copies what goes
 * there into a buffer, Send and Recv start the persistent requests, Wait
 * completes the receive, Unpack copies it into the halo; WaitSends completes
 * all sends.  Interior updates the cells that need no halo, Boundary the
 * others.  The block itself never changes, so every execution starts from the
 * same state.  A message is tagged with the direction it travels in: with few
 * ranks one rank can be the neighbour on several sides, or its own.
 */
#include <errno.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <cairn/op.h>

#include "device.h"

enum { MIDDLE = 13 };

typedef struct halo {
  halo_grid grid;
  halo_boxes interior, boundary;
  size_t offset[HALO_DIRECTIONS + 1]; /* of messages, in floats */
  float *block;                       /* padded */
  float *expected_block, *poisoned_block;
  float *result, *expected;
  float *send, *recv;
  halo_device *device; /* NULL on backend host */
  MPI_Request sends[HALO_DIRECTIONS], recvs[HALO_DIRECTIONS];
  MPI_Status statuses[HALO_DIRECTIONS];
} halo;

/* --- operations ------------------------------------------------------- */

static int pack(void *state, const char *arg, void *stream) {
  halo *h = state;
  int d = halo_parse(arg);
  if (h->device != NULL)
    return halo_device_pack(h->device, d, stream);
  halo_box box = halo_send_box(&h->grid, d);
  halo_pack(&h->grid, &box, h->block, h->send + h->offset[d]);
  return 0;
}

static int unpack(void *state, const char *arg, void *stream) {
  halo *h = state;
  int d = halo_parse(arg);
  if (h->device != NULL)
    return halo_device_unpack(h->device, d, stream);
  halo_box box = halo_ghost_box(&h->grid, d);
  halo_unpack(&h->grid, &box, h->recv + h->offset[d], h->block);
  return 0;
}

static int interior(void *state, const char *arg, void *stream) {
  halo *h = state;
  (void)arg;
  if (h->device != NULL)
    return halo_device_interior(h->device, stream);
  halo_stencil(&h->grid, &h->interior, h->block, h->result);
  return 0;
}

static int boundary(void *state, const char *arg, void *stream) {
  halo *h = state;
  (void)arg;
  if (h->device != NULL)
    return halo_device_boundary(h->device, stream);
  halo_stencil(&h->grid, &h->boundary, h->block, h->result);
  return 0;
}

static int start_send(void *state, const char *arg, void *stream) {
  (void)stream;
  return MPI_Start(((halo *)state)->sends + halo_parse(arg));
}

static int start_recv(void *state, const char *arg, void *stream) {
  (void)stream;
  return MPI_Start(((halo *)state)->recvs + halo_parse(arg));
}

static int wait_recv(void *state, const char *arg, void *stream) {
  (void)stream;
  return MPI_Wait(((halo *)state)->recvs + halo_parse(arg), MPI_STATUS_IGNORE);
}

static int wait_sends(void *state, const char *arg, void *stream) {
  halo *h = state;
  (void)arg, (void)stream; /* the middle one is MPI_REQUEST_NULL: ignored */
  return MPI_Waitall(HALO_DIRECTIONS, h->sends, h->statuses);
}

/* --- setup ------------------------------------------------------------ */

static int number(const cairn_op_params *params, const char *name, long low,
                  long high, int *value_p, char *message, size_t size) {
  const char *text = cairn_op_param(params, name);
  char *end = NULL;
  errno = 0;
  long value = text == NULL ? low : strtol(text, &end, 10);
  if (text != NULL && (text[0] < '0' || text[0] > '9' || *end != 0 ||
                       errno != 0 || value < low || value > high)) {
    snprintf(message, size,
             "parameter %s is \"%s\": expected a whole number from %ld to %ld",
             name, text, low, high);
    return CAIRN_OP_BAD_INPUT;
  }
  *value_p = (int)value;
  return 0;
}

/* "2x2x1", or empty: as MPI likes it. */
static int rank_grid(const cairn_op_params *params, int ranks, int dims[3],
                     char *message, size_t size) {
  const char *text = cairn_op_param(params, "grid");
  char rest;
  dims[0] = dims[1] = dims[2] = 0;
  if (text == NULL || *text == 0)
    return MPI_Dims_create(ranks, 3, dims) != MPI_SUCCESS;
  if (text[strspn(text, "0123456789x")] == 0 &&
      sscanf(text, "%4dx%4dx%4d%c", dims, dims + 1, dims + 2, &rest) == 3 &&
      dims[0] > 0 && dims[1] > 0 && dims[2] > 0 &&
      (long long)dims[0] * dims[1] * dims[2] == ranks)
    return 0;
  snprintf(message, size,
           "parameter grid is \"%s\": expected three numbers, such as %dx1x1, "
           "whose product is the number of ranks, %d",
           text, ranks, ranks);
  return CAIRN_OP_BAD_INPUT;
}

static int make_grid(halo *h, const cairn_op_params *params, int rank,
                     int ranks, char *message, size_t size) {
  halo_grid *g = &h->grid;
  if (number(params, "nx", 1, 2048, g->n, message, size) ||
      number(params, "ny", 1, 2048, g->n + 1, message, size) ||
      number(params, "nz", 1, 2048, g->n + 2, message, size) ||
      number(params, "quantities", 1, 64, &g->quantities, message, size) ||
      number(params, "width", 1, 64, &g->width, message, size))
    return CAIRN_OP_BAD_INPUT;
  const int code = rank_grid(params, ranks, g->ranks, message, size);
  if (code != 0)
    return code;
  for (int i = 0; i < 3; i++)
    if (g->width > g->n[i]) {
      snprintf(message, size,
               "a halo %d wide needs blocks of that size at "
               "least: %dx%dx%d is too small",
               g->width, g->n[0], g->n[1], g->n[2]);
      return CAIRN_OP_BAD_INPUT;
    }
  g->coord[0] = rank % g->ranks[0];
  g->coord[1] = rank / g->ranks[0] % g->ranks[1];
  g->coord[2] = rank / g->ranks[0] / g->ranks[1];
  h->interior = halo_interior(g);
  h->boundary = halo_boundary(g);
  for (int d = 0; d < HALO_DIRECTIONS; d++) {
    halo_box box = halo_send_box(g, d);
    size_t floats =
        d == MIDDLE ? 0 : (size_t)halo_cells(&box) * (size_t)g->quantities;
    h->offset[d + 1] = h->offset[d] + floats;
    if (floats > INT32_MAX || halo_padded(g) > INT32_MAX) {
      snprintf(message, size, "the block is too large for one rank");
      return CAIRN_OP_BAD_INPUT;
    }
  }
  return 0;
}

static void spoil(float *array, size_t count) {
  for (size_t i = 0; i < count; i++)
    array[i] = NAN;
}

static void spoil_halo(const halo *h, float *block, const float *nan) {
  for (int d = 0; d < HALO_DIRECTIONS; d++)
    if (d != MIDDLE) {
      halo_box box = halo_ghost_box(&h->grid, d);
      halo_unpack(&h->grid, &box, nan, block);
    }
}

static int make_arrays(halo *h, char *message, size_t size) {
  size_t padded = halo_padded(&h->grid), inside = halo_inside(&h->grid);
  size_t messages = h->offset[HALO_DIRECTIONS];
  h->block = calloc(padded, sizeof(float));
  h->expected_block = calloc(padded, sizeof(float));
  h->poisoned_block = calloc(padded, sizeof(float));
  h->result = calloc(inside, sizeof(float));
  h->expected = calloc(inside, sizeof(float));
  h->send = calloc(messages, sizeof(float));
  h->recv = calloc(messages, sizeof(float));
  if (h->block == NULL || h->expected_block == NULL ||
      h->poisoned_block == NULL || h->result == NULL || h->expected == NULL ||
      h->send == NULL || h->recv == NULL) {
    snprintf(message, size, "no memory for the block");
    return 1;
  }
  halo_fill(&h->grid, h->expected_block);
  halo_expect(&h->grid, h->expected_block, h->expected);
  memcpy(h->poisoned_block, h->expected_block, padded * sizeof(float));
  spoil(h->recv, messages);
  spoil_halo(h, h->poisoned_block, h->recv);
  memcpy(h->block, h->poisoned_block, padded * sizeof(float));
  return 0;
}

static int neighbour(const halo_grid *grid, int direction) {
  static const int step[3] = {1, 3, 9};
  int place[3];
  for (int i = 0; i < 3; i++) {
    int d = direction / step[i] % 3 - 1;
    place[i] = (grid->coord[i] + d + grid->ranks[i]) % grid->ranks[i];
  }
  return (place[2] * grid->ranks[1] + place[1]) * grid->ranks[0] + place[0];
}

static float *buffer(const halo *h, int direction, int sent) {
  if (h->device != NULL)
    return halo_device_mpi(h->device, direction, sent);
  return (sent ? h->send : h->recv) + h->offset[direction];
}

static int make_requests(halo *h, MPI_Comm comm) {
  int error = MPI_SUCCESS;
  for (int d = 0; d < HALO_DIRECTIONS && error == MPI_SUCCESS; d++) {
    if (d == MIDDLE)
      continue;
    int peer = neighbour(&h->grid, d);
    int count = (int)(h->offset[d + 1] - h->offset[d]);
    error = MPI_Recv_init(buffer(h, d, 0), count, MPI_FLOAT, peer,
                          halo_opposite(d), comm, h->recvs + d);
    if (error == MPI_SUCCESS)
      error = MPI_Send_init(buffer(h, d, 1), count, MPI_FLOAT, peer, d, comm,
                            h->sends + d);
  }
  return error;
}

static void teardown(void *state) {
  halo *h = state;
  for (int d = 0; d < HALO_DIRECTIONS; d++) {
    if (h->sends[d] != MPI_REQUEST_NULL)
      MPI_Request_free(h->sends + d);
    if (h->recvs[d] != MPI_REQUEST_NULL)
      MPI_Request_free(h->recvs + d);
  }
  halo_device_free(h->device);
  float *arrays[] = {h->block,  h->expected_block, h->poisoned_block,
                     h->result, h->expected,       h->send,
                     h->recv};
  for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
    free(arrays[i]);
  free(h);
}

static int prepare(halo *h, const cairn_op_params *params, MPI_Comm comm,
                   int gpu_aware, char *message, size_t size) {
  int rank, ranks;
  if (MPI_Comm_rank(comm, &rank) != MPI_SUCCESS ||
      MPI_Comm_size(comm, &ranks) != MPI_SUCCESS)
    return 1;
  int error = make_grid(h, params, rank, ranks, message, size);
  if (error != 0 || make_arrays(h, message, size) != 0)
    return error != 0 ? error : 1;
  if (gpu_aware != CAIRN_OP_NO_GPU &&
      halo_device_create(&h->grid, h->poisoned_block, h->offset,
                         gpu_aware != CAIRN_OP_MPI_DEVICE, &h->device, message,
                         size) != 0)
    return 1;
  error = make_requests(h, comm);
  if (error != MPI_SUCCESS)
    snprintf(message, size, "making the requests failed (MPI error %d)", error);
  return error != MPI_SUCCESS;
}

/* Nothing in here is collective, so a rank can fail by itself. */
static int setup(const cairn_op_params *params, const void *comm_p,
                 int gpu_aware, void **state_p, char *message, size_t size) {
  halo *h = calloc(1, sizeof *h);
  if (h == NULL) {
    snprintf(message, size, "no memory");
    return 1;
  }
  for (int d = 0; d < HALO_DIRECTIONS; d++)
    h->sends[d] = h->recvs[d] = MPI_REQUEST_NULL;
  const int code =
      prepare(h, params, *(const MPI_Comm *)comm_p, gpu_aware, message, size);
  if (code != 0) {
    teardown(h);
    return code;
  }
  *state_p = h;
  return 0;
}

/* --- checking --------------------------------------------------------- */

static void poison(void *state) {
  halo *h = state;
  memcpy(h->block, h->poisoned_block, halo_padded(&h->grid) * sizeof(float));
  spoil(h->result, halo_inside(&h->grid));
  spoil(h->send, h->offset[HALO_DIRECTIONS]);
  spoil(h->recv, h->offset[HALO_DIRECTIONS]);
  if (h->device != NULL)
    halo_device_poison(h->device, h->poisoned_block);
}

static size_t differing(const float *a, const float *b, size_t count,
                        size_t *first_p) {
  size_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    if (!(a[i] == b[i]) && wrong++ == 0)
      *first_p = i;
  return wrong;
}

static int verify(void *state, char *message, size_t size) {
  halo *h = state;
  size_t first = 0, wrong;
  if (h->device != NULL) {
    int error = halo_device_fetch(h->device, h->block, h->result);
    if (error != 0) {
      snprintf(message, size, "copying the block: %s",
               halo_device_error(error));
      return 1;
    }
  }
  wrong = differing(h->block, h->expected_block, halo_padded(&h->grid), &first);
  if (wrong > 0) {
    snprintf(message, size,
             "%zu cells of the halo are wrong; the first, number %zu of the "
             "padded block, is %g, not %g",
             wrong, first, (double)h->block[first],
             (double)h->expected_block[first]);
    return 1;
  }
  wrong = differing(h->result, h->expected, halo_inside(&h->grid), &first);
  if (wrong > 0)
    snprintf(message, size,
             "%zu cells are wrong; the first, number %zu of the block, is %g, "
             "not %g",
             wrong, first, (double)h->result[first],
             (double)h->expected[first]);
  return wrong > 0;
}

static const cairn_op_function ops[] = {
    {"pack", CAIRN_OP_GPU, pack},
    {"unpack", CAIRN_OP_GPU, unpack},
    {"Interior", CAIRN_OP_GPU, interior},
    {"Boundary", CAIRN_OP_GPU, boundary},
    {"send", CAIRN_OP_CPU, start_send},
    {"recv", CAIRN_OP_CPU, start_recv},
    {"wait", CAIRN_OP_CPU, wait_recv},
    {"WaitSends", CAIRN_OP_CPU, wait_sends},
};

CAIRN_OP_EXPORT const cairn_op_plugin cairn_plugin = {
    CAIRN_OP_PLUGIN_HEAD, .name = "halo",
    .version = "1",       .mpi = CAIRN_OP_MPI,
    .setup = setup,       .teardown = teardown,
    .ops = ops,           .ops_count = sizeof ops / sizeof *ops,
    .poison = poison,     .verify = verify,
};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * examples/by-hand/by-hand.c - a sparse matrix-vector product with its order
 * written by hand, as programs are that know nothing of cairn.
 *
 * Ranks form a ring; each sends the ends of its part of x to its neighbours,
 * adds up what is its own meanwhile, and then what it received.
 *
 * Usage: by-hand [--race] [--device-sync] [--late-receive] [ROWS [ROUNDS]]
 * (10000 rows a rank, 5 rounds; anything else ends with code 3).
 * The options plant a mistake each: no wait between the two streams before the
 * last kernel; a wait for the whole device where one event would do; receives
 * posted after the wait for the sends, which hangs with long messages.
 */
#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels.h"

#define WIDTH 8

#define CUDA(call)                                                             \
  do {                                                                         \
    if ((call) != cudaSuccess) {                                               \
      fprintf(stderr, "%s failed\n", #call);                                   \
      MPI_Abort(MPI_COMM_WORLD, 1);                                            \
    }                                                                          \
  } while (0)

typedef struct work {
  int race, device_sync, late_receive;
  int rows, rank, left, right;
  double *x, *local, *remote, *y; /* on the device */
  double *ends, *near;            /* pinned: the device writes them, MPI too */
  cudaStream_t stream[2];
  cudaEvent_t packed, received;
  MPI_Request receive[2], send[2];
  MPI_Status status[2];
} work;

static void post_receives(work *w) {
  MPI_Irecv(w->near, WIDTH, MPI_DOUBLE, w->left, 1, MPI_COMM_WORLD,
            &w->receive[0]);
  MPI_Irecv(w->near + WIDTH, WIDTH, MPI_DOUBLE, w->right, 0, MPI_COMM_WORLD,
            &w->receive[1]);
}

static void multiply(work *w) {
  launch_pack(w->ends, w->x, w->rows, WIDTH, w->stream[1]);
  launch_local(w->local, w->x, w->rows, WIDTH, w->stream[0]);
  if (!w->late_receive)
    post_receives(w);
  if (w->device_sync) {
    CUDA(cudaDeviceSynchronize());
  } else {
    CUDA(cudaEventRecord(w->packed, w->stream[1]));
    CUDA(cudaEventSynchronize(w->packed));
  }
  MPI_Isend(w->ends, WIDTH, MPI_DOUBLE, w->left, 0, MPI_COMM_WORLD,
            &w->send[0]);
  MPI_Isend(w->ends + WIDTH, WIDTH, MPI_DOUBLE, w->right, 1, MPI_COMM_WORLD,
            &w->send[1]);
  if (w->late_receive) {
    MPI_Waitall(2, w->send, w->status);
    post_receives(w);
  }
  MPI_Waitall(2, w->receive, w->status);
  launch_remote(w->remote, w->near, w->rows, WIDTH, w->stream[1]);
  if (!w->race) {
    CUDA(cudaEventRecord(w->received, w->stream[1]));
    CUDA(cudaStreamWaitEvent(w->stream[0], w->received, 0));
  }
  launch_add(w->y, w->local, w->remote, w->rows, w->stream[0]);
  if (!w->late_receive)
    MPI_Waitall(2, w->send, w->status);
  CUDA(cudaStreamSynchronize(w->stream[0]));
}

static double entry(int ranks, int rows, long i) {
  const long n = (long)ranks * rows;
  return (double)((i + n) % n % 13);
}

static void fill(work *w, int ranks) {
  double *const x = malloc((size_t)w->rows * sizeof *x);
  if (!x)
    MPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < w->rows; i++)
    x[i] = entry(ranks, w->rows, (long)w->rank * w->rows + i);
  CUDA(
      cudaMemcpy(w->x, x, (size_t)w->rows * sizeof *x, cudaMemcpyHostToDevice));
  free(x);
}

/* 1 when y is right. */
static int check(const work *w, int ranks) {
  double *const y = malloc((size_t)w->rows * sizeof *y);
  int right = y != NULL;
  if (!right)
    return 0;
  CUDA(
      cudaMemcpy(y, w->y, (size_t)w->rows * sizeof *y, cudaMemcpyDeviceToHost));
  for (int i = 0; i < w->rows; i++) {
    double sum = 0;
    for (long k = -WIDTH; k <= WIDTH; k++)
      sum += entry(ranks, w->rows, (long)w->rank * w->rows + i + k);
    right &= y[i] == sum;
  }
  free(y);
  return right;
}

static void make(work *w) {
  const size_t bytes = (size_t)w->rows * sizeof(double);
  CUDA(cudaMalloc((void **)&w->x, bytes));
  CUDA(cudaMalloc((void **)&w->local, bytes));
  CUDA(cudaMalloc((void **)&w->remote, bytes));
  CUDA(cudaMalloc((void **)&w->y, bytes));
  CUDA(cudaMallocHost((void **)&w->ends, 2 * WIDTH * sizeof(double)));
  CUDA(cudaMallocHost((void **)&w->near, 2 * WIDTH * sizeof(double)));
  for (int s = 0; s < 2; s++)
    CUDA(cudaStreamCreateWithFlags(&w->stream[s], cudaStreamNonBlocking));
  CUDA(cudaEventCreateWithFlags(&w->packed, cudaEventDisableTiming));
  CUDA(cudaEventCreateWithFlags(&w->received, cudaEventDisableTiming));
}

static void release(work *w) {
  CUDA(cudaEventDestroy(w->packed));
  CUDA(cudaEventDestroy(w->received));
  for (int s = 0; s < 2; s++)
    CUDA(cudaStreamDestroy(w->stream[s]));
  CUDA(cudaFree(w->x));
  CUDA(cudaFree(w->local));
  CUDA(cudaFree(w->remote));
  CUDA(cudaFree(w->y));
  CUDA(cudaFreeHost(w->ends));
  CUDA(cudaFreeHost(w->near));
}

/* A whole number from low to high; anything else ends the program. */
static int number(const char *what, const char *text, long low, long high) {
  char *end;
  errno = 0;
  const long value = strtol(text, &end, 10);
  if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 &&
      value >= low && value <= high)
    return (int)value;
  fprintf(stderr, "%s is \"%s\": expected a whole number from %ld to %ld\n",
          what, text, low, high);
  exit(3);
}

static void read_arguments(work *w, int *rounds, int argc, char **argv) {
  int numbers = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--race"))
      w->race = 1;
    else if (!strcmp(argv[i], "--device-sync"))
      w->device_sync = 1;
    else if (!strcmp(argv[i], "--late-receive"))
      w->late_receive = 1;
    else if (numbers == 0)
      w->rows = number("rows", argv[i], 2 * WIDTH, 100000000);
    else if (numbers == 1)
      *rounds = number("rounds", argv[i], 1, 1000000);
    else {
      fprintf(stderr, "\"%s\": expected rows and rounds, no more\n", argv[i]);
      exit(3);
    }
    numbers += argv[i][0] != '-' || argv[i][1] != '-';
  }
}

int main(int argc, char **argv) {
  work w = {.rows = 10000};
  int ranks, rounds = 5;
  read_arguments(&w, &rounds, argc, argv);
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &w.rank);
  w.left = (w.rank + ranks - 1) % ranks;
  w.right = (w.rank + 1) % ranks;
  make(&w);
  fill(&w, ranks);
  for (int i = 0; i < rounds; i++)
    multiply(&w);
  const int right = check(&w, ranks);
  release(&w);
  if (!right)
    fprintf(stderr, "rank %d: wrong numbers\n", w.rank);
  MPI_Finalize();
  return right ? 0 : 1;
}

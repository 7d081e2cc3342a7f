/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/capture/mpi.c - wrappers of MPI: point-to-point and collective calls,
 * requests and their completion.
 *
 * Built against mpi.h for the types, not linked to any MPI library.
 * MPI_Pcontrol marks the beginning of an iteration.
 */
#include "capture.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef OPEN_MPI
/* MPI_REQUEST_NULL is the address of this; a program without MPI lacks it. */
#pragma weak ompi_request_null
#endif

/* MPI_Request is an int or a pointer. */
static uintptr_t key(MPI_Request request) { return (uintptr_t)request; }

/* `line` before the call, `after` after it, the result being `error`. */
#define WRAP_AFTER(f, parameters, arguments, line, after)                      \
  CAPTURE_EXPORT int f parameters {                                            \
    CAPTURE_REAL(f);                                                           \
    capture_enter();                                                           \
    line;                                                                      \
    const int error = real arguments;                                          \
    after;                                                                     \
    capture_leave();                                                           \
    return error;                                                              \
  }
#define WRAP(f, parameters, arguments)                                         \
  WRAP_AFTER(f, parameters, arguments, capture_line("mpi " #f), (void)0)

/* ---- non-blocking ---- */

static void post(const char *word, const char *name, MPI_Request request) {
  capture_line("%s %s %lu", word, name,
               capture_new(CAPTURE_REQUEST, key(request)));
}

#define SEND(f)                                                                \
  WRAP_AFTER(f,                                                                \
             (const void *buffer, int count, MPI_Datatype type, int to,        \
              int tag, MPI_Comm comm, MPI_Request *request),                   \
             (buffer, count, type, to, tag, comm, request), (void)0,           \
             if (error == MPI_SUCCESS) post("send", #f, *request))
SEND(MPI_Isend)
SEND(MPI_Issend)
SEND(MPI_Irsend)
SEND(MPI_Ibsend)
WRAP_AFTER(MPI_Irecv,
           (void *buffer, int count, MPI_Datatype type, int from, int tag,
            MPI_Comm comm, MPI_Request *request),
           (buffer, count, type, from, tag, comm, request), (void)0,
           if (error == MPI_SUCCESS) post("recv", "MPI_Irecv", *request))

WRAP_AFTER(MPI_Ibarrier, (MPI_Comm comm, MPI_Request *request), (comm, request),
           (void)0,
           if (error == MPI_SUCCESS) post("send", "MPI_Ibarrier", *request))
WRAP_AFTER(MPI_Iallreduce,
           (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
            MPI_Comm comm, MPI_Request *request),
           (from, to, count, type, op, comm, request), (void)0,
           if (error == MPI_SUCCESS) post("send", "MPI_Iallreduce", *request))

/* ---- persistent: those known here receive, others send ---- */

#define SEND_INIT(f)                                                           \
  WRAP_AFTER(f,                                                                \
             (const void *buffer, int count, MPI_Datatype type, int to,        \
              int tag, MPI_Comm comm, MPI_Request *request),                   \
             (buffer, count, type, to, tag, comm, request), (void)0,           \
             capture_forget(CAPTURE_PERSISTENT, key(*request)))
SEND_INIT(MPI_Send_init)
SEND_INIT(MPI_Ssend_init)
WRAP_AFTER(MPI_Recv_init,
           (void *buffer, int count, MPI_Datatype type, int from, int tag,
            MPI_Comm comm, MPI_Request *request),
           (buffer, count, type, from, tag, comm, request), (void)0,
           capture_number(CAPTURE_PERSISTENT, key(*request)))

static void start(MPI_Request request) {
  if (capture_has(CAPTURE_PERSISTENT, key(request)))
    post("recv", "MPI_Irecv", request);
  else
    post("send", "MPI_Isend", request);
}
WRAP_AFTER(MPI_Start, (MPI_Request * request), (request), start(*request),
           (void)0)
WRAP_AFTER(MPI_Startall, (int count, MPI_Request requests[]), (count, requests),
           for (int i = 0; i < count; i++) start(requests[i]), (void)0)

/* ---- completion: numbers are taken before the call resets handles; those of
 * requests that are not complete are put back ---- */

typedef struct waited {
  unsigned long *number;
  uintptr_t *handle;
  int count;
} waited;

static waited look_up(int count, const MPI_Request *requests) {
  const size_t room = count > 0 ? (size_t)count : 1;
  waited w = {calloc(room, sizeof *w.number), calloc(room, sizeof *w.handle),
              count};
  for (int i = 0; w.number && w.handle && i < count; i++) {
    w.handle[i] = key(requests[i]);
    if (requests[i] != MPI_REQUEST_NULL)
      w.number[i] = capture_take(CAPTURE_REQUEST, w.handle[i]);
  }
  return w;
}

/* Logs that these are complete: all (which NULL), or those of the list. */
static void completed(const char *name, waited *w, const int *which, int some) {
  char text[900];
  int length = snprintf(text, sizeof text, "wait %s", name), any = 0;
  for (int k = 0; w->number && w->handle && k < some; k++) {
    const int i = which ? which[k] : k;
    if (i < 0 || i >= w->count || w->number[i] == 0)
      continue;
    any = 1;
    if (length < (int)sizeof text - 24)
      length += snprintf(text + length, sizeof text - (size_t)length, " %lu",
                         w->number[i]);
    w->number[i] = 0;
  }
  for (int i = 0; w->number && w->handle && i < w->count; i++)
    if (w->number[i])
      capture_put(CAPTURE_REQUEST, w->handle[i], w->number[i]);
  if (any)
    capture_line("%s", text);
  free(w->number);
  free(w->handle);
}

WRAP_AFTER(MPI_Wait, (MPI_Request * request, MPI_Status *status),
           (request, status), waited w = look_up(1, request),
           completed("MPI_Wait", &w, NULL, 1))
WRAP_AFTER(MPI_Waitall,
           (int count, MPI_Request requests[], MPI_Status statuses[]),
           (count, requests, statuses), waited w = look_up(count, requests),
           completed("MPI_Waitall", &w, NULL, count))
WRAP_AFTER(MPI_Waitany,
           (int count, MPI_Request requests[], int *index, MPI_Status *status),
           (count, requests, index, status),
           waited w = look_up(count, requests),
           completed("MPI_Wait", &w, index, 1))
WRAP_AFTER(MPI_Waitsome,
           (int count, MPI_Request requests[], int *done, int indices[],
            MPI_Status statuses[]),
           (count, requests, done, indices, statuses),
           waited w = look_up(count, requests),
           completed("MPI_Wait", &w, indices, *done > 0 ? *done : 0))
WRAP_AFTER(MPI_Test, (MPI_Request * request, int *flag, MPI_Status *status),
           (request, flag, status), waited w = look_up(1, request),
           completed("MPI_Wait", &w, NULL, *flag ? 1 : 0))
WRAP_AFTER(MPI_Testall,
           (int count, MPI_Request requests[], int *flag,
            MPI_Status statuses[]),
           (count, requests, flag, statuses),
           waited w = look_up(count, requests),
           completed("MPI_Waitall", &w, NULL, *flag ? count : 0))
WRAP_AFTER(MPI_Testany,
           (int count, MPI_Request requests[], int *index, int *flag,
            MPI_Status *status),
           (count, requests, index, flag, status),
           waited w = look_up(count, requests),
           completed("MPI_Wait", &w, index, *flag ? 1 : 0))
WRAP_AFTER(MPI_Testsome,
           (int count, MPI_Request requests[], int *done, int indices[],
            MPI_Status statuses[]),
           (count, requests, done, indices, statuses),
           waited w = look_up(count, requests),
           completed("MPI_Wait", &w, indices, *done > 0 ? *done : 0))

/* ---- blocking ---- */

#define BLOCKING_SEND(f)                                                       \
  WRAP(f,                                                                      \
       (const void *buffer, int count, MPI_Datatype type, int to, int tag,     \
        MPI_Comm comm),                                                        \
       (buffer, count, type, to, tag, comm))
BLOCKING_SEND(MPI_Send)
BLOCKING_SEND(MPI_Ssend)
BLOCKING_SEND(MPI_Bsend)
WRAP(MPI_Recv,
     (void *buffer, int count, MPI_Datatype type, int from, int tag,
      MPI_Comm comm, MPI_Status *status),
     (buffer, count, type, from, tag, comm, status))
WRAP(MPI_Sendrecv,
     (const void *out, int out_count, MPI_Datatype out_type, int to, int to_tag,
      void *in, int in_count, MPI_Datatype in_type, int from, int from_tag,
      MPI_Comm comm, MPI_Status *status),
     (out, out_count, out_type, to, to_tag, in, in_count, in_type, from,
      from_tag, comm, status))

/* ---- collective ---- */

WRAP(MPI_Barrier, (MPI_Comm comm), (comm))
WRAP(MPI_Bcast,
     (void *buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
     (buffer, count, type, root, comm))
WRAP(MPI_Reduce,
     (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
      int root, MPI_Comm comm),
     (from, to, count, type, op, root, comm))
WRAP(MPI_Allreduce,
     (const void *from, void *to, int count, MPI_Datatype type, MPI_Op op,
      MPI_Comm comm),
     (from, to, count, type, op, comm))

#define ALL_TO_ALL(f)                                                          \
  WRAP(f,                                                                      \
       (const void *from, int from_count, MPI_Datatype from_type, void *to,    \
        int to_count, MPI_Datatype to_type, MPI_Comm comm),                    \
       (from, from_count, from_type, to, to_count, to_type, comm))
ALL_TO_ALL(MPI_Allgather)
ALL_TO_ALL(MPI_Alltoall)

#define TO_ROOT(f)                                                             \
  WRAP(f,                                                                      \
       (const void *from, int from_count, MPI_Datatype from_type, void *to,    \
        int to_count, MPI_Datatype to_type, int root, MPI_Comm comm),          \
       (from, from_count, from_type, to, to_count, to_type, root, comm))
TO_ROOT(MPI_Gather)
TO_ROOT(MPI_Scatter)

WRAP(MPI_Allgatherv,
     (const void *from, int from_count, MPI_Datatype from_type, void *to,
      const int to_counts[], const int offsets[], MPI_Datatype to_type,
      MPI_Comm comm),
     (from, from_count, from_type, to, to_counts, offsets, to_type, comm))
WRAP(MPI_Alltoallv,
     (const void *from, const int from_counts[], const int from_offsets[],
      MPI_Datatype from_type, void *to, const int to_counts[],
      const int to_offsets[], MPI_Datatype to_type, MPI_Comm comm),
     (from, from_counts, from_offsets, from_type, to, to_counts, to_offsets,
      to_type, comm))

/* ---- marks ---- */

CAPTURE_EXPORT int MPI_Pcontrol(const int level, ...) {
  capture_enter();
  if (level)
    capture_line("mark");
  capture_leave();
  return MPI_SUCCESS;
}

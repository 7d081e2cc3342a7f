/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/capture/capture.h - the inside of libcairn-capture.so, which logs the
 * CUDA runtime and MPI calls of a program that knows nothing of it
 * (LD_PRELOAD).  It is no part of libcairn and uses nothing of it.
 *
 * A wrapper stands under the name of the function, logs one line, and calls
 * the real function, which comes next in the order of loading.  Calls that a
 * library makes inside a wrapped call (MPI calling CUDA) are not logged.
 */
#ifndef CAIRN_CAPTURE_H
#define CAIRN_CAPTURE_H

#include <stdint.h>

#define CAPTURE_EXPORT __attribute__((visibility("default")))

typedef enum capture_handle {
  CAPTURE_STREAM, /* from 1; 0 is the legacy default stream */
  CAPTURE_EVENT,
  CAPTURE_REQUEST, /* under way: a new number for each start */
  CAPTURE_PERSISTENT,
  CAPTURE_HANDLES
} capture_handle;

/* Logs a line, if this is a call of the program itself. */
void capture_line(const char *format, ...)
    __attribute__((format(printf, 1, 2)));
/* A call of the CUDA runtime was seen. */
void capture_saw_cuda(void);

/* Around a wrapped call; depth 1 is the program's own call. */
int capture_enter(void);
void capture_leave(void);

/* The real function.  Ends the process with a message when there is none: the
 * program could not have gone on either. */
void *capture_real(const char *name);

/* The number of a handle, given at first sight. */
unsigned long capture_number(capture_handle kind, uintptr_t handle);
/* A new number; an older one of an equal handle (MPI libraries share handles
 * between requests that are complete) is kept below it. */
unsigned long capture_new(capture_handle kind, uintptr_t handle);
/* Takes the newest number of a handle away, or puts it back; 0: it has none
 * (numbers count from 1). */
unsigned long capture_take(capture_handle kind, uintptr_t handle);
void capture_put(capture_handle kind, uintptr_t handle, unsigned long number);
/* Does it have a number? */
int capture_has(capture_handle kind, uintptr_t handle);
void capture_forget(capture_handle kind, uintptr_t handle);

/* Names of kernels, by the host's pointer. */
void capture_kernel_add(const void *function, const char *name);
const char *capture_kernel_name(const void *function);

/* Declares `real`, the real function behind the wrapper `f`. */
#define CAPTURE_REAL(f)                                                        \
  static __typeof__(&f) real;                                                  \
  if (!real)                                                                   \
  real = (__typeof__(real))(uintptr_t)capture_real(#f)

#endif

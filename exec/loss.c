/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/loss.c - did this rank lose the processor during a sample?
 *
 * The kernel counts for each thread how long it was ready to run and did not
 * (schedstat, second number).  It is read before the start line and after the
 * stop, so nothing of it is inside what is timed.  A stopped process is not
 * "ready": that the watchdog came late tells it.
 */
#include "base/stats-private.h"
#include "exec/exec-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { RECENT = 32, LEAST = 8 };

struct cairn_exec_loss {
  int file; /* -1: the kernel does not say */
  int64_t before_ns, waited_ns;
  double share[RECENT]; /* of the last samples */
  unsigned count, at;
};

/* -1: unknown. */
static int64_t waited(const struct cairn_exec_loss *loss) {
  char text[80];
  const ssize_t n =
      loss->file < 0 ? -1 : pread(loss->file, text, sizeof text - 1, 0);
  if (n <= 0)
    return -1;
  text[n] = '\0';
  char *rest;
  strtoll(text, &rest, 10);
  return strtoll(rest, NULL, 10);
}

void cairn_exec__loss_open(cairn_exec *exec) {
  exec->loss = cairn_base_zalloc(1, sizeof *exec->loss);
  if (exec->loss != NULL)
    exec->loss->file =
        open("/proc/thread-self/schedstat", O_RDONLY | O_CLOEXEC);
}

void cairn_exec__loss_close(cairn_exec *exec) {
  if (exec->loss != NULL && exec->loss->file >= 0)
    close(exec->loss->file);
  cairn_base_free(exec->loss);
  exec->loss = NULL;
}

void cairn_exec__loss_before(cairn_exec *exec) {
  struct cairn_exec_loss *loss = exec->loss;
  if (loss == NULL)
    return;
  loss->waited_ns = waited(loss);
  loss->before_ns = cairn_base__now_ns();
}

/* The usual share of a sample spent waiting; NAN: not known yet. */
static double usual(const struct cairn_exec_loss *loss) {
  double sorted[RECENT];
  if (loss->count < LEAST)
    return NAN;
  for (unsigned i = 0; i < loss->count; i++)
    sorted[i] = loss->share[i];
  return cairn_base__stats_median(sorted, loss->count);
}

void cairn_exec__loss_after(cairn_exec *exec, cairn_exec_mark *mark) {
  struct cairn_exec_loss *loss = exec->loss;
  mark->lost = mark->stopped = 0;
  if (loss == NULL)
    return;
  const int64_t now = waited(loss);
  const int64_t here =
      now >= 0 && loss->waited_ns >= 0 ? now - loss->waited_ns : 0;
  const int64_t wall = mark->stop_ns - loss->before_ns;
  const int64_t overdue = cairn_exec__watchdog_overdue(exec, loss->before_ns);
  mark->stopped = cairn_timing__was_lost(wall, 0, NAN, overdue);
  mark->lost =
      mark->stopped || (2 * here >= wall && /* else no need to sort */
                        cairn_timing__was_lost(wall, here, usual(loss), 0));
  loss->share[loss->at] = wall > 0 ? (double)here / (double)wall : 0;
  loss->at = (loss->at + 1) % RECENT;
  loss->count += loss->count < RECENT;
}

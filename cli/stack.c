/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/stack.c - a stack limit that is too small is raised, or told.  Libraries
 * (MPI, UCX, plugins) take for granted what shells give; beyond it they end
 * with SIGSEGV, without a word.  Threads get the limit as it was at the start
 * of the process, so the default for them is raised as well.
 */
#include <pthread.h>
#include <sys/resource.h>

#include "cli.h"

enum { KIB = 1024, LEAST = 1024 * KIB, WANTED = 8192 * KIB };

static int is_enough(const struct rlimit *limit, rlim_t least) {
  return limit->rlim_cur == RLIM_INFINITY || limit->rlim_cur >= least;
}

/* As far as the hard limit allows, or beyond it for who may. */
static void raise_limit(struct rlimit *limit) {
  struct rlimit more = *limit;
  more.rlim_cur = WANTED;
  if (more.rlim_max != RLIM_INFINITY && more.rlim_max < more.rlim_cur)
    more.rlim_max = more.rlim_cur;
  if (setrlimit(RLIMIT_STACK, &more) != 0) {
    more = *limit;
    more.rlim_cur = more.rlim_max;
    if (setrlimit(RLIMIT_STACK, &more) != 0)
      return;
  }
  *limit = more;
}

static void raise_threads(void) {
#ifdef __GLIBC__
  pthread_attr_t attributes;
  if (pthread_attr_init(&attributes) != 0)
    return;
  if (pthread_attr_setstacksize(&attributes, WANTED) == 0)
    pthread_setattr_default_np(&attributes);
  pthread_attr_destroy(&attributes);
#endif
}

cairn_status cairn_cli_stack(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || is_enough(&limit, LEAST))
    return CAIRN_OK;
  const unsigned long was = (unsigned long)(limit.rlim_cur / KIB);
  raise_limit(&limit);
  raise_threads();
  if (is_enough(&limit, LEAST))
    return CAIRN_OK;
  if (cairn_cli_rank() == 0)
    fprintf(stderr,
            "cairn: error: the stack is limited to %lu KiB, %d are needed: "
            "ulimit -s %d\n",
            was, LEAST / KIB, WANTED / KIB);
  return CAIRN_ENV;
}

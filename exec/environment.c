/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/environment.c - what launchers say in the environment of the processes
 * that they start.  A value that is no number is as good as none.
 */
#include "exec/world-private.h"
#include <cairn/exec.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* A number of digits alone, up to INT_MAX; -1: not set, or no such number. */
static int number(cairn_exec_variable get, void *from, const char *name) {
  enum { DIGITS = 10 };
  const char *const value = get(from, name);
  const size_t digits = value ? strspn(value, "0123456789") : 0;
  if (digits == 0 || digits > DIGITS || value[digits] != '\0')
    return -1;
  const long long n = strtoll(value, NULL, 10);
  return n <= INT_MAX ? (int)n : -1;
}

static int is_set(cairn_exec_variable get, void *from, const char *name) {
  const char *const value = get(from, name);
  return value != NULL && *value != '\0';
}

/* SLURM_NTASKS says nothing: a batch script has it without srun. */
int cairn_exec__launched_in(cairn_exec_variable get, void *from) {
  static const char *const names[] = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE",
                                      "MV2_COMM_WORLD_SIZE", "PMIX_SIZE",
                                      "SLURM_STEP_NUM_TASKS"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const int n = number(get, from, names[i]);
    if (n > 0)
      return n;
  }
  return 0;
}

int cairn_exec__rank_in(cairn_exec_variable get, void *from) {
  /* the number, and what connects to the launcher that gave it */
  static const char *const names[][2] = {{"PMI_RANK", "PMI_FD"},
                                         {"PMI_RANK", "PMI_PORT"},
                                         {"PMI_RANK", "PMI_CONTROL_PORT"},
                                         {"SLURM_PROCID", "PMI_CONTROL_PORT"},
                                         {"PMIX_RANK", "PMIX_NAMESPACE"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const int n = number(get, from, names[i][0]);
    if (n >= 0 && is_set(get, from, names[i][1]))
      return n;
  }
  return 0;
}

const char *cairn_exec__getenv(void *from, const char *name) {
  (void)from;
  return getenv(name);
}

int cairn_exec_rank_told(void) {
  return cairn_exec__rank_in(cairn_exec__getenv, NULL);
}

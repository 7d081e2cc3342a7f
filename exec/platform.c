/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/platform.c - the table of backends.
 */
#include "exec/platform-private.h"
#include <cairn/exec.h>

#include <string.h>

static const cairn_exec_backend *const backends[] = {
#ifdef CAIRN_HAVE_CUDA
    &cairn_exec__backend_cuda,
#endif
    &cairn_exec__backend_host,
    NULL,
};

const cairn_exec_backend *const *cairn_exec__backends(void) { return backends; }

const cairn_exec_backend *cairn_exec__backend_find(const char *name) {
  for (size_t i = 0; backends[i]; i++)
    if (strcmp(backends[i]->name, name) == 0)
      return backends[i];
  return NULL;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/store-private.h - body of a prepared schedule; for store.c and run.c.
 */
#ifndef CAIRN_EXEC_STORE_PRIVATE_H
#define CAIRN_EXEC_STORE_PRIVATE_H

#include "exec/exec-private.h"
#include <cairn/exec.h>

#define HASH_NONFATAL_OOM 1
#define uthash_malloc(size) cairn_base_alloc(1, (size))
#define uthash_free(memory, size) cairn_base_free(memory)
#include <uthash.h>

struct cairn_exec_schedule {
  uint64_t id;
  size_t count;
  int64_t first_ns; /* its first execution, 0 unknown */
  UT_hash_handle hh;
  cairn_dag_item items[];
};

#endif

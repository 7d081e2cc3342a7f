/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/keyset-private.h - a set of schedules' keys.
 */
#ifndef CAIRN_DAG_KEYSET_PRIVATE_H
#define CAIRN_DAG_KEYSET_PRIVATE_H

#include "dag/dag-private.h"

/* Start with {0}; free with dag__keyset_free. */
typedef struct dag__keyset {
  cairn_dag_key *slots;
  size_t slot_count, count;
} dag__keyset;

void dag__keyset_free(dag__keyset *set);
/* Adds a key; *new_p: it was not there.  CAIRN_NOMEM: the set is as it was. */
cairn_status dag__keyset_add(dag__keyset *set, cairn_dag_key key, int *new_p);

#endif

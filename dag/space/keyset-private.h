/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/keyset-private.h - a set of schedules' keys.
 */
#ifndef CAIRN_DAG_SPACE_KEYSET_PRIVATE_H
#define CAIRN_DAG_SPACE_KEYSET_PRIVATE_H

#include "dag/program/program-state-private.h"
#include <cairn/dag.h>

/* Start with {0}; free with cairn_dag__keyset_free. */
typedef struct cairn_dag__keyset {
  cairn_dag_key *slots;
  size_t slot_count, count;
} cairn_dag__keyset;

void cairn_dag__keyset_free(cairn_dag__keyset *set);
/* Adds a key; *new_p: it was not there.  CAIRN_NOMEM: the set is as it was. */
cairn_status cairn_dag__keyset_add(cairn_dag__keyset *set, cairn_dag_key key,
                                   int *new_p);

#endif

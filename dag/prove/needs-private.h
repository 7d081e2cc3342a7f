/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/prove/needs-private.h - which post must come before which wait.
 */
#ifndef CAIRN_DAG_PROVE_NEEDS_PRIVATE_H
#define CAIRN_DAG_PROVE_NEEDS_PRIVATE_H

#include <cairn/dag.h>

/* Op `wait` completes `message`, which needs op `post`. */
typedef cairn_dag_deadlock cairn_dag_need;
cairn_status cairn_dag__needs_create(const cairn_dag_program *program,
                                     cairn_dag_need **list_p, size_t *count_p);

#endif

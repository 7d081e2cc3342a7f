/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/intern-private.h - names as small numbers.
 */
#ifndef CAIRN_DAG_PROGRAM_INTERN_PRIVATE_H
#define CAIRN_DAG_PROGRAM_INTERN_PRIVATE_H

#include <cairn/dag.h>

/* An empty table of names; ids count from 0 in the order of first use.  Free
 * with cairn_dag__intern_free. */
cairn_status cairn_dag__intern_create(cairn_dag_intern **intern_p);
void cairn_dag__intern_free(cairn_dag_intern *intern);
size_t cairn_dag__intern_count(const cairn_dag_intern *intern);
const char *cairn_dag__intern_name(const cairn_dag_intern *intern, uint32_t id);
/* Id of a name, added if new.  CAIRN_NOMEM. */
cairn_status cairn_dag__intern_add(cairn_dag_intern *intern, const char *name,
                                   size_t length, uint32_t *id_p);

#endif

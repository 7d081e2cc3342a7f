/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/program-private.h - a program: a DAG of CPU and GPU operations.
 *
 * What the library itself needs beyond <cairn/dag.h>.
 */
#ifndef CAIRN_DAG_PROGRAM_PROGRAM_PRIVATE_H
#define CAIRN_DAG_PROGRAM_PROGRAM_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include <cairn/dag.h>

/* Plugin library as written in the file, or NULL. */
const char *cairn_dag__program_plugin(const cairn_dag_program *program);

/* Direct predecessors / successors, ascending ids, start and end included. */
const unsigned *cairn_dag__program_preds(const cairn_dag_program *program,
                                         unsigned id, size_t *count_p);

const cairn_dag_param *
cairn_dag__program_params(const cairn_dag_program *program, size_t *count_p);
/* XXH3-128 in hex (32 digits) over names, kinds, calls, args, edges and
 * messages; parameter values, file and line do not count. */
const char *cairn_dag__program_digest(const cairn_dag_program *program);
/* The same of names, kinds and edges of the user's ops alone; their order in
 * the file does not count. */
const char *cairn_dag__program_graph(const cairn_dag_program *program);

/* The most items that a schedule of this program on `streams` streams can
 * have. */
size_t cairn_dag__program_max_items(const cairn_dag_program *program,
                                    unsigned streams);

/* Id of a name ("start" and "end" included), or UINT_MAX. */
unsigned cairn_dag__program_find(const cairn_dag_program *program,
                                 const char *name);

/* Declares a parameter with its default value. */
cairn_status cairn_dag__program_add_param(cairn_dag_program *program,
                                          const char *name, const char *value,
                                          cairn_base_diag *diag);

cairn_status cairn_dag__program_set_plugin(cairn_dag_program *program,
                                           const char *library);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-xml.h - the program file.
 */
#ifndef CAIRN_DAG_XML_H
#define CAIRN_DAG_XML_H

#include "dag-program.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads and seals a program.  CAIRN_INPUT with messages "file:line: ..." (up
 * to the diag's limit, sorted), each saying what was expected; CAIRN_NOMEM.
 * No network, no entities, no DTD.  Free with cairn_dag_program_free. */
CAIRN_API cairn_status cairn_dag_program_read(const char *path,
                                              cairn_base_diag *diag,
                                              cairn_dag_program **program_p);
/* The same from memory; `path` is used in messages. */
CAIRN_API cairn_status cairn_dag_program_read_memory(const char *data,
                                                     size_t length,
                                                     const char *path,
                                                     cairn_base_diag *diag,
                                                     cairn_dag_program **program_p);

#ifdef __cplusplus
}
#endif
#endif

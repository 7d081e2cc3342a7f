/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/schedule/sequence-private.h - the text of a schedule without its program:
 * what a journal or an imported table holds.  Names are interned, so sequences
 * can be compared by small integers; sync names are kept as recorded.
 *
 * What the library itself needs beyond <cairn/dag.h>.
 */
#ifndef CAIRN_DAG_SCHEDULE_SEQUENCE_PRIVATE_H
#define CAIRN_DAG_SCHEDULE_SEQUENCE_PRIVATE_H

#include "dag/program/intern-private.h"
#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

/* An owned sequence: start with {0}; free with cairn_dag__sequence_free. */
typedef struct cairn_dag_sequence {
  cairn_dag_token *tokens;
  size_t count, capacity;
} cairn_dag_sequence;

void cairn_dag__sequence_free(cairn_dag_sequence *sequence);

/* Reads a schedule's text.  Streams and events are kept as written.
 * CAIRN_INPUT with a message (file and line as given, may be NULL and 0) that
 * names the item and its position. */
cairn_status cairn_dag__sequence_parse(const char *text, size_t length,
                                       cairn_dag_intern *intern,
                                       const char *file, size_t line,
                                       cairn_base_diag *diag,
                                       cairn_dag_sequence *sequence);

/* The same schedule as items of a program, renumbered, not tidied; CAIRN_INPUT
 * as cairn_dag_schedule_parse. */
cairn_status cairn_dag__sequence_bind(const cairn_dag_sequence *sequence,
                                      const cairn_dag_intern *intern,
                                      const cairn_dag_program *program,
                                      cairn_base_diag *diag,
                                      cairn_dag_schedule *schedule);

#endif

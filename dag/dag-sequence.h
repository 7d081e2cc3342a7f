/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-sequence.h - the text of a schedule without its program: what a
 * journal or an imported table holds.  Names are interned, so sequences can be
 * compared by small integers; sync names are kept as recorded.
 */
#ifndef CAIRN_DAG_SEQUENCE_H
#define CAIRN_DAG_SEQUENCE_H

#include "dag-schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_dag_intern cairn_dag_intern;

/* An empty table of names; ids count from 0 in the order of first use.  Free
 * with cairn_dag_intern_free. */
CAIRN_API cairn_status cairn_dag_intern_create(cairn_dag_intern **intern_p);
CAIRN_API void cairn_dag_intern_free(cairn_dag_intern *intern);
CAIRN_API size_t cairn_dag_intern_count(const cairn_dag_intern *intern);
CAIRN_API const char *cairn_dag_intern_name(const cairn_dag_intern *intern,
                                            uint32_t id);
/* Id of a name, added if new.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_dag_intern_add(cairn_dag_intern *intern,
                                            const char *name, size_t length,
                                            uint32_t *id_p);

typedef struct cairn_dag_token {
  uint32_t name;  /* interned: op name or whole sync name ("CES-b4-y") */
  uint16_t event; /* CER, CES, CSW */
  uint8_t kind;   /* cairn_dag_item_kind; ops with @stream are GPU ops */
  uint8_t stream; /* GPU, CER, CSW */
} cairn_dag_token;

/* An owned sequence: start with {0}; free with cairn_dag_sequence_free. */
typedef struct cairn_dag_sequence {
  cairn_dag_token *tokens;
  size_t count, capacity;
} cairn_dag_sequence;

CAIRN_API void cairn_dag_sequence_free(cairn_dag_sequence *sequence);

/* Reads a schedule's text.  Streams and events are kept as written.
 * CAIRN_INPUT with a message (file and line as given, may be NULL and 0) that
 * names the item and its position. */
CAIRN_API cairn_status cairn_dag_sequence_parse(const char *text, size_t length,
                                                cairn_dag_intern *intern,
                                                const char *file, size_t line,
                                                cairn_base_diag *diag,
                                                cairn_dag_sequence *sequence);

/* The same schedule as items of a program, renumbered, not tidied; CAIRN_INPUT
 * as cairn_dag_schedule_parse. */
CAIRN_API cairn_status
cairn_dag_sequence_bind(const cairn_dag_sequence *sequence,
                        const cairn_dag_intern *intern,
                        const cairn_dag_program *program,
                        cairn_base_diag *diag, cairn_dag_schedule *schedule);

#ifdef __cplusplus
}
#endif
#endif

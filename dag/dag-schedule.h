/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-schedule.h - a schedule: an array of items in issue order.
 *
 * The structure of a schedule is its ops, their streams, and which record each
 * wait waits for.  Names of syncs are no part of it: they are derived when a
 * schedule is printed.  Canonical form: streams and events are numbered by
 * first use, and the schedule is tidy; then equal schedules are equal bytes.
 */
#ifndef CAIRN_DAG_SCHEDULE_H
#define CAIRN_DAG_SCHEDULE_H

#include "dag-program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_dag_item_kind {
  CAIRN_DAG_ITEM_CPU, /* id = op */
  CAIRN_DAG_ITEM_GPU, /* id = op, stream */
  CAIRN_DAG_ITEM_CER, /* id = event, stream recorded on */
  CAIRN_DAG_ITEM_CES, /* id = event; the host waits; stream = 0 */
  CAIRN_DAG_ITEM_CSW  /* id = event, stream that waits */
} cairn_dag_item_kind;

/* Four bytes, no padding: arrays of items can be hashed and compared. */
typedef struct cairn_dag_item {
  uint8_t kind; /* cairn_dag_item_kind */
  uint8_t stream;
  uint16_t id;
} cairn_dag_item;

/* A 128-bit key of a canonical schedule (XXH3-128 of its items). */
typedef struct cairn_dag_key {
  uint64_t lo, hi;
} cairn_dag_key;

/* An owned schedule: start with {0}; free with cairn_dag_schedule_free. */
typedef struct cairn_dag_schedule {
  cairn_dag_item *items;
  size_t count, capacity;
} cairn_dag_schedule;

CAIRN_API void cairn_dag_schedule_free(cairn_dag_schedule *schedule);
CAIRN_API cairn_status cairn_dag_schedule_set(cairn_dag_schedule *schedule,
                                              const cairn_dag_item *items,
                                              size_t count);

/* Renumbers streams and events by first use, in place. */
CAIRN_API void cairn_dag_schedule_renumber(cairn_dag_item *items, size_t count);

/* Tidies in place, repeated until nothing changes: drops records nobody waits
 * for, and stream waits after which their stream runs no GPU op; then
 * renumbers.  Returns the new count.  No allocation. */
CAIRN_API size_t cairn_dag_schedule_tidy(cairn_dag_item *items, size_t count);
/* The same for schedules that others wrote: a stream wait also stays when a
 * record after it, that is waited for, passes its order on (wait, record, wait
 * elsewhere).  Nothing that was covered is uncovered by it. */
CAIRN_API size_t cairn_dag_schedule_tidy_relays(cairn_dag_item *items,
                                                size_t count);

/* Tidies, then drops waits, last to first, without which every edge of the
 * program stays covered, then records nobody waits for; renumbers.  Returns
 * the new count.  CAIRN_NOMEM for the workspace. */
CAIRN_API cairn_status
cairn_dag_schedule_minimize(const cairn_dag_program *program,
                            cairn_dag_item *items, size_t count,
                            size_t *count_p);

CAIRN_API cairn_dag_key cairn_dag_schedule_key(const cairn_dag_item *items,
                                               size_t count);

/* Appends the canonical text ("start Pack@0 CER-after-Pack@0#0 ... end").
 * Sync names: a wait serves the edges a->b whose a is a GPU op on the record's
 * stream issued before the record, and whose b, issued after the wait, is a
 * CPU op (CES) or a GPU op on the waiting stream (CSW); B is the b issued
 * first, A, among B's a, the one issued last; a record takes the A of its
 * first wait. */
CAIRN_API cairn_status
cairn_dag_schedule_format(const cairn_dag_program *program,
                          const cairn_dag_item *items, size_t count,
                          cairn_base_text *text);

/* Reads the text of a schedule of this program: any stream and event numbers,
 * any sync names; renumbered, not tidied.  CAIRN_INPUT with a message that
 * names the item and its position when an op is unknown, repeated or missing,
 * a kind does not fit, or an item cannot be read.  Legality is not checked
 * here: see cairn_dag_prove. */
CAIRN_API cairn_status
cairn_dag_schedule_parse(const cairn_dag_program *program, const char *text,
                         cairn_base_diag *diag, cairn_dag_schedule *schedule);

/* The program-order schedule: ops in the order of ids as far as edges allow,
 * all GPU ops on one stream, syncs where needed.  For comparison. */
CAIRN_API cairn_status
cairn_dag_schedule_program_order(const cairn_dag_program *program,
                                 cairn_dag_schedule *schedule);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/walk-private.h - growing a prefix of a schedule item by item.
 *
 * A walk holds a prefix and knows its legal extensions:
 * a ready op whose GPU predecessors are all synced extends it; a ready op that
 * is not synced offers, for each unsynced predecessor, the next missing item
 * (a record on the predecessor's stream if none follows it there, else the CES
 * or CSW of the first such record).  Equal items are offered once.  Streams
 * are offered up to renaming: those in use, and the next new one.
 * No call below but create and free allocates.
 */
#ifndef CAIRN_DAG_SPACE_WALK_PRIVATE_H
#define CAIRN_DAG_SPACE_WALK_PRIVATE_H

#include "base/rng-private.h"
#include "dag/schedule/schedule-private.h"
#include <cairn/dag.h>

typedef struct cairn_dag_walk cairn_dag_walk;

/* A walk at the empty prefix extended by `start`; streams 1..32.  Free with
 * cairn_dag__walk_free.  CAIRN_NOMEM. */
cairn_status cairn_dag__walk_create(const cairn_dag_program *program,
                                    unsigned streams, cairn_dag_walk **walk_p);
void cairn_dag__walk_free(cairn_dag_walk *walk);

/* Back to the prefix that is just `start`. */
void cairn_dag__walk_reset(cairn_dag_walk *walk);
/* The items so far (canonically numbered, not tidied); complete when `end` is
 * the last. */
const cairn_dag_item *cairn_dag__walk_items(const cairn_dag_walk *walk,
                                            size_t *count_p);
int cairn_dag__walk_complete(const cairn_dag_walk *walk);

/* The legal extensions, in a fixed order (by kind, id, stream: the order of
 * the bytes does not matter, but equal prefixes give equal lists).  The array
 * belongs to the walk and is valid until it changes. */
const cairn_dag_item *cairn_dag__walk_extensions(cairn_dag_walk *walk,
                                                 size_t *count_p);

/* Appends a legal extension (the caller took it from extensions, or knows that
 * it is one; checked by assertion in debug builds only). */
void cairn_dag__walk_push(cairn_dag_walk *walk, cairn_dag_item item);
/* Takes back the last push. */
void cairn_dag__walk_pop(cairn_dag_walk *walk);
/* Is the item a legal extension now? */
int cairn_dag__walk_legal(cairn_dag_walk *walk, cairn_dag_item item);

/* Issues op `id` (which must be ready) on `stream` (ignored for CPU ops),
 * pushing first the syncs it misses, latest position.  Returns the number of
 * items pushed, 0 if the op is not ready. */
size_t cairn_dag__walk_issue(cairn_dag_walk *walk, unsigned id,
                             unsigned stream);
/* Ops ready to be issued (synced or not), ascending ids. */
const unsigned *cairn_dag__walk_ready(cairn_dag_walk *walk, size_t *count_p);
/* Streams in use so far. */
unsigned cairn_dag__walk_used_streams(const cairn_dag_walk *walk);

/* Pushes uniformly drawn extensions until complete.  Faster than calling
 * extensions and push in a loop: about linear in the number of items. */
void cairn_dag__walk_rollout(cairn_dag_walk *walk, cairn_base_rng *rng);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-walk.h - growing a prefix of a schedule item by item.
 *
 * A walk holds a prefix and knows its legal extensions:
 * a ready op whose GPU predecessors are all synced extends it; a ready op that
 * is not synced offers, for each unsynced predecessor, the next missing item
 * (a record on the predecessor's stream if none follows it there, else the CES
 * or CSW of the first such record).  Equal items are offered once.  Streams
 * are offered up to renaming: those in use, and the next new one.
 * No call below but create and free allocates.
 */
#ifndef CAIRN_DAG_WALK_H
#define CAIRN_DAG_WALK_H

#include "dag-schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_dag_walk cairn_dag_walk;

/* A walk at the empty prefix extended by `start`; streams 1..32.  Free with
 * cairn_dag_walk_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_dag_walk_create(const cairn_dag_program *program,
                                             unsigned streams,
                                             cairn_dag_walk **walk_p);
CAIRN_API void cairn_dag_walk_free(cairn_dag_walk *walk);

/* Back to the prefix that is just `start`. */
CAIRN_API void cairn_dag_walk_reset(cairn_dag_walk *walk);
/* The items so far (canonically numbered, not tidied); complete when `end` is
 * the last. */
CAIRN_API const cairn_dag_item *cairn_dag_walk_items(const cairn_dag_walk *walk,
                                                     size_t *count_p);
CAIRN_API int cairn_dag_walk_complete(const cairn_dag_walk *walk);

/* The legal extensions, in a fixed order (by kind, id, stream: the order of
 * the bytes does not matter, but equal prefixes give equal lists).  The array
 * belongs to the walk and is valid until it changes. */
CAIRN_API const cairn_dag_item *
cairn_dag_walk_extensions(cairn_dag_walk *walk, size_t *count_p);

/* Appends a legal extension (the caller took it from extensions, or knows that
 * it is one; checked by assertion in debug builds only). */
CAIRN_API void cairn_dag_walk_push(cairn_dag_walk *walk, cairn_dag_item item);
/* Takes back the last push. */
CAIRN_API void cairn_dag_walk_pop(cairn_dag_walk *walk);
/* Is the item a legal extension now? */
CAIRN_API int cairn_dag_walk_legal(cairn_dag_walk *walk, cairn_dag_item item);

/* Issues op `id` (which must be ready) on `stream` (ignored for CPU ops),
 * pushing first the syncs it misses, latest position.  Returns the number of
 * items pushed, 0 if the op is not ready. */
CAIRN_API size_t cairn_dag_walk_issue(cairn_dag_walk *walk, unsigned id,
                                      unsigned stream);
/* Ops ready to be issued (synced or not), ascending ids. */
CAIRN_API const unsigned *cairn_dag_walk_ready(cairn_dag_walk *walk,
                                               size_t *count_p);
/* Streams in use so far. */
CAIRN_API unsigned cairn_dag_walk_used_streams(const cairn_dag_walk *walk);

/* Pushes uniformly drawn extensions until complete.  Faster than calling
 * extensions and push in a loop: about linear in the number of items. */
CAIRN_API void cairn_dag_walk_rollout(cairn_dag_walk *walk,
                                      cairn_base_rng *rng);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/moves-private.h - the neighbours of a schedule, generated directly.
 *
 * A move changes one thing and keeps the rest where that is still legal; syncs
 * that the change makes necessary are put in, those it makes useless go.  A
 * neighbour is always a schedule of the tidy space: canonical and tidy.
 * The moves are those that a local search over task orders and machines needs
 * (insertion, swap, reassignment: Taillard 1990; Nowicki and Smutnicki 1996),
 * and, for the syncs, another position, one less, one more.
 */
#ifndef CAIRN_DAG_SPACE_MOVES_PRIVATE_H
#define CAIRN_DAG_SPACE_MOVES_PRIVATE_H

#include "base/rng-private.h"
#include <cairn/dag.h>

typedef enum cairn_dag_move {
  CAIRN_DAG_MOVE_INSERT = 1, /* an op to another place in the order */
  CAIRN_DAG_MOVE_SWAP = 2,   /* two ops next to each other */
  CAIRN_DAG_MOVE_STREAM = 4, /* a GPU op to another, or a new, stream */
  CAIRN_DAG_MOVE_SYNC = 8,   /* a sync earlier, later, gone, or a new one */
  CAIRN_DAG_MOVE_ANY = 15
} cairn_dag_move;

typedef struct cairn_dag_moves cairn_dag_moves;

/* A workspace for one program and number of streams; free with
 * cairn_dag__moves_free.  CAIRN_NOMEM. */
cairn_status cairn_dag__moves_create(const cairn_dag_program *program,
                                     unsigned streams,
                                     cairn_dag_moves **moves_p);
void cairn_dag__moves_free(cairn_dag_moves *moves);

/* Sets the schedule whose neighbours are asked for (copied; complete,
 * canonical; tidy or minimal, on at most `streams` streams).  Returns the
 * number of moves, some of which may lead nowhere or to the same neighbour.
 * About linear in the items; no allocation. */
size_t cairn_dag__moves_begin(cairn_dag_moves *moves,
                              const cairn_dag_item *items, size_t count);

/* Makes move 0 <= index < the number returned by begin, writing the neighbour
 * to out (room for cairn_dag__program_max_items).  Returns its number of items,
 * or 0 when the move leads back to the schedule itself.  Linear in the items;
 * no allocation. */
size_t cairn_dag__moves_neighbour(cairn_dag_moves *moves, size_t index,
                                  cairn_dag_item *out);

/* Makes a random move of one of the kinds in the mask (each kind equally
 * often, then a move of the kind uniformly), drawing again, a bounded number
 * of times, while it leads back.  Returns the number of items, 0 when none was
 * found.  Linear in the items; no allocation. */
size_t cairn_dag__moves_random(cairn_dag_moves *moves, unsigned kinds,
                               cairn_base_rng *rng, cairn_dag_item *out);

/* Visits each distinct neighbour once, in a fixed order.  CAIRN_NOMEM for the
 * table of those seen; a stop by the visitor is CAIRN_OK. */
cairn_status cairn_dag__moves_all(cairn_dag_moves *moves, cairn_dag_visit visit,
                                  void *context);

#endif

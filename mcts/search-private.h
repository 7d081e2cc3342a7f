/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/search-private.h - front door of mcts: the search over a program's
 * schedules.
 *
 * What the library itself needs beyond <cairn/mcts.h>.
 */
#ifndef CAIRN_MCTS_SEARCH_PRIVATE_H
#define CAIRN_MCTS_SEARCH_PRIVATE_H

#include <cairn/mcts.h>

/* One by name; NULL when there is none. */
const cairn_mcts_strategy *cairn_mcts__strategy_find(const char *name);

/* ---- what is known before the start ---- */

/* Resume: tells the result of the next schedule of a journal that this very
 * search (same program, strategy, settings, seed, streams, sync, prior) wrote.
 * Goes through propose and report, so that afterwards the search is exactly as
 * if it had measured it.  Items in any numbering; they need not be tidy.
 * CAIRN_INPUT when the search would have proposed another schedule: the
 * journal is not this search's (diag says at which result); the search can
 * then only be freed.  CAIRN_EXHAUSTED when it would have stopped. */
cairn_status cairn_mcts__resume(cairn_mcts *search, const cairn_dag_item *items,
                                size_t count, const cairn_mcts_result *result,
                                cairn_base_diag *diag);

/* Transfer (--prior): a result of another run of this program, at another
 * size, on another machine, found by another strategy.  Its time is compared
 * only with other priors.  It is not a measurement: never best, not counted,
 * may be proposed.  Before the first proposal only (else CAIRN_USAGE).
 * Illegal schedules and ones outside the space are ignored; times that are not
 * finite too.  *used_p (may be NULL) says whether it was taken. */
cairn_status cairn_mcts__add_prior(cairn_mcts *search,
                                   const cairn_dag_item *items, size_t count,
                                   double time_s, int *used_p);

/* New limits; 0: none.  The time counts from now. */
void cairn_mcts__set_budget(cairn_mcts *search, uint64_t budget, double time_s);

/* Name of the strategy in use. */
const char *cairn_mcts__strategy_name(const cairn_mcts *search);

uint64_t cairn_mcts__failures(const cairn_mcts *search);

const cairn_mcts_point *cairn_mcts__curve(const cairn_mcts *search,
                                          size_t *count_p);
/* Evaluations until the best was at most target_s; 0: it never was. */
uint64_t cairn_mcts__evaluations_to(const cairn_mcts *search, double target_s);

/* Share of the space that was measured, 0..1, and the size it refers to (exact
 * or estimated, see cairn_dag_space_size).  May take up to a second. */
cairn_status cairn_mcts__share(cairn_mcts *search, double *share_p,
                               cairn_dag_size *size_p);

/* Inner figures, for benches and the log. */
typedef struct cairn_mcts_stats {
  uint64_t iterations; /* descents, moves or draws, repeats included */
  uint64_t repeats;    /* of them, ended at a schedule already measured */
  uint64_t nodes;      /* tree nodes; 0 for strategies without a tree */
  uint64_t node_bytes; /* their memory, children lists included */
} cairn_mcts_stats;
cairn_mcts_stats cairn_mcts__get_stats(const cairn_mcts *search);

/* ---- watching ---- */

/* Appends the first `levels` levels below start as indented text, one line a
 * node: item, schedules measured under it (visits), best and slowest time; at
 * most `width` children a node, the best ones, then "... N more".  The tree is
 * the prefix tree of the schedules measured, whatever the strategy.  levels,
 * width >= 1. */
cairn_status cairn_mcts__view_text(const cairn_mcts *search, unsigned levels,
                                   unsigned width, cairn_base_text *text);
/* The same as a Graphviz digraph, coloured from best to slowest. */
cairn_status cairn_mcts__view_dot(const cairn_mcts *search, unsigned levels,
                                  unsigned width, cairn_base_text *text);

/* The id-th one measured; id < evaluations.  Any pointer may be NULL. */
void cairn_mcts__get(const cairn_mcts *search, uint64_t id,
                     const cairn_dag_item **items_p, size_t *count_p,
                     cairn_mcts_result *result_p);

/* {OK, time_s, unknown interval}, or {FAILED} when time_s is NAN. */
cairn_mcts_result cairn_mcts__result_of(double time_s);

cairn_mcts_stop cairn_mcts__stop_reason(const cairn_mcts *search);

#endif

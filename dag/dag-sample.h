/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag-sample.h - schedules drawn at random from the tidy space.
 *
 * Where the space can be counted (dag-space.h), draws are exactly uniform: the
 * counts of completions of every prefix are kept, and each step is taken with
 * the probability that they give.  Such a draw takes about as long as counting
 * the choices of every prefix on its way: some ten microseconds for ten ops.
 *
 * Otherwise draws are the states of a random walk over neighbours
 * (dag-moves.h), far enough apart to be nearly independent: each schedule
 * comes about as often as it has neighbours, so within a factor of two or so of
 * uniformly, where random descents err by orders of magnitude.  A draw then
 * takes about as long as one random move for every two ops.
 */
#ifndef CAIRN_DAG_SAMPLE_H
#define CAIRN_DAG_SAMPLE_H

#include "dag-space.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_dag_sampler cairn_dag_sampler;

/* Counts (well under a second); free with cairn_dag_sampler_free.  The seed
 * only sets where the random walk, if one is needed, begins.  CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_dag_sampler_create(const cairn_dag_program *program, unsigned streams,
                         uint64_t seed, cairn_dag_sampler **sampler_p);
CAIRN_API void cairn_dag_sampler_free(cairn_dag_sampler *sampler);

/* 1: draws are exactly uniform. */
CAIRN_API int cairn_dag_sampler_exact(const cairn_dag_sampler *sampler);

/* Draws one schedule, canonical and tidy, into out (room for
 * cairn_dag_program_max_items); returns its number of items.  No
 * allocation. */
CAIRN_API size_t cairn_dag_sampler_draw(cairn_dag_sampler *sampler,
                                        cairn_base_rng *rng,
                                        cairn_dag_item *out);

#ifdef __cplusplus
}
#endif
#endif

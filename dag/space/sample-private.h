/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/sample-private.h - schedules drawn at random from the tidy space.
 *
 * Where the space can be counted (dag-space.h), draws are exactly uniform: the
 * counts of completions of every prefix are kept, and each step is taken with
 * the probability that they give.  Counts are whole numbers below 2^53 and good
 * to 15 digits beyond, with no limit to their size, so a schedule's probability
 * is off by less than 1e-12 of itself in any program.  A draw counts the
 * choices of every prefix on its way: about 6 us for the ten ops of SpMV.
 *
 * Otherwise draws are states of a random walk over neighbours (dag-moves.h),
 * corrected for their number, as many steps apart as there are ops.  They are
 * only near uniform, for a move and the move back are not always equally many:
 * on SpMV, where both can be compared, the total variation distance from
 * uniform is 0.3 for the walk and 0.7 for random descents (bench/space.c, and
 * the test of counts).  A draw takes two moves' time for each op.
 */
#ifndef CAIRN_DAG_SPACE_SAMPLE_PRIVATE_H
#define CAIRN_DAG_SPACE_SAMPLE_PRIVATE_H

#include "base/rng-private.h"
#include <cairn/dag.h>

typedef struct cairn_dag_sampler cairn_dag_sampler;

/* Counts (well under a second); free with cairn_dag__sampler_free.  The seed
 * only sets where the random walk, if one is needed, begins.  CAIRN_NOMEM. */
cairn_status cairn_dag__sampler_create(const cairn_dag_program *program,
                                       unsigned streams, uint64_t seed,
                                       cairn_dag_sampler **sampler_p);
void cairn_dag__sampler_free(cairn_dag_sampler *sampler);

/* 1: draws are exactly uniform. */
int cairn_dag__sampler_exact(const cairn_dag_sampler *sampler);

/* Draws one schedule, canonical and tidy, into out (room for
 * cairn_dag__program_max_items); returns its number of items.  No
 * allocation. */
size_t cairn_dag__sampler_draw(cairn_dag_sampler *sampler, cairn_base_rng *rng,
                               cairn_dag_item *out);

#endif

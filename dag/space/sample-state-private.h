/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/sample-state-private.h - the inside of a sampler, for tests.
 */
#ifndef CAIRN_DAG_SPACE_SAMPLE_STATE_PRIVATE_H
#define CAIRN_DAG_SPACE_SAMPLE_STATE_PRIVATE_H

#include "dag/space/sample-private.h"
#include <cairn/dag.h>

#include "dag/space/tidy-private.h"

/* As cairn_dag__sampler_create, with a budget of pushes for the exact counts;
 * 0: always the random walk. */
cairn_status cairn_dag__sampler_create_within(const cairn_dag_program *program,
                                              unsigned streams, uint64_t seed,
                                              size_t budget,
                                              cairn_dag_sampler **sampler_p);

/* The walk of an exact sampler, to be pushed to and popped by the test. */
cairn_dag__tidy *cairn_dag__sampler_tidy(cairn_dag_sampler *sampler);
/* The choices that a draw has at the walk's prefix, and their numbers of
 * ordered completions, in proportion to which one is drawn; *known_p: the
 * counter met the prefix's key.  The arrays are the sampler's. */
size_t cairn_dag__sampler_weigh(cairn_dag_sampler *sampler,
                                const cairn_dag_item **choices_p,
                                const cairn_dag__number **counts_p,
                                int *known_p);

#endif

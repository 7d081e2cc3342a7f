/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/sample-private.h - a sampler with a given budget, for tests.
 */
#ifndef CAIRN_DAG_SAMPLE_PRIVATE_H
#define CAIRN_DAG_SAMPLE_PRIVATE_H

#include <cairn/dag-sample.h>

/* As cairn_dag_sampler_create, with a budget of pushes for the exact counts;
 * 0: always the random walk. */
cairn_status dag__sampler_create(const cairn_dag_program *program,
                                 unsigned streams, uint64_t seed, size_t budget,
                                 cairn_dag_sampler **sampler_p);

#endif

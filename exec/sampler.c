/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/sampler.c - an executor as a source of samples for timing/.
 */
#include "exec/drive-private.h"

static cairn_status sample(void *context, const cairn_base_shot *shots,
                           size_t count, cairn_base_sample *samples,
                           cairn_base_execution *outcome_p) {
  return cairn_exec__sample(context, shots, count, samples, outcome_p);
}

cairn_timing_sampler cairn_exec__sampler_of(cairn_exec *exec) {
  return (cairn_timing_sampler){.take = sample, .context = exec};
}

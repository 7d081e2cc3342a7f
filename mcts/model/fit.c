/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/fit.c - learning a machine from what was measured, all samples
 * together.
 *
 * Costs are learned sample by sample (machine.c), in random order: full steps
 * of least squares get stuck where the critical paths change.
 *
 * Engines are learned by trying; what is kept is what brings the simulation
 * nearer to the measurements: another engine for one op; two ops' engines
 * exchanged, which leaves both as busy as they were; engines 1 and 2 exchanged
 * for all ops of some part of the schedule, for early and late ops hardly tell
 * that each other's names are wrong.
 */
#include <math.h>
#include <string.h>

#include "base/rng-private.h"
#include "mcts/model/fit-private.h"
#include <cairn/mcts.h>

void cairn_mcts__fit_free(cairn_mcts_fit *fit) {
  cairn_base_free(fit->gpu_op);
  cairn_base_free(fit->sample);
  cairn_base_free(fit->error);
  cairn_base_free(fit->other);
  *fit = (cairn_mcts_fit){0};
}

cairn_status cairn_mcts__fit_create(cairn_mcts_fit *fit,
                                    const cairn_dag_program *program,
                                    cairn_mcts_machine *machine, size_t limit) {
  fit->machine = machine;
  fit->limit = limit;
  fit->sample = cairn_base_zalloc(limit, sizeof *fit->sample);
  fit->error = cairn_base_zalloc(limit, sizeof *fit->error);
  fit->other = cairn_base_zalloc(limit, sizeof *fit->other);
  fit->gpu_op = cairn_base_zalloc(machine->ops, sizeof *fit->gpu_op);
  if (!fit->sample || !fit->error || !fit->other || !fit->gpu_op)
    return CAIRN_NOMEM;
  for (unsigned x = 0; x < machine->ops; x++)
    if (cairn_dag_program_op(program, x)->kind == CAIRN_DAG_GPU)
      fit->gpu_op[fit->gpu_ops++] = (uint16_t)x;
  return CAIRN_OK;
}

void cairn_mcts__fit_costs(cairn_mcts_fit *fit, unsigned lessons, double rate,
                           cairn_base_rng *rng) {
  while (lessons-- && fit->samples) {
    const cairn_mcts_fit_sample *const s =
        fit->sample + cairn_base__rng_below(rng, (uint32_t)fit->samples);
    cairn_mcts__machine_learn(fit->machine, s->items, s->count, s->time, rate);
  }
}

/* ---- engines ---- */

/* Engines 1 and 2 explain most; others must explain this share more. */
#define UNUSUAL 0.05

static int usual(uint8_t engine) { return engine == 1 || engine == 2; }

static double error_of(cairn_mcts_fit *fit, size_t i) {
  const cairn_mcts_fit_sample *const s = fit->sample + i;
  const double error =
      cairn_mcts__machine_time(fit->machine, s->items, s->count) / s->time - 1;
  return error * error;
}

double cairn_mcts__fit_loss(cairn_mcts_fit *fit) {
  double sum = 0;
  for (size_t i = 0; i < fit->samples; i++)
    sum += fit->error[i] = error_of(fit, i);
  return sum / (double)fit->samples;
}

/* Is the loss now below `share` of what it was when error[] was set?  Says no
 * as soon as that is likely. */
static int better(cairn_mcts_fit *fit, double share) {
  double sum = 0, was = 0;
  for (size_t i = 0; i < fit->samples; i++) {
    sum += fit->other[i] = error_of(fit, i);
    was += fit->error[i];
    if (i % 16 == 15 && sum > was * (share + 1 / sqrt((double)(i + 1)) / 2))
      return 0;
  }
  return sum < was * share;
}

/* Another engine to try: mostly 1 for 2 and 2 for 1; now and then another, or
 * none. */
static uint8_t another(uint8_t old, cairn_base_rng *rng) {
  uint8_t engine;
  if (usual(old) && cairn_base__rng_below(rng, 16))
    return (uint8_t)(3 - old);
  engine = (uint8_t)cairn_base__rng_below(rng, CAIRN_MCTS_ENGINES);
  return (uint8_t)(engine + (engine >= old));
}

/* A random GPU op's engine. */
static uint8_t *some(cairn_mcts_fit *fit, cairn_base_rng *rng) {
  return fit->machine->engine +
         fit->gpu_op[cairn_base__rng_below(rng, fit->gpu_ops)];
}

static int keep(cairn_mcts_fit *fit, double share) {
  double *const error = fit->error;
  if (!better(fit, share))
    return 0;
  fit->error = fit->other;
  fit->other = error;
  return 1;
}

static void try_one(cairn_mcts_fit *fit, cairn_base_rng *rng) {
  uint8_t *const engine = some(fit, rng), was = *engine;
  *engine = another(was, rng);
  if (!keep(fit, 1 + UNUSUAL * (usual(*engine) - usual(was))))
    *engine = was;
}

static void try_two(cairn_mcts_fit *fit, cairn_base_rng *rng) {
  uint8_t *const a = some(fit, rng), *const b = some(fit, rng);
  const uint8_t was_a = *a, was_b = *b;
  *a = was_b;
  *b = was_a;
  if (was_a != was_b && !keep(fit, 1)) {
    *a = was_a;
    *b = was_b;
  }
}

static void exchange(cairn_mcts_fit *fit, unsigned from, unsigned to) {
  for (unsigned k = from; k < to; k++) {
    uint8_t *const engine = fit->machine->engine + fit->gpu_op[k];
    if (usual(*engine))
      *engine = (uint8_t)(3 - *engine);
  }
}

static void try_part(cairn_mcts_fit *fit, cairn_base_rng *rng) {
  unsigned from = cairn_base__rng_below(rng, fit->gpu_ops);
  unsigned to = 1 + cairn_base__rng_below(rng, fit->gpu_ops);
  if (from > to) {
    from = to;
    to = fit->gpu_ops;
  }
  exchange(fit, from, to);
  if (!keep(fit, 1))
    exchange(fit, from, to);
}

void cairn_mcts__fit_engines(cairn_mcts_fit *fit, unsigned tries,
                             cairn_base_rng *rng) {
  for (; tries && fit->gpu_ops; tries--)
    if (tries % 4 == 0)
      try_part(fit, rng);
    else if (tries % 4 == 1)
      try_two(fit, rng);
    else
      try_one(fit, rng);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/size.c - the sizes of a program's space: exact within a budget of
 * work, else estimated (dag/space/count.c).
 *
 * Topological orders are the schedules of the same program with CPU ops only.
 * An estimate is the mean of several independent ones; its interval comes from
 * the spread of their logarithms, widened because few of them say little of
 * the tail.  Wide programs get a rough one without an interval.
 */
#include "dag/prove/prove-private.h"
#include "dag/space/sample-private.h"
#include <cairn/dag.h>

#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/space/keyset-private.h"
#include "dag/space/tidy-private.h"
#include "dag/space/walk-private.h"

#include <math.h>
#include <string.h>

enum {
  ESTIMATE_SHARE = 4, /* an estimate's pushes to the exact count's */
  ESTIMATES = 8,
  WIDEST = 2000,
  NARROWEST = 4,      /* else by dag/space/wide.c */
  WIDE_STEPS = 24576, /* ops times prefixes there */
  WIDE_MOST = 16,
  MINIMAL_MOST = 20000, /* schedules that are minimized one by one */
  MINIMAL_SAMPLE = 400,
  MINIMAL_OPS = 400 /* to draw from */
};

static void set_exact(cairn_dag__number count, cairn_dag_size *size) {
  size->count = size->low = size->high = cairn_dag__number_over(count, 0);
  size->exact = 1;
  size->rough = size->bound = 0;
  size->log10 = log10(count.value) + CAIRN_DAG__SCALE * log10(2) * count.scale;
  size->log10_low = size->log10_high = size->log10;
}

/* Items and choices of a typical walk. */
static cairn_status typical(cairn_dag__tidy *tidy, cairn_base_rng *rng,
                            double *items_p, double *choices_p) {
  size_t items;
  double total = 0;
  cairn_dag_walk *const w = tidy->walk;
  cairn_dag__walk_reset(w);
  for (items = 0; !cairn_dag__walk_complete(w); items++) {
    size_t count;
    const cairn_dag_item *const list = cairn_dag__walk_extensions(w, &count);
    total += (double)count;
    cairn_dag__walk_push(w, list[cairn_base__rng_below(rng, (uint32_t)count)]);
  }
  *items_p = (double)items;
  *choices_p = total / (double)items;
  return CAIRN_OK;
}

/* No estimate came out. */
static void set_unknown(cairn_dag_size *size) {
  size->exact = size->bound = 0;
  size->rough = 1;
  size->low = 1;
  size->log10_low = 0;
  size->count = size->high = size->log10 = size->log10_high = INFINITY;
}

/* The size from some estimates' logarithms. */
static void set_mean(const double *logs, size_t count, cairn_dag_size *size) {
  /* Student's t for 95 % by degrees of freedom */
  static const double student[ESTIMATES] = {0,     12.71, 4.303, 3.182,
                                            2.776, 2.571, 2.447, 2.365};
  double most = 0, sum = 0, mean = 0, spread = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, logs[i]);
    mean += logs[i] / (double)count;
  }
  for (size_t i = 0; i < count; i++) {
    sum += exp(logs[i] - most);
    spread += (logs[i] - mean) * (logs[i] - mean) / ((double)count - 1);
  }
  const double log_count = most + log(sum / (double)count);
  const double wide = student[count - 1] * sqrt(spread) + 0.01;
  size->exact = size->rough = size->bound = 0;
  size->log10 = log_count / log(10);
  size->log10_low = (log_count - wide) / log(10);
  size->log10_high = (log_count + wide) / log(10);
  size->count = exp(log_count);
  size->low = exp(log_count - wide);
  size->high = exp(log_count + wide);
  if (log_count < 36) {
    size->count = round(size->count);
    size->low = floor(size->low);
    size->high = ceil(size->high);
  }
}

/* The mean of `tries` estimates, those that came to nothing (not in `logs`) as
 * zeros.  Without an interval: the weights are far too uneven for the spread of
 * so few to tell how far off they are. */
static void set_rough(const double *logs, size_t count, size_t tries,
                      cairn_dag_size *size) {
  double log_sum = -INFINITY;
  set_unknown(size);
  for (size_t i = 0; i < count; i++)
    log_sum = cairn_dag__log_plus(log_sum, logs[i]);
  if (count == 0)
    return;
  log_sum = fmax(log_sum - log((double)tries), 0); /* there is one */
  size->count = exp(log_sum);
  size->log10 = log_sum / log(10);
}

static cairn_status wide_estimate(cairn_dag__tidy *tidy, uint64_t seed,
                                  cairn_dag_size *size) {
  const size_t ops = tidy->walk->ops;
  const size_t width =
      ops > WIDE_STEPS / WIDE_MOST ? WIDE_STEPS / ops : WIDE_MOST;
  double logs[ESTIMATES];
  size_t count = 0;
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, seed);
  for (int i = 0; i < ESTIMATES; i++) {
    const cairn_status status =
        cairn_dag__wide_estimate(tidy, width, &rng, &logs[count]);
    if (status != CAIRN_OK)
      return status;
    count += isfinite(logs[count]) != 0;
  }
  set_rough(logs, count, ESTIMATES, size);
  return CAIRN_OK;
}

cairn_status cairn_dag__size_estimate(cairn_dag__tidy *tidy, size_t width,
                                      size_t branches, uint64_t seed,
                                      cairn_dag_size *size) {
  double logs[ESTIMATES];
  int all_exact = 1;
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, seed);
  for (int i = 0; i < ESTIMATES; i++) {
    int exact;
    const cairn_status status = cairn_dag__count_estimate(
        tidy, width, branches, &rng, &logs[i], &exact);
    if (status != CAIRN_OK)
      return status;
    all_exact &= exact;
    /* None came out: as if less than one had. */
    logs[i] = fmax(logs[i], 0);
  }
  set_mean(logs, ESTIMATES, size);
  if (all_exact) {
    const double log10_count = size->log10;
    set_exact((cairn_dag__number){round(size->count), 0}, size);
    size->log10 = size->log10_low = size->log10_high = log10_count;
  }
  return CAIRN_OK;
}

static cairn_status tidy_size(const cairn_dag_program *program,
                              unsigned streams, uint64_t seed,
                              cairn_dag_size *size) {
  cairn_dag__tidy *tidy;
  cairn_dag__memo memo = {0};
  cairn_dag__number count;
  double items, choices;
  cairn_base_rng rng;
  cairn_status status = cairn_dag__tidy_create(program, streams, &tidy);
  if (status != CAIRN_OK)
    return status;
  cairn_base__rng_seed(&rng, seed);
  status = cairn_dag__count_exact(tidy, &memo, cairn_dag__exact_pushes(program),
                                  &count);
  cairn_dag__memo_free(&memo);
  if (status == CAIRN_OK) {
    set_exact(cairn_dag__count_all(tidy, count), size);
  } else if (status == CAIRN_EXHAUSTED) {
    status = typical(tidy, &rng, &items, &choices);
    const double branches = fmin(choices, 16);
    const double pushes =
        (double)cairn_dag__exact_pushes(program) / ESTIMATE_SHARE;
    const double width = fmin(floor(pushes / (items * branches)), WIDEST);
    if (status == CAIRN_OK && width < NARROWEST)
      status = wide_estimate(tidy, cairn_base__rng_next(&rng), size);
    else if (status == CAIRN_OK)
      status = cairn_dag__size_estimate(tidy, (size_t)width,
                                        width < 64 ? 16 : SIZE_MAX,
                                        cairn_base__rng_next(&rng), size);
  }
  cairn_dag__tidy_free(tidy);
  return status;
}

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items;
  (void)count;
  ++*(double *)context;
  return 0;
}

/* Draws from a wide program take too long: no more than the tidy ones. */
static void minimal_unknown(cairn_dag_size *size) {
  size->exact = 0;
  size->bound = 1;
  size->low = 1;
  size->log10_low = 0;
}

/* Minimizing maps the tidy space onto the minimal one, and most schedules that
 * are minimal already are tidy ones: so there are at least as many as the
 * share of these says, and at most as many as tidy ones. */
static cairn_status minimal_estimate(const cairn_dag_program *program,
                                     unsigned streams, uint64_t seed,
                                     cairn_dag_size *size) {
  cairn_dag_sampler *sampler;
  cairn_dag_item *items;
  cairn_base_rng rng;
  size_t same = 0, fewer;
  cairn_status status =
      cairn_dag__sampler_create(program, streams, seed, &sampler);
  if (status != CAIRN_OK)
    return status;
  items = cairn_base_alloc(cairn_dag__program_max_items(program, streams),
                           sizeof *items);
  if (!items)
    status = CAIRN_NOMEM;
  cairn_base__rng_seed(&rng, seed);
  for (int i = 0; i < MINIMAL_SAMPLE && status == CAIRN_OK; i++) {
    const size_t count = cairn_dag__sampler_draw(sampler, &rng, items);
    status = cairn_dag__schedule_minimize(program, items, count, &fewer);
    same += fewer == count;
  }
  cairn_base_free(items);
  cairn_dag__sampler_free(sampler);
  const double share = ((double)same + 0.5) / (MINIMAL_SAMPLE + 1);
  size->low *= share;
  size->count *= sqrt(share);
  size->log10 += log10(share) / 2;
  size->log10_low += log10(share);
  size->exact = 0;
  if (size->count < 1e15) {
    size->count = round(size->count);
    size->low = floor(size->low);
  }
  return status;
}

cairn_status cairn_dag_space_size(const cairn_dag_program *program,
                                  unsigned streams, cairn_dag_sync sync,
                                  uint64_t seed, cairn_dag_size *size_p) {
  cairn_dag_size size;
  cairn_status status = tidy_size(program, streams, seed, &size);
  if (status == CAIRN_OK && sync == CAIRN_DAG_SYNC_MINIMAL) {
    if (size.exact && size.count <= MINIMAL_MOST) {
      double count = 0;
      status =
          cairn_dag_space_enumerate(program, streams, sync, count_one, &count);
      set_exact((cairn_dag__number){count, 0}, &size);
    } else if (size.rough || program->count > MINIMAL_OPS) {
      minimal_unknown(&size);
    } else {
      status = minimal_estimate(program, streams, seed, &size);
    }
  }
  if (status == CAIRN_OK)
    *size_p = size;
  return status;
}

cairn_status cairn_dag_space_orders(const cairn_dag_program *program,
                                    cairn_dag_size *size_p) {
  cairn_dag_program *plain;
  cairn_status status = cairn_dag_program_create(program->name, &plain);
  const size_t end = program->count - 1;
  if (status != CAIRN_OK)
    return status;
  for (size_t id = 1; id < end && status == CAIRN_OK; id++) {
    const cairn_dag_op op = {.name = program->ops[id].name,
                             .kind = CAIRN_DAG_CPU};
    status = cairn_dag__program_append(plain, &op);
  }
  for (size_t i = 0; i < program->edge_count && status == CAIRN_OK; i++) {
    const unsigned a = (unsigned)(program->edges[i] >> 32);
    const unsigned b = (unsigned)(program->edges[i] & UINT32_MAX);
    if (a != 0 && b != end)
      status = cairn_dag__program_connect(plain, a, b);
  }
  if (status == CAIRN_OK)
    status = cairn_dag_program_seal(plain, NULL);
  if (status == CAIRN_OK)
    status = tidy_size(plain, 1, 1, size_p);
  cairn_dag_program_free(plain);
  return status;
}

/* partitions of n ops into at most k streams = sum of Stirling numbers of the
 * second kind; logs keep their range. */
cairn_status cairn_dag_space_partitions(const cairn_dag_program *program,
                                        unsigned streams,
                                        cairn_dag_size *size_p) {
  double row[CAIRN_DAG_MAX_STREAMS + 1] = {1}; /* S(n, k) / exp(scale) */
  double scale = 0, sum = 0;
  for (unsigned n = 1; n <= program->gpu_ops; n++) {
    double most = 0;
    for (unsigned k = streams; k > 0; k--) {
      row[k] = k * row[k] + row[k - 1];
      most = fmax(most, row[k]);
    }
    row[0] = 0;
    if (most < 1e200)
      continue;
    for (unsigned k = 0; k <= streams; k++)
      row[k] /= most;
    scale += log(most);
  }
  for (unsigned k = 0; k <= streams; k++)
    sum += row[k];
  set_exact((cairn_dag__number){scale > 0 ? exp(log(sum) + scale) : sum, 0},
            size_p);
  size_p->log10 = log10(sum) + scale / log(10);
  size_p->log10_low = size_p->log10_high = size_p->log10;
  return CAIRN_OK;
}

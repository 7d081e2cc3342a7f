/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/sample.c - drawing schedules: exactly uniform from the counts of
 * completions, or by a random walk over neighbours.
 */
#include "dag/schedule/schedule-private.h"
#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include <cairn/dag.h>

#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/space/sample-state-private.h"
#include "dag/space/tidy-private.h"
#include "dag/space/walk-private.h"

#include <string.h>

struct cairn_dag_sampler {
  const cairn_dag_program *program;
  unsigned streams;
  /* exact */
  cairn_dag__tidy *tidy;
  cairn_dag__memo memo;
  cairn_dag_item *choices;
  cairn_dag__number *counts; /* of completions, choice by choice */
  double *weights;           /* the same on one scale */
  uint16_t *twins;           /* op -> the op that stands for it in this draw */
  /* otherwise */
  cairn_dag_moves *moves;
  cairn_dag_item *at;
  size_t count;
};

void cairn_dag__sampler_free(cairn_dag_sampler *s) {
  if (!s)
    return;
  cairn_dag__tidy_free(s->tidy);
  cairn_dag__memo_free(&s->memo);
  cairn_base_free(s->choices);
  cairn_base_free(s->counts);
  cairn_base_free(s->weights);
  cairn_base_free(s->twins);
  cairn_dag__moves_free(s->moves);
  cairn_base_free(s->at);
  cairn_base_free(s);
}

int cairn_dag__sampler_exact(const cairn_dag_sampler *s) {
  return s->moves == NULL;
}

/* Where the random walk begins: a random descent, and some steps on. */
static cairn_status begin_walk(cairn_dag_sampler *s, uint64_t seed) {
  cairn_dag_walk *walk;
  cairn_base_rng rng;
  const cairn_dag_item *items;
  const size_t room = cairn_dag__program_max_items(s->program, s->streams);
  cairn_status status =
      cairn_dag__moves_create(s->program, s->streams, &s->moves);
  if (status == CAIRN_OK)
    status = cairn_dag__walk_create(s->program, s->streams, &walk);
  if (status != CAIRN_OK)
    return status;
  s->at = cairn_base_alloc(room, sizeof *s->at);
  if (!s->at) {
    cairn_dag__walk_free(walk);
    return CAIRN_NOMEM;
  }
  cairn_base__rng_seed(&rng, seed);
  cairn_dag__walk_rollout(walk, &rng);
  items = cairn_dag__walk_items(walk, &s->count);
  memcpy(s->at, items, s->count * sizeof *items);
  s->count = cairn_dag__schedule_tidy(s->at, s->count);
  cairn_dag__walk_free(walk);
  return CAIRN_OK;
}

static cairn_status begin_exact(cairn_dag_sampler *s, size_t budget) {
  cairn_dag__number count;
  size_t most;
  cairn_status status =
      cairn_dag__tidy_create(s->program, s->streams, &s->tidy);
  if (status != CAIRN_OK)
    return status;
  status = cairn_dag__count_exact(s->tidy, &s->memo, budget, &count);
  if (status != CAIRN_OK)
    return status;
  most = cairn_dag__tidy_most_choices(s->tidy);
  s->choices = cairn_base_alloc(most, sizeof *s->choices);
  s->counts = cairn_base_alloc(most, sizeof *s->counts);
  s->weights = cairn_base_alloc(most, sizeof *s->weights);
  s->twins = cairn_base_alloc(s->program->count, sizeof *s->twins);
  return s->choices && s->counts && s->weights && s->twins ? CAIRN_OK
                                                           : CAIRN_NOMEM;
}

cairn_status cairn_dag__sampler_create_within(const cairn_dag_program *program,
                                              unsigned streams, uint64_t seed,
                                              size_t budget,
                                              cairn_dag_sampler **sampler_p) {
  cairn_dag_sampler *s = cairn_base_zalloc(1, sizeof *s);
  cairn_status status;
  if (!s)
    return CAIRN_NOMEM;
  s->program = program;
  s->streams = streams;
  status = begin_exact(s, budget);
  if (status == CAIRN_EXHAUSTED) {
    cairn_dag__tidy_free(s->tidy);
    cairn_dag__memo_free(&s->memo);
    s->tidy = NULL;
    status = begin_walk(s, seed);
  }
  if (status != CAIRN_OK) {
    cairn_dag__sampler_free(s);
    return status;
  }
  *sampler_p = s;
  return CAIRN_OK;
}

cairn_status cairn_dag__sampler_create(const cairn_dag_program *program,
                                       unsigned streams, uint64_t seed,
                                       cairn_dag_sampler **sampler_p) {
  return cairn_dag__sampler_create_within(
      program, streams, seed, cairn_dag__exact_pushes(program), sampler_p);
}

/* Ordered completions of the prefix after one more item, which is taken back.
 * Every prefix that draws come to is known: the counter met one with its key,
 * and the keys that follow are those that the counter met there. */
static cairn_dag__number completions(cairn_dag_sampler *s,
                                     cairn_dag_item item) {
  cairn_dag__number count = {0, 0};
  if (cairn_dag__tidy_push(s->tidy, item)) {
    const int complete = cairn_dag__tidy_complete(s->tidy);
    const cairn_dag__number *const known =
        complete ? NULL
                 : cairn_dag__memo_find(&s->memo, cairn_dag__tidy_key(s->tidy));
    if (complete > 0)
      count.value = 1;
    else if (known)
      count = *known;
  }
  cairn_dag__tidy_pop(s->tidy);
  return count;
}

/* Weighs the first `count` choices; returns the sum of weights. */
static double weigh(cairn_dag_sampler *s, size_t count) {
  uint32_t scale = 0;
  double total = 0;
  for (size_t i = 0; i < count; i++) {
    s->counts[i] = completions(s, s->choices[i]);
    if (s->counts[i].value > 0 && s->counts[i].scale > scale)
      scale = s->counts[i].scale;
  }
  for (size_t i = 0; i < count; i++)
    total += s->weights[i] = cairn_dag__number_over(s->counts[i], scale);
  return total;
}

/* The choice where the weights before it add up to `at`, which is below their
 * total but for rounding; never one of weight 0 while there is another. */
static size_t choice_at(const double *weights, size_t count, double at) {
  size_t chosen = 0, last = 0;
  for (; chosen < count; chosen++) {
    if (weights[chosen] == 0)
      continue;
    last = chosen;
    if (at < weights[chosen])
      break;
    at -= weights[chosen];
  }
  return last;
}

static void step(cairn_dag_sampler *s, cairn_base_rng *rng) {
  const size_t count = cairn_dag__tidy_choices(s->tidy, s->choices);
  size_t chosen = 0;
  if (count > 1) {
    const double total = weigh(s, count);
    chosen = choice_at(s->weights, count, cairn_base__rng_uniform(rng) * total);
  }
  cairn_dag__tidy_push(s->tidy, s->choices[chosen]);
}

/* The walk issued interchangeable ops in the order of ids: here they change
 * places at random. */
static void shuffle_twins(cairn_dag_sampler *s, cairn_base_rng *rng,
                          cairn_dag_item *items, size_t count) {
  const cairn_dag__tidy *const x = s->tidy;
  unsigned twins = 0;
  for (unsigned id = 0; id < s->program->count; id++) {
    unsigned other = id, back = 0;
    s->twins[id] = (uint16_t)id;
    for (unsigned t = x->twin_before[id]; t != CAIRN_DAG__NONE;
         t = x->twin_before[t])
      back++;
    if (back == 0)
      continue;
    twins = 1;
    for (uint32_t k = cairn_base__rng_below(rng, back + 1); k > 0; k--)
      other = x->twin_before[other];
    s->twins[id] = s->twins[other];
    s->twins[other] = (uint16_t)id;
  }
  for (size_t i = 0; i < count && twins; i++)
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU)
      items[i].id = s->twins[items[i].id];
}

static size_t draw_exact(cairn_dag_sampler *s, cairn_base_rng *rng,
                         cairn_dag_item *out) {
  const cairn_dag_item *items;
  size_t count;
  cairn_dag__tidy_reset(s->tidy);
  while (cairn_dag__tidy_complete(s->tidy) == 0)
    step(s, rng);
  items = cairn_dag__walk_items(s->tidy->walk, &count);
  memcpy(out, items, count * sizeof *items);
  shuffle_twins(s, rng, out, count);
  return count;
}

/* One step: a move drawn uniformly from all that there are, taken with the
 * probability that makes up for the neighbour having more of them (Metropolis
 * et al. 1953; Hastings 1970).  Exactly uniform in the long run if moves were
 * as many back as forth. */
static void walk_on(cairn_dag_sampler *s, cairn_base_rng *rng,
                    cairn_dag_item *out) {
  const size_t moves = cairn_dag__moves_begin(s->moves, s->at, s->count);
  const size_t k = cairn_base__rng_below(rng, (uint32_t)moves);
  const size_t count = cairn_dag__moves_neighbour(s->moves, k, out);
  size_t there;
  if (count == 0)
    return;
  there = cairn_dag__moves_begin(s->moves, out, count);
  if (there > moves &&
      cairn_base__rng_uniform(rng) * (double)there >= (double)moves)
    return;
  memcpy(s->at, out, count * sizeof *out);
  s->count = count;
}

size_t cairn_dag__sampler_draw(cairn_dag_sampler *s, cairn_base_rng *rng,
                               cairn_dag_item *out) {
  if (!s->moves)
    return draw_exact(s, rng, out);
  for (size_t i = 0; i < s->program->count + 16; i++)
    walk_on(s, rng, out);
  memcpy(out, s->at, s->count * sizeof *out);
  return s->count;
}

/* ---- looking inside ---- */

cairn_dag__tidy *cairn_dag__sampler_tidy(cairn_dag_sampler *s) {
  return s->tidy;
}

size_t cairn_dag__sampler_weigh(cairn_dag_sampler *s,
                                const cairn_dag_item **choices_p,
                                const cairn_dag__number **counts_p,
                                int *known_p) {
  const size_t count = cairn_dag__tidy_choices(s->tidy, s->choices);
  *known_p =
      cairn_dag__memo_find(&s->memo, cairn_dag__tidy_key(s->tidy)) != NULL;
  weigh(s, count);
  *choices_p = s->choices;
  *counts_p = s->counts;
  return count;
}

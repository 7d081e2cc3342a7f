/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/count.c - how many tidy schedules there are: exactly, by dynamic
 * programming over keys of prefixes (dag/space/tidy.c), or estimated.
 *
 * The estimate grows a population of weighted prefixes item by item: all
 * prefixes of one length, those with equal keys merged, weights added.  When
 * there are more than the population may hold, it is thinned without bias
 * (threshold resampling, Fearnhead and Clifford 2003: weights above a threshold
 * c stay, the others are kept with probability weight/c and then weigh c).
 * The sum of the weights of the tidy schedules that come out is an unbiased
 * estimate of their number (stochastic enumeration, Rubinstein 2013); it is
 * the number itself when nothing was thinned.
 */
#include "base/rng-private.h"
#include "dag/space/tidy-private.h"
#include <cairn/dag.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- memo ---- */

void cairn_dag__memo_free(cairn_dag__memo *memo) {
  cairn_base_free(memo->slots);
  memset(memo, 0, sizeof *memo);
}

/* Keys are never all zero: see cairn_dag__tidy_key. */
static cairn_dag__memo_slot *slot_of(cairn_dag__memo_slot *slots, size_t count,
                                     cairn_dag_key key) {
  size_t i = (size_t)(key.lo >> 1) & (count - 1);
  while (slots[i].key.lo &&
         (slots[i].key.lo != key.lo || slots[i].key.hi != key.hi))
    i = (i + 1) & (count - 1);
  return &slots[i];
}

const cairn_dag__number *cairn_dag__memo_find(const cairn_dag__memo *memo,
                                              cairn_dag_key key) {
  cairn_dag__memo_slot *slot;
  if (!memo->slot_count)
    return NULL;
  slot = slot_of(memo->slots, memo->slot_count, key);
  return slot->key.lo ? &slot->value : NULL;
}

static cairn_status memo_grow(cairn_dag__memo *memo) {
  const size_t count = memo->slot_count ? 2 * memo->slot_count : 1024;
  cairn_dag__memo_slot *const slots = cairn_base_zalloc(count, sizeof *slots);
  if (!slots)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < memo->slot_count; i++)
    if (memo->slots[i].key.lo)
      *slot_of(slots, count, memo->slots[i].key) = memo->slots[i];
  cairn_base_free(memo->slots);
  memo->slots = slots;
  memo->slot_count = count;
  return CAIRN_OK;
}

cairn_status cairn_dag__memo_add(cairn_dag__memo *memo, cairn_dag_key key,
                                 cairn_dag__number value) {
  if (2 * (memo->count + 1) > memo->slot_count && memo_grow(memo) != CAIRN_OK)
    return CAIRN_NOMEM;
  *slot_of(memo->slots, memo->slot_count, key) =
      (cairn_dag__memo_slot){key, value};
  memo->count++;
  return CAIRN_OK;
}

/* ---- exactly ---- */

typedef struct frame {
  cairn_dag_key key;
  cairn_dag__number sum;
  size_t next, end; /* choices not tried yet */
} frame;

typedef struct counter {
  cairn_dag__tidy *tidy;
  cairn_dag__memo *memo;
  cairn_dag_item *items; /* choices of all prefixes on the path */
  size_t choices, item_capacity;
  frame *frames;
  size_t depth, frame_capacity;
} counter;

static cairn_status open_frame(counter *c, cairn_dag_key key) {
  const size_t room = c->choices + cairn_dag__tidy_most_choices(c->tidy);
  frame *top;
  if (cairn_base_reserve(&c->items, &c->item_capacity, room,
                         sizeof *c->items) != CAIRN_OK ||
      cairn_base_reserve(&c->frames, &c->frame_capacity, c->depth + 1,
                         sizeof *c->frames) != CAIRN_OK)
    return CAIRN_NOMEM;
  top = &c->frames[c->depth++];
  top->key = key;
  top->sum = (cairn_dag__number){0, 0};
  top->next = c->choices;
  c->choices += cairn_dag__tidy_choices(c->tidy, c->items + c->choices);
  top->end = c->choices;
  return CAIRN_OK;
}

/* Counts the prefix just pushed, if that can be done at once; else opens a
 * frame for it and returns 0. */
static int settle(counter *c, int hopeful, cairn_status *status_p) {
  frame *const top = &c->frames[c->depth - 1];
  const int complete = hopeful ? cairn_dag__tidy_complete(c->tidy) : -1;
  cairn_dag_key key;
  const cairn_dag__number *known;
  if (complete) {
    if (complete > 0)
      top->sum = cairn_dag__number_plus(top->sum, (cairn_dag__number){1, 0});
    return 1;
  }
  key = cairn_dag__tidy_key(c->tidy);
  known = cairn_dag__memo_find(c->memo, key);
  if (known) {
    top->sum = cairn_dag__number_plus(top->sum, *known);
    return 1;
  }
  *status_p = open_frame(c, key);
  return 0;
}

/* A push costs about as much as LABOUR of it. */
enum { LABOUR = 64 };

static cairn_status count_all(counter *c, size_t budget,
                              cairn_dag__number *count_p) {
  cairn_status status = open_frame(c, cairn_dag__tidy_key(c->tidy));
  uint64_t pushes = 0;
  while (status == CAIRN_OK) {
    frame *const top = &c->frames[c->depth - 1];
    if (top->next < top->end) {
      const cairn_dag_item item = c->items[top->next++];
      if (pushes++ + c->tidy->labour / LABOUR >= budget)
        return CAIRN_EXHAUSTED;
      if (settle(c, cairn_dag__tidy_push(c->tidy, item), &status))
        cairn_dag__tidy_pop(c->tidy);
      continue;
    }
    const cairn_dag__number sum = top->sum;
    status = cairn_dag__memo_add(c->memo, top->key, sum);
    if (--c->depth == 0) {
      *count_p = sum;
      return status;
    }
    frame *const below = &c->frames[c->depth - 1];
    c->choices = below->end;
    below->sum = cairn_dag__number_plus(below->sum, sum);
    cairn_dag__tidy_pop(c->tidy);
  }
  return status;
}

/* Pushes of the exact count: a push costs about as the ops do, and all should
 * take about a quarter of a second. */
size_t cairn_dag__exact_pushes(const cairn_dag_program *program) {
  const size_t pushes = 50000000 / program->count;
  return pushes > 600000 ? 600000 : pushes < 50000 ? 50000 : pushes;
}

cairn_status cairn_dag__count_exact(cairn_dag__tidy *tidy,
                                    cairn_dag__memo *memo, size_t budget,
                                    cairn_dag__number *count_p) {
  counter c = {.tidy = tidy, .memo = memo};
  cairn_status status;
  cairn_dag__tidy_reset(tidy);
  tidy->labour = 0;
  status = count_all(&c, budget, count_p);
  cairn_base_free(c.items);
  cairn_base_free(c.frames);
  return status;
}

cairn_dag__number cairn_dag__count_all(const cairn_dag__tidy *tidy,
                                       cairn_dag__number ordered) {
  for (unsigned c = 0; c < tidy->classes; c++)
    for (unsigned k = 2; k <= tidy->class_size[c]; k++) {
      ordered.value *= k;
      ordered = cairn_dag__number_scaled(ordered);
    }
  return ordered;
}

/* ---- estimated ---- */

/* Of two prefixes of one length the one with more ops left has more
 * completions, so it is kept more readily: by e^PER_OP for each op.  In large
 * programs that would favour prefixes full of syncs that lead nowhere. */
enum { SMALL = 24 /* ops */, PER_OP = 1 };

typedef struct member {
  double weight, score;
  uint32_t parent; /* in the generation before */
  cairn_dag_item item;
} member;

typedef struct population {
  cairn_dag__tidy *tidy;
  size_t width, branches;
  cairn_base_rng *rng;
  char *saved, *next_saved; /* states of this generation and the next */
  double *weights;          /* of this generation */
  size_t count;
  member *born;
  size_t births, born_capacity;
  cairn_dag__memo index; /* key -> birth */
  cairn_dag_item *items;
  double scale;  /* log: weights are multiples of exp(scale) */
  double result; /* log of what has come out */
  double per_op; /* see PER_OP */
  int thinned;
} population;

static void come_out(population *p, double weight) {
  p->result = cairn_dag__log_plus(p->result, log(weight) + p->scale);
}

static double ops_left(const cairn_dag__tidy *x) {
  return x->walk->ops - x->ops_issued;
}

static cairn_status be_born(population *p, uint32_t parent, cairn_dag_item item,
                            double weight) {
  const cairn_dag_key key = cairn_dag__tidy_key(p->tidy);
  const cairn_dag__number *const known = cairn_dag__memo_find(&p->index, key);
  if (known) {
    p->born[(size_t)known->value].weight += weight;
    return CAIRN_OK;
  }
  if (cairn_base_reserve(&p->born, &p->born_capacity, p->births + 1,
                         sizeof *p->born) != CAIRN_OK)
    return CAIRN_NOMEM;
  p->born[p->births] = (member){weight, ops_left(p->tidy), parent, item};
  return cairn_dag__memo_add(&p->index, key,
                             (cairn_dag__number){(double)p->births++, 0});
}

/* Keeps `branches` of the choices, each equally likely; returns by how much
 * each stands for more. */
static double thin_choices(population *p, size_t *count) {
  const size_t all = *count;
  if (all <= p->branches)
    return 1;
  for (size_t i = 0; i < p->branches; i++) {
    const size_t k = i + cairn_base__rng_below(p->rng, (uint32_t)(all - i));
    const cairn_dag_item item = p->items[i];
    p->items[i] = p->items[k];
    p->items[k] = item;
  }
  *count = p->branches;
  p->thinned = 1;
  return (double)all / (double)p->branches;
}

static cairn_status expand(population *p, uint32_t parent) {
  const size_t bytes = cairn_dag__tidy_bytes(p->tidy);
  cairn_status status = CAIRN_OK;
  size_t count;
  double more;
  cairn_dag__tidy_load(p->tidy, p->saved + parent * bytes);
  count = cairn_dag__tidy_choices(p->tidy, p->items);
  more = thin_choices(p, &count);
  const double weight = p->weights[parent] * more;
  for (size_t i = 0; i < count && status == CAIRN_OK; i++) {
    if (cairn_dag__tidy_push(p->tidy, p->items[i])) {
      const int complete = cairn_dag__tidy_complete(p->tidy);
      if (complete > 0)
        come_out(p, weight);
      else if (complete == 0)
        status = be_born(p, parent, p->items[i], weight);
    }
    cairn_dag__tidy_pop(p->tidy);
  }
  return status;
}

static int heavier(const void *a, const void *b) {
  const member *const x = a, *const y = b;
  if (x->score != y->score)
    return x->score < y->score ? 1 : -1;
  if (x->parent != y->parent)
    return x->parent < y->parent ? -1 : 1;
  return memcmp(&x->item, &y->item, sizeof x->item);
}

/* Thins the births to at most `width`, in expectation without change. */
static void thin(population *p) {
  double rest = 0, threshold, position, most;
  size_t sure = 0, kept;
  if (p->births <= p->width)
    return;
  p->thinned = 1;
  most = p->born[0].score;
  for (size_t i = 1; i < p->births; i++)
    most = fmax(most, p->born[i].score);
  for (size_t i = 0; i < p->births; i++)
    p->born[i].score =
        p->born[i].weight * exp((p->born[i].score - most) * p->per_op);
  qsort(p->born, p->births, sizeof *p->born, heavier);
  for (size_t i = 0; i < p->births; i++)
    rest += p->born[i].score;
  while (p->born[sure].score * (double)(p->width - sure) > rest &&
         sure + 1 < p->width)
    rest -= p->born[sure++].score;
  threshold = rest / (double)(p->width - sure);
  position = cairn_base__rng_uniform(p->rng);
  kept = sure;
  for (size_t i = sure; i < p->births && kept < p->width; i++) {
    const double chance = p->born[i].score / threshold;
    position -= chance;
    if (position >= 0)
      continue;
    position += 1;
    p->born[kept] = p->born[i];
    p->born[kept++].weight /= chance;
  }
  p->births = kept;
}

/* The births become the generation. */
static void succeed(population *p) {
  const size_t bytes = cairn_dag__tidy_bytes(p->tidy);
  double most = 0;
  char *swap;
  for (size_t i = 0; i < p->births; i++)
    most = fmax(most, p->born[i].weight);
  for (size_t i = 0; i < p->births; i++) {
    cairn_dag__tidy_load(p->tidy, p->saved + p->born[i].parent * bytes);
    cairn_dag__tidy_push(p->tidy, p->born[i].item);
    cairn_dag__tidy_save(p->tidy, p->next_saved + i * bytes);
    p->weights[i] = p->born[i].weight / most;
  }
  p->scale += p->births ? log(most) : 0;
  swap = p->saved;
  p->saved = p->next_saved;
  p->next_saved = swap;
  p->count = p->births;
}

static cairn_status run(population *p) {
  cairn_status status = CAIRN_OK;
  cairn_dag__tidy_reset(p->tidy);
  cairn_dag__tidy_save(p->tidy, p->saved);
  p->weights[0] = 1;
  p->count = 1;
  while (p->count > 0 && status == CAIRN_OK) {
    p->births = 0;
    p->index.count = 0;
    if (p->index.slot_count)
      memset(p->index.slots, 0, p->index.slot_count * sizeof *p->index.slots);
    for (uint32_t i = 0; i < p->count && status == CAIRN_OK; i++)
      status = expand(p, i);
    thin(p);
    succeed(p);
  }
  return status;
}

/* By how much all completions are more than the ordered ones, as logarithm. */
static double log_times(const cairn_dag__tidy *x) {
  double sum = 0;
  for (unsigned c = 0; c < x->classes; c++)
    sum += lgamma(x->class_size[c] + 1.0);
  return sum;
}

cairn_status cairn_dag__count_estimate(cairn_dag__tidy *tidy, size_t width,
                                       size_t branches, cairn_base_rng *rng,
                                       double *log_p, int *exact_p) {
  const size_t bytes = cairn_dag__tidy_bytes(tidy);
  const size_t choices = cairn_dag__tidy_most_choices(tidy);
  population p = {.tidy = tidy,
                  .width = width,
                  .branches = branches,
                  .rng = rng,
                  .result = -INFINITY,
                  .per_op = tidy->walk->program->count <= SMALL ? PER_OP : 0};
  cairn_status status = CAIRN_NOMEM;
  p.saved = cairn_base_zalloc(width, bytes);
  p.next_saved = cairn_base_zalloc(width, bytes);
  p.weights = cairn_base_alloc(width, sizeof *p.weights);
  p.items = cairn_base_alloc(choices, sizeof *p.items);
  tidy->rough = 1; /* two members that are alike do no harm */
  if (p.saved && p.next_saved && p.weights && p.items)
    status = run(&p);
  tidy->rough = 0;
  *log_p = p.result + log_times(tidy);
  *exact_p = !p.thinned;
  cairn_dag__memo_free(&p.index);
  cairn_base_free(p.saved);
  cairn_base_free(p.next_saved);
  cairn_base_free(p.weights);
  cairn_base_free(p.born);
  cairn_base_free(p.items);
  return status;
}

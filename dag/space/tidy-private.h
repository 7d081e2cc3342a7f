/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/space/tidy-private.h - a walk that turns back when its prefix can no
 * longer become a tidy schedule, and that knows which prefixes go on alike.
 */
#ifndef CAIRN_DAG_SPACE_TIDY_PRIVATE_H
#define CAIRN_DAG_SPACE_TIDY_PRIVATE_H

#include <math.h>

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "dag/space/walk-state-private.h"
#include <cairn/dag.h>

typedef struct cairn_dag__tidy {
  cairn_dag_walk *walk;
  unsigned classes;
  uint16_t *class_of;    /* op -> its class of interchangeable ops */
  uint16_t *class_size;  /* class -> ops */
  uint16_t *twin_before; /* op -> the one before it in its class, or NONE */
  uint32_t *before;      /* item -> pending before it */
  /* Follows from the prefix; in one block, to be copied. */
  void *state;
  size_t state_bytes;
  uint16_t *issued;              /* class -> ops issued */
  uint16_t *left_cpu, *left_gpu; /* GPU op -> successors not issued */
  uint32_t *waits;               /* record -> waits for it */
  uint64_t *unwaited;            /* records without */
  uint32_t pending; /* streams with a wait and no GPU op after it */
  uint32_t placed;  /* GPU ops issued */
  uint32_t ops_issued;
  /* For keys (dag/space/tidy-key.c). */
  uint16_t *words, *text;
  uint32_t *masks;
  size_t most_groups;
  int rough;       /* 1: keys need not be canonical, but made at once */
  uint64_t labour; /* spent on streams that look alike: groups looked at */
} cairn_dag__tidy;

cairn_status cairn_dag__tidy_create(const cairn_dag_program *program,
                                    unsigned streams, cairn_dag__tidy **tidy_p);
void cairn_dag__tidy_free(cairn_dag__tidy *tidy);
void cairn_dag__tidy_reset(cairn_dag__tidy *tidy);

/* Pushes a legal extension; 0: the prefix surely cannot become tidy any more
 * (it is pushed all the same). */
int cairn_dag__tidy_push(cairn_dag__tidy *tidy, cairn_dag_item item);
/* The same with the k-th of all extensions, interchangeable or not. */
int cairn_dag__tidy_push_nth(cairn_dag__tidy *tidy, uint32_t k);
void cairn_dag__tidy_pop(cairn_dag__tidy *tidy);

/* 1: the prefix is complete and tidy; 0: not complete; -1: complete, untidy. */
int cairn_dag__tidy_complete(const cairn_dag__tidy *tidy);

/* Copies the extensions to `out`, of those by interchangeable ops only that of
 * the lowest id; returns how many.  A walk that only pushes these issues the
 * ops of a class in the order of ids: such walks are called ordered.  All
 * others come from them by exchanging such ops, which gives each of them the
 * product of the factorials of the classes' sizes as often. */
size_t cairn_dag__tidy_choices(cairn_dag__tidy *tidy, cairn_dag_item *out);
/* The most that cairn_dag__tidy_choices can return. */
size_t cairn_dag__tidy_most_choices(const cairn_dag__tidy *tidy);

/* Prefixes have equal keys if, and only if, what their continuations depend on
 * is equal up to the names of streams, events and interchangeable ops; then
 * they have equally many, and the keys of the prefixes that their choices lead
 * to are the same ones. */
cairn_dag_key cairn_dag__tidy_key(cairn_dag__tidy *tidy);
cairn_status cairn_dag__tidy_key_create(cairn_dag__tidy *tidy);
void cairn_dag__tidy_key_free(cairn_dag__tidy *tidy);

/* Copies of the state, of cairn_dag__tidy_bytes bytes; a loaded walk has no
 * items but can be pushed to, and popped back to where it was loaded. */
size_t cairn_dag__tidy_bytes(const cairn_dag__tidy *tidy);
void cairn_dag__tidy_save(const cairn_dag__tidy *tidy, void *copy);
void cairn_dag__tidy_load(cairn_dag__tidy *tidy, const void *copy);

/* A number that may be beyond a double: value * 2^(CAIRN_DAG__SCALE * scale).
 * As exact as a double: sums below 2^53 exactly, others to 15 digits or so. */
typedef struct cairn_dag__number {
  double value;
  uint32_t scale;
} cairn_dag__number;

enum { CAIRN_DAG__SCALE = 512 };

static inline cairn_dag__number cairn_dag__number_scaled(cairn_dag__number x) {
  if (x.value >= 0x1p512)
    return (cairn_dag__number){x.value * 0x1p-512, x.scale + 1};
  return x;
}

/* x / 2^(CAIRN_DAG__SCALE * scale) as a double. */
static inline double cairn_dag__number_over(cairn_dag__number x,
                                            uint32_t scale) {
  if (x.scale == scale)
    return x.value;
  return ldexp(x.value, CAIRN_DAG__SCALE * ((int)x.scale - (int)scale));
}

static inline cairn_dag__number cairn_dag__number_plus(cairn_dag__number x,
                                                       cairn_dag__number y) {
  const uint32_t scale = x.scale > y.scale ? x.scale : y.scale;
  return cairn_dag__number_scaled((cairn_dag__number){
      cairn_dag__number_over(x, scale) + cairn_dag__number_over(y, scale),
      scale});
}

/* A memo: key -> number.  Start with {0}; free with cairn_dag__memo_free. */
typedef struct cairn_dag__memo_slot {
  cairn_dag_key key;
  cairn_dag__number value;
} cairn_dag__memo_slot;

typedef struct cairn_dag__memo {
  cairn_dag__memo_slot *slots;
  size_t slot_count, count;
} cairn_dag__memo;

void cairn_dag__memo_free(cairn_dag__memo *memo);
/* The value of a key, or NULL. */
const cairn_dag__number *cairn_dag__memo_find(const cairn_dag__memo *memo,
                                              cairn_dag_key key);
/* Adds a key that is not there. */
cairn_status cairn_dag__memo_add(cairn_dag__memo *memo, cairn_dag_key key,
                                 cairn_dag__number value);

/* Number of ordered tidy completions of the start (see
 * cairn_dag__tidy_choices), all of the prefixes on the way in the memo.
 * CAIRN_EXHAUSTED when more than `budget` pushes, or as much labour, are
 * needed. */
cairn_status cairn_dag__count_exact(cairn_dag__tidy *tidy,
                                    cairn_dag__memo *memo, size_t budget,
                                    cairn_dag__number *count_p);
/* All completions from the ordered ones. */
cairn_dag__number cairn_dag__count_all(const cairn_dag__tidy *tidy,
                                       cairn_dag__number ordered);
/* A budget that takes well under a second. */
size_t cairn_dag__exact_pushes(const cairn_dag_program *program);
/* An estimate of all, in natural logarithm, by a population of about `width`
 * prefixes; *exact_p: it is no estimate, the population never had to be
 * thinned.  At most `branches` choices of a prefix are followed.  -INFINITY:
 * none was completed. */
cairn_status cairn_dag__count_estimate(cairn_dag__tidy *tidy, size_t width,
                                       size_t branches, cairn_base_rng *rng,
                                       double *log_p, int *exact_p);
/* The same for wide programs: `width` prefixes that are seldom compared, by
 * dag/space/wide.c. */
cairn_status cairn_dag__wide_estimate(cairn_dag__tidy *tidy, size_t width,
                                      cairn_base_rng *rng, double *log_p);
/* log(exp(x) + exp(y)). */
static inline double cairn_dag__log_plus(double x, double y) {
  const double high = fmax(x, y), low = fmin(x, y);
  return isinf(low) ? high : high + log1p(exp(low - high));
}
/* The mean of several such estimates, with its interval (dag/space/size.c). */
cairn_status cairn_dag__size_estimate(cairn_dag__tidy *tidy, size_t width,
                                      size_t branches, uint64_t seed,
                                      cairn_dag_size *size);

#endif

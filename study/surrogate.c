/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/surrogate.c - a Gaussian process over orders and streams.
 *
 * Rasmussen and Williams: Gaussian Processes for Machine Learning (2006);
 * leaving one out in closed form: section 5.4.2.
 */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "base/rng-private.h"
#include "dag/schedule/schedule-private.h"
#include "study/surrogate-private.h"
#include <cairn/dag.h>

enum { MOST_OPS = 200, MOST_LEARNT = 400, LEAST = 10 };

/* ---- features ---- */

static cairn_status features_make(const cairn_dag_program *program,
                                  cairn_study__features *f) {
  const unsigned ops = cairn_dag_program_ops(program);
  f->ops = ops;
  f->gpu = cairn_base_alloc(ops, sizeof *f->gpu);
  f->list = cairn_base_alloc(ops, sizeof *f->list);
  f->place = cairn_base_alloc(ops, sizeof *f->place);
  f->stream = cairn_base_zalloc(ops, 1);
  if (!f->gpu || !f->list || !f->place || !f->stream)
    return CAIRN_NOMEM;
  for (unsigned id = 0; id < ops; id++) {
    const int gpu = cairn_dag_program_op(program, id)->kind == CAIRN_DAG_GPU;
    f->gpu[id] = gpu ? f->gpu_ops : UINT_MAX;
    if (gpu)
      f->list[f->gpu_ops++] = id;
  }
  /* orders, streams, waits of the host, waits of streams */
  f->bits = ops * ops + 2 * f->gpu_ops * f->gpu_ops + f->gpu_ops * ops;
  f->words = cairn_base__bits_words(f->bits) + !f->bits;
  f->known_words = cairn_base__bits_words(f->gpu_ops) + 1;
  return CAIRN_OK;
}

static void features_free(cairn_study__features *f) {
  cairn_base_free(f->gpu);
  cairn_base_free(f->list);
  cairn_base_free(f->place);
  cairn_base_free(f->stream);
  cairn_base_free(f->known);
}

enum { HOST, STREAM, EVENT = STREAM + CAIRN_DAG_MAX_STREAMS };

static uint64_t *known(const cairn_study__features *f, size_t who) {
  return f->known + who * f->known_words;
}

static void learn_of(const cairn_study__features *f, size_t who, size_t whose) {
  for (size_t w = 0; w < f->known_words; w++)
    known(f, who)[w] |= known(f, whose)[w];
}

/* What is known when an item is issued, and after it. */
static void see(cairn_study__features *f, cairn_dag_item item, uint64_t *bits) {
  const size_t stream = STREAM + item.stream, event = EVENT + item.id;
  unsigned at = f->ops * f->ops + f->gpu_ops * f->gpu_ops;
  if (item.kind == CAIRN_DAG_ITEM_CES) {
    learn_of(f, HOST, event);
  } else if (item.kind == CAIRN_DAG_ITEM_CSW) {
    learn_of(f, stream, event);
  } else if (item.kind == CAIRN_DAG_ITEM_CER) {
    memcpy(known(f, event), known(f, stream),
           f->known_words * sizeof *f->known);
  } else {
    for (unsigned g = 0; g < f->gpu_ops; g++)
      if (cairn_base__bits_test(known(f, HOST), g))
        cairn_base__bits_set(bits, at + g * f->ops + item.id);
    at += f->gpu_ops * f->ops;
    if (item.kind != CAIRN_DAG_ITEM_GPU)
      return;
    for (unsigned g = 0; g < f->gpu_ops; g++)
      if (cairn_base__bits_test(known(f, stream), g))
        cairn_base__bits_set(bits, at + g * f->gpu_ops + f->gpu[item.id]);
    cairn_base__bits_set(known(f, stream), f->gpu[item.id]);
  }
}

static cairn_status features_of(cairn_study__features *f,
                                const cairn_dag_item *items, size_t count,
                                uint64_t *bits) {
  unsigned events = 0;
  for (size_t i = 0; i < count; i++)
    if (items[i].kind >= CAIRN_DAG_ITEM_CER && items[i].id >= events)
      events = items[i].id + 1u;
  if (cairn_base_reserve(&f->known, &f->known_capacity,
                         (EVENT + events) * f->known_words, sizeof *f->known))
    return CAIRN_NOMEM;
  memset(f->known, 0, (EVENT + events) * f->known_words * sizeof *f->known);
  memset(bits, 0, f->words * sizeof *bits);
  for (size_t i = 0; i < count; i++) {
    if (items[i].kind <= CAIRN_DAG_ITEM_GPU) {
      f->place[items[i].id] = (uint32_t)i;
      f->stream[items[i].id] = items[i].stream;
    }
    see(f, items[i], bits);
  }
  for (unsigned b = 0; b < f->ops; b++)
    for (unsigned a = 0; a < b; a++)
      if (f->place[a] < f->place[b])
        cairn_base__bits_set(bits, a * f->ops + b);
  for (unsigned b = 0; b < f->gpu_ops; b++)
    for (unsigned a = 0; a < b; a++)
      if (f->stream[f->list[a]] == f->stream[f->list[b]])
        cairn_base__bits_set(bits, f->ops * f->ops + a * f->gpu_ops + b);
  return CAIRN_OK;
}

static unsigned differ(const uint64_t *a, const uint64_t *b, size_t words) {
  unsigned sum = 0;
  for (size_t w = 0; w < words; w++)
    sum += cairn_base__bits_popcount(a[w] ^ b[w]);
  return sum;
}

/* ---- fitting ---- */

typedef struct fit {
  const cairn_study__surrogate *s;
  const double *y; /* log times less their mean */
  double *lower;   /* Cholesky factor, then its inverse */
  double *weight, *residual;
} fit;

static double covariance(double bits, double length) {
  return exp(-bits / length);
}

/* Lower factor of covariance + noise, in place.  0: not positive definite. */
static int factorise(double *a, size_t n) {
  for (size_t j = 0; j < n; j++) {
    for (size_t i = j; i < n; i++) {
      double sum = a[i * n + j];
      for (size_t k = 0; k < j; k++)
        sum -= a[i * n + k] * a[j * n + k];
      if (i == j && !(sum > 0))
        return 0;
      a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
    }
  }
  return 1;
}

/* The inverse of a lower triangle, in place. */
static void invert(double *a, size_t n) {
  for (size_t j = 0; j < n; j++) {
    a[j * n + j] = 1 / a[j * n + j];
    for (size_t i = j + 1; i < n; i++) {
      double sum = 0;
      for (size_t k = j; k < i; k++)
        sum -= a[i * n + k] * a[k * n + j];
      a[i * n + j] = sum / a[i * n + i];
    }
  }
}

/* Weights and residuals for a length and a noise; returns the sum of squared
 * residuals. */
static double try_fit(fit *f, double length, double noise) {
  const cairn_study__surrogate *const s = f->s;
  const size_t n = s->count, words = s->features.words;
  double squares = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++)
      f->lower[i * n + j] =
          covariance(differ(s->bits + i * words, s->bits + j * words, words),
                     length) +
          (i == j ? noise : 0);
  if (!factorise(f->lower, n))
    return INFINITY;
  invert(f->lower, n);
  for (size_t i = 0; i < n;
       i++) { /* inverse' * inverse * y, and its diagonal */
    f->residual[i] = 0;
    for (size_t k = 0; k <= i; k++)
      f->residual[i] += f->lower[i * n + k] * f->y[k];
  }
  for (size_t i = 0; i < n; i++) {
    double diagonal = 0;
    f->weight[i] = 0;
    for (size_t k = i; k < n; k++) {
      f->weight[i] += f->lower[k * n + i] * f->residual[k];
      diagonal += f->lower[k * n + i] * f->lower[k * n + i];
    }
    const double left_out = f->weight[i] / diagonal;
    squares += left_out * left_out;
  }
  return squares;
}

static void find_residuals(fit *f, double *residual) {
  const size_t n = f->s->count;
  for (size_t i = 0; i < n; i++) {
    double diagonal = 0;
    for (size_t k = i; k < n; k++)
      diagonal += f->lower[k * n + i] * f->lower[k * n + i];
    residual[i] = f->weight[i] / diagonal;
  }
}

static cairn_status fit_best(cairn_study__surrogate *s, const double *y) {
  static const double lengths[] = {2, 5, 12, 30, 80};
  static const double noises[] = {0.003, 0.03, 0.2, 1};
  const size_t n = s->count;
  double best = INFINITY, length = lengths[0], noise = noises[0], total = 0;
  fit f = {.s = s, .y = y, .weight = s->weight};
  f.lower = cairn_base_zalloc(n * n, sizeof *f.lower);
  f.residual = cairn_base_alloc(n, sizeof *f.residual);
  if (!f.lower || !f.residual) {
    cairn_base_free(f.lower);
    cairn_base_free(f.residual);
    return CAIRN_NOMEM;
  }
  for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++) {
      const double squares = try_fit(&f, lengths[l], noises[k]);
      if (squares < best) {
        best = squares;
        length = lengths[l];
        noise = noises[k];
      }
    }
  (void)try_fit(&f, length, noise);
  find_residuals(&f, s->residual);
  for (unsigned b = 0; b <= s->features.bits; b++)
    s->covariance[b] = covariance(b, length);
  for (size_t i = 0; i < n; i++)
    total += y[i] * y[i];
  s->explained = total > 0 ? 1 - best / total : 0;
  cairn_base_free(f.lower);
  cairn_base_free(f.residual);
  return CAIRN_OK;
}

/* ---- learning ---- */

static size_t usable(const cairn_study_space *space) {
  return space->count - space->failed;
}

/* Of too many, every so-many-th is learnt from. */
static cairn_status learn(cairn_study__surrogate *s,
                          const cairn_study_space *space, double *y) {
  const size_t all = usable(space);
  const size_t most = all < MOST_LEARNT ? all : MOST_LEARNT;
  size_t seen = 0;
  for (size_t i = 0; i < space->count; i++) {
    if (isinf(space->time_s[i]))
      continue;
    if (seen++ * most / all != s->count || s->count >= most)
      continue;
    if (features_of(&s->features, space->schedule[i].items,
                    space->schedule[i].count,
                    s->bits + s->count * s->features.words))
      return CAIRN_NOMEM;
    y[s->count++] = log(space->time_s[i]);
  }
  for (size_t i = 0; i < s->count; i++)
    s->mean += y[i] / (double)s->count;
  for (size_t i = 0; i < s->count; i++)
    y[i] -= s->mean;
  return fit_best(s, y);
}

static cairn_status make(const cairn_dag_program *program,
                         const cairn_study_space *space,
                         cairn_study__surrogate *s) {
  cairn_status status = features_make(program, &s->features);
  double *y = NULL;
  if (!status)
    status = cairn_study__table_make(space, &s->measured);
  if (status)
    return status;
  s->bits = cairn_base_alloc(MOST_LEARNT * s->features.words, sizeof *s->bits);
  s->work = cairn_base_zalloc(s->features.words, sizeof *s->work);
  s->weight = cairn_base_alloc(MOST_LEARNT, sizeof *s->weight);
  s->residual = cairn_base_alloc(MOST_LEARNT, sizeof *s->residual);
  s->covariance = cairn_base_alloc(s->features.bits + 1, sizeof *s->covariance);
  y = cairn_base_alloc(MOST_LEARNT, sizeof *y);
  status = s->bits && s->work && s->weight && s->residual && s->covariance && y
               ? learn(s, space, y)
               : CAIRN_NOMEM;
  cairn_base_free(y);
  return status;
}

cairn_status cairn_study__surrogate_make(const cairn_dag_program *program,
                                         const cairn_study_space *space,
                                         cairn_base_diag *diag,
                                         cairn_study__surrogate *s) {
  *s = (cairn_study__surrogate){0};
  if (usable(space) < LEAST) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, space->path, 0,
                        "%zu usable times; %d are needed for an estimate",
                        usable(space), LEAST);
    return CAIRN_FINDINGS;
  }
  if (cairn_dag_program_ops(program) > MOST_OPS + 2) {
    cairn_base_diag_error(diag,
                          "difficulty is estimated for programs of at most %d "
                          "operations",
                          MOST_OPS);
    return CAIRN_USAGE;
  }
  const cairn_status status = make(program, space, s);
  if (status)
    cairn_study__surrogate_free(s);
  return status;
}

void cairn_study__surrogate_free(cairn_study__surrogate *s) {
  features_free(&s->features);
  cairn_base_free(s->measured.entry);
  cairn_base_free(s->bits);
  cairn_base_free(s->work);
  cairn_base_free(s->weight);
  cairn_base_free(s->residual);
  cairn_base_free(s->covariance);
  *s = (cairn_study__surrogate){0};
}

/* ---- asking ---- */

enum { NEAREST = 8 };

/* Keeps the nearest, nearest first; of equal ones the first. */
static size_t keep_near(unsigned *distance, size_t *which, size_t kept,
                        unsigned d, size_t i) {
  size_t at = kept < NEAREST ? kept++ : NEAREST;
  for (; at > 0 && distance[at - 1] > d; at--)
    if (at < NEAREST) {
      distance[at] = distance[at - 1];
      which[at] = which[at - 1];
    }
  if (at < NEAREST) {
    distance[at] = d;
    which[at] = i;
  }
  return kept;
}

/* The error is that of one of the nearest schedules learnt from: errors differ
 * between regions. */
double cairn_study__surrogate_time(cairn_study__surrogate *s,
                                   const cairn_dag_item *items, size_t count,
                                   uint64_t repetition, double error) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  const cairn_study__entry *const found =
      cairn_study__table_find(&s->measured, key);
  const size_t words = s->features.words;
  unsigned distance[NEAREST];
  size_t which[NEAREST], kept = 0;
  cairn_base_rng rng;
  double sum = s->mean;
  if (found)
    return found->time_s;
  if (features_of(&s->features, items, count, s->work))
    return NAN;
  for (size_t i = 0; i < s->count; i++) {
    const unsigned d = differ(s->work, s->bits + i * words, words);
    sum += s->weight[i] * s->covariance[d];
    if (kept < NEAREST || d < distance[NEAREST - 1])
      kept = keep_near(distance, which, kept, d, i);
  }
  cairn_base__rng_seed(&rng,
                       key.lo ^ (repetition * UINT64_C(0x9e3779b97f4a7c15)));
  return exp(
      sum +
      error * s->residual[which[cairn_base__rng_below(&rng, (uint32_t)kept)]]);
}

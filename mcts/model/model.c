/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/model.c - expected time of a schedule not measured yet.
 *
 * Time = simulated machine (machine.c) + Gaussian process over the bits of
 * features.c (Rasmussen and Williams 2006): the machine knows what any machine
 * does, the process learns what this one does besides.  Kernel: exp(-d / l) of
 * the distance d in bits, in units of the mean distance of the samples; l and
 * the noise by likelihood on a small grid, again when the samples have grown
 * by a fifth.
 *
 * Times are in units of the median time.  The process holds at most `limit`
 * samples: half the fastest, half the latest; all samples teach the machine.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "base/stats-private.h"
#include "mcts/model/model-private.h"
#include <cairn/mcts.h>

void cairn_mcts__model_free(cairn_mcts_model *model) {
  if (!model)
    return;
  cairn_mcts__features_free(&model->features);
  cairn_mcts__machine_free(&model->machine);
  cairn_base_free(model->store);
  cairn_base_free(model->sample);
  cairn_base_free(model->time);
  cairn_base_free(model->sorted);
  cairn_base_free(model->z);
  cairn_base_free(model->l);
  cairn_base_free(model->alpha);
  cairn_base_free(model->kq);
  cairn_base_free(model->distance);
  cairn_base_free(model->kernel);
  cairn_base_free(model->query);
  cairn_base_free(model);
}

static cairn_status arrays(cairn_mcts_model *model) {
  const size_t n = model->limit;
  model->sample = cairn_base_zalloc(n, sizeof *model->sample);
  model->z = cairn_base_zalloc(n, sizeof *model->z);
  model->l = cairn_base_zalloc(n * n, sizeof *model->l);
  model->alpha = cairn_base_zalloc(n, sizeof *model->alpha);
  model->kq = cairn_base_zalloc(n, sizeof *model->kq);
  model->distance = cairn_base_zalloc(n * n, sizeof *model->distance);
  model->kernel =
      cairn_base_zalloc(model->features.pairs + 1, sizeof *model->kernel);
  model->query = cairn_base_zalloc(model->features.words, sizeof(uint64_t));
  return model->sample && model->z && model->l && model->alpha && model->kq &&
                 model->distance && model->kernel && model->query
             ? CAIRN_OK
             : CAIRN_NOMEM;
}

cairn_status cairn_mcts__model_create(cairn_mcts *search, size_t limit,
                                      double rate, cairn_mcts_model **model_p) {
  cairn_mcts_model *const model = cairn_base_zalloc(1, sizeof *model);
  cairn_status status;
  if (!model)
    return CAIRN_NOMEM;
  *model_p = model;
  model->limit = limit;
  model->length = 1;
  model->noise = 0.01;
  model->rate = rate;
  if ((status = cairn_mcts__features_create(&model->features, search->program,
                                            search->streams)) ||
      (status = cairn_mcts__machine_create(&model->machine, search->program,
                                           search->streams)))
    return status;
  return arrays(model);
}

/* ---- samples ---- */

/* Takes in the records that are new: their bits, times. */
static cairn_status take_in(const cairn_mcts_cache *cache,
                            cairn_mcts_model *model) {
  const size_t words = model->features.words;
  for (; model->seen < cache->records; model->seen++) {
    const uint32_t r = (uint32_t)model->seen;
    const cairn_mcts_record *const record = cache->record + r;
    const double time_s = record->result.time_s;
    cairn_status status =
        cairn_base_reserve(&model->store, &model->store_capacity,
                           (model->seen + 1) * words, sizeof *model->store);
    if (!status)
      status = cairn_base_reserve(&model->time, &model->time_capacity,
                                  model->seen + 1, sizeof *model->time);
    if (!status)
      status = cairn_base_reserve(&model->sorted, &model->sorted_capacity,
                                  model->seen + 1, sizeof *model->sorted);
    if (status)
      return status;
    cairn_mcts__features_bits(&model->features,
                              cairn_mcts__cache_items(cache, r), record->count,
                              model->store + model->seen * words);
    model->time[model->seen] = time_s;
    if (isnan(time_s))
      continue;
    model->sorted[model->timed++] = time_s;
    for (size_t i = model->timed - 1; i && model->sorted[i - 1] > time_s; i--) {
      model->sorted[i] = model->sorted[i - 1];
      model->sorted[i - 1] = time_s;
    }
  }
  return CAIRN_OK;
}

/* The fastest half and the latest half of what the process may hold. */
static void choose_samples(cairn_mcts_model *model) {
  const int all = model->timed <= model->limit;
  const double good = all ? INFINITY : model->sorted[model->limit / 2 - 1];
  size_t rest = model->limit - model->limit / 2;
  model->samples = 0;
  for (size_t r = model->seen; r-- > 0 && model->samples < model->limit;) {
    const double t = model->time[r];
    if (isnan(t) || (!(t <= good) && (all || !rest)))
      continue;
    rest -= !(t <= good);
    model->sample[model->samples++] = (uint32_t)r;
  }
}

/* Priors, in units of their own median, give the costs to begin with. */
static cairn_status teach_priors(const cairn_mcts_cache *prior,
                                 cairn_mcts_model *model) {
  double *const sorted = cairn_base_alloc(prior->records, sizeof *sorted);
  double median;
  if (!sorted)
    return CAIRN_NOMEM;
  for (size_t r = 0; r < prior->records; r++)
    sorted[r] = prior->record[r].result.time_s;
  median = cairn_base__stats_median(sorted, prior->records);
  cairn_base_free(sorted);
  cairn_mcts__machine_reset(&model->machine, 1);
  for (int round = 0; round < 40; round++)
    for (uint32_t r = 0; r < prior->records && r < 2 * model->limit; r++)
      cairn_mcts__machine_learn(
          &model->machine, cairn_mcts__cache_items(prior, r),
          prior->record[r].count, prior->record[r].result.time_s / median,
          model->rate);
  return CAIRN_OK;
}

static cairn_status teach_machine(const cairn_mcts *search,
                                  cairn_mcts_model *model) {
  const cairn_mcts_cache *const cache = &search->cache;
  int rounds = 4;
  if (!model->machine_set) {
    cairn_status status = CAIRN_OK;
    if (search->prior.records)
      status = teach_priors(&search->prior, model);
    else
      cairn_mcts__machine_reset(&model->machine, 1);
    if (status)
      return status;
    model->machine_set = 1;
    rounds = 40;
  }
  for (int round = 0; round < rounds; round++)
    for (size_t i = model->samples; i-- > 0;) {
      const uint32_t r = model->sample[i];
      cairn_mcts__machine_learn(
          &model->machine, cairn_mcts__cache_items(cache, r),
          cache->record[r].count, model->time[r] / model->scale, model->rate);
    }
  return CAIRN_OK;
}

/* ---- the process ---- */

static unsigned distance(const uint64_t *a, const uint64_t *b, size_t words) {
  unsigned d = 0;
  for (size_t i = 0; i < words; i++)
    d += cairn_base__bits_popcount(a[i] ^ b[i]);
  return d;
}

static void find_distances(cairn_mcts_model *model) {
  const size_t n = model->samples, words = model->features.words;
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < i; j++) {
      const unsigned d =
          distance(model->store + model->sample[i] * words,
                   model->store + model->sample[j] * words, words);
      model->distance[i * model->limit + j] = (uint16_t)d;
      sum += d;
    }
  model->mean_distance = n > 1 ? sum / (double)(n * (n - 1) / 2) : 1;
  if (!(model->mean_distance > 0))
    model->mean_distance = 1;
}

/* Cholesky factor of the kernel matrix, alpha = K^-1 z; returns the log
 * likelihood with the best amplitude. */
static double factor(cairn_mcts_model *model, double length, double noise) {
  const size_t n = model->samples, w = model->limit;
  double *const l = model->l, *const a = model->alpha;
  double log_det = 0, square = 0;
  for (size_t d = 0; d <= model->features.pairs; d++)
    model->kernel[d] = exp(-(double)d / (model->mean_distance * length));
  for (size_t i = 0; i < n; i++) {
    double *const row = l + i * w;
    for (size_t j = 0; j <= i; j++) {
      const double *const other = l + j * w;
      double x = i == j ? 1 + noise : model->kernel[model->distance[i * w + j]];
      for (size_t k = 0; k < j; k++)
        x -= row[k] * other[k];
      row[j] = i == j ? sqrt(x > 1e-12 ? x : 1e-12) : x / other[j];
    }
    log_det += log(row[i]);
  }
  for (size_t i = 0; i < n; i++) {
    double x = model->z[i];
    for (size_t k = 0; k < i; k++)
      x -= l[i * w + k] * a[k];
    a[i] = x / l[i * w + i];
    square += a[i] * a[i];
  }
  for (size_t i = n; i-- > 0;) {
    double x = a[i];
    for (size_t k = i + 1; k < n; k++)
      x -= l[k * w + i] * a[k];
    a[i] = x / l[i * w + i];
  }
  model->amplitude = sqrt(square / (double)n);
  return -(double)n * log(model->amplitude + 1e-12) - log_det;
}

static void fit(cairn_mcts_model *model) {
  static const double lengths[] = {0.15, 0.3, 0.6, 1.2, 2.4, 5};
  static const double noises[] = {0.003, 0.03, 0.2};
  double best = -INFINITY;
  if (model->samples < model->fitted + 2 + model->fitted / 5 &&
      model->samples >= model->fitted && model->fitted) {
    factor(model, model->length, model->noise);
    return;
  }
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
    for (size_t j = 0; j < sizeof noises / sizeof *noises; j++) {
      const double likely = factor(model, lengths[i], noises[j]);
      if (likely > best) {
        best = likely;
        model->length = lengths[i];
        model->noise = noises[j];
      }
    }
  model->fitted = model->samples;
  factor(model, model->length, model->noise);
}

cairn_status cairn_mcts__model_update(cairn_mcts *search,
                                      cairn_mcts_model *model) {
  const cairn_mcts_cache *const cache = &search->cache;
  cairn_status status = take_in(cache, model);
  if (status || !model->timed)
    return status;
  if (!(model->scale > 0))
    model->scale = model->sorted[model->timed / 2];
  choose_samples(model);
  if (model->rate > 0 && (status = teach_machine(search, model)))
    return status;
  model->mean = 0;
  for (size_t i = 0; i < model->samples; i++) {
    const uint32_t r = model->sample[i];
    model->z[i] = model->time[r] / model->scale;
    if (model->rate > 0)
      model->z[i] -= cairn_mcts__machine_time(&model->machine,
                                              cairn_mcts__cache_items(cache, r),
                                              cache->record[r].count);
    model->mean += model->z[i] / (double)model->samples;
  }
  for (size_t i = 0; i < model->samples; i++)
    model->z[i] -= model->mean;
  find_distances(model);
  fit(model);
  return CAIRN_OK;
}

double cairn_mcts__model_guess(cairn_mcts_model *model,
                               const cairn_dag_item *items, size_t count) {
  const size_t n = model->samples, words = model->features.words;
  double guess = model->mean;
  cairn_mcts__features_bits(&model->features, items, count, model->query);
  for (size_t i = 0; i < n; i++) {
    const unsigned d =
        distance(model->query, model->store + model->sample[i] * words, words);
    model->kq[i] = model->kernel[d];
    guess += model->kq[i] * model->alpha[i];
  }
  if (model->rate > 0)
    guess += cairn_mcts__machine_time(&model->machine, items, count);
  return guess;
}

double cairn_mcts__model_most(const cairn_mcts_model *model) {
  return model->amplitude * sqrt(1 + model->noise);
}

double cairn_mcts__model_spread(cairn_mcts_model *model) {
  const size_t n = model->samples, w = model->limit;
  double left = 1 + model->noise;
  for (size_t i = 0; i < n; i++) {
    double x = model->kq[i];
    for (size_t k = 0; k < i; k++)
      x -= model->l[i * w + k] * model->kq[k];
    model->kq[i] = x / model->l[i * w + i];
    left -= model->kq[i] * model->kq[i];
  }
  return model->amplitude * sqrt(left > 1e-9 ? left : 1e-9);
}

double cairn_mcts__model_apart(cairn_mcts_model *model,
                               const cairn_dag_item *items, size_t count) {
  const size_t words = model->features.words;
  unsigned least = UINT16_MAX;
  if (!model->seen)
    return 0;
  cairn_mcts__features_bits(&model->features, items, count, model->query);
  for (size_t r = 0; r < model->seen; r++) {
    const unsigned d = distance(model->query, model->store + r * words, words);
    if (d < least)
      least = d;
  }
  return least;
}

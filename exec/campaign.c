/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/campaign.c - a known set of schedules, sampled in shuffled rounds.
 *
 * Idea: spreading each schedule's samples over the whole run, in a new random
 * order each round, turns slow drift into a level that can be divided out.
 * Invariant: samples are kept in the order of time; entry i of `schedule` is
 * the index of sample i's schedule.
 */
#include <math.h>
#include <stdint.h>

#define uthash_malloc(size) cairn_base_alloc(size, 1)
#define uthash_free(memory, size) cairn_base_free(memory)
#define HASH_NONFATAL_OOM 1
#include <cairn/exec.h>
#include <uthash.h>

enum { CHUNK = 64 };

typedef struct member {
  uint64_t id;
  uint32_t index, k, warm;
  int dropped;
  UT_hash_handle hh;
} member;

struct cairn_exec_campaign {
  cairn_base_rng rng;
  member **member; /* by index */
  size_t members, member_capacity;
  member *by_id;
  cairn_exec_sample *sample;
  size_t samples, sample_capacity;
  uint32_t *schedule;
  size_t schedule_capacity;
};

static cairn_status take(void *context, const cairn_exec_shot *shots,
                         size_t count, cairn_exec_sample *samples,
                         cairn_exec_outcome *outcome_p) {
  return cairn_exec_take(context, shots, count, samples, outcome_p);
}

cairn_exec_sampler cairn_exec_sampler_of(cairn_exec *exec) {
  return (cairn_exec_sampler){take, exec};
}

/* ---- the set ---- */

cairn_status cairn_exec_campaign_create(uint64_t seed,
                                        cairn_exec_campaign **c_p) {
  cairn_exec_campaign *c = cairn_base_zalloc(1, sizeof *c);
  if (!c)
    return CAIRN_NOMEM;
  cairn_base_rng_seed(&c->rng, seed);
  *c_p = c;
  return CAIRN_OK;
}

void cairn_exec_campaign_free(cairn_exec_campaign *c) {
  if (!c)
    return;
  HASH_CLEAR(hh, c->by_id);
  for (size_t i = 0; i < c->members; i++)
    cairn_base_free(c->member[i]);
  cairn_base_free(c->member);
  cairn_base_free(c->sample);
  cairn_base_free(c->schedule);
  cairn_base_free(c);
}

static member *find(const cairn_exec_campaign *c, uint64_t id) {
  member *m;
  HASH_FIND(hh, c->by_id, &id, sizeof id, m);
  return m;
}

cairn_status cairn_exec_campaign_add(cairn_exec_campaign *c, uint64_t id,
                                     uint32_t k, uint32_t warm) {
  if (find(c, id))
    return CAIRN_USAGE;
  if (cairn_base_reserve(&c->member, &c->member_capacity, c->members + 1,
                         sizeof *c->member) != CAIRN_OK)
    return CAIRN_NOMEM;
  member *m = cairn_base_zalloc(1, sizeof *m);
  if (!m)
    return CAIRN_NOMEM;
  m->id = id;
  m->index = (uint32_t)c->members;
  m->k = k;
  m->warm = warm;
  HASH_ADD(hh, c->by_id, id, sizeof m->id, m);
  if (!find(c, id)) { /* uthash ran out of memory */
    cairn_base_free(m);
    return CAIRN_NOMEM;
  }
  c->member[c->members++] = m;
  return CAIRN_OK;
}

void cairn_exec_campaign_drop(cairn_exec_campaign *c, uint64_t id) {
  member *m = find(c, id);
  if (m)
    m->dropped = 1;
}

/* ---- samples ---- */

static cairn_status make_room(cairn_exec_campaign *c, size_t more) {
  const size_t needed = c->samples + more;
  cairn_status status = cairn_base_reserve(&c->sample, &c->sample_capacity,
                                           needed, sizeof *c->sample);
  if (status == CAIRN_OK)
    status = cairn_base_reserve(&c->schedule, &c->schedule_capacity, needed,
                                sizeof *c->schedule);
  return status;
}

cairn_status cairn_exec_campaign_load(cairn_exec_campaign *c,
                                      const cairn_exec_sample *sample) {
  const member *m = find(c, sample->id);
  if (!m)
    return CAIRN_USAGE;
  const cairn_status status = make_room(c, 1);
  if (status != CAIRN_OK)
    return status;
  c->sample[c->samples] = *sample;
  c->schedule[c->samples++] = m->index;
  return CAIRN_OK;
}

const cairn_exec_sample *
cairn_exec_campaign_samples(const cairn_exec_campaign *c, size_t *count_p) {
  *count_p = c->samples;
  return c->sample;
}

/* ---- rounds ---- */

/* The members that are still measured, in a new random order; NULL: no
 * memory. */
static member **shuffled(cairn_exec_campaign *c, size_t *count_p) {
  member **order = cairn_base_alloc(c->members, sizeof(member *));
  size_t n = 0;
  if (!order)
    return NULL;
  for (size_t i = 0; i < c->members; i++)
    if (!c->member[i]->dropped)
      order[n++] = c->member[i];
  cairn_base_rng_shuffle(&c->rng, order, n, sizeof(member *));
  *count_p = n;
  return order;
}

static cairn_status take_chunk(cairn_exec_campaign *c,
                               const cairn_exec_sampler *sampler,
                               member *const *order, size_t n, uint64_t *bad_p,
                               cairn_exec_outcome *outcome_p) {
  cairn_exec_shot shots[CHUNK];
  cairn_status status = make_room(c, n);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < n; i++)
    shots[i] = (cairn_exec_shot){order[i]->id, order[i]->k, order[i]->warm};
  status = sampler->take(sampler->context, shots, n, c->sample + c->samples,
                         outcome_p);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < n; i++) {
    c->schedule[c->samples + i] = order[i]->index;
    if (c->sample[c->samples + i].flags & CAIRN_EXEC_FAULTY &&
        *bad_p == UINT64_MAX)
      *bad_p = order[i]->id;
  }
  c->samples += n;
  return CAIRN_OK;
}

cairn_status cairn_exec_campaign_round(cairn_exec_campaign *c,
                                       const cairn_exec_sampler *sampler,
                                       uint64_t *bad_p,
                                       cairn_exec_outcome *outcome_p) {
  size_t n = 0;
  cairn_status status = CAIRN_OK;
  member **order = shuffled(c, &n);
  if (!order)
    return CAIRN_NOMEM;
  *bad_p = UINT64_MAX;
  for (size_t at = 0; at < n && status == CAIRN_OK && *bad_p == UINT64_MAX;
       at += CHUNK)
    status = take_chunk(c, sampler, order + at, n - at < CHUNK ? n - at : CHUNK,
                        bad_p, outcome_p);
  cairn_base_free(order);
  return status;
}

/* ---- estimates ---- */

/* Valid samples in the order of time, with the level of each; the arrays are
 * freed with corrected_free. */
typedef struct corrected {
  const cairn_exec_sample **sample;
  uint32_t *schedule;
  double *time_s, *level, *estimate;
  size_t *first, *order; /* samples by schedule: order[first[s] ...] */
  size_t count;
} corrected;

static void corrected_free(corrected *v) {
  cairn_base_free(v->sample);
  cairn_base_free(v->schedule);
  cairn_base_free(v->time_s);
  cairn_base_free(v->level);
  cairn_base_free(v->estimate);
  cairn_base_free(v->first);
  cairn_base_free(v->order);
}

static void group(corrected *v, size_t members) {
  for (size_t i = 0; i < v->count; i++)
    v->first[v->schedule[i] + 2]++;
  for (size_t s = 2; s < members + 2; s++)
    v->first[s] += v->first[s - 1];
  for (size_t i = 0; i < v->count; i++)
    v->order[v->first[v->schedule[i] + 1]++] = i;
}

static cairn_status correct(const cairn_exec_campaign *c, unsigned window,
                            corrected *v) {
  v->sample = cairn_base_alloc(c->samples, sizeof(cairn_exec_sample *));
  v->schedule = cairn_base_alloc(c->samples, sizeof *v->schedule);
  v->time_s = cairn_base_alloc(c->samples, sizeof *v->time_s);
  v->level = cairn_base_alloc(c->samples, sizeof *v->level);
  v->estimate = cairn_base_alloc(c->members, sizeof *v->estimate);
  v->first = cairn_base_zalloc(c->members + 2, sizeof *v->first);
  v->order = cairn_base_alloc(c->samples, sizeof *v->order);
  if (!v->sample || !v->schedule || !v->time_s || !v->level || !v->estimate ||
      !v->first || !v->order)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < c->samples; i++) {
    if (c->sample[i].flags || !(c->sample[i].time_s > 0))
      continue;
    v->sample[v->count] = &c->sample[i];
    v->schedule[v->count] = c->schedule[i];
    v->time_s[v->count++] = c->sample[i].time_s;
  }
  group(v, c->members);
  return cairn_exec_drift(v->schedule, v->time_s, v->count,
                          (uint32_t)c->members, window, v->level, v->estimate);
}

/* Values of one schedule: corrected (corrected_s), or as they were. */
static size_t gather(const corrected *v, uint32_t index, double *corrected_s,
                     double *raw_s, double *skew_s) {
  const size_t n = v->first[index + 1] - v->first[index];
  for (size_t j = 0; j < n; j++) {
    const size_t i = v->order[v->first[index] + j];
    corrected_s[j] = v->time_s[i] / v->level[i];
    if (raw_s)
      raw_s[j] = v->time_s[i];
    if (skew_s)
      skew_s[j] = v->sample[i]->skew_s;
  }
  return n;
}

/* Relative noise of one corrected sample: 1.4826 times the median of
 * |sample / estimate - 1|, widened by n / (n - 1) for the n the estimate was
 * made of. */
static double pooled_noise(const corrected *v, size_t members, double *work) {
  for (size_t i = 0; i < v->count; i++)
    work[i] =
        fabs(v->time_s[i] / v->level[i] / v->estimate[v->schedule[i]] - 1);
  if (v->count <= members)
    return NAN;
  const double n = (double)v->count / (double)members;
  return 1.4826 * cairn_base_stats_median(work, v->count) * sqrt(n / (n - 1));
}

static void fill(cairn_exec_estimate *e, double *times, double *raw,
                 double *skew, size_t n, double noise) {
  e->samples = n;
  if (n == 0) {
    e->p01 = e->p10 = e->p50 = e->p90 = e->p99 = e->stddev = e->skew = NAN;
    e->low = e->high = e->raw_p50 = NAN;
    return;
  }
  e->stddev = cairn_base_stats_stddev(times, n);
  cairn_base_stats_sort(times, n);
  e->p01 = cairn_base_stats_percentile(times, n, 1);
  e->p10 = cairn_base_stats_percentile(times, n, 10);
  e->p50 = cairn_base_stats_percentile(times, n, 50);
  e->p90 = cairn_base_stats_percentile(times, n, 90);
  e->p99 = cairn_base_stats_percentile(times, n, 99);
  e->skew = cairn_base_stats_median(skew, n);
  e->raw_p50 = cairn_base_stats_median(raw, n);
  if (n < 10 ||
      !cairn_exec_median_interval(times, n, 0.95, &e->low, &e->high)) {
    const double half = 1.96 * 1.2533 * noise / sqrt((double)n);
    e->low = e->p50 * exp(-half); /* NAN when the noise is unknown */
    e->high = e->p50 * exp(half);
  }
}

static void fill_all(const cairn_exec_campaign *c, const corrected *v,
                     double *work, cairn_exec_estimate *estimate) {
  double *times = work, *raw = work + c->samples, *skew = work + 2 * c->samples;
  const double noise = pooled_noise(v, c->members, work);
  for (uint32_t s = 0; s < c->members; s++) {
    estimate[s] = (cairn_exec_estimate){.id = c->member[s]->id};
    fill(&estimate[s], times, raw, skew, gather(v, s, times, raw, skew), noise);
  }
  for (size_t i = 0; i < c->samples; i++)
    estimate[c->schedule[i]].late +=
        (c->sample[i].flags & CAIRN_EXEC_LATE) != 0;
}

cairn_status cairn_exec_campaign_solve(const cairn_exec_campaign *c,
                                       unsigned window,
                                       cairn_exec_estimate **estimate_p,
                                       size_t *count_p, double *drift_p) {
  corrected v = {0};
  cairn_exec_estimate *estimate =
      cairn_base_alloc(c->members, sizeof *estimate);
  double *work = cairn_base_alloc(3 * c->samples, sizeof *work);
  cairn_status status = estimate && work ? correct(c, window, &v) : CAIRN_NOMEM;
  if (status == CAIRN_OK) {
    fill_all(c, &v, work, estimate);
    if (drift_p)
      *drift_p = cairn_exec_drift_span(v.level, v.count);
    *estimate_p = estimate;
    *count_p = c->members;
  } else {
    cairn_base_free(estimate);
  }
  cairn_base_free(work);
  corrected_free(&v);
  return status;
}

/* ---- comparing two ---- */

static cairn_status judge(double *a, size_t na, double *b, size_t nb,
                          double least, cairn_exec_comparison *comparison) {
  *comparison = (cairn_exec_comparison){CAIRN_EXEC_TIE, NAN, 1};
  if (na == 0 || nb == 0)
    return CAIRN_OK;
  const cairn_status status =
      cairn_exec_mann_whitney(a, na, b, nb, &comparison->p);
  if (status != CAIRN_OK)
    return status;
  const double ratio =
      cairn_base_stats_median(b, nb) / cairn_base_stats_median(a, na);
  comparison->ratio = ratio;
  if (comparison->p < 0.01 && ratio >= 1 + least)
    comparison->verdict = CAIRN_EXEC_FASTER;
  else if (comparison->p < 0.01 && ratio <= 1 / (1 + least))
    comparison->verdict = CAIRN_EXEC_SLOWER;
  return CAIRN_OK;
}

cairn_status cairn_exec_campaign_compare(const cairn_exec_campaign *c,
                                         unsigned window, uint64_t first,
                                         uint64_t second, double least,
                                         cairn_exec_comparison *comparison_p) {
  const member *a = find(c, first), *b = find(c, second);
  corrected v = {0};
  if (!a || !b)
    return CAIRN_USAGE;
  double *work = cairn_base_alloc(2 * c->samples, sizeof *work);
  cairn_status status = work ? correct(c, window, &v) : CAIRN_NOMEM;
  if (status == CAIRN_OK) {
    double *other = work + c->samples;
    const size_t na = gather(&v, a->index, work, NULL, NULL);
    const size_t nb = gather(&v, b->index, other, NULL, NULL);
    status = judge(work, na, other, nb, least, comparison_p);
  }
  cairn_base_free(work);
  corrected_free(&v);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/campaign-solve.c - what a campaign's samples say: estimates with
 * intervals, how far the machine wandered, and how two schedules compare.
 *
 * Intervals count every sample as a new witness only if a schedule's samples
 * are independent from round to round.  Where they are not (streams and memory
 * stay where they are for some rounds, say) the witnesses are the medians of
 * blocks of rounds.
 */
#include <math.h>
#include <string.h>

#include "base/stats-private.h"
#include "base/times-private.h"
#include "timing/campaign-private.h"
#include "timing/campaign-state-private.h"
#include "timing/sample-private.h"
#include <cairn/base.h>

/* Samples are correlated: surely, and so much that it matters. */
static const double SURELY = 2.58, MUCH = 0.05;

enum { BLOCKS_LEAST = 6 };

/* ---- estimates ---- */

/* Valid samples in the order of time, with the level of each; the arrays are
 * freed with corrected_free. */
typedef struct corrected {
  const cairn_base_sample **sample;
  uint32_t *schedule;
  double *time_s, *level, *estimate;
  size_t *first, *order; /* samples by schedule: order[first[s] ...] */
  size_t count;
  double *work;    /* room for count values */
  unsigned block;  /* rounds of a block */
  double own_lag1; /* of a schedule's own samples, round after round */
  int correlated;  /* so much that blocks are the witnesses */
  double noise;    /* of one sample; NAN unknown */
  double spread;   /* of one block's median; NAN unknown */
  double drift;    /* of all samples, those left out too */
  size_t *beyond;  /* by schedule: samples whose level was too far off... */
  size_t left_out; /* ... all together */
  char *as_it_was; /* by schedule: 1 only such ones, so they stay; 2 only
                      others, 3 both, 0 none */
} corrected;

static void corrected_free(corrected *v) {
  cairn_base_free(v->sample);
  cairn_base_free(v->schedule);
  cairn_base_free(v->time_s);
  cairn_base_free(v->level);
  cairn_base_free(v->estimate);
  cairn_base_free(v->first);
  cairn_base_free(v->order);
  cairn_base_free(v->work);
  cairn_base_free(v->beyond);
  cairn_base_free(v->as_it_was);
}

static void group(corrected *v, size_t members) {
  for (size_t i = 0; i < v->count; i++)
    v->first[v->schedule[i] + 2]++;
  for (size_t s = 2; s < members + 2; s++)
    v->first[s] += v->first[s - 1];
  for (size_t i = 0; i < v->count; i++)
    v->order[v->first[v->schedule[i] + 1]++] = i;
}

/* ---- noise ---- */

/* Sample i against its schedule's estimate: 0 is equal. */
static double residual(const corrected *v, size_t i) {
  return v->time_s[i] / v->level[i] / v->estimate[v->schedule[i]] - 1;
}

/* Values lie closer to the median of n that they are part of than to the truth;
 * by so much (found by simulating normal samples; 3 and 5 are odd, so one value
 * is the median). */
static double widening(double n) {
  if (n < 3.5)
    return n < 2.5 ? 1.43 : 2.15;
  return n < 5.5 ? 1.375 : 1 + 1.4 / n;
}

/* Robust deviation of `count` values from `groups` medians of them: 1.4826 x
 * the median.  Takes absolute values in place. */
static double deviation(double *values, size_t count, size_t groups) {
  if (count <= groups)
    return NAN;
  for (size_t i = 0; i < count; i++)
    values[i] = fabs(values[i]);
  return 1.4826 * cairn_base__stats_median(values, count) *
         widening((double)count / (double)groups);
}

/* Medians of blocks of a schedule's corrected samples, in order; a rest of less
 * than half a block is left out.  Returns their number. */
static size_t block_medians(const corrected *v, uint32_t index, double *out) {
  const size_t n = v->first[index + 1] - v->first[index];
  double block[64];
  size_t blocks = 0;
  const size_t most = v->block < 64 ? v->block : 64;
  for (size_t at = 0; at < n; at += most) {
    const size_t m = n - at < most ? n - at : most;
    if (at > 0 && 2 * m < most)
      break;
    for (size_t j = 0; j < m; j++) {
      const size_t i = v->order[v->first[index] + at + j];
      block[j] = v->time_s[i] / v->level[i];
    }
    out[blocks++] = cairn_base__stats_median(block, m);
  }
  return blocks;
}

/* Autocorrelation of schedules' own samples, pooled; outliers count as five
 * deviations.  What is left of each schedule adds up to 0, which alone gives
 * -1/n. */
static void find_correlation(corrected *v, size_t members) {
  double both = 0, square = 0, pairs = 0;
  for (size_t s = 0; s < members; s++) {
    double last = 0;
    for (size_t j = v->first[s]; j < v->first[s + 1]; j++) {
      const double bound = 5 * v->noise;
      const double d = fmax(-bound, fmin(bound, residual(v, v->order[j])));
      square += d * d;
      both += j > v->first[s] ? d * last : 0;
      pairs += j > v->first[s];
      last = d;
    }
  }
  v->own_lag1 = square > 0 && pairs > 0 ? both / square : (double)NAN;
  const double expected = -(double)members / (double)v->count;
  v->correlated = v->own_lag1 - expected > MUCH &&
                  (v->own_lag1 - expected) * sqrt(pairs) > SURELY;
}

static void judge_noise(corrected *v, size_t members) {
  size_t blocks = 0, groups = 0;
  for (size_t i = 0; i < v->count; i++)
    v->work[i] = residual(v, i);
  v->noise = deviation(v->work, v->count, members);
  find_correlation(v, members);
  for (uint32_t s = 0; s < members; s++) {
    double *out = v->work + blocks;
    const size_t n = block_medians(v, s, out);
    for (size_t b = 0; b < n; b++)
      out[b] = out[b] / v->estimate[s] - 1;
    blocks += n;
    groups += n > 0;
  }
  v->spread = deviation(v->work, blocks, groups);
}

/* ---- bounds ---- */

static int is_beyond(double level) {
  return level > CAIRN_TIMING_CORRECTION || level * CAIRN_TIMING_CORRECTION < 1;
}

/* Samples whose level is too far off are left out; a schedule that has nothing
 * else keeps them as they are. */
static void leave_out(corrected *v) {
  size_t kept = 0;
  for (size_t i = 0; i < v->count; i++) {
    v->beyond[v->schedule[i]] += (size_t)is_beyond(v->level[i]);
    v->as_it_was[v->schedule[i]] |= is_beyond(v->level[i]) ? 1 : 2;
  }
  for (size_t i = 0; i < v->count; i++) {
    const uint32_t s = v->schedule[i];
    const int beyond = is_beyond(v->level[i]);
    v->left_out += (size_t)beyond;
    if (beyond && v->as_it_was[s] & 2)
      continue;
    v->sample[kept] = v->sample[i];
    v->schedule[kept] = s;
    v->time_s[kept] = v->time_s[i];
    v->level[kept++] = beyond ? 1 : v->level[i];
  }
  v->count = kept;
}

/* Estimates from the samples that are left. */
static void estimate_again(corrected *v, size_t members) {
  for (size_t s = 0; s < members; s++) {
    const size_t n = v->first[s + 1] - v->first[s];
    for (size_t j = 0; j < n; j++) {
      const size_t i = v->order[v->first[s] + j];
      v->work[j] = v->time_s[i] / v->level[i];
    }
    v->estimate[s] = n ? cairn_base__stats_median(v->work, n) : (double)NAN;
  }
}

static void bound(corrected *v, size_t members) {
  v->drift = cairn_timing__drift_span(v->level, v->count);
  leave_out(v);
  group(v, members);
  if (v->left_out > 0)
    estimate_again(v, members);
}

static cairn_status correct(const cairn_timing_campaign *c, unsigned window,
                            corrected *v) {
  v->sample = cairn_base_alloc(c->samples + 1, sizeof(cairn_base_sample *));
  v->schedule = cairn_base_alloc(c->samples + 1, sizeof *v->schedule);
  v->time_s = cairn_base_alloc(c->samples + 1, sizeof *v->time_s);
  v->level = cairn_base_alloc(c->samples + 1, sizeof *v->level);
  v->estimate = cairn_base_alloc(c->members, sizeof *v->estimate);
  v->first = cairn_base_zalloc(c->members + 2, sizeof *v->first);
  v->order = cairn_base_alloc(c->samples + 1, sizeof *v->order);
  v->work = cairn_base_alloc(c->samples + 1, sizeof *v->work);
  v->beyond = cairn_base_zalloc(c->members + 1, sizeof *v->beyond);
  v->as_it_was = cairn_base_zalloc(c->members + 1, 1);
  v->block = c->block;
  if (!v->work || !v->beyond || !v->as_it_was || !v->sample || !v->schedule ||
      !v->time_s || !v->level || !v->estimate || !v->first || !v->order)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < c->samples; i++) {
    if (c->sample[i].flags || !(c->sample[i].time_s > 0))
      continue;
    v->sample[v->count] = &c->sample[i];
    v->schedule[v->count] = c->schedule[i];
    v->time_s[v->count++] = c->sample[i].time_s;
  }
  const cairn_status status =
      cairn_timing__drift(v->schedule, v->time_s, v->count,
                          (uint32_t)c->members, window, v->level, v->estimate);
  if (status == CAIRN_OK) {
    bound(v, c->members);
    judge_noise(v, c->members);
  }
  return status;
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

/* 95 % interval of the median: by order statistics where there are enough
 * witnesses, else from the noise that all schedules share (NAN: unknown). */
static void interval(const corrected *v, const double *times, size_t n,
                     uint32_t index, double fastest_s, cairn_base_times *t) {
  const double median = t->p[CAIRN_BASE_P50];
  double half = 1.96 * 1.2533 * v->noise / sqrt((double)n);
  size_t least = 10;
  if (v->correlated) {
    n = block_medians(v, index, v->work);
    cairn_base__stats_sort(v->work, n);
    times = v->work;
    least = BLOCKS_LEAST;
    half = fmax(half, 1.96 * v->spread / sqrt((double)n));
  }
  if (n >= least &&
      cairn_timing__median_interval(times, n, 0.95, &t->low, &t->high)) {
    t->low = fmin(t->low, median); /* blocks may lie on one side of it */
    t->high = fmax(t->high, median);
    return;
  }
  t->low = fmax(median * exp(-half), fastest_s / 2);
  t->high = median * exp(half);
}

static void fill(const corrected *v, uint32_t index, double *times, double *raw,
                 double *skew, cairn_timing_estimate *e) {
  const size_t n = gather(v, index, times, raw, skew);
  e->times = cairn_base__times_of_samples(times, n);
  e->uncorrected = NAN;
  if (n == 0)
    return;
  e->times.skew = cairn_base__stats_median(skew, n);
  e->uncorrected = cairn_base__stats_median(raw, n); /* sorts them */
  interval(v, times, n, index, raw[0], &e->times);
}

/* The rank that was last most often; of many samples the first ones tell. */
static int who_was_last(const corrected *v, uint32_t index) {
  uint16_t last[128];
  size_t n = 0;
  for (size_t j = v->first[index]; j < v->first[index + 1] && n < 128; j++)
    last[n++] = v->sample[v->order[j]]->last_rank;
  return cairn_timing__last_rank(last, n);
}

static void fill_all(const cairn_timing_campaign *c, const corrected *v,
                     double *work, cairn_timing_estimate *estimate) {
  double *times = work, *raw = work + c->samples, *skew = work + 2 * c->samples;
  for (uint32_t s = 0; s < c->members; s++) {
    estimate[s] = (cairn_timing_estimate){.id = c->member[s]->id};
    estimate[s].last_rank = who_was_last(v, s);
    fill(v, s, times, raw, skew, &estimate[s]);
    estimate[s].beyond = v->beyond[s];
    estimate[s].as_it_was = v->as_it_was[s] == 1;
  }
  for (size_t i = 0; i < c->samples; i++) {
    estimate[c->schedule[i]].late +=
        (c->sample[i].flags & CAIRN_BASE_LATE) != 0;
    estimate[c->schedule[i]].lost +=
        (c->sample[i].flags & CAIRN_BASE_LOST) != 0;
  }
}

/* How good the samples are; work: room for all of them. */
static void appraise(const cairn_timing_campaign *c, const corrected *v,
                     double *work, cairn_timing_quality *q) {
  const double groups = (double)c->members, n = (double)v->count / groups;
  *q = (cairn_timing_quality){.noise = v->noise,
                              .own_lag1 = v->own_lag1,
                              .correlated = v->correlated,
                              .drift = v->drift,
                              .beyond = v->left_out};
  for (size_t i = 0; i < c->samples; i++)
    q->lost += (c->sample[i].flags & CAIRN_BASE_LOST) != 0;
  q->floor = 1.96 * 1.2533 * v->noise * sqrt(2 / n);
  if (v->correlated)
    q->floor = fmax(q->floor, 1.96 * v->spread * sqrt(2 * v->block / n));
  for (size_t i = 0; i < v->count; i++)
    work[i] = residual(v, i);
  q->lag1 = cairn_timing__lag1(work, v->count);
  q->runs_z = cairn_timing__runs_z(work, v->count, 0);
  q->nonrandom = fabs(q->runs_z) > SURELY && fabs(q->lag1) > MUCH;
}

cairn_status cairn_timing__campaign_solve(const cairn_timing_campaign *c,
                                          unsigned window,
                                          cairn_timing_estimate **estimate_p,
                                          size_t *count_p,
                                          cairn_timing_quality *quality_p) {
  corrected v = {0};
  cairn_timing_estimate *estimate =
      cairn_base_alloc(c->members, sizeof *estimate);
  double *work = cairn_base_alloc(3 * c->samples + 1, sizeof *work);
  cairn_status status = estimate && work ? correct(c, window, &v) : CAIRN_NOMEM;
  if (status == CAIRN_OK) {
    fill_all(c, &v, work, estimate);
    if (quality_p)
      appraise(c, &v, work, quality_p);
    *estimate_p = estimate;
    *count_p = c->members;
  } else {
    cairn_base_free(estimate);
  }
  cairn_base_free(work);
  corrected_free(&v);
  return status;
}

cairn_status cairn_timing__campaign_lacking(const cairn_timing_campaign *c,
                                            unsigned window, size_t least,
                                            size_t *lacking_p) {
  corrected v = {0};
  const cairn_status status = correct(c, window, &v);
  size_t lacking = 0;
  for (size_t s = 0; status == CAIRN_OK && s < c->members; s++)
    lacking += !c->member[s]->dropped &&
               (v.first[s + 1] - v.first[s] < least || v.as_it_was[s] == 1);
  corrected_free(&v);
  if (status == CAIRN_OK)
    *lacking_p = lacking;
  return status;
}

/* ---- narrowing ---- */

static int listed(const uint64_t *ids, size_t count, uint64_t id) {
  for (size_t i = 0; i < count; i++)
    if (ids[i] == id)
      return 1;
  return 0;
}

cairn_status cairn_timing__campaign_narrow(cairn_timing_campaign *c,
                                           unsigned window, size_t keep,
                                           const uint64_t *always,
                                           size_t always_count) {
  corrected v = {0};
  double *sorted = cairn_base_alloc(c->members, sizeof *sorted);
  size_t n = 0;
  cairn_status status = sorted ? correct(c, window, &v) : CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < c->members; i++)
    if (!c->member[i]->dropped && !isnan(v.estimate[i]))
      sorted[n++] = v.estimate[i];
  if (status == CAIRN_OK && keep > 0 && n > keep) {
    cairn_base__stats_sort(sorted, n);
    for (size_t i = 0; i < c->members; i++)
      if (v.estimate[i] > sorted[keep - 1] &&
          !listed(always, always_count, c->member[i]->id))
        c->member[i]->dropped = 1;
  }
  cairn_base_free(sorted);
  corrected_free(&v);
  return status;
}

/* ---- comparing two ---- */

static cairn_status judge(double *a, size_t na, double *b, size_t nb,
                          double least, cairn_timing_comparison *comparison) {
  *comparison = (cairn_timing_comparison){CAIRN_EXEC_TIE, NAN, 1};
  if (na == 0 || nb == 0)
    return CAIRN_OK;
  const cairn_status status =
      cairn_timing__mann_whitney(a, na, b, nb, &comparison->p);
  if (status != CAIRN_OK)
    return status;
  const double ratio =
      cairn_base__stats_median(b, nb) / cairn_base__stats_median(a, na);
  comparison->ratio = ratio;
  if (comparison->p < 0.01 && ratio >= 1 + least)
    comparison->verdict = CAIRN_EXEC_FASTER;
  else if (comparison->p < 0.01 && ratio <= 1 / (1 + least))
    comparison->verdict = CAIRN_EXEC_SLOWER;
  return CAIRN_OK;
}

cairn_status
cairn_timing__campaign_compare(const cairn_timing_campaign *c, unsigned window,
                               uint64_t first, uint64_t second, double least,
                               cairn_timing_comparison *comparison_p) {
  const member *a = cairn_timing__campaign_find(c, first),
               *b = cairn_timing__campaign_find(c, second);
  corrected v = {0};
  if (!a || !b)
    return CAIRN_USAGE;
  double *work = cairn_base_alloc(2 * c->samples + 1, sizeof *work);
  cairn_status status = work ? correct(c, window, &v) : CAIRN_NOMEM;
  if (status == CAIRN_OK) {
    double *other = work + c->samples;
    const size_t na = v.correlated ? block_medians(&v, a->index, work)
                                   : gather(&v, a->index, work, NULL, NULL);
    const size_t nb = v.correlated ? block_medians(&v, b->index, other)
                                   : gather(&v, b->index, other, NULL, NULL);
    status = judge(work, na, other, nb, least, comparison_p);
  }
  cairn_base_free(work);
  corrected_free(&v);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/race.c - measuring one schedule after another with few samples.
 *
 * Idea: a new schedule's samples are interleaved with samples of anchors: the
 * reference (the first schedule measured) and the best so far.  An anchor's
 * sample divided by its estimate tells the machine's level at that moment, so
 * times taken at different moments can be compared.  Sampling stops when the
 * interval of the new one lies above the best (pruned) or is narrow (ci).
 * Anchors get better estimates as a by-product, so the effort goes to those
 * that decide.
 * Corrections are bounded: a batch at a level beyond CAIRN_TIMING_CORRECTION
 * counts for nothing and is taken again; a change that lasts makes a new
 * beginning, at the level of then.
 * Invariant: anchor[0] is the reference; anchors after it are sorted by
 * estimate; each holds its corrected samples, newest last, at most KEEP.
 */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "base/times-private.h"
#include "timing/campaign-private.h"
#include "timing/sample-private.h"
#include <cairn/base.h>

enum {
  MAX_ANCHORS = 8,
  KEEP = 128,
  MAX_SERIES = 1024,
  RECENT = 256,
  PRIOR = 4,
  FRESH = 6,
  SURE = 3,    /* anchor samples a batch where the level is in doubt */
  LASTING = 6, /* batches in a row beyond the correction: it lasts */
  AGAIN = 12   /* batches of one schedule taken again, at most */
};

/* z for 95 %, times the median's efficiency factor sqrt(pi / 2). */
static const double Z_MEDIAN = 1.96 * 1.2533;

typedef struct anchor {
  uint64_t id;
  uint32_t k, warm;
  double estimate;
  double time_s[KEEP]; /* corrected */
  unsigned count;
  unsigned fresh; /* samples since it became an anchor */
} anchor;

struct cairn_timing_race {
  cairn_timing_race_options options;
  cairn_base_rng rng;
  anchor anchor[MAX_ANCHORS];
  unsigned anchors, next;  /* next: whose turn it is */
  double credit;           /* anchor samples that are due */
  double residual[RECENT]; /* |corrected / estimate - 1| of recent samples */
  unsigned residuals, residual_at;
  double level;     /* of the last batch */
  int surprise;     /* -1, 1: it was far below, above the one before; else 0 */
  unsigned beyond;  /* batches in a row that could not be corrected */
  unsigned changes; /* of the machine, that lasted */
  double changed;   /* by this factor in all */
};

/* The schedule being measured. */
typedef struct series {
  uint64_t id;
  uint32_t k, warm;
  double raw[MAX_SERIES], corrected[MAX_SERIES], skew[MAX_SERIES];
  uint16_t last[MAX_SERIES]; /* the slowest rank */
  unsigned count, spent, late, lost;
  unsigned again, batches_again; /* samples and batches that count not */
  int as_it_was;                 /* some samples could not be corrected */
  double level_sum;
} series;

void cairn_timing__race_options_default(cairn_timing_race_options *options) {
  *options = (cairn_timing_race_options){.min_samples = 2,
                                         .max_samples = 30,
                                         .half = 0.01,
                                         .margin = 0,
                                         .anchors = 3,
                                         .anchor_share = 0.33,
                                         .drift_flag = 0.03,
                                         .seed = 1};
}

cairn_status cairn_timing__race_create(const cairn_timing_race_options *options,
                                       cairn_timing_race **race_p) {
  cairn_timing_race *race = cairn_base_zalloc(1, sizeof *race);
  if (!race)
    return CAIRN_NOMEM;
  race->options = *options;
  if (race->options.anchors > MAX_ANCHORS)
    race->options.anchors = MAX_ANCHORS;
  if (race->options.max_samples > MAX_SERIES)
    race->options.max_samples = MAX_SERIES;
  cairn_base__rng_seed(&race->rng, options->seed);
  race->level = race->changed = 1;
  *race_p = race;
  return CAIRN_OK;
}

void cairn_timing__race_free(cairn_timing_race *race) { cairn_base_free(race); }

unsigned cairn_timing__race_changes(const cairn_timing_race *race,
                                    double *factor_p) {
  *factor_p = race->changed;
  return race->changes;
}

int cairn_timing__race_holds(const cairn_timing_race *race, uint64_t id) {
  for (unsigned i = 0; i < race->anchors; i++)
    if (race->anchor[i].id == id)
      return 1;
  return 0;
}

/* ---- noise ---- */

static void note_residual(cairn_timing_race *race, double value) {
  race->residual[race->residual_at] = fabs(value);
  race->residual_at = (race->residual_at + 1) % RECENT;
  if (race->residuals < RECENT)
    race->residuals++;
}

double cairn_timing__race_noise(const cairn_timing_race *race) {
  double sorted[RECENT];
  if (race->residuals < 8)
    return 0.02; /* until it is known: a usual value */
  memcpy(sorted, race->residual, race->residuals * sizeof *sorted);
  /* residuals are from medians of few samples: widened a little */
  return 1.1 * 1.4826 * cairn_base__stats_median(sorted, race->residuals);
}

/* ---- anchors ---- */

static double median_of(const double *values, unsigned count) {
  double sorted[MAX_SERIES];
  memcpy(sorted, values, count * sizeof *sorted);
  return cairn_base__stats_median(sorted, count);
}

/* The reference is what levels are measured by: once known it stays, or level
 * and estimates would wander off together. */
static void anchor_add(anchor *a, double corrected_s, int is_reference) {
  a->fresh++;
  if (a->count == KEEP && is_reference)
    return;
  if (a->count == KEEP) {
    memmove(a->time_s, a->time_s + 1, (KEEP - 1) * sizeof *a->time_s);
    a->count--;
  }
  a->time_s[a->count++] = corrected_s;
  a->estimate = median_of(a->time_s, a->count);
}

/* The best schedule's estimate; INFINITY before there is one. */
static double best_estimate(const cairn_timing_race *race) {
  double best = INFINITY;
  for (unsigned i = 0; i < race->anchors; i++)
    best = fmin(best, race->anchor[i].estimate);
  return best;
}

static void sort_anchors(cairn_timing_race *race) {
  for (unsigned i = 2; i < race->anchors; i++)
    for (unsigned j = i;
         j > 1 && race->anchor[j].estimate < race->anchor[j - 1].estimate;
         j--) {
      const anchor moved = race->anchor[j];
      race->anchor[j] = race->anchor[j - 1];
      race->anchor[j - 1] = moved;
    }
}

/* A measured schedule becomes an anchor when there is room or it beats the
 * last one. */
static void enroll(cairn_timing_race *race, const series *s, double estimate) {
  anchor *a;
  if (race->anchors < race->options.anchors)
    a = &race->anchor[race->anchors++];
  else if (race->anchors > 1 &&
           estimate < race->anchor[race->anchors - 1].estimate)
    a = &race->anchor[race->anchors - 1];
  else
    return;
  const unsigned from = s->count > KEEP ? s->count - KEEP : 0;
  a->id = s->id;
  a->k = s->k;
  a->warm = s->warm;
  a->count = s->count - from;
  a->fresh = 0;
  memcpy(a->time_s, s->corrected + from, a->count * sizeof *a->time_s);
  a->estimate = estimate;
  sort_anchors(race);
}

/* ---- one batch ---- */

/* Shots of the new schedule and of anchors, in random order; whose[i] is -1
 * for the new one, else the anchor's index. */
static unsigned plan_batch(cairn_timing_race *race, const series *s,
                           unsigned wanted, cairn_base_shot *shots,
                           int *whose) {
  unsigned n = 0, order[64];
  race->credit += race->anchors ? wanted * race->options.anchor_share : 0;
  unsigned extra = race->credit > 0 ? (unsigned)race->credit : 0;
  if (extra == 0 && s->spent == 0 && race->anchors)
    extra = 1; /* the level at this moment, once a schedule at least */
  if (race->beyond > 0 && extra < SURE)
    extra = SURE; /* what has become of the machine? */
  race->credit -= extra;
  cairn_base_shot unordered[64];
  int owner[64];
  for (unsigned i = 0; i < wanted; i++, n++) {
    unordered[n] = (cairn_base_shot){s->id, s->k, s->warm};
    owner[n] = -1;
  }
  for (unsigned i = 0; i < extra; i++, n++) {
    /* every other turn is the reference's */
    const unsigned next = race->next++, others = race->anchors - 1;
    const unsigned turn = next % 2 == 0 || others == 0 || race->beyond > 0
                              ? 0
                              : 1 + next / 2 % others;
    const anchor *a = &race->anchor[turn];
    unordered[n] = (cairn_base_shot){a->id, a->k, a->warm};
    owner[n] = (int)turn;
  }
  for (unsigned i = 0; i < n; i++)
    order[i] = i;
  cairn_base__rng_shuffle(&race->rng, order, n, sizeof *order);
  for (unsigned i = 0; i < n; i++) {
    shots[i] = unordered[order[i]];
    whose[i] = owner[order[i]];
  }
  return n;
}

/* A schedule becomes an anchor because its first samples were fast, by luck
 * too; it tells the level once it has others. */
static int tells_level(const cairn_timing_race *race, int index) {
  return index == 0 || race->anchor[index].fresh >= FRESH;
}

/* The machine's level in a batch: median over anchor samples of sample /
 * estimate, drawn towards the last level as far as there are few; a jump that
 * is seen twice is followed at once. */
static double batch_level(cairn_timing_race *race,
                          const cairn_base_sample *taken, const int *whose,
                          unsigned n) {
  double ratio[64];
  unsigned m = 0;
  for (unsigned i = 0; i < n; i++)
    if (whose[i] >= 0 && !taken[i].flags && taken[i].time_s > 0 &&
        tells_level(race, whose[i]))
      ratio[m++] = taken[i].time_s / race->anchor[whose[i]].estimate;
  if (m == 0)
    return race->level;
  const double here = cairn_base__stats_median(ratio, m);
  const double by = log(here / race->level);
  const int far = fabs(by) > 4 * cairn_timing__race_noise(race);
  const int surprise = !far ? 0 : by > 0 ? 1 : -1;
  const int jump = far && surprise == race->surprise;
  const double weight = jump ? 1 : m / (m + 2.0);
  race->surprise = surprise;
  race->level = exp(weight * log(here) + (1 - weight) * log(race->level));
  return race->level;
}

/* ---- a machine that becomes another one ---- */

static int is_beyond(double level) {
  return level > CAIRN_TIMING_CORRECTION || level * CAIRN_TIMING_CORRECTION < 1;
}

/* From here on times are those of the machine as it is now.  The anchors' old
 * samples say nothing of it but their proportions. */
static void begin_anew(cairn_timing_race *race, series *s) {
  for (unsigned i = 0; i < race->anchors; i++) {
    race->anchor[i].estimate *= race->level;
    race->anchor[i].count = race->anchor[i].fresh = 0;
  }
  race->changed *= race->level;
  race->changes++;
  race->level = 1;
  race->beyond = 0;
  race->surprise = 0;
  s->again += s->count;
  s->count = 0;
  s->level_sum = 0;
}

/* A batch that cannot be corrected: 1 if it is to be taken again.  When that
 * has been tried often enough the new schedule's samples count as they are. */
static int try_again(cairn_timing_race *race, series *s, unsigned n) {
  if (++race->beyond >= LASTING)
    begin_anew(race, s);
  if (s->batches_again >= AGAIN)
    return 0;
  s->batches_again++;
  s->again += n;
  s->spent += n;
  return 1;
}

static void absorb(cairn_timing_race *race, series *s,
                   const cairn_base_sample *taken, const int *whose,
                   unsigned n) {
  double level = batch_level(race, taken, whose, n);
  const int beyond = is_beyond(level);
  if (beyond && try_again(race, s, n))
    return;
  if (beyond) {
    level = 1;
    s->as_it_was = 1;
  } else {
    race->beyond = 0;
  }
  for (unsigned i = 0; i < n; i++) {
    s->late += whose[i] < 0 && (taken[i].flags & CAIRN_BASE_LATE) != 0;
    s->lost += whose[i] < 0 && (taken[i].flags & CAIRN_BASE_LOST) != 0;
    if (taken[i].flags || !(taken[i].time_s > 0) || (beyond && whose[i] >= 0))
      continue;
    const double corrected = taken[i].time_s / level;
    if (whose[i] >= 0) {
      anchor *a = &race->anchor[whose[i]];
      note_residual(race, corrected / a->estimate - 1);
      anchor_add(a, corrected, whose[i] == 0);
    } else if (s->count < MAX_SERIES) {
      s->raw[s->count] = taken[i].time_s;
      s->skew[s->count] = taken[i].skew_s;
      s->last[s->count] = taken[i].last_rank;
      s->corrected[s->count++] = corrected;
      s->level_sum += level;
    }
  }
  s->spent += n;
  sort_anchors(race);
}

/* ---- when to stop ---- */

/* The noise of this schedule's samples: what all have in common counts like
 * PRIOR samples of its own, because a few say little about their spread; but
 * some schedules are much noisier than others. */
static double own_noise(const cairn_timing_race *race, const series *s) {
  const double common = cairn_timing__race_noise(race);
  const double own = cairn_base__stats_stddev(s->corrected, s->count) /
                     cairn_base__stats_mean(s->corrected, s->count);
  const double n = s->count - 1.0;
  return sqrt((PRIOR * common * common + n * own * own) / (PRIOR + n));
}

static double half_width(const cairn_timing_race *race, const series *s) {
  return Z_MEDIAN * own_noise(race, s) / sqrt((double)s->count);
}

/* Why sampling stops now, or NULL. */
static const char *decided(const cairn_timing_race *race, const series *s) {
  const cairn_timing_race_options *o = &race->options;
  if (s->spent - s->again >= 4 * o->max_samples)
    return "invalid";
  if (s->count < o->min_samples)
    return NULL;
  const double estimate = median_of(s->corrected, s->count);
  const double half = half_width(race, s);
  if (estimate * (1 - half) > best_estimate(race) * (1 + o->margin))
    return "pruned";
  if (half <= o->half)
    return "ci";
  return s->count >= o->max_samples ? "max_n" : NULL;
}

static void fill_raced(const cairn_timing_race *race, series *s,
                       const char *reason, cairn_timing_raced *raced) {
  cairn_timing_estimate *e = &raced->estimate;
  memset(raced, 0, sizeof *raced);
  e->id = s->id;
  raced->reason = reason;
  raced->spent = s->spent;
  raced->again = s->again;
  raced->change = race->changes;
  e->late = s->late;
  e->lost = s->lost;
  e->as_it_was = s->as_it_was;
  e->last_rank = cairn_timing__last_rank(s->last, s->count);
  e->times = (cairn_base_times)CAIRN_BASE_TIMES_UNKNOWN;
  e->uncorrected = raced->level = NAN;
  for (unsigned i = 0; i < race->anchors; i++)
    raced->anchor[raced->anchors++] = race->anchor[i].id;
  if (s->count == 0)
    return;
  const double half = half_width(race, s);
  raced->pruned = strcmp(reason, "pruned") == 0;
  raced->level = s->level_sum / s->count;
  raced->drifted = fabs(raced->level - 1) > race->options.drift_flag;
  e->times = cairn_base__times_of_samples(s->corrected, s->count);
  e->uncorrected = cairn_base__stats_median(s->raw, s->count); /* sorts them */
  e->times.low = fmax(e->times.p[CAIRN_BASE_P50] * exp(-half), s->raw[0] / 2);
  e->times.high = e->times.p[CAIRN_BASE_P50] * exp(half);
  e->times.skew = cairn_base__stats_median(s->skew, s->count);
}

/* Samples of the next batch: the least number first, then a third more each
 * time. */
static unsigned next_batch(const cairn_timing_race *race, const series *s) {
  const cairn_timing_race_options *o = &race->options;
  unsigned n = s->count < o->min_samples ? o->min_samples - s->count
                                         : (s->count + 2) / 3;
  if (n > o->max_samples - s->count && s->count < o->max_samples)
    n = o->max_samples - s->count;
  if (n < 1)
    n = 1;
  return n > 32 ? 32 : n;
}

static cairn_status run_series(cairn_timing_race *race,
                               const cairn_timing_sampler *sampler, series *s,
                               const char **reason_p,
                               cairn_base_execution *outcome_p) {
  cairn_base_shot shots[64];
  cairn_base_sample taken[64];
  int whose[64];
  while (!(*reason_p = decided(race, s))) {
    const unsigned n = plan_batch(race, s, next_batch(race, s), shots, whose);
    const cairn_status status =
        sampler->take(sampler->context, shots, n, taken, outcome_p);
    if (status != CAIRN_OK)
      return status;
    for (unsigned i = 0; i < n; i++)
      if (taken[i].flags & CAIRN_BASE_FAULTY) {
        *reason_p = "failed";
        return CAIRN_OK;
      }
    absorb(race, s, taken, whose, n);
  }
  return CAIRN_OK;
}

cairn_status cairn_timing__race_measure(cairn_timing_race *race,
                                        const cairn_timing_sampler *sampler,
                                        uint64_t id, uint32_t k, uint32_t warm,
                                        cairn_timing_raced *raced_p,
                                        cairn_base_execution *outcome_p) {
  series *s = cairn_base_zalloc(1, sizeof *s);
  const char *reason = "failed";
  if (!s)
    return CAIRN_NOMEM;
  s->id = id;
  s->k = k;
  s->warm = warm;
  const cairn_status status = run_series(race, sampler, s, &reason, outcome_p);
  if (status == CAIRN_OK) {
    if (s->count && strcmp(reason, "failed") != 0) {
      const double estimate = median_of(s->corrected, s->count);
      for (unsigned i = 0; !s->as_it_was && s->count > 1 && i < s->count; i++)
        note_residual(race, s->corrected[i] / estimate - 1);
      if (!s->as_it_was)
        enroll(race, s, estimate);
    }
    fill_raced(race, s, reason, raced_p);
  }
  cairn_base_free(s);
  return status;
}

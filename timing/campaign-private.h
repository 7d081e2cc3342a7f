/* SPDX-License-Identifier: BSD-3-Clause
 *
 * timing/campaign-private.h - comparing schedules on a machine that drifts.
 *
 * A schedule's time moves with clocks, placement and neighbours by more than
 * schedules differ, so times taken minutes apart cannot be compared as they
 * are.  Two plans deal with it; both know nothing of how samples are taken:
 *
 *   campaign  a known set: every round takes one sample of each schedule, in
 *             a new random order; each sample is divided by the machine's
 *             level at that moment, which all its neighbours in time tell.
 *   race      one schedule after another, as a search proposes them: its
 *             samples are interleaved with those of anchors (a fixed
 *             reference and the best so far), and sampling stops as soon as
 *             the interval decides.
 *
 * Model: ln x = ln m[schedule] + ln level(t) + noise.
 * Levels have median 1 over a run, so corrected times are seconds as they are
 * on the run's typical moment.
 *
 * That holds for a machine that drifts, not for one that becomes another one
 * (ranks moved onto one core, a neighbour that comes and goes).  So the
 * correction is bounded: a sample at whose moment the level was more than
 * CAIRN_TIMING_CORRECTION times off, up or down, is not corrected but measured
 * again.  Therefore no estimate lies below the fastest uncorrected sample of
 * its schedule divided by CAIRN_TIMING_CORRECTION.
 */
#ifndef CAIRN_TIMING_CAMPAIGN_PRIVATE_H
#define CAIRN_TIMING_CAMPAIGN_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "timing/sample-private.h"
#include <cairn/base.h>

/* The largest factor that samples are corrected by. */
#define CAIRN_TIMING_CORRECTION 1.5

/* Where samples come from: cairn_exec__sample on an executor, or a simulation.
 * Takes one sample of each shot, in this order; samples[i] belongs to
 * shots[i]. */
typedef struct cairn_timing_sampler {
  cairn_status (*take)(void *context, const cairn_base_shot *shots,
                       size_t count, cairn_base_sample *samples,
                       cairn_base_execution *outcome_p);
  void *context;
} cairn_timing_sampler;

/* ---- drift ---- */

/* Levels by robust backfitting: starting from each schedule's median, three
 * times: level = running median, over `window` (odd, e.g. 101) samples in the
 * order of time, of sample / estimate; estimate = median of the schedule's
 * sample / level.  Sample i is of schedule[i] < schedules and took time_s[i] >
 * 0; level (count of them) and estimate (schedules; NAN where there is no
 * sample) are written.  O(count * window).  CAIRN_NOMEM. */
cairn_status cairn_timing__drift(const uint32_t *schedule, const double *time_s,
                                 size_t count, uint32_t schedules,
                                 unsigned window, double *level,
                                 double *estimate);

/* Largest over the run of |level - 1| after a running median over a tenth of
 * the samples: how far the machine wandered; 0.1 is ten percent. */
double cairn_timing__drift_span(const double *level, size_t count);

/* ---- campaign ---- */

typedef struct cairn_timing_campaign cairn_timing_campaign;

/* What a campaign or a race says of one schedule; seconds of one execution,
 * corrected for the level. */
typedef struct cairn_timing_estimate {
  uint64_t id;
  cairn_base_times times;
  size_t late;        /* left out: a rank missed the start */
  size_t lost;        /* left out: a rank lost the processor */
  size_t beyond;      /* left out: the level was out of bounds, see above */
  int as_it_was;      /* no sample was within it: these are uncorrected times,
                         which cannot be compared with others */
  double uncorrected; /* median of the samples as they were */
  int last_rank;      /* the rank that was last most often; -1: no sample */
} cairn_timing_estimate;

/* An empty campaign; free with cairn_timing__campaign_free.  CAIRN_NOMEM. */
cairn_status cairn_timing__campaign_create(uint64_t seed,
                                           cairn_timing_campaign **c_p);
void cairn_timing__campaign_free(cairn_timing_campaign *campaign);
/* Adds a schedule: id, k executions a sample, `warm` untimed ones before each
 * sample.  CAIRN_NOMEM, CAIRN_USAGE (id there already). */
cairn_status cairn_timing__campaign_add(cairn_timing_campaign *campaign,
                                        uint64_t id, uint32_t k, uint32_t warm);
/* Leaves a schedule out of further rounds (it failed); its samples stay. */
void cairn_timing__campaign_drop(cairn_timing_campaign *campaign, uint64_t id);
/* Leaves all but the `keep` fastest so far, and those in `always`, out of
 * further rounds: effort goes where it decides something.  CAIRN_NOMEM. */
cairn_status cairn_timing__campaign_narrow(cairn_timing_campaign *campaign,
                                           unsigned window, size_t keep,
                                           const uint64_t *always,
                                           size_t always_count);
/* Is it left out of further rounds?  And was that because it failed? */
int cairn_timing__campaign_dropped(const cairn_timing_campaign *campaign,
                                   uint64_t id);
int cairn_timing__campaign_failed(const cairn_timing_campaign *campaign,
                                  uint64_t id);
/* One round: a sample of each schedule in a new random order, asked for in
 * chunks of 64; then those that were lost (CAIRN_BASE_LOST) once more, at most
 * a quarter of the round and one.  *bad_p: id of a schedule whose op failed in
 * it, UINT64_MAX none; such a round ends there, drop the schedule and go on. */
cairn_status cairn_timing__campaign_round(cairn_timing_campaign *campaign,
                                          const cairn_timing_sampler *sampler,
                                          uint64_t *bad_p,
                                          cairn_base_execution *outcome_p);
/* How many schedules that are still measured have fewer than `least` samples
 * in their estimates: more rounds help them.  CAIRN_NOMEM. */
cairn_status
cairn_timing__campaign_lacking(const cairn_timing_campaign *campaign,
                               unsigned window, size_t least,
                               size_t *lacking_p);
/* All samples so far, in the order of time. */
const cairn_base_sample *
cairn_timing__campaign_samples(const cairn_timing_campaign *campaign,
                               size_t *count_p);
/* Adds a sample taken earlier (a resumed run). */
cairn_status cairn_timing__campaign_load(cairn_timing_campaign *campaign,
                                         const cairn_base_sample *sample);
/* Samples of one schedule within so many rounds (2 to 64; 10) may have
 * something in common, as where streams and memory lie: when they are found to
 * be correlated, intervals and comparisons are made from the medians of blocks
 * of so many rounds. */
void cairn_timing__campaign_set_block(cairn_timing_campaign *campaign,
                                      unsigned rounds);

/* How good a campaign's samples are; shares: 0.01 is a percent. */
typedef struct cairn_timing_quality {
  double noise;  /* deviation of one corrected sample (robust); NAN: unknown */
  double floor;  /* medians of two schedules that differ by less cannot be told
                    apart (95 %) */
  double drift;  /* how far the machine wandered: cairn_timing__drift_span */
  size_t beyond; /* samples left out: level beyond CAIRN_TIMING_CORRECTION */
  size_t lost;   /* samples left out: a rank lost the processor */
  double own_lag1; /* autocorrelation of a schedule's own samples, round after
                      round, pooled */
  int correlated;  /* it is there: blocks were used */
  double runs_z, lag1; /* runs test and autocorrelation of all samples in the
                          order of time, each against its estimate */
  int nonrandom;       /* both say that the machine changes faster than the
                          correction can follow */
} cairn_timing_quality;

/* Estimates of all schedules, in the order of adding (an array to free with
 * cairn_base_free), and, if quality_p is not NULL, how good they are. */
cairn_status cairn_timing__campaign_solve(const cairn_timing_campaign *campaign,
                                          unsigned window,
                                          cairn_timing_estimate **estimate_p,
                                          size_t *count_p,
                                          cairn_timing_quality *quality_p);

/* How two schedules of a campaign compare, from their corrected samples. */
typedef enum cairn_timing_judgement {
  CAIRN_EXEC_TIE,
  CAIRN_EXEC_FASTER, /* the first is */
  CAIRN_EXEC_SLOWER
} cairn_timing_judgement;

typedef struct cairn_timing_comparison {
  cairn_timing_judgement verdict;
  double ratio; /* median of the second / median of the first */
  double p;     /* two-sided, Mann-Whitney */
} cairn_timing_comparison;

/* Faster or slower: p < 0.01 and a difference of at least `least` (e.g. 0.01)
 * of the faster one; else a tie.  From block medians where samples are
 * correlated.  CAIRN_USAGE for an unknown id. */
cairn_status cairn_timing__campaign_compare(
    const cairn_timing_campaign *campaign, unsigned window, uint64_t first,
    uint64_t second, double least, cairn_timing_comparison *comparison_p);

/* ---- race ---- */

typedef struct cairn_timing_race cairn_timing_race;

typedef struct cairn_timing_race_options {
  unsigned min_samples; /* of a new schedule, before it may be pruned; 2 */
  unsigned max_samples; /* of a contender; 30 */
  double half;          /* contenders: relative half width aimed at; 0.01 */
  double margin;        /* pruned: the interval lies above the best by more
                           than this share; 0.0 */
  unsigned anchors;     /* the reference and the best so far; 3 */
  double anchor_share;  /* anchor samples a sample of the new one; 0.33 */
  double drift_flag;    /* a level farther from the first is flagged; 0.03 */
  uint64_t seed;
} cairn_timing_race_options;

void cairn_timing__race_options_default(cairn_timing_race_options *options);
/* Free with cairn_timing__race_free. */
cairn_status cairn_timing__race_create(const cairn_timing_race_options *options,
                                       cairn_timing_race **race_p);
void cairn_timing__race_free(cairn_timing_race *race);

typedef struct cairn_timing_raced {
  cairn_timing_estimate estimate;
  unsigned again;     /* of those, taken again: the level was too far off */
  unsigned change;    /* lasting changes of the machine before it: times can
                         be compared only where these are equal */
  int pruned;         /* clearly slower than the best: few samples */
  const char *reason; /* "ci", "max_n", "pruned", "failed" */
  double level;       /* of the machine, against the run's first moments, or
                         those after the last lasting change */
  int drifted;        /* |level - 1| over drift_flag */
  unsigned spent;     /* samples taken in all, anchors' included */
  uint64_t anchor[8]; /* ids sampled beside it */
  unsigned anchors;
} cairn_timing_raced;

/* Lasting changes so far, and by which factor in all (1: none): after six
 * batches in a row beyond CAIRN_TIMING_CORRECTION the machine is taken to be
 * another one, and levels count from there. */
unsigned cairn_timing__race_changes(const cairn_timing_race *race,
                                    double *factor_p);
/* Measures one schedule: id, k and warm as in cairn_base_shot.  The schedule
 * must stay prepared while it may serve as an anchor: see
 * cairn_timing__race_holds.  outcome_p tells a failure (reason "failed"). */
cairn_status cairn_timing__race_measure(cairn_timing_race *race,
                                        const cairn_timing_sampler *sampler,
                                        uint64_t id, uint32_t k, uint32_t warm,
                                        cairn_timing_raced *raced_p,
                                        cairn_base_execution *outcome_p);
/* Is the id an anchor now (so it must not be forgotten)? */
int cairn_timing__race_holds(const cairn_timing_race *race, uint64_t id);
/* Relative noise of one sample (robust, pooled over all schedules). */
double cairn_timing__race_noise(const cairn_timing_race *race);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec-campaign.h - comparing schedules on a machine that drifts.
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
 */
#ifndef CAIRN_EXEC_CAMPAIGN_H
#define CAIRN_EXEC_CAMPAIGN_H

#include <stddef.h>
#include <stdint.h>

#include "exec-sample.h"

#ifdef __cplusplus
extern "C" {
#endif

struct cairn_exec;
struct cairn_exec_shot;
struct cairn_exec_outcome;

/* Where samples come from: cairn_exec_take on an executor, or a simulation.
 * Takes one sample of each shot, in this order; samples[i] belongs to
 * shots[i]. */
typedef struct cairn_exec_sampler {
  cairn_status (*take)(void *context, const struct cairn_exec_shot *shots,
                       size_t count, cairn_exec_sample *samples,
                       struct cairn_exec_outcome *outcome_p);
  void *context;
} cairn_exec_sampler;

/* The sampler that runs the schedules prepared in an executor. */
CAIRN_API cairn_exec_sampler cairn_exec_sampler_of(struct cairn_exec *exec);

/* ---- drift ---- */

/* Levels by robust backfitting: starting from each schedule's median, three
 * times: level = running median, over `window` (odd, e.g. 101) samples in the
 * order of time, of sample / estimate; estimate = median of the schedule's
 * sample / level.  Sample i is of schedule[i] < schedules and took time_s[i] >
 * 0; level (count of them) and estimate (schedules; NAN where there is no
 * sample) are written.  O(count * window).  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_drift(const uint32_t *schedule,
                                        const double *time_s, size_t count,
                                        uint32_t schedules, unsigned window,
                                        double *level, double *estimate);

/* Largest over the run of |level - 1| after a running median over a tenth of
 * the samples: how far the machine wandered; 0.1 is ten percent. */
CAIRN_API double cairn_exec_drift_span(const double *level, size_t count);

/* ---- campaign ---- */

typedef struct cairn_exec_campaign cairn_exec_campaign;

/* What a campaign or a race says of one schedule; seconds of one execution,
 * corrected for the level. */
typedef struct cairn_exec_estimate {
  uint64_t id;
  size_t samples; /* in the statistic */
  size_t late;    /* left out: a rank missed the start */
  double p01, p10, p50, p90, p99, stddev, skew;
  double low, high; /* 95 % interval of the median */
  double raw_p50;   /* uncorrected median */
  int last_rank;    /* the rank that was last most often; -1: no sample */
} cairn_exec_estimate;

/* An empty campaign; free with cairn_exec_campaign_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_campaign_create(uint64_t seed,
                                                  cairn_exec_campaign **c_p);
CAIRN_API void cairn_exec_campaign_free(cairn_exec_campaign *campaign);
/* Adds a schedule: id, k executions a sample, `warm` untimed ones before each
 * sample.  CAIRN_NOMEM, CAIRN_USAGE (id there already). */
CAIRN_API cairn_status cairn_exec_campaign_add(cairn_exec_campaign *campaign,
                                               uint64_t id, uint32_t k,
                                               uint32_t warm);
/* Leaves a schedule out of further rounds (it failed); its samples stay. */
CAIRN_API void cairn_exec_campaign_drop(cairn_exec_campaign *campaign,
                                        uint64_t id);
/* Leaves all but the `keep` fastest so far, and those in `always`, out of
 * further rounds: effort goes where it decides something.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_exec_campaign_narrow(cairn_exec_campaign *campaign,
                                                  unsigned window, size_t keep,
                                                  const uint64_t *always,
                                                  size_t always_count);
/* Is it left out of further rounds?  And was that because it failed? */
CAIRN_API int cairn_exec_campaign_dropped(const cairn_exec_campaign *campaign,
                                          uint64_t id);
CAIRN_API int cairn_exec_campaign_failed(const cairn_exec_campaign *campaign,
                                         uint64_t id);
/* One round: a sample of each schedule in a new random order, asked for in
 * chunks of 64.  *bad_p: id of a schedule whose op failed in it, UINT64_MAX
 * none; such a round ends there, drop the schedule and go on. */
CAIRN_API cairn_status cairn_exec_campaign_round(
    cairn_exec_campaign *campaign, const cairn_exec_sampler *sampler,
    uint64_t *bad_p, struct cairn_exec_outcome *outcome_p);
/* All samples so far, in the order of time. */
CAIRN_API const cairn_exec_sample *
cairn_exec_campaign_samples(const cairn_exec_campaign *campaign,
                            size_t *count_p);
/* Adds a sample taken earlier (a resumed run). */
CAIRN_API cairn_status cairn_exec_campaign_load(
    cairn_exec_campaign *campaign, const cairn_exec_sample *sample);
/* Samples of one schedule within so many rounds (2 to 64; 10) may have
 * something in common, as where streams and memory lie: when they are found to
 * be correlated, intervals and comparisons are made from the medians of blocks
 * of so many rounds. */
CAIRN_API void cairn_exec_campaign_set_block(cairn_exec_campaign *campaign,
                                             unsigned rounds);

/* How good a campaign's samples are; shares: 0.01 is a percent. */
typedef struct cairn_exec_quality {
  double noise; /* deviation of one corrected sample (robust); NAN: unknown */
  double floor; /* medians of two schedules that differ by less cannot be told
                   apart (95 %) */
  double drift; /* how far the machine wandered: cairn_exec_drift_span */
  double own_lag1; /* autocorrelation of a schedule's own samples, round after
                      round, pooled */
  int correlated;  /* it is there: blocks were used */
  double runs_z, lag1; /* runs test and autocorrelation of all samples in the
                          order of time, each against its estimate */
  int nonrandom;       /* both say that the machine changes faster than the
                          correction can follow */
} cairn_exec_quality;

/* Estimates of all schedules, in the order of adding (an array to free with
 * cairn_base_free), and, if quality_p is not NULL, how good they are. */
CAIRN_API cairn_status
cairn_exec_campaign_solve(const cairn_exec_campaign *campaign, unsigned window,
                          cairn_exec_estimate **estimate_p, size_t *count_p,
                          cairn_exec_quality *quality_p);

/* How two schedules of a campaign compare, from their corrected samples. */
typedef enum cairn_exec_judgement {
  CAIRN_EXEC_TIE,
  CAIRN_EXEC_FASTER, /* the first is */
  CAIRN_EXEC_SLOWER
} cairn_exec_judgement;

typedef struct cairn_exec_comparison {
  cairn_exec_judgement verdict;
  double ratio; /* median of the second / median of the first */
  double p;     /* two-sided, Mann-Whitney */
} cairn_exec_comparison;

/* Faster or slower: p < 0.01 and a difference of at least `least` (e.g. 0.01)
 * of the faster one; else a tie.  From block medians where samples are
 * correlated.  CAIRN_USAGE for an unknown id. */
CAIRN_API cairn_status cairn_exec_campaign_compare(
    const cairn_exec_campaign *campaign, unsigned window, uint64_t first,
    uint64_t second, double least, cairn_exec_comparison *comparison_p);

/* ---- race ---- */

typedef struct cairn_exec_race cairn_exec_race;

typedef struct cairn_exec_race_options {
  unsigned min_samples; /* of a new schedule, before it may be pruned; 2 */
  unsigned max_samples; /* of a contender; 30 */
  double half;          /* contenders: relative half width aimed at; 0.01 */
  double margin;        /* pruned: the interval lies above the best by more
                           than this share; 0.0 */
  unsigned anchors;     /* the reference and the best so far; 3 */
  double anchor_share;  /* anchor samples a sample of the new one; 0.33 */
  double drift_flag;    /* a level farther from the first is flagged; 0.03 */
  uint64_t seed;
} cairn_exec_race_options;

CAIRN_API void
cairn_exec_race_options_default(cairn_exec_race_options *options);
/* Free with cairn_exec_race_free. */
CAIRN_API cairn_status cairn_exec_race_create(
    const cairn_exec_race_options *options, cairn_exec_race **race_p);
CAIRN_API void cairn_exec_race_free(cairn_exec_race *race);

typedef struct cairn_exec_raced {
  cairn_exec_estimate estimate;
  int pruned;         /* clearly slower than the best: few samples */
  const char *reason; /* "ci", "max_n", "pruned", "failed" */
  double level;       /* of the machine, against the run's first moments */
  int drifted;        /* |level - 1| over drift_flag */
  unsigned spent;     /* samples taken in all, anchors' included */
  uint64_t anchor[8]; /* ids sampled beside it */
  unsigned anchors;
} cairn_exec_raced;

/* Measures one schedule: id, k and warm as in cairn_exec_shot.  The schedule
 * must stay prepared while it may serve as an anchor: see
 * cairn_exec_race_holds.  outcome_p tells a failure (reason "failed"). */
CAIRN_API cairn_status cairn_exec_race_measure(
    cairn_exec_race *race, const cairn_exec_sampler *sampler, uint64_t id,
    uint32_t k, uint32_t warm, cairn_exec_raced *raced_p,
    struct cairn_exec_outcome *outcome_p);
/* Is the id an anchor now (so it must not be forgotten)? */
CAIRN_API int cairn_exec_race_holds(const cairn_exec_race *race, uint64_t id);
/* Relative noise of one sample (robust, pooled over all schedules). */
CAIRN_API double cairn_exec_race_noise(const cairn_exec_race *race);

#ifdef __cplusplus
}
#endif
#endif

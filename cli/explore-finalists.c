/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-finalists.c - how far the numbers of a run can be trusted, and
 * how its finalists compare: in words and in JSON.
 *
 * Nothing here measures.  A difference is told as one only when it is
 * significant (Mann-Whitney, p < 0.01) and at least 1 %.
 */
#include <math.h>
#include <string.h>

#include "base/stats-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/label/label-private.h"
#include "exec/drive-private.h"
#include "explore.h"
#include "timing/campaign-private.h"
#include <cairn/classify.h>
#include <cairn/exec.h>
#include <cairn/journal.h>

/* ---- one of each class ---- */

static void pick_typical(const cairn_classify_data *data,
                         const cairn_classify_labels *labels, size_t most,
                         uint64_t *id, size_t *count_p) {
  *count_p = labels->classes < most ? labels->classes : most;
  for (size_t c = 0; c < *count_p; c++) {
    size_t members = 0, seen = 0;
    for (size_t i = 0; i < labels->count; i++)
      members += labels->label[i] == c;
    for (size_t i = 0; i < labels->count; i++) {
      const uint32_t row = labels->order[i]; /* by time */
      if (labels->label[row] == c && seen++ == members / 2)
        id[c] = cairn_classify_data_measure(data, row)->id;
    }
  }
}

cairn_status explore_typical(explore_job *job, size_t most, uint64_t *id,
                             size_t *count_p) {
  cairn_classify_options how;
  cairn_classify_data *data = NULL;
  cairn_classify_labels *labels = NULL;
  cairn_classify_defaults(&how);
  *count_p = 0;
  cairn_status status = explore_explain_data(job, &data);
  if (status == CAIRN_FINDINGS)
    return CAIRN_OK;
  if (status == CAIRN_OK)
    status = cairn_classify__data_label(data, &how.label, &labels);
  if (status == CAIRN_OK)
    pick_typical(data, labels, most, id, count_p);
  cairn_classify__labels_free(labels);
  cairn_classify_data_free(data);
  return status;
}

/* ---- how far the numbers can be trusted ---- */

/* Noise of a sample where nothing was measured side by side: by the race, or
 * from the results' own spread. */
static double plain_noise(const explore_job *job) {
  if (job->race != NULL)
    return cairn_timing__race_noise(job->race);
  double *share = cairn_base_alloc(job->kept_count + 1, sizeof *share);
  size_t n = 0;
  for (size_t i = 0; share != NULL && i < job->kept_count; i++) {
    const cairn_journal_result *r = &job->kept[i].result;
    if (r->times.samples > 1 && r->times.p[CAIRN_BASE_P50] > 0 &&
        r->times.stddev >= 0)
      share[n++] = r->times.stddev / r->times.p[CAIRN_BASE_P50];
  }
  const double noise = n > 0 ? cairn_base__stats_median(share, n) : (double)NAN;
  cairn_base_free(share);
  return noise;
}

/* Samples that a typical schedule has. */
static double typical_samples(const explore_job *job) {
  double *count = cairn_base_alloc(job->kept_count + 1, sizeof *count);
  size_t n = 0;
  for (size_t i = 0; count != NULL && i < job->kept_count; i++)
    if (job->kept[i].result.times.samples > 0)
      count[n++] = job->kept[i].result.times.samples;
  const double samples =
      n > 0 ? cairn_base__stats_median(count, n) : (double)NAN;
  cairn_base_free(count);
  return samples;
}

explore_trust explore_trust_of(const explore_job *job) {
  const explore_refined *r = &job->refined;
  explore_trust t = {.noise = plain_noise(job), .drift = NAN};
  t.floor = 1.96 * 1.2533 * t.noise * sqrt(2 / typical_samples(job));
  if (r->done) {
    t.noise = r->quality.noise;
    t.floor = r->quality.floor;
    t.drift = r->quality.drift;
    t.correlated = r->quality.correlated;
    t.nonrandom = r->quality.nonrandom;
    t.beyond = r->quality.beyond;
  }
  t.changed = 1;
  if (job->race != NULL)
    t.changes = cairn_timing__race_changes(job->race, &t.changed);
  t.clocks = job->clocks;
  t.load = job->load;
  t.oversubscribed =
      t.load.shared > 0 || cairn_exec__info_get(job->exec)->oversubscribed;
  return t;
}

static void print_clocks(const cairn_exec_clocks *c) {
  char text[160];
  if (c->looks == 0)
    return;
  cairn_exec__clocks_text(c, text, sizeof text);
  if (c->throttled > 0)
    cairn_cli_print(
        "           THROTTLED: GPU clocks %s; %u of %u readings: times are "
        "too long\n",
        text, c->throttled, c->looks);
  else
    cairn_cli_print("           GPU clocks %s, not throttled\n", text);
}

static void print_load(const explore_trust *t) {
  const cairn_exec_load *l = &t->load;
  if (l->lost > 0)
    cairn_cli_print("           %u of %u samples were left out and taken "
                    "again: a rank lost its processor%s\n",
                    l->lost, l->samples,
                    l->stopped > 0 ? " (it was stopped)" : "");
  if (l->shared > 0) {
    cairn_cli_print_shown("           OVERSUBSCRIBED: ", l->sharing, "");
    cairn_cli_print(", in %u of %u looks: times mean little\n", l->shared,
                    l->looks);
  }
  if (l->disturbed > 0) {
    cairn_cli_print_shown("           OTHERS: ", l->strangest, "");
    cairn_cli_print(" used up to %.2g processors that the ranks run on\n",
                    l->stranger);
  }
}

/* The machine as another one than before. */
static void print_changes(const explore_job *job, const explore_trust *t) {
  if (t->changes > 0)
    cairn_cli_print(
        "           THE MACHINE CHANGED %u time%s during the search, by a "
        "factor of %.2g in all: times of before and after cannot be "
        "compared%s\n",
        t->changes, t->changes == 1 ? "" : "s", t->changed,
        job->refined.done ? "; measured again, they can" : "");
  if (t->beyond > 0)
    cairn_cli_print("           %zu samples were left out: the machine was "
                    "more than %.2g times off at that moment\n",
                    t->beyond, CAIRN_TIMING_CORRECTION);
  if (job->refined.overtime)
    cairn_cli_print(
        "           MEASURING AGAIN WAS CUT SHORT: it took too long\n");
}

void explore_trust_print(const explore_job *job) {
  const explore_trust t = explore_trust_of(job);
  if (isnan(t.noise))
    cairn_cli_print("Noise:     unknown: too few samples\n");
  else
    cairn_cli_print(
        "Noise:     %.2g %% a sample; schedules that differ by less than "
        "%.2g %% cannot be told apart\n",
        100 * t.noise, 100 * t.floor);
  if (t.drift > 0)
    cairn_cli_print(
        "           the machine drifted by %.2g %% (divided out%s)\n",
        100 * t.drift, t.beyond > 0 ? " where that was possible" : "");
  if (t.correlated)
    cairn_cli_print(
        "           samples of neighbouring rounds are alike: intervals are "
        "from block medians\n");
  if (t.nonrandom)
    cairn_cli_print(
        "           NOT RANDOM: the machine changes faster than can be "
        "corrected for\n");
  if (t.oversubscribed && t.load.shared == 0)
    cairn_cli_print(
        "           OVERSUBSCRIBED: more ranks than cores: times mean "
        "little (see cairn doctor)\n");
  print_load(&t);
  print_changes(job, &t);
  print_clocks(&t.clocks);
}

json_t *explore_trust_json(const explore_job *job) {
  const explore_trust t = explore_trust_of(job);
  return json_pack(
      "{s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:i, s:o, s:f, "
      "s:o, s:i, s:i, s:f, s:b}",
      "sample", cairn_cli_json_number(t.noise), "floor",
      cairn_cli_json_number(t.floor), "drift", cairn_cli_json_number(t.drift),
      "correlated", t.correlated, "nonrandom", t.nonrandom, "oversubscribed",
      t.oversubscribed, "throttled", t.clocks.throttled > 0, "clock_readings",
      (int)t.clocks.looks, "clock_least_mhz", (int)t.clocks.least_mhz,
      "clock_most_mhz", (int)t.clocks.most_mhz, "lost", (int)t.load.lost,
      "stopped", (int)t.load.stopped, "sharing",
      cairn_cli_json_text(t.load.shared > 0 ? t.load.sharing : NULL),
      "strangers", t.load.stranger, "strangest",
      cairn_cli_json_text(t.load.disturbed > 0 ? t.load.strangest : NULL),
      "beyond", (int)t.beyond, "changes", (int)t.changes, "changed", t.changed,
      "overtime", job->refined.overtime);
}

/* ---- finalists ---- */

static void name_finalist(const explore_job *job, const explore_finalist *f,
                          char *name, size_t size) {
  const uint64_t id = f->estimate.id;
  int n;
  if (id == EXPLORE_PROGRAM_ORDER)
    n = snprintf(name, size, "program order");
  else
    n = snprintf(name, size, "schedule %llu", (unsigned long long)id);
  if (id == job->program_order && id != EXPLORE_PROGRAM_ORDER)
    n += snprintf(name + n, size - (size_t)n, ", program order");
  if (id == job->refined.slowest)
    n += snprintf(name + n, size - (size_t)n, ", slowest");
  if (f->class_of >= 0 && job->refined.classes > 1)
    snprintf(name + n, size - (size_t)n, ", typical of class %d", f->class_of);
}

static void print_p(double p) {
  cairn_cli_print(" (p %s%.2g)", p < 1e-6 ? "< " : "= ", fmax(p, 1e-6));
}

static void print_finalist(const explore_job *job, const explore_finalist *f) {
  const cairn_timing_estimate *e = &f->estimate;
  char name[96];
  name_finalist(job, f, name, sizeof name);
  cairn_cli_print("  %-38s %9.4f us [%.4f, %.4f]  ", name,
                  e->times.p[CAIRN_BASE_P50] * 1e6, e->times.low * 1e6,
                  e->times.high * 1e6);
  if (f->best)
    cairn_cli_print("the best");
  else if (f->comparison.verdict == CAIRN_EXEC_TIE)
    cairn_cli_print("indistinguishable from the best");
  else {
    cairn_cli_print("%.3f times slower", f->comparison.ratio);
    print_p(f->comparison.p);
  }
  cairn_cli_print("\n");
}

static const explore_finalist *finalist_of(const explore_job *job,
                                           uint64_t id) {
  for (size_t i = 0; i < job->refined.finalists; i++)
    if (job->refined.finalist[i].estimate.id == id)
      return &job->refined.finalist[i];
  return NULL;
}

static const explore_finalist *best_of(const explore_job *job) {
  for (size_t i = 0; i < job->refined.finalists; i++)
    if (job->refined.finalist[i].best)
      return &job->refined.finalist[i];
  return NULL;
}

/* The interval encloses all ratios of values within both intervals. */
static void print_speedup(const explore_job *job, const char *over,
                          uint64_t id) {
  const explore_finalist *best = best_of(job), *other = finalist_of(job, id);
  if (best == NULL || other == NULL)
    return;
  cairn_cli_print("Speed-up over %s: ", over);
  if (other == best || other->comparison.verdict == CAIRN_EXEC_TIE) {
    cairn_cli_print("none that is significant\n");
    return;
  }
  cairn_cli_print("%.3f [%.3f, %.3f]", other->comparison.ratio,
                  other->estimate.times.low / best->estimate.times.high,
                  other->estimate.times.high / best->estimate.times.low);
  print_p(other->comparison.p);
  cairn_cli_print("\n");
}

void explore_refine_print(const explore_job *job) {
  const explore_refined *r = &job->refined;
  if (!r->done || r->finalists == 0)
    return;
  cairn_cli_print(
      "Measured again side by side: %u rounds, %u placements; finalists: %u "
      "rounds\n",
      r->rounds, r->placements, r->final_rounds);
  for (size_t i = 0; i < r->finalists; i++)
    print_finalist(job, &r->finalist[i]);
  print_speedup(job, "program order", job->program_order);
  print_speedup(job, "the slowest", r->slowest);
}

static json_t *finalist_json(const explore_job *job,
                             const explore_finalist *f) {
  static const char *const verdict[] = {"tie", "slower", "faster"};
  const cairn_timing_estimate *e = &f->estimate;
  return json_pack(
      "{s:o, s:b, s:b, s:o, s:f, s:o, s:o, s:i, s:s, s:o, s:o}", "id",
      e->id == EXPLORE_PROGRAM_ORDER ? json_null()
                                     : cairn_cli_json_integer(e->id),
      "program_order", e->id == job->program_order, "slowest",
      e->id == job->refined.slowest, "class",
      f->class_of < 0 ? json_null() : json_integer(f->class_of), "time",
      e->times.p[CAIRN_BASE_P50], "low", cairn_cli_json_number(e->times.low),
      "high", cairn_cli_json_number(e->times.high), "samples",
      (int)e->times.samples, "verdict",
      f->best ? "best" : verdict[f->comparison.verdict], "ratio",
      cairn_cli_json_number(f->comparison.ratio), "p",
      cairn_cli_json_number(f->comparison.p));
}

json_t *explore_refine_json(const explore_job *job) {
  const explore_refined *r = &job->refined;
  if (!r->done)
    return json_null();
  json_t *list = json_array();
  for (size_t i = 0; i < r->finalists; i++)
    json_array_append_new(list, finalist_json(job, &r->finalist[i]));
  const explore_finalist *order = finalist_of(job, job->program_order);
  const explore_finalist *slowest = finalist_of(job, r->slowest);
  return json_pack(
      "{s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "rounds", (int)r->rounds,
      "placements", (int)r->placements, "final_rounds", (int)r->final_rounds,
      "throttled_rounds", (int)r->throttled, "drift",
      cairn_cli_json_number(r->quality.drift), "finalists", list,
      "speedup_program_order",
      cairn_cli_json_number(order != NULL ? order->comparison.ratio
                                          : (double)NAN),
      "speedup_slowest",
      cairn_cli_json_number(slowest != NULL ? slowest->comparison.ratio
                                            : (double)NAN));
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-finalists.c - how far the numbers of a run can be trusted, and
 * how its finalists compare: in words and in JSON.
 *
 * A difference is told as one only when it is significant (Mann-Whitney,
 * p < 0.01) and at least 1 %.
 */
#include <math.h>

#include "explore.h"

/* ---- how far the numbers can be trusted ---- */

static void print_clocks(const cairn_explore_trust *t) {
  const cairn_exec_clocks *c = &t->clocks;
  const char *text = t->clocks_text;
  if (c->looks == 0)
    return;
  if (c->throttled > 0)
    cairn_cli_print(
        "           THROTTLED: GPU clocks %s; %u of %u readings: times are "
        "too long\n",
        text, c->throttled, c->looks);
  else
    cairn_cli_print("           GPU clocks %s, not throttled\n", text);
}

static void print_load(const cairn_explore_trust *t) {
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
static void print_changes(const cairn_explore_result *result) {
  const cairn_explore_trust *t = &result->trust;
  if (t->changes > 0)
    cairn_cli_print(
        "           THE MACHINE CHANGED %u time%s during the search, by a "
        "factor of %.2g in all: times of before and after cannot be "
        "compared%s\n",
        t->changes, t->changes == 1 ? "" : "s", t->changed,
        result->refined ? "; measured again, they can" : "");
  if (t->beyond > 0)
    cairn_cli_print("           %zu samples were left out: the machine was "
                    "more than %.2g times off at that moment\n",
                    t->beyond, t->correction);
  if (t->overtime)
    cairn_cli_print(
        "           MEASURING AGAIN WAS CUT SHORT: it took too long\n");
}

void explore_trust_print(const cairn_explore_result *result) {
  const cairn_explore_trust *t = &result->trust;
  if (isnan(t->noise))
    cairn_cli_print("Noise:     unknown: too few samples\n");
  else
    cairn_cli_print(
        "Noise:     %.2g %% a sample; schedules that differ by less than "
        "%.2g %% cannot be told apart\n",
        100 * t->noise, 100 * t->floor);
  if (t->drift > 0)
    cairn_cli_print(
        "           the machine drifted by %.2g %% (divided out%s)\n",
        100 * t->drift, t->beyond > 0 ? " where that was possible" : "");
  if (t->correlated)
    cairn_cli_print(
        "           samples of neighbouring rounds are alike: intervals are "
        "from block medians\n");
  if (t->nonrandom)
    cairn_cli_print(
        "           NOT RANDOM: the machine changes faster than can be "
        "corrected for\n");
  if (t->oversubscribed && t->load.shared == 0)
    cairn_cli_print(
        "           OVERSUBSCRIBED: more ranks than cores: times mean "
        "little (see cairn doctor)\n");
  print_load(t);
  print_changes(result);
  print_clocks(t);
}

json_t *explore_trust_json(const cairn_explore_trust *t) {
  return json_pack(
      "{s:o, s:o, s:o, s:b, s:b, s:b, s:b, s:i, s:i, s:i, s:i, s:i, s:o, s:f, "
      "s:o, s:i, s:i, s:f, s:b}",
      "sample", cairn_cli_json_number(t->noise), "floor",
      cairn_cli_json_number(t->floor), "drift", cairn_cli_json_number(t->drift),
      "correlated", t->correlated, "nonrandom", t->nonrandom, "oversubscribed",
      t->oversubscribed, "throttled", t->clocks.throttled > 0, "clock_readings",
      (int)t->clocks.looks, "clock_least_mhz", (int)t->clocks.least_mhz,
      "clock_most_mhz", (int)t->clocks.most_mhz, "lost", (int)t->load.lost,
      "stopped", (int)t->load.stopped, "sharing",
      cairn_cli_json_text(t->load.shared > 0 ? t->load.sharing : NULL),
      "strangers", t->load.stranger, "strangest",
      cairn_cli_json_text(t->load.disturbed > 0 ? t->load.strangest : NULL),
      "beyond", (int)t->beyond, "changes", (int)t->changes, "changed",
      t->changed, "overtime", t->overtime);
}

/* ---- finalists ---- */

static void name_finalist(const cairn_explore_result *result,
                          const cairn_explore_finalist *f, char *name,
                          size_t size) {
  int n;
  if (f->id == CAIRN_EXPLORE_PROGRAM_ORDER)
    n = snprintf(name, size, "program order");
  else
    n = snprintf(name, size, "schedule %llu", (unsigned long long)f->id);
  if (f->program_order && f->id != CAIRN_EXPLORE_PROGRAM_ORDER)
    n += snprintf(name + n, size - (size_t)n, ", program order");
  if (f->slowest)
    n += snprintf(name + n, size - (size_t)n, ", slowest");
  if (f->class_of >= 0 && result->classes > 1)
    snprintf(name + n, size - (size_t)n, ", typical of class %d", f->class_of);
}

static void print_p(double p) {
  cairn_cli_print(" (p %s%.2g)", p < 1e-6 ? "< " : "= ", fmax(p, 1e-6));
}

static void print_finalist(const cairn_explore_result *result,
                           const cairn_explore_finalist *f) {
  char name[96];
  name_finalist(result, f, name, sizeof name);
  cairn_cli_print("  %-38s %9.4f us [%.4f, %.4f]  ", name,
                  f->times.p[CAIRN_BASE_P50] * 1e6, f->times.low * 1e6,
                  f->times.high * 1e6);
  if (f->verdict == CAIRN_EXPLORE_BEST)
    cairn_cli_print("the best");
  else if (f->verdict == CAIRN_EXPLORE_TIE)
    cairn_cli_print("indistinguishable from the best");
  else {
    cairn_cli_print("%.3f times slower", f->ratio);
    print_p(f->p);
  }
  cairn_cli_print("\n");
}

static const cairn_explore_finalist *
program_order_of(const cairn_explore_result *result) {
  for (size_t i = 0; i < result->finalists; i++)
    if (result->finalist[i].program_order)
      return &result->finalist[i];
  return NULL;
}

static const cairn_explore_finalist *
slowest_of(const cairn_explore_result *result) {
  for (size_t i = 0; i < result->finalists; i++)
    if (result->finalist[i].slowest)
      return &result->finalist[i];
  return NULL;
}

static const cairn_explore_finalist *
best_of(const cairn_explore_result *result) {
  for (size_t i = 0; i < result->finalists; i++)
    if (result->finalist[i].verdict == CAIRN_EXPLORE_BEST)
      return &result->finalist[i];
  return NULL;
}

/* The interval encloses all ratios of values within both intervals. */
static void print_speedup(const cairn_explore_result *result, const char *over,
                          const cairn_explore_finalist *other) {
  const cairn_explore_finalist *best = best_of(result);
  if (best == NULL || other == NULL)
    return;
  cairn_cli_print("Speed-up over %s: ", over);
  if (other == best || other->verdict == CAIRN_EXPLORE_TIE) {
    cairn_cli_print("none that is significant\n");
    return;
  }
  cairn_cli_print("%.3f [%.3f, %.3f]", other->ratio,
                  other->times.low / best->times.high,
                  other->times.high / best->times.low);
  print_p(other->p);
  cairn_cli_print("\n");
}

void explore_refine_print(const cairn_explore_result *result) {
  if (!result->refined || result->finalists == 0)
    return;
  cairn_cli_print(
      "Measured again side by side: %u rounds, %u placements; finalists: %u "
      "rounds\n",
      result->rounds, result->placements, result->final_rounds);
  for (size_t i = 0; i < result->finalists; i++)
    print_finalist(result, &result->finalist[i]);
  print_speedup(result, "program order", program_order_of(result));
  print_speedup(result, "the slowest", slowest_of(result));
}

static json_t *finalist_json(const cairn_explore_finalist *f) {
  static const char *const verdict[] = {"tie", "slower", "faster", "best"};
  return json_pack(
      "{s:o, s:b, s:b, s:o, s:f, s:o, s:o, s:i, s:s, s:o, s:o}", "id",
      f->id == CAIRN_EXPLORE_PROGRAM_ORDER ? json_null()
                                           : cairn_cli_json_integer(f->id),
      "program_order", f->program_order, "slowest", f->slowest, "class",
      f->class_of < 0 ? json_null() : json_integer(f->class_of), "time",
      f->times.p[CAIRN_BASE_P50], "low", cairn_cli_json_number(f->times.low),
      "high", cairn_cli_json_number(f->times.high), "samples",
      (int)f->times.samples, "verdict", verdict[f->verdict], "ratio",
      cairn_cli_json_number(f->ratio), "p", cairn_cli_json_number(f->p));
}

static json_t *speedup_json(const cairn_explore_finalist *over) {
  return cairn_cli_json_number(over != NULL ? over->ratio : (double)NAN);
}

json_t *explore_refine_json(const cairn_explore_result *result) {
  if (!result->refined)
    return json_null();
  json_t *list = json_array();
  for (size_t i = 0; i < result->finalists; i++)
    json_array_append_new(list, finalist_json(&result->finalist[i]));
  return json_pack("{s:i, s:i, s:i, s:i, s:o, s:o, s:o, s:o}", "rounds",
                   (int)result->rounds, "placements", (int)result->placements,
                   "final_rounds", (int)result->final_rounds,
                   "throttled_rounds", (int)result->throttled_rounds, "drift",
                   cairn_cli_json_number(result->refined_drift), "finalists",
                   list, "speedup_program_order",
                   speedup_json(program_order_of(result)), "speedup_slowest",
                   speedup_json(slowest_of(result)));
}

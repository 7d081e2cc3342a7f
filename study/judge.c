/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/judge.c - who won: t-tests, wins, curves, and what to use.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/stats-private.h"
#include "study/contest-private.h"

enum { DEFAULT_SPLIT = 200 };

void cairn_study__verdict_free(cairn_study_verdict *v) {
  if (!v)
    return;
  cairn_base_free(v->heat);
  cairn_base_free(v->wins);
  cairn_base_free(v->test);
  cairn_base_free(v->fraction);
  cairn_base_free(v->fraction_low);
  cairn_base_free(v->fraction_high);
  cairn_base_free(v->overall);
  cairn_base_free(v->overall_low);
  cairn_base_free(v->overall_high);
  cairn_base_free(v->recommended);
  cairn_base_free(v);
}

size_t cairn_study__random(const cairn_study_contest *c) {
  for (size_t e = 0; e < c->strategies; e++)
    if (strcmp(c->strategy[e], "random") == 0)
      return e;
  return SIZE_MAX;
}

int cairn_study__in_part(const cairn_study_verdict *v, size_t budget,
                         int part) {
  const int low = v->contest->budget[budget] <= v->how.split;
  return part == CAIRN_STUDY__ALL || (part == CAIRN_STUDY__LOW) == low;
}

void cairn_study__part_text(const cairn_study_verdict *v, int part,
                            cairn_base_text *text) {
  if (part == CAIRN_STUDY__ALL)
    cairn_base_text_add(text, "all budgets");
  else
    cairn_base_text_addf(text, "%s budgets (%s %llu)",
                         part == CAIRN_STUDY__LOW ? "low" : "medium",
                         part == CAIRN_STUDY__LOW ? "up to" : "above",
                         (unsigned long long)v->how.split);
}

/* ---- tests ---- */

/* What a run that found nothing counts as. */
static void usable(const cairn_study_contest *c, size_t strategy, size_t space,
                   size_t budget, double *out) {
  const double *const best_s = cairn_study__best(c, strategy, space, budget);
  for (size_t r = 0; r < c->runs; r++)
    out[r] = isfinite(best_s[r]) ? best_s[r] : c->slowest_s[space];
}

static cairn_study_test *test_at(cairn_study_verdict *v, size_t space,
                                 size_t budget, size_t a, size_t b) {
  const cairn_study_contest *const c = v->contest;
  return v->test +
         ((space * c->budgets + budget) * c->strategies + a) * c->strategies +
         b;
}

/* All pairs at a space and budget: runs [strategy][run]. */
static void test_pairs(cairn_study_verdict *v, size_t space, size_t budget,
                       double *runs) {
  const cairn_study_contest *const c = v->contest;
  const size_t n = c->strategies;
  for (size_t e = 0; e < n; e++)
    usable(c, e, space, budget, runs + e * c->runs);
  for (size_t a = 0; a < n; a++)
    for (size_t b = 0; b < n; b++) {
      cairn_study_test *const test = test_at(v, space, budget, a, b);
      *test = cairn_study__t_test(runs + a * c->runs, c->runs,
                                  runs + b * c->runs, c->runs, v->how.welch);
      if (a == b || test->t >= 0 || !(test->p < CAIRN_STUDY_ALPHA))
        continue;
      for (int part = 0; part < CAIRN_STUDY__PARTS; part++)
        if (cairn_study__in_part(v, budget, part)) {
          v->heat[((size_t)part * n + b) * n + a]++;
          v->wins[(size_t)part * n + a]++;
        }
    }
}

/* ---- curves ---- */

static void spread(double *value, size_t count, double *mean_p, double *low_p,
                   double *high_p) {
  *mean_p = cairn_base__stats_mean(value, count);
  cairn_base__stats_sort(value, count);
  *low_p = cairn_base__stats_percentile(value, count, 25);
  *high_p = cairn_base__stats_percentile(value, count, 75);
}

/* Fractions of optimum of a strategy at a budget, on each space and overall:
 * work holds all runs of all spaces, and those of one. */
static void find_curve(cairn_study_verdict *v, size_t strategy, size_t budget,
                       double *work) {
  const cairn_study_contest *const c = v->contest;
  double *const all = work, *const one = work + c->spaces * c->runs;
  for (size_t s = 0; s < c->spaces; s++) {
    const double *const best_s = cairn_study__best(c, strategy, s, budget);
    const size_t at = (strategy * c->spaces + s) * c->budgets + budget;
    for (size_t r = 0; r < c->runs; r++)
      all[s * c->runs + r] = one[r] = c->optimum_s[s] / best_s[r];
    spread(one, c->runs, &v->fraction[at], &v->fraction_low[at],
           &v->fraction_high[at]);
  }
  const size_t at = strategy * c->budgets + budget;
  spread(all, c->spaces * c->runs, &v->overall[at], &v->overall_low[at],
         &v->overall_high[at]);
}

/* ---- what to use ---- */

/* On how many spaces a beat b, less those where b beat a. */
static long balance(const cairn_study_verdict *v, size_t budget, size_t a,
                    size_t b) {
  long sum = 0;
  for (size_t s = 0; s < v->contest->spaces; s++) {
    const cairn_study_test *const test = cairn_study__test(v, s, budget, a, b);
    if (test->p < CAIRN_STUDY_ALPHA)
      sum += test->t < 0 ? 1 : -1;
  }
  return sum;
}

/* Among those that beat random more often than they lose to it, the one that
 * beats most others; of equal ones the one with the higher mean fraction. */
static size_t recommend(const cairn_study_verdict *v, size_t budget) {
  const cairn_study_contest *const c = v->contest;
  const size_t random = cairn_study__random(c);
  size_t best = SIZE_MAX;
  long best_balance = 0;
  for (size_t e = 0; e < c->strategies && random != SIZE_MAX; e++) {
    long sum = 0;
    if (e == random || balance(v, budget, e, random) <= 0)
      continue;
    for (size_t other = 0; other < c->strategies; other++)
      sum += other == e ? 0 : balance(v, budget, e, other);
    if (best == SIZE_MAX || sum > best_balance ||
        (sum == best_balance && v->overall[e * c->budgets + budget] >
                                    v->overall[best * c->budgets + budget])) {
      best = e;
      best_balance = sum;
    }
  }
  return best;
}

/* ---- all of it ---- */

static cairn_status make_room(cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  const size_t n = c->strategies, curves = n * c->budgets;
  v->heat = cairn_base_zalloc(CAIRN_STUDY__PARTS * n * n, sizeof *v->heat);
  v->wins = cairn_base_zalloc(CAIRN_STUDY__PARTS * n, sizeof *v->wins);
  v->test = cairn_base_zalloc(c->spaces * c->budgets * n * n, sizeof *v->test);
  v->fraction = cairn_base_zalloc(curves * c->spaces, sizeof *v->fraction);
  v->fraction_low =
      cairn_base_zalloc(curves * c->spaces, sizeof *v->fraction_low);
  v->fraction_high =
      cairn_base_zalloc(curves * c->spaces, sizeof *v->fraction_high);
  v->overall = cairn_base_zalloc(curves, sizeof *v->overall);
  v->overall_low = cairn_base_zalloc(curves, sizeof *v->overall_low);
  v->overall_high = cairn_base_zalloc(curves, sizeof *v->overall_high);
  v->recommended = cairn_base_zalloc(c->budgets, sizeof *v->recommended);
  return v->heat && v->wins && v->test && v->fraction && v->fraction_low &&
                 v->fraction_high && v->overall && v->overall_low &&
                 v->overall_high && v->recommended
             ? CAIRN_OK
             : CAIRN_NOMEM;
}

static cairn_status judge(cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  const size_t most =
      c->strategies > c->spaces + 1 ? c->strategies : c->spaces + 1;
  double *const work = cairn_base_alloc(most * c->runs, sizeof *work);
  if (!work)
    return CAIRN_NOMEM;
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t b = 0; b < c->budgets; b++)
      test_pairs(v, s, b, work);
  for (size_t e = 0; e < c->strategies; e++)
    for (size_t b = 0; b < c->budgets; b++)
      find_curve(v, e, b, work);
  for (size_t b = 0; b < c->budgets; b++) {
    v->recommended[b] = recommend(v, b);
    for (int part = 0; part < CAIRN_STUDY__PARTS; part++)
      if (cairn_study__in_part(v, b, part))
        v->of[part] += c->spaces * (c->strategies - 1);
  }
  cairn_base_free(work);
  return CAIRN_OK;
}

cairn_status cairn_study__judge(const cairn_study_contest *contest,
                                const cairn_study_judging *how,
                                cairn_study_verdict **verdict_p) {
  cairn_study_verdict *const v = cairn_base_zalloc(1, sizeof *v);
  cairn_status status = v ? CAIRN_OK : CAIRN_NOMEM;
  if (!status) {
    v->contest = contest;
    v->how = *how;
    if (v->how.split == 0)
      v->how.split = DEFAULT_SPLIT;
    status = make_room(v);
  }
  if (!status)
    status = judge(v);
  if (status)
    cairn_study__verdict_free(v);
  else
    *verdict_p = v;
  return status;
}

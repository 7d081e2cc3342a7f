/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/verdict-json.c - a competition for scripts.
 */
#include "study/contest-private.h"
#include "study/json-private.h"

static json_t *names(char *const *name, size_t count) {
  json_t *const array = json_array();
  for (size_t i = 0; i < count; i++)
    cairn_study__append(array, cairn_study__string(name[i]));
  return array;
}

static json_t *budgets(const cairn_study_verdict *v, int part) {
  json_t *const array = json_array();
  for (size_t b = 0; b < v->contest->budgets; b++)
    if (cairn_study__in_part(v, b, part))
      cairn_study__append(array, cairn_study__integer(v->contest->budget[b]));
  return array;
}

static json_t *part_json(const cairn_study_verdict *v, int part) {
  const size_t n = v->contest->strategies;
  json_t *const heat = json_array(), *const wins = json_array();
  for (size_t row = 0; row < n; row++) {
    json_t *const line = json_array();
    for (size_t e = 0; e < n; e++)
      cairn_study__append(
          line, e == row
                    ? json_null()
                    : cairn_study__integer(cairn_study__heat(v, part, row, e)));
    cairn_study__append(heat, line);
    cairn_study__append(wins,
                        cairn_study__integer(v->wins[(size_t)part * n + row]));
  }
  return json_pack("{s:o,s:o,s:o,s:o}", "budgets", budgets(v, part), "heat",
                   heat, "wins", wins, "of", cairn_study__integer(v->of[part]));
}

static json_t *numbers(const double *value, size_t count) {
  json_t *const array = json_array();
  for (size_t i = 0; i < count; i++)
    cairn_study__append(array, cairn_study__number(value[i]));
  return array;
}

static json_t *curve_json(const cairn_study_verdict *v, size_t e, json_t *space,
                          const double *mean, const double *low,
                          const double *high) {
  const cairn_study_contest *const c = v->contest;
  return json_pack("{s:o,s:o,s:o,s:o,s:o}", "space", space, "strategy",
                   cairn_study__string(c->strategy[e]), "fraction",
                   numbers(mean, c->budgets), "low", numbers(low, c->budgets),
                   "high", numbers(high, c->budgets));
}

static json_t *curves_json(const cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  json_t *const array = json_array();
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t e = 0; e < c->strategies; e++) {
      const size_t at = (e * c->spaces + s) * c->budgets;
      cairn_study__append(array,
                          curve_json(v, e, cairn_study__string(c->space[s]),
                                     v->fraction + at, v->fraction_low + at,
                                     v->fraction_high + at));
    }
  return array;
}

static json_t *overall_json(const cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  json_t *const array = json_array();
  for (size_t e = 0; e < c->strategies; e++) {
    const size_t at = e * c->budgets;
    cairn_study__append(array,
                        curve_json(v, e, json_null(), v->overall + at,
                                   v->overall_low + at, v->overall_high + at));
  }
  return array;
}

/* t is null where it is infinite: p is 0 then. */
static json_t *tests_json(const cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  json_t *const array = json_array();
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t b = 0; b < c->budgets; b++)
      for (size_t x = 0; x < c->strategies; x++)
        for (size_t y = x + 1; y < c->strategies; y++) {
          const cairn_study_test *const test = cairn_study__test(v, s, b, x, y);
          cairn_study__append(
              array, json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "space",
                               cairn_study__string(c->space[s]), "budget",
                               cairn_study__integer(c->budget[b]), "a",
                               cairn_study__string(c->strategy[x]), "b",
                               cairn_study__string(c->strategy[y]), "t",
                               cairn_study__number(test->t), "df",
                               cairn_study__number(test->df), "p",
                               cairn_study__number(test->p)));
        }
  return array;
}

static json_t *recommended_json(const cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  json_t *const array = json_array();
  for (size_t b = 0; b < c->budgets; b++)
    cairn_study__append(
        array,
        json_pack("{s:o,s:o}", "budget", cairn_study__integer(c->budget[b]),
                  "strategy",
                  v->recommended[b] == SIZE_MAX
                      ? json_null()
                      : cairn_study__string(c->strategy[v->recommended[b]])));
  return array;
}

json_t *cairn_study__verdict_object(const cairn_study_verdict *v) {
  const cairn_study_contest *const c = v->contest;
  json_t *const o = json_object();
  cairn_study__set(o, "schema", json_integer(1));
  cairn_study__set(o, "strategies", names(c->strategy, c->strategies));
  cairn_study__set(o, "spaces", names(c->space, c->spaces));
  cairn_study__set(o, "budgets", budgets(v, CAIRN_STUDY__ALL));
  cairn_study__set(o, "runs", cairn_study__integer(c->runs));
  cairn_study__set(o, "seed", cairn_study__integer(c->seed));
  cairn_study__set(o, "t_test", json_string(v->how.welch ? "welch" : "pooled"));
  cairn_study__set(o, "alpha", json_real(CAIRN_STUDY_ALPHA));
  cairn_study__set(o, "split", cairn_study__integer(v->how.split));
  cairn_study__set(o, "missing", cairn_study__integer(c->missing));
  cairn_study__set(o, "low", part_json(v, CAIRN_STUDY__LOW));
  cairn_study__set(o, "medium", part_json(v, CAIRN_STUDY__MEDIUM));
  cairn_study__set(o, "all", part_json(v, CAIRN_STUDY__ALL));
  cairn_study__set(o, "overall", overall_json(v));
  cairn_study__set(o, "curves", curves_json(v));
  cairn_study__set(o, "recommended", recommended_json(v));
  cairn_study__set(o, "tests", tests_json(v));
  return o;
}

cairn_status cairn_study__verdict_json(const void *verdict,
                                       cairn_base_text *text) {
  return cairn_study__dump(cairn_study__verdict_object(verdict), text);
}

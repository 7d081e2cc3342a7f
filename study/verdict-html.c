/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/verdict-html.c - a competition as a page.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "study/contest-private.h"
#include "study/plot-private.h"

enum { MOST_SPACES = 30, MAP = 480, NAME = 110, HEAD = 96, MARGIN = 44 };

static void recommendations(const cairn_study_verdict *v, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "<h2>What to use</h2>\n<table><tr><th>budget</th><th>"
                         "strategy</th><th>its mean fraction of optimum</th>"
                         "<th>random's</th></tr>\n");
  const size_t random = cairn_study__random(c);
  for (size_t b = 0; b < c->budgets; b++) {
    const size_t e = v->recommended[b];
    cairn_base_text_addf(t, "<tr><td>%llu</td><td>",
                         (unsigned long long)c->budget[b]);
    cairn_study__escape(t,
                        e == SIZE_MAX ? "none beats random" : c->strategy[e]);
    if (e == SIZE_MAX)
      cairn_base_text_add(t, "</td><td></td>");
    else
      cairn_base_text_addf(t, "</td><td>%.4f</td>",
                           v->overall[e * c->budgets + b]);
    if (random == SIZE_MAX)
      cairn_base_text_add(t, "<td></td></tr>\n");
    else
      cairn_base_text_addf(t, "<td>%.4f</td></tr>\n",
                           v->overall[random * c->budgets + b]);
  }
  cairn_base_text_add(t, "</table>\n");
}

/* ---- heat maps ---- */

static void cell(const cairn_study_verdict *v, int part, size_t row, size_t e,
                 double side, double x, double y, cairn_base_text *t) {
  const size_t n = v->contest->strategies;
  const double most = (double)v->of[part] / (double)(n - 1);
  const size_t beat = cairn_study__heat(v, part, row, e);
  cairn_base_text_addf(t,
                       "<rect class=\"cell\" x=\"%.1f\" y=\"%.1f\" "
                       "width=\"%.1f\" height=\"%.1f\" opacity=\"%.3f\"/>",
                       x, y, side - 1, side - 1,
                       0.06 + 0.6 * (double)beat / most);
  cairn_base_text_addf(t,
                       "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">"
                       "%zu</text>\n",
                       x + side / 2, y + side / 2 + 4, beat);
}

static void heat(const cairn_study_verdict *v, int part, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const double side = (double)(MAP - NAME - MARGIN) / (double)c->strategies;
  const double tall = side < 34 ? side : 34;
  cairn_base_text_add(t, "<h3>");
  cairn_study__part_text(v, part, t);
  cairn_base_text_addf(t,
                       "</h3>\n<svg id=\"heat%d\" class=\"chart\" viewBox=\"0 "
                       "0 %d %.0f\" role=\"img\" aria-label=\"How often the "
                       "column's strategy beat the row's\">\n",
                       part, MAP, HEAD + tall * (double)c->strategies + 4);
  for (size_t e = 0; e < c->strategies; e++) {
    const double x = NAME + side * ((double)e + 0.5);
    cairn_base_text_addf(
        t, "<text transform=\"translate(%.1f %d) rotate(-60)\">", x, HEAD - 6);
    cairn_study__escape(t, c->strategy[e]);
    cairn_base_text_addf(t,
                         "</text>\n<text x=\"%d\" y=\"%.1f\" "
                         "text-anchor=\"end\">",
                         NAME - 6, HEAD + tall * ((double)e + 0.5) + 4);
    cairn_study__escape(t, c->strategy[e]);
    cairn_base_text_add(t, "</text>\n");
  }
  for (size_t row = 0; row < c->strategies; row++)
    for (size_t e = 0; e < c->strategies; e++)
      if (e != row) {
        cairn_base_text_add(t, "<g>");
        cell(v, part, row, e, side < tall ? side : tall,
             NAME + side * (double)e + (side - (side < tall ? side : tall)) / 2,
             HEAD + tall * (double)row, t);
        cairn_base_text_add(t, "</g>\n");
      }
  cairn_base_text_add(t, "</svg>\n");
}

static void heats(const cairn_study_verdict *v, cairn_base_text *t) {
  cairn_base_text_addf(
      t,
      "<h2>Who beats whom</h2>\n<p>How often the column's strategy beat the "
      "row's: its mean is less and the %s t-test gives p &lt; %.2f. One "
      "comparison for each space and budget.</p>\n",
      v->how.welch ? "Welch" : "pooled", CAIRN_STUDY_ALPHA);
  for (int part = 0; part < CAIRN_STUDY__ALL; part++)
    if (v->of[part] && v->contest->strategies > 1)
      heat(v, part, t);
  cairn_study__numbers(t, "heat.tsv");
}

static void wins(const cairn_study_verdict *v, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "<h2>Wins</h2>\n<table><tr><th>strategy</th><th>low "
                         "budgets</th><th>medium</th><th>all</th></tr>\n");
  for (size_t e = 0; e < c->strategies; e++) {
    cairn_base_text_add(t, "<tr><td>");
    cairn_study__escape(t, c->strategy[e]);
    cairn_base_text_add(t, "</td>");
    for (int part = 0; part < CAIRN_STUDY__PARTS; part++)
      cairn_base_text_addf(t, "<td>%zu of %zu</td>",
                           v->wins[(size_t)part * c->strategies + e],
                           v->of[part]);
    cairn_base_text_add(t, "</tr>\n");
  }
  cairn_base_text_add(t, "</table>\n");
}

/* ---- curves ---- */

/* A function of strategy: where its numbers begin. */
typedef struct curves {
  const double *mean, *low, *high;
  size_t stride;
} curves;

static double lowest(const cairn_study_contest *c, const curves *k) {
  double low = 1;
  for (size_t e = 0; e < c->strategies; e++)
    for (size_t b = 0; b < c->budgets; b++)
      low = fmin(low,
                 fmin(k->low[e * k->stride + b], k->mean[e * k->stride + b]));
  return low;
}

static void draw(const cairn_study_verdict *v, const char *id,
                 const char *title, const curves *k, double *x,
                 cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const double low = lowest(c, k);
  cairn_study__plot p = {
      .id = id,
      .title = title,
      .x_label = "schedules measured",
      .y_label = "best time / best so far",
      .x_low = (double)c->budget[0] * (c->budgets > 1 ? 1 : 0.8),
      .x_high = (double)c->budget[c->budgets - 1] * (c->budgets > 1 ? 1 : 1.25),
      .y_low = low < 1 ? low : 0.99,
      .y_high = 1,
      .x_log = 1};
  for (size_t b = 0; b < c->budgets; b++)
    x[b] = (double)c->budget[b];
  cairn_study__plot_open(&p, t);
  for (size_t e = 0; e < c->strategies; e++)
    cairn_study__plot_band(&p, x, k->low + e * k->stride,
                           k->high + e * k->stride, c->budgets, e);
  for (size_t e = 0; e < c->strategies; e++) {
    cairn_study__plot_line(&p, x, k->mean + e * k->stride, c->budgets, e, 0);
    if (c->budgets == 1)
      cairn_study__plot_dot(&p, x[0], k->mean[e * k->stride], 4, e,
                            c->strategy[e]);
  }
  cairn_study__plot_close(&p);
}

static void all_curves(const cairn_study_verdict *v, double *x,
                       cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const curves overall = {v->overall, v->overall_low, v->overall_high,
                          c->budgets};
  cairn_base_text_add(
      t, "<h2>How good after so many measurements</h2>\n<p>The "
         "mean of the best time of the space / the best so "
         "far; bands hold the middle half of the runs.</p>\n<h3>All "
         "spaces</h3>\n");
  draw(v, "overall", "Mean fraction of optimum, all spaces", &overall, x, t);
  cairn_study__legend(t, (const char *const *)c->strategy, c->strategies);
  for (size_t s = 0; s < c->spaces && s < MOST_SPACES; s++) {
    const size_t at = s * c->budgets;
    const curves one = {v->fraction + at, v->fraction_low + at,
                        v->fraction_high + at, c->spaces * c->budgets};
    char id[32];
    (void)snprintf(id, sizeof id, "curve%zu", s);
    cairn_base_text_add(t, "<h3>");
    cairn_study__escape(t, c->space[s]);
    cairn_base_text_add(t, "</h3>\n");
    draw(v, id, c->space[s], &one, x, t);
  }
  cairn_study__numbers(t, "curves.tsv");
}

cairn_status cairn_study__verdict_body(const cairn_study_verdict *v,
                                       cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  double *const x = cairn_base_alloc(c->budgets, sizeof *x);
  if (!x)
    return CAIRN_NOMEM;
  cairn_base_text_addf(t,
                       "<p>%zu strategies on %zu recorded space%s, %zu runs "
                       "each.</p>\n",
                       c->strategies, c->spaces, c->spaces == 1 ? "" : "s",
                       c->runs);
  if (c->missing)
    cairn_base_text_addf(
        t,
        "<p class=\"card\">%zu proposals were not recorded and "
        "counted as failed: the spaces are incomplete.</p>\n",
        c->missing);
  recommendations(v, t);
  wins(v, t);
  heats(v, t);
  all_curves(v, x, t);
  cairn_base_text_add(t, "<h2>All tests and runs</h2>\n");
  cairn_study__numbers(t, "tests.tsv");
  cairn_study__numbers(t, "runs.tsv");
  cairn_base_free(x);
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_study__verdict_html(const void *verdict,
                                       cairn_base_text *t) {
  cairn_study__page_open(t, "Which search is best?");
  const cairn_status status = cairn_study__verdict_body(verdict, t);
  cairn_study__page_close(t);
  return status ? status : t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

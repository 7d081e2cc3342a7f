/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/verdict-text.c - a competition in words and tables for a terminal.
 */
#include <string.h>

#include "study/contest-private.h"

static int widest(const cairn_study_contest *c) {
  size_t most = 8;
  for (size_t e = 0; e < c->strategies; e++)
    if (strlen(c->strategy[e]) > most)
      most = strlen(c->strategy[e]);
  return (int)most;
}

static int wide(const char *name) {
  return strlen(name) > 7 ? (int)strlen(name) : 7;
}

static void heat(const cairn_study_verdict *v, int part, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const int width = widest(c);
  cairn_base_text_add(t, "\nHow often the column beat the row, ");
  cairn_study__part_text(v, part, t);
  cairn_base_text_addf(t, "\n%-*s", width + 2, "");
  for (size_t e = 0; e < c->strategies; e++)
    cairn_base_text_addf(t, " %*s", wide(c->strategy[e]), c->strategy[e]);
  cairn_base_text_add(t, "\n");
  for (size_t row = 0; row < c->strategies; row++) {
    cairn_base_text_addf(t, "  %-*s", width, c->strategy[row]);
    for (size_t e = 0; e < c->strategies; e++)
      if (e == row)
        cairn_base_text_addf(t, " %*s", wide(c->strategy[e]), "-");
      else
        cairn_base_text_addf(t, " %*zu", wide(c->strategy[e]),
                             cairn_study__heat(v, part, row, e));
    cairn_base_text_add(t, "\n");
  }
  cairn_base_text_addf(t, "  %-*s", width, "wins");
  for (size_t e = 0; e < c->strategies; e++)
    cairn_base_text_addf(t, " %*zu", wide(c->strategy[e]),
                         v->wins[(size_t)part * c->strategies + e]);
  cairn_base_text_addf(t, "  of %zu each\n", v->of[part]);
}

static void curves(const cairn_study_verdict *v, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const int width = widest(c);
  cairn_base_text_addf(t,
                       "\nMean of best time / best so far, all spaces\n  "
                       "%-*s",
                       width, "budget");
  for (size_t b = 0; b < c->budgets; b++)
    cairn_base_text_addf(t, " %8llu", (unsigned long long)c->budget[b]);
  cairn_base_text_add(t, "\n");
  for (size_t e = 0; e < c->strategies; e++) {
    cairn_base_text_addf(t, "  %-*s", width, c->strategy[e]);
    for (size_t b = 0; b < c->budgets; b++)
      cairn_base_text_addf(t, " %8.4f", v->overall[e * c->budgets + b]);
    cairn_base_text_add(t, "\n");
  }
}

static void recommendations(const cairn_study_verdict *v, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "\nWhat to use\n");
  for (size_t b = 0; b < c->budgets; b++)
    cairn_base_text_addf(t, "  %8llu  %s\n", (unsigned long long)c->budget[b],
                         v->recommended[b] == SIZE_MAX
                             ? "no strategy: none beats random"
                             : c->strategy[v->recommended[b]]);
}

/* Degrees of freedom: one number, or the range of Welch's. */
static void freedom(const cairn_study_verdict *v, cairn_base_text *t) {
  const cairn_study_contest *const c = v->contest;
  const size_t tests = c->spaces * c->budgets * c->strategies * c->strategies;
  double least = 2 * (double)c->runs - 2, most = least;
  for (size_t i = 0; i < tests; i++) {
    least = v->test[i].df < least ? v->test[i].df : least;
    most = v->test[i].df > most ? v->test[i].df : most;
  }
  if (v->how.welch)
    cairn_base_text_addf(t, "Welch's t-test, %.2f to %.0f degrees of freedom",
                         least, most);
  else
    cairn_base_text_addf(t, "pooled t-test, %.0f degrees of freedom", most);
}

cairn_status cairn_study__verdict_text(const void *verdict,
                                       cairn_base_text *t) {
  const cairn_study_verdict *const v = verdict;
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_addf(t, "%zu strategies, %zu space%s, %zu runs each; ",
                       c->strategies, c->spaces, c->spaces == 1 ? "" : "s",
                       c->runs);
  freedom(v, t);
  cairn_base_text_addf(t, ", alpha %.2f\n", CAIRN_STUDY_ALPHA);
  if (c->missing)
    cairn_base_text_addf(t,
                         "%zu proposals were not recorded and counted as "
                         "failed: the spaces are incomplete\n",
                         c->missing);
  for (int part = 0; part < CAIRN_STUDY__ALL; part++)
    if (v->of[part])
      heat(v, part, t);
  curves(v, t);
  recommendations(v, t);
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

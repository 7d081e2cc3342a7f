/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/verdict-report.c - formats of the report of a competition, and the
 * tables beside its plots.
 */
#include "study/contest-private.h"

static const char *const part_name[] = {"low", "medium", "all"};

static cairn_status finish(cairn_base_text *t) {
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status runs_tsv(const void *verdict, cairn_base_text *t) {
  return cairn_study__runs_tsv(((const cairn_study_verdict *)verdict)->contest,
                               t);
}

static cairn_status heat_tsv(const void *verdict, cairn_base_text *t) {
  const cairn_study_verdict *const v = verdict;
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "budgets\trow\tcolumn\tcolumn_beat_row\tof\n");
  for (int part = 0; part < CAIRN_STUDY__PARTS; part++)
    for (size_t row = 0; row < c->strategies; row++)
      for (size_t e = 0; e < c->strategies; e++) {
        if (e == row)
          continue;
        cairn_base_text_addf(t, "%s\t", part_name[part]);
        cairn_study__cell(t, c->strategy[row]);
        cairn_base_text_add(t, "\t");
        cairn_study__cell(t, c->strategy[e]);
        cairn_base_text_addf(t, "\t%zu\t%zu\n",
                             cairn_study__heat(v, part, row, e),
                             v->of[part] / (c->strategies - 1));
      }
  return finish(t);
}

static void curve_row(const cairn_study_contest *c, const char *space,
                      size_t strategy, size_t budget, const double *value,
                      cairn_base_text *t) {
  cairn_study__cell(t, space);
  cairn_base_text_add(t, "\t");
  cairn_study__cell(t, c->strategy[strategy]);
  cairn_base_text_addf(t, "\t%llu", (unsigned long long)c->budget[budget]);
  for (int i = 0; i < 3; i++) {
    cairn_base_text_add(t, "\t");
    cairn_study__exact(t, value[i]);
  }
  cairn_base_text_add(t, "\n");
}

static cairn_status curves_tsv(const void *verdict, cairn_base_text *t) {
  const cairn_study_verdict *const v = verdict;
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "space\tstrategy\tbudget\tfraction\tp25\tp75\n");
  for (size_t e = 0; e < c->strategies; e++)
    for (size_t b = 0; b < c->budgets; b++) {
      const size_t at = e * c->budgets + b;
      const double value[] = {v->overall[at], v->overall_low[at],
                              v->overall_high[at]};
      curve_row(c, "all", e, b, value, t);
    }
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t e = 0; e < c->strategies; e++)
      for (size_t b = 0; b < c->budgets; b++) {
        const size_t at = (e * c->spaces + s) * c->budgets + b;
        const double value[] = {v->fraction[at], v->fraction_low[at],
                                v->fraction_high[at]};
        curve_row(c, c->space[s], e, b, value, t);
      }
  return finish(t);
}

static cairn_status tests_tsv(const void *verdict, cairn_base_text *t) {
  const cairn_study_verdict *const v = verdict;
  const cairn_study_contest *const c = v->contest;
  cairn_base_text_add(t, "space\tbudget\ta\tb\tt\tdf\tp\n");
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t b = 0; b < c->budgets; b++)
      for (size_t x = 0; x < c->strategies; x++)
        for (size_t y = x + 1; y < c->strategies; y++) {
          const cairn_study_test *const test = cairn_study__test(v, s, b, x, y);
          const double value[] = {test->t, test->df, test->p};
          cairn_study__cell(t, c->space[s]);
          cairn_base_text_addf(t, "\t%llu\t", (unsigned long long)c->budget[b]);
          cairn_study__cell(t, c->strategy[x]);
          cairn_base_text_add(t, "\t");
          cairn_study__cell(t, c->strategy[y]);
          for (int i = 0; i < 3; i++) {
            cairn_base_text_add(t, "\t");
            cairn_study__exact(t, value[i]);
          }
          cairn_base_text_add(t, "\n");
        }
  return finish(t);
}

const cairn_study__file
    cairn_study__verdict_tables[CAIRN_STUDY__VERDICT_TABLES] = {
        {"runs.tsv", runs_tsv},
        {"heat.tsv", heat_tsv},
        {"curves.tsv", curves_tsv},
        {"tests.tsv", tests_tsv}};

cairn_status cairn_study__verdict_format(const cairn_study_verdict *verdict,
                                         cairn_study_format format,
                                         cairn_base_text *text) {
  static cairn_status (*const write[])(const void *, cairn_base_text *) = {
      [CAIRN_STUDY_TEXT] = cairn_study__verdict_text,
      [CAIRN_STUDY_JSON] = cairn_study__verdict_json,
      [CAIRN_STUDY_HTML] = cairn_study__verdict_html};
  return write[format](verdict, text);
}

cairn_status cairn_study__verdict_report(const cairn_study_verdict *verdict,
                                         const char *folder,
                                         cairn_base_diag *diag) {
  static const cairn_study__file file[] = {
      {"report.html", cairn_study__verdict_html},
      {"report.json", cairn_study__verdict_json},
      {"report.txt", cairn_study__verdict_text}};
  cairn_status status = cairn_study__files(file, sizeof file / sizeof *file,
                                           verdict, folder, diag);
  if (!status)
    status =
        cairn_study__files(cairn_study__verdict_tables,
                           CAIRN_STUDY__VERDICT_TABLES, verdict, folder, diag);
  return status;
}

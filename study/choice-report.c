/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/choice-report.c - settings that were chosen: text, JSON, page, tables.
 */
#include <math.h>
#include <string.h>

#include "study/contest-private.h"
#include "study/json-private.h"
#include "study/plot-private.h"

enum { MOST_SHOWN = 30 };

/* ---- text ---- */

static void number(cairn_base_text *t, double k) {
  if (isfinite(k))
    cairn_base_text_addf(t, "%12.6f", k);
  else
    cairn_base_text_addf(t, "%12s", "infinite");
}

static cairn_status choice_text(const void *what, cairn_base_text *t) {
  const cairn_study_choice *const x = what;
  const cairn_study_contest *const c = x->tuning;
  cairn_base_text_addf(t,
                       "%zu settings of %s on %zu problems (%zu spaces, %zu "
                       "budgets), %zu repetitions\n\n%12s   setting\n",
                       c->strategies, x->strategy, x->problems, c->spaces,
                       c->budgets, c->runs, "k");
  for (size_t s = 0; s < c->strategies; s++) {
    number(t, x->k[s]);
    cairn_base_text_addf(t, "   %s%s\n", c->strategy[s],
                         s == x->chosen ? "   chosen" : "");
  }
  cairn_base_text_add(t, "k: on every problem the mean is within k deviations "
                         "(of the best setting there) of the best mean\n");
  if (isinf(x->k[x->chosen]))
    cairn_base_text_add(t, "No setting is within any k: each is beaten "
                           "somewhere by one without deviation; the first is "
                           "taken. Smaller budgets tell them apart.\n");
  if (!x->verdict)
    return t->failed ? CAIRN_NOMEM : CAIRN_OK;
  cairn_base_text_add(t, "\nOn other spaces: ");
  return cairn_study__verdict_text(x->verdict, t);
}

/* ---- JSON ---- */

/* {"kick":"2"}: "ils:kick=2:..." after its first colon. */
static json_t *values_json(const char *setting) {
  json_t *const o = json_object();
  char name[128];
  for (const char *at = strchr(setting, ':'); at; at = strchr(at, ':')) {
    const size_t length = strcspn(++at, "=");
    const char *const value = at + length + 1;
    if (length >= sizeof name)
      continue;
    memcpy(name, at, length);
    name[length] = 0;
    cairn_study__set(o, name, json_stringn(value, strcspn(value, ":")));
  }
  return o;
}

static json_t *setting_json(const cairn_study_choice *x, size_t s) {
  const size_t settings = x->tuning->strategies;
  json_t *const mean = json_array(), *const sd = json_array();
  for (size_t p = 0; p < x->problems; p++) {
    cairn_study__append(mean, cairn_study__number(x->mean[p * settings + s]));
    cairn_study__append(sd, cairn_study__number(x->sd[p * settings + s]));
  }
  return json_pack("{s:o,s:o,s:o,s:o,s:o}", "setting",
                   cairn_study__string(x->tuning->strategy[s]), "values",
                   values_json(x->tuning->strategy[s]), "k",
                   cairn_study__number(x->k[s]), "mean", mean, "sd", sd);
}

static json_t *problems_json(const cairn_study_contest *c) {
  json_t *const array = json_array();
  for (size_t s = 0; s < c->spaces; s++)
    for (size_t b = 0; b < c->budgets; b++)
      cairn_study__append(array,
                          json_pack("{s:o,s:o}", "space",
                                    cairn_study__string(c->space[s]), "budget",
                                    cairn_study__integer(c->budget[b])));
  return array;
}

static cairn_status choice_json(const void *what, cairn_base_text *text) {
  const cairn_study_choice *const x = what;
  const cairn_study_contest *const c = x->tuning;
  json_t *const o = json_object(), *const settings = json_array();
  for (size_t s = 0; s < c->strategies; s++)
    cairn_study__append(settings, setting_json(x, s));
  cairn_study__set(o, "schema", json_integer(1));
  cairn_study__set(o, "strategy", cairn_study__string(x->strategy));
  cairn_study__set(o, "repetitions", cairn_study__integer(c->runs));
  cairn_study__set(o, "seed", cairn_study__integer(c->seed));
  cairn_study__set(o, "problems", problems_json(c));
  cairn_study__set(o, "settings", settings);
  cairn_study__set(o, "chosen",
                   json_pack("{s:o,s:o,s:o,s:o}", "index",
                             cairn_study__integer(x->chosen), "setting",
                             cairn_study__string(c->strategy[x->chosen]),
                             "values", values_json(c->strategy[x->chosen]), "k",
                             cairn_study__number(x->k[x->chosen])));
  cairn_study__set(o, "report",
                   x->verdict ? cairn_study__verdict_object(x->verdict)
                              : json_null());
  return cairn_study__dump(o, text);
}

/* ---- page and table ---- */

static cairn_status settings_tsv(const void *what, cairn_base_text *t) {
  const cairn_study_choice *const x = what;
  const cairn_study_contest *const c = x->tuning;
  cairn_base_text_add(t, "setting\tspace\tbudget\tmean_s\tsd_s\tk\tchosen\n");
  for (size_t e = 0; e < c->strategies; e++)
    for (size_t s = 0; s < c->spaces; s++)
      for (size_t b = 0; b < c->budgets; b++) {
        const size_t at = (s * c->budgets + b) * c->strategies + e;
        cairn_study__cell(t, c->strategy[e]);
        cairn_base_text_add(t, "\t");
        cairn_study__cell(t, c->space[s]);
        cairn_base_text_addf(t, "\t%llu\t", (unsigned long long)c->budget[b]);
        cairn_study__exact(t, x->mean[at]);
        cairn_base_text_add(t, "\t");
        cairn_study__exact(t, x->sd[at]);
        cairn_base_text_add(t, "\t");
        cairn_study__exact(t, x->k[e]);
        cairn_base_text_addf(t, "\t%d\n", e == x->chosen);
      }
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

static void plot(const cairn_study_choice *x, cairn_base_text *t) {
  const cairn_study_contest *const c = x->tuning;
  double most = 0;
  for (size_t s = 0; s < c->strategies; s++)
    if (isfinite(x->k[s]))
      most = fmax(most, x->k[s]);
  cairn_study__plot p = {.id = "settings",
                         .title = "k of each setting",
                         .x_label = "settings, in the order of the grid",
                         .y_label = "k",
                         .x_low = 0.5,
                         .x_high = (double)c->strategies + 0.5,
                         .y_high = most > 0 ? 1.05 * most : 1,
                         .bare_x = 1};
  cairn_study__plot_open(&p, t);
  for (size_t s = 0; s < c->strategies; s++)
    if (isfinite(x->k[s]))
      cairn_study__plot_dot(&p, (double)s + 1, x->k[s],
                            s == x->chosen ? 6 : 3.5, s == x->chosen ? 1 : 0,
                            c->strategy[s]);
  cairn_study__plot_close(&p);
}

static void table(const cairn_study_choice *x, cairn_base_text *t) {
  const cairn_study_contest *const c = x->tuning;
  size_t shown = 0;
  cairn_base_text_add(t, "<div class=\"scroll\"><table><tr><th>setting</th>"
                         "<th>k</th></tr>\n");
  for (size_t s = 0; s < c->strategies; s++) {
    if (s != x->chosen && shown++ >= MOST_SHOWN)
      continue;
    cairn_base_text_add(t, s == x->chosen ? "<tr><td><b>" : "<tr><td>");
    cairn_study__escape(t, c->strategy[s]);
    cairn_base_text_add(t,
                        s == x->chosen ? "</b>, chosen</td><td>" : "</td><td>");
    if (isfinite(x->k[s]))
      cairn_base_text_addf(t, "%.4f</td></tr>\n", x->k[s]);
    else
      cairn_base_text_add(t, "infinite</td></tr>\n");
  }
  cairn_base_text_add(t, "</table></div>\n");
  if (shown > MOST_SHOWN)
    cairn_base_text_addf(t, "<p class=\"dim\">and %zu more</p>\n",
                         shown - MOST_SHOWN);
}

static cairn_status choice_html(const void *what, cairn_base_text *t) {
  const cairn_study_choice *const x = what;
  const cairn_study_contest *const c = x->tuning;
  cairn_status status = CAIRN_OK;
  cairn_study__page_open(t, "Which settings?");
  cairn_base_text_addf(t, "<p>%zu settings of ", c->strategies);
  cairn_study__escape(t, x->strategy);
  cairn_base_text_addf(t,
                       " on %zu problems (%zu spaces, %zu budgets), %zu "
                       "repetitions each.</p>\n<p class=\"dim\">k: on every "
                       "problem the setting's mean is within k deviations of "
                       "the best mean, deviations being those of the best "
                       "setting there. The least k is chosen.</p>\n",
                       x->problems, c->spaces, c->budgets, c->runs);
  plot(x, t);
  cairn_study__numbers(t, "settings.tsv");
  table(x, t);
  if (x->verdict) {
    cairn_base_text_add(t, "<h2>On other spaces</h2>\n");
    status = cairn_study__verdict_body(x->verdict, t);
  }
  cairn_study__page_close(t);
  return status ? status : t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_study__choice_format(const cairn_study_choice *choice,
                                        cairn_study_format format,
                                        cairn_base_text *text) {
  static cairn_status (*const write[])(const void *, cairn_base_text *) = {
      [CAIRN_STUDY_TEXT] = choice_text,
      [CAIRN_STUDY_JSON] = choice_json,
      [CAIRN_STUDY_HTML] = choice_html};
  return write[format](choice, text);
}

cairn_status cairn_study__choice_report(const cairn_study_choice *choice,
                                        const char *folder,
                                        cairn_base_diag *diag) {
  static const cairn_study__file file[] = {{"report.html", choice_html},
                                           {"report.json", choice_json},
                                           {"report.txt", choice_text},
                                           {"settings.tsv", settings_tsv}};
  cairn_status status = cairn_study__files(file, sizeof file / sizeof *file,
                                           choice, folder, diag);
  if (!status && choice->verdict)
    status = cairn_study__files(cairn_study__verdict_tables,
                                CAIRN_STUDY__VERDICT_TABLES, choice->verdict,
                                folder, diag);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-html.c - the report as one page that needs nothing
 * else.
 *
 * No network, no fonts, no libraries: style, figures and a few lines of script
 * are in the page.  Without script all but the hovering works.
 */
#include <math.h>
#include <string.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/text-private.h"
#include "classify/data/data-private.h"
#include "classify/report/report-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

enum { MOST_HOVER = 4000 };

static const char style[] =
    ":root{--bg:#fff;--fg:#1c2024;--dim:#60686f;--line:#d5dade;--card:#f6f8f9;"
    "--k0:#1a8f5a;--k1:#b98900;--k2:#c2412d;--k3:#7a4fc0;--k4:#1f77b4;"
    "--k5:#6b7280}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#14181b;--fg:#e7ebee;"
    "--dim:#9aa4ac;--line:#384047;--card:#1d2327;--k0:#3cc48a;--k1:#e0b23c;"
    "--k2:#f07c68;--k3:#b294ee;--k4:#6cb2e6;--k5:#a3acb4}}\n"
    "*{box-sizing:border-box}body{margin:0 auto;max-width:60rem;padding:1rem;"
    "background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif;"
    "overflow-wrap:break-word}\n"
    "h1{font-size:1.5rem;margin:.2em 0}h2{font-size:1.15rem;margin:1.6em 0 "
    ".4em}p{margin:.5em 0}.dim{color:var(--dim)}\n"
    ".card{background:var(--card);border:1px solid var(--line);"
    "border-radius:8px;padding:.8rem 1rem;margin:.6rem 0}\n"
    ".do{border-left:6px solid var(--k0)}.avoid{border-left:6px solid "
    "var(--k2)}.say{font-size:1.1rem}\n"
    ".scroll{overflow-x:auto}svg{width:100%;height:auto;font:12px system-ui,"
    "sans-serif}.fit{display:block;max-width:var(--w)}svg text{fill:var(--fg)}"
    "svg .small{font-size:10px;fill:var(--dim)}\n"
    ".axis,.edge,.lane{fill:none;stroke:var(--dim)}.lane{stroke:var(--line)}"
    ".line{fill:none;stroke:var(--fg);stroke-width:1.6}.thin{stroke-width:1;"
    "stroke-dasharray:4 3}.peak{fill:var(--k4)}.cursor{stroke:var(--k4)}\n"
    ".band{opacity:.22}.node{opacity:.35;stroke:var(--dim)}.op{fill:var(--k4);"
    "opacity:.35}.sync{fill:none;stroke:var(--dim);stroke-dasharray:3 2}\n"
    ".k0{fill:var(--k0)}.k1{fill:var(--k1)}.k2{fill:var(--k2)}.k3{fill:"
    "var(--k3)}.k4{fill:var(--k4)}.k5{fill:var(--k5)}.k9{fill:var(--card);"
    "opacity:1}\n"
    "table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:"
    ".3em .6em .3em 0;border-bottom:1px solid var(--line);vertical-align:top}"
    "code{font:13px ui-monospace,monospace}ul{padding-left:1.2em;margin:.3em "
    "0}li{margin:.25em 0}#hover{min-height:3.2em}\n"
    "@media screen and (max-width:600px){.chart text{font-size:20px}"
    ".fit{min-width:calc(.8*var(--w))}}\n"
    "@media print{body{max-width:none;font-size:11pt}.card{break-inside:"
    "avoid}.scroll{overflow:visible}svg{break-inside:avoid}.fit{max-width:100%}"
    "#hover{display:none}}\n";

static const char script[] =
    "const d=JSON.parse(document.getElementById('data').textContent),"
    "s=document.getElementById('times'),h=document.getElementById('hover'),"
    "c=document.getElementById('cursor');\n"
    "function show(e){const r=s.getBoundingClientRect(),"
    "x=(e.clientX-r.left)/r.width*720,p=Math.min(1,Math.max(0,(x-104)/608)),"
    "i=Math.min(d.length-1,Math.floor(p*d.length)),q=d[i];"
    "c.setAttribute('x1',104+p*608);c.setAttribute('x2',104+p*608);"
    "h.textContent='id '+q[0]+', class '+q[2]+', '+q[1]+': '+q[3];}\n"
    "s.addEventListener('pointermove',show);"
    "s.addEventListener('pointerdown',show);\n"
    "const b=document.body.dataset,e=document.documentElement;"
    "b.wide=e.scrollWidth;b.seen=e.clientWidth;"
    "b.cut=[...document.querySelectorAll('svg text')].filter(t=>{"
    "const o=t.ownerSVGElement.getBoundingClientRect(),"
    "i=t.getBoundingClientRect();"
    "return i.left<o.left-1||i.right>o.right+1}).length;"
    "b.scrolled=[...document.querySelectorAll('.scroll')].filter("
    "x=>x.scrollWidth>x.clientWidth).length;"
    "const r=s.getBoundingClientRect();show({clientX:r.left+r.width/2});"
    "b.ready=1;\n";

static void summary(const cairn_classify_analysis *a, cairn_base_text *text,
                    cairn_status *status) {
  cairn_classify__summary s;
  cairn_base_text plain = {0};
  if (*status == CAIRN_OK)
    *status = cairn_classify__summary_make(a, &s);
  if (*status != CAIRN_OK)
    return;
  cairn_classify__summary_text(a, &s, &plain);
  cairn_classify__summary_free(&s);
  cairn_base_text_add(text, "<div class=\"card\" id=\"summary\">");
  char *line = plain.data;
  for (char *p = plain.data; p && *p; p++)
    if (*p == '\n') {
      *p = 0;
      cairn_base_text_add(text, "<p>");
      cairn_classify__escape(text, line);
      cairn_base_text_add(text, "</p>\n");
      line = p + 1;
    }
  cairn_base_text_add(text, "</div>\n");
  text->failed |= plain.failed;
  cairn_base_text_free(&plain);
}

static void facts_list(const cairn_classify_fact *fact, size_t facts,
                       cairn_base_text *text) {
  if (facts == 0)
    return;
  cairn_base_text_add(text, "<h2>Machine and run</h2>\n<table>\n");
  for (size_t i = 0; i < facts; i++) {
    cairn_base_text_add(text, "<tr><th>");
    cairn_classify__escape(text, fact[i].name);
    cairn_base_text_add(text, "</th><td>");
    cairn_classify__escape(text, fact[i].text);
    cairn_base_text_add(text, "</td></tr>\n");
  }
  cairn_base_text_add(text, "</table>\n");
}

static void class_table(const cairn_classify_analysis *a,
                        cairn_classify__unit unit, cairn_base_text *text) {
  cairn_base_text_add(text, "<div class=\"scroll\"><table><tr><th>class</th>"
                            "<th>schedules</th><th>time</th><th>share of "
                            "them recognised, held out</th></tr>\n");
  for (unsigned c = 0; c < a->labels->classes; c++) {
    double min, max;
    const size_t n = cairn_classify__labels_class(a->labels, c, &min, &max);
    cairn_base_text_addf(text, "<tr><td>%u</td><td>%zu</td><td>", c, n);
    cairn_classify__range(text, unit, min, max);
    cairn_base_text_add(text, "</td><td>");
    if (a->held_out)
      cairn_classify__share(text, a->accuracy.each[c]);
    cairn_base_text_add(text, "</td></tr>\n");
  }
  cairn_base_text_add(text, "</table></div>\n");
}

static void dim(cairn_base_text *text, const char *plain) {
  cairn_base_text_add(text, "<br><span class=\"dim\">");
  cairn_classify__escape(text, plain);
  cairn_base_text_add(text, "</span>");
}

static void escape_and_free(cairn_base_text *text, cairn_base_text *plain) {
  cairn_classify__escape(text, plain->data ? plain->data : "");
  text->failed |= plain->failed;
  cairn_base_text_free(plain);
}

static void condition_items(const cairn_classify_analysis *a,
                            const cairn_classify_condition *c, size_t count,
                            cairn_base_text *text) {
  cairn_base_text_add(text, "<ul class=\"say\">\n");
  for (size_t k = 0; k < count; k++) {
    cairn_base_text words = {0};
    cairn_classify__condition_word(&c[k], a->features, &words);
    cairn_base_text_add(text, "<li>");
    escape_and_free(text, &words);
    cairn_base_text_add(text, "</li>\n");
  }
}

/* "264 of 264 schedules ...", and the fastest of them to copy. */
static void follow(const cairn_classify_analysis *a,
                   const cairn_classify__advice *advice,
                   cairn_base_text *text) {
  cairn_base_text words = {0};
  cairn_base_text_add(text,
                      "<div class=\"card do\"><p><b>To be fast</b></p>\n");
  condition_items(a, advice->follow->condition, advice->follow->conditions,
                  text);
  cairn_base_text_add(text, "</ul>\n<p class=\"dim\">");
  cairn_classify__follow_text(advice, &words);
  escape_and_free(text, &words);
  cairn_base_text_add(text, ". Any rule of class 0 below leads to the fastest "
                            "class.</p>\n<p>");
  cairn_classify__example_text(a, advice, &words);
  escape_and_free(text, &words);
  cairn_base_text_add(text, ", in this order:</p>\n<p id=\"order\"><b>");
  cairn_classify__order_text(a, advice->example, &words);
  escape_and_free(text, &words);
  cairn_base_text_add(text, "</b></p></div>\n");
}

/* What most readers come for. */
static void what_to_do(const cairn_classify_analysis *a, cairn_base_text *text,
                       cairn_status *status) {
  cairn_classify__advice advice;
  cairn_base_text words = {0};
  if (*status == CAIRN_OK)
    *status = cairn_classify__advice_make(a, &advice);
  if (*status != CAIRN_OK || !advice.follow)
    return;
  cairn_base_text_add(text, "<h2>What to do</h2>\n");
  follow(a, &advice, text);
  if (advice.avoids == 0)
    return;
  cairn_base_text_addf(text,
                       "<div class=\"card avoid\"><p><b>Above all avoid%s</b>"
                       "</p>\n",
                       advice.avoids > 1 ? " (all of these together)" : "");
  condition_items(a, advice.avoid, advice.avoids, text);
  cairn_base_text_add(text, "</ul>\n<p class=\"dim\">");
  cairn_classify__avoid_text(a, &advice, &words);
  escape_and_free(text, &words);
  cairn_base_text_add(text, ". The others are slow for reasons of their "
                            "own: see the rules below.</p></div>\n");
}

static void rule_card(const cairn_classify_analysis *a,
                      cairn_classify__unit unit, const cairn_classify_rule *r,
                      cairn_base_text *text) {
  double min, max;
  (void)cairn_classify__labels_class(a->labels, r->id, &min, &max);
  cairn_base_text_addf(text, "<div class=\"card rule\"><p><b>Class %u</b> (",
                       r->id);
  cairn_classify__range(text, unit, min, max);
  cairn_base_text_addf(text,
                       "): %u of the schedules measured, %.1f %% of them "
                       "of this class%s",
                       r->samples, 100 * r->purity,
                       r->hits < r->samples ? " (not discriminated)" : "");
  if (!isnan(r->held_out))
    cairn_base_text_addf(text, "; held out, %.3f of them recognised",
                         r->held_out);
  cairn_base_text_add(text, "</p><ul>\n");
  for (size_t k = 0; k < r->conditions; k++) {
    cairn_base_text words = {0};
    cairn_classify__condition_word(&r->condition[k], a->features, &words);
    cairn_base_text_add(text, "<li>");
    cairn_classify__escape(text, words.data ? words.data : "");
    text->failed |= words.failed;
    cairn_base__text_clear(&words);
    cairn_classify__pair_text(a, &r->condition[k].pair, &words);
    cairn_classify__same_as_text(
        a, &r->condition[k],
        words.length ? "; here the same as: " : "here the same as: ", &words);
    if (words.length > 0)
      dim(text, words.data);
    cairn_base_text_add(text, "</li>\n");
    text->failed |= words.failed;
    cairn_base_text_free(&words);
  }
  cairn_base_text_add(text, "</ul></div>\n");
}

static void diagram(const cairn_classify_analysis *a, const char *title,
                    size_t row, cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(a->labels);
  const cairn_classify_measure *m = cairn_classify__data_measure(a->data, row);
  cairn_base_text_addf(text, "<p><b>%s</b>, id %llu, ", title,
                       (unsigned long long)m->id);
  cairn_classify__time(text, unit, m->time);
  cairn_base_text_addf(text, " %s</p>\n<div class=\"scroll card\">", unit.name);
  cairn_classify__svg_schedule(a, row, text);
  cairn_base_text_add(text, "</div>\n<p><code>");
  cairn_classify__escape(text, cairn_classify__data_text(a->data, row));
  cairn_base_text_add(text, "</code></p>\n");
}

/* What hovering shows: [id, "53.59 us", class, schedule], fastest first.  The
 * names of ops hold no character that JSON or HTML would mind. */
static void hover_data(const cairn_classify_analysis *a,
                       cairn_classify__unit unit, cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  const size_t step = l->count / MOST_HOVER + 1;
  cairn_base_text_add(text, "<script type=\"application/json\" id=\"data\">[");
  for (size_t i = 0; i < l->count; i += step) {
    const cairn_classify_measure *m =
        cairn_classify__data_measure(a->data, l->order[i]);
    cairn_base_text_addf(text, "%s[%llu,\"", i ? ",\n" : "",
                         (unsigned long long)m->id);
    cairn_classify__time(text, unit, m->time);
    cairn_base_text_addf(text, " %s\",%u,\"", unit.name, l->label[l->order[i]]);
    for (const char *p = cairn_classify__data_text(a->data, l->order[i]); *p;
         p++)
      if (*p == '<' || *p == '"' || *p == '\\')
        cairn_base_text_addf(text, "\\u%04x", (unsigned)*p);
      else
        cairn_base__text_add_bytes(text, p, 1);
    cairn_base_text_add(text, "\"]");
  }
  cairn_base_text_add(text, "]</script>\n<script>");
  cairn_base_text_add(text, script);
  cairn_base_text_add(text, "</script>\n");
}

static const char *fact_of(const cairn_classify_fact *fact, size_t facts,
                           const char *name) {
  for (size_t i = 0; i < facts; i++)
    if (strcmp(fact[i].name, name) == 0) {
      const char *slash = strrchr(fact[i].text, '/');
      return slash && strcmp(name, "journal") == 0 ? slash + 1 : fact[i].text;
    }
  return NULL;
}

/* "spmv on NVIDIA H200, objective p50": program (else journal), device (else
 * host), as far as the facts tell. */
static void subject(const cairn_classify_fact *fact, size_t facts,
                    cairn_base_text *text) {
  static const struct {
    const char *before, *name, *or_name;
  } part[] = {{"", "program", "journal"},
              {" on ", "device", "host"},
              {", objective ", "objective", "objective"}};
  for (size_t k = 0; k < sizeof part / sizeof *part; k++) {
    const char *said = fact_of(fact, facts, part[k].name);
    if (!said)
      said = fact_of(fact, facts, part[k].or_name);
    cairn_base_text_add(text, part[k].before);
    cairn_classify__escape(text, said     ? said
                                 : k == 1 ? "unknown machine"
                                          : "unknown");
  }
}

static void head(const cairn_classify_analysis *a,
                 const cairn_classify_fact *fact, size_t facts,
                 cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  cairn_base_text_add(
      text, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
            "<meta name=\"viewport\" content=\"width=device-width,"
            "initial-scale=1\"><title>");
  subject(fact, facts, text);
  cairn_base_text_add(text, " - classes and rules</title>"
                            "<link rel=\"icon\" href=\"data:,\"><style>\n");
  cairn_base_text_add(text, style);
  cairn_base_text_addf(text,
                       "</style></head><body>\n<h1>Classes and rules of %zu "
                       "schedule%s</h1>\n<p>",
                       l->count, l->count == 1 ? "" : "s");
  subject(fact, facts, text);
  cairn_base_text_add(text, "</p>\n<p class=\"dim\">");
  cairn_classify__range(text, unit, l->sorted[0], l->sorted[l->count - 1]);
  if (l->count > 1)
    cairn_base_text_addf(text, ", slowest/fastest %.2f",
                         l->sorted[l->count - 1] / l->sorted[0]);
  if (!isnan(l->noise))
    cairn_base_text_addf(text, ", noise of one measurement %.2g %%",
                         100 * l->noise);
  cairn_base_text_addf(text, "</p>\n<p class=\"dim\" id=\"legend\">%s</p>\n",
                       cairn_classify__legend());
}

static void accuracy(const cairn_classify_analysis *a, cairn_base_text *text,
                     cairn_status *status) {
  cairn_base_text_add(text, "<h2>How far to trust it</h2>\n");
  if (a->held_out) {
    cairn_base_text_addf(text,
                         "<p>Recognised, held out: a schedule is given its "
                         "class by a tree grown without it (%u folds). Share "
                         "of all schedules recognised: ",
                         a->options.folds);
    cairn_classify__share(text, a->accuracy.agreement);
    cairn_base_text_add(text, "; mean of the shares of the classes: ");
    cairn_classify__share(text, a->accuracy.balanced);
    cairn_base_text_add(text, ".</p>\n");
  }
  if (a->labels->count < 4) {
    cairn_base_text_add(text, "<p>Too few schedules to judge anything.</p>\n");
    return;
  }
  cairn_base_text_add(text,
                      "<p>Rules from the first schedules measured, judged on "
                      "all (solid: agreement of classes; dashed: time within "
                      "the range of the predicted class):</p>\n");
  if (*status == CAIRN_OK)
    *status = cairn_classify__svg_curve(a, text);
}

cairn_status cairn_classify__report_html(const cairn_classify__page *page,
                                         cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  const cairn_classify_labels *l = analysis->labels;
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  cairn_status status = CAIRN_OK;
  head(analysis, page->fact, page->facts, text);
  what_to_do(analysis, text, &status);
  if (analysis->rules->count > 0)
    cairn_base_text_add(text, "<h2>Summary</h2>\n");
  summary(analysis, text, &status);
  cairn_base_text_add(text, "<h2>Best and worst schedule</h2>\n");
  diagram(analysis, "Fastest", l->order[0], text);
  diagram(analysis, "Slowest", l->order[l->count - 1], text);
  cairn_base_text_add(text, "<h2>Times</h2>\n");
  cairn_classify__svg_times(analysis, text);
  cairn_base_text_add(text,
                      "<p id=\"hover\" class=\"card\">Point at the curve to "
                      "see a schedule.</p>\n");
  class_table(analysis, unit, text);
  cairn_base_text_add(text, "<h2>Where the classes part</h2>\n");
  cairn_classify__svg_boundaries(analysis, text);
  if (analysis->rules->count > 0)
    cairn_base_text_add(text, "<h2>Rules</h2>\n");
  for (size_t i = 0; i < analysis->rules->count; i++)
    rule_card(analysis, unit, &analysis->rules->rule[i], text);
  cairn_base_text_add(text, "<h2>Tree</h2>\n<div class=\"scroll\">");
  cairn_classify__svg_tree(analysis, text);
  cairn_base_text_add(text, "</div>\n");
  accuracy(analysis, text, &status);
  facts_list(page->fact, page->facts, text);
  hover_data(analysis, unit, text);
  cairn_base_text_add(text, "</body></html>\n");
  if (status == CAIRN_OK && text->failed)
    status = CAIRN_NOMEM;
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/landscape-html.c - landscapes as a page.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "study/plot-private.h"

enum { DRAWN = 40, MOST_DRAWN_SPACES = 20, CURVE = 60, ROUNDS = 12 };

static void table(const cairn_study__landscapes *s, cairn_base_text *t) {
  cairn_base_text_add(
      t, "<h2>Spaces</h2>\n<div class=\"scroll\"><table><tr><th>space</th>"
         "<th>schedules</th><th>minima</th><th>best</th><th>fraction of "
         "optimum</th><th>centrality at 5 %</th><th>PageRank at 5 %</th>"
         "<th>chance</th></tr>\n");
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    cairn_base_text_add(t, "<tr><td>");
    cairn_study__escape(t, l->name);
    cairn_base_text_addf(t, "</td><td>%zu</td><td>%zu</td><td>", l->vertices,
                         l->minima);
    cairn_study__time(t, l->time_s[l->best]);
    cairn_base_text_add(t, "</td>");
    for (unsigned m = 0; m < CAIRN_STUDY__MEASURES; m++) {
      const size_t rank = cairn_study__rank(s->landscape, s->count, i, m);
      if (rank)
        cairn_base_text_addf(t, "<td>%.4f (%zu)</td>",
                             cairn_study__measure_of(l, m), rank);
      else
        cairn_base_text_add(t, "<td>unknown</td>");
    }
    cairn_base_text_add(t, "</tr>\n");
  }
  cairn_base_text_add(
      t, "</table></div>\n<p class=\"dim\">Fraction of optimum: best time / "
         "time, the median over the local minima. Centrality: of the descents "
         "that end at minima, the share that end within 5 % of the best; "
         "PageRank: the same by PageRank 0.85. Chance: to be within 1 % of the "
         "best after 100 uniform draws. In parentheses the rank, 1: "
         "easiest.</p>\n");
  cairn_study__numbers(t, "spaces.tsv");
}

static void contradictions(const cairn_study__landscapes *s,
                           cairn_base_text *t) {
  size_t found = 0;
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j < s->count; j++) {
      const cairn_study_landscape *const a = s->landscape[i];
      const cairn_study_landscape *const b = s->landscape[j];
      if (!(cairn_study__measure_of(a, CAIRN_STUDY__FRACTION) <
            cairn_study__measure_of(b, CAIRN_STUDY__FRACTION)) ||
          !cairn_study__contradict(a, b, CAIRN_STUDY__FRACTION,
                                   CAIRN_STUDY__CENTRALITY))
        continue;
      if (found++ == 0)
        cairn_base_text_add(t, "<h2>Ranked differently</h2>\n<p>The minima of "
                               "the first look worse than those of the "
                               "second, but descents find good ones more "
                               "often:</p>\n<ul>\n");
      cairn_base_text_add(t, "<li>");
      cairn_study__escape(t, a->name);
      cairn_base_text_add(t, " and ");
      cairn_study__escape(t, b->name);
      cairn_base_text_addf(t,
                           ": fraction of optimum %.4f and %.4f, centrality at "
                           "5 %% %.4f and %.4f</li>\n",
                           a->fraction_median, b->fraction_median,
                           a->centrality[5], b->centrality[5]);
    }
  if (found)
    cairn_base_text_add(t, "</ul>\n");
}

static void legend(const cairn_study__landscapes *s, cairn_base_text *t) {
  const char **const name = cairn_base_alloc(s->count, sizeof *name);
  for (size_t i = 0; name && i < s->count; i++)
    name[i] = s->landscape[i]->name;
  if (name)
    cairn_study__legend(t, name, s->count);
  t->failed |= !name;
  cairn_base_free(name);
}

static void centrality(const cairn_study__landscapes *s, cairn_base_text *t) {
  double x[CAIRN_STUDY_PERCENTS];
  cairn_study__plot p = {.id = "centrality",
                         .title = "Proportion of centrality against p",
                         .x_label = "minima within p % of the best",
                         .y_label = "share of the arrivals",
                         .x_high = CAIRN_STUDY_PERCENTS - 1,
                         .y_high = 1};
  for (unsigned i = 0; i < CAIRN_STUDY_PERCENTS; i++)
    x[i] = i;
  cairn_base_text_add(t, "<h2>Where descents end</h2>\n<p>The share of "
                         "randomised first-improvement descents from a uniform "
                         "start that end at a minimum within p % of the best; "
                         "dotted: the same share of PageRank. High on the "
                         "left: easy.</p>\n");
  cairn_study__plot_open(&p, t);
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    if (l->minima && l->pagerank)
      cairn_study__plot_line(&p, x, l->centrality_pagerank,
                             CAIRN_STUDY_PERCENTS, i, 1);
    if (l->minima)
      cairn_study__plot_line(&p, x, l->centrality, CAIRN_STUDY_PERCENTS, i, 0);
  }
  cairn_study__plot_close(&p);
  legend(s, t);
  cairn_study__numbers(t, "centrality.tsv");
}

static double worst_fraction(const cairn_study__landscapes *s) {
  double worst = 1;
  for (size_t i = 0; i < s->count; i++)
    if (s->landscape[i]->minima)
      worst = fmin(worst, s->landscape[i]->fraction_worst);
  return worst;
}

static void mark(cairn_study__plot *p, double x, double y) {
  cairn_base_text_addf(p->text, "<path class=\"mark\" d=\"M%.1f %.1fh16\"/>\n",
                       cairn_study__plot_x(p, x) - 8,
                       cairn_study__plot_y(p, y));
}

static void fractions(const cairn_study__landscapes *s, cairn_base_text *t) {
  const double worst = worst_fraction(s);
  cairn_study__plot p = {.id = "fractions",
                         .title = "Fractions of optimum of the minima by space",
                         .x_label = "spaces, in the order of the table",
                         .y_label = "best time / time",
                         .x_low = 0.4,
                         .x_high = (double)s->count + 0.6,
                         .y_low = worst < 1 ? worst - 0.05 * (1 - worst) : 0.9,
                         .y_high = worst < 1 ? 1 + 0.06 * (1 - worst) : 1.01,
                         .bare_x = 1};
  cairn_base_text_add(t, "<h2>How good the minima are</h2>\n<p>Each dot is a "
                         "local minimum; its area grows with the share of the "
                         "descents that end there; bars: medians.</p>\n");
  cairn_study__plot_open(&p, t);
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    for (size_t k = 0; k < l->minima; k++) {
      const size_t v = l->minimum[k];
      char words[96];
      (void)cairn_base_format(words, sizeof words,
                              "schedule %llu: %.4f, arrivals %.4f",
                              (unsigned long long)(l->id ? l->id[v] : v),
                              l->time_s[l->best] / l->time_s[v], l->arrival[v]);
      cairn_study__plot_dot(&p, (double)i + 1,
                            l->time_s[l->best] / l->time_s[v],
                            2 + 14 * sqrt(l->arrival[v]), i, words);
    }
    if (l->minima)
      mark(&p, (double)i + 1, l->fraction_median);
  }
  cairn_study__plot_close(&p);
  legend(s, t);
  cairn_study__numbers(t, "minima.tsv");
}

static void chances(const cairn_study__landscapes *s, cairn_base_text *t) {
  double most = 10;
  for (size_t i = 0; i < s->count; i++)
    most = fmax(most, (double)s->landscape[i]->vertices);
  cairn_study__plot p = {.id = "chances",
                         .title = "Chance of uniform draws to be within 1 %",
                         .x_label = "uniform draws",
                         .y_label = "chance to be within 1 %",
                         .x_low = 1,
                         .x_high = most,
                         .y_high = 1,
                         .x_log = 1};
  cairn_base_text_add(t, "<h2>What chance alone gives</h2>\n<p>The chance that "
                         "so many different schedules, drawn uniformly, hold "
                         "one within 1 % of the best: what any search has to "
                         "beat.</p>\n");
  cairn_study__plot_open(&p, t);
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    double x[CURVE], y[CURVE];
    for (int k = 0; k < CURVE; k++) {
      x[k] = pow((double)l->vertices, (double)k / (CURVE - 1));
      y[k] = cairn_study__chance(l->vertices, l->chance[1].good, x[k]);
    }
    cairn_study__plot_line(&p, x, y, CURVE, i, 0);
  }
  cairn_study__plot_close(&p);
  legend(s, t);
  cairn_study__numbers(t, "chances.tsv");
}

/* ---- the graph's best part ---- */

typedef struct spot {
  double x;
  size_t at;
} spot;

static int by_x(const void *a, const void *b) {
  const spot *const x = a, *const y = b;
  if (x->x != y->x)
    return x->x < y->x ? -1 : 1;
  return x->at < y->at ? -1 : x->at > y->at;
}

static int linked(const cairn_study_landscape *l, uint32_t a, uint32_t b) {
  for (size_t k = l->row[a]; k < l->row[a + 1]; k++)
    if (l->to[k] == b)
      return 1;
  return 0;
}

/* Places along x, 0 .. 1: each near the middle of its neighbours, evenly
 * spread. */
static void place(const cairn_study_landscape *l, const uint32_t *vertex,
                  size_t count, double *x) {
  spot spots[DRAWN];
  for (size_t i = 0; i < count; i++)
    x[i] = (double)(i * 7 % count) / (double)count;
  for (int round = 0; round < ROUNDS; round++) {
    for (size_t i = 0; i < count; i++) {
      double sum = x[i], n = 1;
      for (size_t j = 0; j < count; j++)
        if (linked(l, vertex[i], vertex[j])) {
          sum += x[j];
          n++;
        }
      spots[i] = (spot){sum / n, i};
    }
    qsort(spots, count, sizeof *spots, by_x);
    for (size_t i = 0; i < count; i++)
      x[spots[i].at] = count > 1 ? (double)i / (double)(count - 1) : 0.5;
  }
}

static void graph(const cairn_study_landscape *l, size_t number,
                  cairn_base_text *t) {
  static const size_t colour[] = {5, 2, 1, 3}; /* by kind */
  uint32_t vertex[DRAWN];
  double x[DRAWN];
  char id[32];
  const size_t count = cairn_study__best_part(l, DRAWN, vertex);
  if (count == 0)
    return;
  const double slowest = l->time_s[vertex[count - 1]] / l->time_s[vertex[0]];
  (void)snprintf(id, sizeof id, "graph%zu", number);
  cairn_study__plot p = {.id = id,
                         .title = "The best part of the fitness-flow graph",
                         .x_label = "neighbours near each other",
                         .y_label = "time / best time",
                         .x_low = -0.04,
                         .x_high = 1.04,
                         .y_low = 1 - 0.06 * (slowest - 1),
                         .y_high = slowest + 0.04 * (slowest - 1),
                         .bare_x = 1};
  place(l, vertex, count, x);
  cairn_base_text_add(t, "<h3>");
  cairn_study__escape(t, l->name);
  cairn_base_text_add(t, "</h3>\n");
  cairn_study__plot_open(&p, t);
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++)
      if (linked(l, vertex[i], vertex[j]))
        cairn_base_text_addf(
            t, "<path class=\"edge\" d=\"M%.1f %.1fL%.1f %.1f\"/>\n",
            cairn_study__plot_x(&p, x[i]),
            cairn_study__plot_y(&p, l->time_s[vertex[i]] / l->time_s[l->best]),
            cairn_study__plot_x(&p, x[j]),
            cairn_study__plot_y(&p, l->time_s[vertex[j]] / l->time_s[l->best]));
  for (size_t i = 0; i < count; i++) {
    const size_t v = vertex[i];
    char words[96];
    (void)cairn_base_format(words, sizeof words,
                            "schedule %llu: %.4f, arrivals %.4f",
                            (unsigned long long)(l->id ? l->id[v] : v),
                            l->time_s[v] / l->time_s[l->best], l->arrival[v]);
    cairn_study__plot_dot(
        &p, x[i], l->time_s[v] / l->time_s[l->best],
        l->kind[v] == CAIRN_STUDY_MINIMUM ? 4 + 14 * sqrt(l->arrival[v]) : 3.5,
        colour[l->kind[v]], words);
  }
  cairn_study__plot_close(&p);
}

static void graphs(const cairn_study__landscapes *s, cairn_base_text *t) {
  cairn_base_text_addf(t,
                       "<h2>The best part of each graph</h2>\n<p>The %d "
                       "fastest schedules and which are neighbours; green: "
                       "local minima, their area by arrivals.</p>\n",
                       DRAWN);
  for (size_t i = 0; i < s->count && i < MOST_DRAWN_SPACES; i++)
    graph(s->landscape[i], i, t);
  cairn_study__numbers(t, "graph.tsv");
}

static void best_schedules(const cairn_study__landscapes *s,
                           cairn_base_text *t) {
  cairn_base_text_add(t, "<h2>The best schedules</h2>\n");
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    cairn_base_text_add(t, "<p>");
    cairn_study__escape(t, l->name);
    cairn_base_text_addf(
        t, ", schedule %llu, ",
        (unsigned long long)(l->id ? l->id[l->best] : l->best));
    cairn_study__time(t, l->time_s[l->best]);
    if (l->best_text) {
      cairn_base_text_add(t, ":<br><code>");
      cairn_study__escape(t, l->best_text);
      cairn_base_text_add(t, "</code>");
    }
    cairn_base_text_add(t, "</p>\n");
  }
}

cairn_status cairn_study__landscapes_html(const void *what,
                                          cairn_base_text *text) {
  const cairn_study__landscapes *const s = what;
  cairn_study__page_open(text, "How hard are these spaces?");
  table(s, text);
  contradictions(s, text);
  centrality(s, text);
  fractions(s, text);
  chances(s, text);
  graphs(s, text);
  best_schedules(s, text);
  cairn_study__page_close(text);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

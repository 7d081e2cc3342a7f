/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/landscape-text.c - landscapes in words and tables for a terminal.
 */
#include <math.h>
#include <string.h>

#include "study/study-private.h"

enum { MOST_MINIMA = 8, MOST_CONTRADICTIONS = 10 };
static const size_t draws[] = CAIRN_STUDY_DRAWS;

static unsigned long long id_of(const cairn_study_landscape *l, size_t v) {
  return l->id ? l->id[v] : v;
}

static void graph(const cairn_study_landscape *l, cairn_base_text *t) {
  cairn_base_text_addf(t, "%-20s%zu", "schedules", l->vertices);
  if (l->failed)
    cairn_base_text_addf(t, ", %zu of them failed", l->failed);
  if (l->repeated)
    cairn_base_text_addf(t, " (%zu results more repeat one)", l->repeated);
  cairn_base_text_add(t, "\n");
  if (l->descents) {
    cairn_base_text_addf(t,
                         "%-20sestimated from %zu descents (the whole graph "
                         "was not built)\n%-20s%zu minima found\n",
                         "graph", l->descents, "points", l->minima);
    return;
  }
  cairn_base_text_addf(t, "%-20s%zu, between %zu pairs of neighbours", "edges",
                       l->edges, l->pairs);
  if (l->ties)
    cairn_base_text_addf(t, " (%zu of equal times)", l->ties);
  cairn_base_text_addf(t, "\n%-20s%zu to %zu, %.3f in the mean; ", "neighbours",
                       l->degree_min, l->degree_max,
                       2 * (double)l->pairs / (double)l->vertices);
  cairn_base_text_addf(t, "%zu component%s\n", l->components,
                       l->components == 1 ? "" : "s");
  cairn_base_text_addf(t,
                       "%-20s%zu minima (%zu strict), %zu maxima, %zu saddles, "
                       "%zu regular\n",
                       "points", l->minima, l->strict, l->maxima, l->saddles,
                       l->regular);
}

static void minima(const cairn_study_landscape *l, cairn_base_text *t) {
  const size_t shown = l->minima < MOST_MINIMA ? l->minima : MOST_MINIMA;
  cairn_base_text_addf(t, "%-20smedian %.4f, worst %.4f\n", "minima: best/time",
                       l->fraction_median, l->fraction_worst);
  cairn_base_text_addf(t,
                       "%-20s%zu within 1 %%, %zu within 2 %%, %zu within "
                       "5 %%, %zu within 10 %%\n\n",
                       "", l->within[1], l->within[2], l->within[5],
                       l->within[10]);
  cairn_base_text_addf(t, "%8s %14s %9s %10s %10s   minima%s\n", "schedule",
                       "time", "best/time", "arrivals", "PageRank",
                       shown < l->minima ? ", most arrivals first" : "");
  for (size_t i = 0; i < shown; i++) {
    const size_t v = l->minimum[i];
    cairn_base_text time = {0};
    cairn_study__time(&time, l->time_s[v]);
    cairn_base_text_addf(t, "%8llu %14s %9.4f %10.6f", id_of(l, v), time.data,
                         l->time_s[l->best] / l->time_s[v], l->arrival[v]);
    if (l->pagerank)
      cairn_base_text_addf(t, " %10.6f", l->pagerank[v]);
    cairn_base_text_add(t, v == l->best ? "   the best\n" : "\n");
    t->failed |= time.failed;
    cairn_base_text_free(&time);
  }
  if (shown < l->minima)
    cairn_base_text_addf(t, "%8s\n", "...");
}

static void centrality(const cairn_study_landscape *l, cairn_base_text *t) {
  cairn_base_text_addf(t, "\n%8s %8s %12s%s   proportion of centrality\n",
                       "within %", "minima", "arrivals",
                       l->pagerank ? "     PageRank" : "");
  for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++) {
    cairn_base_text_addf(t, "%8u %8zu %12.6f", p, l->within[p],
                         l->centrality[p]);
    if (l->pagerank)
      cairn_base_text_addf(t, " %12.6f", l->centrality_pagerank[p]);
    cairn_base_text_add(t, "\n");
  }
}

static void chances(const cairn_study_landscape *l, cairn_base_text *t) {
  cairn_base_text_addf(t, "\n%8s %8s", "within %", "there");
  for (size_t k = 0; k < sizeof draws / sizeof *draws; k++)
    cairn_base_text_addf(t, " %7s%3zu", "after ", draws[k]);
  cairn_base_text_add(t, "    half  90 %   chance of uniform draws\n");
  for (size_t c = 0; c < CAIRN_STUDY_CHANCES; c++) {
    const cairn_study_chance *const x = &l->chance[c];
    cairn_base_text_addf(t, "%8u %8zu", x->percent, x->good);
    for (size_t k = 0; k < sizeof draws / sizeof *draws; k++)
      cairn_base_text_addf(t, " %10.6f", x->at[k]);
    cairn_base_text_addf(t, " %7zu %5zu\n", x->half, x->ninety);
  }
  cairn_base_text_addf(t, "%17s", "best to expect");
  for (size_t k = 0; k < sizeof draws / sizeof *draws; k++) {
    cairn_base_text time = {0};
    cairn_study__time(&time, l->expected_s[k]);
    cairn_base_text_addf(t, " %10s", time.data);
    t->failed |= time.failed;
    cairn_base_text_free(&time);
  }
  cairn_base_text_addf(t, "\n%17s", "best/that");
  for (size_t k = 0; k < sizeof draws / sizeof *draws; k++)
    cairn_base_text_addf(t, " %10.6f", l->expected_fraction[k]);
  cairn_base_text_add(t, "\n");
}

static void one(const cairn_study_landscape *l, cairn_base_text *t) {
  cairn_base_text_addf(t, "%-20s%s\n", "space", l->name ? l->name : "");
  graph(l, t);
  cairn_base_text_addf(t, "%-20s", "best");
  cairn_study__time(t, l->time_s[l->best]);
  cairn_base_text_addf(t, ", schedule %llu", id_of(l, l->best));
  if (l->arrival)
    cairn_base_text_addf(t, "; %.2f %% of the descents end there",
                         100 * l->arrival[l->best]);
  cairn_base_text_add(t, "\n");
  if (l->minima) {
    minima(l, t);
    centrality(l, t);
  } else {
    cairn_base_text_add(t, "no descent ended at a usable point\n");
  }
  chances(l, t);
}

/* ---- several ---- */

static void table(const cairn_study__landscapes *s, cairn_base_text *t) {
  int widest = 5;
  for (size_t i = 0; i < s->count; i++)
    if ((int)strlen(s->landscape[i]->name) > widest)
      widest = (int)strlen(s->landscape[i]->name);
  cairn_base_text_addf(t, "\n%-*s %9s %7s  %-11s %-11s %-11s %-11s\n", widest,
                       "space", "schedules", "minima", "fraction", "centrality",
                       "PageRank", "chance");
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    cairn_base_text_addf(t, "%-*s %9zu %7zu ", widest, l->name, l->vertices,
                         l->minima);
    for (unsigned m = 0; m < CAIRN_STUDY__MEASURES; m++) {
      const size_t rank = cairn_study__rank(s->landscape, s->count, i, m);
      if (rank)
        cairn_base_text_addf(t, " %.4f (%zu)%s", cairn_study__measure_of(l, m),
                             rank, rank < 10 ? " " : "");
      else
        cairn_base_text_addf(t, " %-11s", "unknown");
    }
    cairn_base_text_add(t, "\n");
  }
  cairn_base_text_add(t, "fraction: median of best/time over the minima; "
                         "centrality and PageRank: at 5 %;\nchance: to be "
                         "within 1 % after 100 uniform draws; in parentheses "
                         "the rank, 1: easiest\n");
}

static void contradictions(const cairn_study__landscapes *s,
                           cairn_base_text *t) {
  size_t found = 0;
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = 0; j < s->count; j++) {
      const cairn_study_landscape *const a = s->landscape[i];
      const cairn_study_landscape *const b = s->landscape[j];
      const double x = cairn_study__measure_of(a, CAIRN_STUDY__FRACTION);
      const double y = cairn_study__measure_of(b, CAIRN_STUDY__FRACTION);
      if (!(x < y) || !cairn_study__contradict(a, b, CAIRN_STUDY__FRACTION,
                                               CAIRN_STUDY__CENTRALITY))
        continue;
      if (found++ == 0)
        cairn_base_text_add(t, "\nRanked differently, by the fraction of "
                               "optimum and by centrality at 5 %:\n");
      if (found <= MOST_CONTRADICTIONS)
        cairn_base_text_addf(
            t, "  %s: fraction %.4f < %.4f of %s, centrality %.4f > %.4f\n",
            a->name, x, y, b->name, a->centrality[5], b->centrality[5]);
    }
  if (found > MOST_CONTRADICTIONS)
    cairn_base_text_addf(t, "  and %zu pairs more\n",
                         found - MOST_CONTRADICTIONS);
  if (found == 0)
    cairn_base_text_add(t, "\nThe fraction of optimum and centrality at 5 % "
                           "rank all pairs alike.\n");
}

cairn_status cairn_study__landscapes_text(const void *what,
                                          cairn_base_text *text) {
  const cairn_study__landscapes *const s = what;
  for (size_t i = 0; i < s->count; i++) {
    if (i)
      cairn_base_text_add(text, "\n");
    one(s->landscape[i], text);
  }
  if (s->count > 1) {
    table(s, text);
    contradictions(s, text);
  }
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

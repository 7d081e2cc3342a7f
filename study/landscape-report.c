/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/landscape-report.c - formats of the report of landscapes, and the
 * tables beside its plots.
 */
#include <math.h>

#include "study/study-private.h"

static const size_t draws[] = CAIRN_STUDY_DRAWS;
static const char *const kind_text[] = {"regular", "minimum", "maximum",
                                        "saddle"};
enum { DRAWN = 40 };

static unsigned long long id_of(const cairn_study_landscape *l, size_t v) {
  return l->id ? l->id[v] : v;
}

static void cells(cairn_base_text *t, const double *value, size_t count) {
  for (size_t i = 0; i < count; i++) {
    cairn_base_text_add(t, "\t");
    cairn_study__exact(t, value[i]);
  }
}

static cairn_status finish(cairn_base_text *t) {
  return t->failed ? CAIRN_NOMEM : CAIRN_OK;
}

static cairn_status spaces_tsv(const void *what, cairn_base_text *t) {
  const cairn_study__landscapes *const s = what;
  cairn_base_text_add(t, "space\tschedules\tfailed\tedges\tminima\tstrict\t"
                         "maxima\tsaddles\tregular\tbest_id\tbest_s\tarrival\t"
                         "pagerank\tfraction_median\tfraction_worst\t"
                         "centrality_5\tcentrality_pagerank_5\tchance_1_100\n");
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    const double value[] = {l->time_s[l->best],
                            l->arrival ? l->arrival[l->best] : (double)NAN,
                            l->pagerank ? l->pagerank[l->best] : (double)NAN,
                            l->fraction_median,
                            l->fraction_worst,
                            l->centrality[5],
                            l->centrality_pagerank[5],
                            l->chance[1].at[2]};
    cairn_study__cell(t, l->name);
    cairn_base_text_addf(t, "\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%zu\t%llu",
                         l->vertices, l->failed, l->edges, l->minima, l->strict,
                         l->maxima, l->saddles, l->regular, id_of(l, l->best));
    cells(t, value, sizeof value / sizeof *value);
    cairn_base_text_add(t, "\n");
  }
  return finish(t);
}

static cairn_status centrality_tsv(const void *what, cairn_base_text *t) {
  const cairn_study__landscapes *const s = what;
  cairn_base_text_add(t, "space\tpercent\tminima\tarrivals\tpagerank\n");
  for (size_t i = 0; i < s->count; i++)
    for (unsigned p = 0; p < CAIRN_STUDY_PERCENTS; p++) {
      const cairn_study_landscape *const l = s->landscape[i];
      const double value[] = {l->centrality[p], l->centrality_pagerank[p]};
      cairn_study__cell(t, l->name);
      cairn_base_text_addf(t, "\t%u\t%zu", p, l->within[p]);
      cells(t, value, 2);
      cairn_base_text_add(t, "\n");
    }
  return finish(t);
}

static cairn_status minima_tsv(const void *what, cairn_base_text *t) {
  const cairn_study__landscapes *const s = what;
  cairn_base_text_add(t, "space\tid\ttime_s\tfraction\tarrival\tpagerank\n");
  for (size_t i = 0; i < s->count; i++) {
    const cairn_study_landscape *const l = s->landscape[i];
    for (size_t k = 0; k < l->minima; k++) {
      const size_t v = l->minimum[k];
      const double value[] = {l->time_s[v], l->time_s[l->best] / l->time_s[v],
                              l->arrival[v],
                              l->pagerank ? l->pagerank[v] : (double)NAN};
      cairn_study__cell(t, l->name);
      cairn_base_text_addf(t, "\t%llu", id_of(l, v));
      cells(t, value, 4);
      cairn_base_text_add(t, "\n");
    }
  }
  return finish(t);
}

static cairn_status chances_tsv(const void *what, cairn_base_text *t) {
  const cairn_study__landscapes *const s = what;
  cairn_base_text_add(t, "space\tdraws\tchance_0\tchance_1\tchance_5\t"
                         "expected_s\texpected_fraction\n");
  for (size_t i = 0; i < s->count; i++)
    for (size_t k = 0; k < sizeof draws / sizeof *draws; k++) {
      const cairn_study_landscape *const l = s->landscape[i];
      const double value[] = {l->chance[0].at[k], l->chance[1].at[k],
                              l->chance[2].at[k], l->expected_s[k],
                              l->expected_fraction[k]};
      cairn_study__cell(t, l->name);
      cairn_base_text_addf(t, "\t%zu", draws[k]);
      cells(t, value, 5);
      cairn_base_text_add(t, "\n");
    }
  return finish(t);
}

/* The edges of the graph's best part, and the points without any. */
static void graph_rows(const cairn_study_landscape *l, const uint32_t *vertex,
                       size_t count, cairn_base_text *t) {
  for (size_t i = 0; i < count; i++) {
    const size_t v = vertex[i];
    cairn_study__cell(t, l->name);
    cairn_base_text_addf(t, "\t%llu\t", id_of(l, v));
    cairn_study__exact(t, l->time_s[v]);
    cairn_base_text_addf(t, "\t%s\t", kind_text[l->kind[v]]);
    cairn_study__exact(t, l->arrival[v]);
    cairn_base_text_add(t, "\t");
    int said = 0;
    for (size_t k = 0; k < i; k++)
      for (size_t e = l->row[v]; e < l->row[v + 1]; e++)
        if (l->to[e] == vertex[k] && l->time_s[vertex[k]] < l->time_s[v])
          cairn_base_text_addf(t, "%s%llu", said++ ? " " : "",
                               id_of(l, vertex[k]));
    cairn_base_text_add(t, "\n");
  }
}

static cairn_status graph_tsv(const void *what, cairn_base_text *t) {
  const cairn_study__landscapes *const s = what;
  uint32_t vertex[DRAWN];
  cairn_base_text_add(t, "space\tid\ttime_s\tkind\tarrival\tbetter\n");
  for (size_t i = 0; i < s->count; i++)
    graph_rows(s->landscape[i], vertex,
               cairn_study__best_part(s->landscape[i], DRAWN, vertex), t);
  return finish(t);
}

cairn_status
cairn_study__landscapes_format(cairn_study_landscape *const *landscape,
                               size_t count, cairn_study_format format,
                               cairn_base_text *text) {
  static cairn_status (*const write[])(const void *, cairn_base_text *) = {
      [CAIRN_STUDY_TEXT] = cairn_study__landscapes_text,
      [CAIRN_STUDY_JSON] = cairn_study__landscapes_json,
      [CAIRN_STUDY_HTML] = cairn_study__landscapes_html};
  const cairn_study__landscapes all = {landscape, count};
  return write[format](&all, text);
}

cairn_status
cairn_study__landscapes_report(cairn_study_landscape *const *landscape,
                               size_t count, const char *folder,
                               cairn_base_diag *diag) {
  static const cairn_study__file file[] = {
      {"report.html", cairn_study__landscapes_html},
      {"report.json", cairn_study__landscapes_json},
      {"report.txt", cairn_study__landscapes_text},
      {"spaces.tsv", spaces_tsv},
      {"centrality.tsv", centrality_tsv},
      {"minima.tsv", minima_tsv},
      {"chances.tsv", chances_tsv},
      {"graph.tsv", graph_tsv}};
  const cairn_study__landscapes all = {landscape, count};
  return cairn_study__files(file, sizeof file / sizeof *file, &all, folder,
                            diag);
}

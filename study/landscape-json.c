/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/landscape-json.c - landscapes for scripts.
 */
#include <jansson.h>

#include "study/json-private.h"

static const size_t draws[] = CAIRN_STUDY_DRAWS;

static json_t *id_json(const cairn_study_landscape *l, size_t v) {
  return cairn_study__integer(l->id ? l->id[v] : v);
}

static json_t *at_json(const double *value, size_t v) {
  return value ? cairn_study__number(value[v]) : json_null();
}

static json_t *best_json(const cairn_study_landscape *l) {
  json_t *const o = json_pack("{s:o,s:o,s:o,s:o}", "id", id_json(l, l->best),
                              "time", cairn_study__number(l->time_s[l->best]),
                              "arrival", at_json(l->arrival, l->best),
                              "pagerank", at_json(l->pagerank, l->best));
  cairn_study__set(o, "schedule", cairn_study__string(l->best_text));
  return o;
}

static json_t *minima_json(const cairn_study_landscape *l) {
  json_t *const array = json_array();
  for (size_t i = 0; i < l->minima; i++) {
    const size_t v = l->minimum[i];
    cairn_study__append(
        array, json_pack("{s:o,s:o,s:o,s:o,s:o}", "id", id_json(l, v), "time",
                         cairn_study__number(l->time_s[v]), "fraction",
                         cairn_study__number(l->time_s[l->best] / l->time_s[v]),
                         "arrival", at_json(l->arrival, v), "pagerank",
                         at_json(l->pagerank, v)));
  }
  return array;
}

static json_t *numbers(const double *value, size_t count) {
  json_t *const array = json_array();
  for (size_t i = 0; i < count; i++)
    cairn_study__append(array, cairn_study__number(value[i]));
  return array;
}

static json_t *counts(const size_t *value, size_t count) {
  json_t *const array = json_array();
  for (size_t i = 0; i < count; i++)
    cairn_study__append(array, cairn_study__integer(value[i]));
  return array;
}

static json_t *chances_json(const cairn_study_landscape *l) {
  json_t *const array = json_array();
  for (size_t c = 0; c < CAIRN_STUDY_CHANCES; c++) {
    const cairn_study_chance *const x = &l->chance[c];
    cairn_study__append(
        array, json_pack("{s:I,s:I,s:o,s:o,s:I,s:I}", "percent",
                         (json_int_t)x->percent, "schedules",
                         (json_int_t)x->good, "draws", counts(draws, 4),
                         "chance", numbers(x->at, 4), "median",
                         (json_int_t)x->half, "ninety", (json_int_t)x->ninety));
  }
  return array;
}

static json_t *graph_count(const cairn_study_landscape *l, size_t count) {
  return l->descents ? json_null() : cairn_study__integer(count);
}

static void set_graph(const cairn_study_landscape *l, json_t *o) {
  cairn_study__set(o, "vertices", cairn_study__integer(l->vertices));
  cairn_study__set(o, "edges", graph_count(l, l->edges));
  cairn_study__set(o, "minima", cairn_study__integer(l->minima));
  cairn_study__set(o, "strict", graph_count(l, l->strict));
  cairn_study__set(o, "maxima", graph_count(l, l->maxima));
  cairn_study__set(o, "saddles", graph_count(l, l->saddles));
  cairn_study__set(o, "regular", graph_count(l, l->regular));
  cairn_study__set(o, "failed", cairn_study__integer(l->failed));
  cairn_study__set(o, "repeated", cairn_study__integer(l->repeated));
  cairn_study__set(o, "pairs", graph_count(l, l->pairs));
  cairn_study__set(o, "ties", graph_count(l, l->ties));
  cairn_study__set(o, "components", graph_count(l, l->components));
  cairn_study__set(o, "degree_min", graph_count(l, l->degree_min));
  cairn_study__set(o, "degree_max", graph_count(l, l->degree_max));
  cairn_study__set(o, "exact", json_boolean(l->descents == 0));
  cairn_study__set(o, "descents", cairn_study__integer(l->descents));
  cairn_study__set(o, "program_inferred", json_boolean(l->inferred));
}

static json_t *space_json(const cairn_study_landscape *l) {
  json_t *const o = json_object();
  cairn_study__set(o, "name", cairn_study__string(l->name));
  set_graph(l, o);
  cairn_study__set(o, "best", best_json(l));
  cairn_study__set(o, "fraction",
                   json_pack("{s:o,s:o}", "median",
                             cairn_study__number(l->fraction_median), "worst",
                             cairn_study__number(l->fraction_worst)));
  cairn_study__set(o, "within", counts(l->within, CAIRN_STUDY_PERCENTS));
  cairn_study__set(o, "centrality",
                   numbers(l->centrality, CAIRN_STUDY_PERCENTS));
  cairn_study__set(o, "centrality_pagerank",
                   numbers(l->centrality_pagerank, CAIRN_STUDY_PERCENTS));
  cairn_study__set(o, "local_minima", minima_json(l));
  cairn_study__set(o, "chance", chances_json(l));
  cairn_study__set(o, "expected",
                   json_pack("{s:o,s:o,s:o}", "draws", counts(draws, 4), "best",
                             numbers(l->expected_s, 4), "fraction",
                             numbers(l->expected_fraction, 4)));
  return o;
}

static json_t *ranks_json(const cairn_study__landscapes *s) {
  json_t *const array = json_array();
  for (size_t i = 0; i < s->count; i++) {
    json_t *const o = json_object();
    cairn_study__set(o, "space", cairn_study__string(s->landscape[i]->name));
    for (unsigned m = 0; m < CAIRN_STUDY__MEASURES; m++) {
      const size_t rank = cairn_study__rank(s->landscape, s->count, i, m);
      cairn_study__set(o, cairn_study__measure_name(m),
                       rank ? json_integer((json_int_t)rank) : json_null());
    }
    cairn_study__append(array, o);
  }
  return array;
}

/* Pairs that two measures rank in opposite ways: `easier` by the first. */
static json_t *contradictions_json(const cairn_study__landscapes *s) {
  json_t *const array = json_array();
  for (size_t i = 0; i < s->count; i++)
    for (size_t j = i + 1; j < s->count; j++)
      for (unsigned m = 0; m < CAIRN_STUDY__MEASURES; m++)
        for (unsigned k = m + 1; k < CAIRN_STUDY__MEASURES; k++) {
          const cairn_study_landscape *const a = s->landscape[i];
          const cairn_study_landscape *const b = s->landscape[j];
          if (!cairn_study__contradict(a, b, m, k))
            continue;
          const int first =
              cairn_study__measure_of(a, m) > cairn_study__measure_of(b, m);
          cairn_study__append(
              array,
              json_pack("{s:[s,s],s:o,s:o}", "by", cairn_study__measure_name(m),
                        cairn_study__measure_name(k), "easier",
                        cairn_study__string(first ? a->name : b->name),
                        "harder",
                        cairn_study__string(first ? b->name : a->name)));
        }
  return array;
}

cairn_status cairn_study__landscapes_json(const void *what,
                                          cairn_base_text *text) {
  const cairn_study__landscapes *const s = what;
  json_t *const o = json_object(), *const spaces = json_array();
  cairn_study__set(o, "schema", json_integer(1));
  for (size_t i = 0; i < s->count; i++)
    cairn_study__append(spaces, space_json(s->landscape[i]));
  cairn_study__set(o, "spaces", spaces);
  cairn_study__set(o, "ranks", ranks_json(s));
  cairn_study__set(o, "contradictions", contradictions_json(s));
  return cairn_study__dump(o, text);
}

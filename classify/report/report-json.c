/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-json.c - the report for scripts.
 */
#include <math.h>
#include <string.h>

#include <jansson.h>

#include <cairn/classify.h>

#include "base/format-private.h"
#include "classify/data/data-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/label/label-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *integer(uint64_t value) {
  char digits[24];
  if (value <= UINT64_C(1) << 53)
    return json_integer((json_int_t)value);
  (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  return json_string(digits);
}

static json_t *share(cairn_classify_share s) {
  return json_pack("{s:o,s:o,s:o}", "value", number(s.value), "low",
                   number(s.low), "high", number(s.high));
}

static json_t *string_of(cairn_base_text *text) {
  json_t *string =
      text->failed ? NULL : json_string(text->data ? text->data : "");
  cairn_base_text_free(text);
  return string;
}

/* Appends; an item that could not be made (NULL) costs the whole array, so that
 * nothing is left out unsaid when memory is short. */
static void append(json_t **array_p, json_t *item) {
  if (*array_p && json_array_append_new(*array_p, item) == 0)
    return;
  if (!*array_p)
    json_decref(item);
  json_decref(*array_p);
  *array_p = NULL;
}

static json_t *classes(const cairn_classify_labels *l) {
  json_t *array = json_array();
  for (unsigned c = 0; c < l->classes; c++) {
    double min, max;
    const size_t count = cairn_classify__labels_class(l, c, &min, &max);
    json_t *one = json_pack("{s:i,s:I,s:f,s:f}", "id", (int)c, "count",
                            (json_int_t)count, "min", min, "max", max);
    if (c > 0)
      json_object_set_new(one, "boundary_repeat",
                          number(l->boundary[c - 1].repeat));
    json_array_append_new(array, one);
  }
  return array;
}

static json_t *labelling(const cairn_classify_labels *l) {
  json_t *o =
      json_pack("{s:s,s:o}", "method", cairn_classify__method_text(l->method),
                "noise", number(l->noise));
  if (l->method == CAIRN_CLASSIFY_DENSITY) {
    json_object_set_new(o, "bandwidth", number(l->bandwidth));
  } else {
    json_object_set_new(o, "radius", json_integer((json_int_t)l->radius));
    json_object_set_new(o, "threshold", number(l->threshold));
  }
  json_t *refused = json_array();
  for (size_t i = 0; i < l->refused_count; i++)
    json_array_append_new(refused, json_pack("{s:f,s:f}", "time",
                                             l->sorted[l->refused[i].first],
                                             "repeat", l->refused[i].repeat));
  json_object_set_new(o, "refused_boundaries", refused);
  return o;
}

static json_t *labels(const cairn_classify_labels *l) {
  json_t *array = json_array();
  for (size_t i = 0; i < l->count; i++)
    json_array_append_new(array, json_integer(l->label[i]));
  return array;
}

static json_t *tree(const cairn_classify_tree *t) {
  json_t *steps = json_array();
  for (size_t k = 0; k < (t->count + 1) / 2; k++)
    json_array_append_new(steps, json_pack("[I,I]", (json_int_t)(k + 1),
                                           (json_int_t)t->misclassified[k]));
  return json_pack("{s:I,s:I,s:I,s:o}", "leaves", (json_int_t)t->leaves,
                   "depth", (json_int_t)cairn_classify__tree_depth(t),
                   "misclassified", (json_int_t)t->misclassified[t->leaves - 1],
                   "misclassified_by_leaves", steps);
}

static json_t *measured(const cairn_classify_analysis *a, uint32_t row) {
  const cairn_classify_measure *m = cairn_classify__data_measure(a->data, row);
  return json_pack("{s:o,s:f,s:o,s:o}", "id", integer(m->id), "time", m->time,
                   "p10", number(m->times.p[CAIRN_BASE_P10]), "p90",
                   number(m->times.p[CAIRN_BASE_P90]));
}

static json_t *same_as(const cairn_classify_analysis *a,
                       const cairn_classify_condition *c) {
  cairn_classify__wordings w;
  if (cairn_classify__same_as(a, c, &w) != CAIRN_OK)
    return NULL;
  json_t *array = json_array();
  for (size_t i = 0; i < w.count; i++)
    json_array_append_new(array, json_string(w.text[i]));
  cairn_classify__wordings_free(&w);
  return array;
}

static json_t *evidence(const cairn_classify_analysis *a,
                        const cairn_classify_condition *c) {
  cairn_base_text text = {0};
  cairn_classify__condition_word(c, a->features, &text);
  json_t *o = json_pack("{s:o,s:o}", "text", string_of(&text), "same_as",
                        same_as(a, c));
  if (c->pair.with != UINT32_MAX)
    json_object_set_new(
        o, "pair",
        json_pack("{s:o,s:o,s:I}", "with", measured(a, c->pair.with), "without",
                  measured(a, c->pair.without), "other_differences",
                  (json_int_t)c->pair.others));
  return o;
}

static json_t *rule(const cairn_classify_analysis *a,
                    const cairn_classify_rule *r) {
  json_t *words = json_array(), *facts = json_array();
  for (size_t k = 0; k < r->conditions; k++) {
    cairn_base_text text = {0};
    cairn_classify__condition_word(&r->condition[k], a->features, &text);
    append(&words, string_of(&text));
    append(&facts, evidence(a, &r->condition[k]));
  }
  return json_pack("{s:i,s:I,s:f,s:o,s:o,s:o}", "class", (int)r->id, "samples",
                   (json_int_t)r->samples, "purity", r->purity, "held_out",
                   number(r->held_out), "text", words, "evidence", facts);
}

static json_t *rules(const cairn_classify_analysis *a) {
  json_t *array = json_array();
  for (size_t i = 0; i < a->rules->count; i++)
    append(&array, rule(a, &a->rules->rule[i]));
  return array;
}

static json_t *held_out(const cairn_classify_analysis *a) {
  json_t *each = json_array();
  for (unsigned c = 0; c < a->accuracy.classes; c++)
    json_array_append_new(each, share(a->accuracy.each[c]));
  return json_pack("{s:i,s:o,s:o,s:o}", "folds", (int)a->options.folds,
                   "agreement", share(a->accuracy.agreement), "balanced",
                   share(a->accuracy.balanced), "classes", each);
}

static json_t *evaluated(const cairn_classify_accuracy *e) {
  if (!e)
    return json_pack("{s:n,s:n}", "in_range", "agreement");
  json_t *each = json_array();
  for (unsigned c = 0; c < e->classes; c++)
    json_array_append_new(each, share(e->each[c]));
  return json_pack(
      "{s:o,s:o,s:o,s:o,s:o,s:o}", "in_range", number(e->in_range.value),
      "agreement", number(e->agreement.value), "balanced",
      number(e->balanced.value), "in_range_interval", share(e->in_range),
      "agreement_interval", share(e->agreement), "classes", each);
}

static json_t *summary(const cairn_classify_analysis *a) {
  cairn_classify__summary s;
  cairn_base_text text = {0};
  if (cairn_classify__summary_make(a, &s) != CAIRN_OK)
    return NULL;
  cairn_classify__summary_text(a, &s, &text);
  cairn_classify__summary_free(&s);
  return string_of(&text);
}

static json_t *condition_words(const cairn_classify_analysis *a,
                               const cairn_classify_condition *c,
                               size_t count) {
  json_t *words = json_array();
  for (size_t k = 0; k < count; k++) {
    cairn_base_text text = {0};
    cairn_classify__condition_word(&c[k], a->features, &text);
    append(&words, string_of(&text));
  }
  return words;
}

/* What to follow and what to avoid; null where there is no such advice. */
static json_t *advice(const cairn_classify_analysis *a) {
  cairn_classify__advice x;
  if (cairn_classify__advice_make(a, &x) != CAIRN_OK)
    return NULL;
  if (!x.follow)
    return json_null();
  json_t *avoid =
      x.avoids == 0
          ? json_null()
          : json_pack("{s:o,s:I,s:I,s:I,s:I}", "text",
                      condition_words(a, x.avoid, x.avoids), "schedules",
                      (json_int_t)x.all, "slowest", (json_int_t)x.slowest,
                      "others", (json_int_t)(a->table.rows - x.all),
                      "others_slowest",
                      (json_int_t)(a->tree->samples[a->table.classes - 1] -
                                   x.slowest));
  return json_pack(
      "{s:{s:o,s:I,s:I,s:o},s:o}", "follow", "text",
      condition_words(a, x.follow->condition, x.follow->conditions),
      "schedules", (json_int_t)x.follow->samples, "fastest",
      (json_int_t)x.follow->hits, "example", measured(a, x.example), "avoid",
      avoid);
}

static json_t *build(const cairn_classify_analysis *a) {
  const cairn_classify_features *f = a->features;
  const char *none = cairn_classify__verdict_text(a);
  return json_pack(
      "{s:i,s:I,s:s,s:o,s:o,s:o,s:o,s:{s:I,s:I,s:I,s:I},s:o,s:o,s:o,s:o,"
      "s:o}",
      "schema", CAIRN_CLASSIFY_SCHEMA, "schedules",
      (json_int_t)a->labels->count, "verdict", none ? none : "rules", "summary",
      summary(a), "advice", advice(a), "classes", classes(a->labels),
      "labelling", labelling(a->labels), "features", "all", (json_int_t)f->all,
      "varying", (json_int_t)f->varying, "distinct", (json_int_t)f->distinct,
      "kept", (json_int_t)f->kept, "tree", tree(a->tree), "labels",
      labels(a->labels), "rules", rules(a), "held_out",
      a->held_out ? held_out(a) : json_null(), "evaluation",
      evaluated(a->evaluated ? &a->evaluation : NULL));
}

cairn_status cairn_classify__report_json(const cairn_classify__page *page,
                                         cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  const locale_t before = cairn_base__locale_enter(); /* jansson minds it */
  json_t *object = build(analysis);
  char *dump = object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII |
                                               JSON_REAL_PRECISION(12))
                      : NULL;
  cairn_base__locale_leave(before);
  json_decref(object);
  if (!dump)
    return CAIRN_NOMEM;
  cairn_base_text_add(text, dump);
  free(dump);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

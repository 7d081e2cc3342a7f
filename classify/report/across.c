/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/across.c - the reports of several runs, and the rules that
 * hold in all of them.
 */
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <cairn/classify.h>

#include "classify/judge/compare-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

/* A rule that holds in all runs. */
typedef struct common_rule {
  size_t run, rule;
  cairn_base_text text;
  uint32_t *samples, *hits; /* one a run; in a block, samples first */
} common_rule;

typedef struct common_rules {
  common_rule *rule;
  size_t count, room;
} common_rules;

static void common_free(common_rules *c) {
  for (size_t i = 0; i < c->count; i++) {
    cairn_base_text_free(&c->rule[i].text);
    cairn_base_free(c->rule[i].samples);
  }
  cairn_base_free(c->rule);
}

static int is_said(const common_rules *c, const char *text) {
  for (size_t i = 0; i < c->count; i++)
    if (strcmp(c->rule[i].text.data, text) == 0)
      return 1;
  return 0;
}

/* Adds a rule of `run` that holds in all; takes carried[other][rule]. */
static cairn_status add_rule(const cairn_classify_named *run, size_t runs,
                             size_t from, size_t rule,
                             cairn_classify_carried *const *carried,
                             common_rules *c) {
  const cairn_classify_analysis *const a = run[from].analysis;
  const cairn_classify_rule *const r = &a->rules->rule[rule];
  cairn_status status =
      cairn_base_reserve(&c->rule, &c->room, c->count + 1, sizeof *c->rule);
  if (status != CAIRN_OK)
    return status;
  common_rule *const to = &c->rule[c->count];
  *to = (common_rule){.run = from, .rule = rule};
  cairn_classify__rule_text(a, NULL, r, &to->text);
  to->samples = cairn_base_alloc(2 * runs, sizeof *to->samples);
  if (to->text.failed || !to->samples || is_said(c, to->text.data)) {
    status = to->text.failed || !to->samples ? CAIRN_NOMEM : CAIRN_OK;
    cairn_base_text_free(&to->text);
    cairn_base_free(to->samples);
    return status;
  }
  to->hits = to->samples + runs;
  for (size_t k = 0; k < runs; k++) {
    to->samples[k] = k == from ? r->samples : carried[k][rule].samples;
    to->hits[k] = k == from ? r->hits : carried[k][rule].hits;
  }
  c->count++;
  return CAIRN_OK;
}

static cairn_status find_from(const cairn_classify_named *run, size_t runs,
                              size_t from, cairn_classify_carried **carried,
                              common_rules *c) {
  const size_t rules = run[from].analysis->rules->count;
  cairn_status status = CAIRN_OK;
  for (size_t k = 0; k < runs && status == CAIRN_OK; k++) {
    carried[k] = cairn_base_alloc(rules + 1, sizeof **carried);
    if (!carried[k])
      status = CAIRN_NOMEM;
    else if (k != from)
      status = cairn_classify__carry(run[from].analysis, run[k].analysis,
                                     carried[k]);
  }
  for (size_t i = 0; i < rules && status == CAIRN_OK; i++) {
    const cairn_classify_rule *const r = &run[from].analysis->rules->rule[i];
    int holds = cairn_classify__holds(r->hits, r->samples);
    for (size_t k = 0; k < runs; k++)
      holds &= k == from || carried[k][i].holds;
    if (holds)
      status = add_rule(run, runs, from, i, carried, c);
  }
  for (size_t k = 0; k < runs; k++) {
    cairn_base_free(carried[k]);
    carried[k] = NULL;
  }
  return status;
}

static cairn_status find(const cairn_classify_named *run, size_t runs,
                         common_rules *c) {
  cairn_classify_carried **carried = cairn_base_zalloc(runs, sizeof *carried);
  cairn_status status = carried ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < runs && status == CAIRN_OK; i++)
    status = find_from(run, runs, i, carried, c);
  cairn_base_free(carried);
  return status;
}

static void rule_line(const cairn_classify_named *run, size_t runs,
                      const common_rule *r, cairn_base_text *text) {
  const cairn_classify_analysis *const a = run[r->run].analysis;
  cairn_base_text_addf(text, "  class %u of %u in run %zu: %s\n     ",
                       a->rules->rule[r->rule].id, a->labels->classes,
                       r->run + 1, r->text.data);
  for (size_t k = 0; k < runs; k++)
    cairn_base_text_addf(text, "%srun %zu: %u of %u", k > 0 ? "; " : "", k + 1,
                         r->hits[k], r->samples[k]);
  cairn_base_text_add(text, " schedules\n");
}

static cairn_status across_text(const cairn_classify_named *run, size_t runs,
                                cairn_base_text *text) {
  common_rules c = {0};
  cairn_status status = find(run, runs, &c);
  for (size_t i = 0; i < runs && status == CAIRN_OK; i++) {
    cairn_base_text_addf(text, "== Run %zu: %s ==\n\n", i + 1, run[i].name);
    status = cairn_classify_report(run[i].analysis, CAIRN_CLASSIFY_TEXT, NULL,
                                   0, text);
    cairn_base_text_add(text, "\n");
  }
  if (status == CAIRN_OK) {
    cairn_base_text_addf(text,
                         c.count > 0
                             ? "== Rules that hold in all %zu runs ==\n\n"
                             : "== No rule holds in all %zu runs ==\n",
                         runs);
    for (size_t i = 0; i < c.count; i++)
      rule_line(run, runs, &c.rule[i], text);
  }
  common_free(&c);
  return status == CAIRN_OK && text->failed ? CAIRN_NOMEM : status;
}

static json_t *counts(const uint32_t *value, size_t count) {
  json_t *array = json_array();
  for (size_t i = 0; i < count; i++)
    json_array_append_new(array, json_integer((json_int_t)value[i]));
  return array;
}

static json_t *rule_json(const cairn_classify_named *run, size_t runs,
                         const common_rule *r) {
  const cairn_classify_analysis *const a = run[r->run].analysis;
  const cairn_classify_rule *const rule = &a->rules->rule[r->rule];
  json_t *words = json_array();
  for (size_t k = 0; k < rule->conditions; k++) {
    cairn_base_text text = {0};
    cairn_classify__condition_word(&rule->condition[k], a->features, &text);
    json_array_append_new(words, text.failed ? NULL : json_string(text.data));
    cairn_base_text_free(&text);
  }
  return json_pack("{s:i, s:i, s:o, s:o, s:o}", "run", (int)r->run, "class",
                   (int)rule->id, "text", words, "samples",
                   counts(r->samples, runs), "hits", counts(r->hits, runs));
}

static cairn_status run_json(const cairn_classify_named *run, json_t *array) {
  cairn_base_text text = {0};
  cairn_status status =
      cairn_classify_report(run->analysis, CAIRN_CLASSIFY_JSON, NULL, 0, &text);
  json_t *one =
      status == CAIRN_OK ? json_loadb(text.data, text.length, 0, NULL) : NULL;
  json_t *object =
      one ? json_pack("{s:s, s:o}", "journal", run->name, "classification", one)
          : NULL;
  cairn_base_text_free(&text);
  if (status == CAIRN_OK && (!object || json_array_append_new(array, object)))
    status = CAIRN_NOMEM;
  return status;
}

static cairn_status across_json(const cairn_classify_named *run, size_t runs,
                                cairn_base_text *text) {
  common_rules c = {0};
  json_t *all = json_array(), *rules = json_array();
  cairn_status status = find(run, runs, &c);
  for (size_t i = 0; i < runs && status == CAIRN_OK; i++)
    status = run_json(&run[i], all);
  for (size_t i = 0; i < c.count && status == CAIRN_OK; i++)
    if (json_array_append_new(rules, rule_json(run, runs, &c.rule[i])) != 0)
      status = CAIRN_NOMEM;
  json_t *object = json_pack("{s:i, s:o, s:o}", "schema", CAIRN_CLASSIFY_SCHEMA,
                             "runs", all, "rules_in_all", rules);
  char *dump =
      status == CAIRN_OK && object ? json_dumps(object, JSON_COMPACT) : NULL;
  if (dump)
    cairn_base_text_add(text, dump);
  else if (status == CAIRN_OK)
    status = CAIRN_NOMEM;
  free(dump);
  json_decref(object);
  common_free(&c);
  return status == CAIRN_OK && text->failed ? CAIRN_NOMEM : status;
}

cairn_status cairn_classify_across_report(const cairn_classify_named *run,
                                          size_t runs,
                                          cairn_classify_format format,
                                          cairn_base_text *text) {
  if (format == CAIRN_CLASSIFY_JSON)
    return across_json(run, runs, text);
  return format == CAIRN_CLASSIFY_TEXT ? across_text(run, runs, text)
                                       : CAIRN_USAGE;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/compare-report.c - a comparison in words and as JSON.
 */
#include <math.h>
#include <stdlib.h>

#include <jansson.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "base/format-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

static void run_line(const char *name, const cairn_classify_analysis *a,
                     cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  const cairn_classify__unit unit = cairn_classify__unit_of(l);
  cairn_base_text_addf(text, "%s: ", name);
  cairn_classify__schedules(text, l->count);
  cairn_base_text_add(text, ", ");
  cairn_classify__range(text, unit, l->sorted[0], l->sorted[l->count - 1]);
  cairn_base_text_addf(text, "; %s of ",
                       l->classes == 1 ? "one class" : "classes");
  for (unsigned c = 0; c < l->classes; c++) {
    double min, max;
    cairn_base_text_addf(text, c ? ", %zu" : "%zu",
                         cairn_classify__labels_class(l, c, &min, &max));
  }
  cairn_base_text_add(text, "\n");
}

static void rules(const cairn_classify_comparison *x, int holding,
                  cairn_base_text *text) {
  size_t said = 0;
  for (size_t i = 0; i < x->carrieds; i++) {
    const cairn_classify_carried *c = &x->carried[i];
    const cairn_classify_rule *r = &x->a->rules->rule[c->rule];
    if (c->holds != holding)
      continue;
    if (said++ == 0)
      cairn_base_text_add(text, holding ? "\nRules of A that hold in B\n"
                                        : "\nRules of A that do not\n");
    cairn_base_text_addf(text, "  class %u: ", r->id);
    cairn_classify__rule_text(x->a, NULL, r, text);
    cairn_base_text_addf(text, "\n     A: %u of %u schedule%s; B: %u of %u\n",
                         r->hits, r->samples, r->samples == 1 ? "" : "s",
                         c->hits, c->samples);
  }
}

/* What cannot be known of one schedule, of equal times or of one class is not
 * said in numbers. */
static void figures(const cairn_classify_comparison *x, cairn_base_text *text) {
  cairn_base_text_add(text, "Rank correlation of their times (Spearman): ");
  if (isnan(x->spearman))
    cairn_base_text_add(text, x->common < 2
                                  ? "none, it needs two schedules"
                                  : "none, the times of a run are all equal");
  else
    cairn_base_text_addf(text, "%.3f", x->spearman);
  cairn_base_text_addf(text, "; B takes %.3f times as long (median)\n",
                       x->slowdown);
  if (isnan(x->class_agreement))
    cairn_base_text_addf(text, "Classes cannot be compared: %s\n",
                         x->a->labels->classes > 1   ? "B is one class"
                         : x->b->labels->classes > 1 ? "A is one class"
                                                     : "each run is one class");
  else
    cairn_base_text_addf(text, "In corresponding classes: %.1f %% of them",
                         100 * x->class_agreement);
  if (!isnan(x->class_agreement) && !isnan(x->rand_index))
    cairn_base_text_addf(text, " (adjusted Rand index %.3f)", x->rand_index);
  if (!isnan(x->class_agreement))
    cairn_base_text_add(text, "\n");
}

static cairn_status comparison_text(const cairn_classify_comparison *comparison,
                                    cairn_base_text *text) {
  run_line("A", comparison->a, text);
  run_line("B", comparison->b, text);
  cairn_base_text_addf(text, "Schedules in both: %zu\n", comparison->common);
  if (comparison->common > 0) {
    figures(comparison, text);
    rules(comparison, 1, text);
    rules(comparison, 0, text);
  }
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

static json_t *number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

static json_t *rule_json(const cairn_classify_comparison *x,
                         const cairn_classify_carried *c) {
  const cairn_classify_rule *r = &x->a->rules->rule[c->rule];
  json_t *words = json_array();
  for (size_t k = 0; k < r->conditions; k++) {
    cairn_base_text text = {0};
    cairn_classify__condition_word(&r->condition[k], x->a->features, &text);
    json_array_append_new(words, text.failed ? NULL : json_string(text.data));
    cairn_base_text_free(&text);
  }
  return json_pack("{s:i,s:o,s:I,s:f,s:I,s:o}", "class", (int)r->id, "text",
                   words, "samples", (json_int_t)r->samples, "purity",
                   r->purity, "samples_b", (json_int_t)c->samples, "purity_b",
                   number(c->samples ? (double)c->hits / c->samples : NAN));
}

static cairn_status comparison_json(const cairn_classify_comparison *comparison,
                                    cairn_base_text *text) {
  json_t *both = json_array(), *only_a = json_array();
  for (size_t i = 0; i < comparison->carrieds; i++)
    json_array_append_new(comparison->carried[i].holds ? both : only_a,
                          rule_json(comparison, &comparison->carried[i]));
  json_t *object = json_pack(
      "{s:i,s:I,s:I,s:I,s:o,s:o,s:o,s:o,s:o,s:o}", "schema",
      CAIRN_CLASSIFY_SCHEMA, "schedules_a",
      (json_int_t)comparison->a->labels->count, "schedules_b",
      (json_int_t)comparison->b->labels->count, "common",
      (json_int_t)comparison->common, "spearman", number(comparison->spearman),
      "slowdown", number(comparison->slowdown), "class_agreement",
      number(comparison->class_agreement), "rand_index",
      number(comparison->rand_index), "rules", both, "rules_only_in_a", only_a);
  const locale_t before = cairn_base__locale_enter(); /* jansson minds it */
  char *dump =
      object ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
  cairn_base__locale_leave(before);
  json_decref(object);
  if (!dump)
    return CAIRN_NOMEM;
  cairn_base_text_add(text, dump);
  free(dump);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status
cairn_classify_comparison_report(const cairn_classify_comparison *comparison,
                                 cairn_classify_format format,
                                 cairn_base_text *text) {
  if (format == CAIRN_CLASSIFY_JSON)
    return comparison_json(comparison, text);
  return format == CAIRN_CLASSIFY_TEXT ? comparison_text(comparison, text)
                                       : CAIRN_USAGE;
}

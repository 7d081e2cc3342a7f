/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report-text.c - the report for a terminal.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "classify/report-private.h"

static void head(const cairn_classify_analysis *a, cairn_classify__unit unit,
                 cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  const double least = l->sorted[0], most = l->sorted[l->count - 1];
  cairn_base_text_addf(text, "%zu schedules, ", l->count);
  cairn_classify__range(text, unit, least, most);
  cairn_base_text_addf(text, " (slowest/fastest %.2f)", most / least);
  if (!isnan(l->noise))
    cairn_base_text_addf(text, "; noise of one measurement %.2g %%",
                         100 * l->noise);
  cairn_base_text_add(text, "\n\n");
}

static void how(const cairn_classify_labels *l, cairn_classify__unit unit,
                cairn_base_text *text) {
  if (l->method == CAIRN_CLASSIFY_DENSITY)
    cairn_base_text_addf(text, "valleys of the density, bandwidth %.2g %%",
                         100 * l->bandwidth);
  else
    cairn_base_text_addf(
        text, "step convolution, radius %zu, peaks by %s above %.3g %s",
        l->radius, cairn_classify_method_text(l->method),
        l->threshold * unit.per_second, unit.name);
}

static void classes(const cairn_classify_analysis *a, cairn_classify__unit unit,
                    cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  cairn_base_text_add(text, "\nClasses (");
  how(l, unit, text);
  cairn_base_text_add(text, ")\n");
  for (unsigned c = 0; c < l->classes; c++) {
    double min, max;
    const size_t count = cairn_classify_labels_class(l, c, &min, &max);
    cairn_base_text_addf(text, "  %u  %6zu schedules  ", c, count);
    cairn_classify__range(text, unit, min, max);
    if (c > 0 && !isnan(l->boundary[c - 1].repeat))
      cairn_base_text_addf(text,
                           "   boundary below came back in %.0f %% of redraws",
                           100 * l->boundary[c - 1].repeat);
    cairn_base_text_add(text, "\n");
  }
  for (size_t i = 0; i < l->refused_count; i++) {
    cairn_base_text_add(text, "  not kept: a boundary at ");
    cairn_classify__time(text, unit, l->sorted[l->refused[i].first]);
    cairn_base_text_addf(text, " %s came back in only %.0f %% of redraws\n",
                         unit.name, 100 * l->refused[i].repeat);
  }
}

static void accuracy(const cairn_classify_analysis *a, cairn_base_text *text) {
  if (!a->held_out)
    return;
  cairn_base_text_addf(
      text, "Accuracy on held-out schedules (%u-fold cross-validation): ",
      a->options.folds);
  cairn_classify__share(text, a->accuracy.agreement);
  cairn_base_text_add(text, "\n  balanced ");
  cairn_classify__share(text, a->accuracy.balanced);
  for (unsigned c = 0; c < a->accuracy.classes; c++) {
    cairn_base_text_addf(text, "\n  class %u  ", c);
    cairn_classify__share(text, a->accuracy.each[c]);
  }
  cairn_base_text_add(text, "\n");
}

static void evaluated(const cairn_classify_accuracy *e, cairn_base_text *text) {
  cairn_base_text_add(text, "Evaluation on the full data: agreement with its "
                            "own classes ");
  cairn_classify__share(text, e->agreement);
  cairn_base_text_add(text, "\n  balanced ");
  cairn_classify__share(text, e->balanced);
  for (unsigned c = 0; c < e->classes; c++) {
    cairn_base_text_addf(text, "\n  class %u  ", c);
    cairn_classify__share(text, e->each[c]);
  }
  cairn_base_text_add(text,
                      "\n  time within the range of the predicted class ");
  cairn_classify__share(text, e->in_range);
  cairn_base_text_add(text, "\n");
}

static void tree(const cairn_classify_analysis *a, cairn_base_text *text) {
  const cairn_classify_features *f = a->features;
  const cairn_classify_tree *t = a->tree;
  cairn_base_text_addf(text,
                       "\nFeatures: %zu in all, %zu vary, %zu distinct, %zu "
                       "without opposites\n",
                       f->all, f->varying, f->distinct, f->kept);
  cairn_base_text_addf(text,
                       "Tree: %zu leaves, depth %zu, %u of the %zu schedules "
                       "it was grown on misclassified\n",
                       t->leaves, cairn_classify_tree_depth(t),
                       t->misclassified[t->leaves - 1], a->table.rows);
}

static void pair(const cairn_classify_analysis *a, cairn_classify__unit unit,
                 const cairn_classify_pair *p, cairn_base_text *text) {
  const cairn_classify_measure *x =
      cairn_classify_data_measure(a->data, p->with);
  const cairn_classify_measure *y =
      cairn_classify_data_measure(a->data, p->without);
  cairn_base_text_addf(text, "id %llu: ", (unsigned long long)x->id);
  cairn_classify__time(text, unit, x->time);
  cairn_base_text_addf(text, " %s; without it, id %llu: ", unit.name,
                       (unsigned long long)y->id);
  cairn_classify__time(text, unit, y->time);
  cairn_base_text_addf(text, " %s (x %.3f); other differences: %u", unit.name,
                       y->time / x->time, p->others);
}

static void condition(const cairn_classify_analysis *a,
                      cairn_classify__unit unit,
                      const cairn_classify_condition *c,
                      cairn_base_text *text) {
  cairn_base_text_add(text, "     ");
  cairn_classify_condition_word(c, a->features, text);
  cairn_base_text_add(text, "\n");
  if (c->pair.with != UINT32_MAX) {
    cairn_base_text_add(text, "        with it, ");
    pair(a, unit, &c->pair, text);
    cairn_base_text_add(text, "\n");
  }
  cairn_base_text said = {0}, other = {0};
  int more = 0;
  cairn_classify_condition_word(c, a->features, &said);
  for (size_t i = 0; i < a->features->varying && more <= 4; i++) {
    const cairn_classify_feature *f = &a->features->varied[i];
    if (f->column != c->column)
      continue;
    text->failed |= other.failed;
    cairn_base_text_clear(&other);
    cairn_classify_features_word(a->features, i, c->value ^ f->complement,
                                 &other);
    if (!said.data || !other.data || strcmp(said.data, other.data) == 0)
      continue;
    cairn_base_text_add(text, more ? ", " : "        here the same as: ");
    cairn_base_text_add(text, more++ == 4 ? "..." : other.data);
  }
  text->failed |= said.failed | other.failed;
  cairn_base_text_free(&said);
  cairn_base_text_free(&other);
  if (more)
    cairn_base_text_add(text, "\n");
}

static void rules(const cairn_classify_analysis *a, cairn_classify__unit unit,
                  cairn_base_text *text) {
  unsigned last = UINT_MAX;
  size_t number = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    if (r->id != last) {
      double min, max;
      (void)cairn_classify_labels_class(a->labels, r->id, &min, &max);
      cairn_base_text_addf(text, "\nRules of class %u (", r->id);
      cairn_classify__range(text, unit, min, max);
      cairn_base_text_add(text, ")\n");
      last = r->id;
      number = 0;
    }
    cairn_base_text_addf(text, "  %zu. ", ++number);
    cairn_classify__rule_text(a, NULL, r, text);
    cairn_base_text_addf(text, "\n     %u schedules, %.1f %% of this class%s",
                         r->samples, 100 * r->purity,
                         r->hits < r->samples ? " (not discriminated)" : "");
    if (!isnan(r->held_out))
      cairn_base_text_addf(text, "; held-out accuracy %.3f", r->held_out);
    cairn_base_text_add(text, "\n");
    for (size_t k = 0; k < r->conditions; k++)
      condition(a, unit, &r->condition[k], text);
  }
}

cairn_status cairn_classify_report_text(const cairn_classify_analysis *analysis,
                                        cairn_base_text *text) {
  const cairn_classify__unit unit = cairn_classify__unit_of(analysis->labels);
  cairn_classify__summary summary;
  const cairn_status status = cairn_classify__summary_make(analysis, &summary);
  if (status != CAIRN_OK)
    return status;
  head(analysis, unit, text);
  cairn_classify__summary_text(analysis, &summary, text);
  classes(analysis, unit, text);
  tree(analysis, text);
  accuracy(analysis, text);
  if (analysis->evaluated)
    evaluated(&analysis->evaluation, text);
  rules(analysis, unit, text);
  cairn_classify__summary_free(&summary);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

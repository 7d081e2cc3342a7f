/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-text.c - the report for a terminal.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/text-private.h"
#include "classify/label/label-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"

static void head(const cairn_classify_analysis *a, cairn_classify__unit unit,
                 cairn_base_text *text) {
  const cairn_classify_labels *l = a->labels;
  const double least = l->sorted[0], most = l->sorted[l->count - 1];
  cairn_classify__schedules(text, l->count);
  cairn_base_text_add(text, ", ");
  cairn_classify__range(text, unit, least, most);
  if (l->count > 1)
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
        l->radius, cairn_classify__method_text(l->method),
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
    const size_t count = cairn_classify__labels_class(l, c, &min, &max);
    cairn_base_text_addf(text, "  %u  %6zu schedule%s  ", c, count,
                         count == 1 ? " " : "s");
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
    cairn_base_text_addf(
        text, "\n  class %u, share of its schedules recognised  ", c);
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
                       "Tree: %zu %s, depth %zu, %u of the %zu schedule%s "
                       "it was grown on misclassified\n",
                       t->leaves, t->leaves == 1 ? "leaf" : "leaves",
                       cairn_classify__tree_depth(t),
                       t->misclassified[t->leaves - 1], a->table.rows,
                       a->table.rows == 1 ? "" : "s");
}

static void condition(const cairn_classify_analysis *a,
                      const cairn_classify_condition *c,
                      cairn_base_text *text) {
  cairn_base_text evidence = {0};
  cairn_base_text_add(text, "     ");
  cairn_classify__condition_word(c, a->features, text);
  cairn_base_text_add(text, "\n");
  cairn_classify__pair_text(a, &c->pair, &evidence);
  if (evidence.length > 0)
    cairn_base_text_addf(text, "        %s\n", evidence.data);
  text->failed |= evidence.failed;
  cairn_base__text_clear(&evidence);
  cairn_classify__same_as_text(a, c, "here the same as: ", &evidence);
  if (evidence.length > 0)
    cairn_base_text_addf(text, "        %s\n", evidence.data);
  text->failed |= evidence.failed;
  cairn_base_text_free(&evidence);
}

static void rules(const cairn_classify_analysis *a, cairn_classify__unit unit,
                  cairn_base_text *text) {
  unsigned last = UINT_MAX;
  size_t number = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    if (r->id != last) {
      double min, max;
      (void)cairn_classify__labels_class(a->labels, r->id, &min, &max);
      cairn_base_text_addf(text, "\nRules of class %u (", r->id);
      cairn_classify__range(text, unit, min, max);
      cairn_base_text_add(text, ")\n");
      last = r->id;
      number = 0;
    }
    cairn_base_text_addf(text, "  %zu. ", ++number);
    cairn_classify__rule_text(a, NULL, r, text);
    cairn_base_text_addf(text,
                         "\n     %u of the schedules measured, %.1f %% of "
                         "them of this class%s",
                         r->samples, 100 * r->purity,
                         r->hits < r->samples ? " (not discriminated)" : "");
    if (!isnan(r->held_out))
      cairn_base_text_addf(text, "; held out, %.3f of them recognised",
                           r->held_out);
    cairn_base_text_add(text, "\n");
    for (size_t k = 0; k < r->conditions; k++)
      condition(a, &r->condition[k], text);
  }
}

cairn_status cairn_classify__report_text(const cairn_classify__page *page,
                                         cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  const cairn_classify__unit unit = cairn_classify__unit_of(analysis->labels);
  cairn_classify__summary summary;
  const cairn_status status = cairn_classify__summary_make(analysis, &summary);
  if (status != CAIRN_OK)
    return status;
  head(analysis, unit, text);
  if (analysis->rules->count > 0)
    cairn_base_text_addf(text, "(%s)\n\n", cairn_classify__legend());
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

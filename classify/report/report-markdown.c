/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-markdown.c - the report as Markdown.
 */
#include <math.h>

#include "classify/label/label-private.h"
#include <cairn/classify.h>

#include "classify/data/data-private.h"
#include "classify/report/report-private.h"
#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

static void classes(const cairn_classify_analysis *a, cairn_classify__unit unit,
                    cairn_base_text *text) {
  cairn_base_text_add(
      text, "\n## Classes\n\n| class | schedules | time | "
            "share of them recognised, held out |\n|---|---|---|---|\n");
  for (unsigned c = 0; c < a->labels->classes; c++) {
    double min, max;
    const size_t n = cairn_classify__labels_class(a->labels, c, &min, &max);
    cairn_base_text_addf(text, "| %u | %zu | ", c, n);
    cairn_classify__range(text, unit, min, max);
    cairn_base_text_add(text, " | ");
    if (a->held_out)
      cairn_classify__share(text, a->accuracy.each[c]);
    cairn_base_text_add(text, " |\n");
  }
}

static void rules(const cairn_classify_analysis *a, cairn_base_text *text) {
  if (a->rules->count > 0)
    cairn_base_text_add(text,
                        "\n## Rules\n\n| class | rule | schedules matching | "
                        "share of them of the class | "
                        "share of them recognised, held out |\n"
                        "|---|---|---|---|---|\n");
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    cairn_base_text_addf(text, "| %u | ", r->id);
    cairn_classify__rule_text(a, NULL, r, text);
    cairn_base_text_addf(text, " | %u | %.3f | ", r->samples, r->purity);
    if (!isnan(r->held_out))
      cairn_base_text_addf(text, "%.3f", r->held_out);
    cairn_base_text_add(text, " |\n");
  }
}

/* The lines of the summary as paragraphs. */
static void summary_lines(const cairn_classify_analysis *a,
                          const cairn_classify__summary *summary,
                          cairn_base_text *text) {
  cairn_base_text plain = {0};
  cairn_classify__summary_text(a, summary, &plain);
  for (size_t i = 0; i < plain.length; i++)
    cairn_base_text_add(text, plain.data[i] == '\n' ? "\n\n"
                                                    : (char[2]){plain.data[i]});
  text->failed |= plain.failed;
  cairn_base_text_free(&plain);
}

/* What was measured for each condition of a rule. */
static void evidence(const cairn_classify_analysis *a, cairn_base_text *text) {
  if (a->rules->count > 0)
    cairn_base_text_add(text, "\n## Evidence\n");
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    cairn_base_text_addf(text, "\nClass %u: ", r->id);
    cairn_classify__rule_text(a, NULL, r, text);
    cairn_base_text_add(text, "\n\n");
    for (size_t k = 0; k < r->conditions; k++) {
      cairn_base_text_add(text, "- ");
      cairn_classify__condition_word(&r->condition[k], a->features, text);
      cairn_base_text_add(text, ": ");
      cairn_classify__pair_text(a, &r->condition[k].pair, text);
      cairn_classify__same_as_text(a, &r->condition[k],
                                   "; here the same as: ", text);
      cairn_base_text_add(text, "\n");
    }
  }
}

cairn_status cairn_classify__report_markdown(const cairn_classify__page *page,
                                             cairn_base_text *text) {
  const cairn_classify_analysis *analysis = page->analysis;
  const cairn_classify__unit unit = cairn_classify__unit_of(analysis->labels);
  const cairn_classify_labels *l = analysis->labels;
  cairn_classify__summary summary;
  const cairn_status status = cairn_classify__summary_make(analysis, &summary);
  if (status != CAIRN_OK)
    return status;
  cairn_base_text_addf(text, "# Classes and rules of %zu schedule%s\n\n",
                       l->count, l->count == 1 ? "" : "s");
  cairn_base_text_addf(text, "(%s)\n\n", cairn_classify__legend());
  summary_lines(analysis, &summary, text);
  cairn_classify__summary_free(&summary);
  classes(analysis, unit, text);
  if (analysis->held_out) {
    cairn_base_text_addf(text,
                         "\nAccuracy on held-out schedules (%u-fold "
                         "cross-validation): ",
                         analysis->options.folds);
    cairn_classify__share(text, analysis->accuracy.agreement);
    cairn_base_text_add(text, ", balanced ");
    cairn_classify__share(text, analysis->accuracy.balanced);
    cairn_base_text_add(text, ".\n");
  }
  rules(analysis, text);
  evidence(analysis, text);
  cairn_base_text_add(text, "\nFastest: `");
  cairn_base_text_add(text,
                      cairn_classify__data_text(analysis->data, l->order[0]));
  cairn_base_text_add(text, "`\n\nSlowest: `");
  cairn_base_text_add(
      text, cairn_classify__data_text(analysis->data, l->order[l->count - 1]));
  cairn_base_text_add(text, "`\n");
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-common.c - times, ranges, shares and rules as text.
 */
#include <math.h>

#include <cairn/classify.h>

#include "classify/report/writers-private.h"
#include "classify/rules/rule-private.h"

cairn_classify__unit
cairn_classify__unit_of(const cairn_classify_labels *labels) {
  const double middle = labels->sorted[labels->count / 2];
  if (middle >= 1)
    return (cairn_classify__unit){1, "s"};
  if (middle >= 1e-3)
    return (cairn_classify__unit){1e3, "ms"};
  if (middle >= 1e-6)
    return (cairn_classify__unit){1e6, "\302\265s"};
  return (cairn_classify__unit){1e9, "ns"};
}

void cairn_classify__time(cairn_base_text *text, cairn_classify__unit unit,
                          double seconds) {
  cairn_base_text_addf(text, "%.2f", seconds * unit.per_second);
}

void cairn_classify__range(cairn_base_text *text, cairn_classify__unit unit,
                           double low, double high) {
  if (low == high) {
    cairn_base_text_addf(text, "%.2f %s", low * unit.per_second, unit.name);
    return;
  }
  cairn_base_text_addf(text, "%.2f to %.2f %s", low * unit.per_second,
                       high * unit.per_second, unit.name);
}

void cairn_classify__schedules(cairn_base_text *text, size_t count) {
  cairn_base_text_addf(text, "%zu schedule%s", count, count == 1 ? "" : "s");
}

void cairn_classify__share(cairn_base_text *text, cairn_classify_share share) {
  if (isnan(share.value))
    cairn_base_text_add(text, "unknown");
  else if (isnan(share.low))
    cairn_base_text_addf(text, "%.3f", share.value);
  else
    cairn_base_text_addf(text, "%.3f (%.3f to %.3f)", share.value, share.low,
                         share.high);
}

void cairn_classify__rule_text(const cairn_classify_analysis *analysis,
                               const cairn_classify__summary *summary,
                               const cairn_classify_rule *rule,
                               cairn_base_text *text) {
  int said = 0;
  for (size_t k = 0; k < rule->conditions; k++) {
    const cairn_classify_condition *c = &rule->condition[k];
    if (summary && cairn_classify__is_trait(summary, rule->id, c))
      continue;
    if (said++)
      cairn_base_text_add(text, "; ");
    cairn_classify__condition_word(c, analysis->features, text);
  }
}

int cairn_classify__is_trait(const cairn_classify__summary *summary,
                             unsigned id,
                             const cairn_classify_condition *condition) {
  for (size_t k = 0; k < summary->traits[id]; k++)
    if (summary->trait[id][k].condition.column == condition->column &&
        summary->trait[id][k].condition.value == condition->value)
      return 1;
  return 0;
}

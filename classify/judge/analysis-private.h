/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/judge/analysis-private.h - the whole way from data to rules in one
 * call.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_JUDGE_ANALYSIS_PRIVATE_H
#define CAIRN_CLASSIFY_JUDGE_ANALYSIS_PRIVATE_H

#include "classify/judge/evaluate-private.h"
#include "classify/label/label-private.h"
#include "classify/rules/rule-private.h"
#include <cairn/classify.h>

/* Labels alone, as analyse makes them. */
cairn_status
cairn_classify__data_label(const cairn_classify_data *data,
                           const cairn_classify_label_options *options,
                           cairn_classify_labels **labels_p);

/* "no rules: the differences are noise", ...; NULL when there are rules. */
const char *
cairn_classify__verdict_text(const cairn_classify_analysis *analysis);

#endif

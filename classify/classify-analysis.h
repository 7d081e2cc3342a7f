/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-analysis.h - the whole way from data to rules in one call.
 */
#ifndef CAIRN_CLASSIFY_ANALYSIS_H
#define CAIRN_CLASSIFY_ANALYSIS_H

#include "classify-evaluate.h"
#include "classify-label.h"
#include "classify-rule.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cairn_classify_options {
  cairn_classify_label_options label;
  cairn_classify_tree_options tree;
  unsigned folds; /* of the cross-validation; 0: none */
  int pairs;      /* look for counterfactual pairs */
} cairn_classify_options;

CAIRN_API void cairn_classify_defaults(cairn_classify_options *options);

typedef enum cairn_classify_verdict {
  CAIRN_CLASSIFY_RULES,     /* the rules hold on schedules not learned from */
  CAIRN_CLASSIFY_ONE_CLASS, /* no rules: the differences are noise */
  CAIRN_CLASSIFY_UNRELATED  /* no rules: order and streams predict the class no
                               better than chance */
} cairn_classify_verdict;

/* Free with cairn_classify_analysis_free. */
typedef struct cairn_classify_analysis {
  const cairn_classify_data *data; /* must outlive this */
  cairn_classify_options options;
  cairn_classify_labels *labels;
  cairn_classify_features *features;
  cairn_classify_table table; /* borrows from features and labels */
  cairn_classify_tree *tree;
  cairn_classify_rules *rules; /* empty unless the verdict is RULES */
  uint16_t *held_out; /* class predicted in cross-validation, or NULL */
  cairn_classify_accuracy accuracy; /* of held_out */
  cairn_classify_verdict verdict;
  int evaluated; /* cairn_classify_evaluate was called */
  cairn_classify_accuracy evaluation;
} cairn_classify_analysis;

/* data: at least one schedule.  CAIRN_NOMEM, CAIRN_INPUT (no schedules). */
CAIRN_API cairn_status cairn_classify_analyse(
    const cairn_classify_data *data, const cairn_classify_options *options,
    cairn_classify_analysis **analysis_p);
CAIRN_API void cairn_classify_analysis_free(cairn_classify_analysis *analysis);

/* How well rules learned here hold on other schedules of the same program: the
 * full data get classes of their own by the same method; both measures, and
 * 95 % intervals over `resamples` redraws of the schedules learned from (0:
 * no intervals).  Kept in analysis->evaluation, and reported.  CAIRN_NOMEM,
 * CAIRN_INPUT (no schedules). */
CAIRN_API cairn_status
cairn_classify_evaluate(cairn_classify_analysis *analysis,
                        const cairn_classify_data *full, unsigned resamples);

/* Labels alone, as analyse makes them. */
CAIRN_API cairn_status
cairn_classify_data_label(const cairn_classify_data *data,
                          const cairn_classify_label_options *options,
                          cairn_classify_labels **labels_p);

/* "no rules: the differences are noise", ...; NULL when there are rules. */
CAIRN_API const char *
cairn_classify_verdict_text(const cairn_classify_analysis *analysis);

#ifdef __cplusplus
}
#endif
#endif

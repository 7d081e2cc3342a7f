/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-report.h - what people and scripts read.
 *
 * Every writer appends to a text buffer (check text->failed, or let the
 * returned status tell) and is a function of the analysis alone.  Conditions
 * are worded in the names of ops; numbers of streams never appear in them.
 */
#ifndef CAIRN_CLASSIFY_REPORT_H
#define CAIRN_CLASSIFY_REPORT_H

#include "classify-analysis.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CAIRN_CLASSIFY_SCHEMA 1

/* For a terminal: a summary first, then classes, tree, accuracy, rules with
 * their evidence. */
CAIRN_API cairn_status cairn_classify_report_text(
    const cairn_classify_analysis *analysis, cairn_base_text *text);

/* One JSON object of schema CAIRN_CLASSIFY_SCHEMA, without a newline at its
 * end; described by classify.schema.json. */
CAIRN_API cairn_status cairn_classify_report_json(
    const cairn_classify_analysis *analysis, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

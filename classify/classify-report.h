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

/* Accuracy against the number of measurements: rules learned from the first n
 * schedules, judged on all. */
typedef struct cairn_classify_curve_point {
  size_t measured;
  unsigned classes;
  double agreement, in_range; /* shares */
} cairn_classify_curve_point;

/* Points at 25, 50, 100, 200, 400, ... and all; at most `room` of them.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_curve(
    const cairn_classify_analysis *analysis, cairn_classify_curve_point *point,
    size_t room, size_t *count_p);

/* Facts about the machine and the run, for the head of a page. */
typedef struct cairn_classify_fact {
  const char *name, *text;
} cairn_classify_fact;

/* Writes report.html, report.md, report.json, tree.dot and schedules.tsv into
 * the folder, which is made when missing.  What is there under such a name and
 * is no regular file is left alone.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_classify_report_write(
    const cairn_classify_analysis *analysis, const cairn_classify_fact *fact,
    size_t facts, const char *folder, cairn_base_diag *diag);

/* Would that be possible?  To be asked before the long work; the folder is made
 * already.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_classify_report_can_write(const char *folder,
                                                       cairn_base_diag *diag);

/* The single files. */
CAIRN_API cairn_status cairn_classify_report_html(
    const cairn_classify_analysis *analysis, const cairn_classify_fact *fact,
    size_t facts, cairn_base_text *text);
CAIRN_API cairn_status cairn_classify_report_markdown(
    const cairn_classify_analysis *analysis, cairn_base_text *text);
CAIRN_API cairn_status cairn_classify_report_dot(
    const cairn_classify_analysis *analysis, cairn_base_text *text);
/* One line a schedule: id, time_s, class, held_out_class, a column for each
 * kept feature, schedule. */
CAIRN_API cairn_status cairn_classify_report_tsv(
    const cairn_classify_analysis *analysis, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

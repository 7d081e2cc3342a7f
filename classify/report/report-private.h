/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/report-private.h - what people and scripts read.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_REPORT_REPORT_PRIVATE_H
#define CAIRN_CLASSIFY_REPORT_REPORT_PRIVATE_H

#include "classify/judge/analysis-private.h"
#include <cairn/classify.h>

/* Points at 25, 50, 100, 200, 400, ... and all; at most `room` of them.
 * CAIRN_NOMEM. */
cairn_status cairn_classify__curve(const cairn_classify_analysis *analysis,
                                   cairn_classify_curve_point *point,
                                   size_t room, size_t *count_p);

/* What a report tells. */
typedef struct cairn_classify__page {
  const cairn_classify_analysis *analysis;
  const cairn_classify_fact *fact; /* of the machine and the run */
  size_t facts;
} cairn_classify__page;

/* The writers, one a format.  TSV: one line a schedule: id, time_s, class,
 * held_out_class, a column for each kept feature, schedule. */
#define CAIRN_CLASSIFY__REPORT_WRITER(NAME, name, file)                        \
  cairn_status cairn_classify__report_##name(const cairn_classify__page *page, \
                                             cairn_base_text *text);
CAIRN_CLASSIFY_FORMAT_TABLE(CAIRN_CLASSIFY__REPORT_WRITER)
#undef CAIRN_CLASSIFY__REPORT_WRITER

#endif

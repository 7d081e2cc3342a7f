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

/* Would that be possible?  To be asked before the long work; the folder is made
 * already.  CAIRN_IO with a message. */
cairn_status cairn_classify__report_can_write(const char *folder,
                                              cairn_base_diag *diag);

/* The single files. */
cairn_status
cairn_classify__report_html(const cairn_classify_analysis *analysis,
                            const cairn_classify_fact *fact, size_t facts,
                            cairn_base_text *text);
cairn_status
cairn_classify__report_markdown(const cairn_classify_analysis *analysis,
                                cairn_base_text *text);
cairn_status cairn_classify__report_dot(const cairn_classify_analysis *analysis,
                                        cairn_base_text *text);
/* One line a schedule: id, time_s, class, held_out_class, a column for each
 * kept feature, schedule. */
cairn_status cairn_classify__report_tsv(const cairn_classify_analysis *analysis,
                                        cairn_base_text *text);

#endif

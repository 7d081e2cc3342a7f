/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/writers-private.h - what the report writers share.
 */
#ifndef CAIRN_CLASSIFY_REPORT_WRITERS_PRIVATE_H
#define CAIRN_CLASSIFY_REPORT_WRITERS_PRIVATE_H

#include "classify/report/report-private.h"
#include <cairn/classify.h>

/* A unit in which the times of an analysis read well. */
typedef struct cairn_classify__unit {
  double per_second;
  const char *name; /* "s", "ms", "us" (printed with the micro sign), "ns" */
} cairn_classify__unit;

cairn_classify__unit
cairn_classify__unit_of(const cairn_classify_labels *labels);
/* "53.59" */
void cairn_classify__time(cairn_base_text *text, cairn_classify__unit unit,
                          double seconds);
/* "53.59 to 59.87 us" */
void cairn_classify__range(cairn_base_text *text, cairn_classify__unit unit,
                           double low, double high);
/* "0.994 (0.990 to 0.997)", or "unknown" */
/* "1 schedule", "2 schedules" */
void cairn_classify__schedules(cairn_base_text *text, size_t count);
void cairn_classify__share(cairn_base_text *text, cairn_classify_share share);

/* A condition that every schedule of a class meets. */
typedef struct cairn_classify__trait {
  cairn_classify_condition condition;
  double elsewhere; /* share of the other schedules that meet it too */
} cairn_classify__trait;

/* What the summary says; free with cairn_classify__summary_free. */
typedef struct cairn_classify__summary {
  unsigned classes;
  cairn_classify__trait **trait; /* per class, most telling first */
  size_t *traits;
  uint32_t *dull; /* kept columns that do not matter */
  size_t dulls;
} cairn_classify__summary;

cairn_status
cairn_classify__summary_make(const cairn_classify_analysis *analysis,
                             cairn_classify__summary *summary);
void cairn_classify__summary_free(cairn_classify__summary *summary);
int cairn_classify__is_trait(const cairn_classify__summary *summary,
                             unsigned id,
                             const cairn_classify_condition *condition);
/* The summary in words: lines, each ended by a newline. */
void cairn_classify__summary_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify__summary *summary,
                                  cairn_base_text *text);
/* Conditions of a rule joined by "; "; those every schedule of the class meets
 * are left out when summary is not NULL. */
void cairn_classify__rule_text(const cairn_classify_analysis *analysis,
                               const cairn_classify__summary *summary,
                               const cairn_classify_rule *rule,
                               cairn_base_text *text);
enum { CAIRN_CLASSIFY__MOST_AVOID = 4 };

/* What to do, from rules: the rule set of the fastest class to follow, the
 * fastest schedule that follows it, and the one thing to stay away from. */
typedef struct cairn_classify__advice {
  const cairn_classify_rule *follow; /* NULL: there are no rules */
  size_t follow_slowest;             /* of those that follow, in the slowest */
  uint32_t example;                  /* row */
  /* Conditions to avoid together; avoids 0: nothing stands out. */
  cairn_classify_condition avoid[CAIRN_CLASSIFY__MOST_AVOID];
  size_t avoids;
  size_t all, slowest; /* schedules that meet them; of the slowest class */
} cairn_classify__advice;

cairn_status
cairn_classify__advice_make(const cairn_classify_analysis *analysis,
                            cairn_classify__advice *advice);
/* "264 of 264 such schedules are in the fastest class" */
void cairn_classify__follow_text(const cairn_classify__advice *advice,
                                 cairn_base_text *text);
/* "420 of the 420 such schedules measured are in the slowest class, 260 of the
 * 1616 others" */
void cairn_classify__avoid_text(const cairn_classify_analysis *analysis,
                                const cairn_classify__advice *advice,
                                cairn_base_text *text);
/* "Pack, yl, record an event after Pack, the host waits for it, PostSend": all
 * that a schedule issues, in order, without start and end. */
void cairn_classify__order_text(const cairn_classify_analysis *analysis,
                                size_t row, cairn_base_text *text);
/* What conditions and schedules as text mean: "A before B", A@1, #0, CER. */
const char *cairn_classify__legend(void);
/* "Pack, yr, y in one stream and yl in another" */
void cairn_classify__streams_text(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text);

/* "The fastest of them (id 7, 53.59 us) uses Pack, yr in one stream and ..." */
void cairn_classify__example_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify__advice *advice,
                                  cairn_base_text *text);

/* Other wordings of a condition, those of the features merged with it: each
 * once, none equal to the condition's own; in feature order.  Free with
 * cairn_classify__wordings_free.  CAIRN_NOMEM. */
typedef struct cairn_classify__wordings {
  char **text;
  size_t count;
} cairn_classify__wordings;

cairn_status cairn_classify__same_as(const cairn_classify_analysis *analysis,
                                     const cairn_classify_condition *condition,
                                     cairn_classify__wordings *wordings);
void cairn_classify__wordings_free(cairn_classify__wordings *wordings);
/* At most a few of them joined by ", "; nothing when there are none. */
void cairn_classify__same_as_text(const cairn_classify_analysis *analysis,
                                  const cairn_classify_condition *condition,
                                  const char *before, cairn_base_text *text);
/* "with it, id 21: 43.59 us (p10 to p90 ...); without it, ..." */
void cairn_classify__pair_text(const cairn_classify_analysis *analysis,
                               const cairn_classify_pair *pair,
                               cairn_base_text *text);
/* Text with <, >, & and quotes escaped, for HTML and SVG. */
void cairn_classify__escape(cairn_base_text *text, const char *plain);

/* The figures of the page, each a complete <svg>. */
void cairn_classify__svg_times(const cairn_classify_analysis *analysis,
                               cairn_base_text *text);
void cairn_classify__svg_boundaries(const cairn_classify_analysis *analysis,
                                    cairn_base_text *text);
void cairn_classify__svg_tree(const cairn_classify_analysis *analysis,
                              cairn_base_text *text);
void cairn_classify__svg_schedule(const cairn_classify_analysis *analysis,
                                  size_t row, cairn_base_text *text);
cairn_status cairn_classify__svg_curve(const cairn_classify_analysis *analysis,
                                       cairn_base_text *text);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/across-private.h - several runs of one program under
 * different conditions: each has classes and rules of its own; which rules hold
 * in all?
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_REPORT_ACROSS_PRIVATE_H
#define CAIRN_CLASSIFY_REPORT_ACROSS_PRIVATE_H

#include "classify/judge/analysis-private.h"
#include "classify/judge/compare-private.h"
#include <cairn/classify.h>

/* Rules of one run read on all schedules of another: carried[i] for rule i.
 * Classes correspond by overlap of what the tree of `from` predicts with the
 * classes of `to`.  A rule holds nowhere when either run has one class.
 * CAIRN_NOMEM. */
cairn_status cairn_classify__carry(const cairn_classify_analysis *from,
                                   const cairn_classify_analysis *to,
                                   cairn_classify_carried *carried);

#endif

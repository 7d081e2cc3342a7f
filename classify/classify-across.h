/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-across.h - several runs of one program under different
 * conditions: each has classes and rules of its own; which rules hold in all?
 */
#ifndef CAIRN_CLASSIFY_ACROSS_H
#define CAIRN_CLASSIFY_ACROSS_H

#include "classify-analysis.h"
#include "classify-compare.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rules of one run read on all schedules of another: carried[i] for rule i.
 * Classes correspond by overlap of what the tree of `from` predicts with the
 * classes of `to`.  A rule holds nowhere when either run has one class.
 * CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_carry(const cairn_classify_analysis *from,
                                            const cairn_classify_analysis *to,
                                            cairn_classify_carried *carried);

typedef struct cairn_classify_named {
  const char *name; /* of the journal */
  const cairn_classify_analysis *analysis;
} cairn_classify_named;

/* The report of each run, then the rules that hold in all of them. */
CAIRN_API cairn_status cairn_classify_across_text(
    const cairn_classify_named *run, size_t runs, cairn_base_text *text);
/* {"schema","runs":[{"journal","classification"}],"rules_in_all":[{"run",
 * "class","text","samples":[],"hits":[]}]}; run counts from 0;
 * samples and hits: one a run. */
CAIRN_API cairn_status cairn_classify_across_json(
    const cairn_classify_named *run, size_t runs, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

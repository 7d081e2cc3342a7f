/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify.h - front door of classify: from measured schedules to
 * rules that people can act on.
 *
 *   data -> labels (classes of times) -> features (bit columns) -> tree
 *        -> rules with evidence -> reports
 *
 * Errors: see base.h.  Ownership: an object that a function returns is freed
 * by the function named in its comment; all else belongs to the object asked
 * and lives as long as it.  Objects hold what they need of the data by
 * reference: free the data last.  Everything is a function of its arguments
 * (seeds included): the same input gives the same bytes.
 */
#ifndef CAIRN_CLASSIFY_H
#define CAIRN_CLASSIFY_H

#include "classify-across.h"
#include "classify-analysis.h"
#include "classify-committee.h"
#include "classify-compare.h"
#include "classify-data.h"
#include "classify-evaluate.h"
#include "classify-feature.h"
#include "classify-label.h"
#include "classify-report.h"
#include "classify-rule.h"
#include "classify-tree.h"

#endif

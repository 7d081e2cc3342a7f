/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/origin-private.h - do two runs come from the same thing?
 *
 * What the library itself needs beyond <cairn/journal.h>.
 */
#ifndef CAIRN_JOURNAL_ORIGIN_PRIVATE_H
#define CAIRN_JOURNAL_ORIGIN_PRIVATE_H

#include "dag/program/program-private.h"
#include "journal/journal-private.h"
#include <cairn/journal.h>

/* The backend that took the times: that of the recorded run for a replay; NULL
 * when it is not known. */
const char *cairn_journal__origin_backend(const cairn_journal_header *header);

#endif

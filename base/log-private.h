/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/log-private.h - the log: lines on standard error, by level, with the
 * rank when there are several.  Results never go here.  The level and the rank
 * tag are the library's only globals.
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_LOG_PRIVATE_H
#define CAIRN_BASE_LOG_PRIVATE_H

#include <cairn/base.h>

/* Lines are tagged "[rank]" when rank >= 0; default -1. */
void cairn_base__log_set_rank(int rank);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-log.h - the log: lines on standard error, by level, with the rank
 * when there are several.  Results never go here.  The level and the rank tag
 * are the library's only globals.
 */
#ifndef CAIRN_BASE_LOG_H
#define CAIRN_BASE_LOG_H

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_base_log_level {
  CAIRN_BASE_LOG_ERROR,
  CAIRN_BASE_LOG_WARNING,
  CAIRN_BASE_LOG_INFO,
  CAIRN_BASE_LOG_DEBUG
} cairn_base_log_level;

/* Default: CAIRN_BASE_LOG_INFO. */
CAIRN_API void cairn_base_log_set_level(cairn_base_log_level level);
CAIRN_API cairn_base_log_level cairn_base_log_get_level(void);
/* Lines are tagged "[rank]" when rank >= 0; default -1. */
CAIRN_API void cairn_base_log_set_rank(int rank);
/* One line, newline added, written with one write(2); what a terminal must not
 * be given is spelled out (cairn_base_text_add_shown). */
CAIRN_API void cairn_base_log(cairn_base_log_level level, const char *format,
                              ...) CAIRN_PRINTF(2, 3);

#ifdef __cplusplus
}
#endif
#endif

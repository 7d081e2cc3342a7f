/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-diag.h - diagnostics: messages for the user, collected, then
 * printed by whoever owns the terminal.  Every function accepts a NULL diag
 * and then says nothing.
 */
#ifndef CAIRN_BASE_DIAG_H
#define CAIRN_BASE_DIAG_H

#include <stddef.h>
#include <stdio.h>

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_base_severity {
  CAIRN_BASE_ERROR,
  CAIRN_BASE_WARNING,
  CAIRN_BASE_NOTE
} cairn_base_severity;

typedef struct cairn_base_message {
  cairn_base_severity severity;
  const char *file; /* NULL: no place */
  size_t line;      /* 1-based; 0: no line */
  const char *text;
} cairn_base_message;

typedef struct cairn_base_diag cairn_base_diag;

/* A new, empty collection; free with cairn_base_diag_free.  Keeps at most
 * `limit` errors (0: 20); more are counted, not kept.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_base_diag_create(size_t limit,
                                              cairn_base_diag **diag_p);
CAIRN_API void cairn_base_diag_free(cairn_base_diag *diag);

/* Adds one message; file may be NULL and line 0.  Never fails visibly: when
 * memory is short the message is dropped and still counted. */
CAIRN_API void cairn_base_diag_add(cairn_base_diag *diag,
                                   cairn_base_severity severity,
                                   const char *file, size_t line,
                                   const char *format, ...) CAIRN_PRINTF(5, 6);

/* An error without a place. */
#define cairn_base_diag_error(diag, ...)                                       \
  cairn_base_diag_add((diag), CAIRN_BASE_ERROR, NULL, 0, __VA_ARGS__)

/* Messages kept, and errors seen (kept or not). */
CAIRN_API size_t cairn_base_diag_count(const cairn_base_diag *diag);
CAIRN_API size_t cairn_base_diag_errors(const cairn_base_diag *diag);
/* The i-th message in the order of adding, valid until the next add. */
CAIRN_API const cairn_base_message *
cairn_base_diag_get(const cairn_base_diag *diag, size_t i);
/* Sorts by file, then line, keeping the order of adding inside a line. */
CAIRN_API void cairn_base_diag_sort(cairn_base_diag *diag);
/* Prints all as "file:line: error: text" (or "cairn: error: text" without a
 * place), each on one line: whatever the text holds reaches the terminal
 * spelled out (cairn_base_text_add_shown).  Then "N more errors" if some were
 * not kept; then forgets them. */
CAIRN_API void cairn_base_diag_print(cairn_base_diag *diag, FILE *out);

#ifdef __cplusplus
}
#endif
#endif

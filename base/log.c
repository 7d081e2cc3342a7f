/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/log.c - one line, one write(2), to standard error.
 */
#include "base/log-private.h"
#include "base/text-private.h"
#include <cairn/base.h>

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_int log_level = CAIRN_BASE_LOG_INFO;
static atomic_int log_rank = -1;

void cairn_base_log_set_level(cairn_base_log_level level) {
  atomic_store(&log_level, (int)level);
}

cairn_base_log_level cairn_base_log_get_level(void) {
  return (cairn_base_log_level)atomic_load(&log_level);
}

void cairn_base__log_set_rank(int rank) { atomic_store(&log_rank, rank); }

/* Nobody is left to be told of what fails here. */
static void put_line(char *line) {
  cairn_base_text shown = {0};
  cairn_base_text_add_shown(&shown, line, 0);
  cairn_base_text_add(&shown, "\n");
  if (!shown.failed && write(STDERR_FILENO, shown.data, shown.length) < 0)
    shown.failed = 1;
  cairn_base_text_free(&shown);
}

void cairn_base_log(cairn_base_log_level level, const char *format, ...) {
  static const char *const tags[] = {"error: ", "warning: ", "", "debug: "};
  char line[2048];
  va_list list;
  int length, rank = atomic_load(&log_rank);
  if ((int)level > atomic_load(&log_level))
    return;
  length = rank >= 0
               ? snprintf(line, sizeof line, "cairn[%d]: %s", rank, tags[level])
               : snprintf(line, sizeof line, "cairn: %s", tags[level]);
  va_start(list, format);
  const int more = cairn_base_vformat(
      line + length, sizeof line - (size_t)length - 1, format, list);
  va_end(list);
  if (more >= 0)
    put_line(line);
}

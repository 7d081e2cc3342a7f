/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/diag.c - messages for the user, collected in order.
 * Invariant: every kept message owns its file and text.
 */
#include "base/diag-private.h"
#include "base/text-private.h"
#include <cairn/base.h>

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LIMIT = 20 };

typedef struct kept {
  cairn_base_message message; /* first: cairn_base_diag_get hands it out */
  size_t order;
} kept;

struct cairn_base_diag {
  kept *messages;
  size_t count, capacity, limit;
  size_t errors, errors_kept;
};

cairn_status cairn_base_diag_create(size_t limit, cairn_base_diag **diag_p) {
  cairn_base_diag *diag = cairn_base_zalloc(1, sizeof *diag);
  if (!diag)
    return CAIRN_NOMEM;
  diag->limit = limit ? limit : DEFAULT_LIMIT;
  *diag_p = diag;
  return CAIRN_OK;
}

static void forget(cairn_base_diag *diag) {
  for (size_t i = 0; i < diag->count; i++) {
    cairn_base_free((void *)diag->messages[i].message.file);
    cairn_base_free((void *)diag->messages[i].message.text);
  }
  diag->count = diag->errors = diag->errors_kept = 0;
}

void cairn_base_diag_free(cairn_base_diag *diag) {
  if (!diag)
    return;
  forget(diag);
  cairn_base_free(diag->messages);
  cairn_base_free(diag);
}

static void keep(cairn_base_diag *diag, cairn_base_severity severity,
                 const char *file, size_t line, char *text) {
  char *place = file ? cairn_base_strdup(file) : NULL;
  if ((file && !place) ||
      cairn_base_reserve(&diag->messages, &diag->capacity, diag->count + 1,
                         sizeof *diag->messages) != CAIRN_OK) {
    cairn_base_free(place);
    cairn_base_free(text);
    return;
  }
  diag->messages[diag->count] =
      (kept){{severity, place, line, text}, diag->count};
  diag->count++;
  diag->errors_kept += severity == CAIRN_BASE_ERROR;
}

void cairn_base_diag_add(cairn_base_diag *diag, cairn_base_severity severity,
                         const char *file, size_t line, const char *format,
                         ...) {
  va_list list;
  if (!diag)
    return;
  if (severity == CAIRN_BASE_ERROR && diag->errors++ >= diag->limit)
    return;
  va_start(list, format);
  const int length = cairn_base_vformat(NULL, 0, format, list);
  va_end(list);
  char *text = length < 0 ? NULL : cairn_base_alloc((size_t)length + 1, 1);
  if (!text)
    return;
  va_start(list, format);
  cairn_base_vformat(text, (size_t)length + 1, format, list);
  va_end(list);
  keep(diag, severity, file, line, text);
}

size_t cairn_base_diag_count(const cairn_base_diag *diag) {
  return diag ? diag->count : 0;
}

size_t cairn_base_diag_errors(const cairn_base_diag *diag) {
  return diag ? diag->errors : 0;
}

const cairn_base_message *cairn_base_diag_get(const cairn_base_diag *diag,
                                              size_t i) {
  return &diag->messages[i].message;
}

static int compare(const void *a, const void *b) {
  const kept *x = a, *y = b;
  const char *fx = x->message.file ? x->message.file : "";
  const char *fy = y->message.file ? y->message.file : "";
  const int by_file = strcmp(fx, fy);
  if (by_file != 0)
    return by_file;
  if (x->message.line != y->message.line)
    return x->message.line < y->message.line ? -1 : 1;
  return x->order < y->order ? -1 : x->order > y->order;
}

void cairn_base__diag_sort(cairn_base_diag *diag) {
  if (diag && diag->count)
    qsort(diag->messages, diag->count, sizeof *diag->messages, compare);
}

void cairn_base_diag_print(cairn_base_diag *diag, FILE *out) {
  static const char *const words[] = {"error", "warning", "note"};
  if (!diag)
    return;
  for (size_t i = 0; i < diag->count; i++) {
    const cairn_base_message *m = &diag->messages[i].message;
    cairn_base_text line = {0};
    cairn_base_text_add_shown(&line, m->file ? m->file : "cairn", 0);
    if (m->file && m->line)
      cairn_base_text_addf(&line, ":%zu", m->line);
    cairn_base_text_addf(&line, ": %s: ", words[m->severity]);
    cairn_base_text_add_shown(&line, m->text, 0);
    fprintf(out, "%s%s\n", line.data ? line.data : "",
            line.failed ? "... (out of memory)" : "");
    cairn_base_text_free(&line);
  }
  if (diag->errors > diag->errors_kept)
    fprintf(out, "cairn: %zu more errors\n", diag->errors - diag->errors_kept);
  forget(diag);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/json.c - numbers and whole objects as JSON.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/format-private.h"
#include "base/text-private.h"
#include "study/json-private.h"

json_t *cairn_study__number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *cairn_study__integer(uint64_t value) {
  char digits[24];
  if (value <= UINT64_C(1) << 53)
    return json_integer((json_int_t)value);
  (void)snprintf(digits, sizeof digits, "%llu", (unsigned long long)value);
  return json_string(digits);
}

json_t *cairn_study__string(const char *plain) {
  char *const text = plain ? cairn_base_utf8(plain) : NULL;
  json_t *const string = !plain ? json_null() : text ? json_string(text) : NULL;
  cairn_base_free(text);
  return string;
}

/* A part that could not be made leaves this member, quotes and all: no string
 * can look like it. */
#define MISSING "out of memory"

void cairn_study__set(json_t *object, const char *name, json_t *value) {
  if (json_object_set_new(object, name, value) != 0)
    (void)json_object_set_new(object, MISSING, json_true());
}

void cairn_study__append(json_t *array, json_t *value) {
  if (json_array_append_new(array, value) == 0)
    return;
  json_t *const mark = json_object();
  (void)json_object_set_new(mark, MISSING, json_true());
  (void)json_array_append_new(array, mark);
}

cairn_status cairn_study__dump(json_t *object, cairn_base_text *text) {
  const locale_t locale = cairn_base__locale_enter();
  char *const line = object
                         ? json_dumps(object, JSON_COMPACT | JSON_ENSURE_ASCII |
                                                  JSON_REAL_PRECISION(17))
                         : NULL;
  cairn_base__locale_leave(locale);
  json_decref(object);
  if (!line || strstr(line, "\"" MISSING "\":true")) {
    free(line);
    return CAIRN_NOMEM;
  }
  cairn_base_text_add(text, line);
  cairn_base_text_add(text, "\n");
  free(line);
  return text->failed ? CAIRN_NOMEM : CAIRN_OK;
}

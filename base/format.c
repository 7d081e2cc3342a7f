/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/format.c - printing and reading numbers in the "C" locale.
 *
 * uselocale changes this thread alone, unlike setlocale.  The locale object
 * for "C" is a constant of the C library: making it allocates nothing.
 */
#include "base/format-private.h"
#include <cairn/base.h>

#include <errno.h>
#include <stdlib.h>

locale_t cairn_base__locale_enter(void) {
  const int saved = errno; /* "%m" and callers look at it */
  const locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  errno = saved;
  return c ? uselocale(c) : (locale_t)0;
}

void cairn_base__locale_leave(locale_t before) {
  if (!before)
    return;
  const locale_t c = uselocale(before);
  if (c != before && c != LC_GLOBAL_LOCALE)
    freelocale(c);
}

int cairn_base_vformat(char *buffer, size_t size, const char *format,
                       va_list list) {
  const locale_t before = cairn_base__locale_enter();
  const int length = vsnprintf(buffer, size, format, list);
  cairn_base__locale_leave(before);
  return length;
}

int cairn_base_format(char *buffer, size_t size, const char *format, ...) {
  va_list list;
  va_start(list, format);
  const int length = cairn_base_vformat(buffer, size, format, list);
  va_end(list);
  return length;
}

int cairn_base_print(FILE *out, const char *format, ...) {
  va_list list;
  const locale_t before = cairn_base__locale_enter();
  va_start(list, format);
  const int length = vfprintf(out, format, list);
  va_end(list);
  cairn_base__locale_leave(before);
  return length;
}

double cairn_base_to_double(const char *text, char **end_p) {
  const locale_t before = cairn_base__locale_enter();
  const double number = strtod(text, end_p);
  cairn_base__locale_leave(before);
  return number;
}

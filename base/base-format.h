/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-format.h - printing and reading numbers, the same whatever locale
 * an application has set.  What prints or reads a double goes through here;
 * the thread's locale is "C" meanwhile, no other thread sees it.
 */
#ifndef CAIRN_BASE_FORMAT_H
#define CAIRN_BASE_FORMAT_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Makes "C" the locale of this thread; returns the one to give back to
 * cairn_base_locale_leave.  For calls of other libraries (jansson, strerror).
 * Pairs may be nested. */
CAIRN_API locale_t cairn_base_locale_enter(void);
CAIRN_API void cairn_base_locale_leave(locale_t before);

/* As snprintf, vsnprintf and fprintf. */
CAIRN_API int cairn_base_format(char *buffer, size_t size, const char *format,
                                ...) CAIRN_PRINTF(3, 4);
CAIRN_API int cairn_base_vformat(char *buffer, size_t size, const char *format,
                                 va_list list) CAIRN_PRINTF(3, 0);
CAIRN_API int cairn_base_print(FILE *out, const char *format, ...)
    CAIRN_PRINTF(2, 3);

/* As strtod. */
CAIRN_API double cairn_base_to_double(const char *text, char **end_p);

/* As isdigit and kin, of ASCII alone and for any char. */
static inline int cairn_base_is_digit(char c) { return c >= '0' && c <= '9'; }
static inline int cairn_base_is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
static inline int cairn_base_is_alnum(char c) {
  return cairn_base_is_alpha(c) || cairn_base_is_digit(c);
}
static inline int cairn_base_is_space(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

#ifdef __cplusplus
}
#endif
#endif

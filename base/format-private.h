/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/format-private.h - printing and reading numbers, the same whatever
 * locale an application has set.  What prints or reads a double goes through
 * here; the thread's locale is "C" meanwhile, no other thread sees it.
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_FORMAT_PRIVATE_H
#define CAIRN_BASE_FORMAT_PRIVATE_H

#include <locale.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cairn/base.h>

/* Makes "C" the locale of this thread; returns the one to give back to
 * cairn_base__locale_leave.  For calls of other libraries (jansson, strerror).
 * Pairs may be nested. */
locale_t cairn_base__locale_enter(void);
void cairn_base__locale_leave(locale_t before);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/diag-private.h - diagnostics: messages for the user, collected, then
 * printed by whoever owns the terminal.  Every function accepts a NULL diag
 * and then says nothing.
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_DIAG_PRIVATE_H
#define CAIRN_BASE_DIAG_PRIVATE_H

#include <stddef.h>
#include <stdio.h>

#include <cairn/base.h>

/* Sorts by file, then line, keeping the order of adding inside a line. */
void cairn_base__diag_sort(cairn_base_diag *diag);

#endif

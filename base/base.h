/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base.h - front door of base: what every other folder stands on.
 *
 * Status codes with texts, diagnostics, log, checked memory, a seeded random
 * number generator, text buffers, numbers in any locale, whole files in and
 * out, statistics of times, bit sets.  base includes nothing of ours.
 *
 * Errors: a function that can fail returns a cairn_status; out-arguments come
 * last and are written only on success.  A function that takes a
 * cairn_base_diag writes there what went wrong, in words for the user; the
 * first function that knows the cause writes it, callers only pass it on.
 * Ownership: each function that returns memory names its freeing function.
 */
#ifndef CAIRN_BASE_H
#define CAIRN_BASE_H

#include "base-bits.h"
#include "base-diag.h"
#include "base-file.h"
#include "base-format.h"
#include "base-log.h"
#include "base-mem.h"
#include "base-rng.h"
#include "base-stats.h"
#include "base-status.h"
#include "base-text.h"

#endif

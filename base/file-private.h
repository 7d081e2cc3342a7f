/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/file-private.h - whole files in (plain, .gz, .xz) and out (atomically).
 *
 * What the library itself needs beyond <cairn/base.h>.
 */
#ifndef CAIRN_BASE_FILE_PRIVATE_H
#define CAIRN_BASE_FILE_PRIVATE_H

#include <stddef.h>

#include "base/diag-private.h"
#include <cairn/base.h>

/* The same of regular files only, for what is found and not named as input:
 * never waits. */
cairn_status cairn_base__file_read_regular(const char *path, size_t limit,
                                           cairn_base_diag *diag, char **data_p,
                                           size_t *length_p);

/* Would that be possible?  To be asked before the long work whose result is to
 * be written.  CAIRN_IO with a message. */
cairn_status cairn_base__file_can_write(const char *path,
                                        cairn_base_diag *diag);
/* 1: both are there and the same file. */
int cairn_base__file_same(const char *a, const char *b);

/* fsync of the folder that holds `path`, so that a new name lasts.  File
 * systems that refuse it are left alone. */
void cairn_base__file_sync_folder(const char *path);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/base-file.h - whole files in (plain, .gz, .xz) and out (atomically).
 */
#ifndef CAIRN_BASE_FILE_H
#define CAIRN_BASE_FILE_H

#include <stddef.h>

#include "base-diag.h"
#include "base-status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a whole file that the user has named into memory, NUL-terminated (the
 * NUL not counted): a regular file, or a pipe, socket or terminal to its end.
 * .gz or .xz, known by the first bytes, is unpacked.  At most `limit` bytes
 * after unpacking.  CAIRN_INPUT (missing, a folder or device, too large,
 * damaged compression: said in diag with the file's name), CAIRN_INTERRUPTED
 * (a signal came while a pipe was waited for), CAIRN_IO, CAIRN_NOMEM.  Free
 * *data_p with cairn_base_free. */
CAIRN_API cairn_status cairn_base_file_read(const char *path, size_t limit,
                                            cairn_base_diag *diag,
                                            char **data_p, size_t *length_p);
/* The same of regular files only, for what is found and not named as input:
 * never waits. */
CAIRN_API cairn_status cairn_base_file_read_regular(const char *path,
                                                    size_t limit,
                                                    cairn_base_diag *diag,
                                                    char **data_p,
                                                    size_t *length_p);

/* Writes a whole file.  Regular, or new: temporary in the same folder, fsync,
 * rename, fsync of the folder, so that either the old content or the whole new
 * one is there afterwards; a symbolic link stays, and what it leads to is
 * replaced.  A new file has the rights that umask leaves, a replaced one keeps
 * its own.  A pipe, a character device, /dev/stdout or /dev/fd/N is written to
 * as it is.  CAIRN_IO with a message: also for a folder, a block device, a link
 * that leads nowhere and a file that may not be written to. */
CAIRN_API cairn_status cairn_base_file_write(const char *path, const char *data,
                                             size_t length,
                                             cairn_base_diag *diag);
/* Would that be possible?  To be asked before the long work whose result is to
 * be written.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_base_file_can_write(const char *path,
                                                 cairn_base_diag *diag);
/* 1: written as it is (a pipe, a character device, /dev/fd/N), not replaced. */
CAIRN_API int cairn_base_file_is_stream(const char *path);
/* 1: both are there and the same file. */
CAIRN_API int cairn_base_file_same(const char *a, const char *b);

/* fsync of the folder that holds `path`, so that a new name lasts.  File
 * systems that refuse it are left alone. */
CAIRN_API void cairn_base_file_sync_folder(const char *path);

#ifdef __cplusplus
}
#endif
#endif

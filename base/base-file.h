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

/* Reads a whole regular file into memory, NUL-terminated (the NUL not
 * counted); a .gz or .xz file, known by its first bytes, is unpacked.  At most
 * `limit` bytes after unpacking.  CAIRN_INPUT (missing, not regular, too
 * large, damaged compression: said in diag with the file's name), CAIRN_NOMEM.
 * Free *data_p with cairn_base_free. */
CAIRN_API cairn_status cairn_base_file_read(const char *path, size_t limit,
                                            cairn_base_diag *diag,
                                            char **data_p, size_t *length_p);

/* Writes a whole file: temporary in the same folder, fsync, rename, fsync of
 * the folder.  Either the old content or the whole new one is there
 * afterwards.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_base_file_write(const char *path, const char *data,
                                             size_t length,
                                             cairn_base_diag *diag);

/* fsync of the folder that holds `path`, so that a new name lasts.  File
 * systems that refuse it are left alone. */
CAIRN_API void cairn_base_file_sync_folder(const char *path);

#ifdef __cplusplus
}
#endif
#endif

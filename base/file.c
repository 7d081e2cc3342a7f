/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/file.c - whole files in and out.
 *
 * In: the file is read as it is, then unpacked in memory when its first bytes
 * say gzip or xz, never past the limit.  Out: temporary, fsync, rename, fsync
 * of the folder, so that a reader sees the old file or the new one.
 */
#include <cairn/base.h>

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* ---- in ---- */

/* Reads to the end, straight into the text; `expected` is the file's size, so
 * that most files need one allocation. */
static cairn_status read_all(int fd, size_t expected, size_t limit,
                             cairn_base_text *out) {
  for (size_t room = expected;; room = 65536) {
    if (cairn_base_reserve(&out->data, &out->capacity, out->length + room + 1,
                           1) != CAIRN_OK)
      return CAIRN_NOMEM;
    do {
      const ssize_t got =
          read(fd, out->data + out->length, out->capacity - out->length - 1);
      if (got < 0 && errno == EINTR)
        continue;
      if (got < 0)
        return CAIRN_IO;
      if (got == 0)
        return CAIRN_OK;
      out->length += (size_t)got;
      if (out->length > limit)
        return CAIRN_INPUT;
    } while (out->length + 1 < out->capacity);
  }
}

static cairn_status gunzip(const cairn_base_text *in, size_t limit,
                           cairn_base_text *out) {
  unsigned char block[65536];
  z_stream z = {0};
  int code = inflateInit2(&z, 16 + MAX_WBITS);
  if (code != Z_OK)
    return CAIRN_NOMEM;
  z.next_in = (unsigned char *)in->data;
  z.avail_in = (unsigned)in->length;
  while (code != Z_STREAM_END && out->length <= limit) {
    z.next_out = block;
    z.avail_out = sizeof block;
    code = inflate(&z, Z_NO_FLUSH);
    if (code != Z_OK && code != Z_STREAM_END)
      break;
    cairn_base_text_add_bytes(out, (char *)block, sizeof block - z.avail_out);
    if (code == Z_STREAM_END && z.avail_in > 0) /* a further member */
      code = inflateReset(&z);
  }
  inflateEnd(&z);
  return code == Z_STREAM_END ? CAIRN_OK : CAIRN_INPUT;
}

static cairn_status unxz(const cairn_base_text *in, size_t limit,
                         cairn_base_text *out) {
  unsigned char block[65536];
  lzma_stream z = LZMA_STREAM_INIT;
  lzma_ret code = lzma_stream_decoder(&z, UINT64_C(1) << 28, LZMA_CONCATENATED);
  if (code != LZMA_OK)
    return CAIRN_NOMEM;
  z.next_in = (const uint8_t *)in->data;
  z.avail_in = in->length;
  while (code == LZMA_OK && out->length <= limit) {
    z.next_out = block;
    z.avail_out = sizeof block;
    code = lzma_code(&z, LZMA_FINISH);
    cairn_base_text_add_bytes(out, (char *)block, sizeof block - z.avail_out);
  }
  lzma_end(&z);
  return code == LZMA_STREAM_END ? CAIRN_OK : CAIRN_INPUT;
}

/* Replaces packed content by its plain form; plain content is left alone. */
static cairn_status unpack(const char *path, size_t limit,
                           cairn_base_text *text, cairn_base_diag *diag) {
  cairn_base_text plain = {0};
  cairn_status status;
  if (text->length >= 2 && memcmp(text->data, "\x1f\x8b", 2) == 0)
    status = gunzip(text, limit, &plain);
  else if (text->length >= 6 && memcmp(text->data,
                                       "\xfd"
                                       "7zXZ",
                                       6) == 0)
    status = unxz(text, limit, &plain);
  else
    return CAIRN_OK;
  if (plain.failed)
    status = CAIRN_NOMEM;
  else if (plain.length > limit)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "larger than %zu bytes after unpacking", limit);
  else if (status == CAIRN_INPUT)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "damaged or cut-off compressed data");
  if (status == CAIRN_OK && plain.length > limit)
    status = CAIRN_INPUT;
  if (status == CAIRN_OK) {
    cairn_base_text_add_bytes(&plain, "", 0);
    cairn_base_text_free(text);
    *text = plain;
  } else {
    cairn_base_text_free(&plain);
  }
  return status;
}

static cairn_status open_regular(const char *path, cairn_base_diag *diag,
                                 int *fd_p, size_t *size_p) {
  struct stat info;
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot open: %s",
                        strerror(errno));
    return CAIRN_INPUT;
  }
  if (fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "not a regular file");
    close(fd);
    return CAIRN_INPUT;
  }
  *fd_p = fd;
  *size_p = info.st_size > 0 ? (size_t)info.st_size : 0;
  return CAIRN_OK;
}

cairn_status cairn_base_file_read(const char *path, size_t limit,
                                  cairn_base_diag *diag, char **data_p,
                                  size_t *length_p) {
  cairn_base_text text = {0};
  int fd;
  size_t size;
  cairn_status status = open_regular(path, diag, &fd, &size);
  if (status != CAIRN_OK)
    return status;
  status = size > limit ? CAIRN_INPUT : read_all(fd, size + 1, limit, &text);
  if (status == CAIRN_IO)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot read: %s",
                        strerror(errno));
  if (status == CAIRN_INPUT)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "larger than %zu bytes", limit);
  close(fd);
  if (status == CAIRN_OK)
    status = unpack(path, limit, &text, diag);
  cairn_base_text_add_bytes(&text, "", 0); /* an empty file is "" */
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status != CAIRN_OK) {
    cairn_base_text_free(&text);
    return status;
  }
  *data_p = text.data;
  *length_p = text.length;
  return CAIRN_OK;
}

/* ---- out ---- */

static int write_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    const ssize_t put = write(fd, data, length);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0)
      return -1;
    data += put;
    length -= (size_t)put;
  }
  return 0;
}

void cairn_base_file_sync_folder(const char *path) {
  const char *slash = strrchr(path, '/');
  char *folder = slash ? cairn_base_strndup(path, (size_t)(slash - path) + 1)
                       : cairn_base_strdup(".");
  const int fd = folder ? open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  if (fd >= 0) {
    (void)fsync(fd); /* some file systems refuse it: nothing to be done */
    close(fd);
  }
  cairn_base_free(folder);
}

static int write_renamed(int fd, const char *temporary, const char *path,
                         const char *data, size_t length) {
  int bad = fchmod(fd, 0644) != 0 || write_all(fd, data, length) != 0 ||
            fsync(fd) != 0;
  const int why = errno;
  if (close(fd) != 0 && !bad)
    return -1;
  errno = why;
  return bad ? -1 : rename(temporary, path);
}

/* A device or a pipe is written to, not replaced. */
static int write_special(const char *path, const char *data, size_t length) {
  const int fd = open(path, O_WRONLY | O_CLOEXEC);
  const int bad = fd < 0 || write_all(fd, data, length) != 0;
  const int why = errno;
  if (fd >= 0 && close(fd) != 0 && !bad)
    return -1;
  errno = why;
  return bad ? -1 : 0;
}

cairn_status cairn_base_file_write(const char *path, const char *data,
                                   size_t length, cairn_base_diag *diag) {
  struct stat info;
  if (stat(path, &info) == 0 && !S_ISREG(info.st_mode)) {
    if (write_special(path, data, length) == 0)
      return CAIRN_OK;
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot write: %s",
                        strerror(errno));
    return CAIRN_IO;
  }
  cairn_base_text name = {0};
  cairn_base_text_addf(&name, "%s.XXXXXX", path);
  if (name.failed) {
    cairn_base_text_free(&name);
    return CAIRN_NOMEM;
  }
  const int fd = mkostemp(name.data, O_CLOEXEC);
  if (fd < 0 || write_renamed(fd, name.data, path, data, length) != 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot write: %s",
                        strerror(errno));
    if (fd >= 0)
      unlink(name.data);
    cairn_base_text_free(&name);
    return CAIRN_IO;
  }
  cairn_base_text_free(&name);
  cairn_base_file_sync_folder(path);
  return CAIRN_OK;
}

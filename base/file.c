/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/file.c - whole files in and out.
 *
 * In: the file is read as it is, then unpacked in memory when its first bytes
 * say gzip or xz, never past the limit.  Out: temporary, fsync, rename, fsync
 * of the folder, so that a reader sees the old file or the new one.
 *
 * What is no regular file is never opened in a way that can block before it
 * is known to be wanted, and never replaced: /dev/stdout may lead to a file,
 * and a rename would put a file in the place of the device's name.
 */
#include "base/file-private.h"
#include "base/text-private.h"
#include <cairn/base.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

/* The descriptor that such a name stands for (/dev/stdin, /dev/fd/63), or -1.
 * It is used itself: opening the name again would start at the file's
 * beginning, and fails for sockets. */
static int descriptor_of(const char *path) {
  static const char *const names[] = {"/dev/stdin", "/dev/stdout",
                                      "/dev/stderr"};
  static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
  for (int i = 0; i < 3; i++)
    if (strcmp(path, names[i]) == 0)
      return i;
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(folders[i]);
    const char *const digits = path + length;
    if (strncmp(path, folders[i], length) == 0 && *digits &&
        strlen(digits) < 9 && strspn(digits, "0123456789") == strlen(digits))
      return (int)strtol(digits, NULL, 10);
  }
  return -1;
}

/* ---- in ---- */

/* Reads what there is, waiting for it; a signal ends the waiting. */
static ssize_t read_some(int fd, int regular, char *data, size_t room) {
  for (;;) {
    struct pollfd in = {.fd = fd, .events = POLLIN};
    if (!regular && poll(&in, 1, -1) < 0)
      return -1;
    const ssize_t got = read(fd, data, room);
    if (got >= 0 || !(errno == EAGAIN || (errno == EINTR && regular)))
      return got;
  }
}

/* Reads to the end, straight into the text; `expected` is the file's size, so
 * that most files need one allocation. */
static cairn_status read_all(int fd, int regular, size_t expected, size_t limit,
                             cairn_base_text *out) {
  for (size_t room = expected;; room = 65536) {
    if (cairn_base_reserve(&out->data, &out->capacity, out->length + room + 1,
                           1) != CAIRN_OK)
      return CAIRN_NOMEM;
    do {
      const ssize_t got = read_some(fd, regular, out->data + out->length,
                                    out->capacity - out->length - 1);
      if (got < 0)
        return errno == EINTR ? CAIRN_INTERRUPTED : CAIRN_IO;
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
    cairn_base__text_add_bytes(out, (char *)block, sizeof block - z.avail_out);
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
    cairn_base__text_add_bytes(out, (char *)block, sizeof block - z.avail_out);
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
    cairn_base__text_add_bytes(&plain, "", 0);
    cairn_base_text_free(text);
    *text = plain;
  } else {
    cairn_base_text_free(&plain);
  }
  return status;
}

/* Opens what is named, never waiting: a pipe without a writer too is waited
 * for in read_some. */
static int open_named(const char *path, int regular_only) {
  const int given = regular_only ? -1 : descriptor_of(path);
  return given >= 0 ? fcntl(given, F_DUPFD_CLOEXEC, 0)
                    : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

/* May the file be read?  Then it is open.  A device may do something already
 * on being opened, so none is, unless it is our standard input. */
static cairn_status open_input(const char *path, int regular_only,
                               cairn_base_diag *diag, int *fd_p,
                               struct stat *info_p) {
  const int device = stat(path, info_p) == 0 && !S_ISREG(info_p->st_mode) &&
                     !S_ISFIFO(info_p->st_mode) && descriptor_of(path) < 0;
  const int fd = device ? -1 : open_named(path, regular_only);
  if (fd < 0 && !device) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot open: %s",
                        strerror(errno));
    return CAIRN_INPUT;
  }
  if (fd >= 0 && fstat(fd, info_p) == 0 &&
      (S_ISREG(info_p->st_mode) ||
       (!regular_only && (S_ISFIFO(info_p->st_mode) ||
                          S_ISSOCK(info_p->st_mode) || isatty(fd))))) {
    *fd_p = fd;
    return CAIRN_OK;
  }
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                      regular_only ? "not a regular file"
                                   : "not a regular file and not a pipe");
  if (fd >= 0)
    close(fd);
  return CAIRN_INPUT;
}

static void say_unread(const char *path, cairn_status status, size_t limit,
                       cairn_base_diag *diag) {
  if (status == CAIRN_IO)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot read: %s",
                        strerror(errno));
  if (status == CAIRN_INTERRUPTED)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "interrupted while waiting for its content");
  if (status == CAIRN_INPUT)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                        "larger than %zu bytes", limit);
}

static cairn_status read_file(const char *path, int regular_only, size_t limit,
                              cairn_base_diag *diag, char **data_p,
                              size_t *length_p) {
  cairn_base_text text = {0};
  struct stat info;
  int fd;
  cairn_status status = open_input(path, regular_only, diag, &fd, &info);
  if (status != CAIRN_OK)
    return status;
  const int regular = S_ISREG(info.st_mode);
  const size_t size = regular && info.st_size > 0 ? (size_t)info.st_size : 0;
  status = size > limit ? CAIRN_INPUT
                        : read_all(fd, regular, size + 1, limit, &text);
  say_unread(path, status, limit, diag);
  close(fd);
  if (status == CAIRN_OK)
    status = unpack(path, limit, &text, diag);
  cairn_base__text_add_bytes(&text, "", 0); /* an empty file is "" */
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

cairn_status cairn_base_file_read(const char *path, size_t limit,
                                  cairn_base_diag *diag, char **data_p,
                                  size_t *length_p) {
  return read_file(path, 0, limit, diag, data_p, length_p);
}

cairn_status cairn_base__file_read_regular(const char *path, size_t limit,
                                           cairn_base_diag *diag, char **data_p,
                                           size_t *length_p) {
  return read_file(path, 1, limit, diag, data_p, length_p);
}

int cairn_base__file_same(const char *a, const char *b) {
  struct stat x, y;
  return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

/* ---- out ---- */

static int write_all(int fd, const char *data, size_t length) {
  while (length > 0) {
    const ssize_t put = write(fd, data, length);
    if (put < 0 && errno == EINTR)
      continue;
    if (put < 0 && errno == EAGAIN) { /* somebody's pipe, set not to wait */
      (void)poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
      continue;
    }
    if (put < 0)
      return -1;
    data += put;
    length -= (size_t)put;
  }
  return 0;
}

void cairn_base__file_sync_folder(const char *path) {
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
  int bad = write_all(fd, data, length) != 0 || fsync(fd) != 0;
  const int why = errno;
  if (close(fd) != 0 && !bad)
    return -1;
  errno = why;
  return bad ? -1 : rename(temporary, path);
}

/* How a path is written. */
typedef enum way {
  REPLACE, /* a regular file, or none yet */
  STREAM,  /* a descriptor, pipe or device: as it is */
  NEITHER  /* errno says why */
} way;

static way way_of(const char *path) {
  struct stat info;
  if (descriptor_of(path) >= 0)
    return STREAM;
  if (stat(path, &info) != 0) {
    if (errno == ENOENT && lstat(path, &info) != 0)
      return REPLACE;
    return NEITHER; /* a link that leads nowhere, or a folder that is none */
  }
  if (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode))
    return STREAM;
  errno = S_ISDIR(info.st_mode) ? EISDIR : EINVAL;
  if (!S_ISREG(info.st_mode))
    return NEITHER;
  /* a rename would not ask */
  return access(path, W_OK) == 0 ? REPLACE : NEITHER;
}

int cairn_base_file_is_stream(const char *path) {
  return way_of(path) == STREAM;
}

static int write_stream(const char *path, const char *data, size_t length) {
  const int given = descriptor_of(path);
  const int fd = given >= 0 ? fcntl(given, F_DUPFD_CLOEXEC, 0)
                            : open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  const int bad = fd < 0 || write_all(fd, data, length) != 0;
  const int why = errno;
  if (fd >= 0 && close(fd) != 0 && !bad)
    return -1;
  errno = why;
  return bad ? -1 : 0;
}

/* A new file beside `path`, with the rights that umask leaves, or those of the
 * file that it will replace.  (mkstemp would give 0600, whatever umask says.)
 * Appends its name; -1: errno says why. */
static int open_temporary(const char *path, const struct stat *old,
                          cairn_base_text *name) {
  for (unsigned attempt = 0; attempt < 100; attempt++) {
    cairn_base__text_clear(name);
    cairn_base_text_addf(name, "%s.%ld-%u.tmp", path, (long)getpid(), attempt);
    if (name->failed) {
      errno = ENOMEM;
      return -1;
    }
    const int fd =
        open(name->data, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST)
      continue;
    if (fd >= 0 && old)
      (void)fchmod(fd, old->st_mode & 0777); /* some file systems have none */
    return fd;
  }
  errno = EEXIST;
  return -1;
}

/* Makes an empty file beside the one that `path` leads to through links, and
 * its name; -1 with errno. */
static int make_temporary(const char *path, cairn_base_text *target,
                          cairn_base_text *name) {
  char *const real = realpath(path, NULL);
  cairn_base_text_add(target, real ? real : path);
  free(real);
  struct stat old;
  errno = ENOMEM;
  if (target->failed)
    return -1;
  return open_temporary(target->data,
                        stat(target->data, &old) == 0 ? &old : NULL, name);
}

static int replace(const char *path, const char *data, size_t length) {
  cairn_base_text target = {0}, name = {0};
  const int fd = make_temporary(path, &target, &name);
  const int bad =
      fd < 0 || write_renamed(fd, name.data, target.data, data, length) != 0;
  const int why = errno;
  if (bad && fd >= 0)
    unlink(name.data);
  if (!bad)
    cairn_base__file_sync_folder(target.data);
  cairn_base_text_free(&target);
  cairn_base_text_free(&name);
  errno = why;
  return bad ? -1 : 0;
}

static cairn_status cannot_write(const char *path, int why,
                                 cairn_base_diag *diag) {
  if (why == ENOMEM)
    return CAIRN_NOMEM;
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot write: %s",
                      why == EINVAL ? "neither a file nor a pipe"
                                    : strerror(why));
  return CAIRN_IO;
}

cairn_status cairn_base_file_write(const char *path, const char *data,
                                   size_t length, cairn_base_diag *diag) {
  const way how = way_of(path);
  const int bad = how == NEITHER  ? -1
                  : how == STREAM ? write_stream(path, data, length)
                                  : replace(path, data, length);
  return bad ? cannot_write(path, errno, diag) : CAIRN_OK;
}

/* Can something be written there?  Leaves no trace. */
static int try_stream(const char *path) {
  const int given = descriptor_of(path);
  if (given < 0)
    return access(path, W_OK);
  const int flags = fcntl(given, F_GETFL);
  if (flags >= 0 && (flags & O_ACCMODE) == O_RDONLY)
    errno = EBADF;
  return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY ? 0 : -1;
}

static int try_replace(const char *path) {
  cairn_base_text target = {0}, name = {0};
  const int fd = make_temporary(path, &target, &name);
  const int why = errno;
  if (fd >= 0) {
    close(fd);
    unlink(name.data);
  }
  cairn_base_text_free(&target);
  cairn_base_text_free(&name);
  errno = why;
  return fd >= 0 ? 0 : -1;
}

cairn_status cairn_base__file_can_write(const char *path,
                                        cairn_base_diag *diag) {
  const way how = way_of(path);
  const int bad = how == NEITHER  ? -1
                  : how == STREAM ? try_stream(path)
                                  : try_replace(path);
  return bad ? cannot_write(path, errno, diag) : CAIRN_OK;
}

cairn_status cairn_base_file_check_output(const char *option, const char *path,
                                          const char *const *input,
                                          size_t inputs,
                                          cairn_base_diag *diag) {
  if (path == NULL)
    return CAIRN_OK;
  for (size_t i = 0; i < inputs; i++)
    if (input[i] != NULL && !cairn_base_file_is_stream(path) &&
        (strcmp(input[i], path) == 0 ||
         cairn_base__file_same(input[i], path))) {
      cairn_base_diag_error(diag, "%s %s would overwrite %s", option, path,
                            input[i]);
      return CAIRN_USAGE;
    }
  return cairn_base__file_can_write(path, diag);
}

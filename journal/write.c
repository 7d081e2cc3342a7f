/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/write.c - the journal's writer.
 *
 * One record is one write at the end of the file, then fdatasync.  When a
 * write falls short or fails, what it left is cut off again, so the file never
 * holds half a record unless the process or the machine dies in the middle;
 * then the half is the last line, readers drop it, and resuming cuts it off.
 * Invariant: bytes 0..size of the file are whole records, each flushed.  After
 * a failed flush nothing more is written: the system may have dropped pages
 * in the middle.
 *
 * Two records are taken back on purpose: a `begin` whose result finds no room,
 * for else the schedule would look as if it had killed the job; and an `end`
 * after which the run goes on.
 *
 * A file is only gone on with, or cut, when it is a journal of cairn: its first
 * line is sealed, or all that is there is the beginning of a header.
 */
#include "base/file-private.h"
#include "base/text-private.h"
#include "journal/format-private.h"
#include "journal/journal-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

struct cairn_journal {
  char *path;
  char *place; /* the path from the root; NULL: not to be looked at */
  int fd;
  int broken;           /* no more writing */
  off_t size;           /* of the whole records */
  off_t begun;          /* where the last record starts, if a `begin`, or -1 */
  off_t end;            /* where the last record starts, if an `end`, or -1 */
  cairn_base_text text; /* the record being written, kept for its memory */
  pthread_mutex_t lock; /* a watchdog writes from its own thread */
  size_t fail_in;       /* injected: this many writes from now; 0: never */
  int fail_with;        /* errno */
};

static cairn_status io_error(const char *path, cairn_base_diag *diag,
                             const char *what) {
  const int why = errno;
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0, "cannot %s: %s", what,
                      strerror(why));
  return CAIRN_IO;
}

/* Reads `length` bytes at `offset`. */
static int read_at(int fd, char *data, size_t length, off_t offset) {
  while (length > 0) {
    const ssize_t got = pread(fd, data, length, offset);
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = EIO;
    if (got <= 0)
      return -1;
    data += got;
    offset += got;
    length -= (size_t)got;
  }
  return 0;
}

/* ---- one record ---- */

/* write, or the injected failure: half of it, then the error. */
static ssize_t put(cairn_journal *journal, const char *data, size_t length) {
  if (journal->fail_in && --journal->fail_in == 0) {
    const ssize_t half = write(journal->fd, data, length / 2);
    (void)half;
    errno = journal->fail_with;
    return -1;
  }
  return write(journal->fd, data, length);
}

static int put_all(cairn_journal *journal, const char *data, size_t length) {
  while (length > 0) {
    const ssize_t done = put(journal, data, length);
    if (done < 0 && errno == EINTR)
      continue;
    if (done == 0)
      errno = ENOSPC;
    if (done <= 0)
      return -1;
    data += done;
    length -= (size_t)done;
  }
  return 0;
}

/* Some files cannot be flushed: nothing to be done, so no error. */
static int flush(int fd) {
  if (fdatasync(fd) == 0)
    return 0;
  return errno == EINVAL || errno == ENOTSUP || errno == EROFS ? 0 : -1;
}

/* Takes back what a failed write left. */
static void cut_back(cairn_journal *journal, cairn_base_diag *diag) {
  const int why = errno;
  if (ftruncate(journal->fd, journal->size) != 0) {
    journal->broken = 1;
    cairn_base_diag_add(diag, CAIRN_BASE_WARNING, journal->path, 0,
                        "half a record stays at its end: cannot cut it off: "
                        "%s; readers drop it",
                        strerror(errno));
  }
  errno = why;
}

/* What has become of the file that we write, or NULL: it is where it was. */
static const char *what_became(const cairn_journal *journal) {
  struct stat mine, there;
  if (journal->place == NULL)
    return NULL;
  if (fstat(journal->fd, &mine) != 0)
    return errno == ESTALE ? "was removed" : NULL;
  if (stat(journal->place, &there) != 0)
    return mine.st_nlink == 0                    ? "was removed"
           : errno == ENOENT || errno == ENOTDIR ? "was moved away"
                                                 : NULL;
  return mine.st_dev == there.st_dev && mine.st_ino == there.st_ino
             ? NULL
             : "was replaced by another file";
}

/* Is there room for the record, and a file? */
static cairn_status may_write(cairn_journal *journal, cairn_base_diag *diag) {
  const char *const became = what_became(journal);
  const size_t length = journal->text.length;
  if (became == NULL &&
      length <= CAIRN_DAG__JOURNAL_LARGEST - (size_t)journal->size)
    return CAIRN_OK;
  journal->broken = 1;
  if (became != NULL)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        "the journal %s while it was being written: what is "
                        "measured from here on would be lost",
                        became);
  else
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        "would become larger than 1 GiB, which nobody could "
                        "read: go on in another journal");
  return CAIRN_IO;
}

/* The run goes on: its old `end` is none. */
static cairn_status take_back_end(cairn_journal *journal,
                                  cairn_base_diag *diag) {
  if (journal->end < 0)
    return CAIRN_OK;
  if (ftruncate(journal->fd, journal->end) != 0)
    return io_error(journal->path, diag, "cut off the old end");
  journal->size = journal->end;
  journal->end = -1;
  return CAIRN_OK;
}

static cairn_status write_record(cairn_journal *journal,
                                 cairn_base_diag *diag) {
  const cairn_base_text *const text = &journal->text;
  if (text->failed)
    return CAIRN_NOMEM;
  cairn_status status = may_write(journal, diag);
  if (status == CAIRN_OK)
    status = take_back_end(journal, diag);
  if (status != CAIRN_OK)
    return status;
  if (put_all(journal, text->data, text->length) != 0) {
    if (journal->begun >= 0)
      journal->size = journal->begun;
    cut_back(journal, diag);
    journal->begun = -1;
    return io_error(journal->path, diag, "write the journal");
  }
  journal->begun = -1;
  journal->size += (off_t)text->length;
  if (flush(journal->fd) != 0) {
    journal->broken = 1;
    return io_error(journal->path, diag, "flush the journal");
  }
  return CAIRN_OK;
}

/* Starts a record: the text is empty and the journal ours. */
static cairn_status record_open(cairn_journal *journal, cairn_base_diag *diag) {
  pthread_mutex_lock(&journal->lock);
  cairn_base__text_clear(&journal->text);
  if (!journal->broken)
    return CAIRN_OK;
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                      "nothing more is written after the earlier failure");
  pthread_mutex_unlock(&journal->lock);
  return CAIRN_IO;
}

static cairn_status record_close(cairn_journal *journal,
                                 cairn_base_diag *diag) {
  const cairn_status status = write_record(journal, diag);
  pthread_mutex_unlock(&journal->lock);
  return status;
}

cairn_status cairn_journal__append_begin(cairn_journal *journal, uint64_t id,
                                         const char *schedule,
                                         cairn_base_diag *diag) {
  cairn_status status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_journal__begin_format(&journal->text, id, schedule);
  status = write_record(journal, diag);
  if (status == CAIRN_OK)
    journal->begun = journal->size - (off_t)journal->text.length;
  pthread_mutex_unlock(&journal->lock);
  return status;
}

cairn_status cairn_journal__append_result(cairn_journal *journal,
                                          const cairn_journal_result *result,
                                          cairn_base_diag *diag) {
  const cairn_status status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_journal__result_format(&journal->text, "result", result);
  return record_close(journal, diag);
}

cairn_status cairn_journal__append_refined(cairn_journal *journal,
                                           const cairn_journal_result *result,
                                           size_t count,
                                           cairn_base_diag *diag) {
  const cairn_status status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < count; i++)
    cairn_journal__result_format(&journal->text, "refined", &result[i]);
  return record_close(journal, diag);
}

cairn_status cairn_journal__death(cairn_journal *journal, uint64_t id,
                                  const char *message, cairn_base_diag *diag) {
  const cairn_status status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_dag__death_format(&journal->text, id, message);
  return record_close(journal, diag);
}

/* Does the file end with the record in journal->text? */
static int ends_with_text(const cairn_journal *journal) {
  const size_t length = journal->text.length;
  if (journal->end < 0 || journal->text.failed ||
      (off_t)length != journal->size - journal->end)
    return 0;
  char *const old = cairn_base_alloc(length, 1);
  const int same = old &&
                   read_at(journal->fd, old, length, journal->end) == 0 &&
                   memcmp(old, journal->text.data, length) == 0;
  cairn_base_free(old);
  return same;
}

cairn_status cairn_journal__append_end(cairn_journal *journal, uint64_t count,
                                       const char *reason,
                                       cairn_base_diag *diag) {
  cairn_status status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_journal__end_format(&journal->text, count, reason);
  if (!ends_with_text(journal)) {
    status = write_record(journal, diag);
    if (status == CAIRN_OK)
      journal->end = journal->size - (off_t)journal->text.length;
  }
  pthread_mutex_unlock(&journal->lock);
  return status;
}

void cairn_journal__inject(cairn_journal *journal, size_t n, int error) {
  journal->fail_in = n;
  journal->fail_with = error;
}

/* ---- opening ---- */

/* The process that holds a flock on the file, from /proc/locks, or 0.  On some
 * file systems (overlay, btrfs) the device there is not that of stat: then the
 * inode alone has to do. */
static long lock_holder(int fd) {
  char line[256];
  long pid = 0, likely = 0;
  struct stat info;
  FILE *const locks = fopen("/proc/locks", "re");
  if (!locks)
    return 0;
  while (pid == 0 && fstat(fd, &info) == 0 && fgets(line, sizeof line, locks)) {
    unsigned major_no, minor_no;
    unsigned long inode;
    long holder;
    if (sscanf(line, "%*s FLOCK %*s %*s %ld %x:%x:%lu", &holder, &major_no,
               &minor_no, &inode) != 4 ||
        inode != info.st_ino)
      continue;
    likely = holder;
    if (major_no == major(info.st_dev) && minor_no == minor(info.st_dev))
      pid = holder;
  }
  fclose(locks);
  return pid ? pid : likely;
}

static cairn_status lock(const cairn_journal *journal, cairn_base_diag *diag) {
  if (flock(journal->fd, LOCK_EX | LOCK_NB) == 0)
    return CAIRN_OK;
  if (errno != EWOULDBLOCK) {
    /* a file system without locks: say so and go on */
    cairn_base_diag_add(diag, CAIRN_BASE_WARNING, journal->path, 0,
                        "cannot lock it: %s; do not start a second run on it",
                        strerror(errno));
    return CAIRN_OK;
  }
  const long pid = lock_holder(journal->fd);
  if (pid > 0)
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        "process %ld is writing it", pid);
  else
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        "another process is writing it");
  return CAIRN_USAGE;
}

/* Offset of the first byte of the last line (its newline, if any, is the last
 * byte of the file). */
static int last_line(int fd, off_t size, off_t *start_p) {
  char block[4096];
  off_t at = size > 0 ? size - 1 : 0;
  while (at > 0) {
    const size_t part = at < (off_t)sizeof block ? (size_t)at : sizeof block;
    if (read_at(fd, block, part, at - (off_t)part) != 0)
      return -1;
    for (size_t i = part; i > 0; i--)
      if (block[i - 1] == '\n') {
        *start_p = at - (off_t)(part - i);
        return 0;
      }
    at -= (off_t)part;
  }
  *start_p = 0;
  return 0;
}

/* Makes the file end with whole records: a last line that is not whole is cut
 * off, one that lacks just its newline gets it. */
static cairn_status mend_tail(cairn_journal *journal, cairn_base_diag *diag) {
  off_t start = 0;
  size_t body;
  char *line;
  cairn_status status = CAIRN_OK;
  if (journal->size == 0)
    return CAIRN_OK;
  if (last_line(journal->fd, journal->size, &start) != 0)
    return io_error(journal->path, diag, "read the journal");
  const size_t length = (size_t)(journal->size - start);
  line = cairn_base_alloc(length, 1);
  if (!line)
    return CAIRN_NOMEM;
  if (read_at(journal->fd, line, length, start) != 0) {
    cairn_base_free(line);
    return io_error(journal->path, diag, "read the journal");
  }
  const int ended = line[length - 1] == '\n';
  if (cairn_journal__line_check(line, length - (size_t)ended, &body) !=
      CAIRN_DAG__WHOLE) {
    if (ftruncate(journal->fd, start) != 0)
      status = io_error(journal->path, diag, "cut off the torn last line");
    else
      cairn_base_diag_add(diag, CAIRN_BASE_NOTE, journal->path, 0,
                          "cut off a torn last line (%zu bytes)", length);
    journal->size = start;
  } else if (!ended) {
    if (put_all(journal, "\n", 1) != 0)
      status = io_error(journal->path, diag, "write the journal");
    journal->size++;
  }
  static const char end[] = "{\"k\":\"end\",";
  if (journal->size > start && length > sizeof end &&
      memcmp(line, end, sizeof end - 1) == 0)
    journal->end = start;
  cairn_base_free(line);
  return status;
}

/* The first line of the file without its newline, or all of it: at most
 * `most` bytes. */
static cairn_status read_first(cairn_journal *journal, size_t most,
                               cairn_base_text *text, int *ended_p) {
  char block[4096];
  *ended_p = 0;
  while (!*ended_p && (off_t)text->length < journal->size &&
         text->length < most) {
    const off_t left = journal->size - (off_t)text->length;
    const size_t part =
        left < (off_t)sizeof block ? (size_t)left : sizeof block;
    if (read_at(journal->fd, block, part, (off_t)text->length) != 0)
      return CAIRN_IO;
    const char *const newline = memchr(block, '\n', part);
    *ended_p = newline != NULL;
    cairn_base__text_add_bytes(text, block,
                               newline ? (size_t)(newline - block) : part);
    if (text->failed)
      return CAIRN_NOMEM;
  }
  return CAIRN_OK;
}

/* Is it ours: is its first line sealed, or the beginning of a header all that
 * is there? */
static cairn_status is_ours(cairn_journal *journal, cairn_base_diag *diag) {
  enum { MOST = 1 << 24 }; /* no header is so long */
  cairn_base_text first = {0};
  size_t body;
  int ended;
  cairn_status status = read_first(journal, MOST, &first, &ended);
  if (status == CAIRN_IO)
    status = io_error(journal->path, diag, "read the journal");
  const char *const data = first.data ? first.data : "";
  if (status == CAIRN_OK &&
      cairn_journal__line_check(data, first.length, &body) !=
          CAIRN_DAG__WHOLE &&
      (ended || !cairn_dag__is_unborn(data, first.length))) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        first.length > 0 && *data == '{'
                            ? "not a journal that can be resumed: its first "
                              "line is no whole header; left as it is"
                            : "not a journal that can be resumed: expected '{' "
                              "as its first byte (a compressed one must be "
                              "unpacked); left as it is");
    status = CAIRN_INPUT;
  }
  cairn_base_text_free(&first);
  return status;
}

static cairn_status not_regular(const char *path, cairn_base_diag *diag) {
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                      "not a regular file, as a journal must be");
  return CAIRN_INPUT;
}

/* What can be resumed: a regular file, not compressed, ours. */
static cairn_status look_at(cairn_journal *journal, cairn_base_diag *diag) {
  struct stat info, there;
  if (fstat(journal->fd, &info) != 0)
    return io_error(journal->path, diag, "look at the journal");
  if (!S_ISREG(info.st_mode))
    return not_regular(journal->path, diag);
  journal->size = info.st_size;
  /* on some file systems the two have other numbers: then they tell nothing */
  if (journal->place != NULL &&
      (stat(journal->place, &there) != 0 || there.st_ino != info.st_ino ||
       there.st_dev != info.st_dev)) {
    cairn_base_free(journal->place);
    journal->place = NULL;
  }
  return is_ours(journal, diag);
}

static cairn_status start(cairn_journal *journal,
                          const cairn_journal_header *header,
                          cairn_base_diag *diag) {
  cairn_status status = lock(journal, diag);
  if (status == CAIRN_OK)
    status = look_at(journal, diag);
  if (status == CAIRN_OK)
    status = mend_tail(journal, diag);
  if (status != CAIRN_OK || journal->size > 0)
    return status;
  if (!header) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                        "holds no complete header");
    return CAIRN_INPUT;
  }
  status = record_open(journal, diag);
  if (status != CAIRN_OK)
    return status;
  cairn_journal__header_format(&journal->text, header);
  status = record_close(journal, diag);
  if (status == CAIRN_OK)
    cairn_base__file_sync_folder(journal->path);
  return status;
}

static cairn_status open_file(cairn_journal *journal, cairn_journal_mode mode,
                              cairn_base_diag *diag) {
  const int flags = O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK;
  const int only_new = mode == CAIRN_JOURNAL_NEW ? O_EXCL : 0;
  struct stat info; /* of a device: opening it may do something already */
  if (stat(journal->path, &info) == 0 && !S_ISREG(info.st_mode))
    return not_regular(journal->path, diag);
  journal->fd = open(journal->path, flags | only_new, 0666);
  if (journal->fd >= 0)
    return CAIRN_OK;
  if (errno != EEXIST)
    return io_error(journal->path, diag,
                    only_new ? "create the journal" : "open the journal");
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, journal->path, 0,
                      "exists already: --resume goes on with it, -o names "
                      "another file");
  return CAIRN_USAGE;
}

/* The path from the root, for a plugin may change the folder we are in. */
static char *from_root(const char *path) {
  char folder[PATH_MAX];
  cairn_base_text text = {0};
  if (*path != '/' && getcwd(folder, sizeof folder) != NULL)
    cairn_base_text_addf(&text, "%s/", folder);
  cairn_base_text_add(&text, path);
  if (!text.failed)
    return text.data;
  cairn_base_text_free(&text);
  return NULL;
}

cairn_status cairn_journal__open(const char *path, cairn_journal_mode mode,
                                 const cairn_journal_header *header,
                                 cairn_base_diag *diag,
                                 cairn_journal **journal_p) {
  cairn_journal *journal = cairn_base_zalloc(1, sizeof *journal);
  if (!journal)
    return CAIRN_NOMEM;
  journal->fd = -1;
  journal->begun = journal->end = -1;
  pthread_mutex_init(&journal->lock, NULL);
  journal->path = cairn_base_strdup(path);
  journal->place = from_root(path);
  cairn_status status = journal->path && journal->place
                            ? open_file(journal, mode, diag)
                            : CAIRN_NOMEM;
  if (status == CAIRN_OK) {
    status = start(journal, header, diag);
    if (status != CAIRN_OK && mode == CAIRN_JOURNAL_NEW)
      unlink(path); /* nothing was recorded: leave nothing */
  }
  if (status != CAIRN_OK) {
    cairn_journal__close(journal);
    return status;
  }
  *journal_p = journal;
  return CAIRN_OK;
}

void cairn_journal__close(cairn_journal *journal) {
  if (!journal)
    return;
  if (journal->fd >= 0)
    close(journal->fd);
  pthread_mutex_destroy(&journal->lock);
  cairn_base_text_free(&journal->text);
  cairn_base_free(journal->path);
  cairn_base_free(journal->place);
  cairn_base_free(journal);
}

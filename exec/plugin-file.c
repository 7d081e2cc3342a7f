/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/plugin-file.c - is a file a whole shared object for this machine?
 *
 * dlopen maps what the file's headers promise: of a file that was cut short
 * (a copy that was interrupted, a full disk) it touches pages that are not
 * there, and the process dies with SIGBUS.  So the headers are read first.
 */
#include "exec-private.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) header;
typedef ElfW(Phdr) segment;

static int read_at(int fd, void *data, size_t length, off_t offset) {
  return pread(fd, data, length, offset) == (ssize_t)length;
}

/* The header of this very program: class, byte order and machine. */
static int fits_machine(const header *h) {
  header own;
  const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const int known = fd >= 0 && read_at(fd, &own, sizeof own, 0);
  if (fd >= 0)
    close(fd);
  return !known || (memcmp(h->e_ident, own.e_ident, EI_VERSION) == 0 &&
                    h->e_machine == own.e_machine);
}

/* What is wrong with an open file, or NULL. */
static const char *problem(int fd) {
  struct stat info;
  header h;
  if (fstat(fd, &info) != 0)
    return strerror(errno);
  if (!S_ISREG(info.st_mode))
    return "not a regular file";
  if (!read_at(fd, &h, sizeof h, 0))
    return "too short for a shared object";
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0)
    return "no shared object (ELF file)";
  if (!fits_machine(&h))
    return "made for another kind of machine";
  if (h.e_type != ET_DYN || h.e_phentsize != sizeof(segment))
    return "no shared object (ELF file of another type)";
  for (unsigned i = 0; i < h.e_phnum; i++) {
    segment s;
    const off_t at = (off_t)(h.e_phoff + i * sizeof s);
    if (at < 0 || !read_at(fd, &s, sizeof s, at))
      return "cut short";
    if (s.p_type == PT_LOAD && (s.p_filesz > (size_t)info.st_size ||
                                s.p_offset > (size_t)info.st_size - s.p_filesz))
      return "cut short";
  }
  return NULL;
}

const char *cairn_exec_plugin_problem(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return strerror(errno);
  const char *found = problem(fd);
  close(fd);
  return found;
}

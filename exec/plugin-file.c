/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/plugin-file.c - is a file a whole shared object for this machine, and
 * is what it exports a plugin?  Nothing of it runs before both are answered.
 *
 * dlopen maps what the file's headers promise: of a file that was cut short
 * (a copy that was interrupted, a full disk) it touches pages that are not
 * there, and the process dies with SIGBUS.  So the headers are read first.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef ElfW(Ehdr) header;
typedef ElfW(Phdr) segment;

static int read_file(void *from, void *data, size_t length, uint64_t offset) {
  const int fd = *(const int *)from;
  return offset <= INT64_MAX &&
         pread(fd, data, length, (off_t)offset) == (ssize_t)length;
}

const char *cairn_exec__plugin_image_problem(const cairn_exec_image *image,
                                             const cairn_exec_image *own) {
  header h, mine;
  if (!image->read(image->from, &h, sizeof h, 0))
    return "too short for a shared object";
  if (memcmp(h.e_ident, ELFMAG, SELFMAG) != 0)
    return "no shared object (ELF file)";
  /* class, byte order and machine of this very program */
  if (own && own->read(own->from, &mine, sizeof mine, 0) &&
      (memcmp(h.e_ident, mine.e_ident, EI_VERSION) != 0 ||
       h.e_machine != mine.e_machine))
    return "made for another kind of machine";
  if (h.e_type != ET_DYN || h.e_phentsize != sizeof(segment))
    return "no shared object (ELF file of another type)";
  for (unsigned i = 0; i < h.e_phnum; i++) {
    segment s;
    if (h.e_phoff > image->size ||
        !image->read(image->from, &s, sizeof s, h.e_phoff + i * sizeof s))
      return "cut short";
    if (s.p_type == PT_LOAD &&
        (s.p_filesz > image->size || s.p_offset > image->size - s.p_filesz))
      return "cut short";
  }
  return NULL;
}

/* What is wrong with an open file, or NULL. */
static const char *problem(int fd) {
  struct stat info;
  if (fstat(fd, &info) != 0)
    return strerror(errno);
  if (!S_ISREG(info.st_mode))
    return "not a regular file";
  int own = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  const cairn_exec_image image = {read_file, &fd, (uint64_t)info.st_size};
  const cairn_exec_image self = {read_file, &own, 0};
  const char *const found =
      cairn_exec__plugin_image_problem(&image, own >= 0 ? &self : NULL);
  if (own >= 0)
    close(own);
  return found;
}

const char *cairn_exec__plugin_problem(const char *path) {
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    return strerror(errno);
  const char *found = problem(fd);
  close(fd);
  return found;
}

/* ---- what it exports ---- */

cairn_status cairn_exec__plugin_check(const cairn_op_plugin *plugin,
                                      const char *flavour, const char *path,
                                      cairn_base_diag *diag) {
  if (plugin->magic != CAIRN_OP_MAGIC)
    cairn_base_diag_error(diag,
                          "%s: cairn_plugin is no cairn_op_plugin "
                          "(magic %08x)",
                          path, plugin->magic);
  else if (plugin->abi_major != CAIRN_OP_ABI_MAJOR ||
           plugin->abi_minor > CAIRN_OP_ABI_MINOR)
    cairn_base_diag_error(diag,
                          "%s: made for plugin ABI %u.%u, this cairn has "
                          "%d.%d: compile it again",
                          path, plugin->abi_major, plugin->abi_minor,
                          CAIRN_OP_ABI_MAJOR, CAIRN_OP_ABI_MINOR);
  else if (plugin->size < sizeof *plugin ||
           plugin->op_size < sizeof(cairn_op_function) ||
           plugin->op_size % _Alignof(cairn_op_function) != 0)
    cairn_base_diag_error(diag,
                          "%s: structs of %u and %u bytes, expected %zu and "
                          "%zu: compile it again",
                          path, plugin->size, plugin->op_size, sizeof *plugin,
                          sizeof(cairn_op_function));
  else if (plugin->mpi && strcmp(plugin->mpi, flavour) != 0)
    cairn_base_diag_error(diag, "%s: compiled for %s, cairn for %s", path,
                          plugin->mpi, flavour);
  else if (plugin->ops == NULL || plugin->ops_count == 0)
    cairn_base_diag_error(diag, "%s: has no operations", path);
  else if (plugin->setup == NULL)
    cairn_base_diag_error(diag, "%s: has no setup", path);
  else if (!plugin->poison != !plugin->verify)
    cairn_base_diag_error(diag, "%s: has only one of poison and verify", path);
  else
    return CAIRN_OK;
  return CAIRN_INPUT;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/tools.c - see fuzz.h.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size) {
  static char path[64];
  static int fd = -1;
  if (fd < 0) {
    fd = memfd_create("fuzz", MFD_CLOEXEC);
    /* not /proc/self: descriptors named so are read from where they stand */
    snprintf(path, sizeof path, "/proc/%ld/fd/%d", (long)getpid(), fd);
  }
  if (fd < 0 || ftruncate(fd, 0) != 0 ||
      pwrite(fd, data, size, 0) != (ssize_t)size)
    abort();
  return path;
}

const char *fuzz_output(void) {
  static char path[64];
  if (!path[0])
    snprintf(path, sizeof path, "%s/cairn-fuzz-%ld",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp",
             (long)getpid());
  return path;
}

void fuzz_promise(int kept, const char *what) {
  if (kept)
    return;
  fprintf(stderr, "fuzz: %s\n", what);
  abort();
}

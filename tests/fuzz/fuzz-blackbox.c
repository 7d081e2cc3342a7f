/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-blackbox.c - the folder that ranks leave to their launcher:
 * names of operations up to the first empty line, then the ranks' parts.
 */
#include "tests/fuzz/fuzz.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "exec/blackbox-private.h"
#include <cairn/exec.h>

static const char *folder(void) {
  static char path[64];
  if (path[0])
    return path;
  snprintf(path, sizeof path, "%s/cairn-fuzz-XXXXXX",
           access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
  if (!mkdtemp(path))
    abort();
  return path;
}

static void clean(void) {
  char path[128];
  snprintf(path, sizeof path, "%s/ranks-0", folder());
  unlink(path);
  snprintf(path, sizeof path, "%s/ops-0", folder());
  unlink(path);
  rmdir(folder());
}

static void put(int *fd, const char *name, const uint8_t *data, size_t size) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder(), name);
  if (*fd < 0)
    *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (*fd < 0 || ftruncate(*fd, 0) != 0 ||
      pwrite(*fd, data, size, 0) != (ssize_t)size)
    abort();
}

static void use(const cairn_exec_blackbox *box, size_t size) {
  const size_t ranks = cairn_exec__blackbox_ranks(box);
  fuzz_promise(ranks * sizeof(uint64_t) <= size, "more ranks than bytes");
  uint32_t last = 0;
  for (size_t i = 0; i < ranks; i++) {
    char text[300];
    const cairn_exec_whereabouts where = cairn_exec__blackbox_rank(box, i);
    fuzz_promise(i == 0 || (uint32_t)where.rank >= last, "ranks out of order");
    last = (uint32_t)where.rank;
    memset(text, 'x', sizeof text);
    cairn_exec__blackbox_text(box, i, text, sizeof text);
    fuzz_promise(memchr(text, '\0', sizeof text) != NULL, "text without end");
    cairn_exec__blackbox_text(box, i, text, 20); /* a short one is cut */
    fuzz_promise(memchr(text, '\0', 20) != NULL, "short text without end");
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int ranks = -1, ops = -1;
  cairn_exec_blackbox *box = NULL;
  if (ranks < 0)
    atexit(clean);
  const uint8_t *const gap = memmem(data, size, "\n\n", 2);
  const size_t names = gap ? (size_t)(gap - data) + 1 : 0;
  const size_t from = gap ? names + 1 : 0;
  put(&ops, "ops-0", data, names);
  put(&ranks, "ranks-0", data + from, size - from);
  if (cairn_exec__blackbox_read(folder(), &box) != CAIRN_OK)
    abort();
  use(box, size - from);
  cairn_exec__blackbox_free(box);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/blackbox.c - the folder of blackbox-private.h: what executors write, and
 * what a supervisor makes of it when they are gone.
 *
 * Writers: any failure means that no black box is kept, without a word.  The
 * file's blocks are reserved before it is mapped, so that a full disk is a
 * refusal now and no SIGBUS later.  Readers trust nothing but sizes that they
 * have checked.
 */
#include "base/file-private.h"
#include "exec/blackbox-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MOST ((size_t)1 << 30)

/* ---- writing ---- */

/* "$CAIRN_TRAIL/NAME-NUMBER"; 0 when there is no such folder. */
static int path_of(const char *name, int number, char *path, size_t size) {
  const char *const folder = getenv(CAIRN_EXEC_BLACKBOX);
  if (folder == NULL || *folder == '\0')
    return 0;
  const int length = snprintf(path, size, "%s/%s-%d", folder, name, number);
  return length > 0 && (size_t)length < size;
}

void *cairn_exec__blackbox_map(int leader, size_t size, int create) {
  char path[PATH_MAX];
  if (!path_of("ranks", leader, path, sizeof path))
    return NULL;
  const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW;
  const int fd = open(path, create ? flags | O_CREAT | O_EXCL : flags, 0600);
  if (fd < 0)
    return NULL;
  struct stat s;
  void *memory = MAP_FAILED;
  if ((!create || posix_fallocate(fd, 0, (off_t)size) == 0) &&
      fstat(fd, &s) == 0 && s.st_size == (off_t)size)
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  close(fd);
  return memory == MAP_FAILED ? NULL : memory;
}

int cairn_exec__blackbox_live(int rank) {
  char path[PATH_MAX];
  if (!path_of("alive", rank, path, sizeof path))
    return -1;
  return open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
}

void cairn_exec__blackbox_ops(const cairn_exec *exec) {
  char path[PATH_MAX];
  if (exec->place.local_rank != 0 ||
      !path_of("ops", exec->place.rank, path, sizeof path))
    return;
  FILE *file = fopen(path, "wex"); /* what is there stays: opened before */
  const unsigned ops = cairn_dag_program_ops(exec->program);
  for (unsigned id = 0; file != NULL && id < ops; id++)
    fprintf(file, "%s\n", cairn_dag_program_op(exec->program, id)->name);
  if (file != NULL)
    fclose(file);
}

void cairn_exec__blackbox_show(const cairn_exec *exec) {
  const size_t room = cairn_exec__room(exec->board_stride);
  const size_t count = exec->flat.item_count;
  memcpy(exec->progress + 1, exec->flat.items,
         (count < room ? count : room) * sizeof *exec->flat.items);
}

/* ---- reading ---- */

typedef struct place {
  const cairn_exec_progress *progress;
  size_t host;
} place;

/* The ranks of one host. */
typedef struct host {
  char *bytes, *ops; /* ops: names, each with its NUL, or NULL */
  size_t length, ops_length;
} host;

struct cairn_exec_blackbox {
  host *hosts;
  size_t count, capacity;
  place *ranks;
  size_t rank_count, rank_capacity;
};

static const char *name_of(const void *ops, unsigned id) {
  const host *h = ops;
  const char *at = h->ops, *const end = h->ops ? h->ops + h->ops_length : NULL;
  while (at < end && id-- > 0)
    at += strlen(at) + 1;
  return at < end ? at : NULL;
}

static cairn_status read_ops(const char *folder, const char *leader, host *h) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/ops-%.20s", folder, leader);
  const cairn_status status = cairn_base__file_read_regular(
      path, FILE_MOST, NULL, &h->ops, &h->ops_length);
  for (size_t i = 0; status == CAIRN_OK && i < h->ops_length; i++)
    if (h->ops[i] == '\n')
      h->ops[i] = '\0';
  return status == CAIRN_NOMEM ? CAIRN_NOMEM : CAIRN_OK;
}

/* The parts of the last host read. */
static cairn_status add_ranks(cairn_exec_blackbox *box) {
  const host *h = box->hosts + box->count - 1;
  size_t stride = sizeof(cairn_exec_progress);
  for (size_t at = 0; h->length >= stride && at <= h->length - stride;
       at += stride) {
    const cairn_exec_progress *p = (const void *)(h->bytes + at);
    if (p->magic != CAIRN_EXEC_MAGIC || p->stride < sizeof *p ||
        p->stride % 8 != 0 || p->stride > h->length - at)
      break; /* not (yet) written */
    stride = p->stride;
    const cairn_status status =
        cairn_base_reserve(&box->ranks, &box->rank_capacity,
                           box->rank_count + 1, sizeof *box->ranks);
    if (status)
      return status;
    box->ranks[box->rank_count++] = (place){p, box->count - 1};
  }
  return CAIRN_OK;
}

static cairn_status add_host(cairn_exec_blackbox *box, const char *folder,
                             const char *name) {
  char path[PATH_MAX];
  host h = {0};
  snprintf(path, sizeof path, "%s/%.40s", folder, name);
  cairn_status status =
      cairn_base_reserve(&box->hosts, &box->capacity, box->count + 1, sizeof h);
  if (status == CAIRN_OK)
    status = cairn_base__file_read_regular(path, FILE_MOST, NULL, &h.bytes,
                                           &h.length);
  if (status != CAIRN_OK)
    return status == CAIRN_NOMEM ? status : CAIRN_OK;
  status = read_ops(folder, name + strlen("ranks-"), &h);
  box->hosts[box->count++] = h;
  return status == CAIRN_OK ? add_ranks(box) : status;
}

static int by_rank(const void *a, const void *b) {
  const place *x = a, *y = b;
  return (x->progress->rank > y->progress->rank) -
         (x->progress->rank < y->progress->rank);
}

cairn_status cairn_exec__blackbox_read(const char *folder,
                                       cairn_exec_blackbox **box_p) {
  cairn_exec_blackbox *box = cairn_base_zalloc(1, sizeof *box);
  if (box == NULL)
    return CAIRN_NOMEM;
  cairn_status status = CAIRN_OK;
  DIR *entries = opendir(folder);
  const struct dirent *entry;
  while (entries && status == CAIRN_OK && (entry = readdir(entries)) != NULL)
    if (strncmp(entry->d_name, "ranks-", strlen("ranks-")) == 0)
      status = add_host(box, folder, entry->d_name);
  if (entries)
    closedir(entries);
  if (status != CAIRN_OK) {
    cairn_exec__blackbox_free(box);
    return status;
  }
  if (box->rank_count > 1)
    qsort(box->ranks, box->rank_count, sizeof *box->ranks, by_rank);
  *box_p = box;
  return CAIRN_OK;
}

void cairn_exec__blackbox_free(cairn_exec_blackbox *box) {
  if (box == NULL)
    return;
  for (size_t i = 0; i < box->count; i++) {
    cairn_base_free(box->hosts[i].bytes);
    cairn_base_free(box->hosts[i].ops);
  }
  cairn_base_free(box->hosts);
  cairn_base_free(box->ranks);
  cairn_base_free(box);
}

size_t cairn_exec__blackbox_ranks(const cairn_exec_blackbox *box) {
  return box->rank_count;
}

cairn_exec_whereabouts cairn_exec__blackbox_rank(const cairn_exec_blackbox *box,
                                                 size_t i) {
  const cairn_exec_progress *p = box->ranks[i].progress;
  return (cairn_exec_whereabouts){.rank = (int)p->rank,
                                  .ranks = (int)p->ranks,
                                  .id = p->id,
                                  .signal = (int)p->signal,
                                  .hung = p->fired != 0,
                                  .suspended = p->fired > 1,
                                  .closed = p->closed != 0};
}

void cairn_exec__blackbox_text(const cairn_exec_blackbox *box, size_t i,
                               char *text, size_t size) {
  const cairn_exec_progress *p = box->ranks[i].progress;
  const size_t room = cairn_exec__room(p->stride);
  const cairn_exec_book book = {.items = (const cairn_dag_item *)(p + 1),
                                .count = p->items < room ? p->items : room,
                                .op = name_of,
                                .ops = box->hosts + box->ranks[i].host};
  cairn_exec__book_whereabouts(&book, p, text, size);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/capture/log.c - the log: one write(2) a line, so that it is whole even
 * when the program hangs and is killed.
 *
 * The state is global, as it must be in a library that nobody opens; a mutex
 * guards it.  The header's last word says what kind of CUDA runtime the
 * program has; it is written again at the end, when that is known.
 */
#include "capture.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct numbered {
  uintptr_t handle;
  unsigned long number;
} numbered;

typedef struct table {
  numbered *list;
  size_t count, room;
  unsigned long last;
} table;

typedef struct kernel {
  const void *function;
  const char *name;
} kernel;

static struct {
  pthread_mutex_t lock;
  int file; /* 0: not open yet, -1: cannot be opened */
  int cuda, threads_noted;
  pthread_t thread; /* of the first line */
  unsigned long lines, limit;
  table handles[CAPTURE_HANDLES];
  kernel *kernels;
  size_t kernels_count, kernels_room;
} state = {.lock = PTHREAD_MUTEX_INITIALIZER};

static __thread int depth;

int capture_enter(void) { return ++depth; }
void capture_leave(void) { depth--; }

/* ---- file ---- */

static const char *rank_text(void) {
  static const char *const names[] = {"PMI_RANK", "PMIX_RANK",
                                      "OMPI_COMM_WORLD_RANK", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *const value = getenv(names[i]);
    if (value && *value && value[strspn(value, "0123456789")] == '\0')
      return value;
  }
  return "0";
}

static void write_all(const char *text, size_t length) {
  while (state.file > 0 && length) {
    const ssize_t done = write(state.file, text, length);
    if (done <= 0)
      break;
    text += done;
    length -= (size_t)done;
  }
}

/* The last word has seven characters, so that it can be overwritten. */
static int header(char *text, size_t size, const char *cudart) {
  return snprintf(text, size, "cairn-capture 1 rank %s cudart %-7s\n",
                  rank_text(), cudart);
}

static void open_log(void) {
  char path[4096], text[128];
  const char *const prefix = getenv("CAIRN_CAPTURE");
  const char *const limit = getenv("CAIRN_CAPTURE_LINES");
  state.limit = limit ? strtoul(limit, NULL, 10) : 1000000;
  state.thread = pthread_self();
  snprintf(path, sizeof path, "%s.%s.log",
           prefix && *prefix ? prefix : "cairn-capture", rank_text());
  state.file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (state.file <= 0) {
    fprintf(stderr, "cairn-capture: cannot write %s\n", path);
    state.file = -1;
    return;
  }
  write_all(text, (size_t)header(text, sizeof text, "none"));
}

static void note_threads(void) {
  static const char text[] =
      "note calls of several threads are mixed in this log\n";
  if (state.threads_noted || pthread_equal(state.thread, pthread_self()))
    return;
  state.threads_noted = 1;
  write_all(text, sizeof text - 1);
}

void capture_line(const char *format, ...) {
  char text[1024];
  va_list list;
  if (depth > 1)
    return;
  va_start(list, format);
  int length = vsnprintf(text, sizeof text - 1, format, list);
  va_end(list);
  if (length < 0)
    return;
  if ((size_t)length > sizeof text - 2)
    length = sizeof text - 2;
  text[length++] = '\n';
  pthread_mutex_lock(&state.lock);
  if (state.file == 0)
    open_log();
  note_threads();
  if (state.lines++ < state.limit)
    write_all(text, (size_t)length);
  else if (state.lines - 1 == state.limit)
    write_all("note the log ends here: CAIRN_CAPTURE_LINES\n", 44);
  pthread_mutex_unlock(&state.lock);
}

void capture_saw_cuda(void) { state.cuda = 1; }

/* ---- which CUDA runtime ---- */

static int look_at(struct dl_phdr_info *info, size_t size, void *found) {
  (void)size;
  if (info->dlpi_name && strstr(info->dlpi_name, "libcuda.so"))
    *(int *)found |= 1;
  if (info->dlpi_name && strstr(info->dlpi_name, "libcudart.so"))
    *(int *)found |= 2;
  return 0;
}

__attribute__((destructor)) static void finish(void) {
  int loaded = 0;
  char text[128];
  dl_iterate_phdr(look_at, &loaded);
  const int is_static = !state.cuda && loaded == 1;
  if (is_static)
    fprintf(stderr, "cairn-capture: this program has the CUDA runtime linked "
                    "statically, so its calls cannot be seen: link it with "
                    "nvcc -cudart shared\n");
  pthread_mutex_lock(&state.lock);
  if (state.file == 0 && is_static)
    open_log();
  if (state.file > 0) {
    const int length = header(text, sizeof text,
                              state.cuda  ? "shared"
                              : is_static ? "static"
                                          : "none");
    if (pwrite(state.file, text, (size_t)length, 0) != length)
      fprintf(stderr, "cairn-capture: the log's header is not whole\n");
    close(state.file);
  }
  state.file = -1;
  pthread_mutex_unlock(&state.lock);
}

void *capture_real(const char *name) {
  void *const real = dlsym(RTLD_NEXT, name);
  if (!real) {
    fprintf(stderr, "cairn-capture: no %s to call\n", name);
    _exit(127);
  }
  return real;
}

/* ---- numbers ---- */

static numbered *find(table *t, uintptr_t handle) {
  for (size_t i = t->count; i-- > 0;)
    if (t->list[i].handle == handle)
      return &t->list[i];
  return NULL;
}

static void put(table *t, uintptr_t handle, unsigned long number) {
  if (t->count == t->room) {
    const size_t room = t->room ? 2 * t->room : 64;
    numbered *const list = realloc(t->list, room * sizeof *list);
    if (!list)
      return; /* forgotten at once: better than dying */
    t->list = list;
    t->room = room;
  }
  t->list[t->count++] = (numbered){handle, number};
}

/* Takes the newest one out; 0: there is none. */
static unsigned long take(table *t, uintptr_t handle) {
  numbered *const known = find(t, handle);
  if (!known)
    return 0;
  const unsigned long number = known->number;
  const size_t after = (size_t)(t->list + t->count - known) - 1;
  memmove(known, known + 1, after * sizeof *known);
  t->count--;
  return number;
}

unsigned long capture_number(capture_handle kind, uintptr_t handle) {
  pthread_mutex_lock(&state.lock);
  table *const t = &state.handles[kind];
  const numbered *const known = find(t, handle);
  const unsigned long number = known ? known->number : ++t->last;
  if (!known)
    put(t, handle, number);
  pthread_mutex_unlock(&state.lock);
  return number;
}

unsigned long capture_new(capture_handle kind, uintptr_t handle) {
  pthread_mutex_lock(&state.lock);
  table *const t = &state.handles[kind];
  const unsigned long number = ++t->last;
  put(t, handle, number);
  pthread_mutex_unlock(&state.lock);
  return number;
}

unsigned long capture_take(capture_handle kind, uintptr_t handle) {
  pthread_mutex_lock(&state.lock);
  const unsigned long number = take(&state.handles[kind], handle);
  pthread_mutex_unlock(&state.lock);
  return number;
}

void capture_put(capture_handle kind, uintptr_t handle, unsigned long number) {
  pthread_mutex_lock(&state.lock);
  put(&state.handles[kind], handle, number);
  pthread_mutex_unlock(&state.lock);
}

int capture_has(capture_handle kind, uintptr_t handle) {
  pthread_mutex_lock(&state.lock);
  const int has = find(&state.handles[kind], handle) != NULL;
  pthread_mutex_unlock(&state.lock);
  return has;
}

void capture_forget(capture_handle kind, uintptr_t handle) {
  capture_take(kind, handle);
}

/* ---- kernels ---- */

void capture_kernel_add(const void *function, const char *name) {
  pthread_mutex_lock(&state.lock);
  if (state.kernels_count == state.kernels_room) {
    const size_t room = state.kernels_room ? 2 * state.kernels_room : 64;
    kernel *const list = realloc(state.kernels, room * sizeof *list);
    if (list) {
      state.kernels = list;
      state.kernels_room = room;
    }
  }
  if (state.kernels_count < state.kernels_room)
    state.kernels[state.kernels_count++] = (kernel){function, name};
  pthread_mutex_unlock(&state.lock);
}

const char *capture_kernel_name(const void *function) {
  const char *name = NULL;
  Dl_info info;
  pthread_mutex_lock(&state.lock);
  for (size_t i = 0; i < state.kernels_count && !name; i++)
    if (state.kernels[i].function == function)
      name = state.kernels[i].name;
  pthread_mutex_unlock(&state.lock);
  if (!name && dladdr(function, &info))
    name = info.dli_sname;
  return name ? name : "kernel";
}

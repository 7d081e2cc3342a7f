/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/whereabouts.c - where a rank stands, in words.
 *
 * Said by the watchdog, by a rank that crashes, and by a supervisor that has
 * only what the rank left behind.  So nothing here calls more than what a
 * signal handler may: no stdio, no memory.
 */
#include "exec/blackbox-private.h"
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <string.h>
#include <unistd.h>

/* Text that grows to the right and is cut at its end. */
typedef struct line {
  char *text;
  size_t used, size;
} line;

static void add(line *l, const char *text) {
  while (*text && l->used + 1 < l->size)
    l->text[l->used++] = *text++;
  if (l->size > 0)
    l->text[l->used] = '\0';
}

static void add_number(line *l, uint64_t number) {
  char digits[24];
  size_t at = sizeof digits - 1;
  digits[at] = '\0';
  do
    digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  add(l, digits + at);
}

/* "yl@0", "CES#1" */
static void add_item(line *l, const cairn_exec_book *book, uint32_t item) {
  static const char *const words[] = {"", "", "CER", "CES", "CSW"};
  const cairn_dag_item it =
      item < book->count ? book->items[item] : (cairn_dag_item){.kind = 255};
  const int is_op = it.kind <= CAIRN_DAG_ITEM_GPU;
  const char *word = NULL;
  if (is_op)
    word = book->op(book->ops, it.id);
  else if (it.kind <= CAIRN_DAG_ITEM_CSW)
    word = words[it.kind];
  if (word == NULL) {
    add(l, "item ");
    add_number(l, item);
    return;
  }
  add(l, word);
  if (it.kind != CAIRN_DAG_ITEM_CPU && it.kind != CAIRN_DAG_ITEM_CES) {
    add(l, "@");
    add_number(l, it.stream);
  }
  if (!is_op) {
    add(l, "#");
    add_number(l, it.id);
  }
}

static void add_place(line *l, uint32_t item, uint32_t items) {
  add(l, " (item ");
  add_number(l, item);
  add(l, " of ");
  add_number(l, items);
}

void cairn_exec__book_item(const cairn_exec_book *book, uint32_t item,
                           char *text, size_t size) {
  line l = {text, 0, size};
  add(&l, "");
  add_item(&l, book, item);
}

static const char *phase_text(uint32_t phase) {
  static const char *const texts[] = {
#define CAIRN_EXEC_PHASE_TEXT(name, text) text,
      CAIRN_EXEC_PHASE_TABLE(CAIRN_EXEC_PHASE_TEXT)
#undef CAIRN_EXEC_PHASE_TEXT
  };
  return texts[phase < sizeof texts / sizeof *texts ? phase : 0];
}

void cairn_exec__book_whereabouts(const cairn_exec_book *book,
                                  const cairn_exec_progress *p, char *text,
                                  size_t size) {
  line l = {text, 0, size};
  add(&l, "");
  for (unsigned s = 0; s < CAIRN_DAG_MAX_STREAMS; s++) {
    const uint32_t running = p->running[s];
    if (running == 0)
      continue;
    add_item(&l, book, running - 1);
    add(&l, p->has_gpu ? " is not through" : " runs");
    add_place(&l, running - 1, p->items);
    add(&l, "), ");
  }
  add(&l, "the host ");
  add(&l, phase_text(p->phase));
  if (p->phase != CAIRN_EXEC_PHASE_ITEM)
    return;
  add(&l, " ");
  add_item(&l, book, p->item);
  add_place(&l, p->item, p->items);
  add(&l, ", iteration ");
  add_number(&l, p->iteration);
  add(&l, ")");
}

/* ---- the executor's own ---- */

static const char *name_of(const void *ops, unsigned id) {
  const cairn_dag_program *program = ops;
  return id < cairn_dag_program_ops(program)
             ? cairn_dag_program_op(program, id)->name
             : NULL;
}

cairn_exec_book cairn_exec__book_of(const cairn_exec *exec) {
  return (cairn_exec_book){
      .items = exec->flat.items,
      .count = exec->flat.items != NULL ? exec->flat.item_count : 0,
      .op = name_of,
      .ops = exec->program};
}

void cairn_exec__item_name(const cairn_exec *exec, uint32_t item, char *text,
                           size_t size) {
  const cairn_exec_book book = cairn_exec__book_of(exec);
  cairn_exec__book_item(&book, item, text, size);
}

/* Has the plugin's code called exit? */
static int has_exited(const cairn_exec *exec) {
  const cairn_exec_progress *p = exec->progress;
  if (p == NULL || p->pid != (uint32_t)getpid() || p->fired || p->signal)
    return 0;
  int in_plugin = p->phase == CAIRN_EXEC_PHASE_ITEM ||
                  (p->phase >= CAIRN_EXEC_PHASE_SETUP &&
                   p->phase <= CAIRN_EXEC_PHASE_VERIFY);
  for (unsigned s = 0; s < exec->streams && !p->has_gpu; s++)
    in_plugin |= p->running[s] != 0;
  return in_plugin;
}

int cairn_exec_dying(cairn_exec *exec, int signal) {
  cairn_exec_progress *p = exec->progress;
  uint32_t none = 0;
  if (signal == CAIRN_EXEC_EXITED && !has_exited(exec))
    return 0;
  if (p == NULL || p->pid != (uint32_t)getpid() || /* a child of a plugin */
      !__atomic_compare_exchange_n(&p->signal, &none, (uint32_t)signal, 0,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED))
    return 0;
  char text[768], where[512];
  line l = {text, 0, sizeof text - 1};
  const cairn_exec_book book = cairn_exec__book_of(exec);
  cairn_exec__book_whereabouts(&book, p, where, sizeof where);
  if (signal == CAIRN_EXEC_EXITED) {
    add(&l, "cairn: crash: exit was called");
  } else {
    add(&l, "cairn: crash: signal ");
    add_number(&l, (uint64_t)signal);
  }
  if (p->id != CAIRN_EXEC_NO_ID) {
    add(&l, " in schedule ");
    add_number(&l, p->id);
  }
  add(&l, "; rank ");
  add_number(&l, (uint64_t)exec->place.rank);
  add(&l, ": ");
  add(&l, where);
  text[l.used++] = '\n';
  const ssize_t written = write(STDERR_FILENO, text, l.used);
  (void)written; /* there is nobody left to tell */
  return 1;
}

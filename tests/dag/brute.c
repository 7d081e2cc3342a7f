/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/brute.c - the space, naively: a prefix is an array, and every
 * question is answered by scanning it.  Nothing here comes from dag's own code
 * but the program's edges.
 */
#include "dag/program/program-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

enum { MOST = 256 }; /* items of a prefix */

typedef struct thing {
  int kind; /* a cairn_dag_item_kind */
  int op, stream, event;
} thing;

typedef struct brute {
  const cairn_dag_program *program;
  int ops, streams;
  size_t limit, complete;
  thing prefix[MOST];
  int count;
  test_set *renamed, *tidy, *minimal;
} brute;

static int is_edge(const brute *x, int a, int b) {
  size_t count;
  const unsigned *const preds =
      cairn_dag__program_preds(x->program, (unsigned)b, &count);
  for (size_t i = 0; i < count; i++)
    if ((int)preds[i] == a)
      return 1;
  return 0;
}

static int is_gpu(const brute *x, int op) {
  return cairn_dag_program_op(x->program, (unsigned)op)->kind == CAIRN_DAG_GPU;
}

static int place(const thing *list, int count, int op) {
  for (int i = 0; i < count; i++)
    if ((list[i].kind == CAIRN_DAG_ITEM_CPU ||
         list[i].kind == CAIRN_DAG_ITEM_GPU) &&
        list[i].op == op)
      return i;
  return -1;
}

/* ---- growing ---- */

static int ready(const brute *x, int op) {
  if (place(x->prefix, x->count, op) >= 0)
    return 0;
  for (int a = 0; a < x->ops; a++)
    if (is_edge(x, a, op) && place(x->prefix, x->count, a) < 0)
      return 0;
  return 1;
}

/* Is b (on stream t, or a CPU op) synced with the GPU op at position p? */
static int synced(const brute *x, int b, int t, int p) {
  const int s = x->prefix[p].stream, gpu = is_gpu(x, b);
  if (gpu && s == t)
    return 1;
  for (int r = p + 1; r < x->count; r++) {
    if (x->prefix[r].kind != CAIRN_DAG_ITEM_CER || x->prefix[r].stream != s)
      continue;
    for (int w = r + 1; w < x->count; w++) {
      const thing *const wait = &x->prefix[w];
      if (wait->event != x->prefix[r].event)
        continue;
      if (!gpu && wait->kind == CAIRN_DAG_ITEM_CES)
        return 1;
      if (gpu && wait->kind == CAIRN_DAG_ITEM_CSW && wait->stream == t)
        return 1;
    }
  }
  return 0;
}

static int events(const brute *x) {
  int n = 0;
  for (int i = 0; i < x->count; i++)
    n += x->prefix[i].kind == CAIRN_DAG_ITEM_CER;
  return n;
}

static thing next_missing(const brute *x, int b, int t, int p) {
  const int s = x->prefix[p].stream;
  for (int r = p + 1; r < x->count; r++)
    if (x->prefix[r].kind == CAIRN_DAG_ITEM_CER && x->prefix[r].stream == s)
      return is_gpu(x, b)
                 ? (thing){CAIRN_DAG_ITEM_CSW, -1, t, x->prefix[r].event}
                 : (thing){CAIRN_DAG_ITEM_CES, -1, -1, x->prefix[r].event};
  return (thing){CAIRN_DAG_ITEM_CER, -1, s, events(x)};
}

static void offer(thing *list, int *count, thing item) {
  for (int i = 0; i < *count; i++)
    if (memcmp(&list[i], &item, sizeof item) == 0)
      return;
  list[(*count)++] = item;
}

static int extensions(const brute *x, thing *list) {
  int count = 0;
  for (int b = 0; b < x->ops; b++) {
    if (!ready(x, b))
      continue;
    for (int t = 0; t < (is_gpu(x, b) ? x->streams : 1); t++) {
      int all = 1;
      for (int a = 0; a < x->ops; a++) {
        const int p = place(x->prefix, x->count, a);
        if (!is_edge(x, a, b) || !is_gpu(x, a) || synced(x, b, t, p))
          continue;
        all = 0;
        offer(list, &count, next_missing(x, b, t, p));
      }
      if (all)
        offer(list, &count,
              is_gpu(x, b) ? (thing){CAIRN_DAG_ITEM_GPU, b, t, -1}
                           : (thing){CAIRN_DAG_ITEM_CPU, b, -1, -1});
    }
  }
  return count;
}

/* ---- what becomes of a complete prefix ---- */

static void take_out(thing *list, int *count, int i) {
  memmove(list + i, list + i + 1, (size_t)(*count - i - 1) * sizeof *list);
  --*count;
}

static int waited_for(const thing *list, int count, int event) {
  for (int i = 0; i < count; i++)
    if (list[i].event == event && (list[i].kind == CAIRN_DAG_ITEM_CES ||
                                   list[i].kind == CAIRN_DAG_ITEM_CSW))
      return 1;
  return 0;
}

static int runs_later(const thing *list, int count, int from, int stream) {
  for (int i = from; i < count; i++)
    if (list[i].kind == CAIRN_DAG_ITEM_GPU && list[i].stream == stream)
      return 1;
  return 0;
}

static void tidy_up(thing *list, int *count) {
  int changed;
  do {
    changed = 0;
    for (int i = 0; i < *count; i++)
      if ((list[i].kind == CAIRN_DAG_ITEM_CER &&
           !waited_for(list, *count, list[i].event)) ||
          (list[i].kind == CAIRN_DAG_ITEM_CSW &&
           !runs_later(list, *count, i, list[i].stream))) {
        take_out(list, count, i);
        changed = 1;
        break;
      }
  } while (changed);
}

/* Nodes: 2i the start, 2i + 1 the completion of item i; the issue of item i is
 * node 2 * MOST + i. */
static int reaches(const unsigned char (*next)[3 * MOST], int nodes, int from,
                   int to, unsigned char *seen) {
  if (from == to)
    return 1;
  if (seen[from])
    return 0;
  seen[from] = 1;
  for (int i = 0; i < nodes; i++)
    if (next[from][i] && reaches(next, nodes, i, to, seen))
      return 1;
  return 0;
}

static int legal(const brute *x, const thing *list, int count) {
  static unsigned char next[3 * MOST][3 * MOST];
  const int n = count, issue = 2 * n, nodes = 3 * n;
  for (int i = 0; i < nodes; i++)
    memset(next[i], 0, (size_t)nodes);
  for (int i = 0; i < n; i++) {
    const int kind = list[i].kind;
    next[2 * i][2 * i + 1] = 1;
    next[issue + i][2 * i] = 1;
    if (i + 1 < n)
      next[issue + i][issue + i + 1] = 1;
    if (kind == CAIRN_DAG_ITEM_CPU || kind == CAIRN_DAG_ITEM_CES) {
      if (i + 1 < n)
        next[2 * i + 1][issue + i + 1] =
            1; /* the host does it before going on */
    } else {
      for (int j = i + 1; j < n; j++) /* the stream does it before the next */
        if (list[j].stream == list[i].stream &&
            list[j].kind != CAIRN_DAG_ITEM_CPU &&
            list[j].kind != CAIRN_DAG_ITEM_CES)
          next[2 * i + 1][2 * j] = 1;
    }
    if (kind == CAIRN_DAG_ITEM_CER)
      for (int j = i + 1; j < n; j++)
        if (list[j].event == list[i].event)
          next[2 * i + 1][2 * j + 1] = 1; /* the wait ends after the record */
  }
  for (int a = 0; a < x->ops; a++)
    for (int b = 0; b < x->ops; b++) {
      unsigned char seen[3 * MOST] = {0};
      if (is_edge(x, a, b) &&
          !reaches((const unsigned char(*)[3 * MOST]) next, nodes,
                   2 * place(list, n, a) + 1, 2 * place(list, n, b), seen))
        return 0;
    }
  return 1;
}

static void minimize(const brute *x, thing *list, int *count) {
  thing without[MOST];
  for (int i = *count - 1; i >= 0; i--) {
    int fewer = *count;
    if (list[i].kind != CAIRN_DAG_ITEM_CES &&
        list[i].kind != CAIRN_DAG_ITEM_CSW)
      continue;
    memcpy(without, list, (size_t)*count * sizeof *list);
    take_out(without, &fewer, i);
    if (legal(x, without, fewer))
      take_out(list, count, i);
  }
  for (int i = *count - 1; i >= 0; i--)
    if (list[i].kind == CAIRN_DAG_ITEM_CER &&
        !waited_for(list, *count, list[i].event))
      take_out(list, count, i);
}

/* Renames streams and events by first use and adds to the set. */
static void keep(const thing *list, int count, test_set *set) {
  cairn_dag_item items[MOST];
  int stream[64], event[MOST], used_streams = 0, used_events = 0;
  memset(stream, -1, sizeof stream);
  memset(event, -1, sizeof event);
  for (int i = 0; i < count; i++) {
    const thing *const t = &list[i];
    if (t->stream >= 0 && stream[t->stream] < 0)
      stream[t->stream] = used_streams++;
    if (t->event >= 0 && event[t->event] < 0)
      event[t->event] = used_events++;
    items[i].kind = (uint8_t)t->kind;
    items[i].stream = (uint8_t)(t->stream >= 0 ? stream[t->stream] : 0);
    items[i].id = (uint16_t)(t->event >= 0 ? event[t->event] : t->op);
  }
  test_set_add(set, items, (size_t)count);
}

static void finish(brute *x) {
  thing list[MOST];
  int count = x->count;
  x->complete++;
  memcpy(list, x->prefix, (size_t)count * sizeof *list);
  if (x->renamed)
    keep(list, count, x->renamed);
  tidy_up(list, &count);
  if (x->tidy)
    keep(list, count, x->tidy);
  if (x->minimal)
    keep(list, count, x->minimal); /* minimized once sorted */
}

static void grow(brute *x) {
  thing list[MOST];
  int count;
  if (x->complete > x->limit)
    return;
  if (x->count && x->prefix[x->count - 1].kind == CAIRN_DAG_ITEM_CPU &&
      x->prefix[x->count - 1].op == x->ops - 1) {
    finish(x);
    return;
  }
  count = extensions(x, list);
  for (int i = 0; i < count; i++) {
    x->prefix[x->count++] = list[i];
    grow(x);
    x->count--;
  }
}

static void from_items(thing *list, const cairn_dag_item *items, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_item item = items[i];
    const int op = item.kind <= CAIRN_DAG_ITEM_GPU;
    const int on =
        item.kind != CAIRN_DAG_ITEM_CPU && item.kind != CAIRN_DAG_ITEM_CES;
    list[i] = (thing){item.kind, op ? item.id : -1, on ? item.stream : -1,
                      op ? -1 : item.id};
  }
}

int test_brute_legal(const cairn_dag_program *program,
                     const cairn_dag_item *items, size_t count) {
  const brute x = {.program = program,
                   .ops = (int)cairn_dag_program_ops(program)};
  thing list[MOST];
  from_items(list, items, count);
  return legal(&x, list, (int)count);
}

static void minimize_set(brute *x, test_set *set) {
  test_set result = {0};
  test_set_sort(set);
  for (size_t k = 0; k < set->count; k++) {
    const cairn_dag_schedule *const s = &set->schedules[k];
    thing list[MOST];
    int count = (int)s->count;
    from_items(list, s->items, s->count);
    minimize(x, list, &count);
    keep(list, count, &result);
  }
  test_set_free(set);
  *set = result;
}

size_t test_brute(const cairn_dag_program *program, unsigned streams,
                  size_t limit, test_set *renamed, test_set *tidy,
                  test_set *minimal) {
  brute *const x = calloc(1, sizeof *x);
  size_t complete;
  x->program = program;
  x->ops = (int)cairn_dag_program_ops(program);
  x->streams = (int)streams;
  x->limit = limit;
  x->renamed = renamed;
  x->tidy = tidy;
  x->minimal = minimal;
  grow(x);
  complete = x->complete;
  if (complete > limit) {
    complete = 0;
  } else {
    if (minimal)
      minimize_set(x, minimal);
    if (renamed)
      test_set_sort(renamed);
    if (tidy)
      test_set_sort(tidy);
    if (minimal)
      test_set_sort(minimal);
  }
  free(x);
  return complete;
}

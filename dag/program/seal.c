/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/seal.c - sealing a program: start and end, checks, rows of edges,
 * digest.
 *
 * start comes before the ops without predecessors and end after those without
 * successors: an edge from every op to end would ask for syncs that no one
 * needs.
 */
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text-private.h"
#include "dag/program/intern-private.h"
#include "dag/program/program-state-private.h"
#include <cairn/dag.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_edges(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

static void sort_edges(cairn_dag_program *program) {
  size_t kept = 0;
  if (program->edge_count == 0)
    return;
  qsort(program->edges, program->edge_count, sizeof *program->edges,
        compare_edges);
  for (size_t i = 0; i < program->edge_count; i++)
    if (i == 0 || program->edges[i] != program->edges[i - 1])
      program->edges[kept++] = program->edges[i];
  program->edge_count = kept;
}

/* Adds end, and the edges of start and end. */
static cairn_status add_ends(cairn_dag_program *program) {
  const cairn_dag_op end = {.name = "end", .kind = CAIRN_DAG_CPU};
  const size_t edges = program->edge_count;
  const unsigned last = (unsigned)program->count;
  cairn_status status = cairn_dag__program_append(program, &end);
  uint8_t *has;
  if (status != CAIRN_OK)
    return status;
  has = cairn_base_zalloc(program->count, 1);
  if (!has)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < edges; i++) {
    has[program->edges[i] >> 32] |= 1;
    has[program->edges[i] & UINT32_MAX] |= 2;
  }
  for (unsigned id = 1; id < last && status == CAIRN_OK; id++) {
    if (!(has[id] & 2))
      status = cairn_dag__program_connect(program, 0, id);
    if (!(has[id] & 1) && status == CAIRN_OK)
      status = cairn_dag__program_connect(program, id, last);
  }
  cairn_base_free(has);
  return status;
}

/* The edges a->b (reversed: b->a) whose far end passes the filter: kind, or
 * any when kind is negative. */
static cairn_status make_rows(const cairn_dag_program *program, int reversed,
                              int near_kind, int far_kind,
                              cairn_dag__rows *rows) {
  size_t *next = cairn_base_zalloc(program->count + 1, sizeof *next);
  rows->row = cairn_base_zalloc(program->count + 1, sizeof *rows->row);
  rows->to = cairn_base_alloc(program->edge_count, sizeof *rows->to);
  if (!next || !rows->row || !rows->to) {
    cairn_base_free(next);
    return CAIRN_NOMEM;
  }
  for (int pass = 0; pass < 2; pass++) {
    for (size_t i = 0; i < program->edge_count; i++) {
      const unsigned a = (unsigned)(program->edges[i] >> 32);
      const unsigned b = (unsigned)(program->edges[i] & UINT32_MAX);
      const unsigned near = reversed ? b : a, far = reversed ? a : b;
      if ((near_kind >= 0 && (int)program->ops[near].kind != near_kind) ||
          (far_kind >= 0 && (int)program->ops[far].kind != far_kind))
        continue;
      if (pass == 0)
        rows->row[near + 1]++;
      else
        rows->to[next[near]++] = far;
    }
    for (size_t i = 0; i < program->count && pass == 0; i++) {
      rows->row[i + 1] += rows->row[i];
      next[i + 1] = rows->row[i + 1];
    }
  }
  cairn_base_free(next);
  return CAIRN_OK;
}

static cairn_status make_all_rows(cairn_dag_program *program) {
  if (make_rows(program, 1, -1, -1, &program->pred) != CAIRN_OK ||
      make_rows(program, 0, -1, -1, &program->succ) != CAIRN_OK ||
      make_rows(program, 1, -1, CAIRN_DAG_GPU, &program->gpu_pred) !=
          CAIRN_OK ||
      make_rows(program, 0, CAIRN_DAG_GPU, CAIRN_DAG_CPU, &program->cpu_succ) !=
          CAIRN_OK ||
      make_rows(program, 0, CAIRN_DAG_GPU, CAIRN_DAG_GPU, &program->gpu_succ) !=
          CAIRN_OK)
    return CAIRN_NOMEM;
  return CAIRN_OK;
}

/* The first predecessor of an op that is still marked in `left`. */
static unsigned before(const cairn_dag_program *program, const uint32_t *left,
                       unsigned id) {
  const unsigned *p = program->pred.to + program->pred.row[id];
  while (left[*p] == 0)
    p++;
  return *p;
}

/* Names the cycle that goes through the ops still marked in `left`. */
static void say_cycle(const cairn_dag_program *program, const uint32_t *left,
                      uint8_t *seen, cairn_base_diag *diag) {
  cairn_base_text text = {0};
  unsigned id = 0, first;
  while (left[id] == 0)
    id++;
  while (!seen[id]) { /* backwards until an op comes again */
    seen[id] = 1;
    id = before(program, left, id);
  }
  first = id;
  for (unsigned at = before(program, left, id); at != id;
       at = before(program, left, at))
    first = at < first ? at : first;
  id = first; /* the one that stands first in the file */
  do {
    cairn_base_text_addf(&text, "%s after ", program->ops[id].name);
    id = before(program, left, id);
  } while (id != first);
  cairn_base_text_add(&text, program->ops[first].name);
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, program->ops[first].file,
                      program->ops[first].line,
                      "the operations form a cycle: %s",
                      text.failed || !text.data ? "" : text.data);
  cairn_base_text_free(&text);
}

static cairn_status check_cycles(const cairn_dag_program *program,
                                 cairn_base_diag *diag) {
  const size_t count = program->count;
  uint32_t *left = cairn_base_zalloc(count, sizeof *left);
  unsigned *queue = cairn_base_alloc(count, sizeof *queue);
  uint8_t *seen = cairn_base_zalloc(count, 1);
  size_t head = 0, tail = 0;
  cairn_status status = CAIRN_NOMEM;
  if (left && queue && seen) {
    for (size_t i = 0; i < count; i++) {
      left[i] = program->pred.row[i + 1] - program->pred.row[i];
      if (left[i] == 0)
        queue[tail++] = (unsigned)i;
    }
    for (; head < tail; head++)
      for (uint32_t k = program->succ.row[queue[head]];
           k < program->succ.row[queue[head] + 1]; k++)
        if (--left[program->succ.to[k]] == 0)
          queue[tail++] = program->succ.to[k];
    status = tail == count ? CAIRN_OK : CAIRN_INPUT;
    if (tail < count)
      say_cycle(program, left, seen, diag);
  }
  cairn_base_free(left);
  cairn_base_free(queue);
  cairn_base_free(seen);
  return status;
}

static void say_unposted(const cairn_dag_op *op, const char *what,
                         const char *message, const cairn_dag_intern *posted,
                         cairn_base_diag *diag) {
  const char *nearest = NULL;
  size_t best = 3;
  /* a hint looks at every message: none once enough errors were found */
  const uint32_t candidates = cairn_base_diag_errors(diag) < 20
                                  ? (uint32_t)cairn_dag__intern_count(posted)
                                  : 0;
  for (uint32_t i = 0; i < candidates; i++) {
    const char *const name = cairn_dag__intern_name(posted, i);
    const size_t distance = cairn_base__text_distance(message, name);
    if (distance < best && 2 * distance < strlen(message)) {
      best = distance;
      nearest = name;
    }
  }
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                      "\"%s\" %s message \"%s\", which no operation posts"
                      "%s%s%s",
                      op->name, what, message,
                      nearest ? "; did you mean \"" : "",
                      nearest ? nearest : "", nearest ? "\"?" : "");
}

static int check_op_messages(const cairn_dag_op *op,
                             const cairn_dag_intern *posted,
                             cairn_base_diag *diag) {
  const struct {
    const cairn_dag_names *names;
    const char *what;
  } lists[] = {{&op->waits, "waits for"}, {&op->from, "receives from"}};
  int bad = 0;
  for (size_t l = 0; l < 2; l++)
    for (size_t i = 0; i < lists[l].names->count; i++) {
      const char *const message = lists[l].names->name[i];
      if (cairn_dag__intern_find(posted, message, strlen(message)) !=
          UINT32_MAX)
        continue;
      if (bad++ < 20)
        say_unposted(op, lists[l].what, message, posted, diag);
    }
  if (op->from.count > 1 && op->from.count != op->posts.count) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "\"%s\" has %zu names in from and %zu in posts: give "
                        "one for all, or one each",
                        op->name, op->from.count, op->posts.count);
    bad = 1;
  }
  if (op->from.count == 1 && op->posts.count == 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "\"%s\" has from but posts nothing", op->name);
    bad = 1;
  }
  return bad;
}

static cairn_status check_messages(const cairn_dag_program *program,
                                   cairn_base_diag *diag) {
  cairn_dag_intern *posted = NULL;
  cairn_status status = cairn_dag__intern_create(&posted);
  uint32_t id;
  int bad = 0;
  for (size_t i = 0; i < program->count && status == CAIRN_OK; i++)
    for (size_t k = 0; k < program->ops[i].posts.count; k++) {
      const char *const name = program->ops[i].posts.name[k];
      status = cairn_dag__intern_add(posted, name, strlen(name), &id);
      if (status != CAIRN_OK)
        break;
    }
  /* a thousand complaints are enough, and bound the time for hints */
  for (size_t i = 0; i < program->count && status == CAIRN_OK && bad < 1000;
       i++)
    bad += check_op_messages(&program->ops[i], posted, diag);
  cairn_dag__intern_free(posted);
  return status == CAIRN_OK && bad ? CAIRN_INPUT : status;
}

static void add_list(cairn_base_text *text, char mark,
                     const cairn_dag_names *names) {
  for (size_t i = 0; i < names->count; i++)
    cairn_base_text_addf(text, "%c%s\n", mark, names->name[i]);
}

/* The hash of a plain text that says all that counts. */
static cairn_status make_digest(cairn_dag_program *program) {
  cairn_base_text text = {0};
  XXH128_hash_t hash;
  for (size_t i = 0; i < program->count; i++) {
    const cairn_dag_op *const op = &program->ops[i];
    cairn_base_text_addf(&text, "%c%s\n=%s\n",
                         op->kind == CAIRN_DAG_GPU ? 'g' : 'c', op->name,
                         op->call);
    if (op->arg)
      cairn_base_text_addf(&text, "(%zu:%s\n", strlen(op->arg), op->arg);
    add_list(&text, '>', &op->posts);
    add_list(&text, '<', &op->from);
    add_list(&text, '?', &op->waits);
  }
  for (size_t i = 0; i < program->edge_count; i++)
    cairn_base_text_addf(&text, "%u %u\n", (unsigned)(program->edges[i] >> 32),
                         (unsigned)(program->edges[i] & UINT32_MAX));
  if (text.failed) {
    cairn_base_text_free(&text);
    return CAIRN_NOMEM;
  }
  hash = XXH3_128bits(text.data, text.length);
  snprintf(program->digest, sizeof program->digest, "%016llx%016llx",
           (unsigned long long)hash.high64, (unsigned long long)hash.low64);
  cairn_base_text_free(&text);
  return CAIRN_OK;
}

static void mix(XXH128_hash_t *sum, const cairn_base_text *text) {
  const XXH128_hash_t hash = XXH3_128bits(text->data, text->length);
  sum->high64 += hash.high64;
  sum->low64 += hash.low64;
}

/* A sum of hashes, so that the order of ops and edges does not matter. */
static cairn_status make_graph(cairn_dag_program *program) {
  const unsigned last = (unsigned)program->count - 1;
  cairn_base_text text = {0};
  XXH128_hash_t sum = {0, 0};
  for (unsigned i = 1; i < last && !text.failed; i++) {
    cairn_base__text_clear(&text);
    cairn_base_text_addf(&text, "%c%s",
                         program->ops[i].kind == CAIRN_DAG_GPU ? 'g' : 'c',
                         program->ops[i].name);
    if (!text.failed)
      mix(&sum, &text);
  }
  for (size_t i = 0; i < program->edge_count && !text.failed; i++) {
    const unsigned before = (unsigned)(program->edges[i] >> 32);
    const unsigned after = (unsigned)(program->edges[i] & UINT32_MAX);
    if (before == 0 || after == last)
      continue;
    cairn_base__text_clear(&text);
    cairn_base_text_addf(&text, "%s %s", program->ops[before].name,
                         program->ops[after].name);
    if (!text.failed)
      mix(&sum, &text);
  }
  const int failed = text.failed;
  cairn_base_text_free(&text);
  snprintf(program->graph, sizeof program->graph, "%016llx%016llx",
           (unsigned long long)sum.high64, (unsigned long long)sum.low64);
  return failed ? CAIRN_NOMEM : CAIRN_OK;
}

cairn_status cairn_dag_program_seal(cairn_dag_program *program,
                                    cairn_base_diag *diag) {
  cairn_status status, messages;
  if (program->sealed)
    return CAIRN_INTERNAL;
  program->sealed = 1;
  if (program->count < 2) {
    cairn_base_diag_error(diag, "program %s has no operations", program->name);
    return CAIRN_INPUT;
  }
  sort_edges(program);
  status = add_ends(program);
  if (status == CAIRN_OK) {
    sort_edges(program);
    status = make_all_rows(program);
  }
  if (status != CAIRN_OK)
    return status;
  status = check_cycles(program, diag);
  if (status == CAIRN_NOMEM)
    return status;
  messages = check_messages(program, diag);
  if (messages != CAIRN_OK)
    status = messages;
  if (status == CAIRN_OK)
    status = make_graph(program);
  return status == CAIRN_OK ? make_digest(program) : status;
}

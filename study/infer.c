/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/infer.c - a program read off its schedules.
 *
 * An op is before another when, in every schedule, it is complete before the
 * other starts, by the order of the host, of streams, and by waits.  Of a
 * complete space this is the order that the edges of the program imply.  Edges
 * are those pairs that no third op lies between; and, where cairn has named the
 * syncs, those pairs in names that are synchronised directly in all schedules
 * and that no other name denies (a wait that serves no edge has a name, too).
 */
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "dag/schedule/sequence-private.h"
#include "study/study-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

enum { WAITERS = 256 };

typedef struct reader {
  cairn_dag_intern *names; /* of ops and syncs */
  uint32_t *op;            /* name -> op, UINT32_MAX: none */
  size_t op_capacity;
  uint32_t *op_name; /* op -> name */
  uint8_t *gpu;
  size_t ops, op_name_capacity, gpu_capacity;
  size_t words;     /* of a set of ops */
  uint64_t *before; /* op -> set of ops before it in all */
  unsigned streams;
  cairn_dag_sequence sequence;
  /* What is complete: for the host (0), for stream s (1 + s), for an event. */
  uint64_t *waiter, *event;
  /* The same of waits alone, not of what follows from them: GPU ops issued on
   * a stream, waited for, recorded; and op -> those directly synchronised with
   * it in all. */
  uint64_t *issued, *waited, *recorded, *direct;
  uint64_t *none; /* op -> ops that no edge leads from to it, by names */
  size_t event_capacity, recorded_capacity;
  uint64_t *edge; /* named ones: before << 32 | after */
  size_t edges, edge_capacity;
} reader;

static void reader_free(reader *r) {
  cairn_dag__intern_free(r->names);
  cairn_base_free(r->op);
  cairn_base_free(r->op_name);
  cairn_base_free(r->gpu);
  cairn_base_free(r->before);
  cairn_base_free(r->waiter);
  cairn_base_free(r->issued);
  cairn_base_free(r->waited);
  cairn_base_free(r->recorded);
  cairn_base_free(r->direct);
  cairn_base_free(r->none);
  cairn_base_free(r->event);
  cairn_base_free(r->edge);
  cairn_dag__sequence_free(&r->sequence);
}

static int is_op(const reader *r, const cairn_dag_token *t) {
  const char *const name = cairn_dag__intern_name(r->names, t->name);
  return t->kind <= CAIRN_DAG_ITEM_GPU && strcmp(name, "start") != 0 &&
         strcmp(name, "end") != 0;
}

static uint32_t op_of(const reader *r, uint32_t name) {
  return name < r->op_capacity ? r->op[name] : UINT32_MAX;
}

/* The op's number; a new one from the first schedule only. */
static cairn_status add_op(reader *r, const cairn_dag_token *t) {
  const size_t had = r->op_capacity;
  if (cairn_base_reserve(&r->op, &r->op_capacity, (size_t)t->name + 1,
                         sizeof *r->op) ||
      cairn_base_reserve(&r->op_name, &r->op_name_capacity, r->ops + 1,
                         sizeof *r->op_name) ||
      cairn_base_reserve(&r->gpu, &r->gpu_capacity, r->ops + 1, 1))
    return CAIRN_NOMEM;
  for (size_t i = had; i < r->op_capacity; i++)
    r->op[i] = UINT32_MAX;
  r->op[t->name] = (uint32_t)r->ops;
  r->op_name[r->ops] = t->name;
  r->gpu[r->ops++] = t->kind == CAIRN_DAG_ITEM_GPU;
  return CAIRN_OK;
}

static cairn_status parse(reader *r, const cairn_journal_run *run, size_t i,
                          cairn_base_diag *diag) {
  const char *const text = run->result[i].schedule;
  return cairn_dag__sequence_parse(text, strlen(text), r->names, run->path,
                                   run->result[i].line, diag, &r->sequence);
}

/* The ops are those of the first schedule. */
static cairn_status find_ops(reader *r, const cairn_journal_run *run,
                             cairn_base_diag *diag) {
  cairn_status status = parse(r, run, 0, diag);
  for (size_t k = 0; k < r->sequence.count && !status; k++)
    if (is_op(r, &r->sequence.tokens[k]) &&
        op_of(r, r->sequence.tokens[k].name) == UINT32_MAX)
      status = add_op(r, &r->sequence.tokens[k]);
  if (status)
    return status;
  r->words = cairn_base__bits_words(r->ops) + !r->ops;
  r->before = cairn_base_alloc(r->ops * r->words, sizeof *r->before);
  r->waiter = cairn_base_alloc((WAITERS + 1) * r->words, sizeof *r->waiter);
  r->issued = cairn_base_alloc((WAITERS + 1) * r->words, sizeof *r->issued);
  r->waited = cairn_base_alloc((WAITERS + 1) * r->words, sizeof *r->waited);
  r->direct = cairn_base_alloc(r->ops * r->words, sizeof *r->direct);
  r->none = cairn_base_zalloc(r->ops * r->words, sizeof *r->none);
  if (!r->before || !r->waiter || !r->issued || !r->waited || !r->direct ||
      !r->none)
    return CAIRN_NOMEM;
  memset(r->before, 0xff, r->ops * r->words * sizeof *r->before);
  memset(r->direct, 0xff, r->ops * r->words * sizeof *r->direct);
  return CAIRN_OK;
}

static void join(uint64_t *set, const uint64_t *other, size_t words) {
  for (size_t w = 0; w < words; w++)
    set[w] |= other[w];
}

static uint64_t *waiter(reader *r, unsigned which) {
  return r->waiter + which * r->words;
}

/* A set for each event.  Its record overwrites what an earlier schedule left
 * there. */
static uint64_t *event_set(const reader *r, uint64_t **sets_p,
                           size_t *capacity_p, unsigned event) {
  const size_t had = *capacity_p;
  if (cairn_base_reserve(sets_p, capacity_p, ((size_t)event + 1) * r->words,
                         sizeof **sets_p))
    return NULL;
  if (*capacity_p > had)
    memset(*sets_p + had, 0, (*capacity_p - had) * sizeof **sets_p);
  return *sets_p + (size_t)event * r->words;
}

/* What is complete before the op starts; then what is after it. */
static void see_op(reader *r, const cairn_dag_token *t, uint32_t op) {
  uint64_t *const before = r->before + op * r->words;
  const unsigned who = t->kind == CAIRN_DAG_ITEM_GPU ? 1u + t->stream : 0;
  if (who)
    join(waiter(r, who), waiter(r, 0), r->words);
  for (size_t w = 0; w < r->words; w++)
    before[w] &= waiter(r, who)[w];
  for (size_t w = 0; w < r->words; w++)
    r->direct[op * r->words + w] &=
        r->waited[who * r->words + w] | r->issued[who * r->words + w];
  cairn_base__bits_set(r->issued + who * r->words, op);
  cairn_base__bits_set(waiter(r, who), op);
  if (who && t->stream >= r->streams)
    r->streams = 1u + t->stream;
}

static cairn_status see_sync(reader *r, const cairn_dag_token *t) {
  uint64_t *const event = event_set(r, &r->event, &r->event_capacity, t->event);
  uint64_t *const record =
      event_set(r, &r->recorded, &r->recorded_capacity, t->event);
  const unsigned who = t->kind == CAIRN_DAG_ITEM_CES ? 0 : 1u + t->stream;
  if (!event || !record)
    return CAIRN_NOMEM;
  if (t->kind == CAIRN_DAG_ITEM_CER)
    memcpy(record, r->issued + who * r->words, r->words * sizeof *record);
  else
    join(r->waited + who * r->words, record, r->words);
  if (who) /* an item of a stream runs after what the host knew */
    join(waiter(r, who), waiter(r, 0), r->words);
  if (t->kind == CAIRN_DAG_ITEM_CER)
    memcpy(event, waiter(r, who), r->words * sizeof *event);
  else
    join(waiter(r, who), event, r->words);
  return CAIRN_OK;
}

static cairn_status see_schedule(reader *r, const cairn_journal_run *run,
                                 size_t i, cairn_base_diag *diag) {
  size_t seen = 0;
  cairn_status status = parse(r, run, i, diag);
  memset(r->waiter, 0, (WAITERS + 1) * r->words * sizeof *r->waiter);
  memset(r->issued, 0, (WAITERS + 1) * r->words * sizeof *r->issued);
  memset(r->waited, 0, (WAITERS + 1) * r->words * sizeof *r->waited);
  for (size_t k = 0; k < r->sequence.count && !status; k++) {
    const cairn_dag_token *const t = &r->sequence.tokens[k];
    if (t->kind > CAIRN_DAG_ITEM_GPU) {
      status = see_sync(r, t);
    } else if (is_op(r, t)) {
      const uint32_t op = op_of(r, t->name);
      if (op == UINT32_MAX || r->gpu[op] != (t->kind == CAIRN_DAG_ITEM_GPU)) {
        cairn_base_diag_add(diag, CAIRN_BASE_ERROR, run->path,
                            run->result[i].line,
                            "\"%s\" is no operation of the first schedule, or "
                            "of another kind there: schedules of one program "
                            "are expected",
                            cairn_dag__intern_name(r->names, t->name));
        return CAIRN_INPUT;
      }
      see_op(r, t, op);
      seen++;
    }
  }
  if (!status && seen != r->ops) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, run->path, run->result[i].line,
                        "%zu operations; the first schedule has %zu", seen,
                        r->ops);
    return CAIRN_INPUT;
  }
  return status;
}

/* ---- edges in names ---- */

/* Notes the edge from the op named in `a` to that named in `b`. */
static cairn_status note_edge(reader *r, const char *a, size_t a_length,
                              const char *b) {
  uint32_t name, from, to;
  if (cairn_dag__intern_add(r->names, a, a_length, &name))
    return CAIRN_NOMEM;
  from = op_of(r, name);
  if (cairn_dag__intern_add(r->names, b, strlen(b), &name))
    return CAIRN_NOMEM;
  to = op_of(r, name);
  if (from == UINT32_MAX || to == UINT32_MAX || !r->gpu[from])
    return CAIRN_OK;
  if (cairn_base_reserve(&r->edge, &r->edge_capacity, r->edges + 1,
                         sizeof *r->edge))
    return CAIRN_NOMEM;
  r->edge[r->edges++] = (uint64_t)from << 32 | to;
  return CAIRN_OK;
}

/* The op named B by the wait at k, if it comes later; none of the ops before it
 * that the wait could serve is served.  SIZE_MAX: it does not come. */
static size_t find_served(reader *r, size_t k, const char *name) {
  const cairn_dag_token *const w = &r->sequence.tokens[k];
  const uint64_t *const record = r->recorded + w->event * r->words;
  size_t at = SIZE_MAX;
  for (size_t j = k + 1; j < r->sequence.count && at == SIZE_MAX; j++)
    if (r->sequence.tokens[j].kind <= CAIRN_DAG_ITEM_GPU &&
        !strcmp(cairn_dag__intern_name(r->names, r->sequence.tokens[j].name),
                name))
      at = j;
  for (size_t j = k + 1; at != SIZE_MAX && j < at; j++) {
    const cairn_dag_token *const t = &r->sequence.tokens[j];
    if (w->kind == CAIRN_DAG_ITEM_CES
            ? t->kind != CAIRN_DAG_ITEM_CPU
            : t->kind != CAIRN_DAG_ITEM_GPU || t->stream != w->stream)
      continue;
    const uint32_t op = op_of(r, t->name);
    if (op != UINT32_MAX)
      join(r->none + op * r->words, record, r->words);
  }
  return at;
}

/* What the name of the wait at k tells; `record` is that of its record, NULL
 * unless the wait is its first. */
static cairn_status read_wait(reader *r, size_t k, const char *record) {
  const cairn_dag_token *const w = &r->sequence.tokens[k];
  const char *const wait = cairn_dag__intern_name(r->names, w->name);
  const char *const at = strstr(wait, "-b4-");
  if (!at || find_served(r, k, at + 4) == SIZE_MAX)
    return CAIRN_OK;
  if (w->kind == CAIRN_DAG_ITEM_CSW)
    return !strncmp(wait, "CSW-after-", 10) && at >= wait + 10
               ? note_edge(r, wait + 10, (size_t)(at - wait) - 10, at + 4)
               : CAIRN_OK;
  if (!record || strncmp(record, "CER-after-", 10) != 0)
    return CAIRN_OK;
  return note_edge(r, record + 10, strlen(record + 10), at + 4);
}

/* CSW-after-A-b4-B says it all; CES-b4-B with CER-after-A when it is the first
 * wait of its record. */
static cairn_status read_names(reader *r) {
  cairn_status status = CAIRN_OK;
  for (size_t k = 0; k < r->sequence.count && !status; k++) {
    const cairn_dag_token *const t = &r->sequence.tokens[k];
    if (t->kind != CAIRN_DAG_ITEM_CER)
      continue;
    const char *record = cairn_dag__intern_name(r->names, t->name);
    for (size_t j = k + 1; j < r->sequence.count && !status; j++) {
      const cairn_dag_token *const w = &r->sequence.tokens[j];
      if (w->kind <= CAIRN_DAG_ITEM_CER || w->event != t->event)
        continue;
      status = read_wait(r, j, record);
      record = NULL;
    }
  }
  return status;
}

static int compare_edges(const void *a, const void *b) {
  const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Keeps each edge once, so that few are held. */
static void shrink(reader *r) {
  size_t kept = 0;
  qsort(r->edge, r->edges, sizeof *r->edge, compare_edges);
  for (size_t i = 0; i < r->edges; i++)
    if (!kept || r->edge[kept - 1] != r->edge[i])
      r->edge[kept++] = r->edge[i];
  r->edges = kept;
}

/* ---- the program ---- */

static int is_before(const reader *r, size_t a, size_t b) {
  return cairn_base__bits_test(r->before + b * r->words, a);
}

/* Is no op between a and b? */
static int is_direct(const reader *r, size_t a, size_t b) {
  const uint64_t *const before = r->before + b * r->words;
  for (size_t w = 0; w < r->words; w++)
    for (uint64_t set = before[w]; set; set &= set - 1)
      if (is_before(r, a, w * 64 + cairn_base__bits_lowest(set)))
        return 0;
  return 1;
}

static int by_rank(const void *a, const void *b, void *context) {
  const reader *const r = context;
  const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  size_t count_x = 0, count_y = 0;
  for (size_t w = 0; w < r->words; w++) {
    count_x += cairn_base__bits_popcount(r->before[x * r->words + w]);
    count_y += cairn_base__bits_popcount(r->before[y * r->words + w]);
  }
  if (count_x != count_y)
    return count_x < count_y ? -1 : 1;
  return strcmp(cairn_dag__intern_name(r->names, r->op_name[x]),
                cairn_dag__intern_name(r->names, r->op_name[y]));
}

/* Ops in an order that does not depend on that of the file. */
static cairn_status add_ops(reader *r, cairn_dag_program *program,
                            cairn_base_diag *diag, unsigned *id) {
  uint32_t *const order = cairn_base_alloc(r->ops, sizeof *order);
  cairn_status status = order ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < r->ops && !status; i++)
    order[i] = (uint32_t)i;
  if (!status)
    qsort_r(order, r->ops, sizeof *order, by_rank, r);
  for (size_t i = 0; i < r->ops && !status; i++) {
    const uint32_t k = order[i];
    const cairn_dag_op op = {
        .name = cairn_dag__intern_name(r->names, r->op_name[k]),
        .kind = r->gpu[k] ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
    status = cairn_dag_program_add_op(program, &op, diag, &id[k]);
  }
  cairn_base_free(order);
  return status;
}

static cairn_status add_edges(const reader *r, cairn_dag_program *program,
                              cairn_base_diag *diag, const unsigned *id) {
  cairn_status status = CAIRN_OK;
  for (size_t b = 0; b < r->ops; b++)
    for (size_t a = 0; a < r->ops && !status; a++)
      if (a != b && is_before(r, a, b) && is_direct(r, a, b))
        status = cairn_dag_program_add_edge(program, id[a], id[b], diag);
  for (size_t i = 0; i < r->edges && !status; i++) {
    const size_t a = (size_t)(r->edge[i] >> 32), b = (uint32_t)r->edge[i];
    if (cairn_base__bits_test(r->direct + b * r->words, a) &&
        !cairn_base__bits_test(r->none + b * r->words, a))
      status = cairn_dag_program_add_edge(program, id[a], id[b], diag);
  }
  return status;
}

static cairn_status build(reader *r, const cairn_journal_run *run,
                          cairn_base_diag *diag,
                          cairn_dag_program **program_p) {
  const char *const name = run->header.program_name;
  unsigned *const id = cairn_base_alloc(r->ops, sizeof *id);
  cairn_dag_program *program = NULL;
  cairn_status status = id ? CAIRN_OK : CAIRN_NOMEM;
  if (r->streams < run->header.streams)
    r->streams = run->header.streams;
  if (!status)
    status = cairn_dag_program_create(name ? name : "recorded", &program);
  if (status == CAIRN_INPUT)
    status = cairn_dag_program_create("recorded", &program);
  if (!status)
    status = add_ops(r, program, diag, id);
  if (!status)
    status = add_edges(r, program, diag, id);
  if (!status)
    status =
        cairn_dag_program_set_streams(program, r->streams ? r->streams : 1);
  if (!status)
    status = cairn_dag_program_seal(program, diag);
  cairn_base_free(id);
  if (status)
    cairn_dag_program_free(program);
  else
    *program_p = program;
  return status;
}

cairn_status cairn_study__infer(const cairn_journal_run *run,
                                cairn_base_diag *diag,
                                cairn_dag_program **program_p) {
  reader r = {0};
  const char *const backend = run->header.backend;
  const int named = backend && strcmp(backend, "import") != 0;
  cairn_status status = cairn_dag__intern_create(&r.names);
  if (!status)
    status = find_ops(&r, run, diag);
  for (size_t i = 0; i < run->results && !status; i++) {
    status = see_schedule(&r, run, i, diag);
    if (!status && named)
      status = read_names(&r);
    if (r.edges > 4096)
      shrink(&r);
  }
  if (!status)
    status = build(&r, run, diag, program_p);
  reader_free(&r);
  return status;
}

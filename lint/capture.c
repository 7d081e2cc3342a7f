/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/capture.c - one iteration of a captured log as a sequence for the
 * linter.
 *
 * An iteration begins at a mark, or, in logs without marks, where an op comes
 * again.  When its last syncs join all that the iteration issued, `start` and
 * `end` are put around it: then nothing of it can meet the next one.
 * Otherwise it stays open, and only reads and writes say what must not
 * overlap.
 *
 * The legacy default stream (0) waits for all blocking streams and they for
 * it: CAIRN_DAG_STEP_FOLLOW items say so.
 */
#include "lint/calls-private.h"
#include "lint/linter-private.h"
#include <cairn/lint.h>

#include <string.h>

typedef struct span {
  size_t begin, end;
} span;

typedef struct builder {
  const cairn_dag_program *program;
  const char *path;
  cairn_base_diag *diag;
  const cairn_dag_calls *calls;
  const cairn_dag_takens *takens;
  span *iteration;
  size_t iterations, iterations_room;
  cairn_lint_capture *capture;
  size_t room, line_room;
  unsigned long stream[CAIRN_DAG_MAX_STREAMS]; /* the log's numbers */
  uint32_t blocking, behind; /* sets of ours; behind the legacy stream */
  unsigned streams;
} builder;

static int is_op(const cairn_dag_taken *t) {
  return t->kind <= CAIRN_DAG_ITEM_GPU;
}

/* ---- iterations ---- */

static cairn_status add_iteration(builder *b, size_t begin) {
  const cairn_status status =
      cairn_base_reserve(&b->iteration, &b->iterations_room, b->iterations + 1,
                         sizeof *b->iteration);
  if (status != CAIRN_OK)
    return status;
  if (b->iterations)
    b->iteration[b->iterations - 1].end = begin;
  b->iteration[b->iterations++] = (span){begin, b->takens->count};
  return CAIRN_OK;
}

static int has_marks(const builder *b) {
  for (size_t i = 0; i < b->takens->count; i++)
    if (b->takens->taken[i].kind == CAIRN_DAG_STEP_NONE)
      return 1;
  return 0;
}

static cairn_status split(builder *b) {
  const size_t words = (cairn_dag_program_ops(b->program) + 63) / 64;
  uint64_t *const seen = cairn_base_zalloc(words, sizeof *seen);
  const int marks = has_marks(b);
  cairn_status status = seen ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; status == CAIRN_OK && i < b->takens->count; i++) {
    const cairn_dag_taken *const t = &b->takens->taken[i];
    if (marks) {
      if (t->kind == CAIRN_DAG_STEP_NONE)
        status = add_iteration(b, i + 1);
    } else if (is_op(t)) {
      const int again = (int)(seen[t->id / 64] >> (t->id % 64) & 1);
      if (again)
        memset(seen, 0, words * sizeof *seen);
      if (again || b->iterations == 0)
        status = add_iteration(b, i);
      seen[t->id / 64] |= UINT64_C(1) << (t->id % 64);
    }
  }
  cairn_base_free(seen);
  return status;
}

static int has_ops(const builder *b, span at) {
  size_t i = at.begin;
  while (i < at.end && !is_op(&b->takens->taken[i]))
    i++;
  return i < at.end;
}

static int alike(const builder *b, span x, span y) {
  if (x.end - x.begin != y.end - y.begin)
    return 0;
  for (size_t i = 0; i < x.end - x.begin; i++) {
    const cairn_dag_taken *const s = &b->takens->taken[x.begin + i];
    const cairn_dag_taken *const t = &b->takens->taken[y.begin + i];
    if (s->kind != t->kind || s->stream != t->stream ||
        (is_op(s) && s->id != t->id))
      return 0;
  }
  return 1;
}

static cairn_status choose(builder *b, size_t wanted) {
  cairn_lint_capture *const c = b->capture;
  if (!has_ops(b, (span){0, b->takens->count})) {
    cairn_base_diag_add(b->diag, CAIRN_BASE_ERROR, b->path, 0,
                        "no call of the log means an op of the program: use "
                        "--map NAME=OP");
    return CAIRN_INPUT;
  }
  if (wanted != CAIRN_LINT_CAPTURE_NO_ITERATION && wanted >= b->iterations) {
    cairn_base_diag_add(b->diag, CAIRN_BASE_ERROR, b->path, 0,
                        "the log holds %zu iterations, numbered from 0",
                        b->iterations);
    return CAIRN_USAGE;
  }
  c->iterations = b->iterations;
  c->iteration = wanted == CAIRN_LINT_CAPTURE_NO_ITERATION
                     ? (b->iterations - 1) / 2
                     : wanted;
  if (!has_ops(b, b->iteration[c->iteration])) {
    cairn_base_diag_add(b->diag, CAIRN_BASE_ERROR, b->path, 0,
                        "iteration %zu of %zu holds no op of the program; what "
                        "stands before the first mark belongs to none",
                        c->iteration, c->iterations);
    return CAIRN_INPUT;
  }
  for (size_t i = 0; i < b->iterations; i++)
    c->different += !alike(b, b->iteration[i], b->iteration[c->iteration]);
  return CAIRN_OK;
}

/* ---- items ---- */

static cairn_status push(builder *b, unsigned kind, unsigned stream,
                         unsigned id, size_t line) {
  cairn_lint_capture *const c = b->capture;
  if (cairn_base_reserve(&c->items, &b->room, c->count + 1, sizeof *c->items) !=
          CAIRN_OK ||
      cairn_base_reserve(&c->line, &b->line_room, c->count + 1,
                         sizeof *c->line) != CAIRN_OK)
    return CAIRN_NOMEM;
  c->line[c->count] = line;
  c->items[c->count++] =
      (cairn_dag_item){(uint8_t)kind, (uint8_t)stream, (uint16_t)id};
  return CAIRN_OK;
}

static int blocking(const builder *b, unsigned long stream) {
  int is = 1;
  for (size_t i = 0; i < b->calls->count; i++)
    if (b->calls->call[i].kind == CAIRN_DAG_CALL_STREAM &&
        b->calls->call[i].stream == stream)
      is = b->calls->call[i].value == 0;
  return is;
}

/* Our number of a stream of the log; 32: too many. */
static unsigned stream_of(builder *b, unsigned long stream) {
  for (unsigned s = 0; s < b->streams; s++)
    if (b->stream[s] == stream)
      return s;
  if (b->streams == CAIRN_DAG_MAX_STREAMS) {
    cairn_base_diag_add(b->diag, CAIRN_BASE_ERROR, b->path, 0,
                        "the iteration uses more than %d streams",
                        CAIRN_DAG_MAX_STREAMS);
    return CAIRN_DAG_MAX_STREAMS;
  }
  if (stream != 0 && blocking(b, stream))
    b->blocking |= UINT32_C(1) << b->streams;
  b->stream[b->streams] = stream;
  return b->streams++;
}

/* Numbers the streams of the iteration by first use. */
static cairn_status number_streams(builder *b, span at) {
  int legacy = 0;
  for (size_t i = at.begin; i < at.end; i++) {
    const cairn_dag_taken *const t = &b->takens->taken[i];
    if (t->kind == CAIRN_DAG_ITEM_CPU || t->kind == CAIRN_DAG_ITEM_CES ||
        t->kind >= CAIRN_DAG_STEP_DEVICE_SYNC)
      continue;
    legacy |= t->stream == 0 && t->kind == CAIRN_DAG_ITEM_GPU;
    if (stream_of(b, t->stream) == CAIRN_DAG_MAX_STREAMS)
      return CAIRN_INPUT;
  }
  b->behind = legacy ? b->blocking : 0;
  return CAIRN_OK;
}

/* The implicit order of work put into the legacy stream, or into others. */
static cairn_status follow(builder *b, unsigned s, int legacy_used) {
  cairn_status status = CAIRN_OK;
  if (!legacy_used)
    return CAIRN_OK;
  if (b->stream[s] == 0) {
    for (unsigned o = 0; status == CAIRN_OK && o < b->streams; o++)
      if (b->blocking >> o & 1)
        status = push(b, CAIRN_DAG_STEP_FOLLOW, s, o, 0);
    b->behind = b->blocking;
  } else if (b->behind >> s & 1) {
    b->behind &= ~(UINT32_C(1) << s);
    status = push(b, CAIRN_DAG_STEP_FOLLOW, s, stream_of(b, 0), 0);
  }
  return status;
}

/* The number of an event's record: the last before item i, else the last of
 * the iteration (the former one's, then), else one that nobody records. */
static unsigned event_of(const builder *b, span at, size_t i) {
  const cairn_dag_taken *const taken = b->takens->taken;
  size_t found = SIZE_MAX;
  for (size_t k = at.begin; k < at.end; k++)
    if (taken[k].kind == CAIRN_DAG_ITEM_CER && taken[k].id == taken[i].id &&
        (k <= i || found == SIZE_MAX || found > i))
      found = k;
  return (unsigned)((found == SIZE_MAX ? i : found) - at.begin);
}

static cairn_status fill(builder *b, span at) {
  cairn_status status = number_streams(b, at);
  const int legacy = b->behind != 0;
  if (status == CAIRN_OK && at.end - at.begin > UINT16_MAX) {
    cairn_base_diag_add(b->diag, CAIRN_BASE_ERROR, b->path, 0,
                        "the iteration has more than %d calls", UINT16_MAX);
    status = CAIRN_INPUT;
  }
  for (size_t i = at.begin; status == CAIRN_OK && i < at.end; i++) {
    const cairn_dag_taken *const t = &b->takens->taken[i];
    unsigned id = (unsigned)t->id, stream = 0;
    if (t->kind == CAIRN_DAG_STEP_NONE)
      continue;
    if (t->kind == CAIRN_DAG_ITEM_GPU || t->kind == CAIRN_DAG_ITEM_CER ||
        t->kind == CAIRN_DAG_ITEM_CSW || t->kind == CAIRN_DAG_STEP_STREAM_SYNC)
      stream = stream_of(b, t->stream);
    if (t->kind == CAIRN_DAG_ITEM_GPU || t->kind == CAIRN_DAG_ITEM_CER)
      status = follow(b, stream, legacy);
    if (!is_op(t))
      id = t->kind <= CAIRN_DAG_ITEM_CSW ? event_of(b, at, i) : 0;
    if (status == CAIRN_OK)
      status = push(b, t->kind, stream, id, t->line);
  }
  return status;
}

/* ---- the join ---- */

/* Adds what must be complete at the end: the ops that no other op of the
 * iteration needs.  Ops may be missing, so these may be others than those
 * that the program has before its end. */
static cairn_status add_last(const builder *b, const cairn_dag_reach *reach,
                             cairn_dag_demands *demands) {
  const cairn_lint_capture *const c = b->capture;
  const unsigned end = cairn_dag_program_ops(b->program) - 1;
  char *const issued = cairn_base_zalloc(end, sizeof *issued);
  if (!issued)
    return CAIRN_NOMEM;
  cairn_status status = cairn_base_reserve(&demands->demand, &demands->capacity,
                                           end, sizeof *demands->demand);
  for (size_t i = 0; i < c->count; i++)
    if (c->items[i].kind <= CAIRN_DAG_ITEM_GPU && c->items[i].id < end)
      issued[c->items[i].id] = 1;
  for (unsigned a = 0; status == CAIRN_OK && a < end; a++) {
    unsigned next = 0;
    while (next < end &&
           !(issued[next] && next != a && cairn_dag__reaches(reach, a, next)))
      next++;
    if (issued[a] && next == end)
      demands->demand[demands->count++] =
          (cairn_dag_demand){.a = (uint16_t)a, .b = (uint16_t)end};
  }
  cairn_base_free(issued);
  return status;
}

/* Does `end` put before item p find all that complete? */
static cairn_status joined(const builder *b, size_t p,
                           const cairn_dag_demands *demands, int *yes) {
  const cairn_lint_capture *const c = b->capture;
  const unsigned end = cairn_dag_program_ops(b->program) - 1;
  cairn_dag_order order;
  cairn_dag_item *const items = cairn_base_alloc(p + 1, sizeof *items);
  if (!items)
    return CAIRN_NOMEM;
  if (p > 0)
    memcpy(items, c->items, p * sizeof *items);
  items[p] = (cairn_dag_item){CAIRN_DAG_ITEM_CPU, 0, (uint16_t)end};
  cairn_status status =
      cairn_lint__order_create(b->program, items, p + 1, &order);
  if (status == CAIRN_OK) {
    cairn_lint__order_run(&order, items);
    *yes = 1;
    for (size_t i = 0; i < demands->count; i++)
      *yes &= cairn_lint__order_meets(&order, &demands->demand[i]);
    cairn_lint__order_free(&order);
  }
  cairn_base_free(items);
  return status;
}

/* The first place from which on everything is complete, or SIZE_MAX. */
static cairn_status find_join(const builder *b, size_t *join) {
  const cairn_lint_capture *const c = b->capture;
  cairn_dag_reach reach;
  cairn_dag_demands demands = {0};
  size_t p = c->count;
  int yes = 0;
  cairn_status status = cairn_dag__reach_create(b->program, &reach);
  if (status != CAIRN_OK)
    return status;
  status = add_last(b, &reach, &demands);
  while (p > 0 && c->items[p - 1].kind > CAIRN_DAG_ITEM_GPU)
    p--;
  for (; status == CAIRN_OK && p <= c->count && !yes; p++)
    status = joined(b, p, &demands, &yes);
  *join = yes ? p - 1 : SIZE_MAX;
  cairn_dag__reach_free(&reach);
  cairn_base_free(demands.demand);
  return status;
}

/* start, what stands after the join, the rest, end. */
static cairn_status close_at(builder *b, size_t join) {
  cairn_lint_capture *const c = b->capture;
  const unsigned end = cairn_dag_program_ops(b->program) - 1;
  const cairn_lint_capture old = *c;
  const size_t count = old.count;
  c->items = NULL;
  c->line = NULL;
  c->count = b->room = b->line_room = 0;
  cairn_status status = push(b, CAIRN_DAG_ITEM_CPU, 0, 0, 0);
  for (size_t i = 0; status == CAIRN_OK && i < count; i++) {
    const size_t from = i < count - join ? join + i : i - (count - join);
    const cairn_dag_item item = old.items[from];
    status = push(b, item.kind, item.stream, item.id, old.line[from]);
  }
  if (status == CAIRN_OK)
    status = push(b, CAIRN_DAG_ITEM_CPU, 0, end, 0);
  cairn_base_free(old.items);
  cairn_base_free(old.line);
  return status;
}

static cairn_status build(builder *b, size_t wanted) {
  size_t join = SIZE_MAX;
  cairn_status status = split(b);
  if (status == CAIRN_OK)
    status = choose(b, wanted);
  if (status == CAIRN_OK)
    status = fill(b, b->iteration[b->capture->iteration]);
  if (status == CAIRN_OK)
    status = find_join(b, &join);
  /* what follows the last iteration's join belongs to none */
  if (join != SIZE_MAX && b->capture->iteration + 1 == b->iterations)
    b->capture->count = join;
  if (status == CAIRN_OK && join != SIZE_MAX)
    status = close_at(b, join);
  b->capture->open = join == SIZE_MAX;
  return status;
}

cairn_status cairn_lint_capture_read(const cairn_dag_program *program,
                                     const char *path, const char *text,
                                     const char *const *map, size_t maps,
                                     size_t iteration, cairn_base_diag *diag,
                                     cairn_lint_capture **capture_p) {
  cairn_dag_calls calls = {0};
  cairn_dag_takens takens = {0};
  builder b = {.program = program,
               .path = path,
               .diag = diag,
               .calls = &calls,
               .takens = &takens,
               .capture = cairn_base_zalloc(1, sizeof *b.capture)};
  cairn_status status = b.capture ? CAIRN_OK : CAIRN_NOMEM;
  if (status == CAIRN_OK)
    b.capture->mapped = cairn_base_zalloc(maps, sizeof *b.capture->mapped);
  if (status == CAIRN_OK && !b.capture->mapped)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    b.capture->maps = maps;
  if (status == CAIRN_OK)
    status = cairn_lint__calls_read(path, text, diag, &calls);
  if (status == CAIRN_OK)
    status = cairn_lint__calls_map(program, path, &calls, map, maps,
                                   b.capture->mapped, diag, &takens);
  if (status == CAIRN_OK)
    status = build(&b, iteration);
  if (status == CAIRN_OK)
    b.capture->rank = calls.rank;
  cairn_base_free(b.iteration);
  cairn_base_free(takens.taken);
  cairn_lint__calls_free(&calls);
  if (status != CAIRN_OK)
    cairn_lint_capture_free(b.capture);
  else
    *capture_p = b.capture;
  return status;
}

void cairn_lint_capture_free(cairn_lint_capture *capture) {
  if (!capture)
    return;
  for (size_t i = 0; i < capture->maps; i++)
    cairn_base_free(capture->mapped[i].nearest);
  cairn_base_free(capture->mapped);
  cairn_base_free(capture->items);
  cairn_base_free(capture->line);
  cairn_base_free(capture);
}

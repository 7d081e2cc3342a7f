/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/critical.c - the critical path of a traced execution, and the lower
 * bound of its program.
 *
 * Idea: every item has a part on the control thread, a GPU op also one on its
 * stream.  Walking backwards from the part that ended last, each part names
 * the one that it had to wait for: the latest of those that the rules of
 * issuing allow (the item before; the launch; the op before on the stream; the
 * record that a wait waits for; the peer's post).
 * Invariant: a step backwards goes to an earlier position of the schedule, or
 * from the stream part to the host part of the same one, so walking ends after
 * at most 2 x items steps; and to a time no later than where it stands.
 */
#include <math.h>
#include <string.h>

#include "dag/program/program-private.h"
#include "exec/critical-private.h"
#include <cairn/exec.h>

static const char *const because_text[] = {
#define CAIRN_EXEC_BECAUSE_STRING(name, text) text,
    CAIRN_EXEC_BECAUSE_TABLE(CAIRN_EXEC_BECAUSE_STRING)
#undef CAIRN_EXEC_BECAUSE_STRING
};

const char *cairn_exec_because_text(cairn_exec_because because) {
  return (unsigned)because < sizeof because_text / sizeof *because_text
             ? because_text[because]
             : "unknown";
}

typedef struct part {
  int rank;
  size_t item;
  int on_stream;
} part;

typedef struct finder {
  const cairn_dag_program *program;
  const cairn_dag_item *items;
  size_t count;
  int ranks;
  const cairn_exec_event **at; /* rank * count + item */
  size_t *behind;              /* see find_behind */
  /* the lower bound, by rank * ops + op: longest chain that ends with it, and
   * the op before it in that chain (or SIZE_MAX) */
  double *chain_s;
  size_t *chain_from;
  cairn_exec_critical *out;
} finder;

static const cairn_exec_event *event_of(const finder *f, int rank,
                                        size_t item) {
  return f->at[(size_t)rank * f->count + item];
}

static double part_start(const finder *f, part p) {
  const cairn_exec_event *e = event_of(f, p.rank, p.item);
  return p.on_stream ? e->start_s : e->issue_s;
}

static double part_stop(const finder *f, part p) {
  const cairn_exec_event *e = event_of(f, p.rank, p.item);
  return p.on_stream ? e->stop_s : e->issued_s;
}

/* ---- what a part waits for ---- */

/* For each item, the GPU op that must be done first: for a GPU op the one
 * before it on its stream, for a wait the one that its record stands behind;
 * SIZE_MAX: none. */
static cairn_status find_behind(finder *f) {
  size_t last[CAIRN_DAG_MAX_STREAMS];
  size_t *record = cairn_base_alloc(f->count, sizeof *record);
  f->behind = cairn_base_alloc(f->count, sizeof *f->behind);
  for (size_t s = 0; s < CAIRN_DAG_MAX_STREAMS; s++)
    last[s] = SIZE_MAX;
  for (size_t i = 0; record && f->behind && i < f->count; i++) {
    const cairn_dag_item *item = &f->items[i];
    size_t *at = &last[item->stream % CAIRN_DAG_MAX_STREAMS];
    f->behind[i] = SIZE_MAX;
    if (item->kind == CAIRN_DAG_ITEM_GPU) {
      f->behind[i] = *at;
      *at = i;
    } else if (item->kind == CAIRN_DAG_ITEM_CER && item->id < f->count) {
      record[item->id] = *at;
    } else if (item->kind >= CAIRN_DAG_ITEM_CES && item->id < f->count) {
      f->behind[i] = record[item->id];
    }
  }
  const int ready = record && f->behind;
  cairn_base_free(record);
  return ready ? CAIRN_OK : CAIRN_NOMEM;
}

/* The latest cause so far of a part that is at a standstill until `limit_s`.
 */
typedef struct cause {
  part by;
  cairn_exec_because because;
  double stop_s;
  int found;
} cause;

static void offer(const finder *f, part by, cairn_exec_because because,
                  double limit_s, cause *c) {
  const double stop_s = fmin(part_stop(f, by), limit_s);
  if (c->found && stop_s <= c->stop_s)
    return;
  *c = (cause){by, because, stop_s, 1};
}

static void offer_stream(const finder *f, int rank, size_t item,
                         cairn_exec_because because, double limit_s, cause *c) {
  if (item != SIZE_MAX)
    offer(f, (part){rank, item, 1}, because, limit_s, c);
}

static int has(const cairn_dag_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->name[i], name) == 0)
      return 1;
  return 0;
}

/* Do the posts of op `peer` let messages of `names` (waited for by another
 * rank) be completed?  A receive needs the post of what it comes `from`; a
 * send (with rendezvous) the post of the receive. */
static int releases(const finder *f, const cairn_dag_op *peer, const char *name,
                    int sends_too) {
  const unsigned last = cairn_dag_program_ops(f->program) - 1;
  for (size_t i = 0; sends_too && i < peer->posts.count; i++)
    if (peer->from.count > 0 &&
        strcmp(peer->from.name[peer->from.count == 1 ? 0 : i], name) == 0)
      return 1;
  for (unsigned op = 1; op < last; op++) {
    const cairn_dag_op *own = cairn_dag_program_op(f->program, op);
    for (size_t i = 0; i < own->posts.count && own->from.count > 0; i++)
      if (strcmp(own->posts.name[i], name) == 0 &&
          has(&peer->posts, own->from.name[own->from.count == 1 ? 0 : i]))
        return 1;
  }
  return 0;
}

static int matches(const finder *f, unsigned peer, unsigned waiting,
                   int sends_too) {
  const cairn_dag_op *a = cairn_dag_program_op(f->program, peer);
  const cairn_dag_op *b = cairn_dag_program_op(f->program, waiting);
  for (size_t i = 0; i < b->waits.count; i++)
    if (releases(f, a, b->waits.name[i], sends_too))
      return 1;
  return 0;
}

static void offer_posts(const finder *f, part p, double limit_s, cause *c) {
  const unsigned op = f->items[p.item].id;
  for (size_t i = 0; i < p.item; i++) {
    if (f->items[i].kind != CAIRN_DAG_ITEM_CPU ||
        !matches(f, f->items[i].id, op, 1))
      continue;
    for (int r = 0; r < f->ranks; r++)
      if (r != p.rank)
        offer(f, (part){r, i, 0}, CAIRN_EXEC_BECAUSE_MESSAGE, limit_s, c);
  }
}

/* What lets a waiting item go: it ends after that, not begins. */
static cause release_of(const finder *f, part p, double limit_s) {
  cause c = {.found = 0};
  const cairn_dag_item *item = &f->items[p.item];
  if (p.on_stream)
    return c;
  if (item->kind == CAIRN_DAG_ITEM_CES)
    offer_stream(f, p.rank, f->behind[p.item], CAIRN_EXEC_BECAUSE_SYNC, limit_s,
                 &c);
  else if (item->kind == CAIRN_DAG_ITEM_CPU)
    offer_posts(f, p, limit_s, &c);
  return c;
}

/* What lets a part begin. */
static cause beginning_of(const finder *f, part p, double limit_s) {
  cause c = {.found = 0};
  if (!p.on_stream) {
    if (p.item > 0)
      offer(f, (part){p.rank, p.item - 1, 0}, CAIRN_EXEC_BECAUSE_HOST, limit_s,
            &c);
    return c;
  }
  const unsigned stream = f->items[p.item].stream;
  offer(f, (part){p.rank, p.item, 0}, CAIRN_EXEC_BECAUSE_LAUNCH, limit_s, &c);
  const size_t before = f->behind[p.item];
  offer_stream(f, p.rank, before, CAIRN_EXEC_BECAUSE_STREAM, limit_s, &c);
  for (size_t i = before == SIZE_MAX ? 0 : before; i < p.item; i++)
    if (f->items[i].kind == CAIRN_DAG_ITEM_CSW && f->items[i].stream == stream)
      offer_stream(f, p.rank, f->behind[i], CAIRN_EXEC_BECAUSE_SYNC, limit_s,
                   &c);
  return c;
}

/* ---- the path ---- */

static int waits(const finder *f, part p) {
  const cairn_dag_item *item = &f->items[p.item];
  return !p.on_stream &&
         (item->kind == CAIRN_DAG_ITEM_CES ||
          (item->kind == CAIRN_DAG_ITEM_CPU &&
           cairn_dag_program_op(f->program, item->id)->waits.count > 0));
}

/* Adds the step that ends at stop_s (steps are found last to first); returns
 * its cause. */
static cause walk_back(finder *f, part p, double stop_s) {
  cairn_exec_critical *out = f->out;
  const double begin_s = fmin(part_start(f, p), stop_s);
  cause c = release_of(f, p, stop_s);
  cairn_exec_step s = {.rank = p.rank,
                       .item = (uint32_t)p.item,
                       .on_stream = p.on_stream,
                       .stop_s = stop_s};
  if (c.found && c.stop_s > begin_s) { /* it stood waiting */
    s.start_s = c.stop_s;
    out->wait_s += stop_s - c.stop_s;
  } else {
    c = beginning_of(f, p, begin_s);
    s.start_s = begin_s;
    *(p.on_stream ? &out->gpu_s : &out->host_s) += stop_s - begin_s;
  }
  s.because = c.found ? c.because : CAIRN_EXEC_BECAUSE_START;
  s.from_s = c.found ? c.stop_s : fmin(0, s.start_s);
  out->delay_s += s.start_s - s.from_s;
  out->step[out->steps++] = s;
  return c;
}

static void turn_round(cairn_exec_critical *out) {
  for (size_t i = 0; i < out->steps / 2; i++) {
    const cairn_exec_step s = out->step[i];
    out->step[i] = out->step[out->steps - 1 - i];
    out->step[out->steps - 1 - i] = s;
  }
}

static cairn_status find_path(finder *f) {
  cairn_exec_critical *out = f->out;
  part last = {0, f->count - 1, 0};
  out->step = cairn_base_alloc(2 * f->count, sizeof *out->step);
  if (out->step == NULL)
    return CAIRN_NOMEM;
  for (int r = 1; r < f->ranks; r++)
    if (part_stop(f, (part){r, f->count - 1, 0}) > part_stop(f, last))
      last.rank = r;
  cause c = {last, CAIRN_EXEC_BECAUSE_START, part_stop(f, last), 1};
  out->span_s = c.stop_s;
  while (c.found)
    c = walk_back(f, c.by, c.stop_s);
  turn_round(out);
  return CAIRN_OK;
}

/* ---- the lower bound ---- */

/* What an op needed by itself: its time on the stream; on the host from the
 * call, or from when it was let go, to its end. */
static double own_s(const finder *f, int rank, size_t item) {
  const int on_stream = f->items[item].kind == CAIRN_DAG_ITEM_GPU;
  const part p = {rank, item, on_stream};
  const double stop_s = part_stop(f, p);
  double start_s = part_start(f, p);
  if (waits(f, p)) {
    const cause c = release_of(f, p, stop_s);
    if (c.found)
      start_s = fmax(start_s, c.stop_s);
  }
  return fmax(stop_s - start_s, 0);
}

static void extend_chain(finder *f, size_t from, double stop_s, size_t to,
                         double *longest_s) {
  const double chain_s = f->chain_s[from] - stop_s;
  if (chain_s <= *longest_s)
    return;
  *longest_s = chain_s;
  f->chain_from[to] = from;
}

/* Chains through the peers' posts: what of the post came after the wait's end
 * does not count. */
static void extend_by_messages(finder *f, int rank, size_t item, size_t to,
                               double *longest_s) {
  const size_t ops = cairn_dag_program_ops(f->program);
  const double stop_s = part_stop(f, (part){rank, item, 0});
  for (size_t i = 0; i < item; i++) {
    if (f->items[i].kind != CAIRN_DAG_ITEM_CPU ||
        !matches(f, f->items[i].id, f->items[item].id, 0))
      continue;
    for (int r = 0; r < f->ranks; r++)
      if (r != rank)
        extend_chain(f, (size_t)r * ops + f->items[i].id,
                     fmax(part_stop(f, (part){r, i, 0}) - stop_s, 0), to,
                     longest_s);
  }
}

/* The longest chain that ends with the op at this position. */
static void find_chain(finder *f, int rank, size_t item) {
  const size_t ops = cairn_dag_program_ops(f->program);
  const unsigned op = f->items[item].id;
  const size_t to = (size_t)rank * ops + op;
  size_t n;
  double longest_s = 0;
  const unsigned *pred = cairn_dag__program_preds(f->program, op, &n);
  f->chain_from[to] = SIZE_MAX;
  for (size_t i = 0; i < n; i++)
    extend_chain(f, (size_t)rank * ops + pred[i], 0, to, &longest_s);
  if (f->items[item].kind == CAIRN_DAG_ITEM_CPU)
    extend_by_messages(f, rank, item, to, &longest_s);
  f->chain_s[to] = longest_s + own_s(f, rank, item);
}

static cairn_status list_chain(finder *f, size_t last) {
  cairn_exec_critical *out = f->out;
  const size_t ops = cairn_dag_program_ops(f->program);
  size_t n = 0;
  for (size_t i = last; i != SIZE_MAX; i = f->chain_from[i])
    n++;
  out->bound_op = cairn_base_alloc(n, sizeof *out->bound_op);
  out->bound_rank = cairn_base_alloc(n, sizeof *out->bound_rank);
  if (out->bound_op == NULL || out->bound_rank == NULL)
    return CAIRN_NOMEM;
  out->bound_ops = n;
  for (size_t i = last; i != SIZE_MAX; i = f->chain_from[i]) {
    out->bound_op[--n] = (uint32_t)(i % ops);
    out->bound_rank[n] = (int)(i / ops);
  }
  return CAIRN_OK;
}

static cairn_status find_bound(finder *f) {
  const size_t ops = cairn_dag_program_ops(f->program);
  size_t last = ops - 1;
  f->chain_s = cairn_base_zalloc((size_t)f->ranks * ops, sizeof *f->chain_s);
  f->chain_from =
      cairn_base_zalloc((size_t)f->ranks * ops, sizeof *f->chain_from);
  if (f->chain_s == NULL || f->chain_from == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < f->count; i++) /* all ranks: positions are in order */
    for (int r = 0; r < f->ranks && f->items[i].kind <= CAIRN_DAG_ITEM_GPU; r++)
      find_chain(f, r, i);
  for (int r = 0; r < f->ranks; r++)
    if (f->chain_s[(size_t)r * ops + ops - 1] > f->chain_s[last])
      last = (size_t)r * ops + ops - 1;
  f->out->bound_s = fmin(f->chain_s[last], f->out->span_s);
  return list_chain(f, last);
}

/* ---- all of it ---- */

static cairn_status index_events(finder *f, const cairn_exec_event *events,
                                 size_t count) {
  for (size_t i = 0; i < count; i++)
    if (events[i].rank >= f->ranks)
      f->ranks = events[i].rank + 1;
  f->at = cairn_base_zalloc((size_t)f->ranks * f->count, sizeof *f->at);
  if (f->at == NULL)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    if (events[i].rank >= 0 && events[i].item < f->count)
      f->at[(size_t)events[i].rank * f->count + events[i].item] = &events[i];
  for (size_t i = 0; i < (size_t)f->ranks * f->count; i++)
    if (f->at[i] == NULL)
      return CAIRN_INPUT;
  return f->ranks > 0 && f->count > 0 ? CAIRN_OK : CAIRN_INPUT;
}

void cairn_exec_critical_free(cairn_exec_critical *critical) {
  cairn_base_free(critical->step);
  cairn_base_free(critical->bound_op);
  cairn_base_free(critical->bound_rank);
  *critical = (cairn_exec_critical){0};
}

cairn_status cairn_exec__critical_find(const cairn_dag_program *program,
                                       const cairn_dag_item *items,
                                       size_t count,
                                       const cairn_exec_event *events,
                                       size_t events_count,
                                       cairn_exec_critical *critical_p) {
  cairn_exec_critical out = {0};
  finder f = {.program = program, .items = items, .count = count, .out = &out};
  cairn_status status = index_events(&f, events, events_count);
  if (status == CAIRN_OK)
    status = find_behind(&f);
  if (status == CAIRN_OK)
    status = find_path(&f);
  if (status == CAIRN_OK)
    status = find_bound(&f);
  if (status == CAIRN_OK)
    *critical_p = out;
  else
    cairn_exec_critical_free(&out);
  cairn_base_free(f.at);
  cairn_base_free(f.behind);
  cairn_base_free(f.chain_s);
  cairn_base_free(f.chain_from);
  return status;
}

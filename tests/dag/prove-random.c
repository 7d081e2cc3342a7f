/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/prove-random.c - the checker against the simulator of two ranks:
 * random programs, their schedules, and every single mutation of these (a
 * sync, a post or a wait dropped, moved, swapped with another item, or put on
 * another stream).  The prover, the test for hangs, and the linter must say
 * what the simulator finds, in every case.
 *
 * Usage: prove-random [PROGRAMS]; CAIRN_LONG=1: all schedules of programs up
 * to 5 ops and 200 of each larger one, all mutations; else about 1 % of it.
 */
#include <cairn/dag.h>
#include <cairn/lint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/rng-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include "prove-sim.h"

#define CHECK(ok)                                                              \
  do {                                                                         \
    if (!(ok)) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok);                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

typedef struct test {
  cairn_base_rng rng;
  cairn_dag_program *program;
  cairn_dag_prover *prover;
  sim_program sim;
  uint32_t gpu; /* set of ops */
  int full;     /* all mutations */
  long verdicts, legal, races, hangs, no_ops, missing, linted, unreduced;
  int number; /* of the program */
} test;

/* ---- programs ---- */

static unsigned below(test *t, unsigned n) {
  return cairn_base__rng_below(&t->rng, n);
}

static const char *const message_names[SIM_MESSAGES] = {"m0", "m1", "m2", "m3",
                                                        "m4", "m5", "m6", "m7"};

typedef struct plan {
  int n;
  uint32_t succ[SIM_OPS];
  int pairs;
  int poster[SIM_MESSAGES], waiter[SIM_MESSAGES]; /* waiter 0: nobody */
} plan;

static void plan_messages(test *t, plan *p) {
  int cpu[SIM_OPS], cpus = 0;
  for (int i = 1; i <= p->n; i++)
    if (!(t->gpu >> i & 1))
      cpu[cpus++] = i;
  p->pairs = cpus ? (int)below(t, cpus > 2 ? 3 : 2) : 0;
  for (int m = 0; m < 2 * p->pairs; m++) {
    const int x = cpu[below(t, (unsigned)cpus)];
    const int y = cpu[below(t, (unsigned)cpus)];
    const int swap = x > y && below(t, 8) != 0;
    p->poster[m] = swap ? y : x;
    p->waiter[m] = below(t, 5) ? (swap ? x : y) : 0;
  }
  /* mostly the edges that make it safe, sometimes not */
  if (below(t, 3) == 0)
    return;
  for (int m = 0; m < 2 * p->pairs; m++)
    for (int own = 0; own < 2; own++) {
      const int post = p->poster[own ? m : m ^ 1];
      if (p->waiter[m] > post)
        p->succ[post] |= 1u << p->waiter[m];
    }
}

static void make_plan(test *t, plan *p, int n) {
  memset(p, 0, sizeof *p);
  p->n = n;
  t->gpu = 0;
  for (int i = 1; i <= n; i++)
    t->gpu |= (below(t, 2) ? 1u : 0u) << i;
  const unsigned dense = 2 + below(t, 4);
  for (int i = 1; i <= n; i++)
    for (int k = i + 1; k <= n; k++)
      if (below(t, dense) == 0)
        p->succ[i] |= 1u << k;
  plan_messages(t, p);
}

static void add_ops(test *t, const plan *p) {
  for (int i = 1; i <= p->n; i++) {
    char name[8];
    const char *posts[SIM_MESSAGES], *from[SIM_MESSAGES], *waits[SIM_MESSAGES];
    size_t sends = 0, posted = 0, froms = 0, waited = 0;
    snprintf(name, sizeof name, "o%d", i);
    /* messages 1, 3, ... are receives, from 0, 2, ...; an op's list `from`
     * goes with its posts, so an op posts sends or receives, and the receives
     * of an op that would do both are posted by name of a send of their own */
    for (int m = 0; m < 2 * p->pairs; m++) {
      if (p->poster[m] == i) {
        posts[posted++] = message_names[m];
        if (m & 1)
          from[froms++] = message_names[m ^ 1];
        else
          sends++;
      }
      if (p->waiter[m] == i)
        waits[waited++] = message_names[m];
    }
    CHECK(sends == 0 || froms == 0);
    const cairn_dag_op op = {.name = name,
                             .kind = (t->gpu >> i & 1) ? CAIRN_DAG_GPU
                                                       : CAIRN_DAG_CPU,
                             .posts = {posts, posted},
                             .from = {from, froms},
                             .waits = {waits, waited}};
    unsigned id;
    CHECK(cairn_dag_program_add_op(t->program, &op, NULL, &id) == CAIRN_OK);
    CHECK(id == (unsigned)i);
  }
}

/* The same for the simulator, straight from the plan. */
static void fill_sim(test *t, const plan *p) {
  sim_program *const s = &t->sim;
  memset(s, 0, sizeof *s);
  s->ops = p->n + 2;
  for (int i = 1; i <= p->n; i++) {
    for (int k = 1; k <= p->n; k++)
      if (p->succ[i] >> k & 1)
        s->preds[k] |= 1u << i;
    if (!p->succ[i])
      s->preds[p->n + 1] |= 1u << i;
  }
  for (int i = 1; i <= p->n; i++)
    if (!s->preds[i])
      s->preds[i] = 1;
  for (int m = 0; m < 2 * p->pairs; m++) {
    s->posts[p->poster[m]] |= 1u << m;
    if (p->waiter[m])
      s->waits[p->waiter[m]] |= 1u << m;
    s->match[m] |= 1u << (m ^ 1);
  }
}

/* An op posts sends or receives, not both (the file format says so). */
static int postable(const plan *p) {
  for (int m = 0; m < 2 * p->pairs; m += 1)
    for (int k = 0; k < 2 * p->pairs; k++)
      if (p->poster[m] == p->poster[k] && ((m ^ k) & 1))
        return 0;
  return 1;
}

static void make_program(test *t, int n) {
  plan p;
  do {
    make_plan(t, &p, n);
  } while (!postable(&p));
  CHECK(cairn_dag_program_create("random", &t->program) == CAIRN_OK);
  add_ops(t, &p);
  for (int i = 1; i <= n; i++)
    for (int k = i + 1; k <= n; k++)
      if (p.succ[i] >> k & 1)
        CHECK(cairn_dag_program_add_edge(t->program, (unsigned)i, (unsigned)k,
                                         NULL) == CAIRN_OK);
  CHECK(cairn_dag_program_seal(t->program, NULL) == CAIRN_OK);
  CHECK(cairn_dag__prover_create(t->program, &t->prover) == CAIRN_OK);
  fill_sim(t, &p);
}

/* ---- verdicts ---- */

static void complain(test *t, const cairn_dag_item *items, size_t count,
                     const char *what) {
  cairn_base_text text = {0};
  for (size_t i = 0; i < count; i++) {
    cairn_lint_item(t->program, items[i], NULL, &text);
    cairn_base_text_add(&text, " ");
  }
  fprintf(stderr, "program %d: %s: %s\n", t->number, what, text.data);
  for (int i = 0; i < t->sim.ops; i++)
    fprintf(stderr, "  op %d: preds %x posts %x waits %x%s\n", i,
            t->sim.preds[i], t->sim.posts[i], t->sim.waits[i],
            (t->gpu >> i & 1) ? " gpu" : "");
  exit(1);
}

static void check_lint(test *t, const cairn_dag_item *items, size_t count,
                       const sim_verdict *v) {
  cairn_lint_report *report;
  uint32_t early[SIM_OPS] = {0};
  int hang = 0, no_op = 0;
  CHECK(cairn_lint(t->program, items, count, CAIRN_LINT_WRONG_ONLY, NULL,
                   &report) == CAIRN_OK);
  for (size_t i = 0; i < report->count; i++) {
    const cairn_lint_finding *const f = &report->finding[i];
    if (f->kind == CAIRN_LINT_FINDING_RACE ||
        f->kind == CAIRN_LINT_FINDING_ORDER)
      early[f->to] |= 1u << f->from;
    hang |= f->kind == CAIRN_LINT_FINDING_DEADLOCK;
    no_op |= f->kind == CAIRN_LINT_FINDING_UNRECORDED_WAIT;
  }
  if (report->legal != !(v->race || v->hang || v->missing || v->no_op))
    complain(t, items, count, "lint differs");
  if (hang != v->hang || no_op != v->no_op)
    complain(t, items, count, "lint differs in hangs or waits");
  /* past a hang nothing starts, and what is missing never does */
  if (!v->hang && !v->missing && memcmp(early, v->early, sizeof early) != 0)
    complain(t, items, count, "lint names other edges");
  cairn_lint_report_free(report);
  t->linted++;
}

static void verdict(test *t, const cairn_dag_item *items, size_t count) {
  sim_step steps[SIM_STEPS];
  sim_verdict v;
  CHECK(count <= SIM_STEPS);
  for (size_t i = 0; i < count; i++)
    steps[i] = (sim_step){items[i].kind, items[i].stream, (uint8_t)items[i].id};
  sim_run(&t->sim, steps, (int)count, 1, &v);
  if (t->verdicts % (t->full ? 8192 : 64) == 0) {
    sim_verdict all;
    sim_run(&t->sim, steps, (int)count, 0, &all);
    t->unreduced++;
    if (all.race != v.race || all.hang != v.hang ||
        memcmp(all.early, v.early, sizeof v.early) != 0)
      complain(t, items, count, "the reduced simulator differs from the full");
  }
  const int legal = cairn_dag__prover_legal(t->prover, items, count);
  const int hangs = cairn_dag__prover_hangs(t->prover, items, count);
  if (hangs != v.hang)
    complain(t, items, count, hangs ? "no hang" : "hang not seen");
  /* past a hang nothing starts, so no race there is ever seen */
  if (!hangs && legal != !(v.race || v.missing || v.no_op))
    complain(t, items, count, legal ? "accepted wrongly" : "refused wrongly");
  if (hangs && legal && (v.race || v.missing || v.no_op))
    complain(t, items, count, "accepted wrongly");
  if (t->verdicts % 16 == 0)
    check_lint(t, items, count, &v);
  t->verdicts++;
  t->legal += legal && !hangs;
  t->races += v.race;
  t->hangs += v.hang;
  t->no_ops += v.no_op;
  t->missing += v.missing;
}

/* ---- mutations ---- */

static int mutable_item(const test *t, cairn_dag_item item) {
  return item.kind >= CAIRN_DAG_ITEM_CER || t->sim.posts[item.id] != 0 ||
         t->sim.waits[item.id] != 0;
}

static int chosen(test *t) { return t->full || below(t, 100) < 12; }

static void drop(test *t, const cairn_dag_item *items, size_t count,
                 size_t at) {
  cairn_dag_item copy[SIM_STEPS];
  memcpy(copy, items, at * sizeof *copy);
  memcpy(copy + at, items + at + 1, (count - at - 1) * sizeof *copy);
  verdict(t, copy, count - 1);
}

/* The item moves to place `to` (counted in the result). */
static void move(test *t, const cairn_dag_item *items, size_t count, size_t at,
                 size_t to) {
  cairn_dag_item copy[SIM_STEPS];
  const cairn_dag_item item = items[at];
  memcpy(copy, items, count * sizeof *copy);
  memmove(copy + at, copy + at + 1, (count - at - 1) * sizeof *copy);
  memmove(copy + to + 1, copy + to, (count - to - 1) * sizeof *copy);
  copy[to] = item;
  verdict(t, copy, count);
}

static void swap(test *t, const cairn_dag_item *items, size_t count, size_t a,
                 size_t b) {
  cairn_dag_item copy[SIM_STEPS];
  memcpy(copy, items, count * sizeof *copy);
  copy[a] = items[b];
  copy[b] = items[a];
  verdict(t, copy, count);
}

static void other_stream(test *t, const cairn_dag_item *items, size_t count,
                         size_t at) {
  cairn_dag_item copy[SIM_STEPS];
  if (items[at].kind != CAIRN_DAG_ITEM_CER &&
      items[at].kind != CAIRN_DAG_ITEM_CSW)
    return;
  memcpy(copy, items, count * sizeof *copy);
  copy[at].stream ^= 1;
  verdict(t, copy, count);
}

/* Between start and end. */
static void mutate(test *t, const cairn_dag_item *items, size_t count) {
  verdict(t, items, count);
  for (size_t i = 1; i + 1 < count; i++) {
    if (!mutable_item(t, items[i]))
      continue;
    if (chosen(t))
      drop(t, items, count, i);
    if (chosen(t))
      other_stream(t, items, count, i);
    for (size_t k = 1; k + 1 < count; k++) {
      if (k != i && chosen(t))
        move(t, items, count, i, k);
      if (k != i && (k > i || !mutable_item(t, items[k])) && chosen(t))
        swap(t, items, count, i, k);
    }
  }
}

static int visit(void *context, const cairn_dag_item *items, size_t count) {
  test *const t = context;
  CHECK(cairn_dag__prover_legal(t->prover, items, count));
  mutate(t, items, count);
  return 0;
}

static void some(test *t, int schedules) {
  cairn_dag_walk *walk;
  CHECK(cairn_dag__walk_create(t->program, 2, &walk) == CAIRN_OK);
  for (int i = 0; i < schedules; i++) {
    cairn_dag_item items[SIM_STEPS];
    size_t count;
    cairn_dag__walk_reset(walk);
    cairn_dag__walk_rollout(walk, &t->rng);
    const cairn_dag_item *const made = cairn_dag__walk_items(walk, &count);
    CHECK(count <= SIM_STEPS);
    memcpy(items, made, count * sizeof *items);
    visit(t, items, cairn_dag__schedule_tidy(items, count));
  }
  cairn_dag__walk_free(walk);
}

/* The program can deadlock exactly when one of its orders does. */
static int note_hang(void *context, const cairn_dag_item *items, size_t count) {
  test *const t = context;
  t->hangs = cairn_dag__prover_hangs(t->prover, items, count);
  return t->hangs != 0;
}

static void check_deadlocks(test *t) {
  const long hangs = t->hangs;
  cairn_dag_deadlock *list;
  size_t count;
  CHECK(cairn_dag_program_deadlocks(t->program, &list, &count) == CAIRN_OK);
  for (size_t i = 0; i < count; i++) {
    cairn_dag_schedule shown = {0};
    CHECK(cairn_dag_deadlock_show(t->program, &list[i], &shown) == CAIRN_OK);
    CHECK(cairn_dag__prover_legal(t->prover, shown.items, shown.count));
    CHECK(cairn_dag__prover_hangs(t->prover, shown.items, shown.count));
    verdict(t, shown.items, shown.count);
    cairn_dag_schedule_free(&shown);
  }
  cairn_base_free(list);
  CHECK((cairn_dag_program_deadlock_free(t->program, NULL) == CAIRN_OK) ==
        (count == 0));
  const long seen = t->hangs;
  t->hangs = 0;
  CHECK(cairn_dag_space_enumerate(t->program, 1, CAIRN_DAG_SYNC_TIDY, note_hang,
                                  t) == CAIRN_OK);
  if ((t->hangs != 0) != (count != 0)) {
    fprintf(stderr, "program %d: deadlocks: %zu\n", t->number, count);
    exit(1);
  }
  t->hangs = seen > hangs ? seen : hangs;
}

int main(int argc, char **argv) {
  test t = {0};
  const int programs = argc > 1 ? atoi(argv[1]) : 1000;
  const char *const lengthy = getenv("CAIRN_LONG");
  const clock_t begin = clock();
  t.full = lengthy && *lengthy && *lengthy != '0';
  cairn_base__rng_seed(&t.rng, 20260701);
  for (t.number = 0; t.number < programs; t.number++) {
    const int n = 1 + t.number % 7;
    make_program(&t, n);
    if (!t.full)
      some(&t, 2);
    else if (n > 5)
      some(&t, 200);
    else
      CHECK(cairn_dag_space_enumerate(t.program, 2, CAIRN_DAG_SYNC_TIDY, visit,
                                      &t) == CAIRN_OK);
    check_deadlocks(&t);
    cairn_dag__prover_free(t.prover);
    cairn_dag_program_free(t.program);
  }
  printf("%d programs, %ld verdicts, none differs: %ld safe, %ld with races, "
         "%ld with hangs, %ld with void waits, %ld incomplete; %ld also "
         "linted, %ld also simulated without reduction; %.1f s\n",
         programs, t.verdicts, t.legal, t.races, t.hangs, t.no_ops, t.missing,
         t.linted, t.unreduced, (double)(clock() - begin) / CLOCKS_PER_SEC);
  return t.verdicts > 0 ? 0 : 1;
}

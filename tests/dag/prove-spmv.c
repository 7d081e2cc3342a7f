/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/prove-spmv.c - the checker on the sparse matrix-vector product:
 * every schedule of the space is legal, the minimal ones are as many as two
 * independent enumerators found, and each loss of one sync of a minimal
 * schedule is a race on just the edges that the simulator sees.
 */
#include <cairn/dag.h>
#include <cairn/lint.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dag/prove/prove-private.h"
#include "prove-sim.h"

#define CHECK(ok)                                                              \
  do {                                                                         \
    if (!(ok)) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok);                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

enum { START, PACK, YL, POST_RECV, POST_SEND, WAIT_RECV, WAIT_SEND, YR, Y };
#define MOST 9000

typedef struct kept {
  cairn_dag_item items[SIM_STEPS];
  size_t count;
} kept;

typedef struct all {
  cairn_dag_program *program;
  cairn_dag_prover *prover;
  kept *list;
  size_t count;
} all;

static unsigned add(cairn_dag_program *p, const char *name,
                    cairn_dag_op_kind kind, const char *posts, const char *from,
                    const char *waits) {
  unsigned id;
  const cairn_dag_op op = {.name = name,
                           .kind = kind,
                           .posts = {&posts, posts != NULL},
                           .from = {&from, from != NULL},
                           .waits = {&waits, waits != NULL}};
  CHECK(cairn_dag_program_add_op(p, &op, NULL, &id) == CAIRN_OK);
  return id;
}

static const unsigned edges[][2] = {{PACK, POST_SEND},
                                    {POST_SEND, WAIT_RECV},
                                    {POST_RECV, WAIT_RECV},
                                    {POST_SEND, WAIT_SEND},
                                    {POST_RECV, WAIT_SEND},
                                    {WAIT_RECV, YR},
                                    {YL, Y},
                                    {YR, Y}};

static cairn_dag_program *spmv(void) {
  cairn_dag_program *p;
  CHECK(cairn_dag_program_create("spmv", &p) == CAIRN_OK);
  add(p, "Pack", CAIRN_DAG_GPU, NULL, NULL, NULL);
  add(p, "yl", CAIRN_DAG_GPU, NULL, NULL, NULL);
  add(p, "PostRecv", CAIRN_DAG_CPU, "recv", "send", NULL);
  add(p, "PostSend", CAIRN_DAG_CPU, "send", NULL, NULL);
  add(p, "WaitRecv", CAIRN_DAG_CPU, NULL, NULL, "recv");
  add(p, "WaitSend", CAIRN_DAG_CPU, NULL, NULL, "send");
  add(p, "yr", CAIRN_DAG_GPU, NULL, NULL, NULL);
  CHECK(add(p, "y", CAIRN_DAG_GPU, NULL, NULL, NULL) == Y);
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    CHECK(cairn_dag_program_add_edge(p, edges[i][0], edges[i][1], NULL) ==
          CAIRN_OK);
  CHECK(cairn_dag_program_seal(p, NULL) == CAIRN_OK);
  return p;
}

static void fill_sim(sim_program *s) {
  memset(s, 0, sizeof *s);
  s->ops = 10;
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++)
    s->preds[edges[i][1]] |= 1u << edges[i][0];
  for (int i = PACK; i <= Y; i++)
    if (!s->preds[i])
      s->preds[i] = 1u << START;
  s->preds[9] = 1u << Y | 1u << WAIT_SEND;
  s->posts[POST_RECV] = 1;
  s->posts[POST_SEND] = 2;
  s->waits[WAIT_RECV] = 1;
  s->waits[WAIT_SEND] = 2;
  s->match[0] = 2;
  s->match[1] = 1;
}

static int collect(void *context, const cairn_dag_item *items, size_t count) {
  all *const a = context;
  CHECK(cairn_dag__prover_legal(a->prover, items, count));
  CHECK(!cairn_dag__prover_hangs(a->prover, items, count));
  CHECK(a->count < MOST && count <= SIM_STEPS);
  memset(&a->list[a->count], 0, sizeof *a->list);
  memcpy(a->list[a->count].items, items, count * sizeof *items);
  a->list[a->count++].count = count;
  return 0;
}

static int by_bytes(const void *left, const void *right) {
  return memcmp(left, right, sizeof(kept));
}

static size_t unique(kept *list, size_t count) {
  size_t left = 0;
  qsort(list, count, sizeof *list, by_bytes);
  for (size_t i = 0; i < count; i++)
    if (left == 0 || by_bytes(&list[left - 1], &list[i]) != 0)
      list[left++] = list[i];
  return left;
}

/* How many findings the linter has; all must be of waste. */
static size_t lint_waste(const cairn_dag_program *program, const kept *k) {
  cairn_lint_report *report;
  CHECK(cairn_lint(program, k->items, k->count, 0, NULL, &report) == CAIRN_OK);
  CHECK(report->legal);
  const size_t count = report->count;
  for (size_t i = 0; i < count; i++)
    CHECK(report->finding[i].kind == CAIRN_LINT_FINDING_REDUNDANT_STREAM_WAIT ||
          report->finding[i].kind == CAIRN_LINT_FINDING_REDUNDANT_HOST_SYNC);
  cairn_lint_report_free(report);
  return count;
}

/* streams, tidy schedules, minimal, minimal but not tidy, with waste (the
 * last two known for two streams only) */
static void count_minimal(all *a, unsigned streams, size_t tidy, size_t minimal,
                          size_t outside, size_t wasteful) {
  size_t new = 0, waste = 0;
  a->count = 0;
  CHECK(cairn_dag_space_enumerate(a->program, streams, CAIRN_DAG_SYNC_TIDY,
                                  collect, a) == CAIRN_OK);
  CHECK(a->count == tidy && unique(a->list, a->count) == tidy);
  kept *const before = malloc(tidy * sizeof *before);
  CHECK(before);
  memcpy(before, a->list, tidy * sizeof *before);
  for (size_t i = 0; i < tidy; i++) {
    kept *const k = &a->list[i];
    const size_t count =
        cairn_dag__prover_minimize(a->prover, k->items, k->count);
    if (outside)
      CHECK(lint_waste(a->program, &before[i]) ==
            (by_bytes(k, &before[i]) != 0));
    waste += count != k->count;
    memset(k->items + count, 0, (SIM_STEPS - count) * sizeof *k->items);
    k->count = count;
    CHECK(cairn_dag__prover_legal(a->prover, k->items, count));
  }
  a->count = unique(a->list, tidy);
  for (size_t i = 0; i < a->count; i++)
    new += !bsearch(&a->list[i], before, tidy, sizeof *before, by_bytes);
  printf("%u streams: %zu tidy, %zu minimal, %zu of them new; %zu tidy ones "
         "hold a needless wait\n",
         streams, tidy, a->count, new, waste);
  CHECK(a->count == minimal);
  if (outside)
    CHECK(new == outside &&waste == wasteful);
  free(before);
}

/* Drops sync `at`; the linter must name the edges that the simulator sees. */
static void check_removal(const all *a, const sim_program *sim, const kept *k,
                          size_t at) {
  cairn_dag_item left[SIM_STEPS];
  sim_step steps[SIM_STEPS];
  sim_verdict v;
  uint32_t early[SIM_OPS] = {0};
  cairn_lint_report *report;
  size_t n = 0;
  for (size_t i = 0; i < k->count; i++)
    if (i != at)
      left[n++] = k->items[i];
  for (size_t i = 0; i < n; i++)
    steps[i] = (sim_step){left[i].kind, left[i].stream, (uint8_t)left[i].id};
  sim_run(sim, steps, (int)n, 1, &v);
  CHECK(v.race && !v.hang);
  CHECK(!cairn_dag__prover_legal(a->prover, left, n));
  CHECK(cairn_lint(a->program, left, n, 0, NULL, &report) == CAIRN_OK);
  CHECK(!report->legal);
  for (size_t i = 0; i < report->count; i++)
    if (report->finding[i].kind == CAIRN_LINT_FINDING_RACE) {
      CHECK(report->finding[i].text && report->finding[i].repair);
      early[report->finding[i].to] |= 1u << report->finding[i].from;
    }
  CHECK(memcmp(early, v.early, sizeof early) == 0);
  cairn_lint_report_free(report);
}

static void check_removals(const all *a) {
  sim_program sim;
  size_t removals = 0;
  fill_sim(&sim);
  for (size_t i = 0; i < a->count; i++)
    for (size_t at = 0; at < a->list[i].count; at++)
      if (a->list[i].items[at].kind >= CAIRN_DAG_ITEM_CER) {
        check_removal(a, &sim, &a->list[i], at);
        removals++;
      }
  printf("%zu removals of one sync, each a race on the right edges\n",
         removals);
  CHECK(removals == 10340);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void time_prover(const all *a) {
  const double begin = seconds();
  size_t proofs = 0;
  for (int round = 0; round < 50; round++)
    for (size_t i = 0; i < a->count; i++, proofs++)
      CHECK(cairn_dag__prover_legal(a->prover, a->list[i].items,
                                    a->list[i].count));
  const double each = (seconds() - begin) / (double)proofs;
  printf("%.3f us a proof\n", each * 1e6);
#if !defined __SANITIZE_ADDRESS__ && !defined __SANITIZE_THREAD__
  CHECK(each < 2e-6);
#endif
}

int main(void) {
  all a = {.program = spmv()};
  a.list = malloc(MOST * sizeof *a.list);
  CHECK(a.list && cairn_dag__prover_create(a.program, &a.prover) == CAIRN_OK);
  count_minimal(&a, 1, 175, 175, 0, 0);
  count_minimal(&a, 3, 8507, 8147, 0, 0);
  count_minimal(&a, 2, 2036, 1856, 48, 228);
  check_removals(&a);
  time_prover(&a);
  cairn_dag__prover_free(a.prover);
  cairn_dag_program_free(a.program);
  free(a.list);
  return 0;
}

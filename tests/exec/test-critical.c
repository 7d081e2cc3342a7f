/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-critical.c - the critical path of a trace made by hand,
 * worked out with pencil and paper, and what holds for any trace.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <string.h>

#include "base/mem-private.h"
#include "base/rng-private.h"
#include "exec/critical-private.h"
#include <cairn/exec.h>

/* ---- the ring program and one schedule of it ---- */

static const char *const TEXT =
    "start fill@0 other@1 PostRecv CER-after-fill@0#0 CES-b4-PostSend#0 "
    "PostSend Wait CER-after-other@1#1 CSW-after-other-b4-add@0#1 add@0 "
    "CER-after-add@0#2 CES-b4-end#2 end";
enum { ITEMS = 14, RANKS = 2 };

static unsigned add_op(cairn_dag_program *p, const char *name, int gpu,
                       const char *posts, const char *from, const char *waits,
                       size_t waits_count) {
  const char *const wait[] = {waits, "send"};
  const cairn_dag_op op = {.name = name,
                           .kind = gpu ? CAIRN_DAG_GPU : CAIRN_DAG_CPU,
                           .posts = {&posts, posts != NULL},
                           .from = {&from, from != NULL},
                           .waits = {wait, waits_count}};
  unsigned id;
  assert_int_equal(cairn_dag_program_add_op(p, &op, NULL, &id), CAIRN_OK);
  return id;
}

static cairn_dag_program *ring(void) {
  cairn_dag_program *p;
  assert_int_equal(cairn_dag_program_create("ring", &p), CAIRN_OK);
  const unsigned fill = add_op(p, "fill", 1, NULL, NULL, NULL, 0);
  const unsigned other = add_op(p, "other", 1, NULL, NULL, NULL, 0);
  const unsigned recv = add_op(p, "PostRecv", 0, "recv", "send", NULL, 0);
  const unsigned send = add_op(p, "PostSend", 0, "send", NULL, NULL, 0);
  const unsigned wait = add_op(p, "Wait", 0, NULL, NULL, "recv", 2);
  const unsigned add = add_op(p, "add", 1, NULL, NULL, NULL, 0);
  const unsigned edge[][2] = {
      {fill, send}, {recv, wait}, {send, wait}, {wait, add}, {other, add}};
  for (size_t i = 0; i < sizeof edge / sizeof *edge; i++)
    assert_int_equal(
        cairn_dag_program_add_edge(p, edge[i][0], edge[i][1], NULL), CAIRN_OK);
  assert_int_equal(cairn_dag_program_set_streams(p, 2), CAIRN_OK);
  assert_int_equal(cairn_dag_program_seal(p, NULL), CAIRN_OK);
  return p;
}

static cairn_dag_schedule schedule_of(const cairn_dag_program *p) {
  cairn_dag_schedule s = {0};
  assert_int_equal(cairn_dag_schedule_parse(p, TEXT, NULL, &s), CAIRN_OK);
  assert_int_equal(s.count, ITEMS);
  return s;
}

/* ---- by hand ---- */

/* Microseconds: issue, issued, start, stop; host items: start = issue. */
static const double TIME[RANKS][ITEMS][4] = {
    {{0, 0},
     {0, 1, 2, 10},    /* fill */
     {1, 2, 3, 6},     /* other */
     {2, 3},           /* PostRecv */
     {3, 3.5},         /* CER */
     {3.5, 10.5},      /* CES: fill was done at 10 */
     {10.5, 11.5},     /* PostSend */
     {11.5, 31},       /* Wait: rank 1 posted at 25 */
     {31, 31.5},       /* CER */
     {31.5, 32},       /* CSW */
     {32, 33, 34, 40}, /* add */
     {33, 33.5},       /* CER */
     {33.5, 40.5},     /* CES: add was done at 40 */
     {40.5, 41}},      /* end */
    {{0, 0},
     {0, 1, 2, 22},
     {1, 2, 3, 6},
     {2, 3},
     {3, 3.5},
     {3.5, 23}, /* fill was done at 22 */
     {23, 25},
     {25, 27}, /* rank 0 had posted: no waiting */
     {27, 27.5},
     {27.5, 28},
     {28, 29, 30, 35},
     {29, 29.5},
     {29.5, 35.5},
     {35.5, 36.5}}};

static void fill_events(cairn_exec_event *event) {
  for (int r = 0; r < RANKS; r++)
    for (uint32_t i = 0; i < ITEMS; i++) {
      const double *t = TIME[r][i];
      const int gpu = t[3] > 0;
      event[r * ITEMS + (int)i] =
          (cairn_exec_event){.rank = r,
                             .item = i,
                             .issue_s = t[0] * 1e-6,
                             .issued_s = t[1] * 1e-6,
                             .start_s = t[gpu ? 2 : 0] * 1e-6,
                             .stop_s = t[gpu ? 3 : 1] * 1e-6};
    }
}

#define START CAIRN_EXEC_BECAUSE_START
#define HOST CAIRN_EXEC_BECAUSE_HOST
#define LAUNCH CAIRN_EXEC_BECAUSE_LAUNCH
#define SYNC CAIRN_EXEC_BECAUSE_SYNC
#define MESSAGE CAIRN_EXEC_BECAUSE_MESSAGE

static const struct {
  int rank, on_stream;
  uint32_t item;
  cairn_exec_because because;
  double from, start, stop;
} PATH[] = {{1, 0, 0, START, 0, 0, 0},      {1, 0, 1, HOST, 0, 0, 1},
            {1, 1, 1, LAUNCH, 1, 2, 22},    {1, 0, 5, SYNC, 22, 22, 23},
            {1, 0, 6, HOST, 23, 23, 25},    {0, 0, 7, MESSAGE, 25, 25, 31},
            {0, 0, 8, HOST, 31, 31, 31.5},  {0, 0, 9, HOST, 31.5, 31.5, 32},
            {0, 0, 10, HOST, 32, 32, 33},   {0, 1, 10, LAUNCH, 33, 34, 40},
            {0, 0, 12, SYNC, 40, 40, 40.5}, {0, 0, 13, HOST, 40.5, 40.5, 41}};

static void close_to(double value_s, double expected_us) {
  if (!(fabs(value_s * 1e6 - expected_us) < 1e-9))
    fail_msg("%.12g us is not %.12g us", value_s * 1e6, expected_us);
}

static void by_hand(void **state) {
  cairn_dag_program *p = ring();
  cairn_dag_schedule s = schedule_of(p);
  cairn_exec_event event[RANKS * ITEMS];
  cairn_exec_critical c;
  (void)state;
  fill_events(event);
  assert_int_equal(
      cairn_exec__critical_find(p, s.items, s.count, event, RANKS * ITEMS, &c),
      CAIRN_OK);
  assert_int_equal(c.steps, sizeof PATH / sizeof *PATH);
  for (size_t i = 0; i < c.steps; i++) {
    assert_int_equal(c.step[i].rank, PATH[i].rank);
    assert_int_equal(c.step[i].item, PATH[i].item);
    assert_int_equal(c.step[i].on_stream, PATH[i].on_stream);
    assert_int_equal(c.step[i].because, PATH[i].because);
    close_to(c.step[i].from_s, PATH[i].from);
    close_to(c.step[i].start_s, PATH[i].start);
    close_to(c.step[i].stop_s, PATH[i].stop);
  }
  close_to(c.span_s, 41);
  close_to(c.gpu_s, 20 + 6);
  close_to(c.host_s, 1 + 2 + 0.5 + 0.5 + 1 + 0.5);
  close_to(c.wait_s, 1 + 6 + 0.5);
  close_to(c.delay_s, 1 + 1);
  /* rank 1: fill 20, PostSend 2; rank 0: Wait 6 after that, add 6, end 0.5 */
  static const char *const chain[] = {"fill", "PostSend", "Wait", "add", "end"};
  close_to(c.bound_s, 34.5);
  assert_int_equal(c.bound_ops, 5);
  for (size_t i = 0; i < 5; i++) {
    assert_string_equal(cairn_dag_program_op(p, c.bound_op[i])->name, chain[i]);
    assert_int_equal(c.bound_rank[i], i < 2);
  }
  cairn_exec_critical_free(&c);
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(p);
}

/* ---- any trace ---- */

static int is_on(const cairn_dag_schedule *s, uint32_t item, int kind) {
  return s->items[item].kind == kind;
}

/* Is `a` a reason of this kind for `b`, by the schedule alone? */
static int follows(const cairn_dag_schedule *s, const cairn_exec_step *a,
                   const cairn_exec_step *b) {
  switch (b->because) {
  case CAIRN_EXEC_BECAUSE_HOST:
    return a->rank == b->rank && !a->on_stream && !b->on_stream &&
           a->item + 1 == b->item;
  case CAIRN_EXEC_BECAUSE_LAUNCH:
    return a->rank == b->rank && !a->on_stream && b->on_stream &&
           a->item == b->item;
  case CAIRN_EXEC_BECAUSE_STREAM:
    return a->rank == b->rank && a->on_stream && b->on_stream &&
           a->item < b->item &&
           s->items[a->item].stream == s->items[b->item].stream;
  case CAIRN_EXEC_BECAUSE_SYNC: /* fill 1 -> CES 5, add 10 -> CES 12, other 2
                                   -> CSW -> add 10 */
    return a->rank == b->rank && a->on_stream &&
           ((a->item == 1 && b->item == 5) ||
            (a->item == 10 && b->item == 12) ||
            (a->item == 2 && b->item == 10 && b->on_stream));
  case CAIRN_EXEC_BECAUSE_MESSAGE: /* a post of the other rank -> Wait */
    return a->rank != b->rank && (a->item == 3 || a->item == 6) && b->item == 7;
  default:
    return 0;
  }
}

static void check_any(const cairn_dag_schedule *s,
                      const cairn_exec_critical *c) {
  double sum_s = c->gpu_s + c->host_s + c->wait_s + c->delay_s;
  assert_true(fabs(sum_s - (c->span_s - c->step[0].from_s)) < 1e-12);
  assert_true(c->bound_s <= c->span_s + 1e-12);
  assert_int_equal(c->step[0].because, CAIRN_EXEC_BECAUSE_START);
  assert_int_equal(c->step[0].item, 0);
  assert_true(is_on(s, c->step[c->steps - 1].item, CAIRN_DAG_ITEM_CPU));
  for (size_t i = 0; i < c->steps; i++) {
    const cairn_exec_step *b = &c->step[i];
    assert_true(b->from_s <= b->start_s && b->start_s <= b->stop_s);
    if (i == 0)
      continue;
    assert_true(b->from_s == c->step[i - 1].stop_s);
    if (!follows(s, &c->step[i - 1], b))
      fail_msg("step %zu: item %u after item %u, because %s", i, b->item,
               c->step[i - 1].item, cairn_exec_because_text(b->because));
  }
}

/* Times at random, in no sensible order at all. */
static void any_times(void **state) {
  cairn_dag_program *p = ring();
  cairn_dag_schedule s = schedule_of(p);
  cairn_exec_event event[RANKS * ITEMS];
  cairn_base_rng rng;
  (void)state;
  cairn_base__rng_seed(&rng, 5);
  for (int trial = 0; trial < 2000; trial++) {
    cairn_exec_critical c;
    const double jitter_s = trial % 4 * 2e-6; /* 0: as by hand */
    fill_events(event);
    for (int i = 0; i < RANKS * ITEMS; i++) {
      event[i].issue_s += jitter_s * cairn_base__rng_normal(&rng);
      event[i].issued_s += jitter_s * cairn_base__rng_normal(&rng);
      event[i].start_s += jitter_s * cairn_base__rng_normal(&rng);
      event[i].stop_s += jitter_s * cairn_base__rng_normal(&rng);
    }
    assert_int_equal(cairn_exec__critical_find(p, s.items, s.count, event,
                                               RANKS * ITEMS, &c),
                     CAIRN_OK);
    check_any(&s, &c);
    cairn_exec_critical_free(&c);
  }
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(p);
}

static void refusals(void **state) {
  cairn_dag_program *p = ring();
  cairn_dag_schedule s = schedule_of(p);
  cairn_exec_event event[RANKS * ITEMS];
  cairn_exec_critical c;
  cairn_status status;
  (void)state;
  fill_events(event);
  assert_int_equal(cairn_exec__critical_find(p, s.items, s.count, event,
                                             RANKS * ITEMS - 1, &c),
                   CAIRN_INPUT);
  assert_int_equal(cairn_exec__critical_find(p, s.items, s.count, event, 0, &c),
                   CAIRN_INPUT);
  int failures = 0;
  do {
    cairn_base__mem_fail((size_t)++failures, 0);
    status = cairn_exec__critical_find(p, s.items, s.count, event,
                                       RANKS * ITEMS, &c);
    cairn_base__mem_fail(0, 0);
    assert_true(status == CAIRN_OK || status == CAIRN_NOMEM);
  } while (status != CAIRN_OK);
  assert_true(failures > 5);
  cairn_exec_critical_free(&c);
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(by_hand),
      cmocka_unit_test(any_times),
      cmocka_unit_test(refusals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

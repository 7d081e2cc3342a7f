/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-platform-host.c - the meaning of streams and events
 * (exec/platform-private.h), as CUDA has it, on the host backend: with gates
 * that hold an op until the test lets it go, and with random programs whose
 * order is checked afterwards.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include <cairn/base.h>
#include <cairn/exec.h>

#include "base/mem-private.h"
#include "base/rng-private.h"
#include "exec/platform-private.h"

#define STREAMS 4

typedef struct bench {
  cairn_exec_platform *platform;
  cairn_exec_fault fault;
  uint32_t running[STREAMS];
} bench;

static const cairn_exec_backend *const host = &cairn_exec__backend_host;

static void open_bench(bench *b, int spare_cores) {
  memset(b, 0, sizeof *b);
  const cairn_exec_platform_config config = {.place = {.ranks = 1},
                                             .streams = STREAMS,
                                             .events = 8,
                                             .items = 8,
                                             .spare_cores = spare_cores,
                                             .fault = &b->fault,
                                             .running = b->running};
  assert_int_equal(host->create(&config, NULL, &b->platform), CAIRN_OK);
}

static void close_bench(bench *b) {
  host->join(b->platform);
  host->destroy(b->platform);
}

/* ---- ops ---- */

static void nap(void) { nanosleep(&(struct timespec){0, 200000}, NULL); }

/* An op that waits for its gate, then says that it is done. */
typedef struct gate {
  int open, entered, done;
} gate;

static int pass_gate(void *state, const char *arg, void *stream) {
  gate *g = state;
  (void)arg;
  if (stream)
    return 1;
  __atomic_store_n(&g->entered, 1, __ATOMIC_SEQ_CST);
  while (!__atomic_load_n(&g->open, __ATOMIC_SEQ_CST))
    nap();
  __atomic_store_n(&g->done, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void let(gate *g) { __atomic_store_n(&g->open, 1, __ATOMIC_SEQ_CST); }
static int done(gate *g) { return __atomic_load_n(&g->done, __ATOMIC_SEQ_CST); }

static void until_done(gate *g) {
  while (!done(g))
    nap();
}

static int stays_undone(gate *g) {
  for (int i = 0; i < 20; i++)
    nap();
  return !done(g);
}

static cairn_exec_call gate_call(gate *g) {
  return (cairn_exec_call){.run = pass_gate, .state = g};
}

/* ---- order and concurrency ---- */

static void test_streams_run_at_the_same_time(void **state) {
  bench b;
  gate first = {0}, second = {.open = 1};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&first), two = gate_call(&second);
  host->launch(b.platform, 0, &one); /* returns though the op is held */
  host->launch(b.platform, 1, &two);
  until_done(&second);
  assert_false(done(&first));
  assert_true(host->busy(b.platform, 0));
  let(&first);
  host->join(b.platform);
  assert_true(done(&first));
  assert_false(host->busy(b.platform, 0));
  close_bench(&b);
}

typedef struct list {
  unsigned numbers[3000], count;
} list;

typedef struct adder {
  list *to;
  unsigned number;
} adder;

static int add_number(void *state, const char *arg, void *stream) {
  const adder *a = state;
  if (stream || strcmp(arg, "x") != 0)
    return 1;
  a->to->numbers[a->to->count++] = a->number;
  return 0;
}

/* More than the ring holds: the control thread waits for room. */
static void test_a_stream_keeps_the_order(void **state) {
  enum { COUNT = 3000 };
  static adder adders[COUNT];
  static cairn_exec_call calls[COUNT];
  static list to;
  bench b;
  open_bench(&b, *(int *)*state);
  to.count = 0;
  for (unsigned i = 0; i < COUNT; i++) {
    adders[i] = (adder){&to, i};
    calls[i] =
        (cairn_exec_call){.run = add_number, .state = adders + i, .arg = "x"};
    host->launch(b.platform, 2, calls + i);
  }
  host->join(b.platform);
  assert_int_equal(to.count, COUNT);
  for (unsigned i = 0; i < COUNT; i++)
    assert_int_equal(to.numbers[i], i);
  assert_int_equal(b.fault.first, 0);
  close_bench(&b);
}

/* ---- events ---- */

static void test_record_marks_a_point(void **state) {
  bench b;
  gate before = {.open = 1}, after = {0};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&before), two = gate_call(&after);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 3, 0);
  host->launch(b.platform, 0, &two);
  host->sync_event(b.platform, 3); /* does not wait for what follows */
  assert_true(done(&before));
  assert_false(done(&after));
  let(&after);
  close_bench(&b);
}

static void test_never_recorded_is_no_wait(void **state) {
  bench b;
  gate held = {0}, free_one = {.open = 1};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&held), two = gate_call(&free_one);
  host->launch(b.platform, 0, &one);
  host->sync_event(b.platform, 5);
  host->wait_event(b.platform, 1, 5);
  host->launch(b.platform, 1, &two);
  until_done(&free_one);
  let(&held);
  close_bench(&b);
}

static void test_recording_again_replaces(void **state) {
  bench b;
  gate first = {.open = 1}, second = {0};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&first), two = gate_call(&second);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 0, 0);
  host->launch(b.platform, 1, &two);
  host->record(b.platform, 0, 1); /* another stream, held */
  gate waits = {.open = 1};
  const cairn_exec_call three = gate_call(&waits);
  host->wait_event(b.platform, 2, 0);
  host->launch(b.platform, 2, &three);
  assert_true(stays_undone(&waits));
  let(&second);
  host->sync_event(b.platform, 0);
  assert_true(done(&second));
  close_bench(&b);
  assert_true(done(&waits));
}

static void test_a_wait_keeps_the_record_of_its_time(void **state) {
  bench b;
  gate first = {0}, second = {0}, waits = {.open = 1};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&first), two = gate_call(&second),
                        three = gate_call(&waits);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 0, 0);
  host->wait_event(b.platform, 1, 0);
  host->launch(b.platform, 0, &two);
  host->record(b.platform, 0, 0); /* later: not for the wait above */
  host->launch(b.platform, 1, &three);
  assert_true(stays_undone(&waits));
  let(&first);
  until_done(&waits);
  assert_false(done(&second));
  let(&second);
  close_bench(&b);
}

static void test_a_wait_does_not_hold_earlier_work(void **state) {
  bench b;
  gate held = {0}, earlier = {.open = 1}, later = {.open = 1};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&held), two = gate_call(&earlier),
                        three = gate_call(&later);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 0, 0);
  host->launch(b.platform, 1, &two);
  host->wait_event(b.platform, 1, 0);
  host->launch(b.platform, 1, &three);
  until_done(&earlier);
  assert_true(stays_undone(&later));
  let(&held);
  close_bench(&b);
  assert_true(done(&later));
}

static void test_waiting_for_oneself(void **state) {
  bench b;
  gate free_one = {.open = 1};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&free_one);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 0, 0);
  host->wait_event(b.platform, 0, 0);
  host->launch(b.platform, 0, &one);
  close_bench(&b);
}

static void test_more_events(void **state) {
  bench b;
  gate held = {0};
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = gate_call(&held);
  host->record(b.platform, 1, 0);
  assert_int_equal(host->reserve(b.platform, 5000, 5000, NULL), CAIRN_OK);
  host->sync_event(b.platform, 4999);
  host->launch(b.platform, 0, &one);
  host->record(b.platform, 4999, 0);
  let(&held);
  host->sync_event(b.platform, 4999);
  assert_true(done(&held));
  close_bench(&b);
}

/* ---- faults, progress, spans ---- */

static int fail_with(void *state, const char *arg, void *stream) {
  (void)arg, (void)stream;
  return *(int *)state;
}

static void test_the_first_failing_op_is_kept(void **state) {
  bench b;
  int code = -42, other = 7;
  open_bench(&b, *(int *)*state);
  const cairn_exec_call one = {.run = fail_with, .state = &code, .item = 5};
  const cairn_exec_call two = {.run = fail_with, .state = &other, .item = 6};
  host->launch(b.platform, 0, &one);
  host->launch(b.platform, 0, &two);
  host->join(b.platform);
  assert_int_equal((b.fault.first >> 32) - 1, 5);
  assert_int_equal((int)(uint32_t)b.fault.first, -42);
  close_bench(&b);
}

static void test_what_runs_is_shown(void **state) {
  bench b;
  gate held = {0};
  open_bench(&b, *(int *)*state);
  cairn_exec_call one = gate_call(&held);
  one.item = 8;
  host->launch(b.platform, 3, &one);
  while (!__atomic_load_n(&held.entered, __ATOMIC_SEQ_CST))
    nap();
  assert_int_equal(__atomic_load_n(&b.running[3], __ATOMIC_RELAXED), 9);
  let(&held);
  host->join(b.platform);
  assert_int_equal(b.running[3], 0);
  close_bench(&b);
}

static void test_spans(void **state) {
  bench b;
  cairn_exec_span spans[3] = {{0}};
  gate one = {.open = 1}, two = {.open = 1};
  open_bench(&b, *(int *)*state);
  cairn_exec_call first = gate_call(&one), second = gate_call(&two);
  second.item = 2;
  host->trace(b.platform, spans);
  host->launch(b.platform, 0, &first);
  host->launch(b.platform, 0, &second);
  host->join(b.platform);
  host->trace(b.platform, NULL);
  assert_true(spans[0].start_s > 0 && spans[0].stop_s >= spans[0].start_s);
  assert_true(spans[2].start_s >= spans[0].stop_s);
  assert_true(spans[1].stop_s == 0);
  close_bench(&b);
}

/* ---- random programs ---- */

enum { OPS = 400, EVENTS = 6 };

typedef struct stamped {
  uint64_t start, stop; /* from one counter for all threads */
  uint64_t *clock;
} stamped;

static int stamp(void *state, const char *arg, void *stream) {
  stamped *s = state;
  (void)arg, (void)stream;
  s->start = __atomic_add_fetch(s->clock, 1, __ATOMIC_SEQ_CST);
  if (s->start % 7 == 0)
    sched_yield();
  s->stop = __atomic_add_fetch(s->clock, 1, __ATOMIC_SEQ_CST);
  return 0;
}

/* The model: for every stream the ops that must be complete before the next
 * one starts (as the last op of each stream); the same for events and host. */
typedef struct model {
  int known[STREAMS][STREAMS], event[EVENTS][STREAMS];
  int last[STREAMS];
} model;

static void merge(int *into, const int *from) {
  for (int s = 0; s < STREAMS; s++)
    into[s] = from[s] > into[s] ? from[s] : into[s];
}

static void random_program(cairn_base_rng *rng, int spare) {
  static stamped stamps[OPS];
  static cairn_exec_call calls[OPS];
  static int before[OPS][STREAMS];
  uint64_t clock = 0;
  model m;
  bench b;
  memset(&m, -1, sizeof m);
  open_bench(&b, spare);
  for (int i = 0; i < OPS;) {
    const unsigned s = cairn_base__rng_below(rng, STREAMS);
    const unsigned e = cairn_base__rng_below(rng, EVENTS);
    switch (cairn_base__rng_below(rng, 8)) {
    case 0:
      host->record(b.platform, e, s);
      memcpy(m.event[e], m.known[s], sizeof m.event[e]);
      break;
    case 1:
      host->wait_event(b.platform, s, e);
      merge(m.known[s], m.event[e]);
      break;
    case 2:
      host->sync_event(b.platform, e);
      for (int t = 0; t < STREAMS; t++) /* the host knows, so all do */
        merge(m.known[t], m.event[e]);
      break;
    default:
      stamps[i] = (stamped){.clock = &clock};
      calls[i] = (cairn_exec_call){.run = stamp, .state = stamps + i};
      memcpy(before[i], m.known[s], sizeof before[i]);
      host->launch(b.platform, s, calls + i);
      m.known[s][s] = i++;
      break;
    }
  }
  close_bench(&b);
  for (int i = 0; i < OPS; i++)
    for (int s = 0; s < STREAMS; s++)
      if (before[i][s] >= 0)
        assert_true(stamps[before[i][s]].stop < stamps[i].start);
}

static void test_random_programs(void **state) {
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 5);
  for (int i = 0; i < 30; i++)
    random_program(&rng, *(int *)*state);
}

static void test_memory_runs_out(void **state) {
  bench b;
  (void)state;
  for (size_t n = 1;; n++) {
    memset(&b, 0, sizeof b);
    const cairn_exec_platform_config config = {.streams = STREAMS,
                                               .events = 8,
                                               .items = 8,
                                               .fault = &b.fault,
                                               .running = b.running};
    cairn_base__mem_fail(n, 0);
    const cairn_status status = host->create(&config, NULL, &b.platform);
    cairn_base__mem_fail(0, 0);
    if (status == CAIRN_OK)
      break;
    assert_int_equal(status, CAIRN_NOMEM);
    assert_true(n < 100);
  }
  host->destroy(b.platform);
}

int main(void) {
  static int spin[2] = {0, 1};
  int failures = 0;
#define WITH(name) cmocka_unit_test_prestate(name, spin + i)
  for (int i = 0; i < 2; i++) {
    const struct CMUnitTest tests[] = {
        WITH(test_streams_run_at_the_same_time),
        WITH(test_a_stream_keeps_the_order),
        WITH(test_record_marks_a_point),
        WITH(test_never_recorded_is_no_wait),
        WITH(test_recording_again_replaces),
        WITH(test_a_wait_keeps_the_record_of_its_time),
        WITH(test_a_wait_does_not_hold_earlier_work),
        WITH(test_waiting_for_oneself),
        WITH(test_more_events),
        WITH(test_the_first_failing_op_is_kept),
        WITH(test_what_runs_is_shown),
        WITH(test_spans),
        WITH(test_random_programs),
        WITH(test_memory_runs_out),
    };
    failures += cmocka_run_group_tests_name(i ? "host, cores to spare" : "host",
                                            tests, NULL, NULL);
  }
  return failures;
}

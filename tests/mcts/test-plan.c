/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/test-plan.c - the simulated machine and planning on it: a plan's
 * time is that of the schedule it becomes; a machine is learned from times of
 * another one; a search of a large program gains from it.
 *
 * Times come from a second simulation, written here.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "mcts/model/fit-private.h"
#include "mcts/model/plan-private.h"
#include <cairn/mcts.h>

#include "base/rng-private.h"
#include "dag/space/walk-private.h"
#include "mcts/search-private.h"
#include "tests/dag/support.h"

enum { OPS = 24, STREAMS = 2, ENGINES = 2 };

/* ---- another machine ---- */

typedef struct device {
  double duration[OPS + 2], issue; /* issue: host cost of an item */
  unsigned engine[OPS + 2];        /* 0: none */
} device;

static double device_time(const device *d, const cairn_dag_item *items,
                          size_t count) {
  double host = 0, stream[STREAMS] = {0}, engine[ENGINES + 1] = {0};
  double event[4 * OPS] = {0};
  for (size_t i = 1; i < count; i++) {
    const cairn_dag_item it = items[i];
    host += d->issue;
    switch (it.kind) {
    case CAIRN_DAG_ITEM_CPU:
      host += d->duration[it.id];
      break;
    case CAIRN_DAG_ITEM_GPU: {
      double begin = fmax(host, stream[it.stream]);
      if (d->engine[it.id])
        begin = fmax(begin, engine[d->engine[it.id]]);
      stream[it.stream] = begin + d->duration[it.id];
      engine[d->engine[it.id]] = stream[it.stream];
      break;
    }
    case CAIRN_DAG_ITEM_CER:
      event[it.id] = fmax(host, stream[it.stream]);
      break;
    case CAIRN_DAG_ITEM_CES:
      host = fmax(host, event[it.id]);
      break;
    default:
      stream[it.stream] = fmax(stream[it.stream], event[it.id]);
    }
  }
  return host;
}

/* Log-normal durations; engines 1 and 2 by turns. */
static device make_device(const cairn_dag_program *program,
                          cairn_base_rng *rng) {
  device d = {.issue = 0.01};
  for (unsigned x = 1; x <= OPS; x++) {
    d.duration[x] = exp(0.8 * cairn_base__rng_normal(rng));
    if (cairn_dag_program_op(program, x)->kind == CAIRN_DAG_CPU)
      d.duration[x] *= 0.1;
    else
      d.engine[x] = 1 + cairn_base__rng_below(rng, ENGINES);
  }
  return d;
}

/* ---- helpers ---- */

typedef struct bed {
  cairn_dag_program *program;
  cairn_dag_walk *walk;
  cairn_mcts_machine machine;
  cairn_mcts_plan plan;
} bed;

static bed *bed_new(cairn_base_rng *rng) {
  bed *const b = calloc(1, sizeof *b);
  b->program = test_random(rng, OPS, 0.85, 0.05);
  assert_int_equal(cairn_dag__walk_create(b->program, STREAMS, &b->walk),
                   CAIRN_OK);
  assert_int_equal(cairn_mcts__machine_create(&b->machine, b->program, STREAMS),
                   CAIRN_OK);
  assert_int_equal(cairn_mcts__plan_create(&b->plan, b->program, &b->machine),
                   CAIRN_OK);
  cairn_mcts__machine_reset(&b->machine, 1);
  return b;
}

static void bed_free(bed *b) {
  cairn_mcts__plan_free(&b->plan);
  cairn_mcts__machine_free(&b->machine);
  cairn_dag__walk_free(b->walk);
  cairn_dag_program_free(b->program);
  free(b);
}

static const cairn_dag_item *walked(bed *b, int early, size_t *count_p) {
  cairn_mcts__plan_walk(&b->plan, early, b->walk);
  assert_true(cairn_dag__walk_complete(b->walk));
  return cairn_dag__walk_items(b->walk, count_p);
}

/* Gives the machine the device's costs: issuing costs the host the same for
 * each item, and takes a CPU op longer. */
static void set_machine(cairn_mcts_machine *m, const device *d, const bed *b) {
  for (size_t i = 0; i < m->costs; i++)
    m->cost[i] = 0;
  for (unsigned x = 1; x <= OPS; x++) {
    m->engine[x] = (uint8_t)d->engine[x];
    m->cost[x] = d->duration[x];
    if (cairn_dag_program_op(b->program, x)->kind == CAIRN_DAG_CPU)
      m->cost[x] += d->issue;
  }
  m->cost[OPS + 1] = d->issue;
  m->cost[OPS + 2 + CAIRN_MCTS_LAUNCH] = d->issue;
  m->cost[OPS + 2 + CAIRN_MCTS_RECORD] = d->issue;
  m->cost[OPS + 2 + CAIRN_MCTS_HOST_WAIT] = d->issue;
  m->cost[OPS + 2 + CAIRN_MCTS_STREAM_WAIT] = d->issue;
}

/* ---- simulating ---- */

/* The machine with a device's costs takes the device's time, for schedules and
 * for plans.  Syncs of one op may come in another order: hence free. */
static void test_time(void **state) {
  cairn_base_rng rng;
  (void)state;
  cairn_base__rng_seed(&rng, 3);
  for (int k = 0; k < 20; k++) {
    bed *const b = bed_new(&rng);
    device d = make_device(b->program, &rng);
    for (int i = 0; i < 20; i++) {
      size_t count;
      const cairn_dag_item *items;
      double time;
      cairn_mcts__plan_random(&b->plan, &rng);
      items = walked(b, 1, &count);
      d.issue = i % 2 ? 0.01 : 0;
      set_machine(&b->machine, &d, b);
      time = device_time(&d, items, count);
      assert_true(fabs(cairn_mcts__machine_time(&b->machine, items, count) -
                       time) < 1e-9);
      if (d.issue == 0)
        assert_true(fabs(cairn_mcts__plan_time(&b->plan) - time) < 1e-9);
    }
    bed_free(b);
  }
}

/* The host's costs add up: with nothing else, the time is the number of
 * items.  So plan and schedule have equally many syncs of each kind. */
static void test_syncs(void **state) {
  cairn_base_rng rng;
  (void)state;
  cairn_base__rng_seed(&rng, 4);
  for (int k = 0; k < 20; k++) {
    bed *const b = bed_new(&rng);
    for (unsigned kind = CAIRN_MCTS_RECORD; kind <= CAIRN_MCTS_STREAM_WAIT;
         kind++) {
      size_t count, wanted = 0;
      const cairn_dag_item *items;
      for (size_t i = 0; i < b->machine.costs; i++)
        b->machine.cost[i] = i == OPS + 2 + kind;
      cairn_mcts__plan_random(&b->plan, &rng);
      items = walked(b, 1, &count);
      for (size_t i = 0; i < count; i++)
        wanted += items[i].kind ==
                  CAIRN_DAG_ITEM_CER + kind - (unsigned)CAIRN_MCTS_RECORD;
      assert_true(cairn_mcts__plan_time(&b->plan) == (double)wanted);
    }
    bed_free(b);
  }
}

/* ---- annealing ---- */

/* Steps leave a legal plan with the time it says; without heat time falls. */
static void test_steps(void **state) {
  cairn_base_rng rng;
  (void)state;
  cairn_base__rng_seed(&rng, 5);
  for (int k = 0; k < 10; k++) {
    bed *const b = bed_new(&rng);
    const device d = make_device(b->program, &rng);
    double before, time;
    size_t count;
    set_machine(&b->machine, &d, b);
    cairn_mcts__plan_random(&b->plan, &rng);
    before = time = cairn_mcts__plan_time(&b->plan);
    for (int i = 0; i < 300; i++) {
      const double next = cairn_mcts__plan_step(&b->plan, 0, &rng);
      assert_true(next <= time);
      time = next;
    }
    assert_true(time < before);
    for (int i = 0; i < 300; i++)
      time = cairn_mcts__plan_step(&b->plan, 0.1 * before, &rng);
    assert_true(time == cairn_mcts__plan_time(&b->plan));
    (void)walked(b, 0, &count);
    for (unsigned i = 0; i < OPS + 2; i++)
      assert_int_equal(b->plan.place[b->plan.order[i]], i);
    bed_free(b);
  }
}

/* A plan of a schedule becomes that schedule's order and streams again. */
static void test_reread(void **state) {
  cairn_base_rng rng;
  bed *b;
  (void)state;
  cairn_base__rng_seed(&rng, 6);
  b = bed_new(&rng);
  for (int i = 0; i < 20; i++) {
    size_t count, again;
    cairn_dag_item first[8 * OPS];
    const cairn_dag_item *items;
    cairn_mcts__plan_random(&b->plan, &rng);
    items = walked(b, i & 1, &count);
    memcpy(first, items, count * sizeof *items);
    cairn_mcts__plan_random(&b->plan, &rng);
    cairn_mcts__plan_set(&b->plan, first, count);
    items = walked(b, i & 1, &again);
    assert_int_equal(again, count);
    assert_memory_equal(items, first, count * sizeof *items);
  }
  bed_free(b);
}

/* ---- learning ---- */

static double error_over(bed *b, const cairn_mcts_fit_sample *s, size_t n) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    sum += fabs(cairn_mcts__machine_time(&b->machine, s[i].items, s[i].count) /
                    s[i].time -
                1);
  return sum / (double)n;
}

/* Learns a device from 200 random schedules: the times of 100 others are then
 * foretold at least twice as well as by the mean. */
static void test_learn(void **state) {
  enum { TAUGHT = 200, ASKED = 100 };
  cairn_base_rng rng;
  cairn_mcts_fit fit = {0};
  cairn_mcts_fit_sample *const s = calloc(TAUGHT + ASKED, sizeof *s);
  double mean = 0, spread = 0;
  bed *b;
  device d;
  (void)state;
  cairn_base__rng_seed(&rng, 7);
  b = bed_new(&rng);
  d = make_device(b->program, &rng);
  for (size_t i = 0; i < TAUGHT + ASKED; i++) {
    const cairn_dag_item *items;
    cairn_dag_item *copy;
    cairn_mcts__plan_random(&b->plan, &rng);
    items = walked(b, 1, &s[i].count);
    copy = calloc(s[i].count, sizeof *copy);
    memcpy(copy, items, s[i].count * sizeof *copy);
    s[i].items = copy;
    s[i].time = device_time(&d, items, s[i].count);
    mean += s[i].time / (TAUGHT + ASKED);
  }
  for (size_t i = TAUGHT; i < TAUGHT + ASKED; i++)
    spread += fabs(s[i].time / mean - 1) / ASKED;
  assert_int_equal(
      cairn_mcts__fit_create(&fit, b->program, &b->machine, TAUGHT), CAIRN_OK);
  cairn_mcts__machine_reset(&b->machine, mean);
  memcpy(fit.sample, s, TAUGHT * sizeof *s);
  fit.samples = TAUGHT;
  for (int round = 0; round < 300; round++) {
    double loss;
    cairn_mcts__fit_costs(&fit, TAUGHT, 0.2, &rng);
    loss = cairn_mcts__fit_loss(&fit);
    cairn_mcts__fit_engines(&fit, 16, &rng);
    assert_true(cairn_mcts__fit_loss(&fit) <= 1.06 * loss);
  }
  assert_true(error_over(b, s + TAUGHT, ASKED) < 0.5 * spread);
  for (size_t i = 0; i < TAUGHT + ASKED; i++)
    free((void *)(uintptr_t)s[i].items);
  free(s);
  cairn_mcts__fit_free(&fit);
  bed_free(b);
}

/* ---- the search ---- */

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  (void)id;
  *result_p = cairn_mcts__result_of(device_time(context, items, count));
  return CAIRN_OK;
}

static cairn_mcts *search_with(const cairn_dag_program *program, device *d,
                               const char *strategy, const cairn_mcts *prior) {
  const cairn_mcts_options options = {
      .strategy = strategy, .streams = STREAMS, .seed = 2, .budget = 150};
  cairn_mcts *search = NULL;
  assert_int_equal(cairn_mcts_create(program, &options, NULL, &search),
                   CAIRN_OK);
  for (uint64_t id = 0; prior && id < cairn_mcts_evaluations(prior); id++) {
    const cairn_dag_item *items;
    size_t count;
    cairn_mcts_result result;
    cairn_mcts__get(prior, id, &items, &count, &result);
    assert_int_equal(
        cairn_mcts__add_prior(search, items, count, 3 * result.time_s, NULL),
        CAIRN_OK);
  }
  assert_int_equal(cairn_mcts_run(search, evaluate, d, NULL), CAIRN_OK);
  return search;
}

static double best_of(const cairn_mcts *search) {
  size_t points;
  const cairn_mcts_point *const curve = cairn_mcts__curve(search, &points);
  return curve[points - 1].time_s;
}

static void assert_same(const cairn_mcts *a, const cairn_mcts *b) {
  for (uint64_t id = 0; id < 150; id++) {
    const cairn_dag_item *x, *y;
    size_t nx, ny;
    cairn_mcts__get(a, id, &x, &nx, NULL);
    cairn_mcts__get(b, id, &y, &ny, NULL);
    assert_int_equal(nx, ny);
    assert_memory_equal(x, y, nx * sizeof *x);
  }
}

/* In a large program "guided" is "planned", repeats itself, and finds what
 * random draws do not; what it found helps the next search from the start. */
static void test_search(void **state) {
  cairn_base_rng rng;
  bed *b;
  device d;
  cairn_mcts *planned, *guided, *random, *next;
  (void)state;
  cairn_base__rng_seed(&rng, 8);
  b = bed_new(&rng);
  d = make_device(b->program, &rng);
  planned = search_with(b->program, &d, "planned", NULL);
  guided = search_with(b->program, &d, "guided", NULL);
  random = search_with(b->program, &d, "random", NULL);
  next = search_with(b->program, &d, "guided", planned);
  assert_same(planned, guided);
  assert_true(best_of(planned) < 0.97 * best_of(random));
  assert_true(best_of(next) <= best_of(planned));
  assert_true(cairn_mcts__evaluations_to(next, best_of(planned) * (1 + 1e-9)) <=
              3);
  cairn_mcts_free(planned);
  cairn_mcts_free(guided);
  cairn_mcts_free(random);
  cairn_mcts_free(next);
  bed_free(b);
}

/* Ops on the longest way from x to the end, by trying all. */
static unsigned way(const cairn_dag_program *program, unsigned x) {
  size_t count;
  const unsigned *const succ = cairn_dag_program_succs(program, x, &count);
  unsigned longest = 0;
  for (size_t k = 0; k < count; k++) {
    const unsigned w = 1 + way(program, succ[k]);
    longest = w > longest ? w : longest;
  }
  return longest;
}

/* May x come at place i of the plan? */
static int is_ready(const cairn_mcts_plan *p, unsigned x, unsigned i) {
  if (p->place[x] < i)
    return 0;
  for (uint32_t k = p->pred.row[x]; k < p->pred.row[x + 1]; k++)
    if (p->place[p->pred.to[k]] >= i)
      return 0;
  return 1;
}

/* List schedules keep the order of the program, by every rule; by rule 0 no
 * op comes while another one is ready that has a longer way to go, and streams
 * are as full as each other. */
static void test_list(void **state) {
  cairn_base_rng rng;
  bed *b;
  (void)state;
  cairn_base__rng_seed(&rng, 21);
  b = bed_new(&rng);
  for (unsigned rule = 0; rule < CAIRN_MCTS_LIST_RULES; rule++) {
    const cairn_mcts_plan *const p = &b->plan;
    cairn_mcts__plan_list(&b->plan, rule);
    for (unsigned i = 0; i < p->ops; i++) {
      const unsigned x = p->order[i];
      assert_int_equal(p->place[x], i);
      assert_true(is_ready(p, x, i));
      assert_true(p->stream[x] < STREAMS);
      for (unsigned y = 0; rule == 0 && y < p->ops; y++)
        assert_true(!is_ready(p, y, i) ||
                    way(b->program, y) <= way(b->program, x));
    }
    if (rule == 0) {
      int difference = 0;
      for (unsigned x = 0; x < p->ops; x++)
        if (p->gpu[x])
          difference += p->stream[x] ? 1 : -1;
      assert_in_range(difference + 1, 0, 2);
    }
  }
  bed_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_time),  cmocka_unit_test(test_syncs),
      cmocka_unit_test(test_steps), cmocka_unit_test(test_reread),
      cmocka_unit_test(test_learn), cmocka_unit_test(test_search),
      cmocka_unit_test(test_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/search-synthetic.c - search on made-up programs with a known optimum.
 *
 *     search-synthetic [-n ops] [-s seeds] [-p programs] [-f first] [-b budget]
 *                      [-S strategy]... [-o name=value]...
 *
 * -f: programs are made from the seeds after this one; 0, unless told.
 *
 * The machine is a discrete-event model: the host pays for each item it
 * issues, streams are FIFOs, and a GPU op also needs its engine (one for
 * compute, one for copies), which serves one op at a time in the order of
 * their being ready.
 *
 * The optimum is planted.  Both engines get a row of ops with log-normal
 * durations, scaled so that the rows are equally long and without a gap; CPU
 * ops stand between; edges lead only from what has ended to what begins later,
 * most of them from what has just ended.  No schedule can be faster than a row
 * is long, and the planted one, which issues everything just ahead of its
 * start, takes little more.  Ops are then numbered at random.  Programs whose
 * program order, greedy schedule or best of 2,000 random schedules come within
 * 10 % of the planted one are thrown away.
 */
#include <math.h>
#include <time.h>

#include "dag/schedule/schedule-private.h"
#include "dag/space/sample-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "bench/search-table.h"
#include "dag/program/program-private.h"
#include "dag/space/walk-private.h"

enum { STREAMS = 2, ENGINES = 2, MAX_STRATEGIES = 16 };

typedef struct planted {
  unsigned ops; /* without start and end */
  cairn_dag_program *program;
  double *duration; /* by id, start and end included */
  uint8_t *engine;
  double issue, row;        /* host cost of an item; length of a row */
  cairn_dag_item *schedule; /* the planted one */
  size_t count;
  double best_s; /* its time */
} planted;

/* ---- the machine ---- */

static double machine_time(const planted *p, const cairn_dag_item *items,
                           size_t count) {
  double host = 0, ready[STREAMS] = {0}, engine[ENGINES] = {0};
  double *const event = calloc(count + 1, sizeof *event);
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_item it = items[i];
    double *const stream = &ready[it.stream];
    host += p->issue;
    if (it.kind == CAIRN_DAG_ITEM_CPU) {
      host += p->duration[it.id];
    } else if (it.kind == CAIRN_DAG_ITEM_GPU) {
      double *const e = &engine[p->engine[it.id]];
      *stream = fmax(fmax(*stream, host), *e) + p->duration[it.id];
      *e = *stream;
    } else if (it.kind == CAIRN_DAG_ITEM_CER) {
      event[it.id] = fmax(*stream, host);
    } else if (it.kind == CAIRN_DAG_ITEM_CES) {
      host = fmax(host, event[it.id]);
    } else {
      *stream = fmax(*stream, event[it.id]);
    }
  }
  free(event);
  for (unsigned t = 0; t < STREAMS; t++)
    host = fmax(host, ready[t]); /* of a prefix: until all has ended */
  return host;
}

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  (void)id;
  *result_p = cairn_mcts__result_of(machine_time(context, items, count));
  return CAIRN_OK;
}

/* ---- planting ---- */

typedef struct slot {
  double begin, end, order; /* order: when the host should issue it */
  int engine;               /* -1: CPU */
  unsigned id;
} slot;

static int by_order(const void *a, const void *b) {
  const slot *const x = a, *const y = b;
  return (x->order > y->order) - (x->order < y->order);
}

/* Fills the rows and the times of CPU ops; `ahead` is how long before its
 * start a GPU op is issued. */
static void fill_rows(cairn_base_rng *rng, slot *s, unsigned ops, double row) {
  double sum[ENGINES] = {0}, at[ENGINES] = {0};
  const double ahead = 0.3 * row / ops;
  for (unsigned i = 0; i < ops; i++) {
    s[i].engine = i % 6 == 5 ? -1 : (int)cairn_base__rng_below(rng, ENGINES);
    if (i < ENGINES)
      s[i].engine = (int)i;
    s[i].end = exp(0.8 * cairn_base__rng_normal(rng));
    if (s[i].engine >= 0)
      sum[s[i].engine] += s[i].end;
  }
  for (unsigned i = 0; i < ops; i++) {
    const int e = s[i].engine;
    if (e < 0) {
      s[i].begin = row * (0.05 + 0.85 * cairn_base__rng_uniform(rng));
      s[i].end = s[i].begin + 0.1 * row / ops;
      s[i].order = s[i].begin;
    } else {
      s[i].begin = at[e];
      at[e] = s[i].end = at[e] + s[i].end * row / sum[e];
      s[i].order = s[i].begin - ahead;
    }
  }
}

/* May b come after a in the planted schedule without delay? */
static int may_follow(const slot *a, const slot *b) {
  if (a == b || a->end > b->begin)
    return 0;
  if (a->engine < 0 && b->engine >= 0)
    return a->end <= b->order;
  return a->order < b->order;
}

/* A record stands where the last predecessor of b was issued: all that its
 * stream was given until then must have ended when b begins. */
static int no_delay(const slot *s, unsigned ops, const slot *b,
                    const slot *const *pred, unsigned preds) {
  double issued = -INFINITY;
  for (unsigned k = 0; k < preds; k++)
    issued = fmax(issued, pred[k]->order);
  for (unsigned k = 0; k < preds; k++)
    for (unsigned i = 0; i < ops; i++)
      if (pred[k]->engine >= 0 && pred[k]->engine != b->engine &&
          s[i].engine == pred[k]->engine && s[i].order <= issued &&
          s[i].end > b->begin)
        return 0;
  return 1;
}

static cairn_status add_edges(cairn_base_rng *rng, planted *p, const slot *s) {
  for (unsigned b = 0; b < p->ops; b++) {
    const unsigned wanted = 1 + cairn_base__rng_below(rng, 3);
    const slot *pred[4];
    unsigned preds = 0;
    for (unsigned k = 0; k < wanted; k++) {
      /* Of a few that may be before b the one that ends last. */
      const slot *last = NULL;
      for (int tries = 0; tries < 24; tries++) {
        const slot *const a = s + cairn_base__rng_below(rng, p->ops);
        pred[preds] = a;
        if (may_follow(a, s + b) && (!last || a->end > last->end) &&
            no_delay(s, p->ops, s + b, pred, preds + 1))
          last = a;
      }
      pred[preds] = last;
      preds += last != NULL;
      if (last &&
          cairn_dag_program_add_edge(p->program, last->id, s[b].id, NULL))
        return CAIRN_NOMEM;
    }
  }
  return cairn_dag_program_seal(p->program, NULL);
}

/* Records as soon as they may stand. */
static void record_all(cairn_dag_walk *walk) {
  size_t count, i;
  do {
    const cairn_dag_item *const item = cairn_dag__walk_extensions(walk, &count);
    for (i = 0; i < count && item[i].kind != CAIRN_DAG_ITEM_CER; i++)
      ;
    if (i < count)
      cairn_dag__walk_push(walk, item[i]);
  } while (i < count);
}

static cairn_status plant_schedule(planted *p, slot *s) {
  cairn_dag_walk *walk;
  const cairn_dag_item *items;
  cairn_status status = cairn_dag__walk_create(p->program, STREAMS, &walk);
  unsigned stream[ENGINES] = {STREAMS, STREAMS};
  if (status)
    return status;
  qsort(s, p->ops, sizeof *s, by_order);
  for (unsigned i = 0; i < p->ops; i++) {
    unsigned on = 0;
    if (s[i].engine >= 0) {
      if (stream[s[i].engine] == STREAMS)
        stream[s[i].engine] = cairn_dag__walk_used_streams(walk);
      on = stream[s[i].engine];
    }
    cairn_dag__walk_issue(walk, s[i].id, on);
    record_all(walk);
  }
  cairn_dag__walk_issue(walk, p->ops + 1, 0);
  items = cairn_dag__walk_items(walk, &p->count);
  p->schedule = calloc(p->count, sizeof *items);
  memcpy(p->schedule, items, p->count * sizeof *items);
  p->count = cairn_dag__schedule_tidy(p->schedule, p->count);
  p->best_s = machine_time(p, p->schedule, p->count);
  cairn_dag__walk_free(walk);
  return CAIRN_OK;
}

static void planted_free(planted *p) {
  cairn_dag_program_free(p->program);
  free(p->duration);
  free(p->engine);
  free(p->schedule);
}

static cairn_status plant(planted *p, unsigned ops, uint64_t seed) {
  cairn_base_rng rng;
  slot *const s = calloc(ops, sizeof *s);
  cairn_status status;
  *p = (planted){.ops = ops, .row = 1e-3, .issue = 1e-3 * 0.02 / ops};
  cairn_base__rng_seed(&rng, seed);
  fill_rows(&rng, s, ops, p->row);
  cairn_base__rng_shuffle(&rng, s, ops, sizeof *s);
  p->duration = calloc(ops + 2, sizeof *p->duration);
  p->engine = calloc(ops + 2, 1);
  status = cairn_dag_program_create("synthetic", &p->program);
  for (unsigned i = 0; i < ops && !status; i++) {
    char name[16];
    const cairn_dag_op op = {
        .name = name, .kind = s[i].engine < 0 ? CAIRN_DAG_CPU : CAIRN_DAG_GPU};
    snprintf(name, sizeof name, "op%u", i);
    status = cairn_dag_program_add_op(p->program, &op, NULL, &s[i].id);
    p->duration[s[i].id] = s[i].end - s[i].begin;
    p->engine[s[i].id] = (uint8_t)(s[i].engine > 0);
  }
  if (!status)
    status = cairn_dag_program_set_streams(p->program, STREAMS);
  if (!status)
    status = add_edges(&rng, p, s);
  if (!status)
    status = plant_schedule(p, s);
  free(s);
  return status;
}

/* ---- what it has to beat ---- */

/* Always the ready op and stream after which all issued is done first; of
 * equal ones the longest op. */
static double greedy_time(const planted *p) {
  cairn_dag_walk *walk;
  size_t count;
  double time_s;
  if (cairn_dag__walk_create(p->program, STREAMS, &walk))
    return NAN;
  while (!cairn_dag__walk_complete(walk)) {
    const unsigned *const list = cairn_dag__walk_ready(walk, &count);
    unsigned ready[600], best = 0, best_stream = 0;
    const size_t n = count;
    double best_s = INFINITY;
    memcpy(ready, list, n * sizeof *ready);
    for (size_t i = 0; i < n; i++)
      for (unsigned s = 0;
           s < STREAMS && s <= cairn_dag__walk_used_streams(walk); s++) {
        const cairn_dag_item *items;
        size_t pushed = cairn_dag__walk_issue(walk, ready[i], s);
        items = cairn_dag__walk_items(walk, &count);
        time_s = machine_time(p, items, count);
        time_s -= 1e-3 * p->duration[ready[i]];
        if (time_s < best_s) {
          best_s = time_s;
          best = ready[i];
          best_stream = s;
        }
        while (pushed--)
          cairn_dag__walk_pop(walk);
      }
    cairn_dag__walk_issue(walk, best, best_stream);
  }
  time_s = machine_time(p, cairn_dag__walk_items(walk, &count), count);
  cairn_dag__walk_free(walk);
  return time_s;
}

static double program_order_time(const planted *p) {
  cairn_dag_schedule s = {0};
  double time_s = NAN;
  if (!cairn_dag_schedule_program_order(p->program, &s))
    time_s = machine_time(p, s.items, s.count);
  cairn_dag_schedule_free(&s);
  return time_s;
}

static double random_time(const planted *p, int draws) {
  cairn_dag_sampler *sampler;
  cairn_dag_item *const out = calloc(
      cairn_dag__program_max_items(p->program, STREAMS) + 1, sizeof *out);
  cairn_base_rng rng;
  double best = INFINITY;
  cairn_base__rng_seed(&rng, 99);
  if (cairn_dag__sampler_create(p->program, STREAMS, 99, &sampler))
    return NAN;
  while (draws--)
    best =
        fmin(best,
             machine_time(p, out, cairn_dag__sampler_draw(sampler, &rng, out)));
  cairn_dag__sampler_free(sampler);
  free(out);
  return best;
}

/* The seed-th program that is hard enough. */
static cairn_status find_hard(planted *p, unsigned ops, uint64_t *seed) {
  for (;;) {
    const cairn_status status = plant(p, ops, ++*seed);
    double order, greedy, random;
    if (status)
      return status;
    order = program_order_time(p) / p->best_s;
    greedy = greedy_time(p) / p->best_s;
    random = random_time(p, 2000) / p->best_s;
    printf("%u ops, seed %llu: planted %.4f of the bound; program order %.3f, "
           "greedy %.3f, 2000 random %.3f of it%s\n",
           ops, (unsigned long long)*seed, p->best_s / p->row, order, greedy,
           random,
           order >= 1.1 && greedy >= 1.1 && random >= 1.1 ? "" : ": easy");
    fflush(stdout);
    if (order >= 1.1 && greedy >= 1.1 && random >= 1.1)
      return CAIRN_OK;
    planted_free(p);
  }
}

/* ---- searching ---- */

static cairn_status study(planted *p, const char *strategy,
                          const cairn_mcts_setting *setting, size_t settings,
                          unsigned seeds, uint64_t budget) {
  double *const ratio = calloc(seeds, sizeof *ratio);
  const clock_t begin = clock();
  cairn_status status = CAIRN_OK;
  for (unsigned seed = 1; seed <= seeds && !status; seed++) {
    const cairn_mcts_options options = {.strategy = strategy,
                                        .seed = seed,
                                        .budget = budget,
                                        .setting = setting,
                                        .settings = settings};
    cairn_mcts *search = NULL;
    if (!(status = cairn_mcts_create(p->program, &options, NULL, &search)) &&
        !(status = cairn_mcts_run(search, evaluate, p, NULL))) {
      cairn_mcts_result best;
      uint64_t id;
      (void)cairn_mcts_best(search, &id);
      cairn_mcts__get(search, id, NULL, NULL, &best);
      ratio[seed - 1] = best.time_s / p->best_s;
    }
    cairn_mcts_free(search);
  }
  if (!status) {
    cairn_base__stats_sort(ratio, seeds);
    printf("  %-12s best/planted: median %.4f  p90 %.4f  (%.1f s a run)\n",
           strategy, cairn_base__stats_percentile(ratio, seeds, 50),
           cairn_base__stats_percentile(ratio, seeds, 90),
           (double)(clock() - begin) / CLOCKS_PER_SEC / seeds);
    fflush(stdout);
  }
  free(ratio);
  return status;
}

int main(int argc, char **argv) {
  const char *strategy[MAX_STRATEGIES];
  cairn_mcts_setting setting[MAX_STRATEGIES];
  size_t strategies = 0, settings = 0;
  unsigned sizes[16], n = 0, seeds = 5, programs = 1;
  uint64_t budget = 2000, first = 0;
  cairn_status status = CAIRN_OK;
  int c;
  while ((c = getopt(argc, argv, "n:s:p:f:b:S:o:")) != -1)
    if (c == 'n' && n < 16)
      sizes[n++] = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 's')
      seeds = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'p')
      programs = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'f')
      first = strtoull(optarg, NULL, 10);
    else if (c == 'b')
      budget = strtoull(optarg, NULL, 10);
    else if (c == 'S' && strategies < MAX_STRATEGIES)
      strategy[strategies++] = optarg;
    else if (c == 'o' && strchr(optarg, '=') && settings < MAX_STRATEGIES) {
      char *const equals = strchr(optarg, '=');
      *equals = 0;
      setting[settings++] = (cairn_mcts_setting){optarg, equals + 1};
    } else
      return 2;
  if (!n)
    for (unsigned k = 0; k < 5; k++)
      sizes[n++] = (const unsigned[]){20, 50, 100, 200, 500}[k];
  if (!strategies) {
    strategy[strategies++] = cairn_mcts_strategy_default();
    strategy[strategies++] = "random";
  }
  for (unsigned k = 0; k < n && !status; k++) {
    uint64_t seed = first;
    for (unsigned i = 0; i < programs && !status; i++) {
      planted p;
      if ((status = find_hard(&p, sizes[k], &seed)))
        break;
      for (size_t s = 0; s < strategies && !status; s++)
        status = study(&p, strategy[s], setting, settings, seeds, budget);
      planted_free(&p);
    }
  }
  return cairn_base_status_exit_code(status);
}

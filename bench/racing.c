/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/racing.c - does racing choose as well as many samples do, with a tenth
 * of them?  Searches on recorded spaces of the SpMV program, replayed with
 * samples drawn from the recorded percentiles.
 *
 *   racing [-s SEEDS] [-b BUDGET] [-n FIXED] [-S STRATEGY] [-j OBJECTIVE]
 *          [-d DRIFT] [-m MOST] [-e SHARE] [-r ROUNDS] [-f FINAL] SPACE...
 *
 * Each seed runs the search twice: with FIXED (50) samples a schedule, and
 * raced as `cairn explore` does it, then the best ones sampled again in turns,
 * half of them leaving after each stage, as `--refine=best` does.  The choice
 * is judged by its recorded time, which the searches never see.  Columns:
 * samples a schedule; how far the chosen one's recorded time is above the best
 * of the schedules that the search has visited (what measuring loses) and of
 * the space (what the search loses too): median, 90th percentile and most over
 * the seeds; in how many seeds the first is within 0.5 %.  Last line: mean
 * recorded time of raced choices against that of fixed ones.
 *
 * A sample is drawn from the quantile function through the recorded p01, p10,
 * p50, p90 and p99 (straight lines between them), times the machine's level,
 * which wanders by DRIFT (default 0) of its value.  BUDGET 0: the whole space.
 * In the race a schedule gets at most MOST (3) samples; the fastest SHARE-th
 * (8), at most 128, enters the finals, whose first stage has ROUNDS (3) rounds,
 * each further one twice as many, and the last one FINAL (24).
 */
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

#include "base/rng-private.h"
#include "base/stats-private.h"
#include "base/times-private.h"
#include "bench/search-table.h"
#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include "timing/campaign-private.h"

enum { FINALISTS = 5, ENTER_MOST = 128, WINDOW = 101 };

typedef struct quantiles {
  cairn_dag_key key;
  cairn_base_times times;
  double truth; /* by the objective */
} quantiles;

typedef struct space {
  quantiles *of; /* sorted by key */
  size_t count;
  double best_s;
} space;

typedef struct settings {
  unsigned seeds, fixed, most, rounds, share, final;
  uint64_t budget;
  const char *strategy, *objective;
  double drift;
  cairn_dag_program *program;
} settings;

/* One search. */
typedef struct trial {
  const settings *how;
  const space *space;
  cairn_base_rng rng;
  const quantiles **of; /* by id */
  double *estimate;     /* by id; NAN: pruned */
  size_t visited, capacity, estimate_capacity;
  double taken; /* samples */
  cairn_timing_race *race;
} trial;

typedef struct outcome {
  double samples, excess_s, chosen_s, above, above_all;
} outcome;

/* ---- the recorded space ---- */

static int in_order(const double p[CAIRN_BASE_PERCENTILES]) {
  for (int i = 1; i < CAIRN_BASE_PERCENTILES; i++)
    if (!(p[i - 1] <= p[i]))
      return 0;
  return p[0] > 0;
}

static int by_key(const void *a, const void *b) {
  const quantiles *x = a, *y = b;
  if (x->key.lo != y->key.lo)
    return x->key.lo < y->key.lo ? -1 : 1;
  return x->key.hi < y->key.hi ? -1 : x->key.hi > y->key.hi;
}

static cairn_status fill(const settings *how, const cairn_journal_run *run,
                         space *s, cairn_base_diag *diag) {
  cairn_dag_schedule text = {0};
  cairn_status status = CAIRN_OK;
  s->of = calloc(run->results + 1, sizeof *s->of);
  s->best_s = INFINITY;
  for (size_t i = 0; i < run->results && !status; i++) {
    const cairn_journal_result *r = &run->result[i];
    quantiles *q = &s->of[s->count];
    if (!in_order(r->times.p))
      continue;
    status = cairn_dag_schedule_parse(how->program, r->schedule, diag, &text);
    if (status)
      break;
    text.count = cairn_dag__schedule_tidy(text.items, text.count);
    *q = (quantiles){cairn_dag__schedule_key(text.items, text.count), r->times,
                     cairn_base_times_objective(&r->times, how->objective)};
    s->best_s = fmin(s->best_s, q->truth);
    s->count++;
  }
  cairn_dag_schedule_free(&text);
  qsort(s->of, s->count, sizeof *s->of, by_key);
  return status;
}

static double draw(trial *t, const quantiles *q) {
  const double u = cairn_base__rng_uniform(&t->rng);
  const double phase = t->taken * 1e-3;
  const double level = 1 + t->how->drift * (sin(phase) + 0.5 * sin(7 * phase));
  t->taken++;
  return cairn_base__times_quantile(q->times.p, u) * level;
}

/* ---- evaluators ---- */

static const quantiles *visit(trial *t, const cairn_dag_item *items,
                              size_t count, uint64_t id) {
  const quantiles wanted = {.key = cairn_dag__schedule_key(items, count)};
  const quantiles *q =
      bsearch(&wanted, t->space->of, t->space->count, sizeof wanted, by_key);
  if (cairn_base_reserve(&t->of, &t->capacity, (size_t)id + 1, sizeof *t->of) ||
      cairn_base_reserve(&t->estimate, &t->estimate_capacity, (size_t)id + 1,
                         sizeof *t->estimate))
    return NULL;
  t->of[id] = q;
  t->estimate[id] = NAN;
  t->visited = (size_t)id + 1;
  return q;
}

static cairn_status evaluate_fixed(void *context, const cairn_dag_item *items,
                                   size_t count, uint64_t id,
                                   cairn_mcts_result *result_p) {
  trial *t = context;
  double times[1000];
  const quantiles *q = visit(t, items, count, id);
  *result_p = cairn_mcts__result_of((double)NAN);
  if (!q)
    return CAIRN_OK;
  for (unsigned i = 0; i < t->how->fixed; i++)
    times[i] = draw(t, q);
  const cairn_base_times drawn =
      cairn_base__times_of_samples(times, t->how->fixed);
  t->estimate[id] = cairn_base_times_objective(&drawn, t->how->objective);
  *result_p = cairn_mcts__result_of(t->estimate[id]);
  return CAIRN_OK;
}

static cairn_status take(void *context, const cairn_base_shot *shots,
                         size_t count, cairn_base_sample *samples,
                         cairn_base_execution *unused) {
  trial *t = context;
  (void)unused;
  for (size_t i = 0; i < count; i++)
    samples[i] = (cairn_base_sample){.id = shots[i].id,
                                     .time_s = draw(t, t->of[shots[i].id]),
                                     .k = shots[i].k};
  return CAIRN_OK;
}

static cairn_status evaluate_race(void *context, const cairn_dag_item *items,
                                  size_t count, uint64_t id,
                                  cairn_mcts_result *result_p) {
  trial *t = context;
  const cairn_timing_sampler sampler = {take, t};
  cairn_timing_raced raced;
  cairn_base_execution unused = {0};
  *result_p = cairn_mcts__result_of((double)NAN);
  if (!visit(t, items, count, id))
    return CAIRN_OK;
  const cairn_status status =
      cairn_timing__race_measure(t->race, &sampler, id, 1, 0, &raced, &unused);
  const cairn_timing_estimate *e = &raced.estimate;
  if (status)
    return status;
  *result_p = cairn_mcts__result_of(
      cairn_base_times_objective(&e->times, t->how->objective));
  if (raced.pruned)
    result_p->outcome = CAIRN_BASE_OUTCOME_PRUNED;
  t->estimate[id] = result_p->time_s;
  return CAIRN_OK;
}

/* ---- the choice ---- */

static uint64_t fastest(const double *estimate, size_t count) {
  size_t best = 0;
  for (size_t i = 0; i < count; i++)
    if (!(estimate[best] <= estimate[i]) && !isnan(estimate[i]))
      best = i;
  return best;
}

/* The fastest eighth by the race's numbers enters a campaign. */
static cairn_status enter(trial *t, cairn_timing_campaign *campaign,
                          size_t *entered_p) {
  const size_t part = t->visited / t->how->share;
  const size_t most = part > ENTER_MOST  ? ENTER_MOST
                      : part > FINALISTS ? part
                                         : FINALISTS;
  double *rest = malloc(t->visited * sizeof *rest);
  cairn_status status = CAIRN_OK;
  memcpy(rest, t->estimate, t->visited * sizeof *rest);
  *entered_p = 0;
  while (*entered_p < most && !status) {
    const uint64_t id = fastest(rest, t->visited);
    if (isnan(rest[id]))
      break;
    rest[id] = NAN;
    status = cairn_timing__campaign_add(campaign, id, 1, 0);
    ++*entered_p;
  }
  free(rest);
  return status;
}

/* Sampled again in turns, half of them leaving after each stage, which is
 * twice as long as the one before. */
static cairn_status play(trial *t, cairn_timing_campaign *campaign,
                         size_t left) {
  const cairn_timing_sampler sampler = {take, t};
  cairn_base_execution unused = {0};
  uint64_t bad;
  cairn_status status = CAIRN_OK;
  for (unsigned rounds = t->how->rounds; !status; rounds *= 2) {
    const int last = left <= FINALISTS;
    for (unsigned r = 0; r < (last ? t->how->final : rounds) && !status; r++)
      status = cairn_timing__campaign_round(campaign, &sampler, &bad, &unused);
    if (last)
      break;
    left = (left + 1) / 2 > FINALISTS ? (left + 1) / 2 : FINALISTS;
    if (!status)
      status = cairn_timing__campaign_narrow(campaign, WINDOW, left, NULL, 0);
  }
  return status;
}

static cairn_status finalists(trial *t, uint64_t *best_p) {
  cairn_timing_campaign *campaign = NULL;
  cairn_timing_estimate *e = NULL;
  double best_s = INFINITY;
  size_t n = 0, entered = 0;
  cairn_status status = cairn_timing__campaign_create(1, &campaign);
  if (!status)
    status = enter(t, campaign, &entered);
  if (!status)
    status = play(t, campaign, entered);
  if (!status)
    status = cairn_timing__campaign_solve(campaign, WINDOW, &e, &n, NULL);
  for (size_t i = 0; i < n; i++) {
    const double time_s =
        cairn_base_times_objective(&e[i].times, t->how->objective);
    if (cairn_timing__campaign_dropped(campaign, e[i].id) || time_s >= best_s)
      continue;
    best_s = time_s;
    *best_p = e[i].id;
  }
  cairn_base_free(e);
  cairn_timing__campaign_free(campaign);
  return status;
}

static cairn_status search(trial *t, unsigned seed, int raced,
                           cairn_base_diag *diag) {
  const cairn_mcts_options options = {
      .strategy = t->how->strategy, .seed = seed, .budget = t->how->budget};
  cairn_timing_race_options race;
  cairn_mcts *mcts = NULL;
  cairn_timing__race_options_default(&race);
  race.seed = seed;
  race.max_samples = t->how->most;
  race.min_samples = t->how->most < 2 ? t->how->most : 2;
  cairn_status status = cairn_timing__race_create(&race, &t->race);
  if (!status)
    status = cairn_mcts_create(t->how->program, &options, diag, &mcts);
  if (!status)
    status =
        cairn_mcts_run(mcts, raced ? evaluate_race : evaluate_fixed, t, diag);
  cairn_mcts_free(mcts);
  return status;
}

static cairn_status run_trial(const settings *how, const space *s,
                              unsigned seed, int raced, cairn_base_diag *diag,
                              outcome *out) {
  trial t = {.how = how, .space = s};
  cairn_base__rng_seed(&t.rng, seed * 2u + (unsigned)raced);
  cairn_status status = search(&t, seed, raced, diag);
  uint64_t chosen = 0;
  if (!status && !raced)
    chosen = fastest(t.estimate, t.visited);
  else if (!status)
    status = finalists(&t, &chosen);
  if (!status && t.visited > 0) {
    double best = INFINITY;
    for (size_t i = 0; i < t.visited; i++)
      best = t.of[i] ? fmin(best, t.of[i]->truth) : best;
    out->samples = t.taken / (double)t.visited;
    out->chosen_s = t.of[chosen]->truth;
    out->above = out->chosen_s / best - 1;
    out->above_all = out->chosen_s / s->best_s - 1;
  }
  cairn_timing__race_free(t.race);
  cairn_base_free(t.of);
  cairn_base_free(t.estimate);
  return status;
}

/* ---- the table ---- */

static void print_row(const char *name, const outcome *o, unsigned seeds) {
  double *v = malloc(seeds * sizeof *v), samples = 0;
  unsigned within = 0;
  for (unsigned i = 0; i < seeds; i++) {
    samples += o[i].samples / seeds;
    within += o[i].above <= 0.005;
  }
  printf("  %-6s %9.2f ", name, samples);
  for (int all = 0; all < 2; all++) {
    for (unsigned i = 0; i < seeds; i++)
      v[i] = 100 * (all ? o[i].above_all : o[i].above);
    cairn_base__stats_sort(v, seeds);
    printf("   %6.3f %6.3f %6.3f", cairn_base__stats_percentile(v, seeds, 50),
           cairn_base__stats_percentile(v, seeds, 90), v[seeds - 1]);
  }
  printf("   %5.1f %%\n", 100.0 * within / seeds);
  free(v);
}

/* 1: the goal was missed. */
static int print_table(const outcome *fixed, const outcome *raced,
                       unsigned seeds) {
  double ratio = 0, samples = 0;
  for (unsigned i = 0; i < seeds; i++) {
    ratio += raced[i].chosen_s / fixed[i].chosen_s / seeds;
    samples += raced[i].samples / fixed[i].samples / seeds;
  }
  print_row("fixed", fixed, seeds);
  print_row("raced", raced, seeds);
  const int met = ratio <= 1.005 && samples <= 0.1;
  printf("  raced / fixed: time of the choice %.4f, samples %.3f: %s\n", ratio,
         samples, met ? "met" : "MISSED");
  fflush(stdout);
  return !met;
}

static int run_space(const settings *how, const char *path) {
  space s = {0};
  cairn_base_diag *diag = NULL;
  cairn_journal_run *run = NULL;
  outcome *out = calloc(2 * how->seeds, sizeof *out);
  int missed = 1;
  cairn_status status = cairn_base_diag_create(0, &diag);
  if (!status)
    status = table_load(path, diag, &run);
  if (!status)
    status = fill(how, run, &s, diag);
  if (!status)
    printf("%s: %zu schedules, best %.4f us\n", path, s.count, s.best_s * 1e6);
  for (unsigned i = 0; i < how->seeds && !status; i++) {
    status = run_trial(how, &s, i + 1, 0, diag, &out[i]);
    if (!status)
      status = run_trial(how, &s, i + 1, 1, diag, &out[how->seeds + i]);
  }
  if (!status)
    missed = print_table(out, out + how->seeds, how->seeds);
  cairn_base_diag_print(diag, stderr);
  cairn_base_diag_free(diag);
  cairn_journal_run_free(run);
  free(s.of);
  free(out);
  return missed;
}

static int parse(settings *how, int argc, char **argv) {
  int c;
  while ((c = getopt(argc, argv, "s:b:n:m:r:e:f:S:j:d:")) != -1)
    if (c == 's')
      how->seeds = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'b')
      how->budget = strtoull(optarg, NULL, 10);
    else if (c == 'n')
      how->fixed = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'm')
      how->most = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'e')
      how->share = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'f')
      how->final = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'r')
      how->rounds = (unsigned)strtoul(optarg, NULL, 10);
    else if (c == 'S')
      how->strategy = optarg;
    else if (c == 'j')
      how->objective = optarg;
    else if (c == 'd')
      how->drift = atof(optarg);
    else
      return 0;
  return optind < argc && how->seeds && how->fixed && how->fixed <= 1000;
}

int main(int argc, char **argv) {
  settings how = {.seeds = 20,
                  .fixed = 50,
                  .most = 3,
                  .rounds = 3,
                  .share = 8,
                  .final = 24,
                  .budget = 300,
                  .objective = "p50"};
  int missed = 0;
  if (!parse(&how, argc, argv)) {
    fprintf(stderr, "usage: racing [-s seeds] [-b budget] [-n fixed] "
                    "[-S strategy] [-j p10|p50] [-d drift] SPACE...\n");
    return 2;
  }
  how.program = table_spmv();
  printf("%u seeds, budget %llu, objective %s, drift %.3g\n"
         "          samples/   %% above the best visited    of the space"
         "        within\n"
         "          schedule    median    p90    max  median    p90    max"
         "    0.5 %%\n",
         how.seeds, (unsigned long long)how.budget, how.objective, how.drift);
  for (int i = optind; i < argc; i++)
    missed |= run_space(&how, argv[i]);
  cairn_dag_program_free(how.program);
  return missed;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/rules.c - how good are rules from N measurements?
 *
 *   bench/rules FULL.jsonl [SEEDS]     (50)
 *
 * FULL.jsonl is a recorded space of the SpMV program, imported with --rename
 * Scatter=Pack.  For uniform samples, samples spread out over the features, and
 * the search strategies, rules are learned from the first N schedules and
 * judged on the whole space: mean over seeds of strict agreement with the
 * classes of the full data, and of the share of times within the range of the
 * predicted class.
 */
#include "search-table.h"

#include "base/rng-private.h"
#include "base/text-private.h"
#include "classify/data/data-private.h"
#include "classify/judge/committee-private.h"
#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include <cairn/classify.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

enum { SIZES = 3, MOST = 200 };
static const size_t sizes[SIZES] = {50, 100, 200};

typedef struct keyed {
  cairn_dag_key key;
  uint32_t row;
} keyed;

typedef struct bench {
  cairn_dag_program *program;
  cairn_classify_data *full;
  keyed *key; /* sorted as table_compare does */
  size_t rows;
  uint32_t picked[MOST];
  size_t count;
  double agreement[SIZES], in_range[SIZES];
} bench;

static cairn_status load(bench *b, const cairn_journal_run *run,
                         cairn_base_diag *diag) {
  cairn_dag_schedule s = {0};
  cairn_base_text text = {0};
  cairn_status status = cairn_classify_data_create(&b->full);
  b->key = calloc(run->results + 1, sizeof *b->key);
  for (size_t i = 0; i < run->results && !status; i++) {
    const cairn_journal_result *r = &run->result[i];
    const cairn_classify_measure m = {r->id, r->times.p[CAIRN_BASE_P10],
                                      r->times};
    status = cairn_dag_schedule_parse(b->program, r->schedule, diag, &s);
    if (status)
      break;
    s.count = cairn_dag__schedule_tidy(s.items, s.count);
    cairn_base__text_clear(&text);
    status = cairn_dag_schedule_format(b->program, s.items, s.count, &text);
    if (!status)
      status = cairn_classify__data_add(b->full, text.data, text.length, &m,
                                        run->path, r->line, diag);
    b->key[b->rows] =
        (keyed){cairn_dag__schedule_key(s.items, s.count), (uint32_t)i};
    b->rows++;
  }
  qsort(b->key, b->rows, sizeof *b->key, table_compare);
  cairn_dag_schedule_free(&s);
  cairn_base_text_free(&text);
  return status;
}

/* Learns from the schedules picked and adds up how good the rules are. */
static cairn_status judge(bench *b, const cairn_classify_options *how) {
  cairn_status status = CAIRN_OK;
  for (size_t k = 0; k < SIZES && !status; k++) {
    cairn_classify_data *part = NULL;
    cairn_classify_analysis *a = NULL;
    const size_t n = sizes[k] < b->count ? sizes[k] : b->count;
    status = cairn_classify__data_pick(b->full, b->picked, n, &part);
    if (!status)
      status = cairn_classify_analyse(part, how, &a);
    if (!status)
      status = cairn_classify_evaluate(a, b->full, 0);
    if (!status) {
      b->agreement[k] += a->evaluation.agreement.value;
      b->in_range[k] += a->evaluation.in_range.value;
    }
    cairn_classify_analysis_free(a);
    cairn_classify_data_free(part);
  }
  return status;
}

/* A random order; with `spread` the next is, of 256 drawn, the one least like
 * those picked. */
static cairn_status sample(bench *b, uint64_t seed, int spread) {
  uint32_t *order = calloc(b->rows, sizeof *order);
  double *score = calloc(b->rows, sizeof *score);
  cairn_classify_committee_options how;
  cairn_base_rng rng;
  cairn_status status = CAIRN_OK;
  cairn_classify__committee_defaults(&how);
  how.first = UINT32_MAX;
  cairn_base__rng_seed(&rng, seed);
  for (uint32_t i = 0; i < b->rows; i++)
    order[i] = i;
  cairn_base__rng_shuffle(&rng, order, b->rows, sizeof *order);
  b->count = b->rows < MOST ? b->rows : MOST;
  for (size_t n = 1; spread && n < b->count && !status; n++) {
    const size_t rest = b->rows - n, drawn = rest < 256 ? rest : 256;
    cairn_classify_data *known = NULL, *next = NULL;
    cairn_base__rng_shuffle(&rng, order + n, rest, sizeof *order);
    status = cairn_classify__data_pick(b->full, order, n, &known);
    if (!status)
      status = cairn_classify__data_pick(b->full, order + n, drawn, &next);
    if (!status)
      status = cairn_classify__committee(known, next, &how, score);
    size_t best = 0;
    for (size_t i = 1; i < drawn && !status; i++)
      best = score[i] > score[best] ? i : best;
    const uint32_t row = order[n + best];
    order[n + best] = order[n];
    order[n] = row;
    cairn_classify_data_free(known);
    cairn_classify_data_free(next);
  }
  memcpy(b->picked, order, b->count * sizeof *order);
  free(order);
  free(score);
  return status;
}

static cairn_status teach(void *context, const cairn_mcts_sample *measured,
                          size_t measured_count,
                          const cairn_mcts_sample *candidate,
                          size_t candidate_count, double *score) {
  const bench *b = context;
  cairn_classify_committee_options how;
  cairn_classify_lesson *lesson =
      calloc(measured_count + candidate_count + 1, sizeof *lesson);
  if (!lesson)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < measured_count; i++)
    lesson[i] = (cairn_classify_lesson){measured[i].items, measured[i].count,
                                        measured[i].time_s};
  for (size_t i = 0; i < candidate_count; i++)
    lesson[measured_count + i] =
        (cairn_classify_lesson){candidate[i].items, candidate[i].count, NAN};
  cairn_classify__committee_defaults(&how);
  const cairn_status status = cairn_classify__committee_items(
      b->program, lesson, measured_count, lesson + measured_count,
      candidate_count, &how, score);
  free(lesson);
  return status;
}

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  bench *b = context;
  (void)id;
  const keyed wanted = {cairn_dag__schedule_key(items, count), 0};
  const keyed *found =
      bsearch(&wanted, b->key, b->rows, sizeof *b->key, table_compare);
  if (!found)
    return CAIRN_INPUT;
  if (b->count < MOST)
    b->picked[b->count++] = found->row;
  *result_p = cairn_mcts__result_of(
      cairn_classify__data_measure(b->full, found->row)->time);
  return CAIRN_OK;
}

static cairn_status search(bench *b, const char *strategy, uint64_t seed,
                           cairn_base_diag *diag) {
  const cairn_mcts_options options = {.strategy = strategy,
                                      .streams = 2,
                                      .seed = seed,
                                      .budget = MOST,
                                      .teach = teach,
                                      .teach_context = b};
  cairn_mcts *search = NULL;
  b->count = 0;
  cairn_status status = cairn_mcts_create(b->program, &options, diag, &search);
  if (!status)
    status = cairn_mcts_run(search, evaluate, b, diag);
  cairn_mcts_free(search);
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

static void study(bench *b, const char *way, unsigned seeds,
                  cairn_base_diag *diag) {
  cairn_classify_options how;
  cairn_classify_defaults(&how);
  how.folds = 0;
  how.pairs = 0;
  memset(b->agreement, 0, sizeof b->agreement);
  memset(b->in_range, 0, sizeof b->in_range);
  for (unsigned seed = 1; seed <= seeds; seed++) {
    cairn_status status;
    if (strcmp(way, "uniform") == 0 || strcmp(way, "spread") == 0)
      status = sample(b, seed, way[0] == 's');
    else if (cairn_mcts__strategy_find(way))
      status = search(b, way, seed, diag);
    else
      return;
    if (!status)
      status = judge(b, &how);
    if (status) {
      printf("%-10s %s\n", way, cairn_base_status_text(status));
      return;
    }
  }
  printf("%-10s", way);
  for (size_t k = 0; k < SIZES; k++)
    printf("  N=%-3zu %.4f (in range %.4f)", sizes[k], b->agreement[k] / seeds,
           b->in_range[k] / seeds);
  printf("\n");
  fflush(stdout);
}

int main(int argc, char **argv) {
  static const char *const ways[] = {"uniform", "spread", "rollout", "coverage",
                                     "rules"};
  const unsigned seeds = argc > 2 ? (unsigned)atoi(argv[2]) : 50;
  bench b = {.program = table_spmv()};
  cairn_base_diag *diag = NULL;
  cairn_journal_run *run = NULL;
  if (argc < 2 || seeds == 0 || !b.program ||
      cairn_base_diag_create(0, &diag)) {
    fputs("usage: bench/rules FULL.jsonl [SEEDS]\n", stderr);
    return 2;
  }
  cairn_status status = cairn_journal_run_read(argv[1], 0, diag, &run);
  if (!status)
    status = load(&b, run, diag);
  for (size_t i = 0; i < sizeof ways / sizeof *ways && !status; i++)
    if (argc < 4 || strcmp(argv[3], ways[i]) == 0)
      study(&b, ways[i], seeds, diag);
  cairn_base_diag_print(diag, stderr);
  cairn_classify_data_free(b.full);
  cairn_dag_program_free(b.program);
  cairn_journal_run_free(run);
  cairn_base_diag_free(diag);
  free(b.key);
  return status ? 1 : 0;
}

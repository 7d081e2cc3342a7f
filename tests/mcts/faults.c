/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/faults.c - a search with each strategy while each of its
 * allocations fails in turn.
 */
#include "tests/faults.h"

#include <math.h>

#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

enum { BUDGET = 25 };

static cairn_dag_program *program;

/* From the schedule's text, so that it is repeatable. */
static double time_of(const cairn_dag_item *items, size_t count) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  return 1e-5 * (1 + (double)(key.lo % 1000) / 1000);
}

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  uint64_t *const digest = context;
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  *digest = faults_digest(*digest, &key, sizeof key);
  *result_p =
      cairn_mcts__result_of(id % 7 == 3 ? (double)NAN : time_of(items, count));
  return CAIRN_OK;
}

static cairn_status teach(void *context, const cairn_mcts_sample *measured,
                          size_t measured_count,
                          const cairn_mcts_sample *candidate,
                          size_t candidate_count, double *score) {
  (void)context, (void)measured, (void)measured_count;
  for (size_t i = 0; i < candidate_count; i++)
    score[i] = (double)candidate[i].count;
  return CAIRN_OK;
}

/* What is shown at the end. */
static cairn_status look(cairn_mcts *search, uint64_t *digest) {
  cairn_base_text text = {0};
  double share;
  cairn_dag_size size;
  uint64_t best = 0;
  cairn_status status = cairn_mcts__view_text(search, 3, 4, &text);
  if (status == CAIRN_OK)
    status = cairn_mcts__view_dot(search, 3, 4, &text);
  if (status == CAIRN_OK && text.failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK)
    *digest = faults_digest(*digest, text.data, text.length);
  if (status == CAIRN_OK)
    status = cairn_mcts__share(search, &share, &size);
  if (status == CAIRN_OK)
    status = cairn_mcts_best(search, &best);
  *digest = faults_digest(*digest, &best, sizeof best);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status search(const char *strategy, uint64_t *digest_p) {
  const cairn_mcts_options options = {.strategy = strategy,
                                      .streams = 2,
                                      .seed = 5,
                                      .budget = BUDGET,
                                      .teach = teach};
  cairn_mcts *made = NULL;
  uint64_t digest = 1;
  cairn_status status = cairn_mcts_create(program, &options, NULL, &made);
  if (status != CAIRN_OK)
    return status;
  status = cairn_mcts_run(made, evaluate, &digest, NULL);
  if (status == CAIRN_OK)
    status = look(made, &digest);
  cairn_mcts_free(made);
  *digest_p = digest;
  return status;
}

int main(void) {
  static const char text[] =
      "<program name='p' streams='2'><gpu name='a'/><gpu name='b'/>"
      "<cpu name='c' after='a'/><gpu name='d' after='b c'/>"
      "<gpu name='e' after='a'/></program>";
  size_t count, points = 0;
  const cairn_mcts_strategy *const *all = cairn_mcts_strategies(&count);
  const size_t step = getenv("CAIRN_LONG") ? 1 : 3;
  if (cairn_dag_program_read_memory(text, sizeof text - 1, "p.xml", NULL,
                                    &program) != CAIRN_OK)
    return 99;
  for (size_t i = 0; i < count; i++) {
    const faults_scenario s = {all[i]->name, search};
    points += faults_loop(&s, step);
  }
  cairn_dag_program_free(program);
  printf("%zu points, %d wrong\n", points, faults_failed);
  return faults_failed > 0;
}

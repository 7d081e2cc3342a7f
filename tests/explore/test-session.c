/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/explore/test-session.c - sessions without a command: times from a
 * table that is made up, and from a source that is; going on with a journal,
 * refusing one of another search, schedules that killed earlier processes, and
 * measuring again side by side on a machine that drifts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "dag/schedule/schedule-private.h"
#include "explore/explore-private.h"
#include "journal/journal-private.h"

static const char program_text[] =
    "<program name='made' streams='2'><gpu name='a'/><gpu name='b'/>"
    "<cpu name='c' after='a b'/><gpu name='d' after='c'/></program>";

static char folder[] = "/tmp/cairn-session-XXXXXX";

static const char *in(const char *name) {
  static char path[4][256];
  static unsigned at;
  at = (at + 1) % 4;
  snprintf(path[at], sizeof path[at], "%s/%s", folder, name);
  return path[at];
}

static int set_up(void **state) {
  (void)state;
  if (mkdtemp(folder) == NULL)
    return -1;
  return cairn_base_file_write(in("p.xml"), program_text,
                               sizeof program_text - 1, NULL);
}

static int tear_down(void **state) {
  static const char *const name[] = {"p.xml",   "table.jsonl", "whole.jsonl",
                                     "a.jsonl", "dead.jsonl",  "fine.jsonl"};
  (void)state;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++)
    unlink(in(name[i]));
  return rmdir(folder);
}

/* ---- a source that is made up ---- */

/* The truth: a time for each schedule, from its structure; the search sees it
 * with errors of a third up or down. */
static double truth(const cairn_dag_item *items, size_t count) {
  const uint64_t key = cairn_dag__schedule_key(items, count).lo;
  return 1e-3 * (1 + (double)(key % 1000) / 1000);
}

enum { ENTRANTS = 512 };

static struct machine {
  double time_s[ENTRANTS]; /* of what is ready */
  unsigned samples, renewed, measured;
} machine;

static cairn_status open_made(cairn_explore_session *session) {
  (void)session;
  machine = (struct machine){0};
  return CAIRN_OK;
}

static void close_made(cairn_explore_session *session) { (void)session; }

static void describe(const cairn_explore_session *session,
                     cairn_journal_header *header) {
  (void)session;
  header->ranks = 1;
  header->backend = "made-up";
  header->gpu_aware = -1;
}

static cairn_status measure(cairn_explore_session *session,
                            const cairn_mcts_proposal *proposal,
                            cairn_journal_result *result) {
  const double seen = truth(proposal->items, proposal->count) *
                      (1 + (double)(proposal->id % 5) / 6);
  (void)session;
  machine.measured++;
  result->times.samples = 3;
  for (int i = 0; i < CAIRN_BASE_PERCENTILES; i++)
    result->times.p[i] = seen * (1 + 1e-3 * i);
  result->times.stddev = 1e-3 * seen;
  return CAIRN_OK;
}

static cairn_status renew(cairn_explore_session *session) {
  (void)session;
  machine.renewed++;
  return CAIRN_OK;
}

static cairn_status prepare(cairn_explore_session *session, uint64_t id,
                            const cairn_dag_item *items, size_t count) {
  (void)session;
  assert_true(id < ENTRANTS);
  machine.time_s[id] = truth(items, count);
  return CAIRN_OK;
}

/* The machine becomes slower by a tenth in the course of a hundred samples,
 * and fast again. */
static cairn_status sample(cairn_explore_session *session,
                           const cairn_base_shot *shots, size_t count,
                           cairn_base_sample *samples,
                           cairn_base_execution *outcome_p) {
  (void)session;
  for (size_t i = 0; i < count; i++) {
    const double phase = (double)(machine.samples++ % 200) / 100;
    samples[i] = (cairn_base_sample){.id = shots[i].id,
                                     .time_s = machine.time_s[shots[i].id] *
                                               (1 + 0.1 * fabs(phase - 1))};
  }
  *outcome_p = (cairn_base_execution){.outcome = CAIRN_BASE_OUTCOME_OK};
  return CAIRN_OK;
}

static int is_throttled(cairn_explore_session *session) {
  (void)session;
  return 0;
}

static int oversubscribed(const cairn_explore_session *session) {
  (void)session;
  return 0;
}

static const cairn_explore_bench bench = {.renew = renew,
                                          .prepare = prepare,
                                          .sample = sample,
                                          .machine = is_throttled,
                                          .oversubscribed = oversubscribed};

static const cairn_explore_source made_up = {.name = "made up",
                                             .runs = 1,
                                             .open = open_made,
                                             .close = close_made,
                                             .describe = describe,
                                             .measure = measure,
                                             .bench = &bench};

/* ---- running ---- */

static cairn_explore_options options_for(const char *journal) {
  cairn_explore_options o;
  cairn_explore_options_default(&o);
  o.file = in("p.xml");
  o.seed = 7;
  o.refine = CAIRN_EXPLORE_REFINE_NO;
  o.output = journal;
  return o;
}

static cairn_explore_result *run(const cairn_explore_options *o,
                                 const cairn_explore_source *source,
                                 cairn_status expected) {
  cairn_explore_result *result = NULL;
  cairn_base_diag *diag;
  assert_int_equal(cairn_base_diag_create(0, &diag), CAIRN_OK);
  const cairn_status status = cairn_explore__run(o, source, diag, &result);
  for (size_t i = 0; status != expected && i < cairn_base_diag_count(diag); i++)
    print_error("%s\n", cairn_base_diag_get(diag, i)->text);
  assert_int_equal(status, expected);
  cairn_base_diag_free(diag);
  return result;
}

static size_t lines_with(const char *path, const char *word) {
  char line[4096];
  size_t count = 0;
  FILE *file = fopen(path, "r");
  assert_non_null(file);
  while (fgets(line, sizeof line, file) != NULL)
    count += strstr(line, word) != NULL;
  fclose(file);
  return count;
}

/* ---- tests ---- */

/* A table of all schedules: the best one is found, and it is exactly as fast
 * as the table says; sources run through one door. */
static void recorded_table(void **state) {
  (void)state;
  cairn_explore_options o = options_for(in("table.jsonl"));
  cairn_explore_result *made = run(&o, &made_up, CAIRN_OK);
  assert_int_equal(made->stopped, CAIRN_MCTS_EXHAUSTED);
  cairn_explore_options replay = options_for(NULL);
  replay.recorded = in("table.jsonl");
  replay.objective = "p50";
  replay.seed = 8;
  cairn_explore_result *again =
      run(&replay, &cairn_explore__source_recorded, CAIRN_OK);
  assert_int_equal(again->evaluations, made->evaluations);
  assert_true(again->best_s == made->best_s);
  assert_string_equal(again->best_schedule, made->best_schedule);
  assert_null(again->journal);
  const uint64_t to = cairn_explore_evaluations_to(again, 1);
  assert_int_equal(to, again->curve[again->points - 1].evaluations);
  assert_int_equal(cairn_explore_evaluations_to(again, 0.5), 0);
  cairn_explore_result_free(again);
  cairn_explore_result_free(made);
}

/* Stopped after ten and gone on with: the same results as in one go, and only
 * the rest is measured. */
static void resumed_run(void **state) {
  (void)state;
  cairn_explore_options o = options_for(in("whole.jsonl"));
  o.budget = 25;
  cairn_explore_result *whole = run(&o, &made_up, CAIRN_OK);
  o.output = in("a.jsonl");
  o.budget = 10;
  cairn_explore_result_free(run(&o, &made_up, CAIRN_OK));
  o.budget = 25;
  o.resume = 1;
  cairn_explore_result *rest = run(&o, &made_up, CAIRN_OK);
  assert_int_equal(machine.measured, 15);
  assert_int_equal(rest->evaluations, 25);
  assert_int_equal(rest->best, whole->best);
  assert_string_equal(rest->best_schedule, whole->best_schedule);
  cairn_explore_result_free(rest);
  cairn_explore_result_free(whole);
}

/* Another seed is another search, always. */
static void another_search(void **state) {
  (void)state;
  cairn_explore_options o = options_for(in("a.jsonl"));
  o.resume = 1;
  o.seed = 8;
  assert_null(run(&o, &made_up, CAIRN_USAGE));
  o.accept_different = 1;
  assert_null(run(&o, &made_up, CAIRN_USAGE));
  o.seed = 7;
  o.resume = o.accept_different = 0;
  assert_null(run(&o, &made_up, CAIRN_USAGE)); /* it exists */
}

/* Checks a journal of `old` against `now`; what is said last but one. */
static void check_identity(const cairn_journal_run *old, const char *xml,
                           const cairn_journal_header *now, int accept,
                           cairn_status expected, const char *said) {
  cairn_base_diag *diag;
  cairn_dag_program *program;
  assert_int_equal(cairn_base_file_write(in("q.xml"), xml, strlen(xml), NULL),
                   CAIRN_OK);
  assert_int_equal(cairn_base_diag_create(0, &diag), CAIRN_OK);
  assert_int_equal(cairn_dag_program_read(in("q.xml"), NULL, &program),
                   CAIRN_OK);
  assert_int_equal(
      cairn_explore__identity_check(old, program, now, accept, diag), expected);
  if (said == NULL)
    assert_int_equal(cairn_base_diag_count(diag), 0);
  else
    assert_non_null(strstr(cairn_base_diag_get(diag, 0)->text, said));
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
  unlink(in("q.xml"));
}

/* Another world only with leave, another program never. */
static void another_world(void **state) {
  (void)state;
  cairn_journal_result result = {.schedule = "start a@0 c end"};
  const cairn_journal_run old = {
      .path = "j",
      .header = {.strategy = "mcts", .ranks = 2, .backend = "host"},
      .result = &result,
      .results = 1};
  cairn_journal_header now = old.header;
  const char *const same = "<program name='s'><gpu name='a'/><cpu name='c'/>"
                           "</program>",
                    *const kind = "<program name='s'><gpu name='a'/>"
                                  "<gpu name='c'/></program>",
                    *const ops = "<program name='s'><gpu name='a'/>"
                                 "<cpu name='c'/><cpu name='e'/></program>";
  check_identity(&old, same, &now, 0, CAIRN_OK, NULL);
  for (int leave = 0; leave < 2; leave++) {
    check_identity(&old, kind, &now, leave, CAIRN_INPUT,
                   "operation c is one of the CPU and of the GPU");
    check_identity(&old, ops, &now, leave, CAIRN_INPUT,
                   "operation e is in the second only");
    now.ranks = 3;
    check_identity(&old, same, &now, leave, leave ? CAIRN_OK : CAIRN_INPUT,
                   "differ: the number of ranks is 2 and 3");
    now = old.header;
    now.backend = "cuda";
    check_identity(&old, same, &now, leave, leave ? CAIRN_OK : CAIRN_INPUT,
                   "differ: the backend is \"host\" and \"cuda\"");
    now.backend = "replay";
    check_identity(&old, same, &now, leave, leave ? CAIRN_OK : CAIRN_INPUT,
                   "only the second is a replay");
    now = old.header;
    now.seed = 1;
    check_identity(&old, same, &now, leave, CAIRN_USAGE, "seed differs");
    now = old.header;
  }
}

/* The first schedule was begun by so many processes that died. */
static cairn_base_outcome first_after(const char *path, int deaths) {
  cairn_explore_options o = options_for(path);
  cairn_journal_run *old;
  cairn_journal *journal;
  o.budget = 1;
  cairn_explore_result_free(run(&o, &made_up, CAIRN_OK));
  assert_int_equal(
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, NULL, &old),
      CAIRN_OK);
  unlink(path);
  assert_int_equal(cairn_journal__open(path, CAIRN_JOURNAL_NEW, &old->header,
                                       NULL, &journal),
                   CAIRN_OK);
  for (int i = 0; i < deaths; i++)
    assert_int_equal(
        cairn_journal__append_begin(journal, 0, old->result[0].schedule, NULL),
        CAIRN_OK);
  cairn_journal__close(journal);
  cairn_journal_run_free(old);
  o.budget = 2;
  o.resume = 1;
  cairn_explore_result_free(run(&o, &made_up, CAIRN_OK));
  assert_int_equal(
      cairn_journal_run_read(path, CAIRN_JOURNAL_RUN_STRICT, NULL, &old),
      CAIRN_OK);
  const cairn_base_outcome outcome = old->result[0].outcome;
  cairn_journal_run_free(old);
  return outcome;
}

static void deaths_are_counted(void **state) {
  (void)state;
  assert_int_equal(first_after(in("fine.jsonl"), 2), CAIRN_BASE_OUTCOME_OK);
  assert_int_equal(first_after(in("dead.jsonl"), 3),
                   CAIRN_BASE_OUTCOME_QUARANTINED);
  assert_int_equal(machine.measured, 1);
}

/* What the search has seen is wrong by up to two thirds; side by side, with the
 * drift divided out, the truth comes out. */
static void refined_truth(void **state) {
  (void)state;
  unlink(in("table.jsonl"));
  cairn_explore_options o = options_for(in("table.jsonl"));
  o.refine = CAIRN_EXPLORE_REFINE_YES;
  o.refine_s = 0.02;
  cairn_explore_result *result = run(&o, &made_up, CAIRN_OK);
  assert_true(result->refined && result->finalists > 1);
  assert_true(machine.renewed >= 4);
  cairn_dag_program *program;
  cairn_dag_schedule best = {0};
  assert_int_equal(cairn_dag_program_read(o.file, NULL, &program), CAIRN_OK);
  assert_int_equal(
      cairn_dag_schedule_parse(program, result->best_schedule, NULL, &best),
      CAIRN_OK);
  const double best_s = truth(best.items, best.count);
  const cairn_journal_run *run_p;
  cairn_journal_run *written;
  assert_int_equal(cairn_journal_run_read(o.output, CAIRN_JOURNAL_RUN_STRICT,
                                          NULL, &written),
                   CAIRN_OK);
  run_p = written;
  for (size_t i = 0; i < run_p->results; i++) {
    assert_int_equal(cairn_dag_schedule_parse(
                         program, run_p->result[i].schedule, NULL, &best),
                     CAIRN_OK);
    assert_true(truth(best.items, best.count) >= 0.99 * best_s);
    assert_true(run_p->result[i].corrected);
  }
  assert_true(lines_with(o.output, "\"uncorrected\"") >= run_p->results);
  cairn_journal_run_free(written);
  cairn_dag_schedule_free(&best);
  cairn_dag_program_free(program);
  cairn_explore_result_free(result);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(recorded_table),     cmocka_unit_test(resumed_run),
      cmocka_unit_test(another_search),     cmocka_unit_test(another_world),
      cmocka_unit_test(deaths_are_counted), cmocka_unit_test(refined_truth)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}

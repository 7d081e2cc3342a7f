/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/test-supervisor.c - what the supervisor decides, as cairn(1) says
 * it under `cairn launch`, and what it reads in folders made up here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "exec/exec-private.h"
#include "exec/launch/launch-private.h"

typedef cairn_exec_launch_state state;

/* ---- is the job over? ---- */

static const cairn_status GOES_ON = (cairn_status)-1;

static cairn_status over(int code, int signal, state before, state now) {
  const cairn_exec_launch_end end = {.code = code, .signal = signal};
  cairn_status status = GOES_ON;
  const int is = cairn_exec__launch_is_over(&end, &before, &now, &status);
  assert_true(is == (status != GOES_ON));
  return status;
}

static void a_finished_journal_ends_the_job(void **context) {
  (void)context;
  const state new = {0}, done = {.results = 5, .measured = 5, .ended = 1};
  assert_int_equal(over(0, 0, new, done), CAIRN_OK);
  assert_int_equal(over(1, 0, new, done), CAIRN_FINDINGS);
  assert_int_equal(over(5, 0, new, done), CAIRN_FAILED);
  /* MPI's own end may fail: the results are there */
  assert_int_equal(over(9, 0, new, done), CAIRN_OK);
  assert_int_equal(over(139, 0, new, done), CAIRN_OK);
  /* finished long before: this attempt has done nothing and says so */
  assert_int_equal(over(9, 0, done, done), GOES_ON);
  assert_int_equal(over(0, 0, done, done), CAIRN_OK);
}

static void a_job_that_refuses_is_not_run_again(void **context) {
  (void)context;
  const state none = {0}, some = {.results = 3, .measured = 3};
  assert_int_equal(over(2, 0, none, none), CAIRN_USAGE);
  assert_int_equal(over(3, 0, none, none), CAIRN_INPUT);
  assert_int_equal(over(4, 0, some, some), CAIRN_ENV);
  assert_int_equal(over(127, 0, none, none), CAIRN_ENV);
  /* once it has run schedules a code is what a dying rank has left */
  assert_int_equal(over(2, 0, none, some), GOES_ON);
  assert_int_equal(over(4, 0, none, (state){.begun = 1}), GOES_ON);
}

static void a_job_that_died_is_run_again(void **context) {
  (void)context;
  const state none = {0}, some = {.results = 3, .measured = 3};
  for (int code = 0; code < 256; code++)
    if (code != 127)
      assert_int_equal(over(code, 0, none, some), GOES_ON);
  assert_int_equal(over(75, 0, some, some), GOES_ON);
}

static void signals_end_the_supervisor(void **context) {
  (void)context;
  const state none = {0}, some = {.results = 3};
  assert_int_equal(over(75, SIGINT, none, some), CAIRN_INTERRUPTED);
  assert_int_equal(over(75, SIGTERM, none, some), CAIRN_TERMINATED);
  assert_int_equal(over(75, SIGHUP, none, some), CAIRN_RESUMABLE);
  assert_int_equal(over(137, SIGUSR1, none, some), CAIRN_RESUMABLE);
  /* somebody else has told the job */
  const state told = {.results = 3, .ended = 1, .by_signal = 1};
  assert_int_equal(over(130, 0, none, told), CAIRN_INTERRUPTED);
  assert_int_equal(over(143, 0, none, told), CAIRN_TERMINATED);
  assert_int_equal(over(75, 0, none, told), CAIRN_RESUMABLE);
}

/* ---- is there hope? ---- */

static void only_measurements_give_hope(void **context) {
  (void)context;
  const state none = {0}, one = {.results = 1, .measured = 1};
  const state crash = {.results = 2, .measured = 1}; /* one that crashed */
  assert_int_equal(cairn_exec__launch_fruitless(2, &none, &one), 0);
  assert_int_equal(cairn_exec__launch_fruitless(2, &one, &one), 3);
  assert_int_equal(cairn_exec__launch_fruitless(2, &one, &crash), 3);
}

static void what_one_schedule_costs_counts_once(void **context) {
  (void)context;
  const state none = {0}, first = {.begun = 1, .guilty = 7, .deaths = 1};
  const state second = {.begun = 1, .guilty = 7, .deaths = 2};
  const state third = {.results = 1}; /* quarantined */
  const state other = {.begun = 1, .guilty = 8, .deaths = 1};
  unsigned fruitless = cairn_exec__launch_fruitless(0, &none, &first);
  assert_int_equal(fruitless, 1);
  fruitless = cairn_exec__launch_fruitless(fruitless, &first, &second);
  assert_int_equal(fruitless, 1);
  fruitless = cairn_exec__launch_fruitless(fruitless, &second, &third);
  assert_int_equal(fruitless, 1);
  assert_int_equal(cairn_exec__launch_fruitless(1, &first, &other), 2);
  /* not even begun again */
  assert_int_equal(cairn_exec__launch_fruitless(1, &first, &first), 2);
}

static void pauses_grow_to_a_bound(void **context) {
  (void)context;
  double last = 0;
  for (unsigned i = 0; i < 100; i++) {
    const double pause = cairn_exec__launch_pause_s(i);
    assert_true(pause >= last && pause <= 3);
    last = pause;
  }
  assert_true(cairn_exec__launch_pause_s(0) > 0);
}

static void states_are_counted_from_journals(void **context) {
  (void)context;
  cairn_journal_result result[] = {{.outcome = CAIRN_BASE_OUTCOME_OK},
                                   {.outcome = CAIRN_BASE_OUTCOME_PRUNED},
                                   {.outcome = CAIRN_BASE_OUTCOME_FAILED},
                                   {.outcome = CAIRN_BASE_OUTCOME_WRONG},
                                   {.outcome = CAIRN_BASE_OUTCOME_CRASHED},
                                   {.outcome = CAIRN_BASE_OUTCOME_TIMEOUT},
                                   {.outcome = CAIRN_BASE_OUTCOME_QUARANTINED}};
  cairn_journal_run run = {.result = result, .results = 7};
  state s = cairn_exec__launch_state_of(&run);
  assert_int_equal(s.results, 7);
  assert_int_equal(s.measured, 4);
  assert_true(!s.ended && !s.by_signal && s.begun == 0 && s.deaths == 0);
  run.end_reason = "budget";
  s = cairn_exec__launch_state_of(&run);
  assert_true(s.ended && !s.by_signal);
  run.end_reason = "signal";
  s = cairn_exec__launch_state_of(&run);
  assert_true(s.ended && s.by_signal);
}

/* ---- deaths ---- */

static void the_third_death_is_the_last(void **context) {
  (void)context;
  assert_int_equal(cairn_exec__launch_verdict(0, 1), CAIRN_BASE_OUTCOME_OK);
  assert_int_equal(cairn_exec__launch_verdict(0, 2), CAIRN_BASE_OUTCOME_OK);
  assert_int_equal(cairn_exec__launch_verdict(0, 3),
                   CAIRN_BASE_OUTCOME_QUARANTINED);
  assert_int_equal(cairn_exec__launch_verdict(1, 1),
                   CAIRN_BASE_OUTCOME_CRASHED);
  assert_int_equal(cairn_exec__launch_verdict(2, 3),
                   CAIRN_BASE_OUTCOME_CRASHED);
}

/* ---- what ranks have left ---- */

static char folder[64];

static void write_file(const char *name, const void *data, size_t length) {
  char path[128];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(data, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static int make_folder(void **context) {
  (void)context;
  snprintf(folder, sizeof folder, "/tmp/cairn-test-XXXXXX");
  return mkdtemp(folder) != NULL ? 0 : -1;
}

static int remove_folder(void **context) {
  (void)context;
  static const char *const names[] = {"ranks-0", "ranks-2", "ranks-9", "ops-0"};
  char path[128];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  return rmdir(folder);
}

/* One rank's part: its progress and two items, a whole number of words. */
typedef struct part {
  cairn_exec_progress progress;
  cairn_dag_item items[2];
  char rest[8 - (sizeof(cairn_exec_progress) + 2 * sizeof(cairn_dag_item)) % 8];
} part;

static part part_of(uint32_t rank, uint32_t ranks, uint32_t signal) {
  part p = {.progress = {.magic = CAIRN_EXEC_MAGIC,
                         .stride = sizeof(part),
                         .rank = rank,
                         .ranks = ranks,
                         .signal = signal,
                         .id = 17,
                         .phase = CAIRN_EXEC_PHASE_ITEM,
                         .item = 1,
                         .items = 2}};
  p.items[0] = (cairn_dag_item){.kind = CAIRN_DAG_ITEM_GPU, .id = 0};
  p.items[1] = (cairn_dag_item){.kind = CAIRN_DAG_ITEM_CPU, .id = 1};
  return p;
}

static cairn_exec_blackbox *box_of(void) {
  cairn_exec_blackbox *box;
  assert_int_equal(cairn_exec__blackbox_read(folder, &box), CAIRN_OK);
  return box;
}

static void ranks_of_two_hosts_are_read_in_order(void **context) {
  (void)context;
  const part here[] = {part_of(0, 3, 0), part_of(1, 3, SIGSEGV)};
  const part there[] = {part_of(2, 3, 0)};
  write_file("ranks-2", there, sizeof there);
  write_file("ranks-0", here, sizeof here);
  write_file("ranks-9", "no ranks", 8);
  write_file("ops-0", "Pack\nSend\n", 10);
  cairn_exec_blackbox *box = box_of();
  char text[256];
  assert_int_equal(cairn_exec__blackbox_ranks(box), 3);
  for (int i = 0; i < 3; i++) {
    const cairn_exec_whereabouts rank =
        cairn_exec__blackbox_rank(box, (size_t)i);
    assert_int_equal(rank.rank, i);
    assert_int_equal(rank.ranks, 3);
    assert_int_equal(rank.id, 17);
    assert_int_equal(rank.signal, i == 1 ? SIGSEGV : 0);
  }
  cairn_exec__blackbox_text(box, 0, text, sizeof text);
  assert_string_equal(text,
                      "the host stands at Send (item 1 of 2, iteration 0)");
  cairn_exec__blackbox_text(box, 2, text, sizeof text); /* no names there */
  assert_string_equal(text,
                      "the host stands at item 1 (item 1 of 2, iteration 0)");
  cairn_exec__blackbox_free(box);
}

static void what_makes_no_sense_is_left_out(void **context) {
  (void)context;
  part two[] = {part_of(0, 2, 0), part_of(1, 2, 0)};
  two[1].progress.magic ^= 1; /* of another version */
  write_file("ranks-0", two, sizeof two);
  cairn_exec_blackbox *box = box_of();
  assert_int_equal(cairn_exec__blackbox_ranks(box), 1);
  cairn_exec__blackbox_free(box);
  two[0].progress.stride = 12; /* less than a part */
  write_file("ranks-0", two, sizeof two);
  box = box_of();
  assert_int_equal(cairn_exec__blackbox_ranks(box), 0);
  cairn_exec__blackbox_free(box);
  assert_int_equal(cairn_exec__blackbox_read("/no/such/folder", &box),
                   CAIRN_OK);
  assert_int_equal(cairn_exec__blackbox_ranks(box), 0);
  cairn_exec__blackbox_free(box);
}

static void the_first_to_go_has_died(void **context) {
  (void)context;
  const part all[] = {part_of(0, 3, 0), part_of(1, 3, 0), part_of(2, 3, 0)};
  write_file("ranks-0", all, sizeof all);
  cairn_exec_blackbox *box = box_of();
  const int order[] = {1, 2, 0};
  assert_true(cairn_exec__launch_died_first(box, 1, order, 3));
  assert_false(cairn_exec__launch_died_first(box, 0, order, 3));
  assert_false(cairn_exec__launch_died_first(box, 2, order, 3));
  /* the launcher went before all of them: nobody knows */
  for (size_t i = 0; i < 3; i++)
    assert_false(cairn_exec__launch_died_first(box, i, order, 0));
  cairn_exec__blackbox_free(box);
}

static void a_rank_of_an_unseen_host_may_have_been_first(void **context) {
  (void)context;
  part some[] = {part_of(0, 4, 0), part_of(1, 4, 0)}; /* of four */
  write_file("ranks-0", some, sizeof some);
  cairn_exec_blackbox *box = box_of();
  const int order[] = {1, 0};
  assert_false(cairn_exec__launch_died_first(box, 1, order, 2));
  cairn_exec__blackbox_free(box);
  some[1].progress.signal = SIGFPE; /* it says so itself */
  write_file("ranks-0", some, sizeof some);
  box = box_of();
  assert_true(cairn_exec__launch_died_first(box, 1, order, 2));
  assert_true(cairn_exec__launch_died_first(box, 1, order, 0));
  assert_false(cairn_exec__launch_died_first(box, 0, order, 2));
  cairn_exec__blackbox_free(box);
}

static void who_leaves_in_good_order_has_not_died(void **context) {
  (void)context;
  part all[] = {part_of(0, 2, 0), part_of(1, 2, 0)};
  all[1].progress.closed = 1;
  write_file("ranks-0", all, sizeof all);
  cairn_exec_blackbox *box = box_of();
  const int order[] = {1, 0};
  assert_false(cairn_exec__launch_died_first(box, 1, order, 2));
  assert_true(cairn_exec__launch_died_first(box, 0, order, 2));
  cairn_exec__blackbox_free(box);
}

/* ---- signals ---- */

/* As /proc/PID/status has them: bit n - 1 is signal n; USR1 is 10, TERM 15. */
static void a_launcher_keeps_what_it_handles(void **context) {
  (void)context;
  static const char caught[] = "Name:\tmpiexec\nSigBlk:\t0000000000000000\n"
                               "SigIgn:\t0000000000000000\n"
                               "SigCgt:\t0000000000000200\n";
  static const char ignored[] = "Name:\tx\nSigIgn:\t0000000000000200\n";
  static const char blocked[] = "Name:\tx\nSigBlk:\t0000000000000200\n";
  static const char other[] = "Name:\tx\nSigCgt:\t0000000000004000\n";
  assert_true(cairn_exec__launch_keeps(caught, "", SIGUSR1));
  assert_true(cairn_exec__launch_keeps(ignored, "", SIGUSR1));
  assert_true(cairn_exec__launch_keeps(blocked, "", SIGUSR1));
  assert_false(cairn_exec__launch_keeps(other, "", SIGUSR1));
  assert_true(cairn_exec__launch_keeps(other, "", SIGTERM));
  assert_true(cairn_exec__launch_keeps(other, "do_sigtimedwait", SIGUSR1));
  assert_false(cairn_exec__launch_keeps(other, "do_wait", SIGUSR1));
  assert_false(cairn_exec__launch_keeps("", "", SIGUSR1));
}

static void what_a_launcher_knows_is_passed_on(void **context) {
  (void)context;
  assert_int_equal(cairn_exec__launch_pass_on(SIGINT, 0), SIGINT);
  assert_int_equal(cairn_exec__launch_pass_on(SIGINT, 1), SIGINT);
  assert_int_equal(cairn_exec__launch_pass_on(SIGUSR1, 1), SIGUSR1);
  assert_int_equal(cairn_exec__launch_pass_on(SIGUSR1, 0), SIGTERM);
  assert_int_equal(cairn_exec__launch_pass_on(SIGHUP, 1), SIGTERM);
  assert_int_equal(cairn_exec__launch_pass_on(SIGTERM, 1), SIGTERM);
}

static void signals_are_statuses(void **context) {
  (void)context;
  static const struct {
    int signal, code;
  } table[] = {{0, 0},        {SIGINT, 130}, {SIGTERM, 143},
               {SIGHUP, 143}, {SIGUSR1, 75}, {SIGUSR2, 75}};
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    assert_int_equal(cairn_base_status_exit_code(
                         cairn_base_status_of_signal(table[i].signal)),
                     table[i].code);
}

/* ---- the command ---- */

static const char *journal_in(const char *a, const char *b, const char *c) {
  static char words[4][32];
  const char *const given[] = {"job", a, b, c};
  char *command[5] = {0};
  for (int i = 0; i < 4 && given[i] != NULL; i++) {
    snprintf(words[i], sizeof words[i], "%s", given[i]);
    command[i] = words[i];
  }
  return cairn_exec__launch_journal_of(command);
}

static void the_journal_is_the_last_output(void **context) {
  (void)context;
  assert_string_equal(journal_in("-o", "a", NULL), "a");
  assert_string_equal(journal_in("--output", "b", NULL), "b");
  assert_string_equal(journal_in("--output=c", NULL, NULL), "c");
  assert_string_equal(journal_in("-od", NULL, NULL), "d");
  assert_string_equal(journal_in("-oa", "-o", "b"), "b");
  assert_string_equal(journal_in("-o", "a", "-o"), "a"); /* without a file */
  assert_null(journal_in("-n", "4", NULL));
  assert_null(journal_in("-o", NULL, NULL));
}

static void resume_is_added_once(void **context) {
  (void)context;
  char job[] = "job", again[] = "--resume";
  char *fresh[] = {job, NULL}, *resumed[] = {job, again, NULL}, *out[4];
  assert_int_equal(cairn_exec__launch_resumed(fresh, out), 2);
  assert_ptr_equal(out[0], job);
  assert_string_equal(out[1], "--resume");
  assert_null(out[2]);
  assert_int_equal(cairn_exec__launch_resumed(resumed, out), 2);
  assert_ptr_equal(out[1], again);
  assert_null(out[2]);
}

/* ---- the whole ---- */

static void a_refused_job_is_told_as_the_outcome(void **context) {
  (void)context;
  static char sh[] = "sh", c[] = "-c", out[] = "-o", code[] = "exit 3";
  char journal[128];
  snprintf(journal, sizeof journal, "%s/none.jsonl", folder);
  char *command[] = {sh, c, code, out, journal, NULL};
  cairn_exec_launch_options options = {
      .command = command, .folder = folder, .restarts = 3, .grace_s = 60};
  cairn_exec_launch_outcome outcome = {0};
  assert_int_equal(cairn_exec_launch(&options, NULL, &outcome), CAIRN_OK);
  assert_int_equal(outcome.status, CAIRN_INPUT);
  assert_int_equal(outcome.attempts, 1);
  command[3] = NULL; /* which journal? */
  assert_int_equal(cairn_exec_launch(&options, NULL, &outcome), CAIRN_USAGE);
}

int main(void) {
#define IN_FOLDER(test)                                                        \
  cmocka_unit_test_setup_teardown(test, make_folder, remove_folder)
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_finished_journal_ends_the_job),
      cmocka_unit_test(a_job_that_refuses_is_not_run_again),
      cmocka_unit_test(a_job_that_died_is_run_again),
      cmocka_unit_test(signals_end_the_supervisor),
      cmocka_unit_test(only_measurements_give_hope),
      cmocka_unit_test(what_one_schedule_costs_counts_once),
      cmocka_unit_test(pauses_grow_to_a_bound),
      cmocka_unit_test(states_are_counted_from_journals),
      cmocka_unit_test(the_third_death_is_the_last),
      IN_FOLDER(ranks_of_two_hosts_are_read_in_order),
      IN_FOLDER(what_makes_no_sense_is_left_out),
      IN_FOLDER(the_first_to_go_has_died),
      IN_FOLDER(a_rank_of_an_unseen_host_may_have_been_first),
      IN_FOLDER(who_leaves_in_good_order_has_not_died),
      cmocka_unit_test(a_launcher_keeps_what_it_handles),
      cmocka_unit_test(what_a_launcher_knows_is_passed_on),
      cmocka_unit_test(signals_are_statuses),
      cmocka_unit_test(the_journal_is_the_last_output),
      cmocka_unit_test(resume_is_added_once),
      IN_FOLDER(a_refused_job_is_told_as_the_outcome)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

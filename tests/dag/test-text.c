/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-text.c - schedules to text and back; messages; the recorded
 * tables hold exactly the space of SpMV.
 */
#include "base/mem-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/schedule/sequence-private.h"
#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include "tests/dag/support.h"
#include <cairn/dag.h>

#include <jansson.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static int round_trip(void *context, const cairn_dag_item *items,
                      size_t count) {
  const cairn_dag_program *const program = context;
  cairn_base_text text = {0};
  cairn_dag_schedule back = {0}, bound = {0};
  cairn_dag_intern *intern;
  cairn_dag_sequence sequence = {0};
  assert_int_equal(cairn_dag_schedule_format(program, items, count, &text),
                   CAIRN_OK);
  assert_int_equal(cairn_dag_schedule_parse(program, text.data, NULL, &back),
                   CAIRN_OK);
  assert_int_equal(back.count, count);
  assert_memory_equal(back.items, items, count * sizeof *items);
  assert_int_equal(cairn_dag__intern_create(&intern), CAIRN_OK);
  assert_int_equal(cairn_dag__sequence_parse(text.data, text.length, intern,
                                             NULL, 0, NULL, &sequence),
                   CAIRN_OK);
  assert_int_equal(
      cairn_dag__sequence_bind(&sequence, intern, program, NULL, &bound),
      CAIRN_OK);
  assert_int_equal(bound.count, count);
  assert_memory_equal(bound.items, items, count * sizeof *items);
  cairn_dag__sequence_free(&sequence);
  cairn_dag__intern_free(intern);
  cairn_dag_schedule_free(&back);
  cairn_dag_schedule_free(&bound);
  cairn_base_text_free(&text);
  return 0;
}

static void test_round_trip(void **state) {
  cairn_dag_program *const spmv = test_spmv();
  (void)state;
  cairn_dag_space_enumerate(spmv, 2, CAIRN_DAG_SYNC_TIDY, round_trip, spmv);
  cairn_dag_program_free(spmv);
}

/* The names, worked out by hand from their definition: the record after yl
 * serves y by the stream wait, the one after Pack serves PostSend. */
static void test_names(void **state) {
  static const char given[] =
      "start Pack@7 CERx@7#3 yl@2 CES#3 PostRecv PostSend WaitRecv WaitSend "
      "yr@7 CER-foo@2#9 CSWE-after-yl@7#9 y@7 CER@7#1 CES#1 end";
  static const char expected[] =
      "start Pack@0 CER-after-Pack@0#0 yl@1 CES-b4-PostSend#0 PostRecv "
      "PostSend WaitRecv WaitSend yr@0 CER-after-yl@1#1 "
      "CSW-after-yl-b4-y@0#1 y@0 CER-after-y@0#2 CES-b4-end#2 end";
  cairn_dag_program *const spmv = test_spmv();
  cairn_dag_schedule s = {0};
  cairn_base_text text = {0};
  (void)state;
  assert_int_equal(cairn_dag_schedule_parse(spmv, given, NULL, &s), CAIRN_OK);
  cairn_dag_schedule_format(spmv, s.items, s.count, &text);
  assert_string_equal(text.data, expected);
  cairn_base_text_free(&text);
  cairn_dag_schedule_free(&s);
  cairn_dag_program_free(spmv);
}

static void test_messages(void **state) {
  static const struct {
    const char *text, *part;
  } cases[] = {
      {"start Pakc@0 end", "item 1 of the schedule, \"Pakc\", is no operation "
                           "of program spmv; did you mean \"Pack\"?"},
      {"start Pack@0 Pack@1 end", "item 2 of the schedule, \"Pack\", is there "
                                  "twice"},
      {"start Pack end", "is a GPU operation"},
      {"start PostRecv@0 end", "is a CPU operation"},
      {"start CER@0 end", "a sync needs its event"},
      {"start CSW#1 end", "it needs its stream"},
      {"start Pack@x end", "a stream number"},
      {"start Pack@999 end", "a stream number"},
      {"start end", "operation \"Pack\" and 7 others are missing"},
      {"start @1", "it has no name"},
  };
  cairn_dag_program *const spmv = test_spmv();
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    cairn_dag_schedule s = {0};
    cairn_base_diag *diag;
    cairn_base_diag_create(0, &diag);
    assert_int_equal(cairn_dag_schedule_parse(spmv, cases[i].text, diag, &s),
                     CAIRN_INPUT);
    assert_int_equal(cairn_base_diag_errors(diag), 1);
    if (!strstr(cairn_base_diag_get(diag, 0)->text, cases[i].part))
      fail_msg("\"%s\" gives \"%s\"", cases[i].text,
               cairn_base_diag_get(diag, 0)->text);
    cairn_base_diag_free(diag);
    cairn_dag_schedule_free(&s);
  }
  cairn_dag_program_free(spmv);
}

/* One JSON object of the table as an item's text. */
static void add_item(cairn_base_text *text, json_t *object) {
  const char *name = json_string_value(json_object_get(object, "name"));
  json_t *const stream = json_object_get(object, "stream");
  json_t *const event = json_object_get(object, "event");
  if (strcmp(name, "Scatter") == 0)
    name = "Pack";
  cairn_base_text_addf(text, " %s", name);
  if (stream)
    cairn_base_text_addf(text, "@%d", (int)json_integer_value(stream));
  if (event)
    cairn_base_text_addf(text, "#%d", (int)json_integer_value(event));
}

static void add_line(const cairn_dag_program *program, char *line,
                     test_set *set) {
  cairn_base_text text = {0};
  cairn_dag_schedule s = {0};
  char *save = NULL;
  for (char *field = strtok_r(line, "|\n", &save); field;
       field = strtok_r(NULL, "|\n", &save)) {
    if (field[0] != '{')
      continue;
    json_t *const object = json_loads(field, 0, NULL);
    assert_non_null(object);
    add_item(&text, object);
    json_decref(object);
  }
  assert_int_equal(cairn_dag_schedule_parse(program, text.data, NULL, &s),
                   CAIRN_OK);
  s.count = cairn_dag__schedule_tidy(s.items, s.count);
  test_set_add(set, s.items, s.count);
  cairn_dag_schedule_free(&s);
  cairn_base_text_free(&text);
}

static void test_recorded(void **state) {
  static const char *const names[] = {"perlmutter-spmv-15000.csv",
                                      "perlmutter-spmv-150000.csv",
                                      "perlmutter-spmv-150000-earlier.csv"};
  const char *const source = getenv("top_srcdir");
  cairn_dag_program *const spmv = test_spmv();
  test_set space = {0};
  unsigned tables = 0;
  (void)state;
  cairn_dag_space_enumerate(spmv, 2, CAIRN_DAG_SYNC_TIDY, test_set_visit,
                            &space);
  test_set_sort(&space);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char path[4096], *line = NULL;
    size_t room = 0;
    test_set recorded = {0};
    snprintf(path, sizeof path, "%s/../shared/data/%s", source ? source : ".",
             names[i]);
    FILE *const file = fopen(path, "r");
    if (!file)
      continue;
    while (getline(&line, &room, file) > 0)
      add_line(spmv, line, &recorded);
    fclose(file);
    free(line);
    assert_int_equal(recorded.count, 2036);
    assert_int_equal(test_set_sort(&recorded), 0);
    assert_true(test_set_equal(&space, &recorded));
    test_set_free(&recorded);
    tables++;
  }
  test_set_free(&space);
  cairn_dag_program_free(spmv);
  if (tables == 0) {
    print_message("no recorded tables here\n");
    skip();
  }
}

/* What is wrong with a program is said when it is built or sealed. */
static void test_program_messages(void **state) {
  const cairn_dag_op ops[] = {{.name = "a"}, {.name = "b"}, {.name = "c"}};
  const cairn_dag_op bad[] = {
      {.name = "a"}, {.name = "end"}, {.name = "CERx"}, {.name = "1x"}};
  cairn_dag_program *p;
  cairn_base_diag *diag;
  unsigned id;
  (void)state;
  cairn_base_diag_create(0, &diag);
  assert_int_equal(cairn_dag_program_create("loop", &p), CAIRN_OK);
  for (size_t i = 0; i < 3; i++)
    assert_int_equal(cairn_dag_program_add_op(p, &ops[i], diag, &id), CAIRN_OK);
  for (size_t i = 0; i < 4; i++)
    assert_int_equal(cairn_dag_program_add_op(p, &bad[i], diag, &id),
                     CAIRN_INPUT);
  assert_int_equal(cairn_base_diag_errors(diag), 4);
  cairn_dag_program_add_edge(p, 1, 2, diag);
  cairn_dag_program_add_edge(p, 2, 3, diag);
  cairn_dag_program_add_edge(p, 3, 2, diag);
  assert_int_equal(cairn_dag_program_seal(p, diag), CAIRN_INPUT);
  const char *const text = cairn_base_diag_get(diag, 4)->text;
  assert_true(strstr(text, "cycle: b after c after b") ||
              strstr(text, "cycle: c after b after c"));
  cairn_dag_program_free(p);
  cairn_base_diag_free(diag);
}

/* Every allocation fails once: nothing leaks, nothing crashes. */
static void test_memory(void **state) {
  (void)state;
  cairn_dag_program *const spmv = test_spmv();
  for (size_t n = 1; n < 400; n++) {
    cairn_dag_schedule s = {0};
    cairn_base_text text = {0};
    cairn_dag_moves *moves = NULL;
    cairn_dag_sampler *sampler = NULL;
    cairn_dag_size size;
    cairn_base__mem_fail(n, 0);
    cairn_status status = cairn_dag_schedule_program_order(spmv, &s);
    if (status == CAIRN_OK)
      status = cairn_dag_schedule_format(spmv, s.items, s.count, &text);
    if (status == CAIRN_OK)
      status = cairn_dag__moves_create(spmv, 2, &moves);
    if (status == CAIRN_OK)
      status = cairn_dag__sampler_create(spmv, 2, 1, &sampler);
    if (status == CAIRN_OK)
      status = cairn_dag_space_orders(spmv, &size);
    const size_t asked = cairn_base__mem_count();
    cairn_base__mem_fail(0, 0);
    assert_true(status == CAIRN_OK || status == CAIRN_NOMEM);
    cairn_dag_schedule_free(&s);
    cairn_base_text_free(&text);
    cairn_dag__moves_free(moves);
    cairn_dag__sampler_free(sampler);
    if (status == CAIRN_OK && asked < n)
      break;
  }
  cairn_dag_program_free(spmv);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),       cmocka_unit_test(test_names),
      cmocka_unit_test(test_messages),         cmocka_unit_test(test_recorded),
      cmocka_unit_test(test_program_messages), cmocka_unit_test(test_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

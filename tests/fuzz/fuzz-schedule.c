/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-schedule.c - the text of a schedule, read with and without
 * its program.  What is read, is printed and read again, is the same.
 */
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include <cairn/dag.h>

static const char source[] =
    "<program name='p'><gpu name='Pack'/><gpu name='yl'/>"
    "<cpu name='PostSend' after='Pack'/><cpu name='W' after='PostSend'/>"
    "<gpu name='yr' after='W'/><gpu name='y' after='yl yr'/></program>";

static cairn_dag_program *the_program(void) {
  static cairn_dag_program *program;
  if (!program && cairn_dag_program_read_memory(source, sizeof source - 1, "p",
                                                NULL, &program) != CAIRN_OK)
    abort();
  return program;
}

/* Tidied, printed and read again, a schedule is the same. */
static void there_and_back(const cairn_dag_program *program,
                           cairn_dag_schedule *schedule) {
  cairn_base_text text = {0};
  cairn_dag_schedule again = {0};
  schedule->count = cairn_dag_schedule_tidy(schedule->items, schedule->count);
  if (cairn_dag_schedule_format(program, schedule->items, schedule->count,
                                &text) != CAIRN_OK)
    abort();
  fuzz_promise(cairn_dag_schedule_parse(program, text.data, NULL, &again) ==
                   CAIRN_OK,
               "its own text is refused");
  fuzz_promise(again.count == schedule->count &&
                   memcmp(again.items, schedule->items,
                          again.count * sizeof *again.items) == 0,
               "its own text is another schedule");
  cairn_dag_schedule_free(&again);
  cairn_base_text_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cairn_dag_program *const program = the_program();
  cairn_dag_schedule schedule = {0}, bound = {0};
  cairn_dag_sequence sequence = {0};
  cairn_dag_intern *intern = NULL;
  char *const text = cairn_base_strndup((const char *)data, size);
  if (!text || cairn_dag_intern_create(&intern) != CAIRN_OK)
    abort();
  const cairn_status parsed =
      cairn_dag_schedule_parse(program, text, NULL, &schedule);
  if (parsed == CAIRN_OK)
    there_and_back(program, &schedule);
  if (cairn_dag_sequence_parse((const char *)data, size, intern, NULL, 0, NULL,
                               &sequence) == CAIRN_OK)
    (void)cairn_dag_sequence_bind(&sequence, intern, program, NULL, &bound);
  cairn_dag_schedule_free(&schedule);
  cairn_dag_schedule_free(&bound);
  cairn_dag_sequence_free(&sequence);
  cairn_dag_intern_free(intern);
  cairn_base_free(text);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-schedule.c - the text of a schedule (after a '!': choices
 * that make one), read with and without its program: both ways agree.  What is
 * read, is printed and read again, is the same; a legal one stays legal when it
 * is made minimal.
 */
#include "base/text-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/schedule/sequence-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

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
  schedule->count = cairn_dag__schedule_tidy(schedule->items, schedule->count);
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

static void minimize(const cairn_dag_program *program,
                     const cairn_dag_schedule *schedule) {
  static cairn_dag_prover *prover;
  cairn_dag_schedule less = {0};
  if ((!prover && cairn_dag__prover_create(program, &prover) != CAIRN_OK) ||
      cairn_dag_schedule_set(&less, schedule->items, schedule->count) !=
          CAIRN_OK)
    abort();
  const int legal =
      cairn_dag__prover_legal(prover, schedule->items, schedule->count);
  less.count = cairn_dag__prover_minimize(prover, less.items, less.count);
  fuzz_promise(less.count <= schedule->count, "more items than before");
  fuzz_promise(cairn_dag__prover_legal(prover, less.items, less.count) == legal,
               "minimal, but not as legal as before");
  fuzz_promise(cairn_dag__prover_minimize(prover, less.items, less.count) ==
                   less.count,
               "not minimal the first time");
  cairn_dag_schedule_free(&less);
}

static int same(const cairn_dag_schedule *a, const cairn_dag_schedule *b) {
  return a->count == b->count &&
         (a->count == 0 ||
          memcmp(a->items, b->items, a->count * sizeof *a->items) == 0);
}

static void try_text(const cairn_dag_program *program, const char *text,
                     size_t length) {
  cairn_dag_schedule schedule = {0}, bound = {0};
  cairn_dag_sequence sequence = {0};
  cairn_dag_intern *intern = NULL;
  if (cairn_dag__intern_create(&intern) != CAIRN_OK)
    abort();
  const cairn_status parsed =
      cairn_dag_schedule_parse(program, text, NULL, &schedule);
  cairn_status apart =
      cairn_dag__sequence_parse(text, length, intern, NULL, 0, NULL, &sequence);
  if (apart == CAIRN_OK)
    apart = cairn_dag__sequence_bind(&sequence, intern, program, NULL, &bound);
  if (strlen(text) == length)
    fuzz_promise(parsed == apart && (parsed || same(&schedule, &bound)),
                 "another schedule when read without its program");
  if (parsed == CAIRN_OK) {
    there_and_back(program, &schedule);
    minimize(program, &schedule);
  }
  cairn_dag_schedule_free(&schedule);
  cairn_dag_schedule_free(&bound);
  cairn_dag__sequence_free(&sequence);
  cairn_dag__intern_free(intern);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cairn_dag_program *const program = the_program();
  cairn_base_text text = {0};
  cairn_base_text_add(&text, "");
  if (size > 0 && data[0] == '!')
    fuzz_sequence(program, data + 1, size - 1, &text);
  else
    cairn_base__text_add_bytes(&text, (const char *)data, size);
  if (text.failed)
    abort();
  try_text(program, text.data, text.length);
  cairn_base_text_free(&text);
  return 0;
}

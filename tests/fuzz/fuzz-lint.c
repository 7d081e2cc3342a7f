/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-lint.c - the text of a sequence for the linter, as it comes,
 * or, after a '!', made of choices that the bytes stand for.  A text that
 * is a schedule too, of a program without buffers, is legal to the linter if
 * and only if it is to the prover.
 */
#include "base/text-private.h"
#include "dag/prove/prove-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/lint.h>

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 60 }; /* items: what is needless takes their square */

static const char plain_xml[] =
    "<program name='p'><gpu name='a'/><gpu name='b'/>"
    "<cpu name='r' posts='r' from='s'/><cpu name='s' after='a' posts='s'/>"
    "<cpu name='w' after='s r' waits='r s'/><gpu name='c' after='w b'/>"
    "</program>";
static const char buffers_xml[] =
    "<program name='p'><gpu name='a' writes='A'/><gpu name='b' reads='A'/>"
    "<cpu name='r' posts='r' from='s' writes='R'/>"
    "<cpu name='s' after='a' posts='s' reads='A'/>"
    "<cpu name='w' after='s r' waits='r s'/>"
    "<gpu name='c' after='w b' reads='R' writes='C'/></program>";

static cairn_dag_program *read_program(const char *xml) {
  cairn_dag_program *program;
  if (cairn_dag_program_read_memory(xml, strlen(xml), "p", NULL, &program) !=
      CAIRN_OK)
    abort();
  return program;
}

static void try_text(const cairn_dag_program *program, const char *text,
                     int has_buffers) {
  cairn_dag_schedule sequence = {0}, schedule = {0};
  const cairn_status status =
      cairn_lint_parse(program, text, NULL, &sequence, NULL);
  const cairn_status as_schedule =
      cairn_dag_schedule_parse(program, text, NULL, &schedule);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT, "a wrong status");
  fuzz_promise(as_schedule != CAIRN_OK || status == CAIRN_OK,
               "a schedule that cannot be linted");
  if (status == CAIRN_OK && sequence.count <= LONGEST) {
    const int legal = fuzz_lint(program, sequence.items, sequence.count, 0);
    (void)fuzz_lint(program, sequence.items, sequence.count, 1);
    if (as_schedule == CAIRN_OK && !has_buffers) {
      cairn_dag_prover *const prover = fuzz_prover(program);
      const int proved =
          cairn_dag__prover_legal(prover, schedule.items, schedule.count) &&
          !cairn_dag__prover_hangs(prover, schedule.items, schedule.count);
      fuzz_promise(proved || !legal, "legal to the linter only");
      fuzz_promise(legal || !proved, "legal to the prover only");
    }
  }
  cairn_dag_schedule_free(&sequence);
  cairn_dag_schedule_free(&schedule);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static cairn_dag_program *plain, *buffers;
  if (!plain) {
    plain = read_program(plain_xml);
    buffers = read_program(buffers_xml);
  }
  cairn_base_text text = {0};
  cairn_base_text_add(&text, "");
  if (size > 0 && data[0] == '!')
    fuzz_sequence(plain, data + 1, size - 1, &text);
  else
    cairn_base__text_add_bytes(&text, (const char *)data, size);
  if (text.failed)
    abort();
  try_text(plain, text.data, 0);
  try_text(buffers, text.data, 1);
  cairn_base_text_free(&text);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-capture.c - logs of libcairn-capture, with maps and an
 * iteration.  What is read can be linted, and what the linter calls legal is a
 * schedule that the prover calls legal.
 */
#include "tests/dag/capture-input.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/lint.h>

static cairn_dag_program *the_program(void) {
  static cairn_dag_program *program;
  if (!program &&
      cairn_dag_program_read_memory(capture_program, sizeof capture_program - 1,
                                    "p", NULL, &program) != CAIRN_OK)
    abort();
  return program;
}

static size_t lines_of(const char *text) {
  size_t lines = 0;
  for (; *text; text++)
    lines += *text == '\n';
  return lines;
}

static void use(const cairn_dag_program *program, const char *log,
                const cairn_lint_capture *c) {
  const unsigned ops = cairn_dag_program_ops(program);
  const size_t lines = lines_of(log);
  fuzz_promise(c->iteration < c->iterations, "an iteration that is not there");
  fuzz_promise(c->different < c->iterations, "too many differ");
  fuzz_promise(c->open || (c->count >= 3 && c->items[0].id == 0 &&
                           c->items[c->count - 1].id == ops - 1),
               "joined, but no start and end");
  for (size_t i = 0; i < c->count; i++) {
    fuzz_promise(c->line[i] <= lines, "a line that is not there");
    fuzz_promise(c->items[i].kind > CAIRN_DAG_ITEM_GPU || c->items[i].id < ops,
                 "an op that is not there");
    fuzz_promise(c->items[i].stream < CAIRN_DAG_MAX_STREAMS,
                 "a stream too many");
  }
  fuzz_lint(program, c->items, c->count, c->open);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cairn_dag_program *const program = the_program();
  cairn_lint_capture *capture = NULL;
  cairn_base_diag *diag = NULL;
  capture_input in = capture_input_split((const char *)data, size);
  if (!in.copy || cairn_base_diag_create(0, &diag) != CAIRN_OK)
    abort();
  const cairn_status status = cairn_lint_capture_read(
      program, "log", in.log, in.map, in.maps, in.iteration, diag, &capture);
  fuzz_promise(
      status == CAIRN_OK || status == CAIRN_INPUT ||
          (status == CAIRN_USAGE &&
           (in.maps > 0 || in.iteration != CAIRN_LINT_CAPTURE_NO_ITERATION)),
      "a wrong status");
  fuzz_promise((status == CAIRN_OK) == (cairn_base_diag_errors(diag) == 0),
               "refused without a message, or read with one");
  if (status == CAIRN_OK)
    use(program, in.log, capture);
  cairn_lint_capture_free(capture);
  cairn_base_diag_free(diag);
  cairn_base_free(in.copy);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/capture-corpus.c - captured logs, whole, cut and wrong, each with
 * the exact messages, or the items that were read.
 */
#include "tests/dag/capture-input.h"
#include "tests/dag/corpus.h"
#include <cairn/lint.h>

static void show(const cairn_dag_program *program,
                 const cairn_lint_capture *capture, cairn_base_text *found) {
  cairn_base_text_addf(found, "ok:");
  for (size_t i = 0; i < capture->count; i++) {
    cairn_base_text_add(found, " ");
    cairn_lint_item(program, capture->items[i], NULL, found);
  }
  cairn_base_text_addf(found, " (%s, %zu of %zu, rank %u)\n",
                       capture->open ? "open" : "joined", capture->iteration,
                       capture->iterations, capture->rank);
}

static void run_log(const corpus_case *c, cairn_base_text *found) {
  cairn_base_diag *diag;
  cairn_dag_program *program;
  cairn_lint_capture *capture = NULL;
  capture_input in = capture_input_split(c->input, c->length);
  if (!in.copy || cairn_base_diag_create(0, &diag) != CAIRN_OK ||
      cairn_dag_program_read_memory(capture_program, sizeof capture_program - 1,
                                    "p", NULL, &program) != CAIRN_OK)
    abort();
  const cairn_status status = cairn_lint_capture_read(
      program, "log", in.log, in.map, in.maps, in.iteration, diag, &capture);
  corpus_messages(diag, found);
  if (status == CAIRN_OK)
    show(program, capture, found);
  else if (status != CAIRN_INPUT)
    cairn_base_text_addf(found, "status %d\n", (int)status);
  cairn_lint_capture_free(capture);
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
  cairn_base_free(in.copy);
}

int main(void) { return corpus_check("capture-logs.txt", run_log); }

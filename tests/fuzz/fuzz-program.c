/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-program.c - program files: read or refused with a message.
 * What is read is read the same twice, and its program order is a schedule
 * that the prover calls legal and that its own text names.
 */
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "tests/fuzz/fuzz.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

enum { FEW_OPS = 40 }; /* larger programs are read only, for speed */

static void walk(const cairn_dag_program *program) {
  const unsigned ops = cairn_dag_program_ops(program);
  fuzz_promise(ops >= 3, "a program without ops");
  for (unsigned id = 0; id < ops; id++) {
    size_t count;
    const unsigned *const preds = cairn_dag__program_preds(program, id, &count);
    const char *const name = cairn_dag_program_op(program, id)->name;
    fuzz_promise(cairn_dag__program_find(program, name) == id, "a lost name");
    for (size_t i = 0; i < count; i++)
      fuzz_promise(preds[i] < ops && preds[i] != id, "a bad edge");
  }
}

static void order(const cairn_dag_program *program) {
  cairn_dag_prover *prover;
  cairn_dag_schedule schedule = {0}, again = {0};
  cairn_base_text text = {0};
  if (cairn_dag_schedule_program_order(program, &schedule) != CAIRN_OK ||
      cairn_dag__prover_create(program, &prover) != CAIRN_OK ||
      cairn_dag_schedule_format(program, schedule.items, schedule.count,
                                &text) != CAIRN_OK)
    abort();
  fuzz_promise(cairn_dag__prover_legal(prover, schedule.items, schedule.count),
               "the program order is illegal");
  fuzz_promise(cairn_dag_schedule_parse(program, text.data, NULL, &again) ==
                       CAIRN_OK &&
                   again.count == schedule.count &&
                   memcmp(again.items, schedule.items,
                          again.count * sizeof *again.items) == 0,
               "its text is another schedule");
  cairn_dag_schedule_free(&schedule);
  cairn_dag_schedule_free(&again);
  cairn_base_text_free(&text);
  cairn_dag__prover_free(prover);
}

static void read_again(const char *data, size_t size,
                       const cairn_dag_program *program) {
  cairn_dag_program *again = NULL;
  fuzz_promise(cairn_dag_program_read_memory(data, size, "fuzz", NULL,
                                             &again) == CAIRN_OK &&
                   strcmp(cairn_dag__program_digest(again),
                          cairn_dag__program_digest(program)) == 0,
               "another program at the second reading");
  cairn_dag_program_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cairn_base_diag *diag = NULL;
  cairn_dag_program *program = NULL;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    return 0;
  const cairn_status status = cairn_dag_program_read_memory(
      (const char *)data, size, "fuzz", diag, &program);
  fuzz_promise(status == CAIRN_OK || status == CAIRN_INPUT, "a wrong status");
  fuzz_promise((status == CAIRN_OK) == (cairn_base_diag_errors(diag) == 0),
               "refused without a message, or read with one");
  if (status == CAIRN_OK) {
    walk(program);
    if (cairn_dag_program_ops(program) <= FEW_OPS) {
      order(program);
      read_again((const char *)data, size, program);
    }
  }
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
  return 0;
}

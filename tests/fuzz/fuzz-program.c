/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz-program.c - program files: read or refused with a message.
 */
#include "tests/fuzz/fuzz.h"

#include <cairn/dag.h>

static void walk(const cairn_dag_program *program) {
  const unsigned ops = cairn_dag_program_ops(program);
  fuzz_promise(ops >= 3, "a program without ops");
  for (unsigned id = 0; id < ops; id++) {
    size_t count;
    const unsigned *const preds = cairn_dag_program_preds(program, id, &count);
    const char *const name = cairn_dag_program_op(program, id)->name;
    fuzz_promise(cairn_dag_program_find(program, name) == id, "a lost name");
    for (size_t i = 0; i < count; i++)
      fuzz_promise(preds[i] < ops && preds[i] != id, "a bad edge");
  }
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
  if (status == CAIRN_OK)
    walk(program);
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
  return 0;
}

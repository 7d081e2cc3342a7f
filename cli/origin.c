/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/origin.c - refusing results that do not belong together, in the same
 * words for all commands.
 */
#include "cli.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

static cairn_status refuse_pair(const cairn_journal_run *a,
                                const cairn_journal_run *b,
                                const cairn_cli_origin *how,
                                cairn_base_diag *diag, int *refused_p) {
  cairn_base_text words = {0};
  cairn_journal_origin origin;
  cairn_status status =
      cairn_journal_origin_compare(a, b, how->objective, diag, &origin, &words);
  if (status == CAIRN_OK && origin == CAIRN_JOURNAL_ORIGIN_PROGRAM) {
    *refused_p = 1;
    cairn_base_diag_error(diag, "%s and %s are of different programs: %s",
                          a->path, b->path, words.data);
  } else if (status == CAIRN_OK && origin == CAIRN_JOURNAL_ORIGIN_CONDITIONS &&
             !how->across) {
    *refused_p = 1;
    cairn_base_diag_error(diag, "%s and %s differ: %s: %s", a->path, b->path,
                          words.data, how->remedy);
  }
  cairn_base_text_free(&words);
  return status;
}

cairn_status cairn_cli_same_origin(cairn_journal_run *const *run, size_t runs,
                                   const cairn_cli_origin *how,
                                   cairn_base_diag *diag) {
  cairn_status status = CAIRN_OK;
  int refused = 0;
  /* every pair: what one header does not tell equals anything */
  for (size_t j = 1; j < runs && status == CAIRN_OK && !refused; j++)
    for (size_t i = 0; i < j && status == CAIRN_OK && !refused; i++)
      status = refuse_pair(run[i], run[j], how, diag, &refused);
  return status == CAIRN_OK && refused ? CAIRN_INPUT : status;
}

cairn_status cairn_cli_of_program(const cairn_journal_run *run,
                                  const cairn_dag_program *program,
                                  cairn_base_diag *diag) {
  cairn_base_text words = {0};
  cairn_journal_origin origin = CAIRN_JOURNAL_ORIGIN_SAME;
  cairn_status status =
      cairn_journal_origin_of_program(run, program, diag, &origin, &words);
  if (status == CAIRN_OK && origin != CAIRN_JOURNAL_ORIGIN_SAME) {
    cairn_base_diag_error(diag,
                          "%s (the first) is the journal of another program "
                          "than \"%s\" (the second): %s",
                          run->path, cairn_dag_program_name(program),
                          words.data);
    status = CAIRN_INPUT;
  }
  cairn_base_text_free(&words);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/check.h - what the files of `cairn check` share.
 */
#ifndef CAIRN_CLI_CHECK_H
#define CAIRN_CLI_CHECK_H

#include <cairn/dag.h>
#include <cairn/study.h>

#include "cli.h"

/* Estimates from a journal of the program; messages in diag. */
cairn_status cairn_cli_difficulty_read(const char *path,
                                       const cairn_dag_program *program,
                                       unsigned streams, cairn_base_diag *diag,
                                       cairn_study_difficulty *difficulty_p);
void cairn_cli_difficulty_print(const cairn_study_difficulty *difficulty);
json_t *cairn_cli_difficulty_json(const cairn_study_difficulty *difficulty);

#endif

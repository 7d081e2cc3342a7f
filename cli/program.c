/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/program.c - the program file with the user's -D and --streams applied.
 */
#include <string.h>

#include "cli.h"
#include <cairn/exec.h>

static cairn_status define(cairn_dag_program *program, const char *text,
                           cairn_base_diag *diag) {
  const char *equals = strchr(text, '=');
  char *name = cairn_base_strndup(text, (size_t)(equals - text));
  if (name == NULL)
    return CAIRN_NOMEM;
  cairn_status status =
      cairn_dag_program_set_param(program, name, equals + 1, diag);
  cairn_base_free(name);
  return status;
}

cairn_status cairn_cli_check_shared(const char *path,
                                    const cairn_exec_world *world,
                                    cairn_base_diag *diag) {
  if (world == NULL || cairn_exec_world_size(world) < 2 ||
      !cairn_base_file_is_stream(path))
    return CAIRN_OK;
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 0,
                      "every rank reads the program, and a pipe can be read "
                      "once only: give a file");
  return CAIRN_INPUT;
}

cairn_status cairn_cli_read_program(const char *path,
                                    const cairn_cli_program *options,
                                    cairn_base_diag *diag,
                                    cairn_dag_program **program_p,
                                    unsigned *streams_p) {
  cairn_dag_program *program;
  cairn_status status = cairn_dag_program_read(path, diag, &program);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < options->defines && status == CAIRN_OK; i++)
    status = define(program, options->define[i], diag);
  if (status != CAIRN_OK) {
    cairn_dag_program_free(program);
    return status;
  }
  if (streams_p != NULL)
    *streams_p = options->streams != 0 ? options->streams
                                       : cairn_dag_program_streams(program);
  *program_p = program;
  return CAIRN_OK;
}

void cairn_cli_program_free(cairn_cli_program *options) {
  cairn_base_free((void *)options->define);
  *options = (cairn_cli_program){0};
}

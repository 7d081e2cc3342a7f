/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/output.c - what is printed, by rank 0 alone: results on standard output,
 * messages on standard error.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

/* Of the process: -1 not known yet. */
static int known_rank = -1;
static int told;

void cairn_cli_set_rank(int rank) { known_rank = rank; }

cairn_status cairn_cli_join(cairn_exec_world *world, int singleton,
                            cairn_base_diag *diag) {
  cairn_cli_set_rank(cairn_exec_world_rank(world));
  return singleton ? CAIRN_OK : cairn_exec_world_whole(world, diag);
}

int cairn_cli_rank(void) {
  return known_rank >= 0 ? known_rank
                         : cairn_exec_rank_in(cairn_exec_getenv, NULL);
}

void cairn_cli_told(void) { told = 1; }

cairn_status cairn_cli_excuse(const char *command, cairn_status status) {
  if (status != CAIRN_OK && status != CAIRN_EXHAUSTED && !told &&
      cairn_cli_rank() == 0) {
    fflush(stdout);
    fprintf(stderr, "cairn: %s%s%s\n", command, *command ? ": " : "",
            cairn_base_status_text(status));
    told = 1;
  }
  return status;
}

cairn_status cairn_cli_say(cairn_base_diag *diag, cairn_status status) {
  int quiet = cairn_base_log_get_level() == CAIRN_BASE_LOG_ERROR;
  if (cairn_cli_rank() == 0 && (!quiet || cairn_base_diag_errors(diag) > 0)) {
    fflush(stdout);
    told |= cairn_base_diag_errors(diag) > 0;
    cairn_base_diag_print(diag, stderr);
  }
  return status;
}

cairn_status cairn_cli_print_json(json_t *object) {
  if (object == NULL)
    return CAIRN_NOMEM;
  if (cairn_cli_rank() == 0) {
    json_dumpf(object, stdout, JSON_COMPACT | JSON_REAL_PRECISION(17));
    putchar('\n');
  }
  json_decref(object);
  return CAIRN_OK;
}

cairn_status cairn_cli_check_output(const char *option, const char *path,
                                    const char *const *input, size_t inputs,
                                    cairn_base_diag *diag) {
  if (path == NULL)
    return CAIRN_OK;
  for (size_t i = 0; i < inputs; i++)
    if (input[i] != NULL && !cairn_base_file_is_stream(path) &&
        (strcmp(input[i], path) == 0 || cairn_base_file_same(input[i], path))) {
      cairn_base_diag_error(diag, "%s %s would overwrite %s", option, path,
                            input[i]);
      return CAIRN_USAGE;
    }
  return cairn_base_file_can_write(path, diag);
}

int cairn_cli_out_failed(void) { return ferror(stdout) != 0; }

json_t *cairn_cli_json_number(double value) {
  return isfinite(value) ? json_real(value) : json_null();
}

json_t *cairn_cli_json_integer(uint64_t value) {
  if (value <= UINT64_C(1) << 53)
    return json_integer((json_int_t)value);
  char text[24];
  snprintf(text, sizeof text, "%llu", (unsigned long long)value);
  return json_string(text);
}

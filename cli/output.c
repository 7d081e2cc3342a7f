/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/output.c - what is printed, by rank 0 alone: results on standard output,
 * messages on standard error.
 */
#include <math.h>
#include <stdlib.h>

#include "cli.h"

int cairn_cli_rank(void) {
  static const char *const variables[] = {"PMI_RANK", "PMIX_RANK",
                                          "OMPI_COMM_WORLD_RANK",
                                          "MPI_LOCALRANKID", "SLURM_PROCID"};
  for (size_t i = 0; i < sizeof variables / sizeof variables[0]; i++) {
    const char *value = getenv(variables[i]);
    if (value != NULL && *value != '\0')
      return atoi(value);
  }
  return 0;
}

cairn_status cairn_cli_say(cairn_base_diag *diag, cairn_status status) {
  int quiet = cairn_base_log_get_level() == CAIRN_BASE_LOG_ERROR;
  if (cairn_cli_rank() == 0 && (!quiet || cairn_base_diag_errors(diag) > 0)) {
    fflush(stdout);
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

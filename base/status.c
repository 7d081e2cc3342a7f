/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/status.c - texts and exit codes, generated from the one table.
 */
#include <signal.h>

#include <cairn/base.h>

const char *cairn_base_status_text(cairn_status status) {
  switch (status) {
#define CASE(name, exit_code, text)                                            \
  case CAIRN_##name:                                                           \
    return text;
    CAIRN_BASE_STATUS_TABLE(CASE)
#undef CASE
  }
  return "unknown status";
}

int cairn_base_status_exit_code(cairn_status status) {
  switch (status) {
#define CASE(name, exit_code, text)                                            \
  case CAIRN_##name:                                                           \
    return exit_code;
    CAIRN_BASE_STATUS_TABLE(CASE)
#undef CASE
  }
  return 4;
}

cairn_status cairn_base_status_of_signal(int number) {
  switch (number) {
  case 0:
    return CAIRN_OK;
  case SIGINT:
    return CAIRN_INTERRUPTED;
  case SIGTERM:
  case SIGHUP:
    return CAIRN_TERMINATED;
  default:
    return CAIRN_RESUMABLE;
  }
}

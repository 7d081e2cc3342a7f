/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/status.c - texts and exit codes, generated from the one table.
 */
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

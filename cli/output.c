/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/output.c - what is printed, by rank 0 alone: results on standard output,
 * messages on standard error.
 */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"
#include <cairn/exec.h>

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
  return known_rank >= 0 ? known_rank : cairn_exec_rank_told();
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

void cairn_cli_print_text(const char *string) {
  cairn_base_text shown = {0};
  cairn_base_text_add_shown(&shown, string, 1);
  if (shown.failed)
    cairn_base_log(CAIRN_BASE_LOG_ERROR, "out of memory: output is left out");
  else if (shown.length > 0)
    fwrite(shown.data, 1, shown.length, stdout);
  cairn_base_text_free(&shown);
}

void cairn_cli_print(const char *format, ...) {
  char small[512], *large = NULL;
  va_list list;
  va_start(list, format);
  const int length = cairn_base_vformat(small, sizeof small, format, list);
  va_end(list);
  if (length >= (int)sizeof small &&
      (large = cairn_base_alloc((size_t)length + 1, 1)) != NULL) {
    va_start(list, format);
    cairn_base_vformat(large, (size_t)length + 1, format, list);
    va_end(list);
  }
  cairn_cli_print_text(large != NULL ? large : small);
  cairn_base_free(large);
}

void cairn_cli_print_shown(const char *before, const char *string,
                           const char *after) {
  cairn_base_text text = {0};
  cairn_base_text_add_shown(&text, string, 0);
  cairn_cli_print("%s%s%s", before, text.data != NULL ? text.data : "", after);
  cairn_base_text_free(&text);
}

cairn_status cairn_cli_print_json(json_t *object) {
  if (object == NULL)
    return CAIRN_NOMEM;
  if (cairn_cli_rank() == 0) {
    json_dumpf(object, stdout,
               JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(17));
    putchar('\n');
  }
  json_decref(object);
  return CAIRN_OK;
}

cairn_status cairn_cli_check_output(const char *option, const char *path,
                                    const char *const *input, size_t inputs,
                                    cairn_base_diag *diag) {
  return cairn_base_file_check_output(option, path, input, inputs, diag);
}

json_t *cairn_cli_json_text(const char *string) {
  if (string == NULL)
    return json_null();
  char *const text = cairn_base_utf8(string);
  json_t *const value = text != NULL ? json_string(text) : NULL;
  cairn_base_free(text);
  return value;
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

/* Has the reader of standard output gone? */
static int reader_gone(void) {
  struct pollfd out = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&out, 1, 0) > 0 && (out.revents & POLLERR) != 0;
}

/* What is wrong with standard output, when stdio has forgotten it: one more
 * byte of an output that is broken anyway. */
static int ask_again(void) {
  errno = 0;
  return write(STDOUT_FILENO, "\n", 1) < 0 ? errno : EIO;
}

cairn_status cairn_cli_close_output(cairn_status status) {
  errno = 0;
  int failed = ferror(stdout);
  if (fflush(stdout) != 0)
    failed = 1;
  int cause = errno != 0 || !reader_gone() ? errno : EPIPE;
  if (failed && cause == 0)
    cause = ask_again();
  if (fclose(stdout) != 0) {
    failed = 1;
    cause = cause != 0 ? cause : errno;
  }
  if (!failed || cause == EPIPE || cairn_cli_rank() != 0 || status == CAIRN_IO)
    return status; /* CAIRN_IO: the command has said it */
  fprintf(stderr, "cairn: error: standard output: %s\n",
          strerror(cause != 0 ? cause : EIO));
  return status == CAIRN_OK || status == CAIRN_FINDINGS ? CAIRN_IO : status;
}

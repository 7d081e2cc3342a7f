/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/capture-input.h - a captured log with what stands beside it on the
 * command line, as one text: lines "map NAME=OP" and "iteration N", then the
 * log.  For capture-corpus and the fuzzer.
 */
#ifndef TESTS_DAG_CAPTURE_INPUT_H
#define TESTS_DAG_CAPTURE_INPUT_H

#include <stdlib.h>
#include <string.h>

#include <cairn/dag.h>
#include <cairn/lint.h>

enum { CAPTURE_MAPS = 8 };

/* Two kernels, an exchange of two messages, a kernel that needs both; and a
 * buffer that makes one iteration wait for the one before. */
static const char capture_program[] =
    "<program name='x'><gpu name='a' writes='A'/><gpu name='b'/>"
    "<cpu name='recv' posts='r' from='s'/><cpu name='send' after='a' "
    "posts='s'/>"
    "<cpu name='wait' after='send recv' waits='r s'/>"
    "<gpu name='c' after='wait b' reads='A'/></program>";

typedef struct capture_input {
  char *copy;      /* free this */
  const char *log; /* in it */
  const char *map[CAPTURE_MAPS];
  size_t maps, iteration;
} capture_input;

static inline capture_input capture_input_split(const char *text,
                                                size_t length) {
  capture_input in = {.iteration = CAIRN_LINT_CAPTURE_NO_ITERATION};
  char *at = in.copy = cairn_base_strndup(text, length);
  while (at) {
    char *const end = strchr(at, '\n');
    const int map = strncmp(at, "map ", 4) == 0 && in.maps < CAPTURE_MAPS;
    const int iteration = strncmp(at, "iteration ", 10) == 0;
    if (!end || (!map && !iteration))
      break;
    *end = '\0';
    if (map)
      in.map[in.maps++] = at + 4;
    else
      in.iteration = strtoul(at + 10, NULL, 10);
    at = end + 1;
  }
  in.log = at;
  return in;
}

#endif

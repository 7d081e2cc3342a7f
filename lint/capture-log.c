/* SPDX-License-Identifier: BSD-3-Clause
 *
 * lint/capture-log.c - the lines of a captured log.
 *
 * A line is a word and its operands:
 *   stream S blocking|nonblocking     launch S NAME       copy S NAME
 *   record E S    hostwait E    streamwait S E    streamsync S    devicesync
 *   send NAME R   recv NAME R   wait NAME R...    mpi NAME        mark
 *   note TEXT
 * S, E and R are the capture library's numbers of streams (0: the legacy
 * default stream), events and requests.
 *
 * A line is taken as it was meant or refused: half a line, or one with words
 * too many, may name another request or kernel than the program's.
 */
#include "lint/calls-private.h"
#include <cairn/lint.h>

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *word;
  cairn_dag_call_kind kind;
  const char *operands; /* s stream, e event, n name, r request, . rest */
} lines[] = {{"stream", CAIRN_DAG_CALL_STREAM, "sn"},
             {"launch", CAIRN_DAG_CALL_GPU, "sn"},
             {"copy", CAIRN_DAG_CALL_GPU, "sn"},
             {"record", CAIRN_DAG_CALL_RECORD, "es"},
             {"hostwait", CAIRN_DAG_CALL_HOST_WAIT, "e"},
             {"streamwait", CAIRN_DAG_CALL_STREAM_WAIT, "se"},
             {"streamsync", CAIRN_DAG_CALL_STREAM_SYNC, "s"},
             {"devicesync", CAIRN_DAG_CALL_DEVICE_SYNC, ""},
             {"send", CAIRN_DAG_CALL_SEND, "nr"},
             {"recv", CAIRN_DAG_CALL_RECV, "nr"},
             {"wait", CAIRN_DAG_CALL_WAIT, "n."},
             {"mpi", CAIRN_DAG_CALL_MPI, "n"},
             {"mark", CAIRN_DAG_CALL_MARK, ""}};
#define LINES (sizeof lines / sizeof *lines)

int cairn_lint_capture_is(const char *text) {
  return strncmp(text, "cairn-capture ", 14) == 0;
}

/* The next word of the line, cut off; NULL: none. */
static char *next_word(char **at) {
  char *const word = *at + strspn(*at, " ");
  if (*word == '\0')
    return NULL;
  char *const end = word + strcspn(word, " ");
  *at = *end ? end + 1 : end;
  *end = '\0';
  return word;
}

static int number(const char *word, unsigned long *value) {
  char *end;
  if (!word || word[0] < '0' || word[0] > '9')
    return 0;
  errno = 0;
  *value = strtoul(word, &end, 10);
  return *end == '\0' && errno == 0;
}

/* 1 when all words are numbers, and there is one at least. */
static int are_numbers(const char *at) {
  size_t count = 0;
  for (at += strspn(at, " "); *at; at += strspn(at, " "), count++) {
    const size_t digits = strspn(at, "0123456789");
    if (digits == 0 || digits > 18 || (at[digits] && at[digits] != ' '))
      return 0;
    at += digits;
  }
  return count > 0;
}

/* 1 when the operands are there, and nothing else. */
static int read_operands(const char *operands, char *at, cairn_dag_call *call) {
  for (; *operands; operands++) {
    if (*operands == '.') {
      call->requests = at;
      return are_numbers(at);
    }
    char *const word = next_word(&at);
    if (!word)
      return 0;
    switch (*operands) {
    case 'n':
      call->name = word;
      break;
    case 's':
      if (!number(word, &call->stream))
        return 0;
      break;
    case 'e':
      if (!number(word, &call->event))
        return 0;
      break;
    default:
      if (!number(word, &call->value))
        return 0;
    }
  }
  return at[strspn(at, " ")] == '\0';
}

/* What the word after `stream S` says of it; 0: neither. */
static int read_stream_kind(cairn_dag_call *call) {
  call->value = strcmp(call->name, "nonblocking") == 0;
  return call->value == 1 || strcmp(call->name, "blocking") == 0;
}

static cairn_status add_line(cairn_dag_calls *calls, const char *path,
                             char *text, size_t line, cairn_base_diag *diag) {
  cairn_dag_call call = {.line = line};
  char *const word = next_word(&text);
  if (!word)
    return CAIRN_OK;
  if (strcmp(word, "note") == 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_WARNING, path, line, "%s", text);
    return CAIRN_OK;
  }
  for (size_t i = 0; i < LINES; i++) {
    if (strcmp(word, lines[i].word) != 0)
      continue;
    if (!read_operands(lines[i].operands, text, &call))
      break;
    call.kind = lines[i].kind;
    if (call.kind == CAIRN_DAG_CALL_STREAM && !read_stream_kind(&call))
      break;
    const cairn_status status = cairn_base_reserve(
        &calls->call, &calls->capacity, calls->count + 1, sizeof *calls->call);
    if (status == CAIRN_OK)
      calls->call[calls->count++] = call;
    return status;
  }
  cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, line,
                      "cannot read this line of the log (\"%s ...\")", word);
  return CAIRN_INPUT;
}

/* The number after " rank ", at most INT_MAX; 0 when none is named. */
static int read_rank(const char *line, unsigned *rank_p) {
  const char *const rank = strstr(line, " rank ");
  const size_t digits = rank ? strspn(rank + 6, "0123456789") : 0;
  if (!rank)
    return 1;
  const unsigned long value = strtoul(rank + 6, NULL, 10);
  *rank_p = (unsigned)value;
  return digits > 0 && digits < 11 && value <= INT_MAX &&
         (rank[6 + digits] == ' ' || rank[6 + digits] == '\0');
}

static cairn_status read_header(cairn_dag_calls *calls, const char *path,
                                const char *line, cairn_base_diag *diag) {
  if (strncmp(line, "cairn-capture 1 ", 16) != 0) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 1,
                        "a log of format 1 is needed (\"cairn-capture 1 "
                        "...\")");
    return CAIRN_INPUT;
  }
  if (!read_rank(line, &calls->rank)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 1,
                        "the word after \"rank\" is no rank");
    return CAIRN_INPUT;
  }
  if (strstr(line, "cudart static")) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, 1,
                        "the program had the CUDA runtime linked statically, "
                        "so its calls could not be seen: link it with nvcc "
                        "-cudart shared and capture again");
    return CAIRN_INPUT;
  }
  return CAIRN_OK;
}

cairn_status cairn_lint__calls_read(const char *path, const char *text,
                                    cairn_base_diag *diag,
                                    cairn_dag_calls *calls) {
  calls->text = cairn_base_strdup(text);
  if (!calls->text)
    return CAIRN_NOMEM;
  cairn_status status = CAIRN_OK;
  size_t line = 1;
  for (char *at = calls->text; status == CAIRN_OK && *at; line++) {
    char *const end = at + strcspn(at, "\n");
    if (*end == '\0') {
      cairn_base_diag_add(diag, CAIRN_BASE_ERROR, path, line,
                          "the log is cut off in this line: capture again, or "
                          "take the line out");
      return CAIRN_INPUT;
    }
    char *const next = end + 1;
    *end = '\0';
    status = line == 1 ? read_header(calls, path, at, diag)
                       : add_line(calls, path, at, line, diag);
    at = next;
  }
  return status;
}

void cairn_lint__calls_free(cairn_dag_calls *calls) {
  cairn_base_free(calls->text);
  cairn_base_free(calls->call);
  *calls = (cairn_dag_calls){0};
}

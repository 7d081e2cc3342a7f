/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/json-private.h - JSON of single lines, for dag/ only.
 *
 * A pull reader and a few appenders, made for the journal: jansson needs 20 ms
 * for the 2,036 lines of a small run, this reader 3 ms, because it builds no
 * tree and leaves strings where they are (they are unescaped in place, so the
 * line is changed).  It is strict JSON: UTF-8 checked, no NUL, numbers of at
 * most 63 characters, nesting of skipped values at most 32.
 */
#ifndef CAIRN_JOURNAL_JSON_PRIVATE_H
#define CAIRN_JOURNAL_JSON_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

#include "base/text-private.h"
#include <cairn/base.h>
#include <cairn/dag.h>
#include <cairn/journal.h>

/* The reader.  When a call returns 0 (or -1), `wrong` says what was expected
 * and found, and `at` stands there. */
typedef struct cairn_dag__json {
  char *at; /* next byte; *end is readable and not part of the text */
  char *end;
  char wrong[96];
} cairn_dag__json;

void cairn_journal__json_start(cairn_dag__json *json, char *data,
                               size_t length);
/* Records what is wrong; returns 0. */
int cairn_journal__json_fail(cairn_dag__json *json, const char *format, ...)
    CAIRN_PRINTF(2, 3);
/* Fails with "expected WHAT, found <the next byte>"; returns 0. */
int cairn_journal__json_expected(cairn_dag__json *json, const char *what);
/* The next byte that is not a space (0 at the end), left unread. */
char cairn_journal__json_peek(cairn_dag__json *json);
/* Reads the byte c if it is next. */
int cairn_journal__json_take(cairn_dag__json *json, char c);
/* Reads a string; *string_p is NUL-terminated inside the line. */
int cairn_journal__json_string(cairn_dag__json *json, char **string_p,
                               size_t *length_p);
/* Reads a number. */
int cairn_journal__json_number(cairn_dag__json *json, double *number_p);
/* Reads a whole number from 0 to `most`. */
int cairn_journal__json_whole(cairn_dag__json *json, uint64_t most,
                              uint64_t *number_p);
/* Reads the word (null, true, false) if it is next. */
int cairn_journal__json_word(cairn_dag__json *json, const char *word);
/* Reads past any value. */
int cairn_journal__json_skip(cairn_dag__json *json);
/* The next member's name, with the colon read: 1; 0 when the object is over
 * (its brace is read); -1 on an error.  *first is 1 before the first call. */
int cairn_journal__json_member(cairn_dag__json *json, int *first,
                               char **name_p);
/* As member, for the items of an array: 1 when an item follows. */
int cairn_journal__json_item(cairn_dag__json *json, int *first);
/* Nothing but spaces is left. */
int cairn_journal__json_finish(cairn_dag__json *json);

/* ---- writing: appended to a text, compact ---- */

/* A string in quotes, or null; bytes that are no UTF-8 become U+FFFD. */
void cairn_journal__json_add_string(cairn_base_text *text, const char *string);
/* The shortest of 15, 16, 17 digits that reads back the same; null for NAN and
 * infinities. */
void cairn_journal__json_add_number(cairn_base_text *text, double number);
/* A whole number; above 2^53 as a string. */
void cairn_journal__json_add_whole(cairn_base_text *text, uint64_t number);

#endif

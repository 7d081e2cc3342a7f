/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/corpus.h - many test cases in one text file:
 *
 *   # a comment
 *   == NAME [escaped] [schema accepts: WHY]
 *   EXPECTED LINE
 *   EXPECTED LINE
 *   --
 *   INPUT, up to the newline before the next "== "
 *
 * An [escaped] input holds \xHH for a byte and \{COUNT:TEXT} for repeated text,
 * in which \# is the number of the repetition, from 0.
 */
#ifndef TESTS_DAG_CORPUS_H
#define TESTS_DAG_CORPUS_H

#include <stdio.h>

#include <cairn/dag.h>

typedef struct corpus_case {
  char *name;
  int escaped;
  char *why_accepted; /* the schema accepts what the checker refuses: why */
  char *expected;     /* lines, each with its newline */
  char *input;
  size_t length;
} corpus_case;

typedef struct corpus {
  corpus_case *cases;
  size_t count;
} corpus;

/* Reads a corpus from the folder of test data, or ends the test. */
corpus corpus_read(const char *name);
void corpus_free(corpus *c);
/* The file NAME of tests/data; valid until the next call. */
const char *corpus_path(const char *name);

/* Runs what a case is about; the result, compared with `expected`, is appended
 * to `found`. */
typedef void (*corpus_run)(const corpus_case *c, cairn_base_text *found);

/* Runs all cases and prints both sides where they differ; the number of
 * cases that do. */
int corpus_check(const char *name, corpus_run run);

/* Appends the messages of a diag as "LINE: TEXT", warnings and notes with the
 * word before the text. */
void corpus_messages(const cairn_base_diag *diag, cairn_base_text *found);

/* Writes data into a file of the current folder, or ends the test. */
void corpus_write(const char *path, const char *data, size_t length);

#endif

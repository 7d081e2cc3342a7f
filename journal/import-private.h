/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/import-private.h - what the two halves of the import share: import.c
 * (the table, renames, the journal) and import-row.c (one row).
 */
#ifndef CAIRN_JOURNAL_IMPORT_PRIVATE_H
#define CAIRN_JOURNAL_IMPORT_PRIVATE_H

#include "base/text-private.h"
#include "dag/schedule/sequence-private.h"
#include "journal/json-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

typedef struct cairn_journal__rename {
  const char *old; /* not NUL-terminated */
  size_t old_length;
  const char *to;
  int used;
} cairn_journal__rename;

/* A row's op as read; names point into the row. */
typedef struct cairn_journal__foreign {
  const char *name, *kind;       /* kind NULL: no sync */
  unsigned stream, event, other; /* other: the stream that is waited for */
  int has_stream, has_event, has_other;
} cairn_journal__foreign;

typedef struct cairn_journal__import {
  const char *path;
  cairn_base_diag *diag;
  cairn_journal__rename *renames;
  size_t rename_count;
  size_t line;
  size_t field;    /* 1-based, of the row */
  char *start;     /* of the row */
  char comma;      /* what stands between fields: '|' or ',' */
  int times_first; /* a comma table whose index, if any, follows the times */
  int hopeless;    /* what is wrong is wrong with the whole table */
  int no_memory;
  cairn_dag__json json;
  cairn_journal__foreign *op; /* of the row */
  size_t ops, op_capacity;
  uint64_t *stream; /* by number: the stream that text names */
  size_t streams_named, stream_capacity;
  cairn_base_text schedule; /* of the row */
  cairn_base_text out;      /* the journal */
  cairn_dag_intern *intern;
  cairn_dag_intern *names; /* of ops, before renaming */
  cairn_dag_sequence sequence;
  unsigned streams;   /* highest seen, plus one */
  cairn_dag_key *key; /* of each row's schedule */
  size_t keys, key_capacity;
  size_t first_row; /* its line */
} cairn_journal__import;

/* Reads the row in x->json into x->schedule and the six times.  Returns 1, or 0
 * after it has said in x->json.wrong what is wrong (x->json.at: where). */
int cairn_journal__import_row(cairn_journal__import *x, double seconds[6]);

/* Is this the name of an op? */
int cairn_journal__import_is_name(const char *name);
/* Does it begin as the name of a sync does? */
int cairn_journal__import_is_sync_name(const char *name);

#endif

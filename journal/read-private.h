/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/read-private.h - what the files of the journal's reader share;
 * for dag/journal-*.c only.
 *
 * A reader returns 1, or 0 after it has said in line->json what is wrong.
 */
#ifndef CAIRN_JOURNAL_READ_PRIVATE_H
#define CAIRN_JOURNAL_READ_PRIVATE_H

#include "journal/format-private.h"
#include "journal/json-private.h"
#include <cairn/dag.h>
#include <cairn/journal.h>

/* The run, and what it owns. */
typedef struct cairn_dag__reader {
  cairn_journal_run run; /* first: the caller holds a pointer to it */
  char *data;
  cairn_base_fact *facts;
  size_t fact_count, fact_capacity;
  size_t *result_fact; /* offset of each result's facts */
  size_t result_capacity, result_fact_capacity, begun_capacity;
  struct cairn_dag__result_line *refined; /* in the order of the file */
  size_t refined_count, refined_capacity;
  size_t header_fact;
  int has_header;
  const char **list; /* arrays of strings of the header */
  size_t list_count, list_capacity;
} cairn_dag__reader;

/* One line while it is read. */
typedef struct cairn_dag__line {
  cairn_dag__reader *r;
  cairn_dag__json json;
  size_t number;
  uint64_t seen; /* members of its table already read */
  int no_memory;
} cairn_dag__line;

/* Reads the value of the member `which` of a record into `out`. */
typedef int (*cairn_journal__read_member)(cairn_dag__line *l, size_t which,
                                          void *out);

/* A record: a table of members. */
typedef struct cairn_dag__record {
  const char *const *member;
  size_t members;
  uint64_t needed; /* bit i: member i must be there */
  cairn_journal__read_member read;
} cairn_dag__record;

/* The members after "k", in any order, to the end of the line. */
int cairn_journal__read_record(cairn_dag__line *l,
                               const cairn_dag__record *record, void *out);

/* A string or null. */
int cairn_journal__read_text(cairn_dag__line *l, const char **text_p);
/* Seconds, from 0; null is NAN. */
int cairn_journal__read_seconds(cairn_dag__line *l, double *number_p);
/* A whole number up to UINT_MAX; null is 0. */
int cairn_journal__read_count(cairn_dag__line *l, unsigned *count_p);
/* A whole number up to 2^53. */
int cairn_journal__read_id(cairn_dag__line *l, uint64_t *id_p);
/* A whole number, as a string when above 2^53; null is 0. */
int cairn_journal__read_seed(cairn_dag__line *l, uint64_t *seed_p);
/* Members with strings or numbers, added to the facts of the run. */
int cairn_journal__read_facts(cairn_dag__line *l, size_t *count_p);
/* An array of strings, added to the list of the run. */
int cairn_journal__read_list(cairn_dag__line *l, size_t *count_p);
/* An object of strings: names and values by turns in the list of the run. */
int cairn_journal__read_params(cairn_dag__line *l, size_t *count_p);
/* Adds a string to the list of the run. */
int cairn_journal__list_add(cairn_dag__line *l, const char *string);
/* Says so; returns 0. */
int cairn_journal__out_of_memory(cairn_dag__line *l);

/* The rest of a header line, into the run. */
int cairn_journal__read_header(cairn_dag__line *l);

#endif

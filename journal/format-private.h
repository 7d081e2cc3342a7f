/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/format-private.h - what the journal's writer, its reader and the
 * import share; for dag/ only.
 *
 * A line is {MEMBERS,"x":"HHHHHHHHHHHHHHHH"}\n where the sixteen lower-case hex
 * digits are the XXH3-64 (seed 0) of the bytes from the opening brace up to,
 * not including, the comma before "x".
 */
#ifndef CAIRN_JOURNAL_FORMAT_PRIVATE_H
#define CAIRN_JOURNAL_FORMAT_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/journal.h>

/* `,"x":"` 16 digits `"}` */
enum { CAIRN_DAG__SEAL = 6 + 16 + 2 };

typedef enum cairn_dag__damage {
  CAIRN_DAG__WHOLE,    /* the checksum is there and right */
  CAIRN_DAG__UNSEALED, /* no checksum at its end */
  CAIRN_DAG__MISMATCH  /* the checksum is another one */
} cairn_dag__damage;

/* Bytes of a journal, unpacked: readers refuse more, so the writer stops. */
#define CAIRN_DAG__JOURNAL_LARGEST ((size_t)1 << 30)

/* Are these bytes, a whole file, what a writer leaves that dies before its
 * header is complete: nothing, or the beginning of a header of this format? */
int cairn_dag__is_unborn(const char *data, size_t length);

/* Adds checksum, closing brace and newline to a record that starts at byte
 * `start` of the text. */
void cairn_journal__line_seal(cairn_base_text *text, size_t start);
/* Looks at a line without its newline; *body_p is the length of the bytes
 * under the checksum. */
cairn_dag__damage cairn_journal__line_check(const char *line, size_t length,
                                            size_t *body_p);

/* Append whole records, sealed, to a text. */
void cairn_journal__header_format(cairn_base_text *text,
                                  const cairn_journal_header *header);
void cairn_journal__result_format(cairn_base_text *text, const char *kind,
                                  const cairn_journal_result *result);
void cairn_journal__begin_format(cairn_base_text *text, uint64_t id,
                                 const char *schedule);
void cairn_dag__death_format(cairn_base_text *text, uint64_t id,
                             const char *message);
void cairn_journal__end_format(cairn_base_text *text, uint64_t count,
                               const char *reason);

#endif

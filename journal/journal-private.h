/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/journal-private.h - the journal, run.jsonl: JSON Lines, one record a
 * line, its last member "x" the XXH3-64 in hex of the bytes before it.
 *
 * What the library itself needs beyond <cairn/journal.h>.
 */
#ifndef CAIRN_JOURNAL_JOURNAL_PRIVATE_H
#define CAIRN_JOURNAL_JOURNAL_PRIVATE_H

#include <stdint.h>

#include <cairn/journal.h>

#define CAIRN_JOURNAL_FORMAT 1

/* A result whose numbers are not known (NAN): its schedule did not get so far.
 * The schedule's text is not copied. */
cairn_journal_result cairn_journal__result_blank(uint64_t id,
                                                 const char *schedule,
                                                 cairn_base_outcome outcome);

/* ---- writing ---- */
typedef struct cairn_journal cairn_journal;

typedef enum cairn_journal_mode {
  CAIRN_JOURNAL_NEW, /* an existing file is refused (CAIRN_USAGE) */
  /* append; a torn last line is cut off first, and an `end` before the next
   * record, so that it is the last one and the only one.  CAIRN_INPUT,
   * untouched: no regular file, or no journal of cairn */
  CAIRN_JOURNAL_RESUME
} cairn_journal_mode;

/* Opens and locks the file (a second writer is refused, CAIRN_USAGE, with the
 * pid of the first) and, when new, writes the header; RESUME writes it too
 * when the file is missing or its writer died before the header was complete.
 * Close with cairn_journal__close.  One journal may be written from several
 * threads.  CAIRN_IO: a record that cannot be written whole is taken back; the
 * message names the file and the cause.  A journal that is no longer where it
 * was is noticed at the next record (CAIRN_IO). */
cairn_status cairn_journal__open(const char *path, cairn_journal_mode mode,
                                 const cairn_journal_header *header,
                                 cairn_base_diag *diag,
                                 cairn_journal **journal_p);
/* Before a schedule's first execution.  When its result then finds no room, the
 * `begin` is taken back too: the schedule is none that killed the job. */
cairn_status cairn_journal__append_begin(cairn_journal *journal, uint64_t id,
                                         const char *schedule,
                                         cairn_base_diag *diag);
cairn_status cairn_journal__append_result(cairn_journal *journal,
                                          const cairn_journal_result *result,
                                          cairn_base_diag *diag);
/* Better numbers for results that are there already (same ids and schedules),
 * from measuring them again side by side: all in one write and one flush.
 * Readers use them instead of the first ones, unless told otherwise. */
cairn_status cairn_journal__append_refined(cairn_journal *journal,
                                           const cairn_journal_result *result,
                                           size_t count, cairn_base_diag *diag);
/* How the job died that ran this schedule; it has no result yet. */
cairn_status cairn_journal__death(cairn_journal *journal, uint64_t id,
                                  const char *message, cairn_base_diag *diag);
/* reason: "budget", "time", "exhausted", "signal".  Nothing is written when the
 * journal ends with this very record. */
cairn_status cairn_journal__append_end(cairn_journal *journal, uint64_t count,
                                       const char *reason,
                                       cairn_base_diag *diag);
/* Test hook: the n-th write from now (1: the next) puts down half of the
 * record, then fails with this errno; n = 0 switches it off. */
void cairn_journal__inject(cairn_journal *journal, size_t n, int error);
/* Closes and frees; NULL is fine. */
void cairn_journal__close(cairn_journal *journal);

/* The fact of this name, or NULL. */
const cairn_base_fact *cairn_journal__fact_find(const cairn_base_fact *fact,
                                                size_t facts, const char *name);

#endif

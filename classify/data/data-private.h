/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/data-private.h - the input of classify: measured schedules.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_DATA_DATA_PRIVATE_H
#define CAIRN_CLASSIFY_DATA_DATA_PRIVATE_H

#include <cairn/classify.h>

/* What a result says by this objective.  Where the time was corrected the
 * uncertainty of the time itself (normal, of its 95 % interval) takes the place
 * of the spread of its samples. */
cairn_classify_measure
cairn_classify__measure_of(const cairn_journal_result *result,
                           const char *objective);

/* A data set of the rows row[0..count-1] of another (repeats allowed).  It
 * shares the names of `data`, which must outlive it. */
cairn_status cairn_classify__data_pick(const cairn_classify_data *data,
                                       const uint32_t *row, size_t count,
                                       cairn_classify_data **pick_p);

/* The schedule as it was written in the journal. */
const char *cairn_classify__data_text(const cairn_classify_data *data,
                                      size_t row);

/* The rows of `other` with the names that the syncs of the same doing have in
 * `like`; a row that is in `like` too is taken from there.  Free with
 * cairn_classify_data_free.  CAIRN_NOMEM. */
cairn_status cairn_classify__data_named_as(const cairn_classify_data *like,
                                           const cairn_classify_data *other,
                                           cairn_classify_data **named_p);

/* For each row of `a` the row of `b` that holds the same schedule by structure
 * (ops by name, streams, which record each wait waits for; names of syncs do
 * not count), or UINT32_MAX.  match: one entry for each row of `a`. */
cairn_status cairn_classify__data_match(const cairn_classify_data *a,
                                        const cairn_classify_data *b,
                                        uint32_t *match);

const cairn_dag_intern *
cairn_classify__data_names(const cairn_classify_data *data);

const cairn_dag_token *
cairn_classify__data_tokens(const cairn_classify_data *data, size_t row,
                            size_t *count_p);

const cairn_classify_measure *
cairn_classify__data_measure(const cairn_classify_data *data, size_t row);

/* Adds a schedule by its text.  CAIRN_INPUT (unreadable text, in diag with
 * file and line, which may be NULL and 0; a time that is not a positive
 * number), CAIRN_NOMEM. */
cairn_status cairn_classify__data_add(cairn_classify_data *data,
                                      const char *text, size_t length,
                                      const cairn_classify_measure *measure,
                                      const char *file, size_t line,
                                      cairn_base_diag *diag);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-data.h - the input of classify: measured schedules.
 *
 * A data set is an array of schedules, each with its time.  No program is
 * needed: schedules are sequences of interned names (dag-sequence.h), so any
 * journal can be classified, imported ones included.
 */
#ifndef CAIRN_CLASSIFY_DATA_H
#define CAIRN_CLASSIFY_DATA_H

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What was measured of one schedule, in seconds; NAN where unknown. */
typedef struct cairn_classify_measure {
  uint64_t id; /* the schedule's id in its journal */
  double time; /* the objective; finite, > 0 */
  double p01, p10, p50, p90, p99;
} cairn_classify_measure;

/* For a time with a 95 % interval: replaces the spread of its samples by the
 * uncertainty of the time itself (normal, of that interval).  Does nothing
 * when low or high is not finite. */
CAIRN_API void cairn_classify_measure_narrow(cairn_classify_measure *measure,
                                             double low, double high);

typedef struct cairn_classify_data cairn_classify_data;

/* An empty data set; free with cairn_classify_data_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_data_create(cairn_classify_data **data_p);
CAIRN_API void cairn_classify_data_free(cairn_classify_data *data);

/* Adds a schedule by its text.  CAIRN_INPUT (unreadable text, in diag with
 * file and line, which may be NULL and 0; a time that is not a positive
 * number), CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_classify_data_add(cairn_classify_data *data, const char *text,
                        size_t length, const cairn_classify_measure *measure,
                        const char *file, size_t line, cairn_base_diag *diag);

/* Adds the measured schedules of a run: outcome ok and a known objective
 * (NULL: the run's own, p10 when it has none).  At most `limit` of them, in
 * the order of measuring; 0: all.  A result that is there already from an
 * earlier run (the same schedule by structure, the same numbers) is not added
 * again. */
CAIRN_API cairn_status cairn_classify_data_add_run(cairn_classify_data *data,
                                                   const cairn_dag_run *run,
                                                   const char *objective,
                                                   size_t limit,
                                                   cairn_base_diag *diag);

/* A data set of the rows row[0..count-1] of another (repeats allowed).  It
 * shares the names of `data`, which must outlive it. */
CAIRN_API cairn_status cairn_classify_data_pick(const cairn_classify_data *data,
                                                const uint32_t *row,
                                                size_t count,
                                                cairn_classify_data **pick_p);

CAIRN_API size_t cairn_classify_data_count(const cairn_classify_data *data);
CAIRN_API const cairn_classify_measure *
cairn_classify_data_measure(const cairn_classify_data *data, size_t row);
/* The schedule as it was written in the journal. */
CAIRN_API const char *cairn_classify_data_text(const cairn_classify_data *data,
                                               size_t row);
CAIRN_API const cairn_dag_token *
cairn_classify_data_tokens(const cairn_classify_data *data, size_t row,
                           size_t *count_p);
CAIRN_API const cairn_dag_intern *
cairn_classify_data_names(const cairn_classify_data *data);

/* For each row of `a` the row of `b` that holds the same schedule by structure
 * (ops by name, streams, which record each wait waits for; names of syncs do
 * not count), or UINT32_MAX.  match: one entry for each row of `a`. */
CAIRN_API cairn_status cairn_classify_data_match(const cairn_classify_data *a,
                                                 const cairn_classify_data *b,
                                                 uint32_t *match);

/* The rows of `other` with the names that the syncs of the same doing have in
 * `like`; a row that is in `like` too is taken from there.  Free with
 * cairn_classify_data_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status
cairn_classify_data_named_as(const cairn_classify_data *like,
                             const cairn_classify_data *other,
                             cairn_classify_data **named_p);

#ifdef __cplusplus
}
#endif
#endif

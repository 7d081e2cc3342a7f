/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/classify-feature.h - schedules as rows of yes/no features.
 *
 * "u before v": any u is issued before any v, for every ordered pair of names
 * (ops and syncs), a name with itself included; no when one of them is absent.
 * "u and v in the same stream", for every pair of GPU ops.  Order of features:
 * names bytewise, (u, v) row by row, then the stream pairs.  Constant,
 * duplicate and complementary columns are dropped, the first stays, and what
 * was merged into it is remembered.
 *
 * Layout: a column is a bit set over the schedules; kept columns lie one after
 * another, `words` 64-bit words each.
 */
#ifndef CAIRN_CLASSIFY_FEATURE_H
#define CAIRN_CLASSIFY_FEATURE_H

#include "classify-data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum cairn_classify_feature_kind {
  CAIRN_CLASSIFY_BEFORE, /* any u before any v */
  CAIRN_CLASSIFY_SAME    /* u and v in the same stream */
} cairn_classify_feature_kind;

/* How a feature that is 0 reads in words: found in the data, so that no
 * negation is worded as something stronger than it is. */
typedef enum cairn_classify_negation {
  CAIRN_CLASSIFY_NOT_REVERSED, /* every v before every u: both are in every
                                  schedule */
  CAIRN_CLASSIFY_NOT_U,        /* u is absent whenever it is 0 */
  CAIRN_CLASSIFY_NOT_V,        /* v is absent whenever it is 0 */
  CAIRN_CLASSIFY_NOT_OTHER     /* anything else */
} cairn_classify_negation;

typedef struct cairn_classify_feature {
  uint32_t u, v;      /* names in the data's table */
  uint8_t kind;       /* cairn_classify_feature_kind */
  uint8_t negation;   /* cairn_classify_negation */
  uint8_t many;       /* 1: u, 2: v is more than once in some schedule */
  uint8_t complement; /* merged: it is the opposite of the kept column */
  uint32_t column;    /* kept column it is, or is merged into */
} cairn_classify_feature;

/* Free with cairn_classify_features_free. */
typedef struct cairn_classify_features {
  const cairn_dag_intern *names; /* of the data, which must outlive this */
  size_t rows, words;
  size_t all, varying, distinct, kept; /* counts */
  cairn_classify_feature *varied; /* the varying features, in feature order */
  uint32_t *first;   /* for each kept column: the index in `varied` of the
                        feature that stands for it */
  uint32_t *worded;  /* [2 * column + value]: the index in `varied` of the
                        merged feature that reads best when the kept column is
                        `value` (ops rather than syncs, then the first) */
  uint64_t *columns; /* kept * words */
} cairn_classify_features;

/* CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_features_build(
    const cairn_classify_data *data, cairn_classify_features **features_p);
CAIRN_API void cairn_classify_features_free(cairn_classify_features *features);

/* The kept columns of `features`, computed for other schedules (names are
 * matched by text): kept * cairn_base_bits_words(count of other) words, free
 * with cairn_base_free.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_classify_features_apply(
    const cairn_classify_features *features, const cairn_classify_data *other,
    uint64_t **columns_p);

/* Index in `varied` and value of the best reading of "kept column is value". */
CAIRN_API size_t
cairn_classify_features_read(const cairn_classify_features *features,
                             size_t column, int value, int *value_p);

/* Appends the words for "varied[index] is `value`": "Pack before yl",
 * "Pack and yl in different streams". */
CAIRN_API void
cairn_classify_features_word(const cairn_classify_features *features,
                             size_t index, int value, cairn_base_text *text);

#ifdef __cplusplus
}
#endif
#endif

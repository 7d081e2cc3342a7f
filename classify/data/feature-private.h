/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/feature-private.h - schedules as rows of yes/no features.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_DATA_FEATURE_PRIVATE_H
#define CAIRN_CLASSIFY_DATA_FEATURE_PRIVATE_H

#include "classify/data/data-private.h"
#include <cairn/classify.h>

/* CAIRN_NOMEM. */
cairn_status
cairn_classify__features_build(const cairn_classify_data *data,
                               cairn_classify_features **features_p);
void cairn_classify__features_free(cairn_classify_features *features);

/* Index in `varied` and value of the best reading of "kept column is value". */
size_t cairn_classify__features_read(const cairn_classify_features *features,
                                     size_t column, int value, int *value_p);

/* Appends the words for "varied[index] is `value`": "Pack before yl",
 * "Pack and yl in different streams". */
void cairn_classify__features_word(const cairn_classify_features *features,
                                   size_t index, int value,
                                   cairn_base_text *text);

/* The kept columns of `features`, computed for other schedules (names are
 * matched by text): kept * cairn_base__bits_words(count of other) words, free
 * with cairn_base_free.  CAIRN_NOMEM. */
cairn_status
cairn_classify__features_apply(const cairn_classify_features *features,
                               const cairn_classify_data *other,
                               uint64_t **columns_p);

#endif

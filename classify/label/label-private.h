/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/label-private.h - performance classes from measured times.
 *
 * What the library itself needs beyond <cairn/classify.h>.
 */
#ifndef CAIRN_CLASSIFY_LABEL_LABEL_PRIVATE_H
#define CAIRN_CLASSIFY_LABEL_LABEL_PRIVATE_H

#include <cairn/classify.h>

const char *cairn_classify__method_text(cairn_classify_method method);

void cairn_classify__label_defaults(cairn_classify_label_options *options);

/* Labels `count` >= 1 times (seconds, > 0).  spread: five percentiles of each
 * schedule's measurements, p01 p10 p50 p90 p99 (seconds, NAN unknown), or
 * NULL.  O(n log n).  CAIRN_NOMEM. */
cairn_status
cairn_classify__label(const double *time,
                      const double (*spread)[CAIRN_BASE_PERCENTILES],
                      size_t count, const cairn_classify_label_options *options,
                      cairn_classify_labels **labels_p);
void cairn_classify__labels_free(cairn_classify_labels *labels);

/* Adjusted Rand index of two labellings of the same `count` things: 1 for equal
 * partitions, about 0 for unrelated ones (Hubert and Arabie, 1985).
 * CAIRN_NOMEM. */
cairn_status cairn_classify__rand_index(const uint16_t *a, const uint16_t *b,
                                        size_t count, double *index_p);

/* Schedules of a class, and their fastest and slowest time in seconds. */
size_t cairn_classify__labels_class(const cairn_classify_labels *labels,
                                    unsigned id, double *min_p, double *max_p);

#endif

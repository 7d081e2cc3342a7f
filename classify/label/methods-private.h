/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/methods-private.h - what the labelling files share.
 */
#ifndef CAIRN_CLASSIFY_LABEL_METHODS_PRIVATE_H
#define CAIRN_CLASSIFY_LABEL_METHODS_PRIVATE_H

#include "classify/label/label-private.h"
#include <cairn/classify.h>

/* Both fill labels->boundary, classes and their own part; labels->order,
 * sorted, count are set. */
cairn_status
cairn_classify__label_step(cairn_classify_labels *labels,
                           const cairn_classify_label_options *options);
cairn_status
cairn_classify__label_density(cairn_classify_labels *labels, const double *time,
                              const double (*spread)[CAIRN_BASE_PERCENTILES],
                              const cairn_classify_label_options *options);

/* A density on a grid over log time, and its deep valleys.  All arrays are
 * owned by whoever set them up. */
typedef struct cairn_classify_density {
  double low, step, bandwidth; /* log time of grid[0], spacing, kernel */
  size_t grid, reach;          /* points; kernel half width in points */
  double *kernel;              /* reach + 1 */
  double *count, *density;     /* grid each */
  size_t *peak, *valley;       /* grid each */
  size_t valleys;
} cairn_classify_density;

cairn_status cairn_classify__density_create(double low, double high,
                                            double bandwidth,
                                            cairn_classify_density *d);
void cairn_classify__density_free(cairn_classify_density *d);
void cairn_classify__density_clear(cairn_classify_density *d);
void cairn_classify__density_add(cairn_classify_density *d, double log_time);
/* Smooths the counts, finds valleys no deeper than `share` and merges them. */
void cairn_classify__density_valleys(cairn_classify_density *d, double share);
/* Density of a valley over that of the lower of its peaks. */
double cairn_classify__density_depth(const cairn_classify_density *d,
                                     size_t valley);

/* Sets the share of redraws in which each boundary came back. */
cairn_status
cairn_classify__label_repeat(cairn_classify_labels *labels, const double *time,
                             const double (*spread)[CAIRN_BASE_PERCENTILES],
                             cairn_classify_density *d,
                             const cairn_classify_label_options *options);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * base/times-private.h - a schedule's times: made from samples, drawn from.
 */
#ifndef CAIRN_BASE_TIMES_PRIVATE_H
#define CAIRN_BASE_TIMES_PRIVATE_H

#include <stddef.h>

#include <cairn/base.h>

/* What `count` samples (seconds) say: their number, percentiles and deviation;
 * skew and interval are unknown.  Sorts them. */
cairn_base_times cairn_base__times_of_samples(double *time_s, size_t count);

/* The quantile q (0 to 1) of a distribution known by these percentiles:
 * straight lines between them, nothing below p01 or above p99. */
double cairn_base__times_quantile(const double p[CAIRN_BASE_PERCENTILES],
                                  double q);

/* Are all five percentiles known? */
int cairn_base__times_known(const cairn_base_times *times);

#endif

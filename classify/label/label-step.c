/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/label-step.c - the step convolution and its peaks.
 *
 * Sums are kept in 128-bit fixed point, so prefix sums are exact: O(n), equal
 * times give exact plateaus, and nothing drifts.  Prominences come from one
 * pass with a stack in each direction.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>

#include "base/stats-private.h"
#include "classify/label/methods-private.h"

__extension__ typedef __int128 wide;

/* The sorted times as multiples of 2^exponent, exactly unless a time is 2^47
 * times shorter than the longest; and the sums of the first i. */
static wide *prefix_sums(const double *sorted, size_t n, int *exponent_p) {
  wide *sum = cairn_base_alloc(n + 1, sizeof *sum);
  if (!sum)
    return NULL;
  int exponent;
  (void)frexp(sorted[n - 1], &exponent);
  *exponent_p = exponent - 62;
  sum[0] = 0;
  for (size_t i = 0; i < n; i++) {
    /* two halves of 62 bits: the first is exact to 2^-62 of the longest */
    const double high = ldexp(sorted[i], 62 - exponent);
    const double whole = floor(high);
    const wide value =
        ((wide)(int64_t)whole << 30) + (int64_t)ldexp(high - whole, 30);
    sum[i + 1] = sum[i] + value;
  }
  return sum;
}

static cairn_status convolve(cairn_classify_labels *labels) {
  const size_t n = labels->count;
  const size_t radius = (size_t)fmax(1, ceil(0.005 * (double)n));
  labels->radius = radius;
  if (n < 2 * radius)
    return CAIRN_OK;
  int exponent;
  wide *sum = prefix_sums(labels->sorted, n, &exponent);
  labels->values = n - 2 * radius + 1;
  labels->value = cairn_base_alloc(labels->values, sizeof *labels->value);
  if (!sum || !labels->value) {
    cairn_base_free(sum);
    return CAIRN_NOMEM;
  }
  for (size_t i = 0; i < labels->values; i++) {
    const wide middle = sum[i + radius];
    const wide value = sum[i + 2 * radius] - middle - (middle - sum[i]);
    labels->value[i] = ldexp((double)value, exponent - 30);
  }
  cairn_base_free(sum);
  return CAIRN_OK;
}

/* Local maxima; of a plateau the middle (rounded down); never at the ends. */
static cairn_status find_peaks(cairn_classify_labels *labels) {
  const double *x = labels->value;
  size_t capacity = 0;
  for (size_t i = 1; i + 1 < labels->values; i++) {
    if (!(x[i - 1] < x[i]))
      continue;
    size_t last = i;
    while (last + 1 < labels->values && x[last + 1] == x[i])
      last++;
    if (last + 1 < labels->values && x[last + 1] < x[i]) {
      const cairn_status status = cairn_base_reserve(
          &labels->peak, &capacity, labels->peaks + 1, sizeof *labels->peak);
      if (status != CAIRN_OK)
        return status;
      labels->peak[labels->peaks++] =
          (cairn_classify_peak){.position = (i + last) / 2, .value = x[i]};
    }
    i = last;
  }
  return CAIRN_OK;
}

typedef struct bound {
  double value, least;
} bound;

/* Lowest value between each peak and the nearest higher value on one side (the
 * end when there is none); direction 1: to the left, -1: to the right. */
static void bases(const cairn_classify_labels *labels, int direction,
                  bound *stack, double *base) {
  size_t depth = 0, next = 0;
  for (size_t k = 0; k < labels->values; k++) {
    const size_t i = direction > 0 ? k : labels->values - 1 - k;
    bound here = {labels->value[i], labels->value[i]};
    while (depth > 0 && stack[depth - 1].value <= here.value) {
      here.least = fmin(here.least, stack[depth - 1].least);
      depth--;
    }
    stack[depth++] = here;
    const size_t p = direction > 0 ? next : labels->peaks - 1 - next;
    if (next < labels->peaks && labels->peak[p].position == i) {
      base[p] = here.least;
      next++;
    }
  }
}

static cairn_status prominences(cairn_classify_labels *labels) {
  bound *stack = cairn_base_alloc(labels->values + 1, sizeof *stack);
  double *left = cairn_base_alloc(labels->peaks + 1, sizeof *left);
  double *right = cairn_base_alloc(labels->peaks + 1, sizeof *right);
  const int ok = stack && left && right;
  if (ok) {
    bases(labels, 1, stack, left);
    bases(labels, -1, stack, right);
    for (size_t p = 0; p < labels->peaks; p++)
      labels->peak[p].prominence =
          labels->peak[p].value - fmax(left[p], right[p]);
  }
  cairn_base_free(stack);
  cairn_base_free(left);
  cairn_base_free(right);
  return ok ? CAIRN_OK : CAIRN_NOMEM;
}

static cairn_status set_threshold(cairn_classify_labels *labels,
                                  const cairn_classify_label_options *options) {
  const int by_value = options->method == CAIRN_CLASSIFY_CONVOLUTION;
  const size_t count = by_value ? labels->values : labels->peaks;
  double *basis = cairn_base_alloc(count, sizeof *basis);
  if (!basis)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < count; i++)
    basis[i] = by_value ? labels->value[i] : labels->peak[i].prominence;
  cairn_base__stats_sort(basis, count);
  labels->threshold =
      cairn_base__stats_percentile(basis, count, options->percentile);
  cairn_base_free(basis);
  return CAIRN_OK;
}

cairn_status
cairn_classify__label_step(cairn_classify_labels *labels,
                           const cairn_classify_label_options *options) {
  cairn_status status = convolve(labels);
  if (status == CAIRN_OK)
    status = find_peaks(labels);
  if (status != CAIRN_OK || labels->peaks == 0)
    return status;
  status = prominences(labels);
  if (status == CAIRN_OK)
    status = set_threshold(labels, options);
  if (status != CAIRN_OK)
    return status;
  labels->boundary = cairn_base_alloc(labels->peaks, sizeof *labels->boundary);
  if (!labels->boundary)
    return CAIRN_NOMEM;
  for (size_t p = 0; p < labels->peaks; p++) {
    cairn_classify_peak *peak = &labels->peak[p];
    peak->kept =
        peak->prominence > labels->threshold && labels->classes < UINT16_MAX;
    if (peak->kept)
      labels->boundary[labels->classes++ - 1] =
          (cairn_classify_boundary){.first = peak->position + labels->radius,
                                    .repeat = NAN,
                                    .depth = peak->prominence};
  }
  return CAIRN_OK;
}

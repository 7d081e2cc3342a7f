/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/ttest.c - Student's t-test, with exact p by the incomplete beta
 * function: its continued fraction, evaluated by Lentz's method.
 *
 * Small p keep their relative precision: they are computed as such, not as a
 * difference from 1.
 */
#include <float.h>
#include <math.h>

#include "study/contest-private.h"

enum { MOST_TERMS = 100000 };

static double log_gamma(double x) {
  int sign;
  return lgamma_r(x, &sign);
}

/* Keeps a denominator away from 0. */
static double nonzero(double x) { return fabs(x) < DBL_MIN ? DBL_MIN : x; }

/* The continued fraction of I_x(a, b); it converges fast for
 * x < (a + 1) / (a + b + 2). */
static double fraction(double a, double b, double x) {
  double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), value = d;
  for (int m = 1; m < MOST_TERMS; m++) {
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    const double odd =
        -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    value *= d * c;
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    value *= d * c;
    if (fabs(d * c - 1) < DBL_EPSILON)
      break;
  }
  return value;
}

/* I_x(a, b); y is 1 - x, given for its precision. */
static double incomplete_beta(double a, double b, double x, double y) {
  if (x <= 0)
    return 0;
  if (y <= 0)
    return 1;
  const double front = exp(a * log(x) + b * log(y) + log_gamma(a + b) -
                           log_gamma(a) - log_gamma(b));
  if (x < (a + 1) / (a + b + 2))
    return front * fraction(a, b, x) / a;
  return 1 - front * fraction(b, a, y) / b;
}

double cairn_study__t_p(double t, double df) {
  const double square = t * t;
  if (isinf(square))
    return 0;
  return incomplete_beta(df / 2, 0.5, df / (df + square),
                         square / (df + square));
}

/* Sum of squared differences from the mean. */
static double squares(const double *x, size_t count, double mean) {
  double sum = 0, rest = 0;
  for (size_t i = 0; i < count; i++) {
    sum += (x[i] - mean) * (x[i] - mean);
    rest += x[i] - mean;
  }
  return sum - rest * rest / (double)count;
}

static double mean_of(const double *x, size_t count) {
  double sum = 0, rest = 0;
  for (size_t i = 0; i < count; i++)
    sum += x[i];
  sum /= (double)count;
  for (size_t i = 0; i < count; i++)
    rest += x[i] - sum;
  return sum + rest / (double)count;
}

static int is_constant(const double *x, size_t count) {
  for (size_t i = 1; i < count; i++)
    if (x[i] != x[0])
      return 0;
  return 1;
}

cairn_study_test cairn_study__t_test(const double *x, size_t x_count,
                                     const double *y, size_t y_count,
                                     int welch) {
  const double n = (double)x_count, m = (double)y_count;
  const double difference = mean_of(x, x_count) - mean_of(y, y_count);
  const double sx = squares(x, x_count, mean_of(x, x_count));
  const double sy = squares(y, y_count, mean_of(y, y_count));
  cairn_study_test test = {.df = n + m - 2};
  if (is_constant(x, x_count) && is_constant(y, y_count)) {
    test.t = x[0] == y[0]  ? 0
             : x[0] < y[0] ? -(double)INFINITY
                           : (double)INFINITY;
    test.p = x[0] == y[0];
    return test;
  }
  if (welch) {
    const double vx = sx / (n - 1) / n, vy = sy / (m - 1) / m;
    test.df = (vx + vy) * (vx + vy) / (vx * vx / (n - 1) + vy * vy / (m - 1));
    test.t = difference / sqrt(vx + vy);
  } else {
    test.t = difference / sqrt((sx + sy) / test.df * (1 / n + 1 / m));
  }
  test.p = cairn_study__t_p(test.t, test.df);
  return test;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/label.c - labelling: sort, let a method place the boundaries,
 * give every schedule its class; and the adjusted Rand index.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cairn/classify.h>

#include "classify/label/label-private.h"
#include "classify/label/methods-private.h"

const char *cairn_classify__method_text(cairn_classify_method method) {
  switch (method) {
#define METHOD_CASE(name, text)                                                \
  case CAIRN_CLASSIFY_##name:                                                  \
    return text;
    CAIRN_CLASSIFY_METHOD_TABLE(METHOD_CASE)
#undef METHOD_CASE
  }
  return "unknown";
}

void cairn_classify__label_defaults(cairn_classify_label_options *options) {
  *options = (cairn_classify_label_options){.method = CAIRN_CLASSIFY_DENSITY,
                                            .percentile = 98,
                                            .bandwidth = 0,
                                            .valley = 0.4,
                                            .resamples = 50,
                                            .repeat = 0.5,
                                            .seed = 1};
}

typedef struct timed {
  double time;
  uint32_t index;
} timed;

static int compare_timed(const void *a, const void *b) {
  const timed *x = a, *y = b;
  if (x->time != y->time)
    return x->time < y->time ? -1 : 1;
  return (x->index > y->index) - (x->index < y->index);
}

static cairn_status sort_times(cairn_classify_labels *labels,
                               const double *time) {
  const size_t n = labels->count;
  timed *pair = cairn_base_alloc(n, sizeof *pair);
  labels->order = cairn_base_alloc(n, sizeof *labels->order);
  labels->sorted = cairn_base_alloc(n, sizeof *labels->sorted);
  labels->label = cairn_base_zalloc(n, sizeof *labels->label);
  if (!pair || !labels->order || !labels->sorted || !labels->label) {
    cairn_base_free(pair);
    return CAIRN_NOMEM;
  }
  for (size_t i = 0; i < n; i++)
    pair[i] = (timed){time[i], (uint32_t)i};
  qsort(pair, n, sizeof *pair, compare_timed);
  for (size_t i = 0; i < n; i++) {
    labels->order[i] = pair[i].index;
    labels->sorted[i] = pair[i].time;
  }
  cairn_base_free(pair);
  return CAIRN_OK;
}

static void assign(cairn_classify_labels *labels) {
  size_t id = 0;
  for (size_t i = 0; i < labels->count; i++) {
    while (id + 1 < labels->classes && i >= labels->boundary[id].first)
      id++;
    labels->label[labels->order[i]] = (uint16_t)id;
  }
}

cairn_status
cairn_classify__label(const double *time,
                      const double (*spread)[CAIRN_BASE_PERCENTILES],
                      size_t count, const cairn_classify_label_options *options,
                      cairn_classify_labels **labels_p) {
  cairn_classify_labels *labels = cairn_base_zalloc(1, sizeof *labels);
  if (!labels)
    return CAIRN_NOMEM;
  labels->method = options->method;
  labels->count = count;
  labels->classes = 1;
  labels->noise = NAN;
  cairn_status status = sort_times(labels, time);
  if (status == CAIRN_OK && options->method == CAIRN_CLASSIFY_DENSITY)
    status = cairn_classify__label_density(labels, time, spread, options);
  else if (status == CAIRN_OK)
    status = cairn_classify__label_step(labels, options);
  if (status != CAIRN_OK) {
    cairn_classify__labels_free(labels);
    return status;
  }
  assign(labels);
  *labels_p = labels;
  return CAIRN_OK;
}

static double pairs(double n) { return n * (n - 1) / 2; }

cairn_status cairn_classify__rand_index(const uint16_t *a, const uint16_t *b,
                                        size_t count, double *index_p) {
  size_t rows = 1, columns = 1;
  for (size_t i = 0; i < count; i++) {
    rows = a[i] >= rows ? a[i] + 1u : rows;
    columns = b[i] >= columns ? b[i] + 1u : columns;
  }
  double *table = cairn_base_zalloc((rows + 1) * (columns + 1), sizeof *table);
  if (!table)
    return CAIRN_NOMEM;
  double *row = table + rows * columns, *column = row + rows;
  for (size_t i = 0; i < count; i++) {
    table[a[i] * columns + b[i]]++;
    row[a[i]]++;
    column[b[i]]++;
  }
  double both = 0, in_a = 0, in_b = 0;
  for (size_t i = 0; i < rows * columns; i++)
    both += pairs(table[i]);
  for (size_t i = 0; i < rows; i++)
    in_a += pairs(row[i]);
  for (size_t i = 0; i < columns; i++)
    in_b += pairs(column[i]);
  cairn_base_free(table);
  const double all = pairs((double)count);
  const double expected = all > 0 ? in_a * in_b / all : 0;
  const double most = (in_a + in_b) / 2;
  *index_p = most - expected > 0 ? (both - expected) / (most - expected) : 1;
  return CAIRN_OK;
}

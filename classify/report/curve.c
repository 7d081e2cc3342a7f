/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/report/curve.c - how good would rules from fewer measurements have
 * been?
 */
#include <cairn/classify.h>

#include "classify/data/data-private.h"
#include "classify/data/data-state-private.h"
#include "classify/report/report-private.h"

static cairn_status point_at(const cairn_classify_analysis *a, size_t n,
                             cairn_classify_curve_point *point) {
  uint32_t *row = cairn_base_alloc(n, sizeof *row);
  cairn_classify_data *first = NULL;
  cairn_classify_analysis *part = NULL;
  cairn_status status = row ? CAIRN_OK : CAIRN_NOMEM;
  for (uint32_t i = 0; status == CAIRN_OK && i < n; i++)
    row[i] = i;
  cairn_classify_options how = a->options;
  how.folds = 0;
  how.pairs = 0;
  if (status == CAIRN_OK)
    status = cairn_classify__data_pick(a->data, row, n, &first);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(first, &how, &part);
  if (status == CAIRN_OK)
    status = cairn_classify_evaluate(part, a->data, 0);
  if (status == CAIRN_OK)
    *point = (cairn_classify_curve_point){
        .measured = n,
        .classes = part->labels->classes,
        .agreement = part->evaluation.agreement.value,
        .in_range = part->evaluation.in_range.value};
  cairn_classify_analysis_free(part);
  cairn_classify_data_free(first);
  cairn_base_free(row);
  return status;
}

cairn_status cairn_classify__curve(const cairn_classify_analysis *analysis,
                                   cairn_classify_curve_point *point,
                                   size_t room, size_t *count_p) {
  size_t count = 0;
  cairn_status status = CAIRN_OK;
  for (size_t n = 25; status == CAIRN_OK && count < room;
       n = n < analysis->data->count / 2 + 1 ? 2 * n : analysis->data->count) {
    if (n > analysis->data->count)
      n = analysis->data->count;
    status = point_at(analysis, n, &point[count]);
    count++;
    if (n == analysis->data->count)
      break;
  }
  if (status == CAIRN_OK)
    *count_p = count;
  return status;
}

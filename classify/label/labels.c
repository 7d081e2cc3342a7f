/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/label/labels.c - classes of times, once they are there.
 */
#include "classify/label/label-private.h"

void cairn_classify__labels_free(cairn_classify_labels *labels) {
  if (!labels)
    return;
  cairn_base_free(labels->order);
  cairn_base_free(labels->sorted);
  cairn_base_free(labels->label);
  cairn_base_free(labels->boundary);
  cairn_base_free(labels->refused);
  cairn_base_free(labels->value);
  cairn_base_free(labels->peak);
  cairn_base_free(labels->grid_time);
  cairn_base_free(labels->grid_density);
  cairn_base_free(labels);
}

size_t cairn_classify__labels_class(const cairn_classify_labels *labels,
                                    unsigned id, double *min_p, double *max_p) {
  const size_t from = id == 0 ? 0 : labels->boundary[id - 1].first;
  const size_t to =
      id + 1 < labels->classes ? labels->boundary[id].first : labels->count;
  *min_p = labels->sorted[from];
  *max_p = labels->sorted[to - 1];
  return to - from;
}

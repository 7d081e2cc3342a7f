/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/data-state-private.h - the body of a data set.
 */
#ifndef CAIRN_CLASSIFY_DATA_DATA_STATE_PRIVATE_H
#define CAIRN_CLASSIFY_DATA_DATA_STATE_PRIVATE_H

#include "classify/data/data-private.h"
#include "dag/schedule/sequence-private.h"
#include <cairn/classify.h>

struct cairn_classify_data {
  cairn_dag_intern *names;
  int owner; /* frees names, texts and tokens */
  size_t count;
  char **text;
  cairn_dag_sequence *sequence;
  cairn_classify_measure *measure;
  size_t text_room, sequence_room, measure_room;
};

/* For each name of `b` its id in `a`, or an id past those of `a`; free with
 * cairn_base_free. */
cairn_status cairn_classify__map_names(const cairn_dag_intern *a,
                                       const cairn_dag_intern *b,
                                       uint32_t **map_p);

#endif

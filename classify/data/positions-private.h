/* SPDX-License-Identifier: BSD-3-Clause
 *
 * classify/data/positions-private.h - where each name stands in each schedule.
 */
#ifndef CAIRN_CLASSIFY_DATA_POSITIONS_PRIVATE_H
#define CAIRN_CLASSIFY_DATA_POSITIONS_PRIVATE_H

#include "classify/data/feature-private.h"
#include <cairn/classify.h>

typedef struct cairn_classify__named {
  const char *name;
  uint32_t id;
  uint8_t used, gpu, sync;
  uint8_t many; /* more than once in some schedule */
} cairn_classify__named;

/* Arrays of names * rows, name after name (in bytewise order). */
typedef struct cairn_classify__positions {
  cairn_classify__named *named;
  uint32_t *rank; /* of a name id in `named` */
  size_t names, gpus, rows;
  uint16_t *first, *last; /* from 1; absent: 65535 and 0 */
  uint8_t *stream;        /* of a GPU op; else 255 */
} cairn_classify__positions;

cairn_status cairn_classify__positions_find(const cairn_classify_data *data,
                                            cairn_classify__positions *p);
void cairn_classify__positions_free(cairn_classify__positions *p);

/* One column; u and v are ranks in `named`. */
void cairn_classify__column(const cairn_classify__positions *p, int kind,
                            size_t u, size_t v, uint64_t *column);

#endif

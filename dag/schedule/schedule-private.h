/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/schedule/schedule-private.h - a schedule: an array of items in issue
 * order.
 *
 * What the library itself needs beyond <cairn/dag.h>.
 */
#ifndef CAIRN_DAG_SCHEDULE_SCHEDULE_PRIVATE_H
#define CAIRN_DAG_SCHEDULE_SCHEDULE_PRIVATE_H

#include "dag/program/program-private.h"
#include <cairn/dag.h>

/* Renumbers streams and events by first use, in place. */
void cairn_dag__schedule_renumber(cairn_dag_item *items, size_t count);

cairn_dag_key cairn_dag__schedule_key(const cairn_dag_item *items,
                                      size_t count);

/* As cairn_dag_schedule_tidy_relays, for schedules of our own, in which no
 * stream passes on the order of another: drops every stream wait after which
 * its stream runs no GPU op. */
size_t cairn_dag__schedule_tidy(cairn_dag_item *items, size_t count);

#endif

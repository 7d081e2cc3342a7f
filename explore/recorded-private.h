/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/recorded-private.h - a journal as a table of times: a schedule's
 * structure -> its recorded result.
 */
#ifndef CAIRN_EXPLORE_RECORDED_PRIVATE_H
#define CAIRN_EXPLORE_RECORDED_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/journal.h>

typedef struct cairn_explore_table cairn_explore_table;

/* Reads a journal of this program (any op order and naming of streams and
 * events).  Free with cairn_explore__table_free. */
cairn_status cairn_explore__table_read(const char *path,
                                       const cairn_dag_program *program,
                                       cairn_dag_sync sync,
                                       cairn_base_diag *diag,
                                       cairn_explore_table **table_p);
void cairn_explore__table_free(cairn_explore_table *table);
/* Gives the program the parameters that the table was recorded with.
 * CAIRN_INPUT: one of define (NAME=VALUE) says another value. */
cairn_status cairn_explore__table_apply(const cairn_explore_table *table,
                                        const char *const *define,
                                        size_t defines,
                                        cairn_dag_program *program,
                                        cairn_base_diag *diag);
const cairn_journal_run *
cairn_explore__table_run(const cairn_explore_table *table);
/* The recorded result of a canonical schedule, or NULL. */
const cairn_journal_result *
cairn_explore__table_find(const cairn_explore_table *table,
                          const cairn_dag_item *items, size_t count);
/* Measures a schedule anew as its record allows: `samples` draws from the
 * recorded percentiles (straight lines between them; nothing below p01 or above
 * p99), by seed and schedule.  Leaves *result alone when the record lacks a
 * percentile. */
cairn_status cairn_explore__table_draw(unsigned samples, uint64_t seed,
                                       const cairn_dag_item *items,
                                       size_t count,
                                       cairn_journal_result *result);
/* The best recorded time by the objective; NAN: none. */
double cairn_explore__table_best(const cairn_explore_table *table,
                                 const char *objective);

#endif

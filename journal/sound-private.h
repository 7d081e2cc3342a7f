/* SPDX-License-Identifier: BSD-3-Clause
 *
 * journal/sound-private.h - are recorded numbers and schedules possible?
 * What the journal's reader and the import both refuse.
 */
#ifndef CAIRN_JOURNAL_SOUND_PRIVATE_H
#define CAIRN_JOURNAL_SOUND_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/journal.h>

#include "journal/json-private.h"

/* A time from 0 that a clock can have given.  Returns 1, or 0 after it has said
 * in json->wrong why not. */
int cairn_journal__time_check(cairn_dag__json *json, double seconds);

/* Percentiles that are known (not NAN) must not fall.  Returns as above. */
int cairn_journal__percentiles_check(
    cairn_dag__json *json, const double seconds[CAIRN_BASE_PERCENTILES]);

/* The key of a schedule's text: equal for equal texts only. */
cairn_dag_key cairn_journal__text_key(const char *schedule);

/* first[i] is the least j with key[j] equal to key[i].  CAIRN_NOMEM. */
cairn_status cairn_journal__find_first(const cairn_dag_key *key, size_t count,
                                       size_t *first);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/source.c - which source of times the options ask for.
 */
#include "explore/explore-private.h"

static int wants_race(const cairn_explore_options *o) {
  return o->plan == CAIRN_EXPLORE_PLAN_AUTO
             ? o->samples == 0
             : o->plan == CAIRN_EXPLORE_PLAN_RACE;
}

const cairn_explore_source *
cairn_explore__source_choose(const cairn_explore_options *options) {
  if (options->recorded != NULL)
    return &cairn_explore__source_recorded;
  return wants_race(options) ? &cairn_explore__source_race
                             : &cairn_explore__source_ranks;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/refine-private.h - measuring again side by side: who takes part, and
 * rounds.
 */
#ifndef CAIRN_EXPLORE_REFINE_PRIVATE_H
#define CAIRN_EXPLORE_REFINE_PRIVATE_H

#include "explore/explore-private.h"
#include "timing/campaign-private.h"

enum {
  CAIRN_EXPLORE_WINDOW = 101,
  CAIRN_EXPLORE_RENEW = 4, /* rounds of a placement */
  CAIRN_EXPLORE_LEAST_ROUNDS = 8
};

typedef struct cairn_explore_entrant {
  const cairn_dag_item *items; /* the search's, or the program order's */
  size_t count;
  uint64_t id; /* in the journal; CAIRN_EXPLORE_PROGRAM_ORDER */
  double time_s;
} cairn_explore_entrant;

typedef struct cairn_explore_refining {
  cairn_explore_session *session;
  cairn_explore_entrant *entrant;
  size_t entrants;
  cairn_dag_schedule own; /* the program's own order */
  cairn_timing_campaign *campaign;
  unsigned rounds, placements, throttled; /* rounds with a slow clock */
  const char *why;         /* rounds ended: "ci", "max_time", "signal" */
  size_t contenders;       /* for the best place */
  double begin_s, seconds; /* of this phase; announced */
  double shot_s;           /* a sample takes about so long */
  int overtime;            /* it was ended */
} cairn_explore_refining;

/* A new campaign of all entrants. */
cairn_status cairn_explore__rounds_enter(cairn_explore_refining *r,
                                         uint64_t seed);
/* The phase begins now; it announces the time that the least number of rounds
 * takes, if that is more. */
void cairn_explore__rounds_announce(cairn_explore_refining *r, double seconds);
/* Rounds until there are `least` more and the time since r->begin_s is used
 * up, or all is known to `half` (0: never), which is looked at after each
 * placement.  A signal ends them, and so does the end of the phase's time:
 * CAIRN_EXHAUSTED. */
cairn_status cairn_explore__rounds_take(cairn_explore_refining *r,
                                        unsigned least, double seconds,
                                        double half);
/* The end of a phase, in time or not; `status` is that of its rounds. */
cairn_status cairn_explore__rounds_over(cairn_explore_refining *r,
                                        cairn_status status);

#endif

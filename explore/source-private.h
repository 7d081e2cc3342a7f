/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/source-private.h - where times come from.
 *
 * A source is a value, like a strategy: to add one write its hooks in one file
 * explore/source-NAME.c and choose it in explore/source.c.
 */
#ifndef CAIRN_EXPLORE_SOURCE_PRIVATE_H
#define CAIRN_EXPLORE_SOURCE_PRIVATE_H

#include <cairn/explore.h>
#include <cairn/journal.h>

struct cairn_explore_session;

/* Measuring side by side: many schedules are held ready under ids of the
 * caller's choice. */
typedef struct cairn_explore_bench {
  /* Everything that holds schedules is made anew; what was ready is
   * forgotten. */
  cairn_status (*renew)(struct cairn_explore_session *session);
  cairn_status (*prepare)(struct cairn_explore_session *session, uint64_t id,
                          const cairn_dag_item *items, size_t count);
  /* A sample for each shot, as cairn_timing_sampler's. */
  cairn_status (*sample)(struct cairn_explore_session *session,
                         const cairn_base_shot *shots, size_t count,
                         cairn_base_sample *samples,
                         cairn_base_execution *outcome_p);
  /* Is a GPU slowed down?  Since the last call; adds what was seen of the
   * machine to the session. */
  int (*machine)(struct cairn_explore_session *session);
  int (*oversubscribed)(const struct cairn_explore_session *session);
} cairn_explore_bench;

typedef struct cairn_explore_source {
  const char *name;
  int runs; /* schedules run here: they may hang or kill the job, time goes by,
               and the journal tells which one was begun */
  /* Makes times available; its state is in the session.  Collective when
   * schedules run. */
  cairn_status (*open)(struct cairn_explore_session *session);
  void (*close)(struct cairn_explore_session *session); /* also half open */
  /* What ranks other than 0 do; NULL: there is one rank, and no MPI. */
  cairn_status (*serve)(struct cairn_explore_session *session);
  /* The header's members about the machine. */
  void (*describe)(const struct cairn_explore_session *session,
                   cairn_journal_header *header);
  /* A schedule's result: numbers, outcome, message and facts are filled in;
   * texts and facts live until the next call. */
  cairn_status (*measure)(struct cairn_explore_session *session,
                          const cairn_mcts_proposal *proposal,
                          cairn_journal_result *result);
  const cairn_explore_bench *bench; /* NULL: times are what they are */
  /* Noise of a sample as the source knows it; NULL: from the results. */
  double (*noise)(const struct cairn_explore_session *session);
} cairn_explore_source;

extern const cairn_explore_source cairn_explore__source_ranks;
extern const cairn_explore_source cairn_explore__source_race;
extern const cairn_explore_source cairn_explore__source_recorded;

/* The source that the options ask for. */
const cairn_explore_source *
cairn_explore__source_choose(const cairn_explore_options *options);

#endif

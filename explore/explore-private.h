/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/explore-private.h - the session, which joins the search, a source of
 * times, the journal and the classification:
 *
 *   session.c          the story, from the program file to the result
 *   options.c          defaults, and what follows from options
 *   source.c           which source the options ask for
 *   source-ranks.c     times from running each schedule alone
 *   source-race.c      times from a race with the best so far
 *   source-recorded.c  times from a recorded table (recorded.c)
 *   ranks.c            the executor that schedules run in
 *   header.c           the journal's header
 *   identity.c         is an old journal one of this very search?
 *   resume.c           opening the journal, going on, quarantine
 *   kept.c             results kept for the end; what failures tell
 *   refine.c           measured again side by side (rounds.c); the finalists
 *   trust.c            how far the numbers can be trusted
 *   explain.c          classes and rules; the teacher of strategy "rules"
 *   result.c           what is handed out at the end
 *
 * Invariant: what the search is told is what the journal holds, in the same
 * order, so a journal rebuilds the search exactly.
 */
#ifndef CAIRN_EXPLORE_EXPLORE_PRIVATE_H
#define CAIRN_EXPLORE_EXPLORE_PRIVATE_H

#include "exec/drive-private.h"
#include "explore/recorded-private.h"
#include "explore/source-private.h"
#include "journal/journal-private.h"
#include "timing/campaign-private.h"
#include <cairn/explore.h>

enum { CAIRN_EXPLORE_CLASSES = 16 };

/* A result and the text of its schedule (free with cairn_base_free). */
typedef struct cairn_explore_kept {
  cairn_journal_result result;
  char *schedule;
} cairn_explore_kept;

/* The last measurement and its facts: results point into it. */
typedef struct cairn_explore_last {
  cairn_exec_measurement measurement;
  cairn_base_execution outcome;
  cairn_base_fact fact[24];
} cairn_explore_last;

/* Sources that run schedules. */
typedef struct cairn_explore_ranks {
  cairn_exec *exec;
  cairn_exec_start start; /* AUTO, or what the last executor fell back to */
  cairn_exec_plan plan;
  cairn_timing_race *race; /* of source race, rank 0 */
  uint64_t held[16];       /* ids that stay prepared: the race's anchors */
  size_t held_count;
  cairn_exec_clocks clocks; /* of the whole run */
  cairn_exec_load load;     /* likewise */
} cairn_explore_ranks;

/* What measuring again side by side gave. */
typedef struct cairn_explore_refined {
  int done;
  int before; /* by the run that is resumed: the numbers are in `kept` */
  unsigned rounds, placements, final_rounds;
  unsigned throttled; /* rounds with a GPU that was slowed down */
  int overtime;       /* a phase was ended before it was through */
  cairn_timing_quality quality;
  cairn_explore_finalist finalist[16 + CAIRN_EXPLORE_CLASSES];
  size_t finalists;
  uint64_t slowest;                        /* id */
  uint64_t program_order;                  /* id */
  uint64_t typical[CAIRN_EXPLORE_CLASSES]; /* ids: one of each class */
  size_t classes;
} cairn_explore_refined;

typedef struct cairn_explore_session {
  cairn_explore_result result; /* first: it is what the application holds */
  const cairn_explore_options *options;
  cairn_base_diag *diag;
  const cairn_dag_program *program;
  cairn_dag_program *own_program; /* it was read here */
  cairn_exec_world *world;        /* NULL: nothing runs */
  cairn_exec_world *own_world;    /* it was opened here */
  unsigned streams;
  const char *objective;
  const cairn_explore_source *source;
  cairn_explore_table *table; /* of source recorded */
  cairn_explore_ranks ranks;
  cairn_mcts *search;
  int stop;                 /* its stop flag */
  cairn_explore_kept *kept; /* every result, by id */
  size_t kept_count, kept_capacity;
  unsigned *named; /* by op: failed schedules whose message names it; NULL:
                      none has failed */
  cairn_explore_refined refined;
  cairn_journal *journal; /* NULL: none is written */
  char *journal_path;     /* free with cairn_base_free */
  cairn_journal_run *old; /* the run that is resumed, or NULL */
  double started_s;       /* monotonic */
  double at_s;            /* where the old run's clock stood */
  uint64_t resumed;       /* results of it */
  uint64_t measuring;     /* id, for the watchdog */
  cairn_base_text text;   /* of the schedule being measured */
  cairn_explore_last last;
  cairn_classify_data *data;
  cairn_classify_analysis *analysis; /* of data */
  cairn_explore_named *named_ops;    /* the result's arrays */
  char **device;
  char *backend, *best_text;
} cairn_explore_session;

/* ---- session.c ---- */

/* cairn_explore_run with a source of the caller's. */
cairn_status cairn_explore__run(const cairn_explore_options *options,
                                const cairn_explore_source *source,
                                cairn_base_diag *diag,
                                cairn_explore_result **result_p);

/* ---- options.c ---- */

/* Are schedules to be measured again at the end? */
int cairn_explore__wants_refining(const cairn_explore_session *session);
/* The signal that this or another rank has received, 0 none. */
int cairn_explore__signalled(const cairn_explore_session *session);
/* Seconds since the search began, an old run's included. */
double cairn_explore__at_s(const cairn_explore_session *session);
void cairn_explore__tell(const cairn_explore_session *session,
                         cairn_explore_progress *progress);

/* ---- ranks.c ---- */

/* Opens the executor on all ranks; CAIRN_ENV: results cannot be verified. */
cairn_status cairn_explore__ranks_open(cairn_explore_session *session);
void cairn_explore__ranks_close(cairn_explore_session *session);
/* What ranks other than 0 do. */
cairn_status cairn_explore__ranks_serve(cairn_explore_session *session);
void cairn_explore__ranks_describe(const cairn_explore_session *session,
                                   cairn_journal_header *header);
/* Adds to a result flags of the machine, which are there only when they are
 * up. */
void cairn_explore__ranks_flag(cairn_explore_session *session,
                               cairn_journal_result *result);
extern const cairn_explore_bench cairn_explore__ranks_bench;

/* ---- header.c, identity.c ---- */

/* What a header of this run points to. */
typedef struct cairn_explore_header {
  cairn_journal_header header;
  const char **param_name, **param_value;
  cairn_base_fact *fact;
  cairn_base_text settings, priors;
} cairn_explore_header;

/* Free with cairn_explore__header_free, also after an error. */
cairn_status cairn_explore__header_fill(const cairn_explore_session *session,
                                        cairn_explore_header *header);
void cairn_explore__header_free(cairn_explore_header *header);

/* Was the old journal written by this very search, and in the same world?
 * CAIRN_INPUT: by another program, always; under other conditions, unless
 * accept_different is set: then these are only warned of.  CAIRN_USAGE: by
 * another search.  All that differs is in diag. */
cairn_status cairn_explore__identity_check(const cairn_journal_run *old,
                                           const cairn_dag_program *program,
                                           const cairn_journal_header *now,
                                           int accept_different,
                                           cairn_base_diag *diag);

/* ---- resume.c ---- */

/* Chooses the path, compares an old header with this run's, opens the journal.
 * CAIRN_USAGE: exists without `resume`, or is another search's; CAIRN_INPUT: of
 * another program, or of other conditions. */
cairn_status cairn_explore__journal_open(cairn_explore_session *session);
/* Tells the search what the old journal holds. */
cairn_status cairn_explore__journal_replay(cairn_explore_session *session);
/* Was all that the old run holds measured again, to the end, and nothing
 * measured since?  Then its better numbers are taken from the journal. */
cairn_status cairn_explore__journal_refined(cairn_explore_session *session,
                                            int *done_p);
/* How often this schedule was begun by a job that died before it had a
 * result. */
unsigned cairn_explore__journal_deaths(const cairn_explore_session *session,
                                       const cairn_mcts_proposal *proposal);
/* What the search is told of a result. */
cairn_mcts_result cairn_explore__told(const cairn_journal_result *result,
                                      const char *objective);

/* ---- kept.c ---- */

/* Keeps a result (ids come in order) for the end of the run. */
cairn_status cairn_explore__keep(cairn_explore_session *session,
                                 const cairn_journal_result *result);
/* Puts better numbers in the place of the first ones. */
void cairn_explore__keep_refined(cairn_explore_session *session,
                                 const cairn_journal_result *result);
void cairn_explore__keep_free(cairn_explore_session *session);

/* ---- refine.c ---- */

/* Measures all schedules again side by side (unless only the best ones are
 * wanted), then the finalists. */
cairn_status cairn_explore__refine(cairn_explore_session *session);

/* ---- explain.c ---- */

/* Classes and rules of all results, and the files of the report.
 * CAIRN_FINDINGS: nothing was measured well. */
cairn_status cairn_explore__explain(cairn_explore_session *session);
/* Ids of schedules of the middle of each class, at most `most`. */
cairn_status cairn_explore__typical(cairn_explore_session *session, size_t most,
                                    uint64_t *id, size_t *count_p);
/* A cairn_mcts_teach; context is the session. */
cairn_status cairn_explore__teach(void *context,
                                  const cairn_mcts_sample *measured,
                                  size_t measured_count,
                                  const cairn_mcts_sample *candidate,
                                  size_t candidate_count, double *score);

/* ---- trust.c, result.c ---- */

void cairn_explore__trust_fill(const cairn_explore_session *session,
                               cairn_explore_trust *trust);

/* Fills session->result when the run is over, but the executor still open. */
cairn_status cairn_explore__result_fill(cairn_explore_session *session);
/* Frees the session and what its result points to; the source is closed. */
void cairn_explore__free(cairn_explore_session *session);

#endif

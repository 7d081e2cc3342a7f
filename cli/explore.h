/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore.h - the parts of `cairn explore`, which joins the search, the
 * ranks or a recorded table, the journal and the classification:
 *
 *   explore-options.c   the option table
 *   explore-measure.c   times from running schedules on all ranks
 *   explore-journal.c   header, resuming, quarantine
 *   explore-explain.c   results kept; classes and rules
 *   explore-refine.c    measured again side by side; the finalists
 *   explore-failures.c  what failed schedules have in common
 *   explore-finalists.c how far to trust the numbers; finalists in words
 *   explore-report.c    progress, and what is printed at the end
 *   cmd-explore.c       the story, from the program file to the exit code
 *
 * Invariant: what the search is told is what the journal holds, in the same
 * order, so a journal rebuilds the search exactly.
 */
#ifndef CAIRN_CLI_EXPLORE_H
#define CAIRN_CLI_EXPLORE_H

#include <signal.h>

#include <cairn/classify.h>
#include <cairn/exec.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

#include "base/text-private.h"
#include "cli.h"
#include "exec/drive-private.h"
#include "explore/recorded-private.h"
#include "journal/journal-private.h"
#include "timing/campaign-private.h"

/* ---- options ---- */

typedef enum explore_plan {
  EXPLORE_PLAN_AUTO,  /* race, or series when the samples are fixed */
  EXPLORE_PLAN_RACE,  /* interleaved with anchors, few samples if slow */
  EXPLORE_PLAN_SERIES /* alone, until its interval is small */
} explore_plan;

typedef enum explore_refining {
  EXPLORE_REFINE_AUTO = -1, /* yes, unless samples are fixed */
  EXPLORE_REFINE_NO,
  EXPLORE_REFINE_YES,
  EXPLORE_REFINE_BEST /* the finalists only */
} explore_refining;

typedef struct explore_options {
  cairn_cli_common common;
  cairn_cli_program program;
  const char *file;     /* PROGRAM.xml */
  const char *output;   /* -o; NULL: chosen (none on replay) */
  const char *backend;  /* "auto", "cuda", "host" or "replay" */
  const char *recorded; /* FILE of replay:FILE */
  const char *strategy; /* NULL: the default one */
  int list_strategies;  /* --strategy help */
  cairn_mcts_setting *setting;
  size_t settings, settings_capacity;
  const char **prior;
  size_t priors, priors_capacity;
  uint64_t seed, budget; /* budget 0: none */
  double time_s;         /* 0: no limit */
  unsigned noise;        /* samples drawn on replay; 0: none */
  unsigned samples;      /* 0: until the interval is small */
  double sample_s;       /* least length of a sample; 0: the default */
  explore_plan plan;     /* how one schedule is measured */
  explore_refining refine;
  double refine_s;         /* 0: by the number of schedules */
  double precision;        /* in percent; 0: the default */
  const char *objective;   /* "p10", ...; NULL: as recorded */
  cairn_exec_options exec; /* start, gpu_mpi, hang_s, inject, allow_hangs */
  const char *dot, *report;
  int verify, resume, accept_different, strict, singleton;
} explore_options;

cairn_status explore_parse(const cairn_cli_command *self, int argc, char **argv,
                           explore_options *options);
void explore_options_free(explore_options *options);
void explore_print_strategies(FILE *out);

/* ---- the job ---- */

/* The last measurement and its facts: results point into it. */
typedef struct explore_last {
  cairn_exec_measurement measurement;
  cairn_base_execution outcome;
  cairn_base_fact fact[24];
} explore_last;

/* A result and the text of its schedule (free with cairn_base_free). */
typedef struct explore_kept {
  cairn_journal_result result;
  char *schedule;
} explore_kept;

/* The id of the program's own order when the search did not measure it. */
#define EXPLORE_PROGRAM_ORDER UINT64_MAX

typedef struct explore_finalist {
  cairn_timing_estimate estimate;     /* its id is the journal's */
  cairn_timing_comparison comparison; /* of the best with it */
  int best;
  int class_of; /* it is typical of this class; -1: of none */
} explore_finalist;

enum { EXPLORE_CLASSES = 16 };

/* What measuring again side by side gave. */
typedef struct explore_refined {
  int done;
  unsigned rounds, placements, final_rounds;
  unsigned throttled; /* rounds with a GPU that was slowed down */
  int overtime;       /* a phase was ended before it was through */
  cairn_timing_quality quality;
  explore_finalist finalist[16 + EXPLORE_CLASSES];
  size_t finalists;
  uint64_t slowest;                  /* id */
  uint64_t typical[EXPLORE_CLASSES]; /* ids of a schedule of each class */
  size_t classes;
} explore_refined;

/* How far the numbers of a run can be trusted; shares, NAN unknown. */
typedef struct explore_trust {
  double noise, floor, drift; /* as in cairn_timing_quality */
  int correlated, nonrandom, oversubscribed;
  size_t beyond;    /* samples whose level was too far off */
  unsigned changes; /* of the machine during the search, that lasted */
  double changed;   /* by this factor in all */
  cairn_exec_clocks clocks;
  cairn_exec_load load;
} explore_trust;

typedef struct explore_progress {
  double started_s, shown_s; /* monotonic */
  int tty, drawn, noted;
  uint64_t resumed;
} explore_progress;

typedef struct explore_job {
  const explore_options *options;
  cairn_base_diag *diag;
  cairn_dag_program *program;
  unsigned streams;
  cairn_explore_table *table; /* replay, else NULL */
  cairn_exec_world *world;    /* else these */
  cairn_exec *exec;
  cairn_exec_start start; /* AUTO, or what the last executor fell back to */
  cairn_exec_plan plan;
  cairn_mcts *search;
  explore_kept *kept; /* every result, by id */
  size_t kept_count, kept_capacity;
  unsigned *named; /* by op: failed schedules whose message names it; NULL:
                      none has failed */
  cairn_timing_race *race; /* NULL: each schedule is measured alone */
  uint64_t held[16];       /* ids that stay prepared: the race's anchors */
  size_t held_count;
  uint64_t program_order; /* its id, see EXPLORE_PROGRAM_ORDER */
  explore_refined refined;
  cairn_exec_clocks clocks; /* of the whole run */
  cairn_exec_load load;     /* likewise */
  cairn_journal *journal;   /* NULL: none is written */
  char *journal_path;       /* free with cairn_base_free */
  cairn_journal_run *old;   /* the run that is resumed, or NULL */
  double at_s;              /* where its clock stood */
  int stop;                 /* the search's stop flag */
  uint64_t measuring;       /* id, for the watchdog */
  cairn_base_text text;     /* of the schedule being measured */
  explore_last last;
  explore_progress progress;
} explore_job;

/* The signal received, 0 none; set by explore_catch_signals's handler. */
extern volatile sig_atomic_t explore_signal;
void explore_catch_signals(void);
double explore_now_s(void);

/* Opens the world and the executor on all ranks. */
cairn_status explore_exec_open(explore_job *job);
void explore_exec_close(explore_job *job); /* if it is open */
/* A measured or recorded result of a schedule; numbers, outcome and message
 * are filled in (the message lives until the next call). */
cairn_status explore_measure(explore_job *job,
                             const cairn_mcts_proposal *proposal,
                             cairn_journal_result *result);

/* Chooses the path, compares an old header with this run's, opens the journal.
 * CAIRN_USAGE: exists without --resume, or differs. */
cairn_status explore_journal_open(explore_job *job);
/* Tells the search what the old journal holds. */
cairn_status explore_journal_replay(explore_job *job);
/* How often this schedule was begun by a job that died before it had a
 * result. */
unsigned explore_journal_deaths(const explore_job *job,
                                const cairn_mcts_proposal *proposal);
cairn_mcts_result explore_result_of(const explore_job *job,
                                    const cairn_journal_result *result);

/* Closes the executor and opens a new one on all ranks; what was prepared is
 * forgotten.  The other ranks follow in explore_serve. */
cairn_status explore_exec_reopen(explore_job *job);
/* What ranks other than 0 do. */
cairn_status explore_serve(explore_job *job);
/* The signal that this or another rank has received, 0 none. */
int explore_signalled(const explore_job *job);

/* Keeps a result (ids come in order) for the end of the run. */
cairn_status explore_keep(explore_job *job, const cairn_journal_result *result);
/* Puts better numbers in the place of the first ones. */
void explore_keep_refined(explore_job *job, const cairn_journal_result *result);
void explore_keep_free(explore_job *job);

/* Notes what a failed result tells (others: nothing); counts and operations
 * named are printed at the end. */
cairn_status explore_failures_add(explore_job *job,
                                  const cairn_journal_result *result);
void explore_failures_print(const explore_job *job);
json_t *explore_failures_json(const explore_job *job);
/* All schedules with a time; free with cairn_classify_data_free.
 * CAIRN_FINDINGS: there is none. */
cairn_status explore_explain_data(explore_job *job,
                                  cairn_classify_data **data_p);

int explore_wants_refining(const explore_job *job);
/* Measures all schedules again side by side (unless --refine=best), then the
 * finalists. */
cairn_status explore_refine(explore_job *job);
/* Ids of schedules of the middle of each class, at most `most`. */
cairn_status explore_typical(explore_job *job, size_t most, uint64_t *id,
                             size_t *count_p);
/* Only for runs that measured (not replays). */
explore_trust explore_trust_of(const explore_job *job);
void explore_trust_print(const explore_job *job);
json_t *explore_trust_json(const explore_job *job);
void explore_refine_print(const explore_job *job);
json_t *explore_refine_json(const explore_job *job); /* null: not done */

/* Appends classes and rules, as text or one JSON object, and writes the files
 * of --report.  CAIRN_FINDINGS:
 * nothing was measured well. */
cairn_status explore_explain(explore_job *job, int json, cairn_base_text *text);

/* A cairn_mcts_teach; context is the job. */
cairn_status explore_teach(void *context, const cairn_mcts_sample *measured,
                           size_t measured_count,
                           const cairn_mcts_sample *candidate,
                           size_t candidate_count, double *score);

void explore_progress_start(explore_job *job);
void explore_progress_show(explore_job *job, int last);
/* What is going on after the search, as often as progress is shown; NULL ends
 * the line. */
void explore_progress_note(explore_job *job, const char *format, ...)
    CAIRN_PRINTF(2, 3);
/* The end: text or JSON, --dot, --report. */
cairn_status explore_finish(explore_job *job);

#endif

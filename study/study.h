/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study.h - front door of study: how hard is a recorded space, and which
 * search is best on it.  Nothing is run: times are those of journals.
 *
 * A landscape is a set of points with times, some of them neighbours of each
 * other.  Its fitness-flow graph has an edge from each point to every better
 * neighbour; a walk on it is a randomised first-improvement descent.
 *
 *     const char *space[] = {"run.jsonl"};
 *     const cairn_study_options options = {
 *         .space = space, .spaces = 1, .seed = 1};
 *     cairn_study_run(&options, diag, &text);
 *
 * Errors, ownership and threads: as in dag.h.
 */
#ifndef CAIRN_STUDY_H
#define CAIRN_STUDY_H

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what can be set ---- */

#define CAIRN_STUDY_PERCENTS 16  /* 0 .. 15 % */
#define CAIRN_STUDY_MOST 2000000 /* points, unless they are sampled */

#define CAIRN_STUDY_CHANCES 3 /* within 0, 1 and 5 % */

typedef enum cairn_study_format {
  CAIRN_STUDY_TEXT,
  CAIRN_STUDY_JSON,
  CAIRN_STUDY_HTML
} cairn_study_format;

/* What is asked. */
typedef enum cairn_study_question {
  CAIRN_STUDY_LANDSCAPES, /* how hard each space is */
  CAIRN_STUDY_COMPETE,    /* which search is best on them */
  CAIRN_STUDY_SETTINGS    /* which settings of a search are best */
} cairn_study_question;

/* How landscapes are made; start with {0}. */
typedef struct cairn_study_landscape_options {
  unsigned kinds; /* CAIRN_DAG_NEIGHBOUR_...; 0: ADJACENT */
  size_t sample;  /* descents drawn instead of the whole graph; 0: exact */
  uint64_t seed;  /* of the descents */
} cairn_study_landscape_options;

/* How a competition is judged; start with {0}. */
typedef struct cairn_study_judging {
  int welch;
  uint64_t split; /* budgets up to it are low, others medium; 0: 200 */
} cairn_study_judging;

/* Start with {0}.  Spaces are paths of journals. */
typedef struct cairn_study_options {
  cairn_study_question question;
  /* How journals are read. */
  const cairn_dag_program *program; /* sealed; NULL: the order of the ops, and
                        which pairs of them are always synchronised, are read
                        off the schedules: exact for complete spaces but for
                        edges that others imply */
  const char *objective;            /* "p10", ...; NULL: the journal's */
  int salvage;                      /* skip damaged lines */
  const char *const *space;         /* LANDSCAPES, COMPETE */
  size_t spaces;
  uint64_t seed; /* of what is drawn; run r of every search has seed + r */
  unsigned jobs; /* threads; 0: as many as processors.  Changes no result. */
  cairn_study_landscape_options landscape; /* LANDSCAPES; its seed is not read:
                                              the one above counts */
  /* COMPETE and SETTINGS. */
  const uint64_t *budget; /* none: 50, 100, 200, 400, 800; SETTINGS: 200 */
  size_t budgets;
  cairn_study_judging judging;
  /* COMPETE: "ils", or with settings "ils:kick=2"; none: one of each family and
   * the default.  Random takes part unasked, first. */
  const char *const *strategy;
  size_t strategies;
  size_t runs;      /* of each strategy, >= 2; 0: 50 */
  const char *from; /* runs.tsv of a report instead of spaces, or NULL */
  /* SETTINGS: chosen on the spaces `tuning`, tried on others. */
  const char *settings;    /* of this strategy */
  const char *const *grid; /* "NAME=V,V": every combination */
  size_t dimensions;
  const char *const *tuning;
  size_t tunings;
  const char *const *report_on; /* none: no report on what was chosen */
  size_t reports;
  size_t repetitions; /* runs of each setting, >= 2; 0: 20 */
  /* The answer. */
  cairn_study_format format; /* of the text */
  const char *report;        /* folder for report.html, .json, .txt and a table
                                (.tsv) for each plot, made if need be, before
                                anything else is done; NULL: none */
} cairn_study_options;

/* Answers the question: appends the report to the text, and writes the folder.
 * CAIRN_USAGE with a message: a strategy or a setting that is unknown, a space
 * both in `tuning` and `report_on`, more than CAIRN_STUDY_MOST points and no
 * sample.  CAIRN_INPUT: unreadable files, with file:line.  CAIRN_FINDINGS: a
 * space without a usable time.  CAIRN_IO: the folder.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_study_run(const cairn_study_options *options,
                                       cairn_base_diag *diag,
                                       cairn_base_text *text);

/* ---- a partial run ---- */

/* What a few measured schedules say about the whole space: an estimate.  Times
 * of schedules that were not measured are predicted from those that were (by a
 * Gaussian process over orders, streams and waits); descents and searches run
 * on that, several times over, with none to half of the errors that leaving one
 * out shows. */
typedef struct cairn_study_difficulty {
  size_t measured, failed;
  double explained; /* share of the variance that predictions explain, leaving
                       one out; <= 1, may be negative */
  size_t descents;
  double best_s;    /* the best measured */
  double optimum_s; /* the best of the space, estimated */
  double fraction;  /* best / time of the minima found, the median */
  size_t minima;
  /* Share of the descents that end within p % of the optimum: mean, least and
   * most over the repetitions. */
  double centrality[CAIRN_STUDY_PERCENTS];
  double centrality_low[CAIRN_STUDY_PERCENTS];
  double centrality_high[CAIRN_STUDY_PERCENTS];
  double share[CAIRN_STUDY_CHANCES]; /* of schedules within 0, 1, 5 % */
  const char *strategy;   /* suggested; its measurements until within 1 % */
  uint64_t budget;        /* enough in most repetitions; 0: none was */
  uint64_t random_budget; /* the same for uniform draws */
} cairn_study_difficulty;

/* Reads a journal of the program's.  Needs ten usable times at least:
 * CAIRN_FINDINGS otherwise. */
CAIRN_API cairn_status cairn_study_estimate(
    const cairn_dag_program *program, unsigned streams, const char *journal,
    uint64_t seed, cairn_base_diag *diag, cairn_study_difficulty *difficulty_p);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study.h - front door of study: how hard is a recorded space, and which
 * search is best on it.  Nothing is run: times are those of journals.
 *
 * A landscape is a set of points with times, some of them neighbours of each
 * other.  Its fitness-flow graph has an edge from each point to every better
 * neighbour; a walk on it is a randomised first-improvement descent.
 *
 *     cairn_study_spaces_read(&path, 1, &how, diag, &space);
 *     cairn_study_space_landscape(space, &options, diag, &landscape);
 *     cairn_study_landscapes_text(&landscape, 1, &text);
 *
 * Errors, ownership and threads: as in dag.h.
 */
#ifndef CAIRN_STUDY_H
#define CAIRN_STUDY_H

#include <cairn/dag.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- a recorded space ---- */

typedef struct cairn_study_space {
  const char *path;
  const char *name; /* the file's name without folder and endings */
  cairn_dag_program *program;
  int inferred; /* the program is read off the schedules */
  const char *objective;
  cairn_dag_sync sync;          /* of the run */
  size_t count;                 /* distinct schedules */
  cairn_dag_schedule *schedule; /* canonical */
  double *time_s;               /* seconds; INFINITY: no usable time */
  uint64_t *id;                 /* in the journal */
  size_t failed;                /* points without a usable time */
  size_t repeated; /* results of schedules that were there before */
} cairn_study_space;

/* How to read one; start with {0}. */
typedef struct cairn_study_reading {
  const cairn_dag_program *program; /* sealed; NULL: the order of the ops, and
                        which pairs of them are always synchronised, are read
                        off the schedules: exact for complete spaces but for
                        edges that others imply */
  const char *objective;            /* "p10", ...; NULL: the journal's */
  int salvage;                      /* skip damaged lines */
} cairn_study_reading;

/* Reads journals, a space each, into space[0 .. count - 1].  Spaces whose files
 * have one name are told apart by numbers.  CAIRN_INPUT with messages;
 * CAIRN_FINDINGS when one holds no usable time; then none is left to free.
 * Free each with cairn_study_space_free. */
CAIRN_API cairn_status cairn_study_spaces_read(const char *const *path,
                                               size_t count,
                                               const cairn_study_reading *how,
                                               cairn_base_diag *diag,
                                               cairn_study_space **space);
CAIRN_API void cairn_study_space_free(cairn_study_space *space);

/* ---- a landscape ---- */

#define CAIRN_STUDY_PERCENTS 16  /* 0 .. 15 % */
#define CAIRN_STUDY_MOST 2000000 /* points, unless they are sampled */

typedef enum cairn_study_kind {
  CAIRN_STUDY_REGULAR,
  CAIRN_STUDY_MINIMUM, /* usable, and no neighbour is better */
  CAIRN_STUDY_MAXIMUM, /* has neighbours, all better than it */
  CAIRN_STUDY_SADDLE   /* minimum by one kind of move, maximum by another */
} cairn_study_kind;

/* The chance that n distinct uniform draws hold a point within x % of the
 * best. */
typedef struct cairn_study_chance {
  unsigned percent;
  size_t good;         /* points within it */
  double at[4];        /* after CAIRN_STUDY_DRAWS draws */
  size_t half, ninety; /* fewest draws with a chance of 1/2, 9/10 */
} cairn_study_chance;
#define CAIRN_STUDY_DRAWS                                                      \
  { 10, 50, 100, 200 }
#define CAIRN_STUDY_CHANCES 3 /* within 0, 1 and 5 % */

typedef struct cairn_study_landscape {
  const char *name;
  size_t vertices, failed, repeated;
  const uint64_t *id;
  const double *time_s;
  /* The graph; of a sample (descents > 0) unknown: 0 and NULL. */
  size_t pairs; /* of neighbours */
  size_t edges; /* of them, between different times */
  size_t ties;  /* of them, between equal times */
  size_t components, degree_min, degree_max;
  const size_t *row; /* cairn_dag_neighbours */
  const uint32_t *to;
  /* Kinds of points. */
  uint8_t *kind; /* cairn_study_kind, by vertex */
  size_t minima, strict, maxima, saddles, regular;
  /* Arrivals of descents from a uniform start, and PageRank 0.85 (edges weigh
   * 1/outdegree, sinks are spread uniformly), by vertex; NULL: unknown. */
  double *arrival, *pagerank;
  uint32_t *minimum; /* by arrival, most first; ties by id */
  size_t best;       /* vertex */
  double fraction_median, fraction_worst; /* best time / a minimum's */
  size_t within[CAIRN_STUDY_PERCENTS];    /* minima within p % */
  /* Share of the minima within p % in arrivals, in PageRank. */
  double centrality[CAIRN_STUDY_PERCENTS];
  double centrality_pagerank[CAIRN_STUDY_PERCENTS];
  /* Uniform draws without repetition. */
  cairn_study_chance chance[CAIRN_STUDY_CHANCES];
  double expected_s[4];        /* mean best after CAIRN_STUDY_DRAWS draws; NAN:
                                  all may have failed */
  double expected_fraction[4]; /* mean of best time / best of the draws */
  size_t descents;             /* 0: exact; else estimated from so many */
  int inferred;                /* the program was */
  char *best_text;             /* the schedule; NULL: none */
} cairn_study_landscape;

typedef struct cairn_study_landscape_options {
  unsigned kinds; /* CAIRN_DAG_NEIGHBOUR_...; 0: ADJACENT */
  size_t sample;  /* descents drawn instead of the whole graph; 0: exact */
  uint64_t seed;  /* of the descents */
} cairn_study_landscape_options;

/* The landscape of a space, which must outlive it.  CAIRN_USAGE: more than
 * CAIRN_STUDY_MOST points and no sample.  Free with
 * cairn_study_landscape_free. */
CAIRN_API cairn_status cairn_study_space_landscape(
    const cairn_study_space *space,
    const cairn_study_landscape_options *options, cairn_base_diag *diag,
    cairn_study_landscape **landscape_p);

CAIRN_API void cairn_study_landscape_free(cairn_study_landscape *landscape);

/* ---- reports ---- */

typedef enum cairn_study_format {
  CAIRN_STUDY_TEXT,
  CAIRN_STUDY_JSON,
  CAIRN_STUDY_HTML
} cairn_study_format;

/* Appends the report of some landscapes.  CAIRN_NOMEM. */
CAIRN_API cairn_status cairn_study_landscapes_format(
    cairn_study_landscape *const *landscape, size_t count,
    cairn_study_format format, cairn_base_text *text);
/* Writes report.html, report.json, report.txt and a table (.tsv) beside each
 * plot into a folder, made if need be.  CAIRN_IO with a message. */
CAIRN_API cairn_status cairn_study_landscapes_report(
    cairn_study_landscape *const *landscape, size_t count, const char *folder,
    cairn_base_diag *diag);

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

/* Needs ten usable times at least: CAIRN_FINDINGS otherwise.  `space` was read
 * with `program`. */
CAIRN_API cairn_status cairn_study_estimate(
    const cairn_dag_program *program, unsigned streams,
    const cairn_study_space *space, uint64_t seed, cairn_base_diag *diag,
    cairn_study_difficulty *difficulty_p);

/* ---- competitions ---- */

/* Student's two-sample test. */
typedef struct cairn_study_test {
  double t, df;
  double p; /* two-sided */
} cairn_study_test;

/* Best times so far: of each strategy, on each space, in each run, after each
 * budget.  Names and numbers belong to it; fill one with zeros by hand, or get
 * one from cairn_study_compete; free with cairn_study_contest_free. */
typedef struct cairn_study_contest {
  char **strategy;
  size_t strategies;
  char **space;
  size_t spaces;
  uint64_t *budget; /* ascending */
  size_t budgets, runs;
  double *optimum_s; /* by space */
  double *slowest_s; /* by space: what counts for a run that found nothing */
  double *best_s;    /* [strategy][space][budget][run]; INFINITY: nothing */
  uint64_t seed;
  size_t missing; /* proposals that no space had recorded: they failed */
} cairn_study_contest;

CAIRN_API void cairn_study_contest_free(cairn_study_contest *contest);

/* How searches compete. */
typedef struct cairn_study_racing {
  /* "ils", or with settings "ils:kick=2"; none: one of each family and the
   * default.  Random takes part unasked, first. */
  const char *const *strategy;
  size_t strategies;
  const uint64_t *budget; /* none: 50, 100, 200, 400, 800 */
  size_t budgets;
  size_t runs;
  uint64_t seed; /* run r of every search has seed + r */
  unsigned jobs; /* threads; 0: as many as processors.  Changes no result. */
} cairn_study_racing;

/* Runs every strategy on every space.  CAIRN_USAGE with a message (unknown
 * strategy or setting). */
CAIRN_API cairn_status cairn_study_compete(cairn_study_space *const *space,
                                           size_t spaces,
                                           const cairn_study_racing *racing,
                                           cairn_base_diag *diag,
                                           cairn_study_contest **contest_p);

/* Reads what the report of a contest wrote: runs.tsv.  CAIRN_INPUT with
 * file:line. */
CAIRN_API cairn_status cairn_study_contest_read(
    const char *path, cairn_base_diag *diag, cairn_study_contest **contest_p);

#define CAIRN_STUDY_ALPHA 0.05

/* How it is judged; start with {0}. */
typedef struct cairn_study_judging {
  int welch;
  uint64_t split; /* budgets up to it are low, others medium; 0: 200 */
} cairn_study_judging;

/* The verdict.  Budgets are low, medium, or all of them: parts 0, 1, 2. */
typedef struct cairn_study_verdict {
  const cairn_study_contest *contest;
  cairn_study_judging how;
  /* [part][row][column]: how often the column's strategy beat the row's: its
   * mean is less and p < CAIRN_STUDY_ALPHA. */
  size_t *heat;
  size_t *wins;           /* [part][strategy] */
  size_t of[3];           /* wins that were possible */
  cairn_study_test *test; /* [space][budget][a][b] */
  /* Of best time / best so far: [strategy][space][budget], and over all spaces
   * [strategy][budget]: mean, and quartiles over the runs. */
  double *fraction, *fraction_low, *fraction_high;
  double *overall, *overall_low, *overall_high;
  size_t *recommended; /* by budget; SIZE_MAX: nothing beats random */
} cairn_study_verdict;

CAIRN_API cairn_status cairn_study_judge(const cairn_study_contest *contest,
                                         const cairn_study_judging *how,
                                         cairn_study_verdict **verdict_p);
CAIRN_API void cairn_study_verdict_free(cairn_study_verdict *verdict);
CAIRN_API cairn_status
cairn_study_verdict_format(const cairn_study_verdict *verdict,
                           cairn_study_format format, cairn_base_text *text);
/* report.html, report.json, report.txt, runs.tsv, heat.tsv, curves.tsv,
 * tests.tsv. */
CAIRN_API cairn_status
cairn_study_verdict_report(const cairn_study_verdict *verdict,
                           const char *folder, cairn_base_diag *diag);

/* ---- settings ---- */

/* A search for settings: every combination of the values in the grid. */
typedef struct cairn_study_tuning {
  const char *strategy;
  const char *const *grid; /* "NAME=V,V": combinations vary the last fastest */
  size_t dimensions;
  const uint64_t *budget; /* a problem is a space and a budget; none: 200 */
  size_t budgets;
  size_t repetitions; /* runs of each setting; >= 2 */
  uint64_t seed;
  unsigned jobs;
  cairn_study_judging judging; /* of the report */
} cairn_study_tuning;

typedef struct cairn_study_choice {
  const char *strategy;    /* points into the tuning's strings, which must */
  const char *const *grid; /* outlive it */
  size_t dimensions;
  cairn_study_contest *tuning; /* its strategies are the settings */
  size_t problems;             /* spaces x budgets */
  double *mean, *sd;           /* [problem][setting] */
  double *k;                   /* by setting */
  size_t chosen;
  cairn_study_contest *contest; /* random, the default, the chosen one; NULL: */
  cairn_study_verdict *verdict; /* no spaces to report on */
} cairn_study_choice;

/* Chooses on the tuning spaces, and reports on others: CAIRN_USAGE with a
 * message when a space is among both, or a setting is not the strategy's. */
CAIRN_API cairn_status cairn_study_choose(cairn_study_space *const *tuning,
                                          size_t tunings,
                                          cairn_study_space *const *report_on,
                                          size_t reports,
                                          const cairn_study_tuning *how,
                                          cairn_base_diag *diag,
                                          cairn_study_choice **choice_p);
CAIRN_API void cairn_study_choice_free(cairn_study_choice *choice);
CAIRN_API cairn_status
cairn_study_choice_format(const cairn_study_choice *choice,
                          cairn_study_format format, cairn_base_text *text);
/* report.html, report.json, report.txt, settings.tsv, and the tables of the
 * competition. */
CAIRN_API cairn_status
cairn_study_choice_report(const cairn_study_choice *choice, const char *folder,
                          cairn_base_diag *diag);

/* Makes a folder for a report, or says at once why not (CAIRN_IO): before
 * hours of work. */
CAIRN_API cairn_status cairn_study_report_folder(const char *folder,
                                                 cairn_base_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study-private.h - what the files of study share; for study/ only.
 */
#ifndef CAIRN_STUDY_PRIVATE_H
#define CAIRN_STUDY_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/journal.h>
#include <cairn/study.h>

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
 * Free each with cairn_study__space_free. */
cairn_status cairn_study__spaces_read(const char *const *path, size_t count,
                                      const cairn_study_reading *how,
                                      cairn_base_diag *diag,
                                      cairn_study_space **space);
void cairn_study__space_free(cairn_study_space *space);

/* ---- a landscape ---- */

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

/* The landscape of a space, which must outlive it.  CAIRN_USAGE: more than
 * CAIRN_STUDY_MOST points and no sample.  Free with
 * cairn_study__landscape_free. */
cairn_status
cairn_study__space_landscape(const cairn_study_space *space,
                             const cairn_study_landscape_options *options,
                             cairn_base_diag *diag,
                             cairn_study_landscape **landscape_p);

void cairn_study__landscape_free(cairn_study_landscape *landscape);

/* ---- reports ---- */

/* Appends the report of some landscapes.  CAIRN_NOMEM. */
cairn_status
cairn_study__landscapes_format(cairn_study_landscape *const *landscape,
                               size_t count, cairn_study_format format,
                               cairn_base_text *text);
/* Writes report.html, report.json, report.txt and a table (.tsv) beside each
 * plot into a folder, made if need be.  CAIRN_IO with a message. */
cairn_status
cairn_study__landscapes_report(cairn_study_landscape *const *landscape,
                               size_t count, const char *folder,
                               cairn_base_diag *diag);

/* ---- a partial run ---- */

/* Needs ten usable times at least: CAIRN_FINDINGS otherwise.  `space` was read
 * with `program`. */
cairn_status cairn_study__estimate(const cairn_dag_program *program,
                                   unsigned streams,
                                   const cairn_study_space *space,
                                   uint64_t seed, cairn_base_diag *diag,
                                   cairn_study_difficulty *difficulty_p);

/* ---- competitions ---- */

/* Student's two-sample test. */
typedef struct cairn_study_test {
  double t, df;
  double p; /* two-sided */
} cairn_study_test;

/* Best times so far: of each strategy, on each space, in each run, after each
 * budget.  Names and numbers belong to it; fill one with zeros by hand, or get
 * one from cairn_study__compete; free with cairn_study__contest_free. */
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

void cairn_study__contest_free(cairn_study_contest *contest);

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
cairn_status cairn_study__compete(cairn_study_space *const *space,
                                  size_t spaces,
                                  const cairn_study_racing *racing,
                                  cairn_base_diag *diag,
                                  cairn_study_contest **contest_p);

/* Reads what the report of a contest wrote: runs.tsv.  CAIRN_INPUT with
 * file:line. */
cairn_status cairn_study__contest_read(const char *path, cairn_base_diag *diag,
                                       cairn_study_contest **contest_p);

#define CAIRN_STUDY_ALPHA 0.05

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

cairn_status cairn_study__judge(const cairn_study_contest *contest,
                                const cairn_study_judging *how,
                                cairn_study_verdict **verdict_p);
void cairn_study__verdict_free(cairn_study_verdict *verdict);
cairn_status cairn_study__verdict_format(const cairn_study_verdict *verdict,
                                         cairn_study_format format,
                                         cairn_base_text *text);
/* report.html, report.json, report.txt, runs.tsv, heat.tsv, curves.tsv,
 * tests.tsv. */
cairn_status cairn_study__verdict_report(const cairn_study_verdict *verdict,
                                         const char *folder,
                                         cairn_base_diag *diag);

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
cairn_status cairn_study__choose(cairn_study_space *const *tuning,
                                 size_t tunings,
                                 cairn_study_space *const *report_on,
                                 size_t reports, const cairn_study_tuning *how,
                                 cairn_base_diag *diag,
                                 cairn_study_choice **choice_p);
void cairn_study__choice_free(cairn_study_choice *choice);
cairn_status cairn_study__choice_format(const cairn_study_choice *choice,
                                        cairn_study_format format,
                                        cairn_base_text *text);
/* report.html, report.json, report.txt, settings.tsv, and the tables of the
 * competition. */
cairn_status cairn_study__choice_report(const cairn_study_choice *choice,
                                        const char *folder,
                                        cairn_base_diag *diag);

/* Makes a folder for a report, or says at once why not (CAIRN_IO): before
 * hours of work. */
cairn_status cairn_study__report_folder(const char *folder,
                                        cairn_base_diag *diag);

/* ---- inside ---- */

/* The program whose schedules a journal holds: see study/infer.c.  At least
 * one result.  CAIRN_INPUT when they are not of one program. */
cairn_status cairn_study__infer(const cairn_journal_run *run,
                                cairn_base_diag *diag,
                                cairn_dag_program **program_p);

/* Is a time within p % of the best?  Exact at the edge for decimal numbers. */
int cairn_study__within(double time_s, double best_s, double percent);

/* Sorts the minima of a landscape by arrival; their fractions and centrality.
 * At least one.  CAIRN_NOMEM. */
cairn_status cairn_study__minima(cairn_study_landscape *landscape);

/* A landscape of descents (options->sample of them) instead of the graph. */
cairn_status cairn_study__descents(const cairn_study_space *space,
                                   unsigned kinds,
                                   const cairn_study_landscape_options *options,
                                   cairn_study_landscape *landscape);

/* The landscape of any points: times (INFINITY: failed; at least one is
 * finite), and a symmetric relation whose pairs have one kind, a power of two
 * (a move's); both must outlive it. */
cairn_status cairn_study__landscape_make(const double *time_s,
                                         const cairn_dag_neighbours *neighbours,
                                         cairn_study_landscape **landscape_p);
/* Of two independent samples (each of two or more, finite): pooled variance,
 * or Welch's.  Equal constant samples: t 0, p 1; different ones: t infinite,
 * p 0. */
cairn_study_test cairn_study__t_test(const double *x, size_t x_count,
                                     const double *y, size_t y_count,
                                     int welch);

/* k-sigma selection in closed form: a setting is kept at k when on every
 * problem its mean is within k deviations (those of the best setting there) of
 * the best mean; k[s] is the least k that keeps s.  mean and sd are
 * [problem][setting].  Of equal best means the first's deviation counts; where
 * it is 0, k is 0 for the best and INFINITY for the others.  Returns the
 * setting with the least k, of equal ones the first. */
size_t cairn_study__k_sigma(const double *mean, const double *sd,
                            size_t problems, size_t settings, double *k);

/* ---- ranks of spaces (rank.c) ---- */

/* By what spaces are called easy: more is easier. */
typedef enum cairn_study__measure {
  CAIRN_STUDY__FRACTION,   /* median fraction of optimum of the minima */
  CAIRN_STUDY__CENTRALITY, /* at 5 %, by arrivals */
  CAIRN_STUDY__PAGERANK,   /* the same, by PageRank */
  CAIRN_STUDY__CHANCE,     /* within 1 % after 100 uniform draws */
  CAIRN_STUDY__MEASURES
} cairn_study__measure;

/* Words for it: "median fraction of optimum", and the JSON name. */
const char *cairn_study__measure_text(cairn_study__measure measure);
const char *cairn_study__measure_name(cairn_study__measure measure);
double cairn_study__measure_of(const cairn_study_landscape *landscape,
                               cairn_study__measure measure);
/* Its rank among all, 1: easiest; equal ones share the best; 0: unknown. */
size_t cairn_study__rank(cairn_study_landscape *const *landscape, size_t count,
                         size_t which, cairn_study__measure measure);
/* Do two measures rank two landscapes in opposite ways? */
int cairn_study__contradict(const cairn_study_landscape *a,
                            const cairn_study_landscape *b,
                            cairn_study__measure one,
                            cairn_study__measure other);

/* ---- text (report-common.c) ---- */

/* A time with its unit: "53.59 us"; "never" when infinite. */
void cairn_study__time(cairn_base_text *text, double seconds);
/* For HTML: < > & " escaped. */
void cairn_study__escape(cairn_base_text *text, const char *plain);
/* For a cell of a TSV: tabs and ends of lines become blanks. */
void cairn_study__cell(cairn_base_text *text, const char *plain);
/* A number that reads back the same; "nan" and "inf" when it is none. */
void cairn_study__exact(cairn_base_text *text, double value);

/* A file of a report: appended to an empty text by `write`. */
typedef struct cairn_study__file {
  const char *name;
  cairn_status (*write)(const void *what, cairn_base_text *text);
} cairn_study__file;
/* Writes them all into the folder. */
cairn_status cairn_study__files(const cairn_study__file *file, size_t files,
                                const void *what, const char *folder,
                                cairn_base_diag *diag);

/* What the reports of landscapes get. */
typedef struct cairn_study__landscapes {
  cairn_study_landscape *const *landscape;
  size_t count;
} cairn_study__landscapes;

cairn_status cairn_study__landscapes_text(const void *what,
                                          cairn_base_text *text);
cairn_status cairn_study__landscapes_json(const void *what,
                                          cairn_base_text *text);
cairn_status cairn_study__landscapes_html(const void *what,
                                          cairn_base_text *text);

/* The part of the fitness-flow graph that is drawn: the fastest points, at
 * most `most`, fastest first.  Returns how many.  CAIRN_NOMEM: 0. */
size_t cairn_study__best_part(const cairn_study_landscape *landscape,
                              size_t most, uint32_t *vertex);

/* The chance that n different uniform draws from `all` hold one of `good`. */
double cairn_study__chance(size_t all, size_t good, double n);
/* Fills the chances from the times.  CAIRN_NOMEM. */
cairn_status cairn_study__chances(cairn_study_landscape *landscape);

#endif

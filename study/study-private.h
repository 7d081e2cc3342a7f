/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study-private.h - what the files of study share; for study/ only.
 */
#ifndef CAIRN_STUDY_PRIVATE_H
#define CAIRN_STUDY_PRIVATE_H

#include <cairn/dag.h>
#include <cairn/journal.h>
#include <cairn/study.h>

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

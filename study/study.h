/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study.h - front door of study: how hard is a recorded space, and which
 * search is best on it.  Nothing is run: times are those of journals.
 *
 * A landscape is a set of points with times, some of them neighbours of each
 * other.  Its fitness-flow graph has an edge from each point to every better
 * neighbour; a walk on it is a randomised first-improvement descent.
 *
 *     cairn_study_space_read(path, &how, diag, &space);
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

/* Reads a journal.  CAIRN_INPUT with messages; CAIRN_FINDINGS when it holds no
 * usable time.  Free with cairn_study_space_free. */
CAIRN_API cairn_status cairn_study_space_read(const char *path,
                                              const cairn_study_reading *how,
                                              cairn_base_diag *diag,
                                              cairn_study_space **space_p);
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

/* The landscape of any points: times (INFINITY: failed; at least one is
 * finite), and a symmetric relation whose pairs have one kind, a power of two
 * (a move's); both must outlive it. */
CAIRN_API cairn_status cairn_study_landscape_make(
    const double *time_s, const cairn_dag_neighbours *neighbours,
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

/* Makes a folder for a report, or says at once why not (CAIRN_IO): before
 * hours of work. */
CAIRN_API cairn_status cairn_study_report_folder(const char *folder,
                                                 cairn_base_diag *diag);

#ifdef __cplusplus
}
#endif
#endif

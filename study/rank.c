/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/rank.c - which space is easier, by which measure; and which points of
 * one are the fastest.
 */
#include <math.h>

#include "study/study-private.h"

enum { PERCENT = 5, WITHIN_1 = 1, DRAWS_100 = 2 };

static const struct {
  const char *name, *text;
} measures[CAIRN_STUDY__MEASURES] = {
    {"fraction_median", "median fraction of optimum"},
    {"centrality", "centrality at 5 %"},
    {"centrality_pagerank", "PageRank centrality at 5 %"},
    {"chance", "chance to be within 1 % after 100 uniform draws"}};

const char *cairn_study__measure_text(cairn_study__measure measure) {
  return measures[measure].text;
}

const char *cairn_study__measure_name(cairn_study__measure measure) {
  return measures[measure].name;
}

double cairn_study__measure_of(const cairn_study_landscape *l,
                               cairn_study__measure measure) {
  switch (measure) {
  case CAIRN_STUDY__FRACTION:
    return l->minima ? l->fraction_median : (double)NAN;
  case CAIRN_STUDY__CENTRALITY:
    return l->minima ? l->centrality[PERCENT] : (double)NAN;
  case CAIRN_STUDY__PAGERANK:
    return l->minima && l->pagerank ? l->centrality_pagerank[PERCENT]
                                    : (double)NAN;
  default:
    return l->chance[WITHIN_1].at[DRAWS_100];
  }
}

size_t cairn_study__rank(cairn_study_landscape *const *landscape, size_t count,
                         size_t which, cairn_study__measure measure) {
  const double own = cairn_study__measure_of(landscape[which], measure);
  size_t rank = 1;
  if (isnan(own))
    return 0;
  for (size_t i = 0; i < count; i++)
    rank += cairn_study__measure_of(landscape[i], measure) > own;
  return rank;
}

int cairn_study__contradict(const cairn_study_landscape *a,
                            const cairn_study_landscape *b,
                            cairn_study__measure one,
                            cairn_study__measure other) {
  const double x =
      cairn_study__measure_of(a, one) - cairn_study__measure_of(b, one);
  const double y =
      cairn_study__measure_of(a, other) - cairn_study__measure_of(b, other);
  return (x > 0 && y < 0) || (x < 0 && y > 0);
}

/* The fastest so far, kept sorted: `most` is small. */
size_t cairn_study__best_part(const cairn_study_landscape *l, size_t most,
                              uint32_t *vertex) {
  size_t count = 0;
  for (size_t v = 0; l->row && v < l->vertices; v++) {
    size_t at = count;
    if (isinf(l->time_s[v]) ||
        (count == most && l->time_s[v] >= l->time_s[vertex[most - 1]]))
      continue;
    if (count < most)
      count++;
    else
      at = most - 1;
    for (; at > 0 && l->time_s[vertex[at - 1]] > l->time_s[v]; at--)
      vertex[at] = vertex[at - 1];
    vertex[at] = (uint32_t)v;
  }
  return count;
}

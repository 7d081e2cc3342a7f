/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/study/answer.c - random landscapes and what study says of them, as JSON
 * lines, for tests/study/peers.py.
 */
#include <math.h>
#include <stdio.h>

#include "study/study-private.h"
#include "tests/study/nk.h"

static void numbers(const char *name, const double *value, size_t count) {
  printf("\"%s\":[", name);
  for (size_t i = 0; i < count; i++)
    if (isfinite(value[i]))
      printf("%s%.17g", i ? "," : "", value[i]);
    else
      printf("%snull", i ? "," : "");
  printf("],");
}

static int answer(unsigned seed) {
  cairn_study_landscape *x = NULL;
  nk l;
  nk_make(&l, 3 + seed % 7, seed % 3, seed % 2 ? 12 : 0, seed);
  for (size_t v = 0; seed % 5 == 0 && v < l.points; v += 3)
    if (v != l.best)
      l.time_s[v] = INFINITY;
  if (cairn_study__landscape_make(l.time_s, &l.neighbours, &x))
    return 1;
  printf("{\"pairs\":[");
  for (size_t v = 0, said = 0; v < l.points; v++)
    for (size_t k = l.neighbours.row[v]; k < l.neighbours.row[v + 1]; k++)
      printf("%s[%zu,%u]", said++ ? "," : "", v, l.neighbours.to[k]);
  printf("],");
  numbers("time", l.time_s, l.points);
  numbers("arrival", x->arrival, l.points);
  numbers("pagerank", x->pagerank, l.points);
  numbers("centrality", x->centrality, CAIRN_STUDY_PERCENTS);
  numbers("centrality_pagerank", x->centrality_pagerank, CAIRN_STUDY_PERCENTS);
  printf("\"edges\":%zu,\"minima\":%zu,\"strict\":%zu,\"maxima\":%zu,"
         "\"components\":%zu,\"median\":%.17g}\n",
         x->edges, x->minima, x->strict, x->maxima, x->components,
         x->fraction_median);
  cairn_study__landscape_free(x);
  nk_free(&l);
  return 0;
}

int main(void) {
  for (unsigned seed = 1; seed <= 50; seed++)
    if (answer(seed))
      return 1;
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/test-key.c - keys of prefixes are canonical: streams that hold the
 * same up to their names come out in the same order, and others do not.
 */
#include "dag/space/tidy-key.c"
#include <cairn/dag.h>

#include "base/rng-private.h"
#include "tests/dag/support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

/* A graph: stream s has a group for each kind of edge, mask[kind][s] its
 * neighbours. */
typedef struct graph {
  unsigned streams, kinds;
  uint32_t mask[2][STREAMS];
} graph;

/* Its streams in canonical order: their degrees and renamed neighbours. */
typedef struct canonical {
  uint32_t text[4 * STREAMS];
  size_t count;
} canonical;

static canonical order_of(const graph *g, uint64_t *labour_p) {
  enum { MOST = 2 * STREAMS };
  uint16_t words[6 * STREAMS];
  uint32_t masks[3 * MOST], out[MOST];
  cairn_dag__tidy x = {.masks = masks, .most_groups = MOST};
  holdings h = {.used = g->streams, .words = words, .masks = masks};
  canonical result = {.count = 0};
  cells c;
  for (unsigned s = 0; s < g->streams; s++) {
    h.word[s] = 2 * s;
    h.group[s] = g->kinds * s;
    for (unsigned k = 0; k < g->kinds; k++)
      masks[g->kinds * s + k] = g->mask[k][s];
    words[2 * s] = (uint16_t)cairn_dag__popcount(g->mask[0][s]);
    words[2 * s + 1] =
        (uint16_t)(g->kinds > 1 ? cairn_dag__popcount(g->mask[1][s]) : 0);
  }
  h.word[g->streams] = 2 * g->streams;
  h.group[g->streams] = g->kinds * g->streams;
  order_streams(&x, &h, &c);
  rename_all(&h, c.order, out);
  for (unsigned i = 0; i < g->streams; i++)
    result.text[result.count++] =
        words[2 * c.order[i]] << 16 | (uint32_t)words[2 * c.order[i] + 1];
  memcpy(result.text + result.count, out, g->kinds * g->streams * sizeof *out);
  result.count += (size_t)g->kinds * g->streams;
  *labour_p = x.labour;
  return result;
}

static graph renamed_graph(const graph *g, cairn_base_rng *rng) {
  uint8_t number[STREAMS];
  graph result = *g;
  for (unsigned s = 0; s < g->streams; s++)
    number[s] = (uint8_t)s;
  cairn_base__rng_shuffle(rng, number, g->streams, 1);
  for (unsigned k = 0; k < g->kinds; k++)
    for (unsigned s = 0; s < g->streams; s++)
      result.mask[k][number[s]] = renamed(g->mask[k][s], number);
  return result;
}

/* Names do not matter; returns the labour. */
static uint64_t check(const graph *g, unsigned times, const char *what) {
  cairn_base_rng rng;
  uint64_t most, labour;
  const canonical expected = order_of(g, &most);
  cairn_base__rng_seed(&rng, g->streams);
  for (unsigned i = 0; i < times; i++) {
    const graph other = renamed_graph(g, &rng);
    const canonical found = order_of(&other, &labour);
    if (found.count != expected.count ||
        memcmp(found.text, expected.text, found.count * sizeof *found.text))
      fail_msg("%s of %u streams: names matter", what, g->streams);
    most = labour > most ? labour : most;
  }
  return most;
}

static int compare(const void *a, const void *b) {
  const canonical *const x = a, *const y = b;
  return memcmp(x->text, y->text, x->count * sizeof *x->text);
}

/* As many different orders as there are digraphs: OEIS A000273. */
static void test_classes(void **state) {
  static const size_t expected[] = {1, 1, 3, 16, 218, 9608};
  const unsigned most = getenv("CAIRN_LONG") ? 5 : 4;
  (void)state;
  for (unsigned n = 1; n <= most; n++) {
    const unsigned bits = n * (n - 1);
    canonical *const all = malloc(sizeof *all << bits);
    size_t classes = 1;
    assert_non_null(all);
    for (uint32_t edges = 0; edges >> bits == 0; edges++) {
      graph g = {.streams = n, .kinds = 1};
      uint32_t rest = edges;
      uint64_t labour;
      for (unsigned s = 0; s < n; s++)
        for (unsigned t = 0; t < n; t++)
          if (s != t) {
            g.mask[0][s] |= (rest & 1) << t;
            rest >>= 1;
          }
      all[edges] = order_of(&g, &labour);
    }
    qsort(all, (size_t)1 << bits, sizeof *all, compare);
    for (uint32_t i = 1; i >> bits == 0; i++)
      classes += compare(&all[i - 1], &all[i]) != 0;
    assert_int_equal(classes, expected[n]);
    free(all);
  }
}

static void test_random_graphs(void **state) {
  cairn_base_rng rng;
  const unsigned cases = test_cases(2000, 40000);
  (void)state;
  cairn_base__rng_seed(&rng, 7);
  for (unsigned i = 0; i < cases; i++) {
    graph g = {.streams = 1 + cairn_base__rng_below(&rng, STREAMS),
               .kinds = 1 + i % 2};
    const unsigned most = i % 3 ? 4 : g.streams;
    for (unsigned k = 0; k < g.kinds; k++)
      for (unsigned s = 0; s < g.streams; s++)
        for (unsigned e = cairn_base__rng_below(&rng, most); e > 0; e--)
          g.mask[k][s] |= UINT32_C(1) << cairn_base__rng_below(&rng, g.streams);
    check(&g, 4, "random graph");
  }
}

static void edge(graph *g, unsigned a, unsigned b) {
  g->mask[0][a] |= UINT32_C(1) << b;
  g->mask[0][b] |= UINT32_C(1) << a;
}

/* Graphs in which refining colours tells nothing. */
static graph special(unsigned which) {
  graph g = {.streams = 32, .kinds = 1};
  const unsigned cycle = which < 5 ? 2u << which : 0; /* 2, 4, 8, 16, 32 */
  for (unsigned s = 0; cycle && s < 32; s++)          /* cycles, directed */
    g.mask[0][s] |= UINT32_C(1) << (s / cycle * cycle + (s + 1) % cycle);
  if (which == 5) /* triangles and hexagons */
    for (unsigned s = 0; s < 30; s++)
      edge(&g, s,
           s < 18 ? s / 3 * 3 + (s + 1) % 3
                  : 18 + (s - 18) / 6 * 6 + (s - 18 + 1) % 6);
  if (which == 6) /* the cube of five dimensions */
    for (unsigned s = 0; s < 32; s++)
      for (unsigned b = 0; b < 5; b++)
        edge(&g, s, s ^ 1u << b);
  if (which == 7 || which == 8) { /* two that only look alike: 16 of degree 6 */
    static const unsigned step[2][3][2] = {{{0, 1}, {1, 0}, {1, 1}},
                                           {{0, 1}, {0, 2}, {0, 3}}};
    for (unsigned half = 0; half < 2; half++)
      for (unsigned s = 0; s < 16; s++)
        for (unsigned k = 0; k < 3; k++) {
          const unsigned rook = which == 8 || half;
          const unsigned i = s / 4, j = s % 4;
          const unsigned a = rook ? step[1][k][0] : step[0][k][0];
          const unsigned b = rook ? step[1][k][1] : step[0][k][1];
          edge(&g, 16 * half + s, 16 * half + (i + a) % 4 * 4 + (j + b) % 4);
          if (rook)
            edge(&g, 16 * half + s, 16 * half + (i + b) % 4 * 4 + j);
        }
  }
  if (which == 9) /* all with all */
    for (unsigned s = 0; s < 32; s++)
      g.mask[0][s] = UINT32_MAX;
  return g; /* 10: none with any */
}

static void test_special(void **state) {
  (void)state;
  for (unsigned which = 0; which <= 10; which++) {
    const graph g = special(which);
    const uint64_t labour = check(&g, 6, "special graph");
    print_message("special graph %u: labour %.0f\n", which, (double)labour);
    assert_true(labour < 50000000); /* 32! orders: symmetries are seen */
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_classes),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_special),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

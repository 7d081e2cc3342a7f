/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/support.c - programs to test with, and sets of schedules.
 */
#include "tests/dag/support.h"
#include "base/rng-private.h"
#include <cairn/dag.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void must(int ok, const char *what) {
  if (ok)
    return;
  fprintf(stderr, "test support: %s failed\n", what);
  abort();
}

static unsigned add(cairn_dag_program *program, const char *name, int gpu) {
  const cairn_dag_op op = {.name = name,
                           .kind = gpu ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
  unsigned id;
  must(cairn_dag_program_add_op(program, &op, NULL, &id) == CAIRN_OK, "add");
  return id;
}

static void edge(cairn_dag_program *program, unsigned a, unsigned b) {
  must(cairn_dag_program_add_edge(program, a, b, NULL) == CAIRN_OK, "edge");
}

unsigned test_cases(unsigned cases, unsigned more) {
  if (getenv("CAIRN_LONG"))
    return more;
  return getenv("CAIRN_SANITIZED") ? cases / 5 : cases;
}

cairn_dag_program *test_spmv(void) {
  cairn_dag_program *p;
  must(cairn_dag_program_create("spmv", &p) == CAIRN_OK, "create");
  const unsigned pack = add(p, "Pack", 1), yl = add(p, "yl", 1);
  const unsigned post_recv = add(p, "PostRecv", 0);
  const unsigned post_send = add(p, "PostSend", 0);
  const unsigned wait_recv = add(p, "WaitRecv", 0);
  const unsigned wait_send = add(p, "WaitSend", 0);
  const unsigned yr = add(p, "yr", 1), y = add(p, "y", 1);
  edge(p, pack, post_send);
  edge(p, post_send, wait_recv);
  edge(p, post_recv, wait_recv);
  edge(p, post_send, wait_send);
  edge(p, post_recv, wait_send);
  edge(p, wait_recv, yr);
  edge(p, yl, y);
  edge(p, yr, y);
  must(cairn_dag_program_seal(p, NULL) == CAIRN_OK, "seal");
  return p;
}

cairn_dag_program *test_random(cairn_base_rng *rng, unsigned ops, double gpu,
                               double edges) {
  cairn_dag_program *p;
  must(cairn_dag_program_create("random", &p) == CAIRN_OK, "create");
  for (unsigned i = 0; i < ops; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%u", i);
    add(p, name, cairn_base__rng_uniform(rng) < gpu);
  }
  for (unsigned b = 2; b <= ops; b++)
    for (unsigned a = 1; a < b; a++)
      if (cairn_base__rng_uniform(rng) < edges)
        edge(p, a, b);
  must(cairn_dag_program_seal(p, NULL) == CAIRN_OK, "seal");
  return p;
}

cairn_dag_program *test_independent(unsigned ops) {
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 1);
  return test_random(&rng, ops, 1, 0);
}

void test_set_add(test_set *set, const cairn_dag_item *items, size_t count) {
  must(cairn_base_reserve(&set->schedules, &set->capacity, set->count + 1,
                          sizeof *set->schedules) == CAIRN_OK,
       "reserve");
  memset(&set->schedules[set->count], 0, sizeof *set->schedules);
  must(cairn_dag_schedule_set(&set->schedules[set->count++], items, count) ==
           CAIRN_OK,
       "set");
}

int test_set_visit(void *set, const cairn_dag_item *items, size_t count) {
  test_set_add(set, items, count);
  return 0;
}

static int compare(const void *a, const void *b) {
  const cairn_dag_schedule *const x = a, *const y = b;
  if (x->count != y->count)
    return x->count < y->count ? -1 : 1;
  return memcmp(x->items, y->items, x->count * sizeof *x->items);
}

size_t test_set_sort(test_set *set) {
  size_t kept = 0;
  if (set->count)
    qsort(set->schedules, set->count, sizeof *set->schedules, compare);
  for (size_t i = 0; i < set->count; i++)
    if (kept && compare(&set->schedules[i], &set->schedules[kept - 1]) == 0)
      cairn_dag_schedule_free(&set->schedules[i]);
    else
      set->schedules[kept++] = set->schedules[i];
  const size_t dropped = set->count - kept;
  set->count = kept;
  return dropped;
}

size_t test_set_find(const test_set *set, const cairn_dag_item *items,
                     size_t count) {
  const cairn_dag_schedule key = {(cairn_dag_item *)items, count, 0};
  const cairn_dag_schedule *const found =
      set->count ? bsearch(&key, set->schedules, set->count,
                           sizeof *set->schedules, compare)
                 : NULL;
  return found ? (size_t)(found - set->schedules) : SIZE_MAX;
}

int test_set_equal(const test_set *a, const test_set *b) {
  if (a->count != b->count)
    return 0;
  for (size_t i = 0; i < a->count; i++)
    if (compare(&a->schedules[i], &b->schedules[i]) != 0)
      return 0;
  return 1;
}

void test_set_free(test_set *set) {
  for (size_t i = 0; i < set->count; i++)
    cairn_dag_schedule_free(&set->schedules[i]);
  cairn_base_free(set->schedules);
  memset(set, 0, sizeof *set);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/support.h - programs to test with, sets of schedules, and a naive
 * enumerator of the space, written from its definition alone.
 */
#ifndef CAIRN_TESTS_DAG_SUPPORT_H
#define CAIRN_TESTS_DAG_SUPPORT_H

#include "base/rng-private.h"
#include <cairn/dag.h>

/* How many cases a test takes: `cases`, `more` with CAIRN_LONG, a fifth of
 * `cases` under sanitizers (CAIRN_SANITIZED). */
unsigned test_cases(unsigned cases, unsigned more);

/* The SpMV program, sealed. */
cairn_dag_program *test_spmv(void);

/* A random program of `ops` operations: each is a GPU op with probability
 * gpu, each forward edge is there with probability edge. */
cairn_dag_program *test_random(cairn_base_rng *rng, unsigned ops, double gpu,
                               double edge);
/* `ops` GPU operations without edges. */
cairn_dag_program *test_independent(unsigned ops);

/* A sorted set of schedules. */
typedef struct test_set {
  cairn_dag_schedule *schedules;
  size_t count, capacity;
} test_set;

void test_set_add(test_set *set, const cairn_dag_item *items, size_t count);
/* A cairn_dag_visit whose context is a test_set. */
int test_set_visit(void *set, const cairn_dag_item *items, size_t count);
/* Sorts; with `unique`, drops equal ones; returns how many were dropped. */
size_t test_set_sort(test_set *set);
/* Index of a schedule in a sorted set, or SIZE_MAX. */
size_t test_set_find(const test_set *set, const cairn_dag_item *items,
                     size_t count);
int test_set_equal(const test_set *a, const test_set *b);
void test_set_free(test_set *set);

/* All complete prefixes, grown naively with every stream number, each renamed
 * (`renamed`), tidied (`tidy`), and minimized (`minimal`); sets without
 * repetition; NULL: not asked for.  Returns the number of complete prefixes
 * before renaming, or 0 when it is over the limit. */
size_t test_brute(const cairn_dag_program *program, unsigned streams,
                  size_t limit, test_set *renamed, test_set *tidy,
                  test_set *minimal);
/* Does each edge hold whatever the timing?  Of a schedule with all ops, each
 * record before its waits. */
int test_brute_legal(const cairn_dag_program *program,
                     const cairn_dag_item *items, size_t count);

#endif

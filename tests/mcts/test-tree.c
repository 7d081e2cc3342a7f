/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/mcts/test-tree.c - scores of coverage and min-time, worked out by hand
 * from the definitions, on a root with two children:
 *
 *     root: times 10, 12, 18, 20 (s)
 *       a: 10, 18      b: 20, and 12 below it
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "dag/space/walk-private.h"
#include "mcts/tree/tree-private.h"
#include "tests/dag/support.h"
#include <cairn/mcts.h>

static cairn_mcts *make(cairn_dag_program *program, const char *strategy) {
  const cairn_mcts_options options = {.strategy = strategy, .seed = 1};
  cairn_mcts *search;
  assert_int_equal(cairn_mcts_create(program, &options, NULL, &search),
                   CAIRN_OK);
  return search;
}

static uint32_t node(cairn_mcts_tree *tree, uint32_t parent, uint32_t visits,
                     double fastest_s, double slowest_s) {
  const uint32_t id = (uint32_t)tree->nodes++;
  tree->node[id] = (cairn_mcts_node){.fastest_s = fastest_s,
                                     .slowest_s = slowest_s,
                                     .parent = parent,
                                     .child = CAIRN_MCTS_NONE,
                                     .sibling = CAIRN_MCTS_NONE,
                                     .visits = visits};
  return id;
}

static void near(double got, double want) {
  if (!(fabs(got - want) < 1e-12))
    fail_msg("got %.15g, expected %.15g", got, want);
}

static void test_coverage(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const search = make(program, "coverage");
  cairn_mcts_tree *const tree = search->state;
  uint32_t a, b, one, none, flat, leaf;
  (void)state;
  tree->node[0].visits = 4;
  tree->node[0].fastest_s = 10;
  tree->node[0].slowest_s = 20;
  a = node(tree, 0, 2, 10, 18);
  b = node(tree, 0, 2, 12, 20);
  one = node(tree, 0, 1, 12, 12);
  none = node(tree, 0, 1, INFINITY, -INFINITY);
  /* (18 - 10) / (20 - 10) + sqrt 2 sqrt(ln 4 / 2) */
  near(cairn_mcts__tree_score(tree, 0, a), 0.8 + 1.1774100225154747);
  near(cairn_mcts__tree_score(tree, 0, b), 0.8 + 1.1774100225154747);
  /* one time: max(12 - 10, 20 - 12) / 10 + sqrt 2 sqrt(ln 4) */
  near(cairn_mcts__tree_score(tree, 0, one), 0.8 + 1.6651092223153954);
  near(cairn_mcts__tree_score(tree, 0, none), 0 + 1.6651092223153954);
  /* a parent with one time: value 1; ln 1 = 0 */
  flat = node(tree, a, 1, 15, 15);
  leaf = node(tree, flat, 1, 15, 15);
  near(cairn_mcts__tree_score(tree, flat, leaf), 1);
  /* the parent is a, not the root: (17 - 11) / (18 - 10) */
  leaf = node(tree, a, 2, 11, 17);
  near(cairn_mcts__tree_score(tree, a, leaf),
       0.75 + 1.4142135623730951 * sqrt(log(2) / 2));
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

static void test_min_time(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const search = make(program, "min-time");
  cairn_mcts_tree *const tree = search->state;
  uint32_t a, b, leaf;
  (void)state;
  tree->node[0].visits = 4;
  a = node(tree, 0, 2, 10, 18);
  near(cairn_mcts__tree_score(tree, 0, a), 1 + 1.1774100225154747);
  tree->node[0].fastest_s = 10;
  tree->node[0].slowest_s = 20;
  b = node(tree, 0, 2, 12, 20);
  near(cairn_mcts__tree_score(tree, 0, a), 1 + 1.1774100225154747);
  near(cairn_mcts__tree_score(tree, 0, b), 0.8 + 1.1774100225154747);
  /* always the root's range: 1 - (17 - 10) / 10 */
  leaf = node(tree, a, 1, 17, 18);
  near(cairn_mcts__tree_score(tree, a, leaf),
       0.3 + 1.4142135623730951 * sqrt(log(2)));
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

/* Backing up: visits, fastest and slowest all along the path; a failure is a
 * visit without a time.  The nodes of a rollout stay in the tree. */
static void test_backup(void **state) {
  cairn_dag_program *const program = test_spmv();
  cairn_mcts *const search = make(program, "coverage");
  cairn_mcts_tree *const tree = search->state;
  size_t items;
  (void)state;
  assert_int_equal(cairn_mcts__tree_descend(search, tree), CAIRN_OK);
  assert_true(cairn_dag__walk_complete(search->walk));
  cairn_dag__walk_items(search->walk, &items);
  assert_int_equal(tree->path_count, items);
  assert_int_equal(tree->nodes, items);
  cairn_mcts__tree_backup(tree, 3);
  for (size_t i = 0; i < tree->path_count; i++) {
    const cairn_mcts_node *const n = tree->node + tree->path[i];
    assert_int_equal(n->visits, 1);
    near(n->fastest_s, 3);
    near(n->slowest_s, 3);
  }
  assert_int_equal(cairn_mcts__tree_descend(search, tree), CAIRN_OK);
  cairn_mcts__tree_backup(tree, NAN);
  assert_int_equal(tree->node->visits, 2);
  near(tree->node->fastest_s, 3);
  assert_true(sizeof *tree->node < 200);
  cairn_mcts_free(search);
  cairn_dag_program_free(program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_coverage),
      cmocka_unit_test(test_min_time),
      cmocka_unit_test(test_backup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

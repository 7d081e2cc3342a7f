/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/classify/golden.c - the recorded spaces: classes, features, tree and
 * rules against values from independent programs (NumPy, SciPy, scikit-learn).
 * Skipped when the recordings are not there.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "classify/judge/analysis-private.h"
#include "classify/label/label-private.h"
#include "classify/rules/rule-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>
#include <cairn/journal.h>

static cairn_classify_data *load(const char *table) {
  char path[4096], journal[] = "golden-XXXXXX.jsonl";
  const char *top = getenv("top_srcdir");
  cairn_base_diag *diag;
  cairn_journal_run *run;
  cairn_classify_data *data;
  size_t rows;
  snprintf(path, sizeof path, "%s/../shared/data/%s", top ? top : ".", table);
  if (access(path, R_OK) != 0)
    return NULL;
  close(mkstemps(journal, 6));
  unlink(journal);
  assert_int_equal(cairn_base_diag_create(0, &diag), CAIRN_OK);
  assert_int_equal(
      cairn_journal_table_import(path, journal, NULL, 0, "test", diag, &rows),
      CAIRN_OK);
  assert_int_equal(rows, 2036);
  assert_int_equal(cairn_journal_run_read(journal, 0, diag, &run), CAIRN_OK);
  unlink(journal);
  assert_int_equal(cairn_classify_data_create(&data), CAIRN_OK);
  assert_int_equal(cairn_classify_data_add_run(data, run, NULL, 0, diag),
                   CAIRN_OK);
  cairn_journal_run_free(run);
  cairn_base_diag_free(diag);
  return data;
}

static void expect_classes(const char *table, cairn_classify_method method,
                           const size_t *count, unsigned classes) {
  cairn_classify_data *data = load(table);
  cairn_classify_label_options how;
  cairn_classify_labels *labels;
  cairn_classify__label_defaults(&how);
  how.method = method;
  assert_int_equal(cairn_classify__data_label(data, &how, &labels), CAIRN_OK);
  assert_int_equal(labels->classes, classes);
  for (unsigned c = 0; c < classes; c++) {
    double min, max;
    assert_int_equal(cairn_classify__labels_class(labels, c, &min, &max),
                     count[c]);
  }
  cairn_classify__labels_free(labels);
  cairn_classify_data_free(data);
}

/* Class sizes by all three methods. */
static void classes(void **state) {
  (void)state;
  static const size_t paper[] = {573, 783, 680};
  static const size_t literal[] = {573, 329, 454, 680};
  static const size_t repeat[] = {572, 784, 680};
  static const size_t small[] = {273, 1081, 481, 201};
  static const char large_table[] = "perlmutter-spmv-150000.csv";
  static const char small_table[] = "perlmutter-spmv-15000.csv";
  static const char earlier[] = "perlmutter-spmv-150000-earlier.csv";
  expect_classes(large_table, CAIRN_CLASSIFY_CONVOLUTION, paper, 3);
  expect_classes(large_table, CAIRN_CLASSIFY_PROMINENCE, literal, 4);
  expect_classes(earlier, CAIRN_CLASSIFY_CONVOLUTION, repeat, 3);
  expect_classes(small_table, CAIRN_CLASSIFY_CONVOLUTION, small, 4);
  expect_classes(small_table, CAIRN_CLASSIFY_PROMINENCE, small, 4);
  expect_classes(large_table, CAIRN_CLASSIFY_DENSITY, paper, 3);
  expect_classes(earlier, CAIRN_CLASSIFY_DENSITY, repeat, 3);
  expect_classes(small_table, CAIRN_CLASSIFY_DENSITY, small, 4);
}

static void ranges(void **state) {
  (void)state;
  static const double want[3][2] = {
      {53.5929, 59.8749}, {60.8867, 67.7013}, {71.6306, 77.9319}};
  cairn_classify_data *data = load("perlmutter-spmv-150000.csv");
  cairn_classify_label_options how;
  cairn_classify_labels *labels;
  cairn_classify__label_defaults(&how);
  how.method = CAIRN_CLASSIFY_CONVOLUTION;
  assert_int_equal(cairn_classify__data_label(data, &how, &labels), CAIRN_OK);
  assert_int_equal(labels->radius, 11);
  for (unsigned c = 0; c < 3; c++) {
    double min, max;
    (void)cairn_classify__labels_class(labels, c, &min, &max);
    assert_true(fabs(min * 1e6 - want[c][0]) < 1e-6);
    assert_true(fabs(max * 1e6 - want[c][1]) < 1e-6);
  }
  cairn_classify__labels_free(labels);
  cairn_classify_data_free(data);
}

static int reads(const cairn_classify_analysis *a,
                 const cairn_classify_rule *rule, const char *const *words,
                 size_t count) {
  size_t found = 0;
  for (size_t k = 0; k < rule->conditions; k++) {
    cairn_base_text text = {0};
    cairn_classify__condition_word(&rule->condition[k], a->features, &text);
    for (size_t w = 0; w < count; w++)
      found += strcmp(text.data, words[w]) == 0;
    cairn_base_text_free(&text);
  }
  return rule->conditions == count && found == count;
}

/* Features, tree and one rule of the paper's labelling at 150,000 rows. */
static void tree_and_rules(void **state) {
  (void)state;
  static const unsigned wrong[] = {699, 567, 567, 327, 197, 129,
                                   37,  21,  5,   5,   1};
  static const char *const words[] = {"yl before CES-b4-PostSend",
                                      "Scatter and yl in different streams",
                                      "Scatter before yl"};
  cairn_classify_data *data = load("perlmutter-spmv-150000.csv");
  cairn_classify_options how;
  cairn_classify_analysis *a;
  cairn_classify_defaults(&how);
  how.label.method = CAIRN_CLASSIFY_CONVOLUTION;
  how.tree.tries = 0;
  assert_int_equal(cairn_classify_analyse(data, &how, &a), CAIRN_OK);
  assert_int_equal(a->features->all, 295);
  assert_int_equal(a->features->varying, 85);
  assert_int_equal(a->features->distinct, 48);
  assert_int_equal(a->features->kept, 32);
  for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++)
    assert_int_equal(a->tree->misclassified[k + 2], wrong[k]);
  assert_int_equal(a->tree->leaves, 13);
  assert_int_equal(cairn_classify__tree_depth(a->tree), 6);
  int found = 0;
  for (size_t i = 0; i < a->rules->count; i++) {
    const cairn_classify_rule *r = &a->rules->rule[i];
    found += r->id == 0 && r->samples == 264 && r->hits == 264 &&
             reads(a, r, words, 3);
  }
  assert_int_equal(found, 1);
  assert_true(a->accuracy.agreement.value > 0.98);
  cairn_classify_analysis_free(a);
  cairn_classify_data_free(data);
}

/* The two recordings of one experiment, weeks apart. */
static void repeats(void **state) {
  (void)state;
  cairn_classify_data *a = load("perlmutter-spmv-150000.csv");
  cairn_classify_data *b = load("perlmutter-spmv-150000-earlier.csv");
  cairn_classify_options how;
  cairn_classify_comparison *x;
  cairn_classify_defaults(&how);
  for (int m = 0; m < 2; m++) {
    how.label.method = (cairn_classify_method)m;
    assert_int_equal(cairn_classify_compare(a, b, &how, &x), CAIRN_OK);
    assert_int_equal(x->common, 2036);
    assert_true(x->rand_index >= 0.99);
    assert_true(x->class_agreement >= 0.99);
    assert_true(x->spearman > 0.9);
    cairn_classify_comparison_free(x);
  }
  cairn_classify_data_free(a);
  cairn_classify_data_free(b);
}

int main(void) {
  cairn_classify_data *data = load("perlmutter-spmv-150000.csv");
  if (!data) {
    puts("skipped: the recorded spaces are not there");
    return 77;
  }
  cairn_classify_data_free(data);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(classes), cmocka_unit_test(ranges),
      cmocka_unit_test(tree_and_rules), cmocka_unit_test(repeats)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/classify/answer.c - cairn's answers for test-peers.sh.
 *
 * Standard input: lines "times N t..." (answered by the boundaries of both step
 * methods) and "tree LEAVES ROWS FEATURES CLASSES", then a line of labels, then
 * one line of 0s and 1s a row (answered by the weighted training error).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bits-private.h"
#include "classify/label/label-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

static int answer_times(size_t n) {
  double *time = calloc(n, sizeof *time);
  for (size_t i = 0; time && i < n; i++)
    if (scanf("%lf", &time[i]) != 1)
      return 1;
  for (int m = 1; m < 3; m++) {
    cairn_classify_label_options how;
    cairn_classify_labels *labels;
    cairn_classify__label_defaults(&how);
    how.method = (cairn_classify_method)m;
    if (cairn_classify__label(time, NULL, n, &how, &labels) != CAIRN_OK)
      return 1;
    for (unsigned c = 0; c + 1 < labels->classes; c++)
      printf("%zu ", labels->boundary[c].first);
    printf("\n");
    cairn_classify__labels_free(labels);
  }
  free(time);
  return 0;
}

static int answer_tree(size_t leaves, size_t rows, size_t features,
                       unsigned classes) {
  const size_t words = cairn_base__bits_words(rows);
  uint64_t *columns = calloc(features * words, sizeof *columns);
  uint16_t *label = calloc(rows, sizeof *label);
  char *line = calloc(features + 2, 1);
  if (!columns || !label || !line)
    return 1;
  for (size_t r = 0; r < rows; r++)
    if (scanf("%hu", &label[r]) != 1)
      return 1;
  for (size_t r = 0; r < rows; r++) {
    if (scanf(" ") != 0 || !fgets(line, (int)features + 2, stdin))
      return 1;
    for (size_t f = 0; f < features; f++)
      if (line[f] == '1')
        cairn_base__bits_set(columns + f * words, r);
  }
  const cairn_classify_table table = {.columns = columns,
                                      .features = features,
                                      .rows = rows,
                                      .words = words,
                                      .label = label,
                                      .classes = classes};
  cairn_classify_tree_options how;
  cairn_classify_tree *tree;
  cairn_classify__tree_defaults(&how);
  how.leaves = leaves;
  if (cairn_classify__tree_grow(&table, &how, &tree) != CAIRN_OK)
    return 1;
  printf("%.12f\n", tree->error[tree->leaves - 1]);
  cairn_classify__tree_free(tree);
  free(columns);
  free(label);
  free(line);
  return 0;
}

int main(void) {
  char what[16];
  size_t a, b, c;
  unsigned d;
  while (scanf("%15s", what) == 1) {
    int bad = 1;
    if (strcmp(what, "times") == 0 && scanf("%zu", &a) == 1)
      bad = answer_times(a);
    else if (strcmp(what, "tree") == 0 &&
             scanf("%zu %zu %zu %u", &a, &b, &c, &d) == 4)
      bad = answer_tree(a, b, c, d);
    if (bad)
      return 1;
  }
  return 0;
}

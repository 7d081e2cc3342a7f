/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/cart.c - growing a tree of 13 leaves on many schedules, against
 * scikit-learn, in one run.
 *
 *   bench/cart [ROWS [FEATURES [--peer]]]      (200000 300)
 *
 * Prints the time to pack (bytes to bit columns), to grow, and the most memory
 * used.  With --peer also scikit-learn's fit on the same data, by the python3
 * that has it, and the ratio of the two.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/bits-private.h"
#include "base/clock-private.h"
#include "base/rng-private.h"
#include "classify/tree/tree-private.h"
#include <cairn/classify.h>

enum { CLASSES = 3, LEAVES = 13, RUNS = 5 };

static double megabytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)usage.ru_maxrss / 1024;
}

/* Row r of the data, one byte a feature; its class follows a hidden tree, with
 * some noise.  Made row by row, so that no dense matrix is ever held. */
static uint16_t make_row(cairn_base_rng *rng, size_t features,
                         unsigned char *row) {
  for (size_t f = 0; f < features; f += 64) {
    uint64_t bits = cairn_base__rng_next(rng);
    for (size_t k = f; k < f + 64 && k < features; k++, bits >>= 1)
      row[k] = bits & 1;
  }
  if (cairn_base__rng_below(rng, 50) == 0)
    return (uint16_t)cairn_base__rng_below(rng, CLASSES);
  const size_t n = features;
  if (row[3 % n])
    return row[17 % n] ? (row[42 % n] ? 0 : 1) : (row[99 % n] ? 2 : 1);
  return row[200 % n] ? (row[5 % n] ? 2 : 0) : (row[250 % n] ? 1 : 2);
}

static const char peer[] =
    "import sys,time,numpy as np\n"
    "from sklearn.tree import DecisionTreeClassifier\n"
    "d=np.fromfile(sys.argv[1],dtype=np.uint8).reshape(-1,int(sys.argv[2])+1)\n"
    "x=np.asfortranarray(d[:,1:],dtype=np.float32);y=d[:,0].copy();del d\n"
    "best=1e9\n"
    "for i in range(2):\n"
    "  c=DecisionTreeClassifier(criterion='entropy',class_weight='balanced',"
    "max_leaf_nodes=13,max_depth=12,min_impurity_decrease=0.001,"
    "random_state=i)\n"
    "  t=time.perf_counter();c.fit(x,y);best=min(best,time.perf_counter()-t)\n"
    "print(best)\n";

static double run_peer(const char *path, size_t features) {
  char command[8192];
  double seconds = 0;
  const char *script = "bench-cart-peer.py";
  FILE *file = fopen(script, "w");
  if (!file)
    return 0;
  fputs(peer, file);
  fclose(file);
  snprintf(command, sizeof command, "/usr/bin/python3 %s %s %zu", script, path,
           features);
  FILE *out = popen(command, "r");
  if (out) {
    if (fscanf(out, "%lf", &seconds) != 1)
      seconds = 0;
    pclose(out);
  }
  unlink(script);
  return seconds;
}

int main(int argc, char **argv) {
  const size_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 200000;
  const size_t features = argc > 2 ? strtoull(argv[2], NULL, 10) : 300;
  const int with_peer = argc > 3 && strcmp(argv[3], "--peer") == 0;
  const size_t words = cairn_base__bits_words(rows);
  uint64_t *columns = calloc(features * words, sizeof *columns);
  uint16_t *label = calloc(rows, sizeof *label);
  unsigned char *row = calloc(features, 1);
  char path[] = "bench-cart-XXXXXX";
  FILE *file = NULL;
  if (!columns || !label || !row || rows == 0 || features == 0)
    return 1;
  if (with_peer)
    file = fdopen(mkstemp(path), "wb");
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 1);
  double pack = 0;
  for (size_t r = 0; r < rows; r++) {
    label[r] = make_row(&rng, features, row);
    const double start = cairn_base__now_s();
    for (size_t f = 0; f < features; f++)
      columns[f * words + r / 64] |= (uint64_t)row[f] << r % 64;
    pack += cairn_base__now_s() - start;
    if (file) {
      fputc(label[r], file);
      fwrite(row, 1, features, file);
    }
  }
  if (file)
    fclose(file);
  const cairn_classify_table table = {.columns = columns,
                                      .features = features,
                                      .rows = rows,
                                      .words = words,
                                      .label = label,
                                      .classes = CLASSES};
  cairn_classify_tree_options how;
  cairn_classify__tree_defaults(&how);
  how.leaves = LEAVES;
  double best = 1e9;
  size_t leaves = 0;
  for (int k = 0; k < RUNS; k++) {
    cairn_classify_tree *tree;
    const double start = cairn_base__now_s();
    if (cairn_classify__tree_grow(&table, &how, &tree) != CAIRN_OK)
      return 1;
    const double time = cairn_base__now_s() - start;
    best = time < best ? time : best;
    leaves = tree->leaves;
    cairn_classify__tree_free(tree);
  }
  printf("%zu schedules x %zu features, %zu leaves, popcount: %s\n", rows,
         features, leaves, cairn_classify__tree_kernel());
  printf("packing %.3f s, growing %.4f s (best of %d), memory %.0f MB\n", pack,
         best, RUNS, megabytes());
  if (with_peer) {
    const double seconds = run_peer(path, features);
    unlink(path);
    if (seconds > 0)
      printf("scikit-learn's fit %.2f s (best of 2): %.0f times as long\n",
             seconds, seconds / best);
    else
      printf("scikit-learn is not there\n");
  }
  free(columns);
  free(label);
  free(row);
  return 0;
}

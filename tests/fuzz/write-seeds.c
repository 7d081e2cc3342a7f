/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/write-seeds.c - the cases of corpora (files of tests/data) as
 * files of a folder, for a fuzzer to begin with.
 *
 *   write-seeds FOLDER CORPUS...
 */
#include "tests/dag/corpus.h"

int main(int argc, char **argv) {
  enum { LONGEST = 20000 }; /* what takes long to read is no seed */
  for (int i = 2; i < argc; i++) {
    corpus c = corpus_read(argv[i]);
    for (size_t k = 0; k < c.count; k++) {
      char path[4096];
      snprintf(path, sizeof path, "%s/%s-%s", argv[1], argv[i],
               c.cases[k].name);
      if (c.cases[k].length <= LONGEST)
        corpus_write(path, c.cases[k].input, c.cases[k].length);
    }
    corpus_free(&c);
  }
  return 0;
}

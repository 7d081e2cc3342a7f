/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/driver.c - runs a fuzz target without libFuzzer: on each case of
 * the corpora named (files of tests/data), then on mutations of them (bytes
 * flipped, cut out, doubled, spliced with another case), seeded.
 *
 *   fuzz-program [--mutations N] program-bad.txt program-good.txt
 */
#include "base/rng-private.h"
#include "base/text-private.h"
#include "tests/dag/corpus.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { LONGEST = 20000 }; /* longer cases are run as they are, not mutated */

static void splice(cairn_base_rng *rng, cairn_base_text *made,
                   const corpus_case *other) {
  if (other->length == 0 || other->length > LONGEST)
    return;
  const size_t from = cairn_base__rng_below(rng, (uint32_t)other->length);
  const size_t length =
      cairn_base__rng_below(rng, (uint32_t)(other->length - from)) + 1;
  const size_t keep = cairn_base__rng_below(rng, (uint32_t)made->length + 1);
  made->length = keep;
  cairn_base__text_add_bytes(made, other->input + from, length);
}

static void mutate(cairn_base_rng *rng, cairn_base_text *made,
                   const corpus_case *other) {
  static const char marks[] = "<>\"'&;=|{}[]:,#@ \n\\0129-";
  const size_t length = made->length;
  if (length == 0)
    return;
  const size_t at = cairn_base__rng_below(rng, (uint32_t)length);
  switch (cairn_base__rng_below(rng, 6)) {
  case 0:
    made->data[at] = (char)cairn_base__rng_below(rng, 256);
    break;
  case 1:
    made->data[at] = marks[cairn_base__rng_below(rng, sizeof marks - 1)];
    break;
  case 2:
    made->data[at] ^= (char)(1 << cairn_base__rng_below(rng, 8));
    break;
  case 3: { /* cut out */
    const size_t cut = cairn_base__rng_below(rng, (uint32_t)(length - at)) + 1;
    memmove(made->data + at, made->data + at + cut, length - at - cut);
    made->length -= cut;
    break;
  }
  case 4: /* doubled */
    if (length < LONGEST) {
      char *const copy = malloc(length - at);
      memcpy(copy, made->data + at, length - at);
      cairn_base__text_add_bytes(made, copy, length - at);
      free(copy);
    }
    break;
  default:
    splice(rng, made, other);
  }
}

static void run_mutations(const corpus *c, size_t count) {
  cairn_base_rng rng;
  cairn_base_text made = {0};
  cairn_base__rng_seed(&rng, 1);
  for (size_t i = 0; i < count && c->count; i++) {
    const corpus_case *const one =
        &c->cases[cairn_base__rng_below(&rng, (uint32_t)c->count)];
    const corpus_case *const other =
        &c->cases[cairn_base__rng_below(&rng, (uint32_t)c->count)];
    if (one->length > LONGEST)
      continue;
    cairn_base__text_clear(&made);
    cairn_base__text_add_bytes(&made, one->input, one->length);
    for (uint32_t k = cairn_base__rng_below(&rng, 4) + 1; k > 0; k--)
      mutate(&rng, &made, other);
    /* a block of its exact size, so that a read past its end shows */
    uint8_t *const exact = malloc(made.length ? made.length : 1);
    memcpy(exact, made.data, made.length);
    (void)LLVMFuzzerTestOneInput(exact, made.length);
    free(exact);
  }
  cairn_base_text_free(&made);
}

int main(int argc, char **argv) {
  size_t mutations = 2000;
  int i = 1;
  if (i + 1 < argc && strcmp(argv[i], "--mutations") == 0) {
    mutations = strtoul(argv[i + 1], NULL, 10);
    i += 2;
  }
  for (; i < argc; i++) {
    corpus c = corpus_read(argv[i]);
    for (size_t k = 0; k < c.count; k++)
      (void)LLVMFuzzerTestOneInput((const uint8_t *)c.cases[k].input,
                                   c.cases[k].length);
    run_mutations(&c, mutations);
    printf("%s: %zu cases and %zu mutations\n", argv[i], c.count, mutations);
    corpus_free(&c);
  }
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/fuzz/fuzz.h - what every fuzz target is: one function that reads any
 * bytes.  It may refuse them, but not crash, leak, hang or lie; a broken
 * promise ends in abort().
 *
 * With libFuzzer (configure --enable-fuzzers CC=clang) the target's main is
 * libFuzzer's; in `make check` it is tests/fuzz/driver.c, which runs the cases
 * of the corpora in tests/data and some mutations of each.
 */
#ifndef TESTS_FUZZ_FUZZ_H
#define TESTS_FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "dag/prove/prove-private.h"
#include <cairn/dag.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Puts the bytes into a file in memory, made once and kept, and returns its
 * path. */
const char *fuzz_file(const uint8_t *data, size_t size);

/* The path of a file to write, on a file system in memory where there is one;
 * it does not exist yet. */
const char *fuzz_output(void);

/* abort() with a word when a promise is broken. */
void fuzz_promise(int kept, const char *what);

/* The prover of a program that is never freed, made once: it is large. */
cairn_dag_prover *fuzz_prover(const cairn_dag_program *program);

/* Lints a sequence, with all promises of the linter; what is legal to it is
 * legal to the prover.  Returns 1 when it is legal. */
int fuzz_lint(const cairn_dag_program *program, const cairn_dag_item *items,
              size_t count, int open);

/* Appends the text of a whole schedule of a program of at most 16 ops, as the
 * bytes choose it: legal or not, all ops once. */
void fuzz_sequence(const cairn_dag_program *program, const uint8_t *data,
                   size_t size, cairn_base_text *text);

#endif

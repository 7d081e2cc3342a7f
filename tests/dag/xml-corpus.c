/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/xml-corpus.c - program files that must be refused, each with the
 * exact messages, and program files that must be read, with what they hold.
 * With --write DIR the files are written there instead, for check-schema.sh,
 * and a list "NAME good|bad WHY" on standard output.
 */
#include "dag/program/program-private.h"
#include "tests/dag/corpus.h"
#include <cairn/dag.h>

#include <stdlib.h>
#include <string.h>

static void run_bad(const corpus_case *c, cairn_base_text *found) {
  cairn_base_diag *diag;
  cairn_dag_program *program = NULL;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    exit(99);
  const cairn_status status = cairn_dag_program_read_memory(
      c->input, c->length, "case", diag, &program);
  if (status != CAIRN_INPUT)
    cairn_base_text_addf(found, "status %s\n", cairn_base_status_text(status));
  corpus_messages(diag, found);
  cairn_base_diag_free(diag);
}

/* Edges between ops of the file: those of start and end do not count. */
static size_t count_edges(const cairn_dag_program *program) {
  const unsigned ops = cairn_dag_program_ops(program);
  size_t edges = 0;
  for (unsigned id = 1; id + 1 < ops; id++) {
    size_t count;
    const unsigned *const preds = cairn_dag__program_preds(program, id, &count);
    for (size_t i = 0; i < count; i++)
      edges += preds[i] != 0;
  }
  return edges;
}

static void run_good(const corpus_case *c, cairn_base_text *found) {
  cairn_base_diag *diag;
  cairn_dag_program *program = NULL;
  size_t params;
  if (cairn_base_diag_create(0, &diag) != CAIRN_OK)
    exit(99);
  (void)cairn_dag_program_read_memory(c->input, c->length, "case", diag,
                                      &program);
  corpus_messages(diag, found);
  if (program) {
    (void)cairn_dag__program_params(program, &params);
    cairn_base_text_addf(
        found, "ops %u, gpu %u, edges %zu, streams %u, params %zu\n",
        cairn_dag_program_ops(program) - 2, cairn_dag_program_gpu_ops(program),
        count_edges(program), cairn_dag_program_streams(program), params);
  }
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
}

static void write_all(const char *name, const char *verdict, const char *dir) {
  corpus c = corpus_read(name);
  for (size_t i = 0; i < c.count; i++) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%s.xml", dir, verdict, c.cases[i].name);
    corpus_write(path, c.cases[i].input, c.cases[i].length);
    printf("%s-%s.xml %s %s\n", verdict, c.cases[i].name, verdict,
           c.cases[i].why_accepted ? c.cases[i].why_accepted : "");
  }
  corpus_free(&c);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[1], "--write") == 0) {
    write_all("program-bad.txt", "bad", argv[2]);
    write_all("program-good.txt", "good", argv[2]);
    return 0;
  }
  const int bad = corpus_check("program-bad.txt", run_bad);
  const int good = corpus_check("program-good.txt", run_good);
  return bad || good;
}

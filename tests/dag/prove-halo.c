/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/dag/prove-halo.c - 10,000 random schedules of the halo exchange are
 * accepted, minimal or not, and none can hang; a program of 4,096 ops on 32
 * streams is checked and minimized in reasonable time.
 */
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CHECK(ok)                                                              \
  do {                                                                         \
    if (!(ok)) {                                                               \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #ok);                 \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void check_program(const cairn_dag_program *program, unsigned streams,
                          int schedules, int each_minimal) {
  cairn_dag_prover *prover;
  cairn_dag_walk *walk;
  cairn_base_rng rng;
  double proving = 0, minimizing = 0;
  size_t items_all = 0;
  const size_t room = cairn_dag__program_max_items(program, streams);
  cairn_dag_item *const items = malloc(room * sizeof *items);
  CHECK(items && cairn_dag__prover_create(program, &prover) == CAIRN_OK);
  CHECK(cairn_dag__walk_create(program, streams, &walk) == CAIRN_OK);
  cairn_base__rng_seed(&rng, 3);
  for (int i = 0; i < schedules; i++) {
    size_t count;
    cairn_dag__walk_reset(walk);
    cairn_dag__walk_rollout(walk, &rng);
    const cairn_dag_item *const made = cairn_dag__walk_items(walk, &count);
    CHECK(count <= room);
    memcpy(items, made, count * sizeof *items);
    count = cairn_dag__schedule_tidy(items, count);
    double begin = seconds();
    CHECK(cairn_dag__prover_legal(prover, items, count));
    proving += seconds() - begin;
    CHECK(!cairn_dag__prover_hangs(prover, items, count));
    items_all += count;
    if (i % each_minimal)
      continue;
    begin = seconds();
    count = cairn_dag__prover_minimize(prover, items, count);
    minimizing += seconds() - begin;
    CHECK(cairn_dag__prover_legal(prover, items, count));
  }
  printf("%s: %u ops, %d schedules of %zu items, %.2f us a proof, %.3f ms to "
         "minimize\n",
         cairn_dag_program_name(program), cairn_dag_program_ops(program),
         schedules, items_all / (size_t)schedules, proving / schedules * 1e6,
         minimizing / ((schedules + each_minimal - 1) / each_minimal) * 1e3);
  cairn_dag__walk_free(walk);
  cairn_dag__prover_free(prover);
  free(items);
}

/* A large program: layers of GPU and CPU ops, each with two predecessors. */
static cairn_dag_program *large(unsigned ops) {
  cairn_dag_program *p;
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, 11);
  CHECK(cairn_dag_program_create("large", &p) == CAIRN_OK);
  for (unsigned i = 1; i <= ops; i++) {
    char name[16];
    unsigned id;
    snprintf(name, sizeof name, "o%u", i);
    const cairn_dag_op op = {.name = name,
                             .kind = i % 8 ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
    CHECK(cairn_dag_program_add_op(p, &op, NULL, &id) == CAIRN_OK);
  }
  for (unsigned i = 33; i <= ops; i++)
    for (int k = 0; k < 2; k++)
      CHECK(cairn_dag_program_add_edge(p,
                                       i - 32 + cairn_base__rng_below(&rng, 31),
                                       i, NULL) == CAIRN_OK);
  CHECK(cairn_dag_program_seal(p, NULL) == CAIRN_OK);
  return p;
}

int main(void) {
  char path[4096];
  const char *const top = getenv("top_srcdir");
  const char *const lengthy = getenv("CAIRN_LONG");
  const int full = lengthy && *lengthy && *lengthy != '0';
  cairn_dag_program *program;
  cairn_base_diag *diag;
  snprintf(path, sizeof path, "%s/examples/halo/halo.xml", top ? top : ".");
  CHECK(cairn_base_diag_create(0, &diag) == CAIRN_OK);
  const cairn_status status = cairn_dag_program_read(path, diag, &program);
  cairn_base_diag_print(diag, stderr);
  CHECK(status == CAIRN_OK);
  CHECK(cairn_dag_program_deadlock_free(program, diag) == CAIRN_OK);
  check_program(program, 2, 10000, full ? 1 : 100);
  check_program(program, 4, 1000, 100);
  cairn_dag_program_free(program);
  program = large(full ? CAIRN_DAG_MAX_OPS : 512);
  check_program(program, 32, 3, 3);
  cairn_dag_program_free(program);
  cairn_base_diag_free(diag);
  return 0;
}

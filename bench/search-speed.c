/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/search-speed.c - what the search itself costs: time an iteration and
 * memory a node of tree search, time of enumerating a space.
 *
 *     search-speed [iterations]
 *
 * An iteration is select, expand, roll out, tidy, look up, back up; times come
 * from a hash of the schedule, so measuring costs next to nothing.  The second
 * half of the iterations is shown apart: the cost must not grow with the tree.
 */
#include <math.h>
#include <time.h>

#include "bench/search-table.h"
#include "dag/schedule/schedule-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

static double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static cairn_status evaluate(void *context, const cairn_dag_item *items,
                             size_t count, uint64_t id,
                             cairn_mcts_result *result_p) {
  const cairn_dag_key key = cairn_dag__schedule_key(items, count);
  (void)context;
  (void)id;
  *result_p = cairn_mcts__result_of(1 + (double)(key.lo >> 40) * 0x1p-24);
  return CAIRN_OK;
}

/* `ops` ops on two streams: independent GPU ops, a chain of GPU and CPU ops,
 * or layers of four with edges between neighbours. */
static cairn_dag_program *make(const char *shape, unsigned ops) {
  cairn_dag_program *program = NULL;
  unsigned id = 0;
  if (cairn_dag_program_create(shape, &program))
    return NULL;
  for (unsigned i = 0; i < ops; i++) {
    char name[16];
    const cairn_dag_op op = {
        .name = name,
        .kind = shape[0] != 'i' && i % 3 == 2 ? CAIRN_DAG_CPU : CAIRN_DAG_GPU};
    snprintf(name, sizeof name, "op%u", i);
    if (cairn_dag_program_add_op(program, &op, NULL, &id))
      return NULL;
    if ((shape[0] == 'c' && i &&
         cairn_dag_program_add_edge(program, id - 1, id, NULL)) ||
        (shape[0] == 'l' && i >= 4 &&
         (cairn_dag_program_add_edge(program, id - 4, id, NULL) ||
          cairn_dag_program_add_edge(program, i % 4 ? id - 5 : id - 1, id,
                                     NULL))))
      return NULL;
  }
  if (cairn_dag_program_seal(program, NULL))
    return NULL;
  return program;
}

static cairn_status iterate(cairn_mcts *search, uint64_t until, double *us_p) {
  const uint64_t from = cairn_mcts__get_stats(search).iterations;
  const double begin = now_s();
  cairn_mcts_proposal p;
  cairn_status status = CAIRN_OK;
  while (cairn_mcts__get_stats(search).iterations < until &&
         !(status = cairn_mcts_propose(search, &p))) {
    cairn_mcts_result result;
    evaluate(NULL, p.items, p.count, p.id, &result);
    if ((status = cairn_mcts_report(search, p.id, &result)))
      break;
  }
  *us_p = (now_s() - begin) * 1e6 /
          (double)(cairn_mcts__get_stats(search).iterations - from);
  return status == CAIRN_EXHAUSTED ? CAIRN_OK : status;
}

static cairn_status tree_speed(const char *name,
                               const cairn_dag_program *program,
                               unsigned streams, uint64_t iterations) {
  const cairn_mcts_options options = {
      .strategy = "coverage", .streams = streams, .seed = 1};
  cairn_mcts *search = NULL;
  cairn_mcts_stats stats;
  double first = 0, second = 0;
  cairn_status status = cairn_mcts_create(program, &options, NULL, &search);
  if (!status)
    status = iterate(search, iterations / 2, &first);
  if (!status)
    status = iterate(search, iterations, &second);
  if (!status) {
    stats = cairn_mcts__get_stats(search);
    printf("%-18s %4u %7u %10llu %9.2f %9.2f %11llu %11.1f\n", name,
           cairn_dag_program_ops(program) - 2, streams,
           (unsigned long long)stats.iterations, first, second,
           (unsigned long long)stats.nodes,
           (double)stats.node_bytes / (double)stats.nodes);
  }
  cairn_mcts_free(search);
  return status;
}

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items;
  (void)count;
  ++*(size_t *)context;
  return 0;
}

static cairn_status enumerate_speed(const cairn_dag_program *program) {
  size_t count = 0;
  const double begin = now_s();
  const cairn_status status = cairn_dag_space_enumerate(
      program, 2, CAIRN_DAG_SYNC_TIDY, count_one, &count);
  printf("enumerate spmv, 2 streams: %zu schedules in %.2f ms\n", count,
         (now_s() - begin) * 1e3);
  return status;
}

int main(int argc, char **argv) {
  static const struct {
    const char *name;
    unsigned ops, streams;
  } all[] = {
      {"independent", 10, 2},  {"independent", 50, 2},  {"independent", 100, 2},
      {"independent", 200, 2}, {"independent", 512, 2}, {"independent", 512, 8},
      {"chain", 50, 2},        {"chain", 512, 8},       {"layers", 64, 2},
      {"layers", 128, 4},      {"layers", 256, 8},      {"layers", 512, 8}};
  const uint64_t iterations = argc > 1 ? strtoull(argv[1], NULL, 10) : 2000;
  cairn_dag_program *program = table_spmv();
  cairn_status status = program ? enumerate_speed(program) : CAIRN_NOMEM;
  printf("%-18s %4s %7s %10s %9s %9s %11s %11s\n", "tree (coverage)", "ops",
         "streams", "iterations", "us, 1st", "us, 2nd", "nodes", "bytes/node");
  if (!status)
    status = tree_speed("spmv", program, 2, iterations);
  cairn_dag_program_free(program);
  for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++) {
    program = make(all[i].name, all[i].ops);
    status = program
                 ? tree_speed(all[i].name, program, all[i].streams, iterations)
                 : CAIRN_NOMEM;
    cairn_dag_program_free(program);
  }
  return cairn_base_status_exit_code(status);
}

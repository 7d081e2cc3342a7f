/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/space.c - how long the space takes: enumerating SpMV's, random
 * descents, random moves, exact draws; and how far the approximate sampler and
 * random descents are from uniform.  Times are processor time of this process,
 * so that other work on the machine counts little.
 */
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/moves-private.h"
#include "dag/space/sample-private.h"
#include "dag/space/walk-private.h"
#include <cairn/dag.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static unsigned add(cairn_dag_program *program, const char *name, int gpu) {
  const cairn_dag_op op = {.name = name,
                           .kind = gpu ? CAIRN_DAG_GPU : CAIRN_DAG_CPU};
  unsigned id = 0;
  if (cairn_dag_program_add_op(program, &op, NULL, &id) != CAIRN_OK)
    exit(1);
  return id;
}

static cairn_dag_program *spmv(void) {
  static const char *const names[] = {
      "Pack", "yl", "PostRecv", "PostSend", "WaitRecv", "WaitSend", "yr", "y"};
  static const int gpu[] = {1, 1, 0, 0, 0, 0, 1, 1};
  static const unsigned edges[][2] = {{1, 4}, {4, 5}, {3, 5}, {4, 6},
                                      {3, 6}, {5, 7}, {2, 8}, {7, 8}};
  cairn_dag_program *p;
  if (cairn_dag_program_create("spmv", &p) != CAIRN_OK)
    exit(1);
  for (unsigned i = 0; i < 8; i++)
    add(p, names[i], gpu[i]);
  for (unsigned i = 0; i < 8; i++)
    cairn_dag_program_add_edge(p, edges[i][0], edges[i][1], NULL);
  if (cairn_dag_program_seal(p, NULL) != CAIRN_OK)
    exit(1);
  return p;
}

/* Layers of `width` ops, each after up to three of the layer before; one in
 * three is a CPU op.  width = ops: independent GPU ops. */
static cairn_dag_program *layers(unsigned ops, unsigned width) {
  cairn_dag_program *p;
  cairn_base_rng rng;
  cairn_base__rng_seed(&rng, ops);
  if (cairn_dag_program_create("layers", &p) != CAIRN_OK)
    exit(1);
  for (unsigned i = 0; i < ops; i++) {
    char name[16];
    snprintf(name, sizeof name, "n%u", i);
    add(p, name, width == ops || i % 3 != 0);
  }
  for (unsigned i = width; i < ops; i++)
    for (unsigned k = 0; k < 3; k++)
      cairn_dag_program_add_edge(
          p, 1 + (i / width - 1) * width + cairn_base__rng_below(&rng, width),
          i + 1, NULL);
  if (cairn_dag_program_seal(p, NULL) != CAIRN_OK)
    exit(1);
  return p;
}

typedef struct table {
  cairn_dag_key *keys;
  size_t count, capacity;
} table;

static int keep(void *context, const cairn_dag_item *items, size_t count) {
  table *const t = context;
  if (cairn_base_reserve(&t->keys, &t->capacity, t->count + 1,
                         sizeof *t->keys) != CAIRN_OK)
    exit(1);
  t->keys[t->count++] = cairn_dag__schedule_key(items, count);
  return 0;
}

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items;
  (void)count;
  ++*(size_t *)context;
  return 0;
}

static void bench_enumerate(const cairn_dag_program *p) {
  for (unsigned n = 1; n <= 3; n++) {
    size_t count = 0;
    const double begin = now();
    cairn_dag_space_enumerate(p, n, CAIRN_DAG_SYNC_TIDY, count_one, &count);
    printf("enumerate spmv, %u streams: %zu schedules in %.2f ms\n", n, count,
           1e3 * (now() - begin));
  }
}

static void bench_walk(const char *name, const cairn_dag_program *p,
                       unsigned streams, unsigned times) {
  cairn_dag_walk *walk;
  cairn_dag_moves *moves;
  cairn_base_rng rng;
  const size_t room = cairn_dag__program_max_items(p, streams);
  cairn_dag_item *const work = malloc(room * sizeof *work);
  cairn_dag_item *const out = malloc(room * sizeof *out);
  size_t items = 0, count = 0;
  double begin, rollout, tidy, move;
  uint64_t sum = 0;
  if (!work || !out || cairn_dag__walk_create(p, streams, &walk) != CAIRN_OK ||
      cairn_dag__moves_create(p, streams, &moves) != CAIRN_OK)
    exit(1);
  cairn_base__rng_seed(&rng, 1);
  begin = now();
  for (unsigned i = 0; i < times; i++) {
    cairn_dag__walk_reset(walk);
    cairn_dag__walk_rollout(walk, &rng);
    cairn_dag__walk_items(walk, &count);
    items += count;
  }
  rollout = (now() - begin) / times;
  begin = now();
  for (unsigned i = 0; i < times; i++) {
    const cairn_dag_item *const all = cairn_dag__walk_items(walk, &count);
    memcpy(work, all, count * sizeof *work);
    count = cairn_dag__schedule_tidy(work, count);
    sum += cairn_dag__schedule_key(work, count).lo;
  }
  tidy = (now() - begin) / times;
  begin = now();
  for (unsigned i = 0; i < times; i++) {
    cairn_dag__moves_begin(moves, work, count);
    const size_t next =
        cairn_dag__moves_random(moves, CAIRN_DAG_MOVE_ANY, &rng, out);
    if (next == 0)
      continue;
    memcpy(work, out, next * sizeof *out);
    count = next;
  }
  move = (now() - begin) / times;
  printf("%-24s descent %.2f us (%.0f items), tidy and key %.2f us, random "
         "move %.2f us%s\n",
         name, 1e6 * rollout, (double)items / times, 1e6 * tidy, 1e6 * move,
         sum == 1 ? " " : "");
  free(work);
  free(out);
  cairn_dag__moves_free(moves);
  cairn_dag__walk_free(walk);
}

/* Expected shares of a perfect sampler differ from uniform too: by noise. */
static void bench_bias(const cairn_dag_program *p) {
  enum { EACH = 50 };
  table t = {0};
  cairn_dag_walk *walk;
  cairn_dag_sampler *sampler;
  cairn_base_rng rng;
  cairn_dag_item items[256];
  double begin, off[2] = {0, 0};
  cairn_dag_space_enumerate(p, 2, CAIRN_DAG_SYNC_TIDY, keep, &t);
  double *const hits = calloc(2 * t.count, sizeof *hits);
  if (!hits || cairn_dag__walk_create(p, 2, &walk) != CAIRN_OK ||
      cairn_dag__sampler_create(p, 2, 1, &sampler) != CAIRN_OK)
    exit(1);
  cairn_base__rng_seed(&rng, 3);
  for (size_t i = 0; i < 2 * EACH * t.count; i++) {
    size_t count, k;
    if (i % 2) {
      cairn_dag__walk_reset(walk);
      cairn_dag__walk_rollout(walk, &rng);
      const cairn_dag_item *const all = cairn_dag__walk_items(walk, &count);
      memcpy(items, all, count * sizeof *items);
      count = cairn_dag__schedule_tidy(items, count);
    } else {
      count = cairn_dag__sampler_draw(sampler, &rng, items);
      cairn_dag__schedule_renumber(items, count);
    }
    const cairn_dag_key key = cairn_dag__schedule_key(items, count);
    for (k = 0; t.keys[k].lo != key.lo; k++)
      ;
    hits[2 * k + i % 2]++;
  }
  for (size_t k = 0; k < 2 * t.count; k++)
    off[k % 2] += fabs(hits[k] - EACH) / (2.0 * EACH * (double)t.count);
  printf("total variation from uniform: exact draws %.3f (noise), random "
         "descents %.3f\n",
         off[0], off[1]);
  begin = now();
  for (unsigned i = 0; i < 10000; i++)
    cairn_dag__sampler_draw(sampler, &rng, items);
  printf("exact draw, spmv: %.1f us\n", 1e6 * (now() - begin) / 10000);
  cairn_dag__sampler_free(sampler);
  cairn_dag__walk_free(walk);
  cairn_base_free(t.keys);
  free(hits);
}

static void bench_size(const char *name, const cairn_dag_program *p,
                       unsigned streams) {
  cairn_dag_size size;
  const double begin = now();
  if (cairn_dag_space_size(p, streams, CAIRN_DAG_SYNC_TIDY, 1, &size) !=
      CAIRN_OK)
    exit(1);
  printf("size of %s, %u streams: 10^%.2f (%s) in %.0f ms\n", name, streams,
         size.log10, size.exact ? "exact" : "estimated", 1e3 * (now() - begin));
}

int main(void) {
  static const unsigned ops[] = {50, 100, 200, 512};
  cairn_dag_program *const p = spmv();
  bench_enumerate(p);
  bench_walk("spmv, 2 streams", p, 2, 100000);
  bench_bias(p);
  cairn_dag_program *const independent = layers(100, 100);
  bench_walk("100 independent, 2", independent, 2, 5000);
  bench_size("100 independent", independent, 2);
  cairn_dag_program_free(independent);
  for (size_t i = 0; i < 4; i++) {
    char name[32];
    cairn_dag_program *const l = layers(ops[i], 10);
    snprintf(name, sizeof name, "%u in layers, 8", ops[i]);
    bench_walk(name, l, 8, 1000);
    bench_size(name, l, 8);
    cairn_dag_program_free(l);
  }
  cairn_dag_program *const large = layers(4096, 64);
  bench_walk("4096 in layers, 32", large, 32, 20);
  cairn_dag_program_free(large);
  cairn_dag_program_free(p);
  return 0;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * bench/overhead.c - does the executor cost anything?  Compares schedules run
 * by cairn with the same calls written out in a C function: the function that
 * `cairn run --emit c` writes, compiled and loaded, on the same operations,
 * buffers and requests of the same plugin.  The two take turns in one process.
 *
 *   mpiexec -n N bench/overhead PROGRAM.xml [-D name=value]... [-b BACKEND]
 *     [-n SCHEDULES] [-r ROUNDS] [-t SECONDS a sample]
 *
 * For each of SCHEDULES schedules, spread evenly over the space: warm up, then
 * ROUNDS times: common start, k executions by one, common start, k executions
 * by the other, who is first changing from round to round.  A sample is the
 * slowest rank's.  Printed: the median over rounds of the ratio, for each
 * schedule, and the median over schedules.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench/overhead-host.h"
#include "exec/exec-private.h"
#include "exec/world-private.h"
#include <cairn/exec.h>

#ifndef OVERHEAD_CC /* overridden by the environment variable OVERHEAD_CC */
#define OVERHEAD_CC "cc -O2"
#endif

enum { MOST = 200, WARM = 50 };

/* The first member of what the emitted struct holds does not matter here:
 * room for any of them. */
typedef struct hand {
  void *library;
  int (*schedule)(const void *s, void *state);
  max_align_t room[512];
} hand;

typedef struct bench {
  const char *file, *backend, *define[64];
  int defines, wanted, rounds;
  double sample_s;
  cairn_base_diag *diag;
  cairn_exec_world *world;
  cairn_dag_program *program;
  cairn_exec *exec;
  char folder[64], symbol[CAIRN_DAG_MAX_NAME + 16];
  cairn_dag_schedule schedule[MOST];
  int count;
  size_t seen, total; /* of the space */
} bench;

/* ---- schedules ---- */

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items, (void)count;
  ((bench *)context)->total++;
  return 0;
}

static int keep_some(void *context, const cairn_dag_item *items, size_t count) {
  bench *b = context;
  size_t due = (size_t)b->count * b->total / (size_t)b->wanted;
  if (b->seen++ == due && b->count < b->wanted)
    return cairn_dag_schedule_set(b->schedule + b->count++, items, count) !=
           CAIRN_OK;
  return 0;
}

static cairn_status pick(bench *b) {
  unsigned streams = cairn_dag_program_streams(b->program);
  cairn_status status = cairn_dag_space_enumerate(
      b->program, streams, CAIRN_DAG_SYNC_TIDY, count_one, b);
  return status != CAIRN_OK
             ? status
             : cairn_dag_space_enumerate(b->program, streams,
                                         CAIRN_DAG_SYNC_TIDY, keep_some, b);
}

/* ---- the hand-written ones ---- */

static cairn_status write_one(bench *b, int i, const char *path) {
  cairn_base_text text = {0};
  cairn_status status = cairn_exec_emit_c(b->program, b->schedule[i].items,
                                          b->schedule[i].count, &text);
  if (status == CAIRN_OK)
    status = cairn_base_file_write(path, text.data, text.length, b->diag);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status compile(bench *b, int i) {
  char path[128], command[1024];
  const char *cc = getenv("OVERHEAD_CC");
  snprintf(path, sizeof path, "%s/hand-%d.c", b->folder, i);
  cairn_status status = write_one(b, i, path);
  if (status != CAIRN_OK)
    return status;
  snprintf(command, sizeof command, "%s %s -shared -fPIC -o %s/hand-%d.so %s",
           cc != NULL ? cc : OVERHEAD_CC,
           strcmp(b->exec->backend->name, "host") == 0
               ? "-DCAIRN_EMIT_HEADER='\"bench/overhead-host.h\"'"
               : "",
           b->folder, i, path);
  if (system(command) == 0)
    return CAIRN_OK;
  cairn_base_diag_error(b->diag, "failed: %s", command);
  return CAIRN_ENV;
}

static cairn_status load(bench *b, int i, hand *h) {
  char path[128], name[sizeof b->symbol + 16];
  int (*open)(void *s, const cairn_op_plugin *plugin) = NULL;
  snprintf(path, sizeof path, "%s/hand-%d.so", b->folder, i);
  h->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (h->library == NULL) {
    cairn_base_diag_error(b->diag, "%s", dlerror());
    return CAIRN_ENV;
  }
  struct overhead_host *host = dlsym(h->library, "overhead_host");
  if (host != NULL)
    *host = (struct overhead_host){b->exec->backend, b->exec->platform, 0, 0};
  snprintf(name, sizeof name, "%s_open", b->symbol);
  *(void **)&open = dlsym(h->library, name);
  snprintf(name, sizeof name, "%s_schedule", b->symbol);
  *(void **)&h->schedule = dlsym(h->library, name);
  if (open == NULL || h->schedule == NULL ||
      open(h->room, b->exec->plugin) != 0) {
    cairn_base_diag_error(b->diag, "%s does not open", path);
    return CAIRN_ENV;
  }
  return CAIRN_OK;
}

/* ---- measuring ---- */

static void run_cairn(bench *b, const hand *h, uint32_t k) {
  (void)h;
  cairn_exec__execute(b->exec, k, 0);
}

static void run_hand(bench *b, const hand *h, uint32_t k) {
  for (uint32_t i = 0; i < k; i++)
    if (h->schedule(h->room, b->exec->state) != 0)
      cairn_exec__world_abort(b->world, 1);
}

/* Seconds of the slowest rank for one execution. */
static double sample(bench *b, const hand *h, uint32_t k,
                     void (*run)(bench *, const hand *, uint32_t)) {
  cairn_exec__comm_barrier(b->world);
  int64_t start = cairn_base__now_ns();
  run(b, h, k);
  int64_t spent = cairn_base__now_ns() - start;
  cairn_exec__comm_max(b->world, &spent, 1);
  return 1e-9 * (double)spent / k;
}

static uint32_t calibrate(bench *b, const hand *h) {
  sample(b, h, WARM, run_cairn);
  double once = sample(b, h, WARM, run_hand);
  double k = b->sample_s / once + 1;
  return k > 1e6 ? 1000000 : (uint32_t)k;
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

typedef struct result {
  double cairn_s, hand_s, ratio, per_item_s;
} result;

static result compare_one(bench *b, int i, const hand *h) {
  double ratio[MOST], mine[MOST], theirs[MOST], difference[MOST];
  cairn_exec__flat_select(b->exec, (uint64_t)i);
  uint32_t k = calibrate(b, h);
  for (int r = 0; r < b->rounds; r++) {
    if (r % 2 == 0)
      mine[r] = sample(b, h, k, run_cairn);
    theirs[r] = sample(b, h, k, run_hand);
    if (r % 2 != 0)
      mine[r] = sample(b, h, k, run_cairn);
    ratio[r] = mine[r] / theirs[r];
    difference[r] = (mine[r] - theirs[r]) / (double)b->schedule[i].count;
  }
  return (result){median(mine, b->rounds), median(theirs, b->rounds),
                  median(ratio, b->rounds), median(difference, b->rounds)};
}

static cairn_status compare_all(bench *b) {
  double ratio[MOST], item[MOST];
  int root = cairn_exec_world_rank(b->world) == 0;
  if (root)
    printf("schedule  items   cairn us    hand us  cairn/hand  ns an item\n");
  for (int i = 0; i < b->count; i++) {
    static hand h; /* large */
    cairn_status status = cairn_exec_world_agree(
        b->world, root ? compile(b, i) : CAIRN_OK, b->diag);
    if (status == CAIRN_OK)
      status = cairn_exec_world_agree(b->world, load(b, i, &h), b->diag);
    if (status != CAIRN_OK)
      return status;
    result r = compare_one(b, i, &h);
    ratio[i] = r.ratio;
    item[i] = r.per_item_s;
    if (root)
      printf("%8d  %5zu  %9.3f  %9.3f  %10.4f  %10.1f\n", i,
             b->schedule[i].count, 1e6 * r.cairn_s, 1e6 * r.hand_s, r.ratio,
             1e9 * r.per_item_s);
  }
  if (root)
    printf("median over %d schedules: cairn/hand %.4f, %.1f ns an item\n",
           b->count, median(ratio, b->count), 1e9 * median(item, b->count));
  return CAIRN_OK;
}

/* ---- opening ---- */

static cairn_status read_program(bench *b) {
  cairn_status status = cairn_dag_program_read(b->file, b->diag, &b->program);
  for (int i = 0; i < b->defines && status == CAIRN_OK; i++) {
    char *name = cairn_base_strdup(b->define[i]);
    char *equal = name == NULL ? NULL : strchr(name, '=');
    status = CAIRN_USAGE;
    if (equal != NULL) {
      *equal = 0;
      status =
          cairn_dag_program_set_param(b->program, name, equal + 1, b->diag);
    }
    cairn_base_free(name);
  }
  snprintf(b->symbol, sizeof b->symbol, "%s",
           status == CAIRN_OK ? cairn_dag_program_name(b->program) : "");
  for (char *c = b->symbol; *c != 0; c++)
    if (*c == '.' || *c == '-')
      *c = '_';
  return status;
}

/* Prepares the schedules on all ranks, then lets the other ranks go. */
static cairn_status prepare(bench *b) {
  if (cairn_exec_world_rank(b->world) != 0)
    return cairn_exec_serve(b->exec);
  cairn_status status = CAIRN_OK;
  for (int i = 0; i < b->count && status == CAIRN_OK; i++)
    status = cairn_exec_prepare(b->exec, (uint64_t)i, b->schedule[i].items,
                                b->schedule[i].count, b->diag);
  cairn_exec_stop(b->exec, status);
  return status;
}

static cairn_status make_folder(bench *b) {
  snprintf(b->folder, sizeof b->folder, "/tmp/cairn-overhead-XXXXXX");
  if (cairn_exec_world_rank(b->world) == 0 && mkdtemp(b->folder) == NULL)
    return CAIRN_IO;
  char *shared = b->folder;
  size_t length = sizeof b->folder;
  cairn_status status = cairn_exec__world_share(b->world, &shared, &length);
  if (status == CAIRN_OK && shared != b->folder) {
    snprintf(b->folder, sizeof b->folder, "%s", shared);
    cairn_base_free(shared);
  }
  return status;
}

static void remove_folder(const bench *b) {
  char command[96];
  snprintf(command, sizeof command, "rm -rf '%s'", b->folder);
  if (cairn_exec_world_rank(b->world) == 0 && system(command) != 0)
    fprintf(stderr, "%s is left over\n", b->folder);
}

static cairn_status run(bench *b) {
  cairn_exec_options options;
  cairn_status status = cairn_exec_world_open(NULL, b->diag, &b->world);
  if (status != CAIRN_OK)
    return status;
  status = cairn_exec_world_agree(b->world, read_program(b), b->diag);
  if (status == CAIRN_OK)
    status = cairn_exec_world_agree(b->world, pick(b), b->diag);
  cairn_exec_options_default(&options);
  options.backend = b->backend;
  options.program_path = b->file;
  options.hang_s = 0;
  if (status == CAIRN_OK)
    status = cairn_exec_open(b->world, b->program, &options, b->diag, &b->exec);
  if (status != CAIRN_OK)
    return status;
  status = cairn_exec_world_agree(b->world, prepare(b), b->diag);
  if (status == CAIRN_OK)
    status = make_folder(b);
  if (status == CAIRN_OK) {
    status = compare_all(b);
    remove_folder(b);
  }
  return status;
}

static int parse(bench *b, int argc, char **argv) {
  int option;
  while ((option = getopt(argc, argv, "D:b:n:r:t:")) != -1)
    switch (option) {
    case 'D':
      if (b->defines == 64)
        return 1;
      b->define[b->defines++] = optarg;
      break;
    case 'b':
      b->backend = optarg;
      break;
    case 'n':
      b->wanted = atoi(optarg);
      break;
    case 'r':
      b->rounds = atoi(optarg);
      break;
    case 't':
      b->sample_s = atof(optarg);
      break;
    default:
      return 1;
    }
  b->file = argv[optind];
  return optind != argc - 1 || b->wanted < 1 || b->wanted > MOST ||
         b->rounds < 1 || b->rounds > MOST || b->sample_s <= 0;
}

int main(int argc, char **argv) {
  static bench b = {.wanted = 20, .rounds = 21, .sample_s = 2e-3};
  if (parse(&b, argc, argv)) {
    fprintf(stderr,
            "usage: %s [-D name=value]... [-b BACKEND] [-n SCHEDULES] "
            "[-r ROUNDS] [-t SECONDS] PROGRAM.xml\n",
            argv[0]);
    return 2;
  }
  cairn_status status = cairn_base_diag_create(0, &b.diag);
  if (status == CAIRN_OK)
    status = run(&b);
  if (status != CAIRN_OK &&
      (b.world == NULL || cairn_exec_world_rank(b.world) == 0))
    cairn_base_diag_print(b.diag, stderr);
  cairn_exec_close(b.exec);
  for (int i = 0; i < b.count; i++)
    cairn_dag_schedule_free(b.schedule + i);
  cairn_dag_program_free(b.program);
  cairn_exec_world_close(b.world);
  cairn_base_diag_free(b.diag);
  return cairn_base_status_exit_code(status);
}

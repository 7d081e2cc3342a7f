/* SPDX-License-Identifier: BSD-3-Clause
 *
 * drive PLUGIN.so OP,OP,... [name=value...] - runs a plugin's ops one after
 * the other on this rank, on the host, three times over, with poison and
 * verify.  It uses nothing of cairn but <cairn/op.h>, so a failure here is the
 * example's own.
 */
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

#include <cairn/op.h>

enum { MAX = 64 };

/* All ranks know: they end in order, for an abort may swallow what was said. */
enum { WRONG = 3 };

static int fail(int rank, const char *what, const char *message) {
  fprintf(stderr, "rank %d: %s: %s\n", rank, what, message);
  return 1;
}

static int run_op(const cairn_op_plugin *plugin, void *state,
                  const char *name) {
  char word[64];
  snprintf(word, sizeof word, "%s", name);
  char *arg = strchr(word, ':'); /* op:arg */
  if (arg != NULL)
    *arg++ = 0;
  for (size_t i = 0; i < plugin->ops_count; i++)
    if (strcmp(plugin->ops[i].name, word) == 0)
      return plugin->ops[i].run(state, arg, NULL);
  return -1;
}

static int execute(const cairn_op_plugin *plugin, void *state, char **ops,
                   size_t count, int rank) {
  char message[512] = "";
  for (int round = 0; round < 3; round++) {
    plugin->poison(state);
    if (plugin->verify(state, message, sizeof message) == 0)
      message[0] = 0; /* a rank without rows has nothing to get wrong */
    MPI_Barrier(MPI_COMM_WORLD);
    for (size_t i = 0; i < count; i++)
      if (run_op(plugin, state, ops[i]) != 0)
        return fail(rank, "op failed", ops[i]);
    int wrong = plugin->verify(state, message, sizeof message) != 0;
    if (wrong)
      fail(rank, "verify", message);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (wrong)
      return WRONG;
  }
  return 0;
}

static int drive(const cairn_op_plugin *plugin, int argc, char **argv,
                 int rank) {
  const char *names[MAX], *values[MAX];
  char *ops[8 * MAX], message[512] = "";
  cairn_op_params params = {names, values, 0};
  size_t count = 0;
  void *state;
  MPI_Comm comm;
  for (char *op = strtok(argv[2], ","); op != NULL; op = strtok(NULL, ","))
    if (count < sizeof ops / sizeof *ops)
      ops[count++] = op;
  for (int i = 3; i < argc && params.count < MAX; i++) {
    char *equal = strchr(argv[i], '=');
    if (equal == NULL)
      return fail(rank, "no name=value", argv[i]);
    *equal = 0;
    names[params.count] = argv[i];
    values[params.count++] = equal + 1;
  }
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  if (plugin->setup(&params, &comm, CAIRN_OP_NO_GPU, &state, message,
                    sizeof message) != 0)
    return fail(rank, "setup", message);
  int status = execute(plugin, state, ops, count, rank);
  if (status == 0)
    plugin->teardown(state);
  MPI_Comm_free(&comm);
  return status;
}

int main(int argc, char **argv) {
  int rank = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *library = argc < 3 ? NULL : dlopen(argv[1], RTLD_NOW);
  const cairn_op_plugin *plugin =
      library == NULL ? NULL : dlsym(library, "cairn_plugin");
  int status = plugin == NULL ? fail(rank, "loading", dlerror())
                              : drive(plugin, argc, argv, rank);
  if (status != 0 && status != WRONG)
    MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/emit-c.c - writes a schedule as a C function.
 *
 * Ops are called through the plugin's table; each has a member of its own in a
 * struct, named after it ("op_" and the name, dots as underscores, the id
 * behind it where two would be alike).  A wait's comment lists the program's
 * edges a -> b that it is for: a a GPU op on the record's stream, issued
 * before the record; b, issued after the wait, a CPU op or a GPU op on the
 * stream that waits.
 */
#include <string.h>

#include "base/text-private.h"
#include "dag/program/program-private.h"
#include "exec/drive-private.h"
#include <cairn/exec.h>

enum { NOT_ISSUED = -1, EDGES_SHOWN = 4 };

typedef struct emitter {
  const cairn_dag_program *program;
  const cairn_dag_item *items;
  size_t count;
  cairn_base_text *out;
  long *position; /* of each op in the schedule */
  unsigned streams, events;
} emitter;

static const char *op_name(const emitter *e, unsigned op) {
  return cairn_dag_program_op(e->program, op)->name;
}

/* start and end are nothing to call. */
static int is_artificial(const emitter *e, unsigned op) {
  return op == 0 || op == cairn_dag_program_ops(e->program) - 1;
}

/* ---- names ---- */

static void add_mangled(cairn_base_text *out, const char *name) {
  for (; *name != 0; name++)
    cairn_base__text_add_bytes(out, cairn_base_is_alnum(*name) ? name : "_", 1);
}

static int mangled_equal(const char *a, const char *b) {
  for (; *a != 0 && *b != 0; a++, b++)
    if (*a != *b && !((*a == '.' && *b == '_') || (*a == '_' && *b == '.')))
      return 0;
  return *a == *b;
}

static void add_member(const emitter *e, unsigned op) {
  cairn_base_text_add(e->out, "op_");
  add_mangled(e->out, op_name(e, op));
  for (unsigned other = 1; !is_artificial(e, other); other++)
    if (other != op && mangled_equal(op_name(e, op), op_name(e, other))) {
      cairn_base_text_addf(e->out, "_%u", op);
      break;
    }
}

/* A C string literal, or NULL. */
static void add_literal(cairn_base_text *out, const char *string) {
  if (string == NULL) {
    cairn_base_text_add(out, "NULL");
    return;
  }
  cairn_base_text_add(out, "\"");
  for (; *string != 0; string++) {
    unsigned char c = (unsigned char)*string;
    if (c == '"' || c == '\\')
      cairn_base_text_addf(out, "\\%c", c);
    else if (c < 0x20 || c >= 0x7f || c == '?')
      cairn_base_text_addf(out, "\\%03o", c);
    else
      cairn_base__text_add_bytes(out, string, 1);
  }
  cairn_base_text_add(out, "\"");
}

/* ---- head ---- */

static cairn_status add_head(const emitter *e) {
  cairn_base_text text = {0};
  cairn_status status =
      cairn_dag_schedule_format(e->program, e->items, e->count, &text);
  cairn_base_text_addf(e->out,
                       "/* A schedule of program %s, written by cairn:\n *\n",
                       cairn_dag_program_name(e->program));
  char *rest = text.data;
  size_t column = 80;
  for (char *item = status == CAIRN_OK ? strtok_r(text.data, " ", &rest) : NULL;
       item != NULL; item = strtok_r(NULL, " ", &rest)) {
    size_t length = strlen(item);
    cairn_base_text_add(e->out, column < 80 && column + length < 76 ? " "
                                : column == 80                      ? " *   "
                                               : "\n *   ");
    column =
        column < 80 && column + length < 76 ? column + length + 1 : 5 + length;
    cairn_base_text_add(e->out, item);
  }
  cairn_base_text_add(
      e->out,
      "\n *\n"
      " * Function: compile it with the program that has the operations.\n"
      " * Program:  cc -DCAIRN_EMIT_MAIN THIS.c PLUGIN.so -lcudart and MPI;\n"
      " * add -DCAIRN_EMIT_HOST, and no -lcudart, to run it without a GPU.\n"
      " */\n"
      "#include <cairn/op.h>\n\n"
      "#if defined CAIRN_EMIT_HEADER /* your own meaning of these calls */\n"
      "#include CAIRN_EMIT_HEADER\n"
      "#elif defined CAIRN_EMIT_HOST /* work is done as it is issued */\n"
      "typedef int cudaStream_t;\n"
      "typedef int cudaEvent_t;\n"
      "#define LAUNCH(op, state, arg, stream) op((state), (arg), NULL)\n"
      "#define cudaStreamCreateWithFlags(stream, flags) (*(stream) = 0)\n"
      "#define cudaStreamWaitEvent(stream, event, flags) "
      "((stream) + (event))\n"
      "#define cudaEventCreateWithFlags(event, flags) (*(event) = 0)\n"
      "#define cudaEventRecord(event, stream) ((event) + (stream))\n"
      "#define cudaEventSynchronize(event) (event)\n"
      "#else\n"
      "#include <cuda_runtime_api.h>\n"
      "#define LAUNCH(op, state, arg, stream) op((state), (arg), (stream))\n"
      "#endif\n\n"
      "#define TRY(call)                                          \\\n"
      "  do {                                                     \\\n"
      "    int error_ = (int)(call);                              \\\n"
      "    if (error_ != 0)                                       \\\n"
      "      return error_;                                       \\\n"
      "  } while (0)\n\n");
  cairn_base_text_free(&text);
  return status;
}

static void add_struct(const emitter *e) {
  cairn_base_text_add(e->out, "typedef int cairn_run(void *state, const char "
                              "*arg, void *stream);\n\nstruct schedule {\n");
  if (e->streams > 0)
    cairn_base_text_addf(e->out, "  cudaStream_t stream[%u];\n", e->streams);
  if (e->events > 0)
    cairn_base_text_addf(e->out, "  cudaEvent_t event[%u];\n", e->events);
  for (unsigned op = 1; !is_artificial(e, op); op++) {
    cairn_base_text_add(e->out, "  cairn_run *");
    add_member(e, op);
    cairn_base_text_add(e->out, ";\n");
  }
  cairn_base_text_add(e->out, "};\n\n");
}

/* ---- the function ---- */

static const cairn_dag_item *record_of(const emitter *e, size_t wait,
                                       size_t *at_p) {
  for (size_t i = wait; i-- > 0;)
    if (e->items[i].kind == CAIRN_DAG_ITEM_CER &&
        e->items[i].id == e->items[wait].id) {
      *at_p = i;
      return e->items + i;
    }
  return NULL;
}

/* Whether the wait is for the edge a -> b. */
static int serves(const emitter *e, size_t wait, size_t record, unsigned a,
                  unsigned b) {
  long at_a = e->position[a], at_b = e->position[b];
  if (at_a < 0 || at_b < 0 || at_a > (long)record || at_b < (long)wait)
    return 0;
  const cairn_dag_item *from = e->items + at_a, *to = e->items + at_b;
  if (from->kind != CAIRN_DAG_ITEM_GPU ||
      from->stream != e->items[record].stream)
    return 0;
  return e->items[wait].kind == CAIRN_DAG_ITEM_CES
             ? to->kind == CAIRN_DAG_ITEM_CPU
             : to->kind == CAIRN_DAG_ITEM_GPU &&
                   to->stream == e->items[wait].stream;
}

static void add_edges(const emitter *e, size_t wait, size_t record) {
  unsigned found = 0;
  cairn_base_text_add(e->out, "  /* ");
  for (size_t i = wait + 1; i < e->count; i++) {
    const cairn_dag_item *to = e->items + i;
    if (to->kind != CAIRN_DAG_ITEM_CPU && to->kind != CAIRN_DAG_ITEM_GPU)
      continue;
    size_t preds;
    const unsigned *pred = cairn_dag__program_preds(e->program, to->id, &preds);
    for (size_t k = 0; k < preds; k++)
      if (serves(e, wait, record, pred[k], to->id) && found++ < EDGES_SHOWN)
        cairn_base_text_addf(e->out, "%s%s before %s", found > 1 ? ", " : "",
                             op_name(e, pred[k]), op_name(e, to->id));
  }
  if (found > EDGES_SHOWN)
    cairn_base_text_addf(e->out, ", and %u more", found - EDGES_SHOWN);
  cairn_base_text_add(e->out, found > 0 ? " */\n" : "for no edge */\n");
}

static void add_names(cairn_base_text *out, const char *what,
                      const cairn_dag_names *names) {
  if (names->count == 0)
    return;
  cairn_base_text_addf(out, " /* %s", what);
  for (size_t i = 0; i < names->count && i < EDGES_SHOWN; i++)
    cairn_base_text_addf(out, " %s", names->name[i]);
  cairn_base_text_add(out, names->count > EDGES_SHOWN ? " ... */" : " */");
}

static void add_call(const emitter *e, const cairn_dag_item *item) {
  const cairn_dag_op *op = cairn_dag_program_op(e->program, item->id);
  int gpu = item->kind == CAIRN_DAG_ITEM_GPU;
  cairn_base_text_add(e->out, gpu ? "  TRY(LAUNCH(s->" : "  TRY(s->");
  add_member(e, item->id);
  cairn_base_text_add(e->out, gpu ? ", state, " : "(state, ");
  add_literal(e->out, op->arg);
  if (gpu)
    cairn_base_text_addf(e->out, ", s->stream[%u]));", item->stream);
  else
    cairn_base_text_add(e->out, ", NULL));");
  add_names(e->out, "starts", &op->posts);
  add_names(e->out, "completes", &op->waits);
  cairn_base_text_add(e->out, "\n");
}

static void add_item(const emitter *e, size_t i) {
  const cairn_dag_item *item = e->items + i;
  size_t record = 0;
  switch (item->kind) {
  case CAIRN_DAG_ITEM_CER:
    cairn_base_text_addf(e->out,
                         "  TRY(cudaEventRecord(s->event[%u], "
                         "s->stream[%u]));\n",
                         item->id, item->stream);
    return;
  case CAIRN_DAG_ITEM_CES:
  case CAIRN_DAG_ITEM_CSW:
    if (record_of(e, i, &record) != NULL)
      add_edges(e, i, record);
    if (item->kind == CAIRN_DAG_ITEM_CES)
      cairn_base_text_addf(
          e->out, "  TRY(cudaEventSynchronize(s->event[%u]));\n", item->id);
    else
      cairn_base_text_addf(e->out,
                           "  TRY(cudaStreamWaitEvent(s->stream[%u], "
                           "s->event[%u], 0));\n",
                           item->stream, item->id);
    return;
  default:
    if (!is_artificial(e, item->id))
      add_call(e, item);
  }
}

static void add_function(const emitter *e) {
  cairn_base_text_add(e->out,
                      "/* One execution; all work is complete when it "
                      "returns.  0, or the error of the\n * call that failed. "
                      "*/\nint ");
  add_mangled(e->out, cairn_dag_program_name(e->program));
  cairn_base_text_add(e->out, "_schedule(const struct schedule *s, void "
                              "*state) {\n");
  for (size_t i = 0; i < e->count; i++)
    add_item(e, i);
  cairn_base_text_add(e->out, "  return 0;\n}\n\n");
}

static void add_open(const emitter *e) {
  cairn_base_text_add(
      e->out,
      "static cairn_run *find(const cairn_op_plugin *plugin, const char "
      "*name) {\n"
      "  for (size_t i = 0; i < plugin->ops_count; i++)\n"
      "    if (strcmp(plugin->ops[i].name, name) == 0)\n"
      "      return plugin->ops[i].run;\n"
      "  return NULL;\n"
      "}\n\n"
      "/* Finds the operations and makes streams and events.  0, -1 when an\n"
      " * operation is missing, or an error of CUDA. */\nint ");
  add_mangled(e->out, cairn_dag_program_name(e->program));
  cairn_base_text_add(e->out, "_open(struct schedule *s, const cairn_op_plugin "
                              "*plugin) {\n");
  for (unsigned op = 1; !is_artificial(e, op); op++) {
    cairn_base_text_add(e->out, "  if ((s->");
    add_member(e, op);
    cairn_base_text_addf(e->out,
                         " = find(plugin, \"%s\")) == NULL)\n    return -1;\n",
                         cairn_dag_program_op(e->program, op)->call);
  }
  if (e->streams > 0)
    cairn_base_text_addf(e->out,
                         "  for (int i = 0; i < %u; i++)\n"
                         "    TRY(cudaStreamCreateWithFlags(&s->stream[i], "
                         "cudaStreamNonBlocking));\n",
                         e->streams);
  if (e->events > 0)
    cairn_base_text_addf(e->out,
                         "  for (int i = 0; i < %u; i++)\n"
                         "    TRY(cudaEventCreateWithFlags(&s->event[i], "
                         "cudaEventDisableTiming));\n",
                         e->events);
  cairn_base_text_add(e->out, "  return 0;\n}\n\n");
}

/* ---- the program around it ---- */

static void add_params(const emitter *e) {
  size_t count;
  const cairn_dag_param *param = cairn_dag__program_params(e->program, &count);
  cairn_base_text_add(e->out, "static const char *const param_name[] = {");
  for (size_t i = 0; i < count; i++) {
    add_literal(e->out, param[i].name);
    cairn_base_text_add(e->out, ", ");
  }
  cairn_base_text_add(e->out, "NULL};\n"
                              "static const char *const param_value[] = {");
  for (size_t i = 0; i < count; i++) {
    add_literal(e->out, param[i].value);
    cairn_base_text_add(e->out, ", ");
  }
  cairn_base_text_addf(e->out,
                       "NULL};\n"
                       "static const cairn_op_params params = {param_name, "
                       "param_value, %zu};\n\n",
                       count);
}

static const char main_head[] =
    "#ifdef CAIRN_EMIT_MAIN\n"
    "#include <mpi.h>\n"
    "#include <stdio.h>\n"
    "#include <stdlib.h>\n\n"
    "extern const cairn_op_plugin cairn_plugin;\n\n";

static const char main_device[] =
    "/* One device a rank; what setup is told about MPI: see <cairn/op.h>. */\n"
    "static int choose_device(const char *word) {\n"
    "#ifdef CAIRN_EMIT_HOST\n"
    "  (void)word;\n"
    "  return CAIRN_OP_NO_GPU;\n"
    "#else\n"
    "  int devices = 0, rank = 0;\n"
    "  MPI_Comm node;\n"
    "  MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0,\n"
    "                      MPI_INFO_NULL, &node);\n"
    "  MPI_Comm_rank(node, &rank);\n"
    "  MPI_Comm_free(&node);\n"
    "  if (cudaGetDeviceCount(&devices) != 0 || devices == 0 ||\n"
    "      cudaSetDevice(rank % devices) != 0) {\n"
    "    fprintf(stderr, \"no CUDA device\\n\");\n"
    "    MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "  }\n"
    "  return strcmp(word, \"device\") == 0 ? CAIRN_OP_MPI_DEVICE\n"
    "                                     : CAIRN_OP_MPI_HOST;\n"
    "#endif\n"
    "}\n\n"
    "static void must(int error, const char *what) {\n"
    "  if (error == 0)\n"
    "    return;\n"
    "  fprintf(stderr, \"%s: error %d\\n\", what, error);\n"
    "  MPI_Abort(MPI_COMM_WORLD, 1);\n"
    "}\n\n";

/* "%s" is the program's name, mangled. */
static const char main_body[] =
    "/* ARGUMENTS: [device|host] [executions]: where MPI's buffers may lie. "
    "*/\n"
    "int main(int argc, char **argv) {\n"
    "  char message[512] = \"\";\n"
    "  struct schedule s;\n"
    "  void *state = NULL;\n"
    "  int rank = 0, runs = argc > 2 ? atoi(argv[2]) : 100;\n"
    "  MPI_Comm comm;\n"
    "  MPI_Init(&argc, &argv);\n"
    "  MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
    "  MPI_Comm_dup(MPI_COMM_WORLD, &comm);\n"
    "  int aware = choose_device(argc > 1 ? argv[1] : \"host\");\n"
    "  must(cairn_plugin.setup(&params, &comm, aware, &state, message,\n"
    "                          sizeof message),\n"
    "       message);\n"
    "  must(%s_open(&s, &cairn_plugin), \"streams, events and operations\");\n"
    "  if (cairn_plugin.poison != NULL)\n"
    "    cairn_plugin.poison(state);\n"
    "  MPI_Barrier(comm);\n"
    "  must(%s_schedule(&s, state), \"the schedule\");\n"
    "  if (cairn_plugin.verify != NULL)\n"
    "    must(cairn_plugin.verify(state, message, sizeof message), message);\n"
    "  MPI_Barrier(comm);\n"
    "  double mine = -MPI_Wtime(), slowest = 0;\n"
    "  for (int i = 0; i < runs; i++)\n"
    "    must(%s_schedule(&s, state), \"the schedule\");\n"
    "  mine += MPI_Wtime();\n"
    "  MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, comm);\n"
    "  if (rank == 0)\n"
    "    printf(\"%s; %%.3f us an execution, over %%d\\n\",\n"
    "           1e6 * slowest / (runs > 0 ? runs : 1), runs);\n"
    "  cairn_plugin.teardown(state);\n"
    "  MPI_Comm_free(&comm);\n"
    "  MPI_Finalize();\n"
    "  return 0;\n"
    "}\n"
    "#endif\n";

static void add_main(const emitter *e) {
  cairn_base_text name = {0};
  add_mangled(&name, cairn_dag_program_name(e->program));
  const char *prefix = name.data != NULL ? name.data : "";
  cairn_base_text_add(e->out, main_head);
  add_params(e);
  cairn_base_text_add(e->out, main_device);
  cairn_base_text_addf(e->out, main_body, prefix, prefix, prefix,
                       "verified where the plugin can");
  e->out->failed |= name.failed;
  cairn_base_text_free(&name);
}

cairn_status cairn_exec_emit_c(const cairn_dag_program *program,
                               const cairn_dag_item *items, size_t count,
                               cairn_base_text *text) {
  emitter e = {program, items, count, text, NULL, 0, 0};
  unsigned ops = cairn_dag_program_ops(program);
  e.position = cairn_base_alloc(ops, sizeof *e.position);
  if (e.position == NULL)
    return CAIRN_NOMEM;
  for (unsigned op = 0; op < ops; op++)
    e.position[op] = NOT_ISSUED;
  for (size_t i = 0; i < count; i++) {
    const cairn_dag_item *item = items + i;
    if (item->kind == CAIRN_DAG_ITEM_CPU || item->kind == CAIRN_DAG_ITEM_GPU)
      e.position[item->id] = (long)i;
    if (item->kind == CAIRN_DAG_ITEM_GPU && item->stream >= e.streams)
      e.streams = item->stream + 1u;
    if (item->kind == CAIRN_DAG_ITEM_CER && item->id >= e.events)
      e.events = item->id + 1u;
  }
  cairn_status status = add_head(&e);
  if (status == CAIRN_OK) {
    add_struct(&e);
    add_function(&e);
    add_open(&e);
    add_main(&e);
  }
  cairn_base_free(e.position);
  return status == CAIRN_OK && text->failed ? CAIRN_NOMEM : status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/program.c - building a program op by op, and asking it.
 *
 * Invariant: ops[i] has id i and its name has id i in `names`; ops[0] is
 * start.  What sealing adds is in dag/program/seal.c.
 */
#include "base/text-private.h"
#include "dag/program/intern-private.h"
#include "dag/program/program-private.h"
#include "dag/program/program-state-private.h"
#include <cairn/dag.h>

#include <limits.h>
#include <string.h>

static cairn_status copy_text(const char *text, const char **copy_p) {
  *copy_p = text ? cairn_base_strdup(text) : NULL;
  return text && !*copy_p ? CAIRN_NOMEM : CAIRN_OK;
}

static void free_names(cairn_dag_names *names) {
  for (size_t i = 0; i < names->count; i++)
    cairn_base_free((char *)names->name[i]);
  cairn_base_free((void *)names->name);
  names->name = NULL;
  names->count = 0;
}

static cairn_status copy_names(const cairn_dag_names *names,
                               cairn_dag_names *copy) {
  const char **array;
  if (names->count == 0)
    return CAIRN_OK;
  array = cairn_base_zalloc(names->count, sizeof *array);
  if (!array)
    return CAIRN_NOMEM;
  copy->name = array;
  copy->count = names->count;
  for (size_t i = 0; i < names->count; i++)
    if (copy_text(names->name[i], &array[i]) != CAIRN_OK)
      return CAIRN_NOMEM;
  return CAIRN_OK;
}

static void free_op(cairn_dag_op *op) {
  cairn_base_free((char *)op->name);
  cairn_base_free((char *)op->call);
  cairn_base_free((char *)op->arg);
  cairn_base_free((char *)op->file);
  free_names(&op->posts);
  free_names(&op->from);
  free_names(&op->waits);
  free_names(&op->reads);
  free_names(&op->writes);
}

/* On failure *copy holds what was copied; free it with free_op. */
static cairn_status copy_op(const cairn_dag_op *op, cairn_dag_op *copy) {
  memset(copy, 0, sizeof *copy);
  copy->kind = op->kind;
  copy->line = op->line;
  if (copy_text(op->name, &copy->name) != CAIRN_OK ||
      copy_text(op->call ? op->call : op->name, &copy->call) != CAIRN_OK ||
      copy_text(op->arg, &copy->arg) != CAIRN_OK ||
      copy_text(op->file, &copy->file) != CAIRN_OK ||
      copy_names(&op->posts, &copy->posts) != CAIRN_OK ||
      copy_names(&op->from, &copy->from) != CAIRN_OK ||
      copy_names(&op->waits, &copy->waits) != CAIRN_OK ||
      copy_names(&op->reads, &copy->reads) != CAIRN_OK ||
      copy_names(&op->writes, &copy->writes) != CAIRN_OK)
    return CAIRN_NOMEM;
  return CAIRN_OK;
}

cairn_status cairn_dag__program_append(cairn_dag_program *program,
                                       const cairn_dag_op *op) {
  cairn_dag_op copy;
  uint32_t id;
  if (cairn_base_reserve(&program->ops, &program->capacity, program->count + 1,
                         sizeof *program->ops) != CAIRN_OK)
    return CAIRN_NOMEM;
  if (copy_op(op, &copy) != CAIRN_OK ||
      cairn_dag__intern_add(program->names, op->name, strlen(op->name), &id) !=
          CAIRN_OK) {
    free_op(&copy);
    return CAIRN_NOMEM;
  }
  program->ops[program->count++] = copy;
  program->gpu_ops += op->kind == CAIRN_DAG_GPU;
  return CAIRN_OK;
}

int cairn_dag__name_valid(const char *name) {
  const size_t length = strlen(name);
  if (length == 0 || length > CAIRN_DAG_MAX_NAME ||
      cairn_base_is_digit(name[0]) || name[0] == '.')
    return 0;
  return strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                      "0123456789_.") == length;
}

static int name_reserved(const char *name) {
  return strcmp(name, "start") == 0 || strcmp(name, "end") == 0 ||
         strncmp(name, "CER", 3) == 0 || strncmp(name, "CES", 3) == 0 ||
         strncmp(name, "CSW", 3) == 0;
}

cairn_status cairn_dag_program_create(const char *name,
                                      cairn_dag_program **program_p) {
  const cairn_dag_op start = {.name = "start", .kind = CAIRN_DAG_CPU};
  cairn_dag_program *program;
  if (!cairn_dag__name_valid(name))
    return CAIRN_INPUT;
  program = cairn_base_zalloc(1, sizeof *program);
  if (!program)
    return CAIRN_NOMEM;
  program->streams = 2;
  program->name = cairn_base_strdup(name);
  if (!program->name || cairn_dag__intern_create(&program->names) != CAIRN_OK ||
      cairn_dag__program_append(program, &start) != CAIRN_OK) {
    cairn_dag_program_free(program);
    return CAIRN_NOMEM;
  }
  *program_p = program;
  return CAIRN_OK;
}

static void free_rows(cairn_dag__rows *rows) {
  cairn_base_free(rows->row);
  cairn_base_free(rows->to);
}

void cairn_dag_program_free(cairn_dag_program *program) {
  if (!program)
    return;
  for (size_t i = 0; i < program->count; i++)
    free_op(&program->ops[i]);
  for (size_t i = 0; i < program->param_count; i++) {
    cairn_base_free((char *)program->params[i].name);
    cairn_base_free((char *)program->params[i].value);
  }
  free_rows(&program->pred);
  free_rows(&program->succ);
  free_rows(&program->gpu_pred);
  free_rows(&program->cpu_succ);
  free_rows(&program->gpu_succ);
  cairn_dag__intern_free(program->names);
  cairn_base_free(program->ops);
  cairn_base_free(program->edges);
  cairn_base_free(program->params);
  cairn_base_free(program->name);
  cairn_base_free(program->plugin);
  cairn_base_free(program);
}

/* Says what is wrong with a new op; 0 when nothing is. */
static int op_refused(const cairn_dag_program *program, const cairn_dag_op *op,
                      cairn_base_diag *diag) {
  const char *const name = op->name;
  uint32_t other;
  if (!cairn_dag__name_valid(name)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "bad name \"%s\": a name is a letter or _, then "
                        "letters, digits, _ and ., at most %d bytes",
                        name, CAIRN_DAG_MAX_NAME);
    return 1;
  }
  if (name_reserved(name)) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "\"%s\" is reserved: start, end and names that begin "
                        "with CER, CES or CSW are cairn's own",
                        name);
    return 1;
  }
  other = cairn_dag__intern_find(program->names, name, strlen(name));
  if (other != UINT32_MAX) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "\"%s\" is defined twice (first on line %zu)", name,
                        program->ops[other].line);
    return 1;
  }
  if (program->count > CAIRN_DAG_MAX_OPS) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "too many operations: at most %d are allowed",
                        CAIRN_DAG_MAX_OPS);
    return 1;
  }
  return 0;
}

cairn_status cairn_dag_program_add_op(cairn_dag_program *program,
                                      const cairn_dag_op *op,
                                      cairn_base_diag *diag, unsigned *id_p) {
  if (program->sealed)
    return CAIRN_INTERNAL;
  if (op_refused(program, op, diag))
    return CAIRN_INPUT;
  if (cairn_dag__program_append(program, op) != CAIRN_OK)
    return CAIRN_NOMEM;
  *id_p = (unsigned)program->count - 1;
  return CAIRN_OK;
}

cairn_status cairn_dag__program_connect(cairn_dag_program *program,
                                        unsigned before, unsigned after) {
  if (cairn_base_reserve(&program->edges, &program->edge_capacity,
                         program->edge_count + 1,
                         sizeof *program->edges) != CAIRN_OK)
    return CAIRN_NOMEM;
  program->edges[program->edge_count++] = (uint64_t)before << 32 | after;
  return CAIRN_OK;
}

cairn_status cairn_dag_program_add_edge(cairn_dag_program *program,
                                        unsigned before, unsigned after,
                                        cairn_base_diag *diag) {
  if (program->sealed || before == 0 || after == 0 ||
      before >= program->count || after >= program->count)
    return CAIRN_INTERNAL;
  const cairn_dag_op *const op = &program->ops[after];
  if (before == after) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "\"%s\" cannot come after itself", op->name);
    return CAIRN_INPUT;
  }
  if (program->edge_count >= CAIRN_DAG_MAX_EDGES) {
    cairn_base_diag_add(diag, CAIRN_BASE_ERROR, op->file, op->line,
                        "too many edges: at most %d are allowed",
                        CAIRN_DAG_MAX_EDGES);
    return CAIRN_INPUT;
  }
  return cairn_dag__program_connect(program, before, after);
}

static cairn_dag_param *find_param(const cairn_dag_program *program,
                                   const char *name) {
  for (size_t i = 0; i < program->param_count; i++)
    if (strcmp(program->params[i].name, name) == 0)
      return &program->params[i];
  return NULL;
}

cairn_status cairn_dag__program_add_param(cairn_dag_program *program,
                                          const char *name, const char *value,
                                          cairn_base_diag *diag) {
  cairn_dag_param param;
  if (!cairn_dag__name_valid(name)) {
    cairn_base_diag_error(diag, "bad name of a parameter: \"%s\"", name);
    return CAIRN_INPUT;
  }
  if (find_param(program, name)) {
    cairn_base_diag_error(diag, "parameter \"%s\" is defined twice", name);
    return CAIRN_INPUT;
  }
  if (cairn_base_reserve(&program->params, &program->param_capacity,
                         program->param_count + 1,
                         sizeof *program->params) != CAIRN_OK)
    return CAIRN_NOMEM;
  param.name = cairn_base_strdup(name);
  param.value = cairn_base_strdup(value);
  if (!param.name || !param.value) {
    cairn_base_free((char *)param.name);
    cairn_base_free((char *)param.value);
    return CAIRN_NOMEM;
  }
  program->params[program->param_count++] = param;
  return CAIRN_OK;
}

static void say_undeclared(const cairn_dag_program *program, const char *name,
                           cairn_base_diag *diag) {
  const char *nearest = NULL;
  size_t best = 3;
  for (size_t i = 0; i < program->param_count; i++) {
    const size_t distance =
        cairn_base__text_distance(name, program->params[i].name);
    if (distance < best && 2 * distance < strlen(name)) {
      best = distance;
      nearest = program->params[i].name;
    }
  }
  if (nearest)
    cairn_base_diag_error(diag,
                          "program %s declares no parameter \"%s\"; did you "
                          "mean \"%s\"?",
                          program->name, name, nearest);
  else
    cairn_base_diag_error(diag, "program %s declares no parameter \"%s\"",
                          program->name, name);
}

cairn_status cairn_dag_program_set_param(cairn_dag_program *program,
                                         const char *name, const char *value,
                                         cairn_base_diag *diag) {
  cairn_dag_param *const param = find_param(program, name);
  char *copy;
  if (!param) {
    say_undeclared(program, name, diag);
    return CAIRN_USAGE;
  }
  copy = cairn_base_strdup(value);
  if (!copy)
    return CAIRN_NOMEM;
  cairn_base_free((char *)param->value);
  param->value = copy;
  return CAIRN_OK;
}

cairn_status cairn_dag__program_set_plugin(cairn_dag_program *program,
                                           const char *library) {
  char *const copy = cairn_base_strdup(library);
  if (!copy)
    return CAIRN_NOMEM;
  cairn_base_free(program->plugin);
  program->plugin = copy;
  return CAIRN_OK;
}

cairn_status cairn_dag_program_set_streams(cairn_dag_program *program,
                                           unsigned streams) {
  if (streams < 1 || streams > CAIRN_DAG_MAX_STREAMS)
    return CAIRN_INPUT;
  program->streams = streams;
  return CAIRN_OK;
}

const char *cairn_dag_program_name(const cairn_dag_program *program) {
  return program->name;
}

const char *cairn_dag__program_plugin(const cairn_dag_program *program) {
  return program->plugin;
}

unsigned cairn_dag_program_streams(const cairn_dag_program *program) {
  return program->streams;
}

unsigned cairn_dag_program_ops(const cairn_dag_program *program) {
  return (unsigned)program->count;
}

unsigned cairn_dag_program_gpu_ops(const cairn_dag_program *program) {
  return program->gpu_ops;
}

const cairn_dag_op *cairn_dag_program_op(const cairn_dag_program *program,
                                         unsigned id) {
  return id < program->count ? &program->ops[id] : NULL;
}

unsigned cairn_dag__program_find(const cairn_dag_program *program,
                                 const char *name) {
  const uint32_t id =
      cairn_dag__intern_find(program->names, name, strlen(name));
  return id == UINT32_MAX ? UINT_MAX : id;
}

static const unsigned *row_of(const cairn_dag__rows *rows, unsigned id,
                              size_t *count_p) {
  *count_p = rows->row[id + 1] - rows->row[id];
  return rows->to + rows->row[id];
}

const unsigned *cairn_dag__program_preds(const cairn_dag_program *program,
                                         unsigned id, size_t *count_p) {
  return row_of(&program->pred, id, count_p);
}

const unsigned *cairn_dag_program_succs(const cairn_dag_program *program,
                                        unsigned id, size_t *count_p) {
  return row_of(&program->succ, id, count_p);
}

const cairn_dag_param *
cairn_dag__program_params(const cairn_dag_program *program, size_t *count_p) {
  *count_p = program->param_count;
  return program->params;
}

const char *cairn_dag__program_digest(const cairn_dag_program *program) {
  return program->digest;
}
const char *cairn_dag__program_graph(const cairn_dag_program *program) {
  return program->graph;
}

size_t cairn_dag__program_max_items(const cairn_dag_program *program,
                                    unsigned streams) {
  const size_t gpu = program->gpu_ops, others = streams - 1;
  size_t host_waits = 0, stream_waits = 0;
  for (size_t i = 0; i < program->count; i++) {
    if (program->ops[i].kind != CAIRN_DAG_GPU)
      continue;
    host_waits += program->cpu_succ.row[i + 1] > program->cpu_succ.row[i];
    stream_waits += program->gpu_succ.row[i + 1] > program->gpu_succ.row[i];
  }
  /* A record serves at least one GPU op of its own; a wait too. */
  return program->count + gpu + host_waits + stream_waits * others;
}

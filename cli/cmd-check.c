/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-check.c - cairn check: validates a program and says how large its
 * space is, and what is wrong with it: deadlocks and races.
 */
#include <math.h>
#include <string.h>

#include "check.h"
#include <cairn/lint.h>

typedef struct options {
  const char *path, *dot, *difficulty;
} options;

typedef struct facts {
  unsigned ops, gpu_ops, streams;
  cairn_dag_sync sync;
  cairn_dag_size orders, partitions, schedules;
} facts;

enum { KEY_DOT = CAIRN_CLI_KEY, KEY_DIFFICULTY };

static const struct argp_option option_table[] = {
    {"dot", KEY_DOT, "FILE", 0, "Write the program's graph to FILE (Graphviz)",
     0},
    {"difficulty", KEY_DIFFICULTY, "RUN.jsonl", 0,
     "Estimate from a partial run how hard the space is to search, and what to "
     "search it with",
     0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options *const o = state->input;
  switch (key) {
  case KEY_DOT:
    o->dot = arg;
    return 0;
  case KEY_DIFFICULTY:
    o->difficulty = arg;
    return 0;
  case ARGP_KEY_ARG:
    if (o->path)
      argp_error(state, "one program file is expected, \"%s\" is one too many",
                 arg);
    o->path = arg;
    return 0;
  case ARGP_KEY_END:
    if (!o->path)
      argp_error(state, "a program file is expected");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static cairn_status find_facts(const cairn_dag_program *program,
                               unsigned streams, cairn_dag_sync sync,
                               facts *f) {
  cairn_status status;
  f->ops = cairn_dag_program_ops(program) - 2;
  f->gpu_ops = cairn_dag_program_gpu_ops(program);
  f->streams = streams;
  f->sync = sync;
  status = cairn_dag_space_orders(program, &f->orders);
  if (status == CAIRN_OK)
    status = cairn_dag_space_partitions(program, streams, &f->partitions);
  if (status == CAIRN_OK)
    status = cairn_dag_space_size(program, streams, sync, 1, &f->schedules);
  return status;
}

/* ---- a schedule that deadlocks ---- */

static int can_deadlock(const cairn_lint_report *report) {
  for (size_t i = 0; i < report->count; i++)
    if (report->finding[i].kind == CAIRN_LINT_FINDING_DEADLOCK)
      return 1;
  return 0;
}

/* Its text, or NULL: none can (or memory is short).  Free with
 * cairn_base_free. */
static char *deadlock_text(const cairn_dag_program *program,
                           const cairn_lint_report *report) {
  cairn_dag_deadlock *list = NULL;
  size_t count = 0;
  cairn_dag_schedule schedule = {0};
  cairn_base_text text = {0};
  if (can_deadlock(report) &&
      cairn_dag_program_deadlocks(program, &list, &count) == CAIRN_OK &&
      count > 0 &&
      cairn_dag_deadlock_show(program, list, &schedule) == CAIRN_OK &&
      (cairn_dag_schedule_format(program, schedule.items, schedule.count,
                                 &text) != CAIRN_OK ||
       text.failed))
    cairn_base_text_free(&text);
  cairn_dag_schedule_free(&schedule);
  cairn_base_free(list);
  return text.data;
}

/* ---- text ---- */

static void print_rough(const char *what, const cairn_dag_size *size) {
  if (!isfinite(size->log10))
    cairn_cli_print("%-20snot known: no estimate came out\n", what);
  else
    cairn_cli_print("%-20s%sabout 10^%.0f (a rough estimate, probably too "
                    "low)\n",
                    what, size->bound ? "at most the tidy ones, " : "",
                    size->log10);
}

static void print_size(const char *what, const cairn_dag_size *size) {
  if (size->rough)
    print_rough(what, size);
  else if (size->bound)
    cairn_cli_print("%-20sat most the tidy ones, 10^%.1f\n", what,
                    size->log10_high);
  else if (size->exact && size->count < 0x1p53)
    cairn_cli_print("%-20s%.0f\n", what, size->count);
  else if (size->exact && isfinite(size->count))
    cairn_cli_print("%-20s%.15g\n", what,
                    size->count); /* no digit is made up */
  else if (size->exact)
    cairn_cli_print("%-20s10^%.1f\n", what, size->log10);
  else if (!isfinite(size->high) || size->high > 1e100)
    cairn_cli_print("%-20sabout 10^%.0f (estimated, 10^%.0f to 10^%.0f)\n",
                    what, size->log10, size->log10_low, size->log10_high);
  else if (size->count < 1e7)
    cairn_cli_print("%-20sabout %.0f (estimated, %.0f to %.0f)\n", what,
                    size->count, size->low, size->high);
  else
    cairn_cli_print("%-20sabout %.2g (estimated, %.2g to %.2g)\n", what,
                    size->count, size->low, size->high);
}

static void print_findings(const cairn_lint_report *report) {
  for (size_t i = 0; i < report->count; i++) {
    const cairn_lint_finding *const finding = &report->finding[i];
    cairn_cli_print("%s: %s\n", cairn_lint_finding_text(finding->kind),
                    finding->text);
    if (finding->repair)
      cairn_cli_print("  repair: %s\n", finding->repair);
  }
  if (report->count == 0)
    puts("no findings");
}

static void print_text(const cairn_dag_program *program, const facts *f,
                       const cairn_lint_report *report,
                       const cairn_study_difficulty *difficulty) {
  cairn_cli_print("%-20s%s\n", "program", cairn_dag_program_name(program));
  cairn_cli_print("%-20s%u (%u CPU, %u GPU)\n", "operations", f->ops,
                  f->ops - f->gpu_ops, f->gpu_ops);
  cairn_cli_print("%-20s%u\n", "streams", f->streams);
  print_size("orders", &f->orders);
  print_size("stream partitions", &f->partitions);
  print_size(f->sync == CAIRN_DAG_SYNC_MINIMAL ? "schedules (minimal)"
                                               : "schedules",
             &f->schedules);
  print_findings(report);
  char *const schedule = deadlock_text(program, report);
  if (schedule != NULL)
    cairn_cli_print("a schedule that can deadlock:\n  %s\n", schedule);
  cairn_base_free(schedule);
  if (difficulty)
    cairn_cli_difficulty_print(difficulty);
}

/* ---- JSON ---- */

/* A count: an integer, beyond 2^53 its digits, null where it is beyond a
 * double. */
static json_t *number(double count) {
  char digits[400];
  if (!isfinite(count))
    return json_null();
  if (count < 0x1p53)
    return json_integer((json_int_t)count);
  cairn_base_format(digits, sizeof digits, "%.0f", count);
  return json_string(digits);
}

static json_t *size_json(const cairn_dag_size *size) {
  json_t *const object = json_object();
  json_object_set_new(object, "count", number(size->count));
  json_object_set_new(object, "exact", json_boolean(size->exact));
  json_object_set_new(object, "rough", json_boolean(size->rough));
  json_object_set_new(object, "bound", json_boolean(size->bound));
  json_object_set_new(object, "low", number(size->low));
  json_object_set_new(object, "high", number(size->high));
  json_object_set_new(object, "log10", cairn_cli_json_number(size->log10));
  return object;
}

static const char *op_name(const cairn_dag_program *program, unsigned id) {
  const cairn_dag_op *const op = cairn_dag_program_op(program, id);
  return op ? op->name : NULL;
}

static json_t *finding_json(const cairn_dag_program *program,
                            const cairn_lint_finding *finding) {
  json_t *const object = json_object();
  json_object_set_new(object, "kind",
                      json_string(cairn_lint_finding_text(finding->kind)));
  json_object_set_new(object, "text", cairn_cli_json_text(finding->text));
  if (finding->repair)
    json_object_set_new(object, "repair", cairn_cli_json_text(finding->repair));
  if (finding->from != CAIRN_DAG_NO_OP)
    json_object_set_new(object, "edge",
                        json_pack("[s?, s?]", op_name(program, finding->from),
                                  op_name(program, finding->to)));
  return object;
}

static cairn_status print_json(const cairn_dag_program *program, const facts *f,
                               const cairn_lint_report *report,
                               const cairn_study_difficulty *difficulty) {
  json_t *const object = json_object(), *const findings = json_array();
  for (size_t i = 0; i < report->count; i++)
    json_array_append_new(findings, finding_json(program, &report->finding[i]));
  json_object_set_new(object, "schema", json_integer(1));
  json_object_set_new(object, "program",
                      json_string(cairn_dag_program_name(program)));
  json_object_set_new(object, "ops", json_integer(f->ops));
  json_object_set_new(object, "gpu_ops", json_integer(f->gpu_ops));
  json_object_set_new(object, "streams", json_integer(f->streams));
  json_object_set_new(
      object, "sync",
      json_string(f->sync == CAIRN_DAG_SYNC_MINIMAL ? "minimal" : "tidy"));
  json_object_set_new(object, "orders", number(f->orders.count));
  json_object_set_new(object, "orders_exact", json_boolean(f->orders.exact));
  json_object_set_new(object, "stream_partitions", number(f->partitions.count));
  json_object_set_new(object, "schedules", size_json(&f->schedules));
  json_object_set_new(object, "findings", findings);
  char *const schedule = deadlock_text(program, report);
  json_object_set_new(object, "deadlock",
                      schedule ? json_string(schedule) : json_null());
  cairn_base_free(schedule);
  if (difficulty)
    json_object_set_new(object, "difficulty",
                        cairn_cli_difficulty_json(difficulty));
  return cairn_cli_print_json(object);
}

/* ---- the graph ---- */

static cairn_status write_dot(const cairn_dag_program *program,
                              const char *path, cairn_base_diag *diag) {
  cairn_base_text text = {0};
  cairn_status status;
  const unsigned ops = cairn_dag_program_ops(program);
  cairn_base_text_addf(&text, "digraph \"%s\" {\n",
                       cairn_dag_program_name(program));
  for (unsigned id = 0; id < ops; id++) {
    const cairn_dag_op *const op = cairn_dag_program_op(program, id);
    cairn_base_text_addf(&text, "  \"%s\" [shape=%s];\n", op->name,
                         id == 0 || id == ops - 1    ? "point"
                         : op->kind == CAIRN_DAG_GPU ? "box"
                                                     : "ellipse");
  }
  for (unsigned id = 0; id < ops; id++) {
    size_t count;
    const unsigned *const succs = cairn_dag_program_succs(program, id, &count);
    for (size_t i = 0; i < count; i++)
      cairn_base_text_addf(&text, "  \"%s\" -> \"%s\";\n", op_name(program, id),
                           op_name(program, succs[i]));
  }
  cairn_base_text_add(&text, "}\n");
  status = text.failed
               ? CAIRN_NOMEM
               : cairn_base_file_write(path, text.data, text.length, diag);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status check(const options *o,
                          const cairn_cli_program *program_options,
                          const cairn_cli_common *common,
                          cairn_base_diag *diag) {
  cairn_dag_program *program;
  cairn_lint_report *report = NULL;
  cairn_study_difficulty difficulty;
  const cairn_study_difficulty *estimate = NULL;
  unsigned streams;
  facts f;
  cairn_status status = cairn_cli_read_program(o->path, program_options, diag,
                                               &program, &streams);
  if (status != CAIRN_OK)
    return status;
  if (cairn_cli_rank() == 0)
    status = cairn_cli_check_output("--dot", o->dot, &o->path, 1, diag);
  if (status == CAIRN_OK)
    status = find_facts(program, streams, program_options->sync, &f);
  if (status == CAIRN_OK)
    status = cairn_lint_program(program, &report);
  if (status == CAIRN_OK && o->difficulty && cairn_cli_rank() == 0) {
    status = cairn_cli_difficulty_read(o->difficulty, program, streams, diag,
                                       &difficulty);
    estimate = &difficulty;
  }
  if (status == CAIRN_OK && o->dot && cairn_cli_rank() == 0)
    status = write_dot(program, o->dot, diag);
  if (status == CAIRN_OK && cairn_cli_rank() == 0) {
    if (common->json)
      status = print_json(program, &f, report, estimate);
    else
      print_text(program, &f, report, estimate);
  }
  if (status == CAIRN_OK && report->count > 0) {
    cairn_cli_told();
    status = CAIRN_FINDINGS;
  }
  cairn_lint_report_free(report);
  cairn_dag_program_free(program);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  options o = {0};
  cairn_cli_common common = {0};
  cairn_cli_program program = {0};
  const cairn_cli_parser parser = {
      .options = option_table,
      .parse = parse,
      .doc = "Prints the number of operations, of their orders, of their "
             "partitions into streams and of schedules, exact or estimated, "
             "and findings: deadlocks that some schedule has, and operations "
             "that touch one buffer in no order.  Exit code 1 when there are "
             "findings.",
      .input = &o,
      .common = &common,
      .program = &program};
  cairn_base_diag *diag = NULL;
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK)
    status = cairn_cli_say(diag, check(&o, &program, &common, diag));
  cairn_base_diag_free(diag);
  cairn_cli_program_free(&program);
  return status;
}

const cairn_cli_command cairn_cli_check = {
    "check", "PROGRAM.xml", "Check a program and say how large its space is",
    run};

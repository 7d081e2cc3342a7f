/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-enumerate.c - cairn enumerate: every schedule of the space, one a
 * line, sorted bytewise; or only how many.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"
#include <cairn/dag.h>

typedef struct options {
  const char *path;
  int count;
} options;

typedef struct lines {
  const cairn_dag_program *program;
  char **line;
  size_t count, capacity;
  cairn_status status;
} lines;

enum { KEY_COUNT = CAIRN_CLI_KEY };

static const struct argp_option option_table[] = {
    {"count", KEY_COUNT, NULL, 0, "Print only the number of schedules", 0},
    {0}};

static error_t parse(int key, char *arg, struct argp_state *state) {
  options *const o = state->input;
  switch (key) {
  case KEY_COUNT:
    o->count = 1;
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

static int add(void *context, const cairn_dag_item *items, size_t count) {
  lines *const l = context;
  cairn_base_text text = {0};
  l->status = cairn_dag_schedule_format(l->program, items, count, &text);
  if (l->status == CAIRN_OK)
    l->status = cairn_base_reserve(&l->line, &l->capacity, l->count + 1,
                                   sizeof *l->line);
  if (l->status != CAIRN_OK) {
    cairn_base_text_free(&text);
    return 1;
  }
  l->line[l->count++] = text.data;
  return 0;
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static cairn_status print_json(const lines *l) {
  json_t *const object = json_object();
  json_object_set_new(object, "schema", json_integer(1));
  json_object_set_new(object, "count", cairn_cli_json_integer(l->count));
  json_t *const array = json_array();
  for (size_t i = 0; i < l->count; i++)
    json_array_append_new(array, json_string(l->line[i]));
  json_object_set_new(object, "schedules", array);
  return cairn_cli_print_json(object);
}

static cairn_status print(const lines *l, int json) {
  if (json)
    return print_json(l);
  for (size_t i = 0; i < l->count && !cairn_cli_out_failed(); i++)
    puts(l->line[i]);
  return CAIRN_OK;
}

/* More than this many are not listed in any time or memory. */
static const double HUGE_LOG10 = 9;

/* Says so before the long wait. */
static cairn_status warn_of_many(const cairn_dag_program *program,
                                 unsigned streams) {
  cairn_dag_size size;
  const cairn_status status =
      cairn_dag_space_size(program, streams, CAIRN_DAG_SYNC_TIDY, 1, &size);
  if (status == CAIRN_OK && !isfinite(size.log10))
    cairn_base_log(CAIRN_BASE_LOG_WARNING,
                   "program \"%s\" is wide, no one knows how many schedules "
                   "it has: this may not end",
                   cairn_dag_program_name(program));
  else if (status == CAIRN_OK && size.log10 > HUGE_LOG10)
    cairn_base_log(CAIRN_BASE_LOG_WARNING,
                   "program \"%s\" has about 10^%.0f schedules: this will not "
                   "end; cairn check tells how many there are",
                   cairn_dag_program_name(program), size.log10);
  return status;
}

static cairn_status list(const cairn_dag_program *program, unsigned streams,
                         cairn_dag_sync sync, int json) {
  lines l = {.program = program};
  cairn_status status = warn_of_many(program, streams);
  if (status == CAIRN_OK)
    status = cairn_dag_space_enumerate(program, streams, sync, add, &l);
  if (status == CAIRN_OK)
    status = l.status;
  if (status == CAIRN_OK && l.count)
    qsort(l.line, l.count, sizeof *l.line, compare);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = print(&l, json);
  for (size_t i = 0; i < l.count; i++)
    cairn_base_free(l.line[i]);
  cairn_base_free(l.line);
  return status;
}

/* ---- only how many ---- */

/* Counted one by one up to about this many: in minutes. */
static const double LISTED_LOG10 = 7.5;

static int count_one(void *context, const cairn_dag_item *items, size_t count) {
  (void)items;
  (void)count;
  ++*(size_t *)context;
  return 0;
}

/* Where they are not counted at once: one by one if they are few. */
static cairn_status count_listed(const cairn_dag_program *program,
                                 unsigned streams, cairn_dag_sync sync,
                                 cairn_base_diag *diag, cairn_dag_size *size) {
  cairn_dag_size tidy;
  size_t count = 0;
  cairn_status status =
      cairn_dag_space_size(program, streams, CAIRN_DAG_SYNC_TIDY, 1, &tidy);
  if (status != CAIRN_OK)
    return status;
  if (!isfinite(size->log10)) {
    cairn_base_diag_error(diag,
                          "the schedules of program \"%s\" cannot be counted: "
                          "too many to go through one by one, and the program "
                          "is too wide to estimate them",
                          cairn_dag_program_name(program));
    return CAIRN_FINDINGS;
  }
  if (tidy.rough) {
    cairn_base_diag_error(diag,
                          "the schedules of program \"%s\" cannot be counted: "
                          "there are about 10^%.0f (a rough estimate, probably "
                          "too low), too many to go through one by one",
                          cairn_dag_program_name(program), tidy.log10);
    return CAIRN_FINDINGS;
  }
  if (tidy.log10_high > LISTED_LOG10) {
    cairn_base_diag_error(
        diag,
        "the %sschedules of program \"%s\" cannot be counted: "
        "there are about 10^%.1f (estimated, 10^%.1f to "
        "10^%.1f), too many to go through one by one; cairn "
        "check prints the estimate",
        sync == CAIRN_DAG_SYNC_MINIMAL ? "minimal " : "",
        cairn_dag_program_name(program), size->log10, size->log10_low,
        size->log10_high);
    return CAIRN_FINDINGS;
  }
  status = cairn_dag_space_enumerate(program, streams, sync, count_one, &count);
  if (status == CAIRN_OK) {
    size->exact = 1;
    size->count = (double)count;
    size->log10 = log10(size->count);
  }
  return status;
}

static cairn_status print_count(const cairn_dag_size *size, int json) {
  const int whole = size->count < 0x1p53;
  char digits[32];
  if (whole)
    cairn_base_format(digits, sizeof digits, "%.0f", size->count);
  else if (isfinite(size->count))
    cairn_base_format(digits, sizeof digits, "%.15g", size->count);
  else
    cairn_base_format(digits, sizeof digits, "10^%.6f", size->log10);
  if (!json) {
    puts(digits);
    return CAIRN_OK;
  }
  json_t *const object = json_object();
  json_object_set_new(object, "schema", json_integer(1));
  json_object_set_new(object, "count",
                      whole ? json_integer((json_int_t)size->count)
                      : isfinite(size->count) ? json_string(digits)
                                              : json_null());
  json_object_set_new(object, "log10", cairn_cli_json_number(size->log10));
  return cairn_cli_print_json(object);
}

static cairn_status count(const cairn_dag_program *program, unsigned streams,
                          cairn_dag_sync sync, int json,
                          cairn_base_diag *diag) {
  cairn_dag_size size;
  cairn_status status = cairn_dag_space_size(program, streams, sync, 1, &size);
  if (status == CAIRN_OK && !size.exact)
    status = count_listed(program, streams, sync, diag, &size);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = print_count(&size, json);
  return status;
}

static cairn_status enumerate(const options *o,
                              const cairn_cli_program *program_options,
                              const cairn_cli_common *common,
                              cairn_base_diag *diag) {
  cairn_dag_program *program;
  unsigned streams;
  const cairn_dag_sync sync = program_options->sync;
  cairn_status status = cairn_cli_read_program(o->path, program_options, diag,
                                               &program, &streams);
  if (status != CAIRN_OK)
    return status;
  status = o->count ? count(program, streams, sync, common->json, diag)
                    : list(program, streams, sync, common->json);
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
      .doc = "Schedules are printed in canonical form, one a line, sorted "
             "bytewise.",
      .input = &o,
      .common = &common,
      .program = &program};
  cairn_base_diag *diag = NULL;
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK)
    status = cairn_cli_say(diag, enumerate(&o, &program, &common, diag));
  cairn_base_diag_free(diag);
  cairn_cli_program_free(&program);
  return status;
}

const cairn_cli_command cairn_cli_enumerate = {
    "enumerate", "PROGRAM.xml", "Print every schedule of a program", run};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-study.c - cairn study: how hard recorded spaces are, and which search
 * is best on them.
 */
#include <stdlib.h>
#include <string.h>

#include <cairn/study.h>

#include "cli.h"

enum {
  KEY_NEIGHBOURS = CAIRN_CLI_KEY,
  KEY_PROGRAM,
  KEY_SAMPLE,
  KEY_SEED,
  KEY_OBJECTIVE,
  KEY_REPORT,
  KEY_SALVAGE
};

static const struct argp_option option_table[] = {
    {"neighbours", KEY_NEIGHBOURS, "adjacent|sync", 0,
     "Which schedules are neighbours: one exchange of two operations, or one "
     "operation on another stream; sync: also one exchange with a "
     "synchronisation (adjacent)",
     1},
    {"sample", KEY_SAMPLE, "N", 0,
     "Estimate from N descents instead of the whole graph", 1},
    {"program", KEY_PROGRAM, "PROGRAM.xml", 0,
     "The program of the schedules (read off them)", 2},
    {"objective", KEY_OBJECTIVE, "p01|p10|p50|p90|p99", 0,
     "Percentile over samples that is a schedule's time (the run's)", 2},
    {"seed", KEY_SEED, "N", 0, "Seed of what is drawn (1)", 2},
    {"report", KEY_REPORT, "DIR", 0,
     "Write report.html, .json, .txt and a table for each plot there", 2},
    {"salvage", KEY_SALVAGE, 0, 0, "Skip damaged lines of a journal", 2},
    {0}};

typedef struct study_options {
  cairn_cli_common common;
  const char **file;
  size_t files, capacity;
  const char *program, *objective, *report;
  cairn_study_landscape_options landscape;
  int salvage;
} study_options;

static error_t add_file(study_options *o, const char *arg) {
  if (cairn_base_reserve(&o->file, &o->capacity, o->files + 1,
                         sizeof *o->file) != CAIRN_OK)
    return ENOMEM;
  o->file[o->files++] = arg;
  return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state) {
  static const char *const objectives[] = {"p01", "p10", "p50", "p90", "p99"};
  static const char *const neighbours[] = {"adjacent", "sync"};
  study_options *const o = state->input;
  switch (key) {
  case KEY_NEIGHBOURS:
    o->landscape.kinds =
        cairn_cli_choice(state, "--neighbours", arg, neighbours, 2)
            ? CAIRN_DAG_NEIGHBOUR_ANY
            : CAIRN_DAG_NEIGHBOUR_ADJACENT;
    return 0;
  case KEY_SAMPLE:
    o->landscape.sample =
        (size_t)cairn_cli_integer(state, "--sample", arg, 1, 100000000);
    return 0;
  case KEY_SEED:
    o->landscape.seed = cairn_cli_integer(state, "--seed", arg, 0, UINT64_MAX);
    return 0;
  case KEY_PROGRAM:
    o->program = arg;
    return 0;
  case KEY_OBJECTIVE:
    o->objective =
        objectives[cairn_cli_choice(state, "--objective", arg, objectives, 5)];
    return 0;
  case KEY_REPORT:
    o->report = arg;
    return 0;
  case KEY_SALVAGE:
    o->salvage = 1;
    return 0;
  case ARGP_KEY_ARG:
    return add_file(o, arg);
  case ARGP_KEY_NO_ARGS:
    argp_error(state, "a recorded space (run.jsonl) is needed");
    return EINVAL;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static cairn_status print(const study_options *o,
                          cairn_study_landscape *const *landscape,
                          size_t count) {
  cairn_base_text text = {0};
  const cairn_status status = cairn_study_landscapes_format(
      landscape, count, o->common.json ? CAIRN_STUDY_JSON : CAIRN_STUDY_TEXT,
      &text);
  if (status == CAIRN_OK)
    fwrite(text.data, 1, text.length, stdout);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status study_spaces(const study_options *o,
                                 const cairn_study_reading *how,
                                 cairn_base_diag *diag) {
  cairn_study_space **const space = cairn_base_zalloc(o->files, sizeof *space);
  cairn_study_landscape **const landscape =
      cairn_base_zalloc(o->files, sizeof *landscape);
  cairn_status status =
      space != NULL && landscape != NULL ? CAIRN_OK : CAIRN_NOMEM;
  for (size_t i = 0; i < o->files && status == CAIRN_OK; i++) {
    status = cairn_study_space_read(o->file[i], how, diag, &space[i]);
    if (status == CAIRN_OK)
      status = cairn_study_space_landscape(space[i], &o->landscape, diag,
                                           &landscape[i]);
  }
  if (status == CAIRN_OK)
    status = print(o, landscape, o->files);
  if (status == CAIRN_OK && o->report != NULL)
    status =
        cairn_study_landscapes_report(landscape, o->files, o->report, diag);
  for (size_t i = 0; i < o->files; i++) {
    if (landscape != NULL)
      cairn_study_landscape_free(landscape[i]);
    if (space != NULL)
      cairn_study_space_free(space[i]);
  }
  cairn_base_free(landscape);
  cairn_base_free(space);
  return status;
}

static cairn_status study(const study_options *o, cairn_base_diag *diag) {
  static const cairn_cli_program defaults = {0};
  cairn_study_reading how = {.objective = o->objective, .salvage = o->salvage};
  cairn_dag_program *program = NULL;
  cairn_status status = CAIRN_OK;
  if (o->report != NULL)
    status = cairn_study_report_folder(o->report, diag);
  if (status == CAIRN_OK && o->program != NULL)
    status =
        cairn_cli_read_program(o->program, &defaults, diag, &program, NULL);
  how.program = program;
  if (status == CAIRN_OK)
    status = study_spaces(o, &how, diag);
  cairn_dag_program_free(program);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  study_options o = {.landscape.seed = 1};
  const cairn_cli_parser parser = {
      .options = option_table,
      .parse = parse,
      .doc = "Nothing is run: times are those of journals.  For each space: "
             "local minima and how good they are, how often descents end at "
             "good ones, and the chance of uniform draws.",
      .input = &o,
      .common = &o.common};
  cairn_base_diag *diag = NULL;
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = cairn_cli_say(diag, study(&o, diag));
  cairn_base_diag_free(diag);
  cairn_base_free(o.file);
  return status;
}

const cairn_cli_command cairn_cli_study = {
    "study", "SPACE.jsonl...",
    "How hard recorded spaces are, and which search is best on them", run};

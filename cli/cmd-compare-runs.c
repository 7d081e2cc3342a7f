/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-compare-runs.c - cairn compare-runs: are two runs alike?
 */
#include <string.h>

#include <cairn/classify.h>
#include <cairn/journal.h>

#include "cli.h"

enum { KEY_OBJECTIVE = CAIRN_CLI_KEY, KEY_ACROSS, KEY_SALVAGE };

static const struct argp_option options[] = {
    {"objective", KEY_OBJECTIVE, "p01|p10|p50|p90|p99", 0,
     "Percentile over samples that is a schedule's time (each run's)", 1},
    {"across", KEY_ACROSS, 0, 0,
     "Compare runs with other parameters, ranks, devices, backend or objective",
     1},
    {"salvage", KEY_SALVAGE, 0, 0, "Skip damaged lines of a journal", 1},
    {0}};

typedef struct compare_options {
  cairn_cli_common common;
  const char *file[2];
  int files, salvage, across;
  const char *objective;
} compare_options;

static error_t parse(int key, char *arg, struct argp_state *state) {
  compare_options *o = state->input;
  switch (key) {
  case KEY_OBJECTIVE:
    o->objective = cairn_cli_objective(state, arg);
    return 0;
  case KEY_ACROSS:
    o->across = 1;
    return 0;
  case KEY_SALVAGE:
    o->salvage = 1;
    return 0;
  case ARGP_KEY_ARG:
    if (o->files == 2)
      argp_error(state, "two journals are compared, not more");
    else
      o->file[o->files++] = arg;
    return 0;
  case ARGP_KEY_END:
    if (o->files != 2)
      argp_error(state, "two journals are needed: A.jsonl B.jsonl");
    return 0;
  default:
    return ARGP_ERR_UNKNOWN;
  }
}

static cairn_status fill(const compare_options *o, const cairn_journal_run *run,
                         cairn_base_diag *diag, cairn_classify_data **data_p) {
  cairn_status status = cairn_classify_data_create(data_p);
  if (status == CAIRN_OK)
    status = cairn_classify_data_add_run(*data_p, run, o->objective, 0, diag);
  if (status == CAIRN_OK && cairn_classify_data_count(*data_p) == 0) {
    cairn_base_diag_error(diag, "%s: no schedule was measured", run->path);
    status = CAIRN_FINDINGS;
  }
  return status;
}

/* Both journals, refused when they do not belong together. */
static cairn_status read_runs(const compare_options *o, cairn_base_diag *diag,
                              cairn_classify_data **data) {
  const cairn_cli_origin how = {
      .objective = o->objective,
      .across = o->across,
      .remedy = "not compared (--across compares them all the same)"};
  const unsigned flags =
      o->salvage ? CAIRN_JOURNAL_RUN_SALVAGE : CAIRN_JOURNAL_RUN_STRICT;
  cairn_journal_run *run[2] = {NULL, NULL};
  cairn_status status = CAIRN_OK;
  for (int i = 0; i < 2 && status == CAIRN_OK; i++)
    status = cairn_journal_run_read(o->file[i], flags, diag, &run[i]);
  if (status == CAIRN_OK)
    status = cairn_cli_same_origin(run, 2, &how, diag);
  for (int i = 0; i < 2 && status == CAIRN_OK; i++)
    status = fill(o, run[i], diag, &data[i]);
  cairn_journal_run_free(run[0]);
  cairn_journal_run_free(run[1]);
  return status;
}

static cairn_status print(const compare_options *o,
                          const cairn_classify_comparison *comparison,
                          cairn_base_diag *diag) {
  cairn_base_text text = {0};
  cairn_status status = cairn_classify_comparison_report(
      comparison, o->common.json ? CAIRN_CLASSIFY_JSON : CAIRN_CLASSIFY_TEXT,
      &text);
  if (status == CAIRN_OK) {
    if (o->common.json)
      puts(text.data);
    else
      cairn_cli_print_text(text.data);
    if (comparison->common == 0) {
      cairn_base_diag_error(diag, "no schedule is in both runs");
      status = CAIRN_FINDINGS;
    }
  }
  cairn_base_text_free(&text);
  return status;
}

static cairn_status compare(const compare_options *o, cairn_base_diag *diag) {
  cairn_classify_data *data[2] = {NULL, NULL};
  cairn_classify_comparison *comparison = NULL;
  cairn_classify_options how;
  cairn_classify_defaults(&how);
  how.pairs = 0;
  cairn_status status = read_runs(o, diag, data);
  if (status == CAIRN_OK)
    status = cairn_classify_compare(data[0], data[1], &how, &comparison);
  if (status == CAIRN_OK)
    status = print(o, comparison, diag);
  cairn_classify_comparison_free(comparison);
  cairn_classify_data_free(data[0]);
  cairn_classify_data_free(data[1]);
  return status;
}

static const char doc[] =
    "Schedules are matched by what they do: names of synchronisations may "
    "differ.  Rank correlation, class agreement, and which rules of the first "
    "run hold in the second.";

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  compare_options o = {0};
  const cairn_cli_parser parser = {.options = options,
                                   .parse = parse,
                                   .doc = doc,
                                   .input = &o,
                                   .common = &o.common};
  cairn_status status = cairn_cli_parse(self, &parser, argc, argv);
  cairn_base_diag *diag = NULL;
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = cairn_cli_say(diag, compare(&o, diag));
  cairn_base_diag_free(diag);
  return status;
}

const cairn_cli_command cairn_cli_compare_runs = {
    "compare-runs", "A.jsonl B.jsonl",
    "Are two runs alike: ranks, classes, and the rules that hold in both", run};

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-study.c - cairn study: how hard recorded spaces are, and which search
 * is best on them.
 */
#include "study.h"
#include <cairn/dag.h>

static const cairn_study_question question[] = {
    [STUDY_LANDSCAPES] = CAIRN_STUDY_LANDSCAPES,
    [STUDY_COMPETE] = CAIRN_STUDY_COMPETE,
    [STUDY_SETTINGS] = CAIRN_STUDY_SETTINGS};

static cairn_status ask(const study_options *o,
                        const cairn_dag_program *program,
                        cairn_base_diag *diag) {
  const cairn_study_options options = {
      .question = question[o->form],
      .program = program,
      .objective = o->objective,
      .salvage = o->salvage,
      .space = o->space.word,
      .spaces = o->space.count,
      .seed = o->seed,
      .jobs = o->jobs,
      .landscape = o->landscape,
      .budget = o->budget,
      .budgets = o->budgets,
      .judging = o->judging,
      .strategy = o->strategy.word,
      .strategies = o->strategy.count,
      .runs = o->runs,
      .from = o->from,
      .settings = o->settings,
      .grid = o->grid.word,
      .dimensions = o->grid.count,
      .tuning = o->tuning.word,
      .tunings = o->tuning.count,
      .report_on = o->report_on.word,
      .reports = o->report_on.count,
      .repetitions = o->repetitions,
      .format = o->common.json ? CAIRN_STUDY_JSON : CAIRN_STUDY_TEXT,
      .report = o->report};
  cairn_base_text text = {0};
  const cairn_status status = cairn_study_run(&options, diag, &text);
  if (status == CAIRN_OK)
    cairn_cli_print_text(text.data);
  cairn_base_text_free(&text);
  return status;
}

static cairn_status study(const study_options *o, cairn_base_diag *diag) {
  static const cairn_cli_program defaults = {0};
  cairn_dag_program *program = NULL;
  cairn_status status = CAIRN_OK;
  if (o->program != NULL)
    status =
        cairn_cli_read_program(o->program, &defaults, diag, &program, NULL);
  if (status == CAIRN_OK)
    status = ask(o, program, diag);
  cairn_dag_program_free(program);
  return status;
}

static cairn_status run(const cairn_cli_command *self, int argc, char **argv) {
  study_options o = {.seed = 1};
  const cairn_cli_parser parser = {
      .options = study_option_table,
      .parse = study_parse,
      .doc = "Nothing is run: times are those of journals.  For each space: "
             "local minima and how good they are, how often descents end at "
             "good ones, and the chance of uniform draws.  With --compete: "
             "which search finds how good schedules after how many "
             "measurements.  With --settings: which settings of a search.",
      .input = &o,
      .common = &o.common};
  cairn_base_diag *diag = NULL;
  char **const words = study_spread(argc, argv, &argc);
  cairn_status status =
      words == NULL ? CAIRN_NOMEM : cairn_cli_parse(self, &parser, argc, words);
  if (status == CAIRN_OK)
    status = cairn_base_diag_create(0, &diag);
  if (status == CAIRN_OK && cairn_cli_rank() == 0)
    status = cairn_cli_say(diag, study(&o, diag));
  cairn_base_diag_free(diag);
  study_options_free(&o);
  cairn_base_free(words);
  return status;
}

const cairn_cli_command cairn_cli_study = {
    "study", "SPACE.jsonl...",
    "How hard recorded spaces are, and which search is best on them", run};

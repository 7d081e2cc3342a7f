/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/cmd-study.c - cairn study: how hard recorded spaces are, and which search
 * is best on them.
 */
#include "study.h"
#include <cairn/dag.h>

/* Spaces, read. */
typedef struct spaces {
  cairn_study_space **space;
  size_t count;
} spaces;

static void spaces_free(spaces *s) {
  for (size_t i = 0; s->space != NULL && i < s->count; i++)
    cairn_study_space_free(s->space[i]);
  cairn_base_free(s->space);
}

static cairn_status spaces_read(const study_list *list,
                                const cairn_study_reading *how,
                                cairn_base_diag *diag, spaces *s) {
  s->count = list->count;
  s->space = cairn_base_zalloc(list->count, sizeof(cairn_study_space *));
  return s->space == NULL ? CAIRN_NOMEM
                          : cairn_study_spaces_read(list->word, list->count,
                                                    how, diag, s->space);
}

static cairn_study_format format_of(const study_options *o) {
  return o->common.json ? CAIRN_STUDY_JSON : CAIRN_STUDY_TEXT;
}

static cairn_status print(cairn_status status, cairn_base_text *text) {
  if (status == CAIRN_OK)
    cairn_cli_print_text(text->data);
  cairn_base_text_free(text);
  return status;
}

/* ---- landscapes ---- */

static cairn_status show_landscapes(const study_options *o,
                                    cairn_study_landscape *const *landscape,
                                    size_t count, cairn_base_diag *diag) {
  cairn_base_text text = {0};
  cairn_status status = CAIRN_OK;
  if (o->report != NULL)
    status = cairn_study_landscapes_report(landscape, count, o->report, diag);
  if (status == CAIRN_OK)
    status = print(
        cairn_study_landscapes_format(landscape, count, format_of(o), &text),
        &text);
  return status;
}

static cairn_status landscapes(const study_options *o,
                               const cairn_study_reading *how,
                               cairn_base_diag *diag) {
  spaces s = {0};
  cairn_study_landscape_options options = o->landscape;
  cairn_study_landscape **const landscape =
      cairn_base_zalloc(o->space.count, sizeof(cairn_study_landscape *));
  cairn_status status = landscape == NULL ? CAIRN_NOMEM : CAIRN_OK;
  options.seed = o->seed;
  if (status == CAIRN_OK)
    status = spaces_read(&o->space, how, diag, &s);
  for (size_t i = 0; i < s.count && status == CAIRN_OK; i++)
    status =
        cairn_study_space_landscape(s.space[i], &options, diag, &landscape[i]);
  if (status == CAIRN_OK)
    status = show_landscapes(o, landscape, s.count, diag);
  for (size_t i = 0; landscape != NULL && i < o->space.count; i++)
    cairn_study_landscape_free(landscape[i]);
  cairn_base_free(landscape);
  spaces_free(&s);
  return status;
}

/* ---- competitions ---- */

static cairn_status hold_contest(const study_options *o,
                                 const cairn_study_reading *how,
                                 cairn_base_diag *diag,
                                 cairn_study_contest **contest_p) {
  const cairn_study_racing racing = {.strategy = o->strategy.word,
                                     .strategies = o->strategy.count,
                                     .budget = o->budget,
                                     .budgets = o->budgets,
                                     .runs = o->runs > 0 ? o->runs : 50,
                                     .seed = o->seed,
                                     .jobs = o->jobs};
  spaces s = {0};
  cairn_status status = spaces_read(&o->space, how, diag, &s);
  if (status == CAIRN_OK)
    status = cairn_study_compete(s.space, s.count, &racing, diag, contest_p);
  spaces_free(&s);
  return status;
}

static cairn_status compete(const study_options *o,
                            const cairn_study_reading *how,
                            cairn_base_diag *diag) {
  cairn_study_contest *contest = NULL;
  cairn_study_verdict *verdict = NULL;
  cairn_base_text text = {0};
  cairn_status status = o->from != NULL
                            ? cairn_study_contest_read(o->from, diag, &contest)
                            : hold_contest(o, how, diag, &contest);
  if (status == CAIRN_OK)
    status = cairn_study_judge(contest, &o->judging, &verdict);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_study_verdict_report(verdict, o->report, diag);
  if (status == CAIRN_OK)
    status =
        print(cairn_study_verdict_format(verdict, format_of(o), &text), &text);
  cairn_study_verdict_free(verdict);
  cairn_study_contest_free(contest);
  return status;
}

/* ---- settings ---- */

static cairn_status choose_settings(const study_options *o,
                                    const cairn_study_reading *how,
                                    cairn_base_diag *diag) {
  const cairn_study_tuning tuning = {
      .strategy = o->settings,
      .grid = o->grid.word,
      .dimensions = o->grid.count,
      .budget = o->budget,
      .budgets = o->budgets,
      .repetitions = o->repetitions > 0 ? o->repetitions : 20,
      .seed = o->seed,
      .jobs = o->jobs,
      .judging = o->judging};
  spaces on = {0}, others = {0};
  cairn_study_choice *choice = NULL;
  cairn_base_text text = {0};
  cairn_status status = spaces_read(&o->tuning, how, diag, &on);
  if (status == CAIRN_OK && o->report_on.count > 0)
    status = spaces_read(&o->report_on, how, diag, &others);
  if (status == CAIRN_OK)
    status = cairn_study_choose(on.space, on.count, others.space, others.count,
                                &tuning, diag, &choice);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_study_choice_report(choice, o->report, diag);
  if (status == CAIRN_OK)
    status =
        print(cairn_study_choice_format(choice, format_of(o), &text), &text);
  cairn_study_choice_free(choice);
  spaces_free(&on);
  spaces_free(&others);
  return status;
}

/* ---- the command ---- */

static cairn_status study(const study_options *o, cairn_base_diag *diag) {
  static cairn_status (*const form[])(
      const study_options *, const cairn_study_reading *,
      cairn_base_diag *) = {[STUDY_LANDSCAPES] = landscapes,
                            [STUDY_COMPETE] = compete,
                            [STUDY_SETTINGS] = choose_settings};
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
    status = form[o->form](o, &how, diag);
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

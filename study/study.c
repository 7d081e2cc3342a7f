/* SPDX-License-Identifier: BSD-3-Clause
 *
 * study/study.c - a question about recorded spaces, from reading to report.
 */
#include "study/study-private.h"

/* Spaces, read. */
typedef struct spaces {
  cairn_study_space **space;
  size_t count;
} spaces;

static void spaces_free(spaces *s) {
  for (size_t i = 0; s->space != NULL && i < s->count; i++)
    cairn_study__space_free(s->space[i]);
  cairn_base_free(s->space);
}

static cairn_status spaces_read(const char *const *path, size_t count,
                                const cairn_study_reading *how,
                                cairn_base_diag *diag, spaces *s) {
  s->count = count;
  s->space = cairn_base_zalloc(count, sizeof(cairn_study_space *));
  return s->space == NULL
             ? CAIRN_NOMEM
             : cairn_study__spaces_read(path, count, how, diag, s->space);
}

/* ---- landscapes ---- */

static cairn_status show_landscapes(const cairn_study_options *o,
                                    cairn_study_landscape *const *landscape,
                                    size_t count, cairn_base_diag *diag,
                                    cairn_base_text *text) {
  cairn_status status = CAIRN_OK;
  if (o->report != NULL)
    status = cairn_study__landscapes_report(landscape, count, o->report, diag);
  if (status == CAIRN_OK)
    status = cairn_study__landscapes_format(landscape, count, o->format, text);
  return status;
}

static cairn_status landscapes(const cairn_study_options *o,
                               const cairn_study_reading *how,
                               cairn_base_diag *diag, cairn_base_text *text) {
  spaces s = {0};
  cairn_study_landscape_options options = o->landscape;
  cairn_study_landscape **const landscape =
      cairn_base_zalloc(o->spaces, sizeof(cairn_study_landscape *));
  cairn_status status = landscape == NULL ? CAIRN_NOMEM : CAIRN_OK;
  options.seed = o->seed;
  if (status == CAIRN_OK)
    status = spaces_read(o->space, o->spaces, how, diag, &s);
  for (size_t i = 0; i < s.count && status == CAIRN_OK; i++)
    status =
        cairn_study__space_landscape(s.space[i], &options, diag, &landscape[i]);
  if (status == CAIRN_OK)
    status = show_landscapes(o, landscape, s.count, diag, text);
  for (size_t i = 0; landscape != NULL && i < o->spaces; i++)
    cairn_study__landscape_free(landscape[i]);
  cairn_base_free(landscape);
  spaces_free(&s);
  return status;
}

/* ---- competitions ---- */

static cairn_status hold_contest(const cairn_study_options *o,
                                 const cairn_study_reading *how,
                                 cairn_base_diag *diag,
                                 cairn_study_contest **contest_p) {
  const cairn_study_racing racing = {.strategy = o->strategy,
                                     .strategies = o->strategies,
                                     .budget = o->budget,
                                     .budgets = o->budgets,
                                     .runs = o->runs > 0 ? o->runs : 50,
                                     .seed = o->seed,
                                     .jobs = o->jobs};
  spaces s = {0};
  cairn_status status = spaces_read(o->space, o->spaces, how, diag, &s);
  if (status == CAIRN_OK)
    status = cairn_study__compete(s.space, s.count, &racing, diag, contest_p);
  spaces_free(&s);
  return status;
}

static cairn_status compete(const cairn_study_options *o,
                            const cairn_study_reading *how,
                            cairn_base_diag *diag, cairn_base_text *text) {
  cairn_study_contest *contest = NULL;
  cairn_study_verdict *verdict = NULL;
  cairn_status status = o->from != NULL
                            ? cairn_study__contest_read(o->from, diag, &contest)
                            : hold_contest(o, how, diag, &contest);
  if (status == CAIRN_OK)
    status = cairn_study__judge(contest, &o->judging, &verdict);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_study__verdict_report(verdict, o->report, diag);
  if (status == CAIRN_OK)
    status = cairn_study__verdict_format(verdict, o->format, text);
  cairn_study__verdict_free(verdict);
  cairn_study__contest_free(contest);
  return status;
}

/* ---- settings ---- */

static cairn_status choose_settings(const cairn_study_options *o,
                                    const cairn_study_reading *how,
                                    cairn_base_diag *diag,
                                    cairn_base_text *text) {
  const cairn_study_tuning tuning = {
      .strategy = o->settings,
      .grid = o->grid,
      .dimensions = o->dimensions,
      .budget = o->budget,
      .budgets = o->budgets,
      .repetitions = o->repetitions > 0 ? o->repetitions : 20,
      .seed = o->seed,
      .jobs = o->jobs,
      .judging = o->judging};
  spaces on = {0}, others = {0};
  cairn_study_choice *choice = NULL;
  cairn_status status = spaces_read(o->tuning, o->tunings, how, diag, &on);
  if (status == CAIRN_OK && o->reports > 0)
    status = spaces_read(o->report_on, o->reports, how, diag, &others);
  if (status == CAIRN_OK)
    status = cairn_study__choose(on.space, on.count, others.space, others.count,
                                 &tuning, diag, &choice);
  if (status == CAIRN_OK && o->report != NULL)
    status = cairn_study__choice_report(choice, o->report, diag);
  if (status == CAIRN_OK)
    status = cairn_study__choice_format(choice, o->format, text);
  cairn_study__choice_free(choice);
  spaces_free(&on);
  spaces_free(&others);
  return status;
}

/* ---- all of it ---- */

cairn_status cairn_study_run(const cairn_study_options *options,
                             cairn_base_diag *diag, cairn_base_text *text) {
  static cairn_status (*const answer[])(
      const cairn_study_options *, const cairn_study_reading *,
      cairn_base_diag *,
      cairn_base_text *) = {[CAIRN_STUDY_LANDSCAPES] = landscapes,
                            [CAIRN_STUDY_COMPETE] = compete,
                            [CAIRN_STUDY_SETTINGS] = choose_settings};
  const cairn_study_reading how = {.program = options->program,
                                   .objective = options->objective,
                                   .salvage = options->salvage};
  cairn_status status = CAIRN_OK;
  if (options->report != NULL)
    status = cairn_study__report_folder(options->report, diag);
  if (status == CAIRN_OK)
    status = answer[options->question](options, &how, diag, text);
  return status;
}

cairn_status cairn_study_estimate(const cairn_dag_program *program,
                                  unsigned streams, const char *journal,
                                  uint64_t seed, cairn_base_diag *diag,
                                  cairn_study_difficulty *difficulty_p) {
  const cairn_study_reading how = {.program = program};
  cairn_study_space *space = NULL;
  cairn_status status =
      cairn_study__spaces_read(&journal, 1, &how, diag, &space);
  if (status == CAIRN_OK)
    status = cairn_study__estimate(program, streams, space, seed, diag,
                                   difficulty_p);
  cairn_study__space_free(space);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-explain.c - the results of a run, kept for its end, and the
 * classes and rules of them: the same that `cairn classify` finds in the
 * journal.
 *
 * Invariant: kept[i] is the result with id i; its strings are its own.
 */
#include <math.h>
#include <string.h>

#include "classify/data/data-private.h"
#include "classify/judge/committee-private.h"
#include "explore.h"
#include "mcts/search-private.h"
#include <cairn/classify.h>
#include <cairn/journal.h>
#include <cairn/mcts.h>

cairn_status explore_keep(explore_job *job,
                          const cairn_journal_result *result) {
  if (cairn_base_reserve(&job->kept, &job->kept_capacity, job->kept_count + 1,
                         sizeof *job->kept) != CAIRN_OK)
    return CAIRN_NOMEM;
  explore_kept *kept = &job->kept[job->kept_count];
  kept->schedule = cairn_base_strdup(result->schedule);
  if (kept->schedule == NULL)
    return CAIRN_NOMEM;
  kept->result = *result;
  kept->result.schedule = kept->schedule;
  kept->result.message = NULL;
  kept->result.fact = NULL;
  kept->result.facts = 0;
  job->kept_count++;
  return explore_failures_add(job, result);
}

void explore_keep_refined(explore_job *job,
                          const cairn_journal_result *result) {
  cairn_journal_result *kept = &job->kept[result->id].result;
  kept->times = result->times;
  kept->corrected = result->corrected;
  kept->uncorrected = result->uncorrected;
  kept->finalist = result->finalist;
}

void explore_keep_free(explore_job *job) {
  for (size_t i = 0; i < job->kept_count; i++)
    cairn_base_free(job->kept[i].schedule);
  cairn_base_free(job->kept);
  cairn_base_free(job->named);
}

static cairn_status add(explore_job *job, cairn_classify_data *data,
                        const explore_kept *kept) {
  const cairn_journal_result *result = &kept->result;
  const cairn_classify_measure measure =
      cairn_classify__measure_of(result, job->options->objective);
  const int timed = result->outcome == CAIRN_BASE_OUTCOME_OK ||
                    result->outcome == CAIRN_BASE_OUTCOME_PRUNED;
  if (!timed || !(measure.time > 0))
    return CAIRN_OK;
  return cairn_classify_data_add(data, result->schedule,
                                 strlen(result->schedule), &measure,
                                 job->journal_path, result->line, job->diag);
}

cairn_status explore_explain_data(explore_job *job,
                                  cairn_classify_data **data_p) {
  cairn_classify_data *data;
  cairn_status status = cairn_classify_data_create(&data);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < job->kept_count && status == CAIRN_OK; i++)
    status = add(job, data, &job->kept[i]);
  if (status == CAIRN_OK && cairn_classify_data_count(data) == 0)
    status = CAIRN_FINDINGS;
  if (status == CAIRN_OK)
    *data_p = data;
  else
    cairn_classify_data_free(data);
  return status;
}

static cairn_status write_report(explore_job *job,
                                 const cairn_classify_analysis *analysis) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu", (unsigned long long)job->options->seed);
  const cairn_classify_fact fact[] = {
      {"program", cairn_dag_program_name(job->program)},
      {"journal", job->journal_path != NULL ? job->journal_path : "none"},
      {"strategy", cairn_mcts__strategy_name(job->search)},
      {"seed", seed},
      {"objective", job->options->objective}};
  return cairn_classify_report_write(analysis, fact,
                                     sizeof fact / sizeof fact[0],
                                     job->options->report, job->diag);
}

cairn_status explore_explain(explore_job *job, int json,
                             cairn_base_text *text) {
  cairn_classify_options how;
  cairn_classify_analysis *analysis = NULL;
  cairn_classify_data *data = NULL;
  cairn_classify_defaults(&how);
  cairn_status status = explore_explain_data(job, &data);
  if (status != CAIRN_OK)
    return status;
  status = cairn_classify_analyse(data, &how, &analysis);
  if (status == CAIRN_OK)
    status = json ? cairn_classify_report(analysis, CAIRN_CLASSIFY_JSON, NULL,
                                          0, text)
                  : cairn_classify_report(analysis, CAIRN_CLASSIFY_TEXT, NULL,
                                          0, text);
  if (status == CAIRN_OK && text->failed)
    status = CAIRN_NOMEM;
  if (status == CAIRN_OK && job->options->report != NULL)
    status = write_report(job, analysis);
  cairn_classify_analysis_free(analysis);
  cairn_classify_data_free(data);
  return status;
}

/* ---- the teacher of strategy "rules" ---- */

static cairn_classify_lesson *lessons_of(const cairn_mcts_sample *sample,
                                         size_t count) {
  cairn_classify_lesson *lesson = cairn_base_alloc(count + 1, sizeof *lesson);
  for (size_t i = 0; lesson != NULL && i < count; i++)
    lesson[i] = (cairn_classify_lesson){sample[i].items, sample[i].count,
                                        sample[i].time_s};
  return lesson;
}

cairn_status explore_teach(void *context, const cairn_mcts_sample *measured,
                           size_t measured_count,
                           const cairn_mcts_sample *candidate,
                           size_t candidate_count, double *score) {
  const explore_job *job = context;
  cairn_classify_committee_options how;
  cairn_classify__committee_defaults(&how);
  how.seed = job->options->seed;
  cairn_classify_lesson *known = lessons_of(measured, measured_count);
  cairn_classify_lesson *open = lessons_of(candidate, candidate_count);
  cairn_status status =
      known == NULL || open == NULL
          ? CAIRN_NOMEM
          : cairn_classify__committee_items(job->program, known, measured_count,
                                            open, candidate_count, &how, score);
  cairn_base_free(known);
  cairn_base_free(open);
  return status;
}

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/explore-explain.c - the classes and rules of what a search measured: the
 * same that `cairn classify` finds in its journal.
 */
#include <math.h>
#include <string.h>

#include "explore.h"

cairn_status explore_explain_add(explore_job *job,
                                 const cairn_dag_result *result) {
  const cairn_classify_measure measure = {
      .id = result->id,
      .time = cairn_dag_result_time(result, job->options->objective),
      .p01 = result->p01,
      .p10 = result->p10,
      .p50 = result->p50,
      .p90 = result->p90,
      .p99 = result->p99};
  if (result->outcome != CAIRN_DAG_OUTCOME_OK || !(measure.time > 0))
    return CAIRN_OK;
  return cairn_classify_data_add(job->data, result->schedule,
                                 strlen(result->schedule), &measure,
                                 job->journal_path, result->line, job->diag);
}

cairn_status explore_explain(explore_job *job, int json,
                             cairn_base_text *text) {
  cairn_classify_options how;
  cairn_classify_analysis *analysis = NULL;
  cairn_classify_defaults(&how);
  if (cairn_classify_data_count(job->data) == 0)
    return CAIRN_FINDINGS;
  cairn_status status = cairn_classify_analyse(job->data, &how, &analysis);
  if (status == CAIRN_OK)
    status = json ? cairn_classify_report_json(analysis, text)
                  : cairn_classify_report_text(analysis, text);
  if (status == CAIRN_OK && text->failed)
    status = CAIRN_NOMEM;
  cairn_classify_analysis_free(analysis);
  return status;
}

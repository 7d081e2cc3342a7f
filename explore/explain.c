/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/explain.c - classes and rules of the results of a run: the same that
 * `cairn classify` finds in the journal.  And the teacher of strategy "rules".
 */
#include <stdio.h>
#include <string.h>

#include "classify/data/data-private.h"
#include "classify/judge/analysis-private.h"
#include "classify/judge/committee-private.h"
#include "classify/label/label-private.h"
#include "explore/explore-private.h"
#include "mcts/search-private.h"

static cairn_status add(cairn_explore_session *session,
                        cairn_classify_data *data,
                        const cairn_explore_kept *kept) {
  const cairn_journal_result *result = &kept->result;
  const cairn_classify_measure measure =
      cairn_classify__measure_of(result, session->objective);
  const int timed = result->outcome == CAIRN_BASE_OUTCOME_OK ||
                    result->outcome == CAIRN_BASE_OUTCOME_PRUNED;
  if (!timed || !(measure.time > 0))
    return CAIRN_OK;
  return cairn_classify__data_add(
      data, result->schedule, strlen(result->schedule), &measure,
      session->journal_path, result->line, session->diag);
}

/* All schedules with a time.  CAIRN_FINDINGS: there is none. */
static cairn_status gather(cairn_explore_session *session,
                           cairn_classify_data **data_p) {
  cairn_classify_data *data;
  cairn_status status = cairn_classify_data_create(&data);
  if (status != CAIRN_OK)
    return status;
  for (size_t i = 0; i < session->kept_count && status == CAIRN_OK; i++)
    status = add(session, data, &session->kept[i]);
  if (status == CAIRN_OK && cairn_classify_data_count(data) == 0)
    status = CAIRN_FINDINGS;
  if (status == CAIRN_OK)
    *data_p = data;
  else
    cairn_classify_data_free(data);
  return status;
}

static cairn_status write_report(cairn_explore_session *session) {
  char seed[24];
  snprintf(seed, sizeof seed, "%llu",
           (unsigned long long)session->options->seed);
  const cairn_classify_fact fact[] = {
      {"program", cairn_dag_program_name(session->program)},
      {"journal",
       session->journal_path != NULL ? session->journal_path : "none"},
      {"strategy", cairn_mcts__strategy_name(session->search)},
      {"seed", seed},
      {"objective", session->objective}};
  return cairn_classify_report_write(session->analysis, fact,
                                     sizeof fact / sizeof fact[0],
                                     session->options->report, session->diag);
}

cairn_status cairn_explore__explain(cairn_explore_session *session) {
  cairn_classify_options how;
  cairn_classify_defaults(&how);
  cairn_status status = gather(session, &session->data);
  if (status == CAIRN_OK)
    status = cairn_classify_analyse(session->data, &how, &session->analysis);
  if (status == CAIRN_OK && session->options->report != NULL)
    status = write_report(session);
  return status;
}

/* ---- one of each class ---- */

static void pick_typical(const cairn_classify_data *data,
                         const cairn_classify_labels *labels, size_t most,
                         uint64_t *id, size_t *count_p) {
  *count_p = labels->classes < most ? labels->classes : most;
  for (size_t c = 0; c < *count_p; c++) {
    size_t members = 0, seen = 0;
    for (size_t i = 0; i < labels->count; i++)
      members += labels->label[i] == c;
    for (size_t i = 0; i < labels->count; i++) {
      const uint32_t row = labels->order[i]; /* by time */
      if (labels->label[row] == c && seen++ == members / 2)
        id[c] = cairn_classify__data_measure(data, row)->id;
    }
  }
}

cairn_status cairn_explore__typical(cairn_explore_session *session, size_t most,
                                    uint64_t *id, size_t *count_p) {
  cairn_classify_options how;
  cairn_classify_data *data = NULL;
  cairn_classify_labels *labels = NULL;
  cairn_classify_defaults(&how);
  *count_p = 0;
  cairn_status status = gather(session, &data);
  if (status == CAIRN_FINDINGS)
    return CAIRN_OK;
  if (status == CAIRN_OK)
    status = cairn_classify__data_label(data, &how.label, &labels);
  if (status == CAIRN_OK)
    pick_typical(data, labels, most, id, count_p);
  cairn_classify__labels_free(labels);
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

cairn_status cairn_explore__teach(void *context,
                                  const cairn_mcts_sample *measured,
                                  size_t measured_count,
                                  const cairn_mcts_sample *candidate,
                                  size_t candidate_count, double *score) {
  const cairn_explore_session *session = context;
  cairn_classify_committee_options how;
  cairn_classify__committee_defaults(&how);
  how.seed = session->options->seed;
  cairn_classify_lesson *known = lessons_of(measured, measured_count);
  cairn_classify_lesson *open = lessons_of(candidate, candidate_count);
  cairn_status status = known == NULL || open == NULL
                            ? CAIRN_NOMEM
                            : cairn_classify__committee_items(
                                  session->program, known, measured_count, open,
                                  candidate_count, &how, score);
  cairn_base_free(known);
  cairn_base_free(open);
  return status;
}

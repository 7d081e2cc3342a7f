/* SPDX-License-Identifier: BSD-3-Clause
 *
 * explore/result.c - what is handed out at the end of a run.  It outlives the
 * executor and the world, so what belongs to them is copied.
 */
#include <math.h>

#include "base/text-private.h"
#include "exec/drive-private.h"
#include "explore/explore-private.h"
#include "mcts/search-private.h"

static cairn_status fill_machine(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  const cairn_exec *exec = session->ranks.exec;
  if (exec == NULL)
    return CAIRN_OK;
  const cairn_exec_info *info = cairn_exec__info_get(exec);
  session->backend = cairn_base_strdup(info->backend);
  session->device = cairn_base_zalloc(info->devices + 1, sizeof(char *));
  if (session->backend == NULL || session->device == NULL)
    return CAIRN_NOMEM;
  for (; out->devices < info->devices; out->devices++) {
    session->device[out->devices] =
        cairn_base_strdup(info->device[out->devices]);
    if (session->device[out->devices] == NULL)
      return CAIRN_NOMEM;
  }
  out->backend = session->backend;
  out->device = (const char *const *)session->device;
  out->ranks = cairn_exec_world_size(session->world);
  out->verified = session->ranks.plan.verify;
  return CAIRN_OK;
}

static cairn_status fill_failures(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  const unsigned ops = cairn_dag_program_ops(session->program);
  for (size_t i = 0; i < session->kept_count; i++)
    out->outcome[session->kept[i].result.outcome]++;
  if (session->named == NULL)
    return CAIRN_OK;
  session->named_ops = cairn_base_alloc(ops, sizeof *session->named_ops);
  if (session->named_ops == NULL)
    return CAIRN_NOMEM;
  for (unsigned op = 1; op + 1 < ops; op++)
    if (session->named[op] > 0)
      session->named_ops[out->nameds++] = (cairn_explore_named){
          cairn_dag_program_op(session->program, op)->name, session->named[op]};
  out->named = session->named_ops;
  return CAIRN_OK;
}

/* The best schedule by the better numbers. */
static void refined_best(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  double best_s = INFINITY;
  for (size_t i = 0; i < session->refined.finalists; i++) {
    const uint64_t id = session->refined.finalist[i].id;
    if (id == CAIRN_EXPLORE_PROGRAM_ORDER)
      continue;
    const double time_s = cairn_base_times_objective(
        &session->kept[id].result.times, session->objective);
    if (time_s < best_s) {
      best_s = out->best_s = time_s;
      out->best = id;
    }
  }
}

/* Likewise, when the run that is resumed had measured again. */
static void recorded_best(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  double best_s = INFINITY;
  for (size_t id = 0; id < session->kept_count; id++) {
    const cairn_journal_result *const kept = &session->kept[id].result;
    const double time_s =
        cairn_base_times_objective(&kept->times, session->objective);
    if (kept->finalist && time_s < best_s) {
      best_s = out->best_s = time_s;
      out->best = id;
    }
  }
}

static cairn_status fill_best(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  const cairn_dag_item *items;
  size_t count;
  cairn_mcts_result best;
  cairn_base_text text = {0};
  if (cairn_mcts_best(session->search, &out->best) != CAIRN_OK)
    return CAIRN_OK;
  cairn_mcts__get(session->search, out->best, NULL, NULL, &best);
  out->best_s = best.time_s;
  if (session->refined.done)
    refined_best(session);
  else if (session->refined.before)
    recorded_best(session);
  cairn_mcts__get(session->search, out->best, &items, &count, NULL);
  const cairn_status status =
      cairn_dag_schedule_format(session->program, items, count, &text);
  session->best_text = text.data;
  if (status != CAIRN_OK || text.failed)
    return status != CAIRN_OK ? status : CAIRN_NOMEM;
  out->best_schedule = text.data;
  return CAIRN_OK;
}

static void fill_refined(cairn_explore_session *session) {
  const cairn_explore_refined *r = &session->refined;
  cairn_explore_result *out = &session->result;
  out->refined = r->done;
  out->rounds = r->rounds;
  out->placements = r->placements;
  out->final_rounds = r->final_rounds;
  out->throttled_rounds = r->throttled;
  out->refined_drift = r->quality.drift;
  out->finalist = r->finalist;
  out->finalists = r->finalists;
  out->classes = r->classes;
}

cairn_status cairn_explore__result_fill(cairn_explore_session *session) {
  cairn_explore_result *out = &session->result;
  *out = (cairn_explore_result){
      .program = session->program,
      .streams = session->streams,
      .strategy = cairn_mcts__strategy_name(session->search),
      .objective = session->objective,
      .recorded = session->options->recorded,
      .evaluations = cairn_mcts_evaluations(session->search),
      .failures = cairn_mcts__failures(session->search),
      .stopped = cairn_mcts__stop_reason(session->search),
      .analysis = session->analysis,
      .journal = session->journal_path};
  out->curve = cairn_mcts__curve(session->search, &out->points);
  if (session->source->bench != NULL)
    cairn_explore__trust_fill(session, &out->trust);
  fill_refined(session);
  cairn_status status = fill_machine(session);
  if (status == CAIRN_OK)
    status = fill_failures(session);
  return status == CAIRN_OK ? fill_best(session) : status;
}

void cairn_explore__free(cairn_explore_session *session) {
  if (session == NULL)
    return;
  for (size_t i = 0; session->device != NULL && i < session->result.devices;
       i++)
    cairn_base_free(session->device[i]);
  cairn_base_free(session->device);
  cairn_base_free(session->backend);
  cairn_base_free(session->best_text);
  cairn_base_free(session->named_ops);
  cairn_classify_analysis_free(session->analysis);
  cairn_classify_data_free(session->data);
  cairn_mcts_free(session->search);
  cairn_explore__keep_free(session);
  cairn_journal_run_free(session->old);
  cairn_base_text_free(&session->text);
  cairn_base_free(session->journal_path);
  cairn_explore__table_free(session->table);
  cairn_dag_program_free(session->own_program);
  cairn_base_free(session);
}

/* ---- on demand ---- */

static const cairn_explore_session *
session_of(const cairn_explore_result *result) {
  return (const cairn_explore_session *)result;
}

cairn_status cairn_explore_share(const cairn_explore_result *result,
                                 double *share_p, cairn_dag_size *size_p) {
  return cairn_mcts__share(session_of(result)->search, share_p, size_p);
}

/* With noise the recorded time counts, not the one drawn. */
uint64_t cairn_explore_evaluations_to(const cairn_explore_result *result,
                                      double factor) {
  const cairn_explore_session *session = session_of(result);
  if (session->table == NULL)
    return 0;
  const double target_s =
      cairn_explore__table_best(session->table, session->objective) * factor;
  if (session->options->noise == 0)
    return cairn_mcts__evaluations_to(session->search, target_s);
  for (uint64_t id = 0; id < result->evaluations; id++) {
    const cairn_dag_item *items;
    size_t count;
    cairn_mcts__get(session->search, id, &items, &count, NULL);
    const cairn_journal_result *found =
        cairn_explore__table_find(session->table, items, count);
    if (found != NULL && cairn_base_times_objective(
                             &found->times, session->objective) <= target_s)
      return id + 1;
  }
  return 0;
}

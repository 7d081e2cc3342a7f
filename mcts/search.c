/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/search.c - the search: options, propose and report, the run loop.
 *
 * The step-wise calls are all there is: run and resume go through them, so a
 * resumed search is the uninterrupted one.  Invariant: a proposal is open, or
 * the strategy has been told every result in the cache.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/clock-private.h"
#include "base/rng-private.h"
#include "dag/program/program-private.h"
#include "dag/prove/prove-private.h"
#include "dag/schedule/schedule-private.h"
#include "dag/space/walk-private.h"
#include "mcts/mcts-private.h"
#include "mcts/search-private.h"
#include <cairn/mcts.h>

/* ---- making one ---- */

static cairn_status find_policy(cairn_mcts *search, const char *name,
                                cairn_base_diag *diag) {
  size_t count;
  const cairn_mcts_strategy *const *const all = cairn_mcts_strategies(&count);
  const char *names[64], *near;
  if (!name)
    name = cairn_mcts_strategy_default();
  if ((search->policy = cairn_mcts__policy_find(name)))
    return CAIRN_OK;
  if ((near = cairn_mcts_strategy_instead(name))) {
    cairn_base_diag_error(
        diag, "strategy \"%s\" was removed; use \"%s\" instead", name, near);
    return CAIRN_USAGE;
  }
  for (size_t i = 0; i < count; i++)
    names[i] = all[i]->name;
  near = cairn_base_text_nearest(name, names, count);
  cairn_base_diag_error(diag,
                        "there is no strategy \"%s\"%s%s%s; --strategy help "
                        "lists them",
                        name, near ? ", did you mean \"" : "", near ? near : "",
                        near ? "\"" : "");
  return CAIRN_USAGE;
}

static cairn_status set_one(cairn_mcts *search,
                            const cairn_mcts_setting *setting,
                            cairn_base_diag *diag) {
  const cairn_mcts_strategy *const about = &search->policy->about;
  for (size_t i = 0; i < about->tunables; i++) {
    const cairn_mcts_tunable *const t = about->tunable + i;
    char *end;
    double value;
    if (strcmp(t->name, setting->name))
      continue;
    errno = 0;
    value = cairn_base_to_double(setting->value, &end);
    if (end == setting->value || *end || !(value >= t->min) ||
        !(value <= t->max) || (t->whole && value != floor(value))) {
      cairn_base_diag_error(
          diag, "strategy %s: %s=%s: expected a %snumber from %g to %g",
          about->name, t->name, setting->value, t->whole ? "whole " : "",
          t->min, t->max);
      return CAIRN_USAGE;
    }
    search->tune[i] = value;
    return CAIRN_OK;
  }
  cairn_base_diag_error(diag,
                        "strategy %s has no setting \"%s\"; --strategy help "
                        "lists them",
                        about->name, setting->name);
  return CAIRN_USAGE;
}

static cairn_status set_tunables(cairn_mcts *search,
                                 const cairn_mcts_options *options,
                                 cairn_base_diag *diag) {
  const cairn_mcts_strategy *const about = &search->policy->about;
  cairn_status status = CAIRN_OK;
  search->tune = cairn_base_zalloc(about->tunables, sizeof *search->tune);
  if (!search->tune)
    return CAIRN_NOMEM;
  for (size_t i = 0; i < about->tunables; i++)
    search->tune[i] = about->tunable[i].value;
  for (size_t i = 0; i < options->settings && !status; i++)
    status = set_one(search, options->setting + i, diag);
  if (!status && about->needs_teacher && !options->teach) {
    cairn_base_diag_error(diag, "strategy %s needs a teacher", about->name);
    status = CAIRN_USAGE;
  }
  return status;
}

static cairn_status make_scratch(cairn_mcts *search) {
  search->max_items =
      cairn_dag__program_max_items(search->program, search->streams) + 1;
  search->candidate =
      cairn_base_alloc(search->max_items, sizeof *search->candidate);
  if (!search->candidate)
    return CAIRN_NOMEM;
  return cairn_dag__walk_create(search->program, search->streams,
                                &search->walk);
}

static cairn_status check_streams(unsigned streams, cairn_base_diag *diag) {
  if (streams >= 1 && streams <= CAIRN_DAG_MAX_STREAMS)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "%u streams: expected 1 to %d", streams,
                        CAIRN_DAG_MAX_STREAMS);
  return CAIRN_USAGE;
}

cairn_status cairn_mcts_create(const cairn_dag_program *program,
                               const cairn_mcts_options *options,
                               cairn_base_diag *diag, cairn_mcts **search_p) {
  cairn_mcts *const search = cairn_base_zalloc(1, sizeof *search);
  cairn_status status;
  if (!search)
    return CAIRN_NOMEM;
  search->program = program;
  search->streams =
      options->streams ? options->streams : cairn_dag_program_streams(program);
  search->sync = options->sync;
  search->seed = options->seed;
  search->budget = options->budget;
  search->time_s = options->time_s;
  search->stop_flag = options->stop;
  search->teach = options->teach;
  search->teach_context = options->teach_context;
  search->best = CAIRN_MCTS_NONE;
  cairn_base__rng_seed(&search->rng, options->seed);
  if (!(status = check_streams(search->streams, diag)) &&
      !(status = find_policy(search, options->strategy, diag)) &&
      !(status = set_tunables(search, options, diag)) &&
      !(status = make_scratch(search)) && search->policy->create)
    status = search->policy->create(search);
  if (status)
    cairn_mcts_free(search);
  else
    *search_p = search;
  return status;
}

void cairn_mcts_free(cairn_mcts *search) {
  if (!search)
    return;
  if (search->policy && search->policy->destroy)
    search->policy->destroy(search);
  cairn_mcts__sweep_free(&search->sweep);
  cairn_mcts__cache_free(&search->cache);
  cairn_mcts__cache_free(&search->prior);
  cairn_dag__walk_free(search->walk);
  cairn_base_free(search->candidate);
  cairn_base_free(search->curve);
  cairn_base_free(search->tune);
  cairn_base_free(search);
}

/* ---- step by step ---- */

static cairn_mcts_stop why_stop(cairn_mcts *search) {
  if (search->stop_flag && *search->stop_flag)
    return CAIRN_MCTS_SIGNAL;
  if (search->budget && search->cache.records >= search->budget)
    return CAIRN_MCTS_BUDGET;
  if (search->time_s > 0) {
    const double t = cairn_base__now_s();
    if (!(search->deadline > 0))
      search->deadline = t + search->time_s;
    if (t >= search->deadline)
      return CAIRN_MCTS_TIME;
  }
  return CAIRN_MCTS_RUNNING;
}

cairn_status cairn_mcts_propose(cairn_mcts *search,
                                cairn_mcts_proposal *proposal_p) {
  if (!search->open) {
    cairn_status status;
    if ((search->reason = why_stop(search)) != CAIRN_MCTS_RUNNING)
      return CAIRN_EXHAUSTED;
    status = search->policy->next(search);
    if (status == CAIRN_EXHAUSTED && search->reason == CAIRN_MCTS_RUNNING)
      search->reason = CAIRN_MCTS_EXHAUSTED;
    if (status)
      return status;
    search->open = 1;
  }
  *proposal_p = (cairn_mcts_proposal){search->cache.records, search->candidate,
                                      search->candidate_count};
  return CAIRN_OK;
}

static int makes_sense(const cairn_mcts_result *result) {
  const int timed = result->time_s > 0 && isfinite(result->time_s);
  return result->outcome != CAIRN_BASE_OUTCOME_OK || timed;
}

/* Best, slowest and curve, after a record was added. */
static cairn_status keep_best(cairn_mcts *search, uint32_t record) {
  const double time_s = cairn_mcts__time(search, record);
  cairn_status status;
  const cairn_base_outcome outcome =
      search->cache.record[record].result.outcome;
  if (outcome != CAIRN_BASE_OUTCOME_OK) {
    search->failures += outcome != CAIRN_BASE_OUTCOME_PRUNED;
    return CAIRN_OK;
  }
  if (!(time_s <= search->slowest_s))
    search->slowest_s = time_s;
  if (search->best != CAIRN_MCTS_NONE &&
      !(time_s < cairn_mcts__time(search, search->best)))
    return CAIRN_OK;
  if ((status = cairn_base_reserve(&search->curve, &search->point_capacity,
                                   search->points + 1, sizeof *search->curve)))
    return status;
  search->best = record;
  search->curve[search->points++] =
      (cairn_mcts_point){search->cache.records, time_s};
  return CAIRN_OK;
}

cairn_status cairn_mcts_report(cairn_mcts *search, uint64_t id,
                               const cairn_mcts_result *result) {
  cairn_mcts_result kept = *result;
  cairn_status status;
  if (!search->open || id != search->cache.records || !makes_sense(result))
    return CAIRN_USAGE;
  if (kept.outcome != CAIRN_BASE_OUTCOME_OK &&
      kept.outcome != CAIRN_BASE_OUTCOME_PRUNED)
    kept.time_s = NAN;
  status =
      cairn_mcts__cache_add(&search->cache, search->candidate_key,
                            search->candidate, search->candidate_count, &kept);
  if (status)
    return status;
  search->open = 0;
  if (!(status = keep_best(search, (uint32_t)id)) && search->policy->told)
    status = search->policy->told(search, (uint32_t)id);
  return status;
}

void cairn_mcts__set_budget(cairn_mcts *search, uint64_t budget,
                            double time_s) {
  search->budget = budget;
  search->time_s = time_s;
  search->deadline = time_s > 0 ? cairn_base__now_s() + time_s : 0;
}

/* ---- what is known before ---- */

cairn_status cairn_mcts__resume(cairn_mcts *search, const cairn_dag_item *items,
                                size_t count, const cairn_mcts_result *result,
                                cairn_base_diag *diag) {
  cairn_mcts_proposal proposal;
  cairn_dag_schedule copy = {0};
  size_t kept = 0;
  int same;
  cairn_status status = cairn_mcts_propose(search, &proposal);
  if (!status)
    status = cairn_dag_schedule_set(&copy, items, count);
  if (status)
    return status;
  cairn_dag__schedule_renumber(copy.items, copy.count);
  if (search->sync == CAIRN_DAG_SYNC_MINIMAL)
    status = cairn_dag__schedule_minimize(search->program, copy.items,
                                          copy.count, &kept);
  else
    kept = cairn_dag__schedule_tidy(copy.items, copy.count);
  same = kept == proposal.count &&
         !memcmp(copy.items, proposal.items, kept * sizeof *copy.items);
  cairn_dag_schedule_free(&copy);
  if (status)
    return status;
  if (same)
    return cairn_mcts_report(search, proposal.id, result);
  cairn_base_diag_error(diag,
                        "result %llu of the journal is not what this search "
                        "proposes: program, strategy, settings, seed, streams, "
                        "sync mode, objective or prior differ from the first "
                        "run",
                        (unsigned long long)proposal.id);
  return CAIRN_INPUT;
}

/* ---- all at once ---- */

cairn_status cairn_mcts_run(cairn_mcts *search, cairn_mcts_evaluate evaluate,
                            void *context, cairn_base_diag *diag) {
  cairn_mcts_proposal proposal;
  cairn_status status;
  while (!(status = cairn_mcts_propose(search, &proposal))) {
    cairn_mcts_result result = {CAIRN_BASE_OUTCOME_OK, NAN, NAN, NAN, 0};
    if ((status = evaluate(context, proposal.items, proposal.count, proposal.id,
                           &result)) ||
        (status = cairn_mcts_report(search, proposal.id, &result)))
      return status;
  }
  if (status != CAIRN_EXHAUSTED)
    return status;
  if (search->best != CAIRN_MCTS_NONE)
    return CAIRN_OK;
  cairn_base_diag_error(diag,
                        "nothing was measured: %llu schedules tried, none gave "
                        "a time (stopped by: %s)",
                        (unsigned long long)search->cache.records,
                        cairn_mcts_stop_text(search->reason));
  return CAIRN_FINDINGS;
}

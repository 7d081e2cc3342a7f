/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/drive.c - rank 0's side: each call becomes requests to all ranks, and
 * their replies one answer.
 */
#include "dag/prove/prove-private.h"
#include "exec/drive-private.h"
#include "exec/store-private.h"
#include "timing/sample-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define SLACK_MAX_NS 5000000
#define SLACK_MIN_NS 5000
#define LATE_CHUNKS 4 /* with many late starts, before the barrier is used */

/* ---- requests ---- */

/* The watchdog's limit for one execution of a schedule. */
static uint64_t limit_ns(const cairn_exec *exec, uint64_t id) {
  const double hang_ns = exec->options.hang_s * 1e9;
  if (hang_ns <= 0)
    return 0;
  if (exec->best_ns == 0)
    return (uint64_t)(6 * hang_ns);
  double limit = 100.0 * (double)exec->best_ns;
  const cairn_exec_schedule *schedule = cairn_exec__store_find(exec, id);
  if (schedule && 20.0 * (double)schedule->first_ns > limit)
    limit = 20.0 * (double)schedule->first_ns;
  return (uint64_t)(limit > hang_ns ? limit : hang_ns);
}

static uint64_t verify_limit_ns(const cairn_exec *exec) {
  const double least = 6e9 * exec->options.hang_s;
  const double most = 20.0 * (double)exec->longest_verify_ns;
  return (uint64_t)(most > least ? most : least);
}

static cairn_exec_request request_for(const cairn_exec *exec,
                                      cairn_exec_kind kind, uint64_t id) {
  cairn_exec_request request = {0};
  request.kind = (uint32_t)kind;
  request.id = id;
  request.slack_ns = exec->slack_ns;
  request.start = (uint32_t)exec->start;
  request.limit_ns = limit_ns(exec, id);
  request.verify_ns = exec->options.hang_s > 0 ? verify_limit_ns(exec) : 0;
  return request;
}

static cairn_status send(cairn_exec *exec, cairn_exec_request *request,
                         const void *payload) {
  const int fits = request->length <= CAIRN_EXEC_INLINE;
  if (fits && request->length)
    memcpy(request->payload, payload, (size_t)request->length);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_PREPARE, request->limit_ns);
  cairn_status status =
      cairn_exec__comm_bcast(exec->world, request, sizeof *request, 0);
  if (status || fits)
    return status;
  status = cairn_exec_world_agree(exec->world, CAIRN_OK, NULL);
  if (status)
    return status;
  return cairn_exec__comm_bcast(exec->world, (void *)(uintptr_t)payload,
                                (size_t)request->length, 0);
}

/* Sends a request from rank 0 and obeys it. */
static cairn_status order(cairn_exec *exec, cairn_exec_request *request,
                          const void *payload) {
  if (exec->stopped || exec->broken)
    return CAIRN_INTERNAL;
  request->hash = XXH3_64bits(payload, (size_t)request->length);
  cairn_status status = send(exec, request, payload);
  if (status == CAIRN_OK)
    status = cairn_exec__obey(exec, request, payload);
  else if (status == CAIRN_NOMEM)
    cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
  if (status && status != CAIRN_NOMEM)
    exec->broken = 1;
  return status;
}

/* ---- replies ---- */

/* The replies of the last order as one outcome and status. */
static cairn_status verdict(cairn_exec *exec, cairn_base_execution *outcome_p) {
  const int ranks = exec->place.ranks;
  int guilty = -1, fatal = 0;
  cairn_status status = CAIRN_OK;
  cairn_base_execution outcome = {.outcome = CAIRN_BASE_OUTCOME_OK};
  for (int r = 0; r < ranks; r++) {
    const cairn_exec_reply *reply = exec->replies + r;
    if (reply->status > (int32_t)status)
      status = (cairn_status)reply->status;
    if (reply->signal)
      exec->signal = reply->signal;
    cairn_exec__clock_hear(exec, reply);
    if (reply->verify_ns > exec->longest_verify_ns)
      exec->longest_verify_ns = reply->verify_ns;
    fatal |= reply->fatal;
    const int bad = reply->status || reply->outcome;
    /* a failing op explains wrong numbers, so it is told first */
    if (bad && (guilty < 0 || (reply->outcome == CAIRN_BASE_OUTCOME_FAILED &&
                               outcome.outcome == CAIRN_BASE_OUTCOME_WRONG))) {
      guilty = r;
      outcome.outcome = (cairn_base_outcome)reply->outcome;
    }
  }
  if (guilty >= 0)
    snprintf(outcome.message, sizeof outcome.message, "rank %d: %s", guilty,
             exec->replies[guilty].message);
  if (fatal) {
    exec->broken = 1;
    status = CAIRN_RESUMABLE;
  }
  if (outcome_p)
    *outcome_p = outcome;
  return status;
}

int cairn_exec_signal(const cairn_exec *exec) {
  if (exec->options.signal && *exec->options.signal)
    return (int)*exec->options.signal;
  return exec->signal;
}

/* ---- the calls ---- */

cairn_status cairn_exec_stop(cairn_exec *exec, cairn_status status) {
  if (exec->stopped)
    return CAIRN_OK;
  cairn_exec_request request = request_for(exec, CAIRN_EXEC_DO_STOP, 0);
  request.flag = (uint32_t)status;
  exec->stopped = 1;
  const cairn_status sent = send(exec, &request, NULL);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
  return sent;
}

static cairn_status check_schedule(const cairn_exec *exec,
                                   const cairn_dag_item *items, size_t count,
                                   cairn_base_diag *diag) {
  const unsigned ops = cairn_dag_program_ops(exec->program);
  if (count < 2 || count > exec->max_items) {
    cairn_base_diag_error(diag, "a schedule of %zu items: too %s", count,
                          count < 2 ? "short" : "long");
    return CAIRN_INPUT;
  }
  for (size_t i = 0; i < count; i++) {
    const int is_op = items[i].kind <= CAIRN_DAG_ITEM_GPU;
    if (items[i].kind > CAIRN_DAG_ITEM_CSW || (is_op && items[i].id >= ops) ||
        (!is_op && items[i].id >= count)) {
      cairn_base_diag_error(diag, "item %zu of the schedule is damaged", i);
      return CAIRN_INPUT;
    }
    if (items[i].stream >= exec->streams) {
      cairn_base_diag_error(diag,
                            "the schedule uses stream %u; there are %u "
                            "(--streams)",
                            items[i].stream, exec->streams);
      return CAIRN_INPUT;
    }
  }
  if (!exec->options.allow_illegal &&
      !cairn_dag__prover_legal(exec->prover, items, count)) {
    cairn_base_diag_error(diag, "the schedule is not legal: it leaves an edge "
                                "of the program unsynchronised (see cairn "
                                "lint)");
    return CAIRN_INPUT;
  }
  if (!exec->options.allow_hangs && !exec->options.allow_illegal &&
      cairn_dag__prover_hangs(exec->prover, items, count)) {
    cairn_base_diag_error(diag, "the schedule can deadlock: an operation waits "
                                "for a message before the post of it (see "
                                "cairn lint; --allow-deadlocks runs it)");
    return CAIRN_INPUT;
  }
  return CAIRN_OK;
}

cairn_status cairn_exec_prepare(cairn_exec *exec, uint64_t id,
                                const cairn_dag_item *items, size_t count,
                                cairn_base_diag *diag) {
  cairn_status status = check_schedule(exec, items, count, diag);
  if (status)
    return status;
  cairn_exec_request request = request_for(exec, CAIRN_EXEC_DO_PREPARE, id);
  request.length = count * sizeof *items;
  status = order(exec, &request, items);
  if (status)
    return status;
  cairn_base_execution outcome;
  status = verdict(exec, &outcome);
  if (status == CAIRN_OK)
    return CAIRN_OK;
  cairn_base_diag_error(diag, "cannot prepare schedule %llu: %s: %s",
                        (unsigned long long)id, outcome.message,
                        cairn_base_status_text(status));
  cairn_exec__forget(exec, id);
  return status;
}

cairn_status cairn_exec__forget(cairn_exec *exec, uint64_t id) {
  cairn_exec_request request = request_for(exec, CAIRN_EXEC_DO_FORGET, id);
  const cairn_status status = order(exec, &request, NULL);
  return status ? status : verdict(exec, NULL);
}

static void remember_time(cairn_exec *exec, uint64_t id, int64_t time_ns) {
  cairn_exec_schedule *schedule = cairn_exec__store_find(exec, id);
  if (schedule && schedule->first_ns == 0)
    schedule->first_ns = time_ns;
  if (exec->best_ns == 0 || time_ns < exec->best_ns)
    exec->best_ns = time_ns > 0 ? time_ns : 1;
}

static double run_time(cairn_exec *exec, uint64_t id) {
  int64_t longest = 0;
  for (int r = 0; r < exec->place.ranks; r++) {
    const cairn_exec_reply *reply = exec->replies + r;
    if (reply->stop_ns - reply->start_ns > longest)
      longest = reply->stop_ns - reply->start_ns;
  }
  remember_time(exec, id, longest);
  return 1e-9 * (double)longest;
}

cairn_status cairn_exec__run(cairn_exec *exec, uint64_t id, int verify,
                             cairn_base_execution *outcome_p) {
  if (cairn_exec__store_find(exec, id) == NULL ||
      (verify && !exec->info.can_verify))
    return CAIRN_USAGE;
  cairn_exec_request request = request_for(exec, CAIRN_EXEC_DO_RUN, id);
  request.flag = verify != 0;
  cairn_status status = order(exec, &request, NULL);
  if (status)
    return status;
  status = verdict(exec, outcome_p);
  outcome_p->time_s = run_time(exec, id);
  return status;
}

/* ---- samples ---- */

/* Joins the ranks' marks of shot i into a sample. */
static cairn_base_sample join_marks(cairn_exec *exec, size_t i, size_t count,
                                    cairn_base_shot shot) {
  const int deadline = exec->start == CAIRN_EXEC_START_DEADLINE;
  int64_t start = INT64_MAX, stop = INT64_MIN, most = INT64_MIN;
  int64_t least = INT64_MAX;
  int stopped = 0;
  cairn_base_sample s = {.id = shot.id, .k = shot.k};
  for (int r = 0; r < exec->place.ranks; r++) {
    const cairn_exec_mark *mark = exec->all_marks + (size_t)r * count + i;
    const int64_t length = mark->stop_ns - mark->start_ns;
    if (length > most) {
      most = length;
      s.last_rank = (uint16_t)r;
    }
    least = length < least ? length : least;
    start = mark->start_ns < start ? mark->start_ns : start;
    stop = mark->stop_ns > stop ? mark->stop_ns : stop;
    if (mark->late)
      s.flags |= CAIRN_BASE_LATE;
    if (mark->faulty)
      s.flags |= CAIRN_BASE_FAULTY;
    if (mark->lost)
      s.flags |= CAIRN_BASE_LOST;
    stopped |= mark->stopped;
  }
  exec->load.samples++;
  exec->load.lost += (s.flags & CAIRN_BASE_LOST) != 0;
  exec->load.stopped += stopped != 0;
  if (!deadline)
    start = exec->all_marks[i].start_ns; /* rank 0's clock, for at_s */
  const double k = shot.k;
  s.time_s = 1e-9 * (double)(deadline ? stop - start : most) / k;
  s.skew_s = 1e-9 * (double)(most - least) / k;
  s.at_s = 1e-9 * (double)(start - exec->opened_ns);
  return s;
}

/* More slack after late starts, slowly less while there are none.  When that
 * does not help for some chunks in a row - too few cores, say - the barrier
 * takes over, unless a deadline was asked for. */
static void adapt_slack(cairn_exec *exec, const cairn_base_sample *samples,
                        size_t count) {
  size_t late = 0;
  for (size_t i = 0; i < count; i++)
    late += samples[i].flags & CAIRN_BASE_LATE ? 1 : 0;
  const int many = 5 * late > count;
  exec->late_chunks = many ? exec->late_chunks + 1 : 0;
  if (exec->late_chunks >= LATE_CHUNKS &&
      exec->options.start != CAIRN_EXEC_START_DEADLINE)
    exec->start = exec->info.start = CAIRN_EXEC_START_BARRIER;
  if (many)
    exec->slack_ns *= 2;
  else if (late == 0)
    exec->slack_ns -= exec->slack_ns / 32;
  if (exec->slack_ns > SLACK_MAX_NS)
    exec->slack_ns = SLACK_MAX_NS;
  if (exec->slack_ns < SLACK_MIN_NS)
    exec->slack_ns = SLACK_MIN_NS;
}

static cairn_status sample_chunk(cairn_exec *exec, const cairn_base_shot *shots,
                                 size_t count, cairn_base_sample *samples,
                                 cairn_base_execution *outcome_p) {
  cairn_exec_request request =
      request_for(exec, CAIRN_EXEC_DO_SAMPLE, shots[0].id);
  for (size_t i = 1; i < count; i++) {
    const uint64_t limit =
        shots[i].id == shots[0].id ? 0 : limit_ns(exec, shots[i].id);
    request.limit_ns = limit > request.limit_ns ? limit : request.limit_ns;
  }
  request.count = (uint32_t)count;
  request.flag = exec->info.oversubscribed != 0;
  request.length = count * sizeof *shots;
  const cairn_status status = order(exec, &request, shots);
  if (status)
    return status;
  for (size_t i = 0; i < count; i++) {
    samples[i] = join_marks(exec, i, count, shots[i]);
    if (!(samples[i].flags & CAIRN_BASE_FAULTY))
      remember_time(exec, shots[i].id, (int64_t)(1e9 * samples[i].time_s));
  }
  adapt_slack(exec, samples, count);
  cairn_exec__load_hear(exec);
  return verdict(exec, outcome_p);
}

cairn_status cairn_exec__sample(cairn_exec *exec, const cairn_base_shot *shots,
                                size_t count, cairn_base_sample *samples,
                                cairn_base_execution *outcome_p) {
  for (size_t i = 0; i < count; i++)
    if (shots[i].k == 0 || !cairn_exec__store_find(exec, shots[i].id))
      return CAIRN_USAGE;
  cairn_base_execution all = {.outcome = CAIRN_BASE_OUTCOME_OK};
  cairn_status status = CAIRN_OK;
  for (size_t done = 0; done < count && status == CAIRN_OK;) {
    const size_t part = count - done < exec->chunk ? count - done : exec->chunk;
    cairn_base_execution one = {.outcome = CAIRN_BASE_OUTCOME_OK};
    status = sample_chunk(exec, shots + done, part, samples + done, &one);
    if (one.outcome != CAIRN_BASE_OUTCOME_OK &&
        all.outcome == CAIRN_BASE_OUTCOME_OK)
      all = one;
    done += part;
  }
  if (outcome_p)
    *outcome_p = all;
  return status;
}

/* ---- tracing ---- */

cairn_status cairn_exec_trace(cairn_exec *exec, uint64_t id,
                              cairn_exec_event **event_p, size_t *count_p,
                              cairn_base_execution *outcome_p) {
  if (cairn_exec__flat_select(exec, id))
    return CAIRN_USAGE;
  cairn_exec_request request = {.kind = CAIRN_EXEC_DO_TRACE,
                                .id = id,
                                .slack_ns = exec->slack_ns,
                                .start = (uint32_t)exec->start};
  request.limit_ns = (uint64_t)(6e9 * exec->options.hang_s);
  cairn_status status = order(exec, &request, NULL);
  if (status == CAIRN_OK)
    status = verdict(exec, outcome_p);
  if (status == CAIRN_OK)
    status = cairn_exec__trace_events(exec, event_p, count_p);
  cairn_exec__trace_free(exec);
  return status;
}

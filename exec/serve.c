/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/serve.c - obeying requests: what each rank does, rank 0 included, and
 * the loop of the other ranks.
 *
 * Invariant: whatever goes wrong on a rank, it takes part in every collective
 * call of the request and sends its reply.
 */
#include "exec/exec-private.h"
#include <cairn/exec.h>

#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* ---- the kinds ---- */

static void do_prepare(cairn_exec *exec, const cairn_exec_request *request,
                       const void *payload, cairn_exec_reply *reply) {
  const size_t count = (size_t)request->length / sizeof(cairn_dag_item);
  cairn_base_diag *diag = NULL;
  cairn_base_diag_create(1, &diag);
  cairn_status status = cairn_exec__flat_reserve(exec, count, diag);
  if (status == CAIRN_OK)
    status = cairn_exec__store_put(exec, request->id, payload, count);
  if (status && cairn_base_diag_count(diag))
    snprintf(reply->message, sizeof reply->message, "%s",
             cairn_base_diag_get(diag, 0)->text);
  cairn_base_diag_free(diag);
  reply->status = (int32_t)status;
}

static void poison(cairn_exec *exec, const cairn_exec_request *request) {
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_POISON, request->verify_ns);
  cairn_exec__inject_at(exec, "%poison");
  exec->plugin->poison(exec->state);
}

static void verify(cairn_exec *exec, const cairn_exec_request *request,
                   cairn_exec_reply *reply) {
  char text[200] = "";
  if (cairn_exec__inject_wrong(exec))
    exec->plugin->poison(exec->state);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_VERIFY, request->verify_ns);
  const int64_t start = cairn_base__now_ns();
  cairn_exec__inject_at(exec, "%verify");
  const int wrong = exec->plugin->verify(exec->state, text, sizeof text);
  reply->verify_ns = cairn_base__now_ns() - start;
  text[sizeof text - 1] = '\0';
  if (wrong && reply->outcome == CAIRN_BASE_OUTCOME_OK) {
    reply->outcome = CAIRN_BASE_OUTCOME_WRONG;
    snprintf(reply->message, sizeof reply->message, "wrong numbers: %s", text);
  }
}

static void do_run(cairn_exec *exec, const cairn_exec_request *request,
                   cairn_exec_reply *reply) {
  int32_t late;
  reply->status = (int32_t)cairn_exec__flat_select(exec, request->id);
  if (request->flag)
    poison(exec, request);
  cairn_exec__start_line(exec, request, &reply->start_ns, &late);
  cairn_exec__execute(exec, 1, request->limit_ns);
  reply->stop_ns = cairn_base__now_ns();
  cairn_exec__fault_report(exec, reply);
  cairn_exec__fault_clear(exec);
  if (request->flag)
    verify(exec, request, reply);
}

static void do_kind(cairn_exec *exec, const cairn_exec_request *request,
                    const void *payload, cairn_exec_reply *reply) {
  switch ((cairn_exec_kind)request->kind) {
  case CAIRN_EXEC_DO_STOP:
    exec->stopped = 1;
    break;
  case CAIRN_EXEC_DO_PREPARE:
    do_prepare(exec, request, payload, reply);
    break;
  case CAIRN_EXEC_DO_FORGET:
    cairn_exec__store_drop(exec, request->id);
    break;
  case CAIRN_EXEC_DO_RUN:
    do_run(exec, request, reply);
    break;
  case CAIRN_EXEC_DO_SAMPLE:
    cairn_exec__sample_marks(exec, request, payload, reply);
    cairn_exec__clock_look(exec, reply);
    cairn_exec__load_look(exec, reply);
    break;
  case CAIRN_EXEC_DO_TRACE:
    cairn_exec__trace_mine(exec, request, reply);
    break;
  }
}

/* ---- one request ---- */

static cairn_status send_reply(cairn_exec *exec,
                               const cairn_exec_request *request,
                               cairn_exec_reply *reply) {
  if (exec->options.signal)
    reply->signal = (int32_t)*exec->options.signal;
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_REPLY, request->limit_ns);
  cairn_status status =
      cairn_exec__comm_gather(exec->world, reply, sizeof *reply, exec->replies);
  if (status == CAIRN_OK && request->kind == CAIRN_EXEC_DO_SAMPLE)
    status = cairn_exec__comm_gather(exec->world, exec->mark,
                                     request->count * sizeof *exec->mark,
                                     exec->all_marks);
  if (status == CAIRN_OK && request->kind == CAIRN_EXEC_DO_TRACE)
    status = cairn_exec__trace_gather(exec, request);
  return status;
}

cairn_status cairn_exec__obey(cairn_exec *exec,
                              const cairn_exec_request *request,
                              const void *payload) {
  cairn_exec_reply reply = {0};
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_PREPARE, request->limit_ns);
  if (XXH3_64bits(payload, (size_t)request->length) != request->hash) {
    reply.status = CAIRN_INTERNAL;
    snprintf(reply.message, sizeof reply.message,
             "received other bytes than rank 0 sent");
    /* only a prepare can be left out without leaving others waiting */
    if (request->kind != CAIRN_EXEC_DO_PREPARE)
      reply.fatal = 1;
  }
  if (reply.status == CAIRN_OK)
    do_kind(exec, request, payload, &reply);
  const cairn_status status = send_reply(exec, request, &reply);
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
  return status;
}

/* ---- the other ranks ---- */

static cairn_status receive(cairn_exec *exec, cairn_exec_request *request,
                            const void **payload) {
  cairn_exec__enter(exec, CAIRN_EXEC_PHASE_COMMAND,
                    (uint64_t)(exec->options.idle_s * 1e9));
  cairn_status status =
      cairn_exec__comm_bcast_idle(exec->world, request, sizeof *request, 0);
  if (status)
    return status;
  *payload = request->payload;
  if (request->length <= CAIRN_EXEC_INLINE)
    return CAIRN_OK;
  status = cairn_base_reserve(&exec->payload, &exec->payload_capacity,
                              (size_t)request->length, 1);
  status = cairn_exec_world_agree(exec->world, status, NULL);
  if (status == CAIRN_OK)
    status = cairn_exec__comm_bcast(exec->world, exec->payload,
                                    (size_t)request->length, 0);
  *payload = exec->payload;
  return status;
}

cairn_status cairn_exec_serve(cairn_exec *exec) {
  for (;;) {
    cairn_exec_request request;
    const void *payload;
    cairn_status status = receive(exec, &request, &payload);
    if (status == CAIRN_NOMEM)
      continue; /* all know; the request was not carried out */
    if (status)
      return status;
    if (request.kind == CAIRN_EXEC_DO_STOP) {
      exec->stopped = 1;
      cairn_exec__enter(exec, CAIRN_EXEC_PHASE_IDLE, 0);
      return (cairn_status)request.flag;
    }
    status = cairn_exec__obey(exec, &request, payload);
    if (status)
      return status;
  }
}

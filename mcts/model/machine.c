/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/machine.c - a simulated machine whose costs are learned.
 *
 * One host issues the items; each stream is a FIFO.  Every moment of the
 * simulation (host free, stream free, event recorded, op done) is an earlier
 * moment plus one cost, the latest of its causes.  So the simulated time is
 * the sum of the costs along the critical path: linear in them as long as the
 * path stays the same.
 *
 * Costs: a duration for each op; host costs of a launch, a record, a host
 * wait, a stream wait; the delays launch to start, event to host, event to
 * stream; and a lag for each edge between CPU ops (a wait that ends some time
 * after what it waits for was posted).  A GPU op may also need an engine, which
 * serves one op at a time in the order of issue; which one is learned too
 * (fit.c), and none to begin with.
 *
 * Learning: the error of a measured schedule is shared out equally over the
 * costs on its critical path (the normalized LMS rule: Nagumo and Noda 1967,
 * Widrow and Hoff 1960); costs stay >= 0.
 */
#include <string.h>

#include "dag/program/program-private.h"
#include "mcts/model/model-private.h"
#include <cairn/mcts.h>

void cairn_mcts__machine_free(cairn_mcts_machine *m) {
  cairn_base_free(m->cost);
  cairn_base_free(m->lag_row);
  cairn_base_free(m->lag_from);
  cairn_base_free(m->moment);
  cairn_base_free(m->op_end);
  cairn_base_free(m->event);
  cairn_base_free(m->ready);
  cairn_base_free(m->engine);
  cairn_base_free(m->count);
  cairn_base_free(m->path);
  *m = (cairn_mcts_machine){0};
}

static int is_cpu(const cairn_dag_program *program, unsigned id) {
  return cairn_dag_program_op(program, id)->kind == CAIRN_DAG_CPU;
}

/* Lags: edges between CPU ops other than start and end. */
static cairn_status list_lags(cairn_mcts_machine *m,
                              const cairn_dag_program *program) {
  size_t lags = 0, capacity = 0;
  m->lag_row = cairn_base_zalloc(m->ops + 1, sizeof *m->lag_row);
  if (!m->lag_row)
    return CAIRN_NOMEM;
  for (unsigned b = 0; b < m->ops; b++) {
    size_t count;
    const unsigned *const pred = cairn_dag__program_preds(program, b, &count);
    const cairn_status status = cairn_base_reserve(
        &m->lag_from, &capacity, lags + count + 1, sizeof *m->lag_from);
    if (status)
      return status;
    if (is_cpu(program, b) && b + 1 < m->ops)
      for (size_t k = 0; k < count; k++)
        if (pred[k] && is_cpu(program, pred[k]))
          m->lag_from[lags++] = (uint16_t)pred[k];
    m->lag_row[b + 1] = (uint32_t)lags;
  }
  m->costs = m->ops + CAIRN_MCTS_SHARED + lags;
  return CAIRN_OK;
}

cairn_status cairn_mcts__machine_create(cairn_mcts_machine *m,
                                        const cairn_dag_program *program,
                                        unsigned streams) {
  const size_t items = cairn_dag__program_max_items(program, streams) + 1;
  cairn_status status;
  m->ops = cairn_dag_program_ops(program);
  m->streams = streams;
  if ((status = list_lags(m, program)))
    return status;
  m->cost = cairn_base_zalloc(m->costs, sizeof *m->cost);
  m->count = cairn_base_zalloc(m->costs, sizeof *m->count);
  m->moment = cairn_base_zalloc(3 * items + 1, sizeof *m->moment);
  m->path = cairn_base_zalloc(3 * items + 1, sizeof *m->path);
  m->op_end = cairn_base_zalloc(m->ops, sizeof *m->op_end);
  m->event = cairn_base_zalloc(items, sizeof *m->event);
  m->ready = cairn_base_zalloc(streams, sizeof *m->ready);
  m->engine = cairn_base_zalloc(m->ops, sizeof *m->engine);
  return m->cost && m->count && m->moment && m->path && m->op_end && m->event &&
                 m->ready && m->engine
             ? CAIRN_OK
             : CAIRN_NOMEM;
}

void cairn_mcts__machine_reset(cairn_mcts_machine *m, double total) {
  /* Guesses of the right order: ops share the time, syncs cost little. */
  const double op = 2 * total / (double)m->ops;
  for (size_t i = 0; i < m->costs; i++)
    m->cost[i] = i < m->ops                       ? op
                 : i < m->ops + CAIRN_MCTS_SHARED ? 0.15 * op
                                                  : op;
  m->cost[0] = m->cost[m->ops - 1] = 0;
}

/* ---- simulation ---- */

/* A new moment: `cost` after moment `before`. */
static inline uint32_t after(cairn_mcts_machine *m, uint32_t *moments,
                             uint32_t before, size_t cost) {
  m->moment[*moments] = (cairn_mcts_moment){
      m->moment[before].time + m->cost[cost], before, (uint32_t)cost};
  return (*moments)++;
}

static inline uint32_t later(const cairn_mcts_machine *m, uint32_t a,
                             uint32_t b) {
  return m->moment[b].time > m->moment[a].time ? b : a;
}

static uint32_t run_cpu(cairn_mcts_machine *m, uint32_t *moments, uint32_t host,
                        unsigned id) {
  uint32_t end = after(m, moments, host, id);
  for (uint32_t k = m->lag_row[id]; k < m->lag_row[id + 1]; k++) {
    const uint32_t posted = m->op_end[m->lag_from[k]];
    const size_t cost = m->ops + CAIRN_MCTS_SHARED + k;
    if (m->moment[posted].time + m->cost[cost] > m->moment[end].time) {
      *moments = end + 1;
      end = after(m, moments, posted, cost);
    }
  }
  m->op_end[id] = end;
  return end;
}

/* The moment the host is through with all items. */
static uint32_t simulate(cairn_mcts_machine *m, const cairn_dag_item *items,
                         size_t count) {
  const size_t shared = m->ops;
  uint32_t busy[CAIRN_MCTS_ENGINES + 1] = {0};
  uint32_t n = 1, host = 0;
  m->moment[0] = (cairn_mcts_moment){0, 0, 0};
  memset(m->ready, 0, m->streams * sizeof *m->ready);
  for (size_t i = 1; i < count; i++) {
    const cairn_dag_item it = items[i];
    uint32_t *const ready = m->ready + it.stream;
    uint32_t other;
    switch (it.kind) {
    case CAIRN_DAG_ITEM_CPU:
      host = run_cpu(m, &n, host, it.id);
      break;
    case CAIRN_DAG_ITEM_GPU:
      host = after(m, &n, host, shared + CAIRN_MCTS_LAUNCH);
      other = after(m, &n, host, shared + CAIRN_MCTS_START);
      other = later(m, *ready, other);
      if (m->engine[it.id])
        other = later(m, busy[m->engine[it.id]], other);
      *ready = busy[m->engine[it.id]] = after(m, &n, other, it.id);
      break;
    case CAIRN_DAG_ITEM_CER:
      host = after(m, &n, host, shared + CAIRN_MCTS_RECORD);
      m->event[it.id] = later(m, host, *ready);
      break;
    case CAIRN_DAG_ITEM_CES:
      host = after(m, &n, host, shared + CAIRN_MCTS_HOST_WAIT);
      other = after(m, &n, m->event[it.id], shared + CAIRN_MCTS_WAKE);
      host = later(m, host, other);
      break;
    default:
      host = after(m, &n, host, shared + CAIRN_MCTS_STREAM_WAIT);
      other = after(m, &n, m->event[it.id], shared + CAIRN_MCTS_RELAY);
      *ready = later(m, *ready, other);
    }
  }
  return host;
}

double cairn_mcts__machine_time(cairn_mcts_machine *m,
                                const cairn_dag_item *items, size_t count) {
  return m->moment[simulate(m, items, count)].time;
}

double cairn_mcts__machine_learn(cairn_mcts_machine *m,
                                 const cairn_dag_item *items, size_t count,
                                 double time, double rate) {
  uint32_t at = simulate(m, items, count);
  const double error = time - m->moment[at].time;
  double square = 0;
  size_t steps = 0;
  for (; at; at = m->moment[at].before) {
    const uint32_t cost = m->moment[at].cost;
    square += 2.0 * m->count[cost] + 1;
    m->count[cost]++;
    m->path[steps++] = cost;
  }
  while (steps--) {
    const uint32_t cost = m->path[steps];
    m->cost[cost] += rate * error / square; /* once a use: count in all */
    m->count[cost] = 0;
  }
  for (size_t i = 0; i < m->costs; i++)
    if (m->cost[i] < 0)
      m->cost[i] = 0;
  m->cost[0] = m->cost[m->ops - 1] = 0;
  return error;
}

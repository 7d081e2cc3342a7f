/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/model/list.c - plans by list scheduling, before any time is known.
 *
 * Of the ops that are ready the one of the highest priority comes next (Graham
 * 1969).  Priorities know the graph alone: the longest way to the end, in ops
 * (Hu 1961); the ops that wait for it; either with GPU ops first, so that
 * streams are fed before the host turns to other work.  An op goes to the
 * stream with the fewest ops, or follows a predecessor that is the last of its
 * stream, which needs no sync.
 */
#include <string.h>

#include "mcts/model/plan-private.h"
#include <cairn/mcts.h>

enum { FOLLOW = 1, GPU_FIRST = 2, WAITING = 4 };

/* Longest way to the end.  Ids need not be topological: repeats until nothing
 * changes. */
static void find_levels(const cairn_mcts_plan *p, uint16_t *level) {
  memset(level, 0, p->ops * sizeof *level);
  for (int changed = 1; changed;) {
    changed = 0;
    for (unsigned x = p->ops; x-- > 0;)
      for (uint32_t e = p->succ.row[x]; e < p->succ.row[x + 1]; e++)
        if (level[x] <= level[p->succ.to[e]]) {
          level[x] = (uint16_t)(level[p->succ.to[e]] + 1);
          changed = 1;
        }
  }
}

static uint32_t priority(const cairn_mcts_plan *p, const uint16_t *level,
                         unsigned x, unsigned rule) {
  const uint32_t waiting = p->succ.row[x + 1] - p->succ.row[x];
  const uint32_t first = rule & WAITING ? waiting : level[x];
  const uint32_t second = rule & WAITING ? level[x] : waiting;
  return (rule & GPU_FIRST && p->gpu[x] ? UINT32_C(1) << 31 : 0) +
         (first << 15) + second;
}

static unsigned choose_stream(const cairn_mcts_plan *p, unsigned x,
                              unsigned rule, const uint16_t *load,
                              const uint16_t *last) {
  unsigned least = 0;
  if (rule & FOLLOW)
    for (uint32_t k = p->gpu_pred.row[x]; k < p->gpu_pred.row[x + 1]; k++) {
      const unsigned a = p->gpu_pred.to[k];
      if (last[p->stream[a]] == a)
        return p->stream[a];
    }
  for (unsigned s = 1; s < p->streams; s++)
    if (load[s] < load[least])
      least = s;
  return least;
}

void cairn_mcts__plan_list(cairn_mcts_plan *p, unsigned rule) {
  uint16_t load[CAIRN_DAG_MAX_STREAMS] = {0}, last[CAIRN_DAG_MAX_STREAMS];
  uint16_t *const level = p->index; /* scratch of a simulation */
  unsigned ready = 1;               /* order[i .. ready - 1] may come next */
  memset(last, 0xff, sizeof last);
  find_levels(p, level);
  for (unsigned x = 0; x < p->ops; x++)
    p->pending[x] = (uint16_t)(p->pred.row[x + 1] - p->pred.row[x]);
  p->order[0] = 0;
  for (unsigned i = 0; i < ready; i++) {
    unsigned k = i;
    for (unsigned j = i + 1; j < ready; j++)
      if (priority(p, level, p->order[j], rule) >
          priority(p, level, p->order[k], rule))
        k = j;
    const uint16_t x = p->order[k];
    p->order[k] = p->order[i];
    p->order[i] = x;
    p->place[x] = (uint16_t)i;
    p->stream[x] = 0;
    if (p->gpu[x]) {
      const unsigned s = choose_stream(p, x, rule, load, last);
      p->stream[x] = (uint8_t)s;
      load[s]++;
      last[s] = x;
    }
    for (uint32_t e = p->succ.row[x]; e < p->succ.row[x + 1]; e++)
      if (--p->pending[p->succ.to[e]] == 0)
        p->order[ready++] = p->succ.to[e];
  }
}

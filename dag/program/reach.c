/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/reach.c - rows of bits in topological order, each the union of
 * its predecessors' rows and itself.
 */
#include "dag/program/program-private.h"
#include "dag/program/reach-private.h"

static void fill_rows(const cairn_dag_program *program, cairn_dag_reach *r,
                      unsigned *left, unsigned *queue) {
  size_t count;
  unsigned head = 0, tail = 0;
  for (unsigned i = 0; i < r->ops; i++) {
    cairn_dag__program_preds(program, i, &count);
    left[i] = (unsigned)count;
    if (count == 0)
      queue[tail++] = i;
  }
  while (head < tail) {
    const unsigned b = queue[head++];
    uint64_t *const row = r->bits + (size_t)b * r->words;
    row[b / 64] |= UINT64_C(1) << (b % 64);
    const unsigned *const preds = cairn_dag__program_preds(program, b, &count);
    for (size_t k = 0; k < count; k++)
      for (size_t w = 0; w < r->words; w++)
        row[w] |= r->bits[(size_t)preds[k] * r->words + w];
    const unsigned *const succs = cairn_dag_program_succs(program, b, &count);
    for (size_t k = 0; k < count; k++)
      if (--left[succs[k]] == 0)
        queue[tail++] = succs[k];
  }
}

cairn_status cairn_dag__reach_create(const cairn_dag_program *program,
                                     cairn_dag_reach *reach) {
  const unsigned ops = cairn_dag_program_ops(program);
  const size_t words = (ops + 63) / 64;
  *reach = (cairn_dag_reach){ops, words, NULL};
  reach->bits = cairn_base_zalloc(ops * words, sizeof *reach->bits);
  unsigned *const work = cairn_base_alloc(2 * (size_t)ops, sizeof *work);
  if (!reach->bits || !work) {
    cairn_base_free(work);
    cairn_dag__reach_free(reach);
    return CAIRN_NOMEM;
  }
  fill_rows(program, reach, work, work + ops);
  cairn_base_free(work);
  return CAIRN_OK;
}

void cairn_dag__reach_free(cairn_dag_reach *reach) {
  cairn_base_free(reach->bits);
  *reach = (cairn_dag_reach){0};
}

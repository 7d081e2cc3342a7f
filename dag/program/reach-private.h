/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/program/reach-private.h - which ops of a program paths lead to.
 */
#ifndef CAIRN_DAG_PROGRAM_REACH_PRIVATE_H
#define CAIRN_DAG_PROGRAM_REACH_PRIVATE_H

#include <cairn/dag.h>

typedef struct cairn_dag_reach {
  unsigned ops;
  size_t words;   /* 64-bit words a row */
  uint64_t *bits; /* row b, bit a: a path leads from a to b; a = b included */
} cairn_dag_reach;

cairn_status cairn_dag__reach_create(const cairn_dag_program *program,
                                     cairn_dag_reach *reach);
void cairn_dag__reach_free(cairn_dag_reach *reach);
static inline int cairn_dag__reaches(const cairn_dag_reach *reach, unsigned a,
                                     unsigned b) {
  return (int)(reach->bits[(size_t)b * reach->words + a / 64] >> (a % 64) & 1);
}

#endif

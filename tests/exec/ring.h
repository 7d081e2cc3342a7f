/* SPDX-License-Identifier: BSD-3-Clause
 *
 * tests/exec/ring.h - a small program and its operations, for tests: every
 * rank sends an array to the next one while it computes another, and adds
 * both.  A missing synchronisation gives wrong numbers.
 */
#ifndef TEST_EXEC_RING_H
#define TEST_EXEC_RING_H

#include <cairn/dag.h>
#include <cairn/op.h>

/* The plugin to register. */
const cairn_op_plugin *ring_plugin(void);
/* The program, sealed; NULL when it cannot be made. */
cairn_dag_program *ring_program(unsigned streams);

#endif

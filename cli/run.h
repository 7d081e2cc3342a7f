/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/run.h - the parts of `cairn run`:
 *
 *   cmd-run.c       the story: options, running, numbers, the trace
 *   run-critical.c  where the time goes
 */
#ifndef CAIRN_CLI_RUN_H
#define CAIRN_CLI_RUN_H

#include <cairn/exec.h>

#include "cli.h"

/* The critical path of a typical traced execution of the schedule that is
 * prepared under id 0.  Free with cairn_exec_critical_free. */
cairn_status run_critical_find(cairn_exec *exec,
                               const cairn_dag_program *program,
                               const cairn_dag_schedule *schedule,
                               cairn_exec_critical *critical_p);
cairn_status run_critical_print(const cairn_exec_critical *critical,
                                const cairn_dag_program *program,
                                const cairn_dag_schedule *schedule);
/* NULL: no memory. */
json_t *run_critical_json(const cairn_exec_critical *critical,
                          const cairn_dag_program *program,
                          const cairn_dag_schedule *schedule);

#endif

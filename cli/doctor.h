/* SPDX-License-Identifier: BSD-3-Clause
 *
 * cli/doctor.h - the parts of `cairn doctor`.
 */
#ifndef CAIRN_CLI_DOCTOR_H
#define CAIRN_CLI_DOCTOR_H

#include <cairn/exec.h>

#include "cli.h"

/* Starts MPI in a child.  Returns how many findings tell why it could not; 0:
 * it could. */
size_t doctor_probe(cairn_exec_finding finding[2]);

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * dag/dag.h - front door of dag: programs, schedules, their space, the checker,
 * the program file and the journal.
 *
 * Words: an operation (op) is a vertex of the program; a CPU op is run by the
 * control thread, a GPU op is issued to a stream.  A schedule is the complete
 * list of items that the control thread issues in order: ops (GPU ops with a
 * stream) and inserted syncs: CER cudaEventRecord, CES cudaEventSynchronize,
 * CSW cudaStreamWaitEvent.
 *
 * Errors: see base.h.  Ownership: a function named create, read or open
 * returns an object that is freed by the function named in its comment; all
 * other pointers returned belong to the object asked and live as long as it.
 * Thread-safety: distinct objects may be used by distinct threads; a sealed
 * program may be read by many.
 */
#ifndef CAIRN_DAG_H
#define CAIRN_DAG_H

#include "dag-program.h"
#include "dag-schedule.h"
#include "dag-walk.h"
#include "dag-space.h"
#include "dag-moves.h"
#include "dag-neighbour.h"
#include "dag-sample.h"
#include "dag-prove.h"
#include "dag-lint.h"
#include "dag-capture.h"
#include "dag-sequence.h"
#include "dag-journal.h"
#include "dag-origin.h"
#include "dag-xml.h"

#endif

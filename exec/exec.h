/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exec/exec.h - front door of exec.
 */
#ifndef CAIRN_EXEC_H
#define CAIRN_EXEC_H

#include <cairn/dag.h>

#endif

/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/mcts.h - front door of mcts.
 */
#ifndef CAIRN_MCTS_H
#define CAIRN_MCTS_H

#include <cairn/dag.h>

#endif

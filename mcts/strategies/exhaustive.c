/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mcts/strategies/exhaustive.c - every schedule, in a fixed order.
 */
#include "mcts/mcts-private.h"
#include <cairn/mcts.h>

const cairn_mcts_policy cairn_mcts__exhaustive = {
    {"exhaustive", "every schedule of the space, depth first",
     "plain enumeration", NULL, 0, 0},
    NULL,
    NULL,
    cairn_mcts__sweep,
    NULL};

# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += mcts/mcts.h
libcairn_la_SOURCES += mcts/mcts-private.h mcts/cache.c mcts/found.c mcts/features.c mcts/machine.c mcts/model.c mcts/model-private.h mcts/moves.c mcts/moves-private.h mcts/strategy-guided.c mcts/prior.c mcts/view.c \
	mcts/search.c mcts/strategy.c mcts/strategy-coverage.c \
	mcts/strategy-exhaustive.c mcts/strategy-min-time.c \
	mcts/strategy-rollout.c mcts/sweep.c mcts/tree.c mcts/tree-private.h

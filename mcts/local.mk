# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += mcts/mcts.h
libcairn_la_SOURCES += mcts/mcts-private.h mcts/cache.c mcts/found.c mcts/prior.c mcts/view.c \
	mcts/search.c mcts/strategy.c mcts/strategy-coverage.c \
	mcts/strategy-exhaustive.c mcts/strategy-min-time.c \
	mcts/strategy-rollout.c mcts/sweep.c mcts/tree.c mcts/tree-private.h

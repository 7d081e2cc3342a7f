# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += mcts/mcts.h
libcairn_la_SOURCES += mcts/mcts-private.h mcts/cache.c mcts/found.c \
	mcts/search.c mcts/strategy.c mcts/sweep.c

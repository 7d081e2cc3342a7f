# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += mcts/mcts.h
libcairn_la_SOURCES += mcts/mcts-private.h mcts/cache.c mcts/found.c \
	mcts/prior.c mcts/search.c mcts/sweep.c mcts/view.c
# Parts of strategies.
libcairn_la_SOURCES += mcts/features.c mcts/guided.c mcts/guided-private.h \
	mcts/fit.c mcts/fit-private.h mcts/plan.c mcts/plan-private.h \
	mcts/planned.c mcts/planned-private.h \
	mcts/local.c mcts/local-private.h mcts/machine.c mcts/model.c \
	mcts/model-private.h mcts/moves.c mcts/moves-private.h mcts/tree.c \
	mcts/tree-private.h
# The strategies, and their table.
libcairn_la_SOURCES += mcts/strategy.c \
	mcts/strategy-guided.c \
	mcts/strategy-planned.c \
	mcts/strategy-coverage.c \
	mcts/strategy-min-time.c \
	mcts/strategy-memetic.c \
	mcts/strategy-ils.c \
	mcts/strategy-anneal.c \
	mcts/strategy-genetic.c \
	mcts/strategy-gp.c \
	mcts/strategy-nrpa.c \
	mcts/strategy-rave.c \
	mcts/strategy-rules.c \
	mcts/strategy-random.c \
	mcts/strategy-rollout.c \
	mcts/strategy-exhaustive.c

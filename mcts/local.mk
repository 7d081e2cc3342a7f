# SPDX-License-Identifier: BSD-3-Clause
libcairn_core_la_SOURCES += \
	mcts/candidate.c \
	mcts/cache.c \
	mcts/found.c \
	mcts/mcts-private.h \
	mcts/model/features.c \
	mcts/model/fit-private.h \
	mcts/model/fit.c \
	mcts/model/machine.c \
	mcts/model/model-private.h \
	mcts/model/model.c \
	mcts/model/plan-private.h \
	mcts/model/plan.c \
	mcts/prior.c \
	mcts/search-private.h \
	mcts/search.c \
	mcts/strategies/guided-private.h \
	mcts/strategies/guided.c \
	mcts/strategies/local-private.h \
	mcts/strategies/local.c \
	mcts/strategies/moves-private.h \
	mcts/strategies/moves.c \
	mcts/strategies/planned-private.h \
	mcts/strategies/planned.c \
	mcts/strategies/strategy-anneal.c \
	mcts/strategies/strategy-coverage.c \
	mcts/strategies/strategy-exhaustive.c \
	mcts/strategies/strategy-genetic.c \
	mcts/strategies/strategy-gp.c \
	mcts/strategies/strategy-guided.c \
	mcts/strategies/strategy-ils.c \
	mcts/strategies/strategy-memetic.c \
	mcts/strategies/strategy-min-time.c \
	mcts/strategies/strategy-nrpa.c \
	mcts/strategies/strategy-planned.c \
	mcts/strategies/strategy-random.c \
	mcts/strategies/strategy-rave.c \
	mcts/strategies/strategy-rollout.c \
	mcts/strategies/strategy-rules.c \
	mcts/strategies/strategy.c \
	mcts/tree/sweep.c \
	mcts/tree/tree-private.h \
	mcts/tree/tree.c \
	mcts/tree/view.c
# The strategies, and their table.

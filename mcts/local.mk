# SPDX-License-Identifier: BSD-3-Clause
cairn_HEADERS += mcts/mcts.h
libcairn_la_SOURCES +=

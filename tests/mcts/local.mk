# SPDX-License-Identifier: BSD-3-Clause
# The search on recorded spaces.
check_PROGRAMS += tests/mcts/replay
TESTS += tests/mcts/replay
tests_mcts_replay_SOURCES = tests/mcts/replay.c bench/search-table.h
tests_mcts_replay_LDADD = libcairn-core.la
if HAVE_CMOCKA
check_PROGRAMS += tests/mcts/test-search tests/mcts/test-tree \
	tests/mcts/test-plan
TESTS += tests/mcts/test-search tests/mcts/test-tree tests/mcts/test-plan
check_PROGRAMS += tests/mcts/test-illegal
TESTS += tests/mcts/test-illegal
tests_mcts_test_illegal_SOURCES = tests/mcts/test-illegal.c
tests_mcts_test_illegal_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_mcts_test_illegal_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_mcts_test_search_SOURCES = tests/mcts/test-search.c
tests_mcts_test_search_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_mcts_test_search_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_mcts_test_tree_SOURCES = tests/mcts/test-tree.c
tests_mcts_test_tree_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
# -static: hidden symbols are tested too.
tests_mcts_test_tree_LDFLAGS = $(AM_LDFLAGS) -static
tests_mcts_test_tree_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
tests_mcts_test_plan_SOURCES = tests/mcts/test-plan.c
tests_mcts_test_plan_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_mcts_test_plan_LDFLAGS = $(AM_LDFLAGS) -static
tests_mcts_test_plan_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
endif
# Each allocation fails in turn.
check_PROGRAMS += tests/mcts/faults
TESTS += tests/mcts/faults
tests_mcts_faults_SOURCES = tests/mcts/faults.c tests/faults.h
tests_mcts_faults_LDADD = libcairn-core.la

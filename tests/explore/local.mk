# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += tests/explore/test-session
TESTS += tests/explore/test-session
VALGRIND_TESTS += tests/explore/test-session
tests_explore_test_session_SOURCES = tests/explore/test-session.c
tests_explore_test_session_CFLAGS = $(AM_CFLAGS) $(CMOCKA_CFLAGS)
tests_explore_test_session_LDADD = libcairn-core.la $(CMOCKA_LIBS)
endif

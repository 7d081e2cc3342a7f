# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += tests/study/test-landscape
TESTS += tests/study/test-landscape
tests_study_test_landscape_SOURCES = tests/study/test-landscape.c tests/study/nk.h
tests_study_test_landscape_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_study_test_landscape_LDADD = libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/study/test-contest
TESTS += tests/study/test-contest
tests_study_test_contest_SOURCES = tests/study/test-contest.c
tests_study_test_contest_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_study_test_contest_LDADD = libcairn-core.la $(CMOCKA_LIBS)
check_PROGRAMS += tests/study/test-space
TESTS += tests/study/test-space
tests_study_test_space_SOURCES = tests/study/test-space.c tests/study/made.h
tests_study_test_space_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_study_test_space_LDADD = libtestdag.la libcairn-core.la $(CMOCKA_LIBS)
endif
check_PROGRAMS += tests/study/faults
TESTS += tests/study/faults
tests_study_faults_SOURCES = tests/study/faults.c tests/faults.h tests/study/made.h
tests_study_faults_LDADD = libcairn-core.la
STUDY_TESTS = tests/study/test-golden.sh tests/study/test-study.sh \
	tests/study/test-compete.sh tests/study/test-difficulty.sh \
	tests/study/test-peers.sh
TESTS += $(STUDY_TESTS)
EXTRA_DIST += $(STUDY_TESTS) tests/study/golden.py tests/study/peers.py tests/study/competition.py tests/study/table.py
check_PROGRAMS += tests/study/answer
tests_study_answer_SOURCES = tests/study/answer.c tests/study/nk.h
tests_study_answer_LDADD = libcairn-core.la

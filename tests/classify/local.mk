# SPDX-License-Identifier: BSD-3-Clause
if HAVE_CMOCKA
check_PROGRAMS += tests/classify/golden tests/classify/tree
TESTS += tests/classify/golden tests/classify/tree
tests_classify_golden_SOURCES = tests/classify/golden.c
tests_classify_golden_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_classify_golden_LDADD = libcairn-core.la $(CMOCKA_LIBS)
tests_classify_tree_SOURCES = tests/classify/tree.c
tests_classify_tree_CPPFLAGS = $(AM_CPPFLAGS) $(CMOCKA_CFLAGS)
tests_classify_tree_LDADD = libcairn-core.la $(CMOCKA_LIBS)
endif

# Against SciPy and scikit-learn, and in a browser; skipped where they are not.
check_PROGRAMS += tests/classify/answer
tests_classify_answer_SOURCES = tests/classify/answer.c
tests_classify_answer_LDADD = libcairn-core.la
CLASSIFY_TESTS = tests/classify/test-peers.sh tests/classify/test-report.sh \
	tests/classify/test-commands.sh tests/classify/test-origin.sh
TESTS += $(CLASSIFY_TESTS)
EXTRA_DIST += $(CLASSIFY_TESTS) tests/classify/peers.py \
	tests/classify/compare.py tests/classify/evidence.py \
	tests/classify/schedules.py

# Each allocation fails in turn.
check_PROGRAMS += tests/classify/faults
TESTS += tests/classify/faults
tests_classify_faults_SOURCES = tests/classify/faults.c tests/faults.h
tests_classify_faults_LDADD = libcairn-core.la

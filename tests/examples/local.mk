# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/examples/drive
tests_examples_drive_SOURCES = tests/examples/drive.c
tests_examples_drive_CPPFLAGS = $(EXAMPLE_CPPFLAGS) $(MPI_CFLAGS)
tests_examples_drive_LDADD = $(MPI_LIBS)
TESTS += tests/examples/test-examples.sh
EXTRA_DIST += tests/examples/test-examples.sh
check_PROGRAMS += tests/examples/test-market
TESTS += tests/examples/test-market
tests_examples_test_market_SOURCES = tests/examples/test-market.c \
	examples/spmv/matrix-market.c examples/spmv/matrix.c $(DAG_CORPUS)
tests_examples_test_market_CPPFLAGS = $(CORPUS_CPPFLAGS)
tests_examples_test_market_LDADD = libcairn-core.la
TESTS += tests/examples/test-plugins.sh tests/examples/test-emit.sh \
	tests/examples/test-install.sh \
	tests/examples/test-explore.sh
EXTRA_DIST += tests/examples/test-plugins.sh tests/examples/test-emit.sh \
	tests/examples/test-install.sh \
	tests/examples/test-explore.sh

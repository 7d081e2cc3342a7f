# SPDX-License-Identifier: BSD-3-Clause
check_PROGRAMS += tests/examples/drive
tests_examples_drive_SOURCES = tests/examples/drive.c
tests_examples_drive_CPPFLAGS = $(EXAMPLE_CPPFLAGS) $(MPI_CFLAGS)
tests_examples_drive_LDADD = $(MPI_LIBS)
TESTS += tests/examples/test-examples.sh
EXTRA_DIST += tests/examples/test-examples.sh

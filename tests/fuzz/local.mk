# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets.  With --enable-fuzzers (CC=clang) each is a libFuzzer program,
# run by hand; without, `make check` runs them on the corpora with a plain main.
FUZZ_TARGETS = tests/fuzz/fuzz-program tests/fuzz/fuzz-schedule \
	tests/fuzz/fuzz-journal tests/fuzz/fuzz-table tests/fuzz/fuzz-matrix
if FUZZERS
FUZZ_MAIN =
FUZZ_CFLAGS = $(AM_CFLAGS) -fsanitize=fuzzer
noinst_PROGRAMS += $(FUZZ_TARGETS)
else
FUZZ_MAIN = tests/fuzz/driver.c $(DAG_CORPUS)
FUZZ_CFLAGS = $(AM_CFLAGS)
check_PROGRAMS += $(FUZZ_TARGETS)
TESTS += tests/fuzz/check-fuzz.sh
endif
dist_check_SCRIPTS += tests/fuzz/check-fuzz.sh
EXTRA_DIST += tests/fuzz/driver.c $(DAG_CORPUS)
FUZZ_TOOLS = tests/fuzz/tools.c tests/fuzz/fuzz.h
FUZZ_CPPFLAGS = $(CORPUS_CPPFLAGS) $(HASH_CFLAGS)

tests_fuzz_fuzz_program_SOURCES = tests/fuzz/fuzz-program.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_program_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_program_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_program_LDADD = libcairn.la
tests_fuzz_fuzz_schedule_SOURCES = tests/fuzz/fuzz-schedule.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_schedule_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_schedule_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_schedule_LDADD = libcairn.la
tests_fuzz_fuzz_journal_SOURCES = tests/fuzz/fuzz-journal.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_journal_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_journal_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_journal_LDADD = libcairn.la
tests_fuzz_fuzz_table_SOURCES = tests/fuzz/fuzz-table.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_table_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_table_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_table_LDADD = libcairn.la
tests_fuzz_fuzz_matrix_SOURCES = tests/fuzz/fuzz-matrix.c $(FUZZ_TOOLS) $(FUZZ_MAIN) \
	examples/spmv/matrix-market.c examples/spmv/matrix.c
tests_fuzz_fuzz_matrix_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_matrix_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_matrix_LDADD = libcairn.la

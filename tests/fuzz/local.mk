# SPDX-License-Identifier: BSD-3-Clause
# Fuzz targets.  With --enable-fuzzers (CC=clang) each is a libFuzzer program,
# for tests/fuzz/run-all.sh; without, `make check` runs them on the corpora with
# a plain main.
FUZZ_TARGETS = tests/fuzz/fuzz-program tests/fuzz/fuzz-schedule \
	tests/fuzz/fuzz-lint tests/fuzz/fuzz-journal tests/fuzz/fuzz-table \
	tests/fuzz/fuzz-matrix tests/fuzz/fuzz-capture tests/fuzz/fuzz-plugin \
	tests/fuzz/fuzz-blackbox tests/fuzz/fuzz-packed tests/fuzz/fuzz-launcher
FUZZ_SEEDER = tests/fuzz/write-seeds
if FUZZERS
FUZZ_MAIN =
FUZZ_CFLAGS = $(AM_CFLAGS) -fsanitize=fuzzer
noinst_PROGRAMS += $(FUZZ_TARGETS) $(FUZZ_SEEDER)
else
FUZZ_MAIN = tests/fuzz/driver.c $(DAG_CORPUS)
FUZZ_CFLAGS = $(AM_CFLAGS)
check_PROGRAMS += $(FUZZ_TARGETS) $(FUZZ_SEEDER)
TESTS += tests/fuzz/check-fuzz.sh tests/fuzz/check-run-all.sh \
	tests/fuzz/check-long.sh
endif
FUZZ_SHELL = tests/fuzz/check-fuzz.sh tests/fuzz/check-run-all.sh \
	tests/fuzz/check-long.sh tests/fuzz/run-all.sh
dist_check_SCRIPTS += $(FUZZ_SHELL)
EXTRA_DIST += tests/fuzz/driver.c $(DAG_CORPUS) tests/data/plugin-seeds.txt \
	tests/data/blackbox-seeds.txt tests/data/packed-seeds.txt \
	tests/data/launcher-seeds.txt tests/fuzz/dictionaries/launcher.dict \
	tests/data/lint-seeds.txt tests/data/journal-seeds.txt \
	tests/fuzz/dictionaries/capture.dict tests/fuzz/dictionaries/journal.dict \
	tests/fuzz/dictionaries/lint.dict tests/fuzz/dictionaries/matrix.dict \
	tests/fuzz/dictionaries/program.dict tests/fuzz/dictionaries/schedule.dict \
	tests/fuzz/dictionaries/table.dict
fuzz-targets: $(BUILT_SOURCES)
	$(MAKE) $(AM_MAKEFLAGS) $(FUZZ_TARGETS) $(FUZZ_SEEDER)
.PHONY: fuzz-targets
clean-local:
	rm -rf fuzz-work
FUZZ_TOOLS = tests/fuzz/tools.c tests/fuzz/fuzz.h
FUZZ_CPPFLAGS = $(CORPUS_CPPFLAGS) $(HASH_CFLAGS)

tests_fuzz_write_seeds_SOURCES = tests/fuzz/write-seeds.c $(DAG_CORPUS)
tests_fuzz_write_seeds_CPPFLAGS = $(CORPUS_CPPFLAGS)
tests_fuzz_write_seeds_LDADD = libcairn-core.la
tests_fuzz_fuzz_program_SOURCES = tests/fuzz/fuzz-program.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_program_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_program_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_program_LDADD = libcairn-core.la
tests_fuzz_fuzz_schedule_SOURCES = tests/fuzz/fuzz-schedule.c $(FUZZ_TOOLS) $(FUZZ_MAIN) \
	tests/fuzz/sequence.c
tests_fuzz_fuzz_schedule_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_schedule_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_schedule_LDADD = libcairn-core.la
tests_fuzz_fuzz_lint_SOURCES = tests/fuzz/fuzz-lint.c $(FUZZ_TOOLS) $(FUZZ_MAIN) tests/fuzz/lint.c \
	tests/fuzz/sequence.c
tests_fuzz_fuzz_lint_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_lint_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_lint_LDADD = libcairn-core.la
tests_fuzz_fuzz_journal_SOURCES = tests/fuzz/fuzz-journal.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_journal_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_journal_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_journal_LDADD = libcairn-core.la
tests_fuzz_fuzz_table_SOURCES = tests/fuzz/fuzz-table.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_table_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_table_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_table_LDADD = libcairn-core.la
tests_fuzz_fuzz_matrix_SOURCES = tests/fuzz/fuzz-matrix.c $(FUZZ_TOOLS) $(FUZZ_MAIN) \
	examples/spmv/matrix-market.c examples/spmv/matrix.c
tests_fuzz_fuzz_matrix_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_matrix_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_matrix_LDADD = libcairn-core.la
tests_fuzz_fuzz_capture_SOURCES = tests/fuzz/fuzz-capture.c $(FUZZ_TOOLS) $(FUZZ_MAIN) tests/fuzz/lint.c \
	tests/dag/capture-input.h
tests_fuzz_fuzz_capture_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_capture_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_capture_LDADD = libcairn-core.la
tests_fuzz_fuzz_plugin_SOURCES = tests/fuzz/fuzz-plugin.c $(FUZZ_TOOLS) $(FUZZ_MAIN) \
	exec/plugin-file.c
tests_fuzz_fuzz_plugin_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_plugin_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_plugin_LDADD = libcairn-core.la
tests_fuzz_fuzz_blackbox_SOURCES = tests/fuzz/fuzz-blackbox.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_blackbox_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_blackbox_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_blackbox_LDADD = libcairn-core.la
tests_fuzz_fuzz_packed_SOURCES = tests/fuzz/fuzz-packed.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_packed_CPPFLAGS = $(FUZZ_CPPFLAGS) $(COMPRESS_CFLAGS)
tests_fuzz_fuzz_packed_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_packed_LDADD = libcairn-core.la $(COMPRESS_LIBS)
tests_fuzz_fuzz_launcher_SOURCES = tests/fuzz/fuzz-launcher.c $(FUZZ_TOOLS) $(FUZZ_MAIN)
tests_fuzz_fuzz_launcher_CPPFLAGS = $(FUZZ_CPPFLAGS)
tests_fuzz_fuzz_launcher_CFLAGS = $(FUZZ_CFLAGS)
tests_fuzz_fuzz_launcher_LDADD = libcairn-core.la

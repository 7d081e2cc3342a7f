# SPDX-License-Identifier: BSD-3-Clause
CLI_TESTS = tests/cli/test-house.sh tests/cli/test-headers.sh \
	tests/cli/test-usage.sh tests/cli/test-manual.sh tests/cli/test-space.sh \
	tests/cli/test-explore-replay.sh tests/cli/test-explore-ranks.sh \
	tests/cli/test-explore-exec.sh tests/cli/test-lint.sh \
	tests/cli/test-explore-measure.sh tests/cli/test-critical-path.sh \
	tests/cli/test-doctor.sh tests/cli/test-launchers.sh \
	tests/cli/test-files.sh tests/cli/test-text.sh
TESTS += $(CLI_TESTS)
EXTRA_DIST += $(CLI_TESTS) tests/cli/house.py tests/cli/lib.sh
check_PROGRAMS += tests/cli/best
TESTS += tests/cli/best
tests_cli_best_SOURCES = tests/cli/best.c $(JOURNAL_TOOLS)
tests_cli_best_CPPFLAGS = $(AM_CPPFLAGS) $(HASH_CFLAGS)
tests_cli_best_LDADD = libcairn-core.la
# An application with a locale of its own; test-text.sh runs it.
check_PROGRAMS += tests/cli/embed
tests_cli_embed_SOURCES = tests/cli/embed.c
tests_cli_embed_LDADD = libcairn-core.la

# SPDX-License-Identifier: BSD-3-Clause
CLI_TESTS = tests/cli/test-layers.sh tests/cli/test-headers.sh \
	tests/cli/test-usage.sh tests/cli/test-manual.sh
TESTS += $(CLI_TESTS)
EXTRA_DIST += $(CLI_TESTS)

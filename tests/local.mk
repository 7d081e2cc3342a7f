# SPDX-License-Identifier: BSD-3-Clause
# Tests mirror the source folders; each folder has its own fragment.
include tests/base/local.mk
include tests/dag/local.mk
include tests/mcts/local.mk
include tests/exec/local.mk
include tests/explore/local.mk
include tests/classify/local.mk
include tests/study/local.mk
include tests/cli/local.mk
include tests/examples/local.mk
include tests/stubs/local.mk
include tests/fuzz/local.mk
EXTRA_DIST += tests/coverage.sh

#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# tests/fuzz/check-long.sh - with CAIRN_LONG=1: every fuzz target with libFuzzer,
# in a build of its own.
[ -n "$CAIRN_LONG" ] || { echo "SKIP: with CAIRN_LONG=1 only"; exit 77; }
FUZZ_WORK=$PWD/fuzz-work exec "$top_srcdir/tests/fuzz/run-all.sh" \
  "${CAIRN_FUZZ_SECONDS:-300}"

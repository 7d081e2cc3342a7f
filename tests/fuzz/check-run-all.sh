#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/fuzz/check-run-all.sh - run-all.sh fails on a finding and when coverage
# is missing, tried with targets that only print what libFuzzer would.
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT
mkdir -p "$tmp/build/tests/fuzz"
printf '#!/bin/sh\nexit 0\n' >"$tmp/build/tests/fuzz/write-seeds"

# target COVERAGE CODE: what fuzz-blackbox prints and exits with
target() {
  printf '#!/bin/sh\n%s\necho "stat::number_of_executed_units: 77"\nexit %s\n' \
    "$1" "$2" >"$tmp/build/tests/fuzz/fuzz-blackbox"
  chmod +x "$tmp/build/tests/fuzz/"*
}

# expect CODE TEXT: runs it
expect() {
  FUZZ_BUILD=$tmp/build FUZZ_WORK=$tmp/work "$top_srcdir/tests/fuzz/run-all.sh" \
    1 blackbox >"$tmp/out" 2>&1
  code=$?
  [ $code = "$1" ] && grep -q "$2" "$tmp/out" && return
  echo "expected $1 and \"$2\", found $code:"
  cat "$tmp/out"
  exit 1
}

line='echo "#2 INITED cov: %d ft: 9 corp: 1/1b"; echo "#9 DONE   cov: %d ft: 9 corp: 1/1b"'
# shellcheck disable=SC2059  # the format is above
target "$(printf "$line" 4000 5000)" 0
expect 0 '^blackbox  *77  *5000  ok$'
# shellcheck disable=SC2059
target "$(printf "$line" 8 8)" 0
expect 1 '^blackbox  *77  *8  BLIND'
target 'echo "#2 INITED exec/s: 0"' 0
expect 1 '^blackbox  *77  *none  BLIND'
# shellcheck disable=SC2059
target "$(printf "$line" 4000 5000)" 77
expect 1 '^blackbox  *77  *5000  FINDING (exit 77)'
rm "$tmp/build/tests/fuzz/fuzz-blackbox"
expect 1 'FINDING'
exit 0

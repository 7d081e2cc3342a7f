#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# tests/fuzz/run-all.sh [SECONDS [TARGET...]] - runs each fuzz target for
# SECONDS (default 900) or 10 million executions, JOBS at a time, and prints
# how many executions there were and how many edges were reached.
#
# Fails on any finding, which stays in FUZZ_WORK/findings, and when a target
# reaches less than its floor: then it is blind, and finds nothing.
# Exit: 0 clean, 1 findings or blind, 77 no fuzzer here.
#
# Environment: FUZZ_BUILD  a folder configured with --enable-fuzzers (default
#                          FUZZ_WORK/build, made when it is not there)
#              FUZZ_WORK   folder of corpora, logs, findings (default
#                          ./fuzz-work)
#              FUZZ_RUNS   most executions of a target
#              JOBS        targets at a time (default: all cores)
set -u
top=$(cd "$(dirname "$0")/../.." && pwd) || exit 2
seconds=${1:-900}
[ $# = 0 ] || shift
work=${FUZZ_WORK:-$PWD/fuzz-work}
build=${FUZZ_BUILD:-$work/build}
runs=${FUZZ_RUNS:-10000000}
jobs=${JOBS:-$(nproc)}

# TARGET FLOOR LONGEST-INPUT CORPORA: the floor is what the corpora reach, less
# a fifth.
targets() {
  cat <<'END'
program  850  4096 program-good.txt program-bad.txt
schedule 290  1024 schedule-seeds.txt
lint     700  512  lint-seeds.txt
journal  520  4096 journal-seeds.txt journal-bad.txt
table    420  4096 table-bad.txt
matrix   130  2048 matrix-seeds.txt matrix-bad.txt
capture  800  2048 capture-logs.txt
plugin   78   1024 plugin-seeds.txt
blackbox 90   4096 blackbox-seeds.txt
packed   76   2048 packed-seeds.txt
launcher 54   1024 launcher-seeds.txt
END
}

has_fuzzer() {
  command -v clang >/dev/null || return 1
  mkdir -p "$work" &&
    echo 'int LLVMFuzzerTestOneInput(const char *d, unsigned long n);
int LLVMFuzzerTestOneInput(const char *d, unsigned long n) { return !d && n; }' \
      >"$work/probe.c" &&
    clang -fsanitize=fuzzer,address -o "$work/probe" "$work/probe.c" 2>/dev/null
}

make_build() {
  [ -f "$build/Makefile" ] || {
    mkdir -p "$build" &&
      (cd "$build" && "$top/configure" CC=clang --enable-fuzzers \
        --with-cuda=no --disable-shared CFLAGS='-O1 -g') >"$work/configure.log" 2>&1
  } || { tail -n 20 "$work/configure.log"; return 1; }
  make -s -C "$build" -j"$jobs" fuzz-targets >"$work/make.log" 2>&1 ||
    { tail -n 20 "$work/make.log"; return 1; }
}

# fuzz NAME LONGEST CORPUS...: one target, its log in NAME.log.
fuzz() {
  local name=$1 longest=$2 dictionary=$top/tests/fuzz/dictionaries/$1.dict
  shift 2
  rm -rf "$work/$name"
  mkdir -p "$work/$name/corpus" "$work/$name/seeds" || return
  (cd "$work/$name" && "$build/tests/fuzz/write-seeds" seeds "$@") || return
  set --
  [ ! -f "$dictionary" ] || set -- -dict="$dictionary"
  "$build/tests/fuzz/fuzz-$name" -max_total_time="$seconds" -runs="$runs" \
    -timeout=20 -rss_limit_mb=1500 -max_len="$longest" -print_final_stats=1 \
    -artifact_prefix="$work/findings/$name-" "$@" "$work/$name/corpus" \
    "$work/$name/seeds" >"$work/$name.log" 2>&1
  echo $? >"$work/$name.code"
}

# judge NAME FLOOR: prints the line of a target; 1: it failed.
judge() {
  local name=$1 floor=$2 log=$work/$1.log code executions edges word=ok
  code=$(cat "$work/$name.code" 2>/dev/null)
  executions=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
  edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | sort -n | tail -n 1)
  if [ "$code" != 0 ]; then
    word="FINDING (exit $code)"
  elif [ "${edges:-0}" -lt "$floor" ]; then
    word="BLIND (below $floor)"
  fi
  printf '%-10s %12s %8s  %s\n' "$name" "${executions:-?}" "${edges:-none}" "$word"
  [ "$word" = ok ] && return 0
  tail -n 40 "$log"
  return 1
}

if [ -z "${FUZZ_BUILD:-}" ] || [ ! -x "$build/tests/fuzz/write-seeds" ]; then
  has_fuzzer || { echo "SKIP: no clang with -fsanitize=fuzzer"; exit 77; }
  make_build || { echo "the targets cannot be built"; exit 1; }
fi
mkdir -p "$work/findings" || exit 1
rm -f "$work"/*.code
export UBSAN_OPTIONS=print_stacktrace=1:${UBSAN_OPTIONS:-}
export LSAN_OPTIONS=suppressions=$top/tests/lsan.supp:print_suppressions=0
chosen=" $* "
wanted() { [ "$chosen" = "  " ] || [[ $chosen == *" $1 "* ]]; }
while read -r name floor longest corpora; do
  wanted "$name" || continue
  while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
  # shellcheck disable=SC2086  # several corpora
  fuzz "$name" "$longest" $corpora &
done < <(targets)
wait
printf '%-10s %12s %8s\n' target executions edges
failed=0
while read -r name floor longest corpora; do
  wanted "$name" || continue
  judge "$name" "$floor" || failed=1
done < <(targets)
exit $failed

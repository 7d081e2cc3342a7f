#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A hand-written program is recorded and linted: clean as it is, and each
# planted mistake, alone and with the others, gets exactly its finding.
here=$top_builddir/tests/exec/capture
library=$top_builddir/exec/capture/.libs/libcairn-capture.so
xml=$top_srcdir/examples/by-hand/by-hand.xml
map='--map local_part=yl --map remote_part=yr --map add=y'
[ -n "$MPIEXEC" ] || { echo "no mpiexec"; exit 77; }
if [ -n "${CAIRN_SANITIZED:-}" ]; then # the sanitizer's library must be first
  library="$(${CC:-cc} -print-file-name=libasan.so) $library"
  ASAN_OPTIONS=${ASAN_OPTIONS:-}:detect_leaks=0
  export ASAN_OPTIONS
fi
tmp=$(mktemp -d) || exit 99
trap 'rm -rf "$tmp"' EXIT

fail() { echo "$*"; cat "$tmp"/out "$tmp"/err; head -30 "$tmp"/log.0.log; exit 1; }

# record OPTION...: runs the program on two ranks
record() {
  rm -f "$tmp"/log.*
  CAIRN_CAPTURE=$tmp/log $MPIEXEC $MPIEXEC_FLAGS -n 2 \
    env LD_PRELOAD="$library" "$here/by-hand" "$@" 64 5 >"$tmp/out" 2>"$tmp/err" ||
    fail "by-hand $* fails"
  [ -s "$tmp/log.1.log" ] || fail "no log"
}

# expect CODE KINDS: lints what was recorded
expect() {
  "$CAIRN" lint "$xml" --schedule "$tmp/log.0.log" --schedule "$tmp/log.1.log" \
    $map --format json >"$tmp/out" 2>"$tmp/err"
  code=$?
  found=$(grep -o '"kind":"[a-z-]*"' "$tmp/out" | cut -d'"' -f4 | sort | tr '\n' ' ')
  [ "$code $found" = "$1 $2" ] || fail "found $code $found, not $1 $2"
}

record; expect 0 ''
grep -q '"joined":true' "$tmp/out" || fail "not joined"
grep -q '"schedule":"start Pack@0 yl@1 PostRecv CER' "$tmp/out" || fail "schedule"
record --race; expect 1 'race '
grep -q '"edge":\["yr","y"\]' "$tmp/out" || fail "edge"
record --device-sync; expect 1 'needless-device-sync '
record --late-receive; expect 1 'deadlock '
grep -q '"edge":\["PostRecv","WaitSend"\]' "$tmp/out" || fail "edge"
record --race --device-sync --late-receive
expect 1 'deadlock needless-device-sync race '

# ranks that differ
sed '/recv MPI_Irecv/d' "$tmp/log.1.log" >"$tmp/other" && mv "$tmp/other" "$tmp/log.1.log"
expect 1 'deadlock needless-device-sync race ranks-differ '

# other iterations, other maps
record
"$CAIRN" lint "$xml" --schedule "$tmp/log.0.log" $map --iteration 4 >"$tmp/out" 2>"$tmp/err" ||
  fail "iteration 4"
"$CAIRN" lint "$xml" --schedule "$tmp/log.0.log" $map --iteration 5 >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] || fail "iteration 5"
"$CAIRN" lint "$xml" --schedule "$tmp/log.0.log" --map add=z >"$tmp/out" 2>"$tmp/err"
[ $? = 2 ] || fail "map to no op"
"$CAIRN" lint "$xml" --schedule "$tmp/log.0.log" >"$tmp/out" 2>"$tmp/err"
[ $? = 1 ] && grep -q 'local_part.*is ignored' "$tmp/err" || fail "no map"

# the static runtime is told
cp "$here/.libs/libcudart-fake.so" "$tmp/libcuda.so.1" || exit 99
CAIRN_CAPTURE=$tmp/static LD_PRELOAD="$library" "$here/static" "$tmp/libcuda.so.1" \
  >"$tmp/out" 2>"$tmp/err" || fail "static"
grep -q -e '-cudart shared' "$tmp/err" || fail "static runtime not told"
"$CAIRN" lint "$xml" --schedule "$tmp/static.0.log" >"$tmp/out" 2>"$tmp/err"
[ $? = 3 ] && grep -q -e '-cudart shared' "$tmp/err" || fail "static log"
exit 0

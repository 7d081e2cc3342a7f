#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# The supervisor: exit codes, giving up, signals (INT, TERM and USR1 stop at a
# schedule boundary and the search can go on), and a launcher that is killed.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
export CAIRN_PLUGIN_PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
failed=0
fail() { echo "FAIL: $*"; sed 's/^/    /' "$dir/err" 2>/dev/null | tail; failed=1; }
expect() { # code, words on standard error, command...
  code=$1 words=$2
  shift 2
  "$@" >"$dir/out" 2>"$dir/err"
  rc=$?
  [ $rc = "$code" ] || fail "$*: exit $rc, expected $code"
  [ -z "$words" ] || grep -q -e "$words" "$dir/err" || fail "$*: no '$words'"
}
sed 's/value="0"/value="2000"/' "$top_srcdir/tests/exec/ring.xml" >"$dir/ring.xml"
explore="$MPIEXEC $MPIEXEC_FLAGS -n 2 $CAIRN explore $dir/ring.xml --backend host
  --strategy exhaustive --samples 5"

expect 2 "expected -- COMMAND" "$CAIRN" launch
expect 2 "which journal" "$CAIRN" launch -- sh -c 'exit 0'
expect 4 "cannot run" "$CAIRN" launch -- "$dir/no-such-program" -o "$dir/x"
expect 3 "" "$CAIRN" launch -- sh -c 'exit 3' job -o "$dir/x"
expect 75 "giving up" "$CAIRN" launch --restarts 1 -- sh -c 'exit 9' job -o "$dir/x"
expect 75 "giving up" "$CAIRN" launch --restarts 0 --stall 1 -- sh -c 'sleep 60' job -o "$dir/x"
grep -q "stopped growing" "$dir/err" || fail "a stalled job is not named"

wait_for_results() { # journal, number
  for _ in $(seq 300); do
    [ "$(grep -c '"k":"result"' "$1" 2>/dev/null)" -ge "$2" ] 2>/dev/null && return
    sleep 0.1
  done
  fail "no results in $1"
}
ended() { # journal, reason
  tail -n 1 "$1" | grep -q "\"k\":\"end\".*\"reason\":\"$2\"" || fail "$1 does not end with $2: $(tail -n 1 "$1" | cut -c1-200)"
}
gone() { # journal
  ! pgrep -f "$1" >/dev/null || fail "processes are left: $(pgrep -fa "$1")"
}

# signals to the supervisor
for pair in INT:130 TERM:143 USR1:75; do
  name=${pair%:*} code=${pair#*:} run=$dir/$name.jsonl
  # shellcheck disable=SC2086
  "$CAIRN" launch -- $explore -o "$run" >"$dir/out" 2>"$dir/err" &
  pid=$!
  wait_for_results "$run" 3
  kill -s "$name" $pid
  wait $pid
  rc=$?
  [ $rc = "$code" ] || fail "$name: exit $rc, expected $code"
  ended "$run" signal
  gone "$run"
  echo "ok: $name"
done

# signals to the launcher, as Slurm sends them, without a supervisor
for pair in INT:130 TERM:143; do
  name=${pair%:*} code=${pair#*:} run=$dir/plain-$name.jsonl
  # a shell starts background jobs with INT ignored: python does not
  # shellcheck disable=SC2086
  python3 -c 'import signal, os, sys
signal.signal(signal.SIGINT, signal.SIG_DFL); os.execvp(sys.argv[1], sys.argv[1:])' \
    $explore -o "$run" >"$dir/out" 2>"$dir/err" &
  pid=$!
  wait_for_results "$run" 3
  kill -s "$name" $pid
  wait $pid
  rc=$?
  [ $rc = "$code" ] || echo "note: the launcher left with $rc, not $code"
  ended "$run" signal
  gone "$run"
  echo "ok: $name to the launcher"
done

# mpiexec is killed: the supervisor starts it again, and the search completes
run=$dir/killed.jsonl
# shellcheck disable=SC2086
"$CAIRN" launch -- $explore --budget 25 -o "$run" >"$dir/out" 2>"$dir/err" &
pid=$!
wait_for_results "$run" 5
pkill -9 -P $pid
wait $pid
rc=$?
[ $rc = 0 ] || fail "after the launcher's death: exit $rc"
ended "$run" budget
gone "$run"
python3 - "$run" <<'PY' || fail "journal of a killed launcher"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
ids = [l["id"] for l in lines if l["k"] == "result"]
assert ids == list(range(25)), ids
assert len({l["schedule"] for l in lines if l["k"] == "result"}) == 25
PY
echo "ok: the launcher was killed"
exit $failed

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

# the folder for what ranks leave: private, told to the job, removed; where it
# cannot be made the job runs without
# shellcheck disable=SC2016
look='stat -c "%a %n" "$CAIRN_TRAIL"; echo x >"$CAIRN_TRAIL/ranks-0"; exit 9'
expect 75 "giving up" "$CAIRN" launch --restarts 0 -- sh -c "$look" job -o "$dir/x"
folder=$(sed -n 's/^700 //p' "$dir/out")
case $folder in
/dev/shm/cairn-launch-* | /tmp/cairn-launch-* | "${TMPDIR:-/tmp}"/cairn-launch-*) ;;
*) fail "the job saw the folder '$folder'" ;;
esac
[ ! -e "$folder" ] || fail "$folder is left"
CAIRN_TRAIL=$dir expect 75 "no folder .* in $dir/nowhere: .*; going on without" \
  "$CAIRN" launch --restarts 0 --trail="$dir/nowhere" -- \
  sh -c "echo \"trail=\$CAIRN_TRAIL\"; exit 9" job -o "$dir/x"
grep -qx 'trail=' "$dir/out" || fail "without a folder the job saw $(cat "$dir/out")"
mkdir "$dir/trail"
# files that make no sense are left out
for stride in 0 7 192 200 208 4294967288; do
  python3 -c 'import struct, sys
sys.stdout.buffer.write(struct.pack("<7I4xQ6IQ32I", 0x63726e01, int(sys.argv[1]),
  *[2**31 - 1] * 3, 0, 0, 7, 8, *[2**32 - 1] * 4, 0, 1, *[2**32 - 1] * 32) + b"\xff" * 15)
' $stride >"$dir/ranks"
  words="giving up"
  case $stride in 200 | 208) words="rank 2147483647 died of signal 2147483647: item 4294967294 runs" ;; esac
  expect 75 "$words" "$CAIRN" launch --restarts 0 --trail="$dir/trail" -- \
    sh -c "cp $dir/ranks \$CAIRN_TRAIL/ranks-3; exit 9" job -o "$dir/x"
done
# as on a host where the folder is not
# shellcheck disable=SC2086
CAIRN_TRAIL=$dir/nowhere expect 0 "" $explore --budget 2 -o "$dir/alone.jsonl"

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
for pair in INT:130 TERM:143 USR1:75 HUP:75; do
  name=${pair%:*} code=${pair#*:} run=$dir/$name.jsonl
  # shellcheck disable=SC2086
  "$CAIRN" launch --trail="$dir/trail" -- $explore -o "$run" >"$dir/out" 2>"$dir/err" &
  pid=$!
  wait_for_results "$run" 3
  kill -s "$name" $pid
  wait $pid
  rc=$?
  [ $rc = "$code" ] || fail "$name: exit $rc, expected $code"
  ended "$run" signal
  gone "$run"
  [ -z "$(ls -A "$dir/trail")" ] || fail "$name: left in the trail: $(ls -AR "$dir/trail")"
  echo "ok: $name"
done

# USR1 reaches a launcher that knows it as USR1 (handled or waited for); one that
# it would end gets TERM
for how in handled blocked; do
  expect 75 "" timeout 60 python3 - "$CAIRN" "$how" "$dir" <<'PY'
import signal, subprocess, sys, time, os
cairn, how, dir = sys.argv[1:]
child = """
import signal, sys
got = {signal.SIGUSR1: "USR1", signal.SIGTERM: "TERM"}
if sys.argv[1] == "handled":
    for s in got:
        signal.signal(s, lambda n, f: (open(sys.argv[2], "w").write(got[n]), sys.exit(75)))
else:
    signal.pthread_sigmask(signal.SIG_BLOCK, got)
open(sys.argv[2], "w").write("ready")
if sys.argv[1] == "handled":
    signal.pause()
else:
    number = signal.sigwait(got)
    open(sys.argv[2], "w").write(got[number])
"""
told = os.path.join(dir, "told-" + how)
p = subprocess.Popen([cairn, "launch", "--", sys.executable, "-c", child, how, told,
                      "job", "-o", os.path.join(dir, "x")])
while not os.path.exists(told) or open(told).read() != "ready":
    time.sleep(0.05)
time.sleep(0.3)
p.send_signal(signal.SIGUSR1)
sys.exit(p.wait())
PY
  [ "$(cat "$dir/told-$how")" = USR1 ] || fail "a launcher ($how) got $(cat "$dir/told-$how")"
done
# shellcheck disable=SC2016
"$CAIRN" launch -- sh -c 'trap "echo TERM >$0; exit 1" TERM; echo ready >$0; while :; do sleep 0.1; done' \
  "$dir/told" job -o "$dir/x" 2>"$dir/err" &
pid=$!
for _ in $(seq 100); do [ -e "$dir/told" ] && break; sleep 0.1; done
sleep 0.3
kill -s USR1 $pid
wait $pid
rc=$?
[ $rc = 75 ] && [ "$(cat "$dir/told")" = TERM ] || fail "USR1 to a shell: $rc, $(cat "$dir/told")"

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
"$CAIRN" launch --trail="$dir/trail" -- $explore --budget 25 -o "$run" >"$dir/out" 2>"$dir/err" &
pid=$!
wait_for_results "$run" 5
pkill -9 -P $pid
wait $pid
rc=$?
[ $rc = 0 ] || fail "after the launcher's death: exit $rc"
! grep -q "rank . died" "$dir/err" || fail "a rank is blamed for the launcher's death"
for rank in 0 1; do
  grep -q "launch: rank $rank stood last in schedule" "$dir/err" ||
    fail "where rank $rank stood is not told"
done
[ -z "$(ls -A "$dir/trail")" ] || fail "left in the trail: $(ls -AR "$dir/trail")"
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

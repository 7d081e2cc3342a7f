#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Injected hangs and deaths: each is noticed in time, names operation and rank,
# costs one schedule, and the search completes with nothing left behind.
# A few in `make check`, all with CAIRN_LONG=1.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
export CAIRN_PLUGIN_PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
T=1 failed=0 count=0

now() { python3 -c 'import time; print("%.2f" % time.monotonic())'; }
job() { # journal injection
  "$CAIRN" launch --restarts 3 -- \
    $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore "$top_srcdir/tests/exec/ring.xml" \
    --backend host --strategy exhaustive --budget 5 --samples 1 --watchdog $T \
    -o "$1" ${2:+--inject "$2"} >"$dir/out" 2>"$dir/err"
}
shm() { ls /dev/shm 2>/dev/null | sort; }
# Segments that are new since $before and that no process has mapped: those of
# tests that run at the same time are not left behind.
left() {
  for segment in $(shm); do
    echo "$before" | grep -qxF "$segment" && continue
    grep -qsF "/dev/shm/$segment" /proc/[0-9]*/maps || echo "$segment"
  done
}
complain() { echo "FAIL: $spec: $*"; sed 's/^/    /' "$dir/err" | tail -25; failed=$((failed + 1)); }

begin=$(now)
spec=none
job "$dir/base.jsonl" || { complain "undisturbed run fails"; exit 1; }
base=$(python3 -c "print($(now) - $begin)")

# spec, seconds until noticed, status of the schedule, words to be found
check() {
  spec=$1 limit=$2 status=$3 words=$4
  count=$((count + 1))
  journal=$dir/$count.jsonl
  before=$(shm) begin=$(now)
  job "$journal" "$spec"; rc=$?
  took=$(python3 -c "print($(now) - $begin)")
  [ $rc = 0 ] || { complain "exit $rc"; return; }
  # the job ran twice
  python3 -c "import sys; sys.exit(not $took <= 3 * $base + $limit + 3)" ||
    complain "took $took s, undisturbed $base s, limit $limit s"
  python3 - "$journal" "$status" "$words" <<'PY' || complain "journal"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
results = {l["id"]: l for l in lines if l["k"] == "result"}
assert lines[-1]["k"] == "end", lines[-1]
assert len(results) == 5, len(results)
bad = [r for r in results.values() if r["status"] != "ok"]
assert len(bad) == 1 and bad[0]["id"] == 2, bad
assert bad[0]["status"] in sys.argv[2].split("|"), bad
for word in sys.argv[3].split("|"):
    assert word in bad[0].get("message", ""), (word, bad)
PY
  pgrep -f "$journal" >/dev/null && complain "processes are left: $(pgrep -fa "$journal")"
  if [ -n "$(left)" ] && sleep 2 && [ -n "$(left)" ]; then
    complain "shared memory is left: $(left)"
  fi
  [ -z "$(find "$dir" -name '*.tmp*')" ] || complain "temporary files are left"
  echo "ok: $spec ($took s)"
}

at=":schedule=2"
hang="timeout|hang"
check "hang@other:rank=1$at" $T timeout "rank 1: other@"
check "hang@PostSend:rank=1$at" $T timeout "rank 1: the host stands at PostSend"
check "kill@PostRecv:rank=0$at" 0 "crashed|quarantined" ""
check "stop@Wait:rank=1$at" $T timeout "rank 1"
if [ -n "$CAIRN_LONG" ]; then
  check "hang@fill:rank=1$at" $T timeout "rank 1: fill@"
  check "hang@add:rank=1$at" $T timeout "rank 1: add@"
  check "hang@add:rank=0$at" $T timeout "rank 0: add@"
  check "hang@Wait$at" $T timeout "rank 0: the host stands at Wait|rank 1: the host stands at Wait"
  check "spin@other:rank=1$at" $T timeout "rank 1: other@"
  check "deadlock@Wait:rank=1$at" $T timeout "rank 1: the host stands at Wait"
  check "stop@PostSend:rank=0$at" $T "crashed|quarantined|timeout" ""
  check "slow@fill:rank=1:time=60$at" $T timeout "rank 1: fill@"
  check "hang@%verify:rank=1$at" $((6 * T)) timeout "rank 1: the host is in the plugin's verify"
  check "hang@%poison:rank=1$at" $((6 * T)) timeout "rank 1: the host is in the plugin's poison"
  check "kill@other:rank=1$at" 0 "crashed|quarantined" ""
  check "segv@add:rank=1$at" 0 "crashed|quarantined" ""
  check "abort@Wait:rank=1$at" 0 "crashed|quarantined" ""
  check "exit@PostSend:rank=1:code=3$at" 0 "crashed|quarantined" ""
  check "exit@fill:rank=1:code=0$at" 0 "crashed|quarantined" ""
fi
echo "$count injections, $failed failed"
[ $failed = 0 ]

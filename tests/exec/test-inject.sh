#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Injected hangs and deaths: each is noticed in time, names operation and rank,
# costs one schedule, and the search completes with nothing left behind.
# A few in `make check`, all with CAIRN_LONG=1.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
TMPDIR=$dir/tmp
mkdir "$TMPDIR"
export CAIRN_PLUGIN_PATH TMPDIR
T=1 failed=0 count=0

job() { # journal injection
  "$CAIRN" launch --restarts 3 -- \
    $MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore "$top_srcdir/tests/exec/ring.xml" \
    --backend host --strategy exhaustive --budget 5 --samples 1 --watchdog $T \
    -o "$1" ${2:+--inject "$2"} >"$dir/out" 2>"$dir/err"
}
shm() { find /dev/shm -maxdepth 1 -type f -printf '%f\n' 2>/dev/null | sort; }
# Segments that are new since $before and that no process has mapped: those of
# tests that run at the same time are not left behind.
left() {
  for segment in $(shm); do
    echo "$before" | grep -qxF "$segment" && continue
    grep -qsF "/dev/shm/$segment" /proc/[0-9]*/maps || echo "$segment"
  done
}
complain() { echo "FAIL: $spec: $*"; sed 's/^/    /' "$dir/err" | tail -25; failed=$((failed + 1)); }

spec=none
job "$dir/base.jsonl" || { complain "undisturbed run fails"; exit 1; }

# spec, status of the schedule, words to be found in its message
check() {
  spec=$1 status=$2 words=$3
  count=$((count + 1))
  journal=$dir/$count.jsonl
  before=$(shm)
  job "$journal" "$spec"; rc=$?
  [ $rc = 0 ] || { complain "exit $rc"; return; }
  python3 - "$journal" "$dir/err" "$status" "$words" <<'PY' || complain "see above"
import json, re, sys
journal, err, status, words = sys.argv[1:]
lines = [json.loads(l) for l in open(journal)]
results = {l["id"]: l for l in lines if l["k"] == "result"}
assert lines[-1]["k"] == "end", lines[-1]
assert len(results) == 5, len(results)
bad = [r for r in results.values() if r["status"] != "ok"]
assert len(bad) == 1 and bad[0]["id"] == 2, bad
assert bad[0]["status"] in status.split("|"), bad
for word in words.split("|"):
    assert word in bad[0].get("message", ""), (word, bad)
# the schedule at fault was not run again
assert [l["id"] for l in lines if l["k"] == "begin"].count(2) == 1
# each rank that is left says for how long nothing has moved: not 3 s longer
# than its limit
said = [(float(s), float(l), int(r)) for s, l, r in re.findall(
    r"no progress for (\S+) s \(limit (\S+) s\) in schedule 2; rank (\d+):",
    open(err).read())]
if status == "timeout":
    assert any(still >= limit > 0 for still, limit, rank in said), said
for still, limit, rank in said:
    assert limit == 0 or still <= limit + 3, said
print("  " + ", ".join("rank %d after %g s, limit %g s" % (r, s, l)
                       for s, l, r in said))
PY
  pgrep -f "$journal" >/dev/null && complain "processes are left: $(pgrep -fa "$journal")"
  if [ -n "$(left)" ] && sleep 2 && [ -n "$(left)" ]; then
    complain "shared memory is left: $(left)"
  fi
  [ -z "$(ls -A "$TMPDIR")" ] || complain "temporary files are left: $(ls -A "$TMPDIR")"
  echo "ok: $spec"
}

at=":schedule=2"
check "hang@other:rank=1$at" timeout "rank 1: other@"
check "hang@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
check "kill@PostRecv:rank=0$at" "crashed|quarantined" ""
check "stop@Wait:rank=1$at" timeout "rank 1"
if [ -n "$CAIRN_LONG" ]; then
  check "hang@fill:rank=1$at" timeout "rank 1: fill@"
  check "hang@add:rank=1$at" timeout "rank 1: add@"
  check "hang@add:rank=0$at" timeout "rank 0: add@"
  check "hang@Wait$at" timeout "rank 0: the host stands at Wait|rank 1: the host stands at Wait"
  check "spin@other:rank=1$at" timeout "rank 1: other@"
  check "deadlock@Wait:rank=1$at" timeout "rank 1: the host stands at Wait"
  check "stop@PostSend:rank=0$at" "crashed|quarantined|timeout" ""
  check "slow@fill:rank=1:time=60$at" timeout "rank 1: fill@"
  check "hang@%verify:rank=1$at" timeout "rank 1: the host is in the plugin's verify"
  check "hang@%poison:rank=1$at" timeout "rank 1: the host is in the plugin's poison"
  check "kill@other:rank=1$at" "crashed|quarantined" ""
  check "segv@add:rank=1$at" "crashed|quarantined" ""
  check "abort@Wait:rank=1$at" "crashed|quarantined" ""
  check "exit@PostSend:rank=1:code=3$at" "crashed|quarantined" ""
  check "exit@fill:rank=1:code=0$at" "crashed|quarantined" ""
  check "hang@PostRecv:rank=1$at" timeout "rank 1: the host stands at PostRecv"
  check "spin@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
  check "deadlock@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
  check "slow@Wait:rank=1:time=60$at" timeout "rank 1: the host stands at Wait"
fi
echo "$count injections, $failed failed"
[ $failed = 0 ]

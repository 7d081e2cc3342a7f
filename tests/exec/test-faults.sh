#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Injected failures that are results (an op that fails, wrong numbers) and
# failures of the machine (no memory, no space, failing writes): status and
# message of the schedule, exit code, and a journal that can be resumed.
: "${CAIRN:?}" "${top_srcdir:?}" "${top_builddir:?}"
command -v "${MPIEXEC:-none}" >/dev/null 2>&1 || { echo "SKIP: no mpiexec"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIP: no python3"; exit 77; }
CAIRN_PLUGIN_PATH=$(cd "$top_builddir/tests/exec" && pwd)
export CAIRN_PLUGIN_PATH
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
journal=$dir/run.jsonl failed=0
complain() { echo "FAIL: $spec: $*"; sed 's/^/    /' "$dir/err" | tail -25; failed=1; }

explore() { # ranks, arguments...
  ranks=$1
  shift
  $MPIEXEC $MPIEXEC_FLAGS -n "$ranks" "$CAIRN" explore "$top_srcdir/tests/exec/ring.xml" \
    --backend host --strategy exhaustive --budget 5 --samples 1 --watchdog 60 \
    -o "$journal" "$@" >"$dir/out" 2>"$dir/err"
  rc=$?
}
# A Python expression about `results` (by id), `lines` and `err` that holds.
holds() {
  python3 - "$journal" "$dir/err" "$1" <<'PY' || complain "not true: $1"
import json, sys
lines = [json.loads(l) for l in open(sys.argv[1])]
results = {l["id"]: l for l in lines if l["k"] == "result"}
err = open(sys.argv[2]).read()
ok = [r["id"] for r in results.values() if r["status"] == "ok"]
if not eval(sys.argv[3]):
    print(lines[-1], err)
    sys.exit(1)
PY
}
# A schedule that fails is a result; the others are not touched.
result() { # injection, status, message
  spec=$1
  rm -f "$journal"
  explore 2 --inject "$spec"
  [ $rc = 0 ] || complain "exit $rc"
  holds "lines[-1]['reason'] == 'budget' and ok == [0, 1, 3, 4]"
  holds "results[2]['status'] == '$2' and '$3' in results[2]['message']"
  holds "results[2]['p50'] is None"
  echo "ok: $spec"
}
result fail@add:rank=1:schedule=2:code=7 failed "rank 1: add@1 failed with code 7"
result fail@Wait:rank=0:schedule=2 failed "rank 0: Wait failed with code 1"
result wrong@add:rank=1:schedule=2 wrong "rank 1: wrong numbers: sum[0] is -1, expected 0"

spec="fail with --strict"
rm -f "$journal"
explore 2 --strict --inject fail@PostSend:rank=1:schedule=0
[ $rc = 5 ] || complain "exit $rc, expected 5"
grep -q '1 schedules failed' "$dir/err" || complain "the failure is not counted"
grep -q '^Failed:    1 failed; their messages name PostSend (1)$' "$dir/out" ||
  complain "the report: $(cat "$dir/out")"
echo "ok: $spec"

spec="all fail"
rm -f "$journal"
explore 2 --inject fail@other:rank=1
[ $rc = 1 ] || complain "exit $rc, expected 1"
holds "len(results) == 5 and ok == []"
grep -q '^Failed:    5 failed; their messages name other (5)$' "$dir/out" ||
  complain "the report: $(cat "$dir/out")"
echo "ok: $spec"

# After a while it fails every time: results until then stay.
spec="fail after 30 times"
rm -f "$journal"
explore 1 --inject fail@fill:after=30
holds "results[0]['status'] == 'ok' and results[4]['status'] == 'failed'"
echo "ok: $spec"

spec="slow"
rm -f "$journal"
explore 1 --inject slow@fill:schedule=1:time=0.2
[ $rc = 0 ] || complain "exit $rc"
holds "results[1]['p50'] >= 0.2 and results[1]['status'] == 'ok'"
echo "ok: $spec"

# The machine fails: exit 4, the cause, nothing recorded is lost, resumable.
machine() { # injection, cause; the ids before it stay
  spec=$1
  rm -f "$journal"
  explore 2 --inject "$spec"
  [ $rc = 4 ] || complain "exit $rc, expected 4"
  grep -q "$2" "$dir/err" || complain "does not name the cause, $2"
  grep -qF "$journal" "$dir/err" || complain "does not name the file"
  before=$(grep -c '"k":"result".*"x":"................"}$' "$journal")
  cp "$journal" "$dir/before"
  explore 2 --resume
  [ $rc = 0 ] || complain "resuming: exit $rc"
  holds "sorted(results) == [0, 1, 2, 3, 4] and lines[-1]['k'] == 'end'"
  holds "len(ok) >= 4 and len(ok) >= $before"
  head -c "$(wc -c <"$dir/before")" "$journal" | cmp -s - "$dir/before" ||
    complain "what was recorded has changed"
  echo "ok: $spec"
}
machine enospc@1 "No space left on device"
machine enospc@6 "No space left on device"
machine failwrite@5 "Input/output error"
[ -z "$CAIRN_LONG" ] || for n in 2 3 4 7 8 9 10; do
  machine enospc@$n "No space left on device"
  machine failwrite@$n "Input/output error"
done

# Memory fails at some point: out of memory, or managed without; never a crash,
# and the journal can be resumed.
points="1 10 60 160 300"
[ -z "$CAIRN_LONG" ] || points=$(seq 1 7 700)
for n in $points; do
  for forever in "" :forever=1; do
    spec=failalloc@$n$forever
    rm -f "$journal"
    explore 1 --inject "$spec"
    case $rc in
    0 | 1) ;;
    4) grep -q "out of memory" "$dir/err" || complain "exit 4 without a cause" ;;
    *) complain "exit $rc" ;;
    esac
    explore 1 --resume
    [ $rc = 0 ] || complain "resuming: exit $rc"
    holds "sorted(results) == [0, 1, 2, 3, 4] and lines[-1]['k'] == 'end'"
  done
done
echo "ok: failalloc at $(echo $points | wc -w) points, once and for ever"
exit $failed

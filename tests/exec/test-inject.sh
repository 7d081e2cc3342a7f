#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# Injected hangs and deaths: each is noticed in time, names operation and rank,
# costs one schedule (after the third death, if it may have another cause), and
# the search completes with nothing left behind.
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
T=1 failed=0 count=0 trail=

job() { # journal injection
  "$CAIRN" launch --restarts 3 $trail -- \
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

# Nothing is left behind.
clean() {
  pgrep -f "$journal" >/dev/null && complain "processes are left: $(pgrep -fa "$journal")"
  if [ -n "$(left)" ] && sleep 2 && [ -n "$(left)" ]; then
    complain "shared memory is left: $(left)"
  fi
  [ -z "$(ls -A "$TMPDIR")" ] || complain "temporary files are left: $(ls -A "$TMPDIR")"
  echo "ok: $spec"
}

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
# a hang or a fault is the schedule's: not run again; a death may be another's
# doing: measured again, twice, and the journal tells of each
begun = [l["id"] for l in lines if l["k"] == "begin"].count(2)
deaths = [l for l in lines if l["k"] == "death"]
killed = bad[0]["status"] == "quarantined"
assert begun == (3 if killed else 1), begun
assert len(deaths) == begun - 1 and all(d["id"] == 2 for d in deaths), deaths
assert not killed or bad[0]["message"].startswith(
    "the job died 3 times while it ran this schedule; the last time: "), bad
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
  clean
}

# The op that schedule 2 died in on rank 1, and where, from the schedule's own
# text: in the journal, on standard error with the other rank's place, and in
# the report.  spec, signal that is known (0: none), op, token that the host
# stands at (a prefix; "": the op itself or, for a GPU op, anything)
died() {
  spec=$1
  count=$((count + 1))
  journal=$dir/$count.jsonl
  before=$(shm)
  job "$journal" "$spec"; rc=$?
  [ $rc = 0 ] || { complain "exit $rc"; return; }
  python3 - "$journal" "$dir/err" "$dir/out" "$2" "$3" "$4" <<'PY' || complain "see above"
import json, os, re, sys
journal, err, out, signal, op, host = sys.argv[1:]
lines = [json.loads(l) for l in open(journal)]
results = {l["id"]: l for l in lines if l["k"] == "result"}
assert lines[-1]["k"] == "end" and len(results) == 5, lines[-1]
bad, = [r for r in results.values() if r["status"] != "ok"]
# a fault is the schedule's own; whoever else dies gets three chances
fate = "crashed" if signal == "11" else "quarantined"
assert bad["id"] == 2 and bad["status"] in (fate, "timeout"), bad
begun = [l["id"] for l in lines if l["k"] == "begin"].count(2)
assert begun == (3 if bad["status"] == "quarantined" else 1), begun
assert [d["id"] for d in lines if d["k"] == "death"] == [2] * (begun - 1)
if bad["status"] == "quarantined":
    before = "the job died 3 times while it ran this schedule; the last time: "
    assert bad["message"].startswith(before), bad
    bad["message"] = bad["message"][len(before):]
items = bad["schedule"].split()
def place(test):
    i, = [i for i, name in enumerate(items) if test(name)]
    assert i > 1  # not the first
    name = re.sub("-.*(?=[#])", "", items[i]) if "-" in items[i] else items[i]
    return name, "item %d of %d" % (i, len(items))
def is_op(name):
    return name.split("@")[0] == op
name, where = place(is_op)
head = "rank 1 died%s" % (" of signal " + signal if signal != "0" else "")
if "@" in name:
    text = "%s runs (%s), the host " % (name, where)
else:
    text = "the host stands at %s (%s, iteration 0)" % (name, where)
if host:
    text += "stands at %s (%s, iteration 0)" % place(lambda n: n.startswith(host))
if bad["status"] == "timeout":
    # this launcher is slower to notice than the watchdog of rank 0, which says
    # the same
    assert "openmpi" in os.environ["MPIEXEC"] and "rank 1: " + text in bad["message"], bad
    sys.exit()
said = open(err).read()
if bad["message"].startswith("rank 0 died of signal 6") and signal == "0" and \
        os.environ.get("CAIRN_SANITIZED"):
    # rank 1, big as it is, was long in dying, and MPI on rank 0 aborted first
    assert "; rank 1 ended about then: " + text in bad["message"], (text, bad)
    assert "launch: rank 1 ended about then in schedule 2: " + text in said, text
else:
    assert bad["message"].startswith(head + ": " + text), (head, text, bad)
    assert "launch: %s in schedule 2: %s" % (head, text) in said, (head, text)
    after = "about then" if signal == "6" else "after it"
    assert "launch: rank 0 ended %s in schedule 2: the host " % after in said
    assert said.index("launch: rank 1") < said.index("launch: rank 0")
assert signal == "0" or re.search(
    "crash: signal %s in schedule 2; rank 1: %s" % (signal, re.escape(text)), said)
assert "1 %s; their messages name" % fate in open(out).read()
assert re.search("messages name .*\\b%s \\(1\\)" % op, open(out).read())
PY
  clean
}

at=":schedule=2"
check "hang@other:rank=1$at" timeout "rank 1: other@"
check "hang@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
check "kill@PostRecv:rank=0$at" quarantined "rank 0 |: the host stands at PostRecv"
# rank 0 waits in MPI; the host of rank 1 for a stream
died "slow@fill:rank=1:time=0.2$at,kill@fill:rank=1$at" 0 fill CES-b4-PostSend
trail=--trail=$TMPDIR
died "kill@Wait:rank=1$at" 0 Wait ""
died "slow@add:rank=1:time=0.2$at,segv@add:rank=1$at" 11 add CES-b4-end
trail=
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
  died "kill@other:rank=1$at" 0 other ""
  died "segv@add:rank=1$at" 11 add ""
  died "segv@PostSend:rank=1$at" 11 PostSend ""
  died "abort@Wait:rank=1$at" 6 Wait ""
  died "abort@fill:rank=1$at" 6 fill ""
  died "exit@PostSend:rank=1:code=3$at" 0 PostSend ""
  died "exit@fill:rank=1:code=0$at" 0 fill ""
  check "kill@%verify:rank=1$at" quarantined "rank 1 |: the host is in the plugin's verify"
  check "hang@PostRecv:rank=1$at" timeout "rank 1: the host stands at PostRecv"
  check "spin@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
  check "deadlock@PostSend:rank=1$at" timeout "rank 1: the host stands at PostSend"
  check "slow@Wait:rank=1:time=60$at" timeout "rank 1: the host stands at Wait"
fi

# Without a supervisor a rank that crashes says so itself.
spec="plain segv"
$MPIEXEC $MPIEXEC_FLAGS -n 2 "$CAIRN" explore "$top_srcdir/tests/exec/ring.xml" \
  --backend host --strategy exhaustive --budget 5 --samples 1 -o "$dir/plain.jsonl" \
  --inject "segv@PostSend:rank=1$at" >"$dir/out" 2>"$dir/err" && complain "exit 0"
grep -q 'cairn: crash: signal 11 in schedule 2; rank 1: the host stands at PostSend (item 6 of 12, iteration 0)' \
  "$dir/err" || complain "the rank does not say where it crashed"
echo "$count injections, $failed failed"
[ $failed = 0 ]

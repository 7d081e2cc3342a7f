#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# The critical path of real executions: whatever the times are, the steps
# follow each other without holes, each for a reason that the schedule's text
# confirms, and the lower bound is no longer than the span.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
command -v python3 >/dev/null || skip "no python3"
[ -n "$MPIEXEC" ] || skip "no launcher"
ring=$top_srcdir/tests/exec/ring.xml
CAIRN_PLUGIN_PATH=$top_builddir/tests/exec
cat >check.py <<'PY'
import json, re, sys
run = json.load(open(sys.argv[1]))
ranks = int(sys.argv[2])
items = run["schedule"].split()
path = run["critical_path"]
steps = path["steps"]

def kind(word):
    return word[:3] if word[:3] in ("CER", "CES", "CSW") else "GPU" if "@" in word else "CPU"

def stream(word):
    return re.search(r"@(\d+)", word).group(1)

def event(word):
    return word.rsplit("#", 1)[1]

def behind(wait):
    """The GPU op that a wait waits for."""
    record = max(i for i in range(wait) if kind(items[i]) == "CER" and
                 event(items[i]) == event(items[wait]))
    return max(i for i in range(record) if kind(items[i]) == "GPU" and
               stream(items[i]) == stream(items[record]))

def op(word):
    return re.split("[@#]", word)[0]

PEER = {"Wait": {"PostSend", "PostRecv"}}

def follows(a, b):
    same = a["rank"] == b["rank"]
    on_a, on_b = a["stream"] is not None, b["stream"] is not None
    i, j = a["position"], b["position"]
    why = b["because"]
    if why == "the host comes to it":
        return same and not on_a and not on_b and i + 1 == j
    if why == "launched":
        return same and not on_a and on_b and i == j
    if why == "its stream is free":
        return same and on_a and on_b and i < j and a["stream"] == b["stream"]
    if why == "the event is reached":
        if not same or not on_a:
            return False
        if not on_b:
            return kind(items[j]) == "CES" and behind(j) == i
        return any(kind(items[w]) == "CSW" and stream(items[w]) == str(b["stream"])
                   and behind(w) == i for w in range(j))
    if why == "the peer has posted":
        return a["rank"] != b["rank"] and op(items[i]) in PEER[op(items[j])]
    return False

assert steps[0]["because"] == "the start" and steps[0]["position"] == 0
assert steps[-1]["position"] == len(items) - 1
for a, b in zip(steps, steps[1:]):
    assert b["from"] == a["stop"], (a, b)
    assert follows(a, b), (a, b, run["schedule"])
for s in steps:
    assert s["item"] == items[s["position"]]
    assert s["from"] <= s["start"] <= s["stop"], s
    assert 0 <= s["rank"] < ranks
total = sum(s["stop"] - s["from"] for s in steps)
assert abs(total - (path["span"] - steps[0]["from"])) < 1e-9, (total, path["span"])
parts = path["gpu"] + path["host"] + path["messages"] + path["delay"]
assert abs(parts - total) < 1e-9, (parts, total)
assert 0 < path["bound"] <= path["span"] + 1e-12
assert abs(path["gap"] - (path["span"] - path["bound"])) < 1e-12
assert path["chain"][-1]["op"] == "end"
PY
expect 0 "$CAIRN" enumerate "$ring"
grep -n '' out | shuf -n 6 --random-source="$ring" | cut -d: -f2- >some
i=0
while read -r line; do
  i=$((i + 1))
  echo "$line" >schedule.txt
  expect 0 ranks 2 "$CAIRN" run "$ring" --backend host --samples 3 \
    --schedule schedule.txt --critical-path --format json -D delay=$((i % 2 * 300))
  python3 check.py out 2 2>why || complain "schedule $i: $(tail -n 1 why)"
done <some
expect 0 "$CAIRN" run "$ring" --backend host --samples 3 --critical-path --format json
python3 check.py out 1 2>why || complain "one rank: $(tail -n 1 why)"
expect 0 ranks 2 "$CAIRN" run "$ring" --backend host --samples 3 --critical-path
for words in '^critical path of' '^lower bound' '^gap '; do
  grep -q "$words" out || complain "no line $words: $(cat out)"
done
expect 0 "$CAIRN" run "$ring" --backend host --samples 3 --format json
equal "not asked for" "$(jq 'has("critical_path")' out)" false
exit $status

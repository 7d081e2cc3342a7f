#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Results of different origin are told apart, and each kind of difference by
# name; what a header does not tell equals anything.  The journals are made
# here, so what must come out is known.
. "$top_srcdir/tests/cli/lib.sh" || exit 99
need_jq
python=$(command -v python3) || skip "python3 is not there"
$python -c 'import ctypes; ctypes.CDLL("libxxhash.so.0").XXH3_64bits' \
  2>/dev/null || skip "libxxhash.so.0 is not there"

# journal NAME MEMBERS [EXTRA]: 24 schedules of A, B (GPU) and C; those with C
# before B take 10, the others 20 us times EXTRA (30 with "three" when A and B
# share the stream).
cat >make.py <<'PY'
import ctypes, json, sys
xxh3 = ctypes.CDLL("libxxhash.so.0").XXH3_64bits
xxh3.argtypes, xxh3.restype = (ctypes.c_char_p, ctypes.c_size_t), ctypes.c_uint64
name, members, how = sys.argv[1], json.loads(sys.argv[2]), sys.argv[3:]
out = open(name, "w")
def line(d):
    body = json.dumps(d, separators=(",", ":"))[:-1]
    out.write('%s,"x":"%016x"}\n' %
              (body, xxh3(body.encode(), len(body))))
head = {"k": "header", "format": 1, "cairn": "0.1.0",
        "program": {"name": "p", "digest": "a", "graph": "g"},
        "params": {"n": "1"}, "ranks": 1, "backend": "host", "devices": [],
        "streams": 2, "sync": "tidy", "seed": 0, "objective": "p50"}
head.update(members)
line(head)
i = 0
x = how[0] if how else "X"
for order in ("A@0 B@1 C", "A@0 C B@1", "C A@0 B@1", "A@0 B@0 C",
              "A@0 C B@0", "C A@0 B@0"):
    if "cpu" in how and "B@1" in order:
        continue  # without streams these are those of B@0
    for before in ("%s D", "D %s"):
        for mark in ("R", "S"):
            if order.index("C") > order.index("B"):
                t = 20e-6 if "B@1" in order or "three" not in how else 30e-6
            else:
                t = 10e-6
            t *= 1 + 1e-4 * i
            text = order.replace("C", "C " + before % x)
            text = ("R " if mark == "R" else "") + text
            if mark == "S":
                text += " R"
            n = 1 if "cpu" not in how else 0
            if not n:
                text = text.replace("B@0", "B").replace("B@1", "B")
            line({"k": "result", "id": i, "schedule": "start " + text + " end",
                  "status": "ok", "samples": 50, "p01": t * .999,
                  "p10": t * .9995, "p50": t, "p90": t * 1.0005,
                  "p99": t * 1.001, "stddev": t * 1e-4, "skew": 0, "at": i})
            i += 1
line({"k": "end", "count": i, "reason": "budget"})
PY
journal() { $python make.py "$@" || complain "make.py $*"; }

journal a.jsonl '{}'
cp a.jsonl copy.jsonl
journal digest.jsonl '{"program":{"name":"q","digest":"b","graph":"g"}}'
journal edges.jsonl '{"program":{"name":"p","digest":"b","graph":"h"}}'
journal old.jsonl '{"program":{"name":"p","digest":"c"}}'
journal ops.jsonl '{"program":{"name":"p","digest":"b","graph":"i"}}' Y
journal kinds.jsonl '{"program":{"name":"p","digest":"b","graph":"i"}}' X cpu
journal param.jsonl '{"params":{"n":"2"}}'
journal ranks.jsonl '{"ranks":2}'
journal backend.jsonl '{"backend":"cuda","devices":["H"]}'
journal device.jsonl '{"backend":"cuda","devices":["K"]}'
journal objective.jsonl '{"objective":"p10"}'
journal null.jsonl '{"program":{"name":null,"digest":null},"params":{},
  "ranks":null,"backend":"import","objective":"p50"}'

# the same result twice counts once
count() { equal "schedules of $1" "$(jq .schedules out)" 24; }
for other in copy digest old null; do
  expect 0 "$CAIRN" classify a.jsonl $other.jsonl --format json
  count "$other"
  expect 0 "$CAIRN" compare-runs a.jsonl $other.jsonl
done
expect 0 "$CAIRN" classify a.jsonl a.jsonl a.jsonl --first 24 --format json
count "three and --first"

# refused FILE FILE WORDS: by each command that takes two
refused() {
  expect 3 "$CAIRN" classify "$1" "$2"
  grep -qF -e "$3" err || complain "classify $1 $2: $(cat err)"
  expect 3 "$CAIRN" classify "$1" --evaluate "$2"
  grep -qF -e "$3" err || complain "--evaluate $1 $2: $(cat err)"
  expect 3 "$CAIRN" compare-runs "$1" "$2"
  grep -qF -e "$3" err || complain "compare-runs $1 $2: $(cat err)"
}
other_program() {
  refused a.jsonl "$1" "$2"
  for command in classify compare-runs; do
    expect 3 "$CAIRN" $command --across a.jsonl "$1"
  done
}
other_program edges.jsonl 'the edges between the operations'
other_program ops.jsonl 'operation X is in the first only, operation Y is in'
other_program kinds.jsonl 'operation B is one of the GPU and of the CPU'
elsewhere() {
  refused "$1" "$2" "$3"
  for command in classify compare-runs; do
    expect 0 "$CAIRN" $command --across "$1" "$2"
  done
  expect 0 "$CAIRN" classify --across "$1" --evaluate "$2"
}
elsewhere a.jsonl param.jsonl 'parameter n is "1" and "2"'
elsewhere a.jsonl ranks.jsonl 'the number of ranks is 1 and 2'
elsewhere a.jsonl backend.jsonl 'the backend is "host" and "cuda"'
elsewhere backend.jsonl device.jsonl 'the device is "H" and "K"'
elsewhere a.jsonl objective.jsonl 'the objective is "p50" and "p10"'
expect 0 "$CAIRN" classify a.jsonl objective.jsonl --objective p10
expect 0 "$CAIRN" compare-runs a.jsonl objective.jsonl --objective p10
# a run that equals both says nothing about whether these two differ
refused null.jsonl ops.jsonl 'operation X'
expect 3 "$CAIRN" classify null.jsonl a.jsonl param.jsonl

# --across: each by itself, and the rule that is in both
journal slow.jsonl '{"params":{"n":"2"}}' X three
expect 0 "$CAIRN" classify --across a.jsonl slow.jsonl --format json --report r
equal "runs" "$(jq -c '[.runs[].classification.classes | length]' out)" "[2,3]"
equal "a rule that holds" "$(jq -c '.rules_in_all |
  map(select(.text == ["C before B"])) | length > 0' out)" true
[ -s r/run-1/report.html ] && [ -s r/run-2/report.html ] ||
  complain "--across --report wrote $(ls r)"
expect 0 "$CAIRN" classify --across a.jsonl slow.jsonl
grep -q '^== Rules that hold in all 2 runs ==' out || complain "$(cat out)"

# two classes against three: B's two slow ones are A's slow one
for pair in 'a.jsonl slow.jsonl' 'slow.jsonl a.jsonl'; do
  # shellcheck disable=SC2086
  expect 0 "$CAIRN" compare-runs --across $pair --format json
  equal "agreement of $pair" "$(jq ".class_agreement == 1" out)" true
done
exit $status

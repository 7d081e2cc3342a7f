#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# cairn check --difficulty: from a part of a recorded space, near what the whole
# of it says.
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
complain() { echo "$*"; status=1; }
program=$top_srcdir/examples/spmv/spmv.xml
for space in spmv-150000-2gpu-3 spmv-1500000-2gpu-1; do
  whole=$top_srcdir/examples/spmv/results/$space.jsonl.xz
  "$CAIRN" explore "$program" --backend "replay:$whole" --strategy random --budget 200 --objective p50 \
    -q -o "$dir/$space.jsonl" >"$dir/o" 2>"$dir/e" || complain "replay: $? $(cat "$dir/e")"
  "$CAIRN" study --format json "$whole" >"$dir/whole.json" || complain "study"
  "$CAIRN" check "$program" --difficulty "$dir/$space.jsonl" --format json >"$dir/part.json" || complain "check: $?"
  python3 - "$dir/whole.json" "$dir/part.json" <<'END' || complain "$space"
import json, sys
whole = json.load(open(sys.argv[1]))["spaces"][0]
d = json.load(open(sys.argv[2]))["difficulty"]
print(d["measured"], d["explained"], d["optimum"] / whole["best"]["time"], d["centrality"][5], whole["centrality"][5],
      d["centrality"][10], whole["centrality"][10], d["minima"], whole["minima"], d["strategy"], d["budget"])
assert d["estimate"] is True and d["measured"] == 200 and len(d["centrality"]) == 16
assert d["explained"] > 0.5
assert abs(d["optimum"] / whole["best"]["time"] - 1) < 0.05
assert d["best"] >= whole["best"]["time"]
assert abs(d["centrality"][10] - whole["centrality"][10]) < 0.25
assert all(a <= b for a, b in zip(d["centrality"], d["centrality"][1:]))
assert all(l <= c + 1e-12 and c <= h + 1e-12 for l, c, h in zip(d["centrality_low"], d["centrality"], d["centrality_high"]))
assert whole["minima"] / 3 < d["minima"] < 3 * whole["minima"]
assert d["strategy"]
END
done
"$CAIRN" check "$program" --difficulty "$dir/$space.jsonl" --format json | cmp - "$dir/part.json" || complain "not repeatable"
"$CAIRN" check "$program" --difficulty "$dir/$space.jsonl" >"$dir/text" || complain "text: $?"
grep -q 'an estimate from 200 measured' "$dir/text" && grep -q '^suggested  *--strategy' "$dir/text" ||
  complain "$(cat "$dir/text")"

"$CAIRN" explore "$program" --backend "replay:$whole" --strategy random --budget 5 --objective p50 -q \
  -o "$dir/few.jsonl" >"$dir/o" 2>"$dir/e"
"$CAIRN" check "$program" --difficulty "$dir/few.jsonl" >"$dir/o" 2>"$dir/e"
[ $? = 1 ] && grep -q '5 usable times' "$dir/e" || complain "few: $(cat "$dir/e")"
"$CAIRN" check "$top_srcdir/examples/hello/hello.xml" --difficulty "$dir/few.jsonl" >"$dir/o" 2>"$dir/e"
[ $? = 3 ] || complain "another program: $(cat "$dir/e")"
"$CAIRN" check "$program" --difficulty "$dir/none" >"$dir/o" 2>"$dir/e"
[ $? = 3 ] || complain "no file: $(cat "$dir/e")"
exit $status

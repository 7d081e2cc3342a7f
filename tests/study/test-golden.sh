#!/bin/bash
# SPDX-License-Identifier: BSD-3-Clause
# Studies of published spaces give the numbers of independent programs.
golden=$top_srcdir/../shared/golden data=$top_srcdir/../shared/data
[ -e "$golden/ffg-structural-150000.txt" ] || { echo "SKIP: no golden values"; exit 77; }
[ -e "$data/perlmutter-spmv-150000.csv" ] || { echo "SKIP: no recorded spaces"; exit 77; }
command -v python3 >/dev/null || { echo "SKIP: no python3"; exit 77; }
dir=$(mktemp -d) || exit 99
trap 'rm -rf "$dir"' EXIT
status=0
for rows in 15000 150000; do
  "$CAIRN" import "$data/perlmutter-spmv-$rows.csv" --rename Scatter=Pack \
    -o "$dir/$rows.jsonl" >/dev/null || exit 1
done
"$CAIRN" study --format json "$dir/150000.jsonl" >"$dir/adjacent.json" || exit 1
"$CAIRN" study --format json --neighbours sync "$dir/150000.jsonl" \
  >"$dir/sync.json" || exit 1
python3 "$top_srcdir/tests/study/golden.py" "$dir/adjacent.json" \
  "$golden/ffg-structural-150000.txt" 'ADJACENT = swap + stream' || status=1
python3 "$top_srcdir/tests/study/golden.py" "$dir/sync.json" \
  "$golden/ffg-structural-150000.txt" ADJACENT+SYNC || status=1

# The program file and the schedules tell the same.
"$CAIRN" study --format json --program "$top_srcdir/examples/spmv/spmv.xml" \
  "$dir/150000.jsonl" | sed 's/"program_inferred":false/"program_inferred":true/' |
  cmp - "$dir/adjacent.json" || status=1

# Chances: both spaces, every number.
"$CAIRN" study --format json "$dir/15000.jsonl" "$dir/150000.jsonl" |
  python3 -c '
import json, re, sys
lines = open(sys.argv[1]).read().splitlines()
bad = rows = 0
for space in json.load(sys.stdin)["spaces"]:
    for line in lines:
        m = re.match(r"(\d+) within (\d+) %: g = (\d+) of \d+; chance at n = .*: (.*); median n (\d+); 90 % n (\d+)", line)
        if m:
            name = m.group(1)
            if name == space["name"]:
                rows += 1
                c = next(c for c in space["chance"] if c["percent"] == int(m.group(2)))
                bad += c["schedules"] != int(m.group(3)) or c["median"] != int(m.group(5)) or c["ninety"] != int(m.group(6))
                bad += any(abs(a - float(b)) > 1e-12 for a, b in zip(c["chance"], m.group(4).split()))
        elif name == space["name"]:
            m = re.match(r" +n = +(\d+): expected best (\S+), mean f_opt/f_best (\S+)", line)
            i = space["expected"]["draws"].index(int(m.group(1)))
            rows += 1
            bad += abs(space["expected"]["best"][i] - float(m.group(2))) > 1e-17
            bad += abs(space["expected"]["fraction"][i] - float(m.group(3))) > 1e-12
print(rows, "rows,", bad, "wrong")
sys.exit(bad > 0 or rows != 14)' "$golden/chance.txt" || status=1

# The two recorded spaces that the two measures rank in opposite ways.
results=$top_srcdir/examples/spmv/results
"$CAIRN" study "$results"/spmv-150000-{2gpu-3,4gpu-2}.jsonl.xz >"$dir/two" || status=1
grep -q 'spmv-150000-2gpu-3: fraction 0.8898 < 0.9040 of spmv-150000-4gpu-2, centrality 0.8404 > 0.7141' "$dir/two" ||
  { echo "the contradiction is not found"; tail -5 "$dir/two"; status=1; }
exit $status
